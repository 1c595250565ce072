use crate::common::{error, query, session, set, table, texts, type_of, with_table};
use datafusion::arrow::datatypes::DataType;

#[tokio::test]
async fn literals_do_not_widen_columns() {
    let context = with_table("torch", "casts").await;
    assert_eq!(type_of(&context, "i8 + 2").await, DataType::Int8);
    assert_eq!(type_of(&context, "f32 * 2.5").await, DataType::Float32);
    assert_eq!(type_of(&context, "i8 * 2.5").await, DataType::Float32);
    assert_eq!(type_of(&context, "i8 + CAST(2 AS BIGINT)").await, DataType::Int64);
    assert_eq!(type_of(&context, "i8 + 2 * 3").await, DataType::Int8);
    assert_eq!(type_of(&context, "i8 + (-(2))").await, DataType::Int8);
    assert_eq!(type_of(&context, "f16 * (7 / 2)").await, DataType::Float16);
    assert_eq!(type_of(&context, "7 / 2").await, DataType::Float64);
    assert_eq!(type_of(&context, "i32 / i32").await, DataType::Float32);
    assert_eq!(type_of(&context, "b + i32").await, DataType::Int32);
    assert_eq!(type_of(&context, "u8 < b").await, DataType::Boolean);
}

#[tokio::test]
async fn sessions_have_settings_of_their_own() {
    let a = with_table("torch", "casts").await;
    let b = with_table("numpy", "casts").await;
    let (plain, _) = session();
    plain.register_batch("t", table()).unwrap();
    assert_eq!(type_of(&a, "i32 + f16").await, DataType::Float16);
    assert_eq!(type_of(&b, "i32 + f16").await, DataType::Float64);
    assert_eq!(type_of(&plain, "i8 + 2").await, DataType::Int64);
    set(&b, "rules", "off").await.unwrap();
    assert_eq!(type_of(&b, "i8 + 2").await, DataType::Int64);
    assert_eq!(type_of(&a, "i8 + 2").await, DataType::Int8);
}

/// Sessions that are copies of one share its planner of SQL.
#[tokio::test]
async fn copies_of_a_session_compute_by_their_own_settings() {
    use datafusion::execution::SessionStateBuilder;
    use datafusion::prelude::SessionContext;
    let (base, _) = session();
    base.register_batch("t", table()).unwrap();
    let copy =
        || SessionContext::new_with_state(SessionStateBuilder::new_from_existing(base.state()).build());
    let (a, b, plain) = (copy(), copy(), copy());
    set(&a, "rules", "torch").await.unwrap();
    set(&b, "rules", "numpy").await.unwrap();
    let sql = "SELECT i32 + f16, b + i32 FROM t";
    let schema = query(&a, sql).await.unwrap().schema();
    assert_eq!(
        (schema.field(0).data_type(), schema.field(1).data_type()),
        (&DataType::Float16, &DataType::Int32)
    );
    assert_eq!(query(&b, sql).await.unwrap().schema().field(0).data_type(), &DataType::Float64);
    assert_eq!(
        query(&plain, "SELECT i8 + 2 FROM t").await.unwrap().schema().field(0).data_type(),
        &DataType::Int64
    );
    assert!(error(&plain, "SELECT b + i32 FROM t").await.contains("Cannot coerce"));
}

#[tokio::test]
async fn unknown_names_are_errors_with_suggestions() {
    let (context, _) = session();
    let message = |sql: &'static str| error(&context, sql);
    let text = message("SET promote.rules = 'numpi'").await;
    assert!(
        text.contains("there is no rule set `numpi`") && text.contains("did you mean `numpy`?"),
        "{text}"
    );
    let text = message("SET promote.rules = 'no/such/file.rs'").await;
    assert!(text.contains("there is no such file"), "{text}");
    let text = message("SET promote.mode = 'kernel'").await;
    assert!(text.contains("did you mean `kernels`?"), "{text}");
    let text = message("SET promote.rule = 'torch'").await;
    assert!(text.contains("did you mean `rules`?"), "{text}");
    let text = message("SET promote.parameters = 'default_dtype=f64'").await;
    assert!(text.contains("`SET promote.rules` first"), "{text}");
    set(&context, "rules", "torch").await.unwrap();
    let text = message("SET promote.parameters = 'default_dtype=i32'").await;
    assert!(text.contains("default_dtype="), "{text}");
}

#[tokio::test]
async fn parameters_choose_among_tables() {
    for mode in ["casts", "kernels"] {
        let context = with_table("torch", mode).await;
        set(&context, "parameters", "default_dtype=f64").await.unwrap();
        assert_eq!(type_of(&context, "i8 / i8").await, DataType::Float64);
        // Another rule set has other parameters.
        set(&context, "rules", "torch").await.unwrap();
        assert_eq!(type_of(&context, "i8 / i8").await, DataType::Float32);
    }
}

#[tokio::test]
async fn rule_files_are_read_by_path() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("promote-datafusion-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("wide.rs");
    let text = "promote::rules! { rules Wide extends promote::Torch; promote { i8, f16 => f64; } }";
    std::fs::write(&path, text).unwrap();
    let context = with_table(path.to_str().unwrap(), "casts").await;
    assert_eq!(type_of(&context, "i8 + f16").await, DataType::Float64);
    assert_eq!(type_of(&context, "i16 + f16").await, DataType::Float16);
    set(&context, "mode", "kernels").await.unwrap();
    assert_eq!(type_of(&context, "i8 + f16").await, DataType::Float64);

    std::fs::write(&path, "promote::rules! { rules Bad; dtypes i8; promote { i9, any => i8; } }").unwrap();
    let text = set(&context, "rules", path.to_str().unwrap()).await.unwrap_err().to_string();
    assert!(text.contains("wide.rs:1:") && text.contains("i9"), "{text}");
    std::fs::write(&path, "promote::rules! { rules Lost extends promote::Matlab; }").unwrap();
    let text = set(&context, "rules", path.to_str().unwrap()).await.unwrap_err().to_string();
    assert!(text.contains("`Matlab`, which this one extends, is not known"), "{text}");
    std::fs::write(&path, "promote::rules! { rules Torch; dtypes i8; promote { any, any => join; } }")
        .unwrap();
    let text = set(&context, "rules", path.to_str().unwrap()).await.unwrap_err().to_string();
    assert!(text.contains("give it another name"), "{text}");
    std::fs::remove_dir_all(&folder).unwrap();
    // The session keeps its rules after an error.
    assert_eq!(type_of(&context, "i8 + f16").await, DataType::Float64);
}

#[tokio::test]
async fn show_prints_the_settings() {
    let context = with_table("torch", "kernels").await;
    let found = context.state().config_options().entries();
    let of = |key: &str| found.iter().find(|entry| entry.key == key).and_then(|entry| entry.value.clone());
    assert_eq!(of("promote.rules").as_deref(), Some("torch"));
    assert_eq!(of("promote.mode").as_deref(), Some("kernels"));
}

#[tokio::test]
async fn refused_pairs_name_the_clause_and_the_way_out() {
    let context = with_table("torch", "casts").await;
    let text = error(&context, "SELECT u16 + i32 FROM t").await;
    for part in ["t.u16 + t.i32", "`u16` and `i32`", "under Torch", "rules/torch.rs:", "help: ", "CAST("] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let text = error(&context, "SELECT b - b FROM t").await;
    assert!(text.contains("rules/torch.rs:"), "{text}");
}

#[tokio::test]
async fn types_that_the_rule_set_lacks_are_left_to_the_engine() {
    for mode in ["casts", "kernels"] {
        let context = with_table("torch", mode).await;
        let sql = "SELECT CAST(1.25 AS DECIMAL(5, 2)) + i8 AS d, 'a' || 'b' AS s, \
                   DATE '2024-01-02' - DATE '2024-01-01' AS days, i8 + NULL AS n, 'x' = 'y' AS e, \
                   CAST(i8 AS DECIMAL(20, 2)) * 2 AS p FROM t LIMIT 1";
        let ours = query(&context, sql).await.unwrap();
        set(&context, "rules", "off").await.unwrap();
        let theirs = query(&context, sql).await.unwrap();
        assert_eq!(ours, theirs);
        assert_eq!(texts(ours.column(0)), ["2.25"]);
    }
}
