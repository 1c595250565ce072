use crate::common::{Folder, Knows, client, cluster, local, query, set};
use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Float16Type, Float32Type, Float64Type};
use datafusion::logical_expr::Operator;
use datafusion::prelude::{col, lit};
use promote_arrow::Argument;
use promote_ballista::promote_datafusion::promote::{self, Op};

/// The names of the columns.
const COLUMNS: [&str; 12] = ["b", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"];

const OPERATORS: [(&str, Op); 6] = [
    ("+", Op::Add),
    ("-", Op::Subtract),
    ("*", Op::Multiply),
    ("/", Op::Divide),
    ("<", Op::Less),
    ("=", Op::Equal),
];

/// Asserts that two arrays have one type, and equal bits where they are not null.
fn assert_identical(left: &ArrayRef, right: &ArrayRef, what: &str) {
    // Zeros differ in their signs, and a NaN is not equal to itself.
    let bits = |array: &ArrayRef| -> Vec<Option<u64>> {
        match array.data_type() {
            DataType::Float16 => {
                array.as_primitive::<Float16Type>().iter().map(|x| Some(u64::from(x?.to_bits()))).collect()
            }
            DataType::Float32 => {
                array.as_primitive::<Float32Type>().iter().map(|x| Some(u64::from(x?.to_bits()))).collect()
            }
            DataType::Float64 => {
                array.as_primitive::<Float64Type>().iter().map(|x| Some(x?.to_bits())).collect()
            }
            _ => Vec::new(),
        }
    };
    assert_eq!(left.data_type(), right.data_type(), "{what}");
    if left.data_type().is_floating() {
        assert_eq!(bits(left), bits(right), "{what}");
    } else {
        assert_eq!(left, right, "{what}");
    }
}

/// Asserts that the rows of a query on a cluster are those of one process.
async fn assert_as_in_one_process(rules: &str, mode: &str, knows: Knows, exprs: &[String]) {
    let folder = Folder::new().await;
    let url = cluster(knows, knows).await;
    let (ours, _) = client(&url, &folder).await;
    let one = local(&folder).await;
    for context in [&ours, &one] {
        set(context, "rules", rules).await;
        set(context, "mode", mode).await;
    }
    let sql = format!("SELECT {} FROM t ORDER BY id", exprs.join(", "));
    let (found, expected) = (query(&ours, &sql).await.unwrap(), query(&one, &sql).await.unwrap());
    let planned = ours.sql(&sql).await.unwrap();
    for (index, expr) in exprs.iter().enumerate() {
        let what = format!("{expr} under {rules}, {mode}");
        assert_eq!(planned.schema().field(index).data_type(), found.column(index).data_type(), "{what}");
        assert_identical(found.column(index), expected.column(index), &what);
    }
}

/// Nothing of this crate is installed on the cluster.
#[tokio::test]
async fn casts_are_computed_by_a_stock_cluster() {
    for rules in ["torch", "numpy", "polars"] {
        let exprs =
            ["i8 + 2", "f32 * 2.5", "i32 / i16", "i32 + f16", "u8 < i64", "b + i32", "i8 BETWEEN 1 AND 2.5"];
        assert_as_in_one_process(rules, "casts", Knows::Nothing, &exprs.map(str::to_owned)).await;
    }
}

/// Each operator on each pair of columns, as far as the rule set allows it, and literals.
#[tokio::test]
async fn kernels_give_the_values_of_the_rule_set() {
    let folder = Folder::new().await;
    let url = cluster(Knows::Functions, Knows::Functions).await;
    let (context, _) = client(&url, &folder).await;
    set(&context, "mode", "kernels").await;
    let columns = query(&context, "SELECT * FROM t ORDER BY id").await.unwrap();
    let mut compared = 0;
    for rules in ["torch", "numpy", "polars"] {
        set(&context, "rules", rules).await;
        let rules = promote::rule_set(rules).unwrap();
        let array = |name: &str| columns.column_by_name(name).unwrap();
        let literal = [("2", Argument::Number(2.into())), ("2.5", Argument::Number(2.5.into()))];
        let mut calls = Vec::new();
        for a in COLUMNS {
            for (operator, op) in OPERATORS {
                for b in COLUMNS {
                    calls.push((format!("{a} {operator} {b}"), op, a, Argument::Array(array(b))));
                }
                for (text, number) in &literal {
                    calls.push((format!("{a} {operator} {text}"), op, a, *number));
                }
            }
        }
        let computed: Vec<(String, ArrayRef)> = calls
            .into_iter()
            .filter_map(|(expr, op, a, b)| {
                let result = promote_arrow::call(&rules, op, &[Argument::Array(array(a)), b]).ok()?;
                Some((expr, result))
            })
            .collect();
        compared += computed.len();
        let exprs: Vec<&str> = computed.iter().map(|(expr, _)| expr.as_str()).collect();
        let found =
            query(&context, &format!("SELECT {} FROM t ORDER BY id", exprs.join(", "))).await.unwrap();
        for ((expr, expected), column) in computed.iter().zip(found.columns()) {
            assert_identical(column, expected, &format!("{expr} under {}", rules.name()));
        }
    }
    println!("{compared} expressions");
    assert!(compared > 2000, "{compared}");
}

#[tokio::test]
async fn filters_aggregates_and_joins_follow_the_rule_set() {
    let folder = Folder::new().await;
    let url = cluster(Knows::Functions, Knows::Functions).await;
    let (ours, _) = client(&url, &folder).await;
    let one = local(&folder).await;
    for mode in ["casts", "kernels"] {
        for context in [&ours, &one] {
            set(context, "rules", "torch").await;
            set(context, "mode", mode).await;
        }
        for sql in [
            "SELECT min(i8 * f32), max(i8 / 2), count(b + i32) FROM t WHERE i8 < 2.5",
            "SELECT u8 % 3 AS r, count(*) FROM t GROUP BY u8 % 3 ORDER BY r",
            "SELECT a.id, b.id, a.i8 + b.f32 FROM t a JOIN t b ON a.i8 = b.f32 ORDER BY a.id, b.id",
            "SELECT id, coalesce(i8, f32) AS c, CASE WHEN b THEN i16 ELSE f32 END AS e FROM t ORDER BY id",
        ] {
            let (found, expected) = (query(&ours, sql).await.unwrap(), query(&one, sql).await.unwrap());
            assert_eq!(found.num_rows(), expected.num_rows(), "{sql}");
            for (found, expected) in found.columns().iter().zip(expected.columns()) {
                assert_identical(found, expected, sql);
            }
        }
    }
}

#[tokio::test]
async fn sessions_of_one_cluster_have_rules_of_their_own() {
    let folder = Folder::new().await;
    let url = cluster(Knows::Functions, Knows::Functions).await;
    let ((torch, _), (numpy, _), (plain, _)) =
        (client(&url, &folder).await, client(&url, &folder).await, client(&url, &folder).await);
    set(&torch, "rules", "torch").await;
    set(&numpy, "rules", "numpy").await;
    for mode in ["casts", "kernels"] {
        set(&torch, "mode", mode).await;
        set(&numpy, "mode", mode).await;
        for (context, expected) in
            [(&torch, DataType::Float32), (&numpy, DataType::Float64), (&plain, DataType::Int64)]
        {
            let found = query(context, "SELECT i32 / 2 FROM t").await.unwrap();
            assert_eq!(*found.column(0).data_type(), expected);
        }
    }
}

#[tokio::test]
async fn parameters_travel_in_the_names_of_functions() {
    let folder = Folder::new().await;
    let (context, _) = client(&cluster(Knows::Functions, Knows::Functions).await, &folder).await;
    set(&context, "rules", "torch").await;
    set(&context, "parameters", "default_dtype=f64").await;
    set(&context, "mode", "kernels").await;
    let found = query(&context, "SELECT i32 / i16 FROM t").await.unwrap();
    assert_eq!(*found.column(0).data_type(), DataType::Float64);
}

#[tokio::test]
async fn data_frames_follow_the_rule_set() {
    let folder = Folder::new().await;
    let (context, session) = client(&cluster(Knows::Functions, Knows::Functions).await, &folder).await;
    set(&context, "rules", "torch").await;
    for mode in ["casts", "kernels"] {
        set(&context, "mode", mode).await;
        let frame = context.table("t").await.unwrap();
        let sum = session.binary(col("b"), Operator::Plus, col("i32"), frame.schema());
        let frame = frame.select(vec![sum, col("f32") * lit(2.5), col("i8") + lit(2)]).unwrap();
        let found = frame.collect().await.unwrap();
        let types: Vec<_> = found[0].columns().iter().map(|column| column.data_type().clone()).collect();
        assert_eq!(types, [DataType::Int32, DataType::Float32, DataType::Int8]);
    }
}

/// DataFusion's protocol sends them as literals of Float32, and the type of the result would be another one.
#[tokio::test]
async fn literals_of_float16_are_refused() {
    let folder = Folder::new().await;
    let (context, _) = client(&cluster(Knows::Functions, Knows::Functions).await, &folder).await;
    set(&context, "rules", "torch").await;
    for sql in ["SELECT f16 * 2.5 FROM t", "SELECT id FROM t WHERE id IN (SELECT id FROM t WHERE f16 < 2.5)"]
    {
        let text = query(&context, sql).await.unwrap_err().to_string();
        assert!(text.contains("the literal 2.5 of type Float16") && text.contains("help: "), "{text}");
        // Kernels have the literal as it was written.
        set(&context, "mode", "kernels").await;
        query(&context, sql).await.unwrap();
        set(&context, "mode", "casts").await;
    }
    let found = query(&context, "SELECT f16 * CAST(2.5 AS REAL) FROM t").await.unwrap();
    assert_eq!(*found.column(0).data_type(), DataType::Float32);
}
