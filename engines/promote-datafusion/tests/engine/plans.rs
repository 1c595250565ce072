use crate::common::{query, texts, type_of, with_table};
use datafusion::arrow::datatypes::DataType;
use datafusion::prelude::SessionContext;
use promote_datafusion::{decode_function, encode_function, function, functions, functions_of};

/// Returns the rows of `EXPLAIN` as pairs of a kind of plan and its text.
async fn explain(context: &SessionContext, sql: &str) -> Vec<(String, String)> {
    let found = query(context, sql).await.unwrap();
    texts(found.column(0)).into_iter().zip(texts(found.column(1))).collect()
}

fn row<'a>(rows: &'a [(String, String)], kind: &str) -> &'a str {
    &rows.iter().find(|row| row.0 == kind).unwrap_or_else(|| panic!("{kind} in {rows:?}")).1
}

#[tokio::test]
async fn verbose_explanations_name_the_clause() {
    let context = with_table("torch", "casts").await;
    let rows = explain(&context, "EXPLAIN VERBOSE SELECT i64 / f16 AS q FROM t WHERE i8 < 2.5").await;
    let noted = row(&rows, "logical_plan after promote_rules");
    assert!(noted.contains("promote: torch divide: `"), "{noted}");
    assert!(noted.contains("promote: torch less: `") && noted.contains("rules/torch.rs:"), "{noted}");
    // The plan that is executed has casts alone.
    let last = row(&rows, "logical_plan");
    assert!(last.contains("CAST(t.i64 AS Float16) / t.f16 AS q"), "{last}");
    assert!(
        !rows
            .iter()
            .any(|(kind, text)| kind != "logical_plan after promote_rules" && text.contains("promote: "))
    );
}

#[tokio::test]
async fn plans_in_casts_mode_have_no_functions_of_ours() {
    let context = with_table("torch", "casts").await;
    let rows = explain(&context, "EXPLAIN SELECT b + i32, i8 + 2, u8 < b, i8 BETWEEN 1 AND 2.5 FROM t").await;
    assert!(!row(&rows, "logical_plan").contains("promote"), "{rows:?}");
    assert!(!row(&rows, "physical_plan").contains("promote"), "{rows:?}");
    // Except where DataFusion has no such values.
    let rows = explain(&context, "EXPLAIN SELECT i8 % 3, b + b FROM t").await;
    let plan = row(&rows, "physical_plan");
    assert!(
        plan.contains("promote_torch_remainder_weak_right") && plan.contains("promote_torch_add("),
        "{plan}"
    );
}

#[tokio::test]
async fn plans_in_kernels_mode_have_functions() {
    let context = with_table("torch", "kernels").await;
    let rows = explain(&context, "EXPLAIN SELECT i8 + f16, 2.5 * i8, f32 < 0.1 FROM t").await;
    let plan = row(&rows, "physical_plan");
    for name in ["promote_torch_add(", "promote_torch_multiply_weak_left(", "promote_torch_less_weak_right("]
    {
        assert!(plan.contains(name), "{name} in {plan}");
    }
}

#[tokio::test]
async fn plans_in_kernels_mode_have_operators_where_nothing_is_cast() {
    let context = with_table("torch", "kernels").await;
    let sql =
        "EXPLAIN SELECT f32 + f32, f32 / 3, 2 - i8, i32 * i32, i16 <= i16, i64 > 7, i8 * 2.5 + f32 FROM t";
    let rows = explain(&context, sql).await;
    let plan = row(&rows, "physical_plan");
    assert_eq!(plan.matches("promote_").count(), 1, "{plan}");
    assert!(plan.contains("promote_torch_multiply_weak_right(") && !plan.contains("CAST"), "{plan}");

    // Here the values of a kernel are others.
    let sql = "EXPLAIN SELECT f32 < f32, i32 / i32, i8 ^ i8, f16 * 2.5, i8 < 300, i8 % i8 FROM t";
    let rows = explain(&context, sql).await;
    let plan = row(&rows, "physical_plan");
    assert_eq!(plan.matches("promote_").count(), 6, "{plan}");
}

#[tokio::test]
async fn joins_use_the_engines_equality() {
    for mode in ["casts", "kernels"] {
        let context = with_table("torch", mode).await;
        for sql in [
            "EXPLAIN SELECT count(*) FROM t a JOIN t b ON a.i8 = b.f32",
            "EXPLAIN SELECT count(*) FROM t a, t b WHERE a.i8 = b.f32",
            "EXPLAIN SELECT i8 FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE b.f32 = a.i8)",
        ] {
            let rows = explain(&context, sql).await;
            let plan = row(&rows, "physical_plan");
            assert!(plan.contains("HashJoinExec"), "{mode} {sql}: {plan}");
        }
    }
}

#[tokio::test]
async fn names_of_columns_stay() {
    let context = with_table("torch", "kernels").await;
    let found = query(&context, "SELECT b + i32, i8 / 2, sum(i8 % 3) OVER () FROM t").await.unwrap();
    let schema = found.schema();
    assert_eq!(schema.field(0).name(), "t.b + t.i32");
    assert_eq!(schema.field(1).name(), "t.i8 / Int64(2)");
    let grouped = query(&context, "SELECT b + i32, count(*) FROM t GROUP BY b + i32 ORDER BY b + i32").await;
    assert!(grouped.unwrap().num_rows() > 1);
}

#[tokio::test]
async fn remainders_are_those_of_the_rule_set() {
    for mode in ["casts", "kernels"] {
        let context = with_table("torch", mode).await;
        let found =
            query(&context, "SELECT CAST(-7 AS INT) % 3 AS a, -7 % 3, 7 % -3, CAST(-7.5 AS REAL) % 2").await;
        let found = found.unwrap();
        let row: Vec<String> = (0..4).flat_map(|column| texts(found.column(column))).collect();
        assert_eq!(row, ["2", "2", "-2", "0.5"], "{mode}");
    }
}

#[tokio::test]
async fn functions_are_called_by_name() {
    let context = with_table("off", "casts").await;
    assert_eq!(type_of(&context, "promote_torch_add(i8, f16)").await, DataType::Float16);
    assert_eq!(type_of(&context, "promote_numpy_add(i32, f16)").await, DataType::Float64);
    assert_eq!(type_of(&context, "promote_torch_add(i8, 2)").await, DataType::Int64);
    assert_eq!(type_of(&context, "promote_torch_add_weak_right(i8, 2)").await, DataType::Int8);
    let refused = |sql: &'static str| crate::common::error(&context, sql);
    let text = refused("SELECT promote_torch_add(i8, CAST(1.5 AS DECIMAL(5, 1))) FROM t").await;
    assert!(text.contains("decimals are exact") && text.contains("help: "), "{text}");
    let text = refused("SELECT promote_torch_add(i8, 'a') FROM t").await;
    assert!(text.contains("promote_torch_add") && text.contains("help: "), "{text}");
    let text = refused("SELECT promote_torch_add_weak_right(i8, i16) FROM t").await;
    assert!(text.contains("is not a literal"), "{text}");
    let text = refused("SELECT promote_torch_add(i8) FROM t").await;
    assert!(text.contains("takes 2 arguments"), "{text}");
}

#[test]
fn functions_are_found_by_their_names() {
    for known in functions() {
        let found = function(known.name()).unwrap_or_else(|| panic!("{}", known.name()));
        assert_eq!(found, known);
    }
    for other in
        ["promote_torch_frobnicate", "promote_add", "add", "promote_torch[x=1]_add", "promote_torch_add_weak"]
    {
        assert!(function(other).is_none(), "{other}");
    }
}

#[tokio::test]
async fn lists_and_ranges_compare_as_operators_do() {
    let context = with_table("torch", "casts").await;
    // f32 holds no 0.1: by DataFusion's own rules no row is equal to it.
    let sql = "SELECT count(*) FILTER (WHERE f32 = 0.1), count(*) FILTER (WHERE f32 IN (0.1, 7)), \
               count(*) FILTER (WHERE f32 BETWEEN 0.1 AND 0.1), count(*) FILTER (WHERE i8 IN (1, 2.0)), \
               count(*) FILTER (WHERE f32 NOT IN (0.1, 7)) FROM t";
    let counts = |found: datafusion::arrow::array::RecordBatch| -> Vec<String> {
        (0..found.num_columns()).flat_map(|column| texts(found.column(column))).collect()
    };
    assert_eq!(counts(query(&context, sql).await.unwrap()), ["1", "2", "1", "2", "9"]);
    crate::common::set(&context, "rules", "off").await.unwrap();
    assert_eq!(counts(query(&context, sql).await.unwrap()), ["0", "1", "0", "2", "10"]);
}

/// Here i64 and u64 are compared in u64, to which DataFusion cannot cast a negative number.
#[tokio::test]
async fn negative_integers_are_compared_exactly() {
    for mode in ["casts", "kernels"] {
        let context = with_table("numpy", mode).await;
        let sql = "CREATE TABLE pairs AS SELECT arrow_cast(column1, 'Int64') AS i, arrow_cast(column2, 'UInt64') AS u \
                   FROM (VALUES (-1, 18446744073709551615), (7, 7), (NULL, 1))";
        query_all(&context, sql).await;
        for (condition, rows) in [
            ("i = u", 1),
            ("i < u", 1),
            ("i IN (u)", 1),
            ("i NOT IN (u, 8)", 1),
            ("i BETWEEN u AND u", 1),
            ("i IS DISTINCT FROM u", 2),
            ("i IS NOT DISTINCT FROM u", 1),
        ] {
            let found = query(&context, &format!("SELECT 1 FROM pairs WHERE {condition}")).await.unwrap();
            assert_eq!(found.num_rows(), rows, "{condition}, {mode}");
        }
        let joined = "SELECT a.i FROM pairs a JOIN pairs b ON a.i = b.u";
        assert_eq!(texts(query(&context, joined).await.unwrap().column(0)), ["7"], "{mode}");
    }
}

/// A plan that is optimised has literals where the query had casts of literals.
#[tokio::test]
async fn plans_that_are_analysed_again_stay() {
    for mode in ["casts", "kernels"] {
        let context = with_table("torch", mode).await;
        let sql = "SELECT i8 + CAST(2 AS BIGINT) AS typed, i8 + 2, CAST(1.5 AS DOUBLE) * f32, i32 / 7, i8 % 3, b + i32, \
                   u8 < -3 FROM t WHERE i8 = CAST(2 AS BIGINT) OR f32 < 0.1 OR i8 BETWEEN 1 AND 2.5";
        let frame = context.sql(sql).await.unwrap();
        let planned = frame.schema().as_arrow().clone();
        let once = frame.clone().into_optimized_plan().unwrap();
        let twice = context.execute_logical_plan(once.clone()).await.unwrap();
        let found = twice.clone().collect().await.unwrap();
        assert_eq!(found, frame.collect().await.unwrap(), "{mode}");
        assert_eq!(twice.into_optimized_plan().unwrap(), once, "{mode}");
        let types = |schema: &datafusion::arrow::datatypes::Schema| -> Vec<DataType> {
            schema.fields().iter().map(|field| field.data_type().clone()).collect()
        };
        assert_eq!(types(found[0].schema_ref()), types(&planned), "{mode}");
    }
}

#[tokio::test]
async fn parameters_of_statements_are_literals() {
    let context = with_table("torch", "casts").await;
    let frame = context.sql("SELECT i8 + $1, f32 < $2 FROM t").await.unwrap();
    let values =
        vec![datafusion::common::ScalarValue::from(2_i64), datafusion::common::ScalarValue::from(0.1)];
    let found = frame.with_param_values(values).unwrap().collect().await.unwrap();
    assert_eq!(found[0].column(0).data_type(), &DataType::Int8);
}

#[tokio::test]
async fn views_and_tables_have_the_types_of_the_rule_set() {
    let context = with_table("torch", "casts").await;
    for statement in [
        "CREATE VIEW v AS SELECT b + i32 AS x, i8 * 2.5 AS y, i8 FROM t",
        "CREATE TABLE copied AS SELECT b + i32 AS x, i8 * 2.5 AS y FROM t",
        "INSERT INTO copied SELECT i8 + i8, f16 * 2 FROM t",
    ] {
        query_all(&context, statement).await;
    }
    let sql = "SELECT x + 1, y / x, (SELECT max(i8 + 1) FROM t) + i8 FROM v \
               WHERE x IN (SELECT i32 + 1 FROM t) OR i8 > 0 UNION ALL SELECT x, y, 1 FROM copied";
    let found = query(&context, sql).await.unwrap();
    let types: Vec<&DataType> = found.columns().iter().map(|column| column.data_type()).collect();
    assert_eq!(types[..2], [&DataType::Int32, &DataType::Float32]);
}

/// Runs a statement whose result has no rows.
async fn query_all(context: &SessionContext, sql: &str) {
    context.sql(sql).await.unwrap().collect().await.unwrap();
}

#[tokio::test]
async fn distinctness_treats_null_as_a_value() {
    for mode in ["casts", "kernels"] {
        let context = with_table("torch", mode).await;
        let sql = "SELECT count(*) FILTER (WHERE f32 IS DISTINCT FROM 0.1), \
                   count(*) FILTER (WHERE f32 IS NOT DISTINCT FROM f64) FROM t";
        let found = query(&context, sql).await.unwrap();
        assert_eq!(texts(found.column(0)), ["11"], "{mode}");
    }
}

#[tokio::test]
async fn literals_are_compared() {
    for mode in ["casts", "kernels"] {
        let context = with_table("torch", mode).await;
        let found = query(&context, "SELECT 1 < 2.5, true = 1, -1 > 18446744073709551615").await.unwrap();
        let row: Vec<String> = (0..3).flat_map(|column| texts(found.column(column))).collect();
        assert_eq!(row, ["true", "true", "false"], "{mode}");
    }
}

#[test]
fn functions_of_rule_files_carry_the_text_of_the_file() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("promote-datafusion-carry-{}.rs", std::process::id()));
    let read = |sum: &str| {
        let text = format!(
            "promote::rules! {{ rules Carry extends promote::Torch; promote {{ i8, f16 => {sum}; }} }}"
        );
        std::fs::write(&path, text).unwrap();
        functions_of(path.to_str().unwrap()).unwrap()
    };
    let (old, new) = (read("f64"), read("f32"));
    std::fs::remove_file(&path).unwrap();
    for (old, new) in old.iter().zip(&new) {
        let bytes = encode_function(old).unwrap();
        assert_eq!(&decode_function(old.name(), &bytes).unwrap(), old);
        assert_eq!(old.name(), new.name());
        assert_ne!(old, new);
        assert!(decode_function("promote_torch_add", &bytes).is_err());
    }
    assert_eq!(encode_function(&function("promote_torch_add").unwrap()), Some(Vec::new()));
}

#[tokio::test]
async fn grouping_sets_have_names_of_columns() {
    for mode in ["casts", "kernels"] {
        let context = with_table("torch", mode).await;
        let sql = "SELECT i8 + 1, b, grouping(i8 + 1), count(*) FROM t \
                   GROUP BY GROUPING SETS ((b, i8 + 1), (i8 + 1), (b)) ORDER BY 1, 2";
        let found = query(&context, sql).await.unwrap();
        assert_eq!(found.schema().field(0).name(), "t.i8 + Int64(1)", "{mode}");
        assert_eq!(found.column(0).data_type(), &DataType::Int8, "{mode}");
    }
}
