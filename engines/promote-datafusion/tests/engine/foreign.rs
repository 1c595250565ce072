//! Functions as another library sees them, beyond the interface in C.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{query, session, table};
use datafusion::arrow::array::new_empty_array;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::datatypes::Field;
use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::logical_expr::ReturnFieldArgs;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::prelude::SessionContext;
use promote_datafusion::ffi::export;
use promote_datafusion::functions_of;

extern "C" fn another_library() -> usize {
    1
}

/// Passes a function through the interface. DataFusion takes it for one of another library by its mark.
fn foreign(function: ScalarUDF) -> ScalarUDF {
    let mut exported = export(function);
    exported.library_marker_id = another_library;
    ScalarUDF::new_from_shared_impl(exported.into())
}

fn with_functions(functions: impl Iterator<Item = ScalarUDF>) -> SessionContext {
    let (context, _) = session();
    context.register_batch("t", table()).unwrap();
    functions.for_each(|function| context.register_udf(function));
    context
}

#[tokio::test]
async fn types_values_and_errors_pass_the_interface() {
    let all = || ["torch", "numpy"].into_iter().flat_map(|rules| functions_of(rules).unwrap());
    let (plain, beyond) = (with_functions(all()), with_functions(all().map(foreign)));
    let mut counts: BTreeMap<bool, usize> = BTreeMap::new();
    for function in all() {
        let name = function.name().to_owned();
        for column in ["b", "i8", "u64", "i32", "f16", "f64"] {
            let operands = if name.ends_with("_weak_left") {
                ["true", "2.5"].map(|number| format!("{number}, {column}"))
            } else if name.ends_with("_weak_right") {
                ["-3", "0.1"].map(|number| format!("{column}, {number}"))
            } else {
                ["u16", "f32"].map(|other| format!("{column}, {other}"))
            };
            for operands in operands {
                let sql = format!("SELECT {name}({operands}) FROM t");
                let (ours, theirs) = (query(&plain, &sql).await, query(&beyond, &sql).await);
                match (&ours, &theirs) {
                    (Ok(ours), Ok(theirs)) => {
                        // NaN is not equal to itself.
                        assert_eq!(ours.schema().field(0).data_type(), theirs.schema().field(0).data_type());
                        assert_eq!(
                            format!("{:?}", ours.column(0)),
                            format!("{:?}", theirs.column(0)),
                            "{sql}"
                        );
                    }
                    (Err(ours), Err(theirs)) => {
                        let reason = ours.strip_backtrace();
                        let reason = reason.split_once(": ").map_or(reason.as_str(), |(_, reason)| reason);
                        assert!(theirs.to_string().contains(reason), "{sql}: {theirs} and not {reason}");
                    }
                    _ => panic!("{sql}: {ours:?} and not {theirs:?}"),
                }
                *counts.entry(ours.is_ok()).or_default() += 1;
            }
        }
    }
    println!(
        "{} calls beyond the interface have equal results, and {} equal errors",
        counts[&true], counts[&false]
    );
}

/// A function that panics.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Broken(Signature);

impl ScalarUDFImpl for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn signature(&self) -> &Signature {
        &self.0
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int8)
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        panic!("on purpose")
    }
}

#[tokio::test]
async fn a_panic_is_an_error_beyond_the_interface() {
    let broken = ScalarUDF::from(Broken(Signature::any(1, Volatility::Volatile)));
    let context = with_functions([foreign(broken)].into_iter());
    let error = query(&context, "SELECT broken(i8) FROM t").await.unwrap_err().to_string();
    assert!(error.contains("`broken` panicked: on purpose"), "{error}");
    assert_eq!(query(&context, "SELECT i8 FROM t").await.unwrap().num_columns(), 1);
}

/// The type depends on the value of the literal, which a column of no rows does not have.
#[test]
fn columns_without_rows_have_the_type_of_the_plan() {
    let add = foreign(promote_datafusion::function("promote_numpy1_add_weak_right").unwrap());
    let field = |data_type| Arc::new(Field::new("x", data_type, true));
    let fields = [field(DataType::Int8), field(DataType::Int64)];
    let literal = ScalarValue::from(300_i64);
    let scalars = [None, Some(&literal)];
    let return_field = add
        .return_field_from_args(ReturnFieldArgs { arg_fields: &fields, scalar_arguments: &scalars })
        .unwrap();
    assert_eq!(return_field.data_type(), &DataType::Int16);
    let args = fields.iter().map(|field| ColumnarValue::Array(new_empty_array(field.data_type())));
    let args = ScalarFunctionArgs {
        args: args.collect(),
        arg_fields: fields.to_vec(),
        number_rows: 0,
        return_field,
        config_options: Arc::default(),
    };
    let found = add.invoke_with_args(args).unwrap().into_array(0).unwrap();
    assert_eq!((found.data_type(), found.len()), (&DataType::Int16, 0));
}
