use crate::common::{query, session, set, table, with_table};
use datafusion::arrow::datatypes::DataType::{self, Boolean, Float16, Float32, Int8, Int16, Int64};
use datafusion::logical_expr::{Expr, Operator};
use datafusion::prelude::{DataFrame, cast, col, lit, when};

async fn types(frame: DataFrame) -> Vec<DataType> {
    let batches = frame.collect().await.unwrap();
    batches[0].schema().fields().iter().map(|field| field.data_type().clone()).collect()
}

#[tokio::test]
async fn data_frames_follow_the_rules() {
    for mode in ["casts", "kernels"] {
        let context = with_table("torch", mode).await;
        let frame = context.table("t").await.unwrap();
        let exprs: Vec<Expr> = vec![
            col("i8") + lit(2),
            col("f32") * lit(2.5),
            col("i32") / col("i32"),
            (col("i8") + cast(lit(2), DataType::Int64)).alias("typed"),
            col("u64") + col("f16"),
            col("f32").lt(lit(0.1)),
        ];
        let found = types(frame.select(exprs).unwrap()).await;
        assert_eq!(found, [Int8, Float32, Float32, Int64, Float16, Boolean], "{mode}");
    }
}

/// The plan that a data frame builds has DataFusion's types until it is analysed.
#[tokio::test]
async fn types_pass_through_nested_plans() {
    let context = with_table("torch", "casts").await;
    let frame = context.table("t").await.unwrap();
    let inner = frame.clone().select(vec![(col("i8") + lit(2)).alias("x"), col("f16"), col("i32")]).unwrap();
    let outer = inner
        .clone()
        .filter(col("x").gt(lit(3)))
        .unwrap()
        .select(vec![(col("x") + col("f16")).alias("y"), (col("x") * lit(3)).alias("z")])
        .unwrap();
    assert_eq!(types(outer.clone()).await, [DataType::Float16, DataType::Int8]);
    let union = outer.clone().union(outer).unwrap().select(vec![col("z") + lit(1)]).unwrap();
    assert_eq!(types(union).await, [DataType::Int8]);
    let joined = inner.clone().select(vec![col("x").alias("key")]).unwrap();
    let joined = inner
        .join(joined, datafusion::common::JoinType::Inner, &["x"], &["key"], None)
        .unwrap()
        .select(vec![col("x") + col("key")])
        .unwrap();
    assert_eq!(types(joined).await, [DataType::Int8]);
}

#[tokio::test]
async fn operators_that_the_engine_refuses_can_be_built() {
    let (context, hooks) = session();
    context.register_batch("t", table()).unwrap();
    set(&context, "rules", "torch").await.unwrap();
    let frame = context.table("t").await.unwrap();
    let sum = hooks.binary(col("b"), Operator::Plus, col("i32"), frame.schema());
    let twice = hooks.binary(sum.clone(), Operator::Multiply, lit(2), frame.schema());
    let frame = frame.select(vec![sum, twice.alias("twice")]).unwrap();
    assert_eq!(frame.schema().field(0).data_type(), &DataType::Int32);
    assert_eq!(frame.schema().field(0).name(), "t.b + t.i32", "named as an operator");
    assert_eq!(types(frame).await, [DataType::Int32, DataType::Int32]);
}

#[tokio::test]
async fn branches_are_joined() {
    let context = with_table("torch", "casts").await;
    let frame = context.table("t").await.unwrap();
    let case = when(col("b"), col("i8")).otherwise(col("f16")).unwrap();
    assert_eq!(types(frame.select(vec![case]).unwrap()).await, [DataType::Float16]);
    let found = query(
        &context,
        "SELECT CASE WHEN b THEN i64 ELSE 1.5 END, coalesce(i8, 0), coalesce(i64, f16), greatest(i8, u8), \
         CASE WHEN b THEN i8 END, CASE WHEN b THEN NULL ELSE f16 END FROM t",
    )
    .await
    .unwrap();
    let found: Vec<DataType> =
        found.schema().fields().iter().map(|field| field.data_type().clone()).collect();
    assert_eq!(found, [Float32, Int8, Float16, Int16, Int8, Float16]);
}
