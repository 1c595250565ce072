//! Every pair of columns and literals, under every operator and every bundled rule set.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{ROWS, columns, query, session, set, texts};
use datafusion::arrow::array::{Array, ArrayRef, BooleanArray, RecordBatch, Scalar, cast::AsArray, types};
use datafusion::arrow::compute::kernels::zip::zip;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::prelude::SessionContext;
use promote_arrow::{data_type_of, dtype_of};
use promote_datafusion::promote::{
    self, DType, Number, Op, Operand, PromoteError, RULE_SETS, RuleSet, Tensor, half::f16,
};

pub(crate) const OPERATORS: [(&str, Op); 16] = [
    ("+", Op::Add),
    ("-", Op::Subtract),
    ("*", Op::Multiply),
    ("/", Op::Divide),
    ("%", Op::Remainder),
    ("=", Op::Equal),
    ("<>", Op::NotEqual),
    ("<", Op::Less),
    ("<=", Op::LessEqual),
    (">", Op::Greater),
    (">=", Op::GreaterEqual),
    ("&", Op::BitwiseAnd),
    ("|", Op::BitwiseOr),
    ("^", Op::BitwiseXor),
    ("<<", Op::LeftShift),
    (">>", Op::RightShift),
];

const LITERALS: [(&str, Number); 5] = [
    ("true", Number::Bool(true)),
    ("2", Number::Int(2)),
    ("-3", Number::Int(-3)),
    ("2.5", Number::Float(2.5)),
    ("0.1", Number::Float(0.1)),
];

/// An operand as SQL, as an operand of promotion, and with its values.
#[derive(Clone)]
struct Value {
    sql: String,
    operand: Operand,
    array: Option<ArrayRef>,
}

/// Returns all pairs in which one operand at least is a column.
fn pairs(columns: &[(&'static str, ArrayRef)]) -> Vec<[Value; 2]> {
    let columns: Vec<Value> = columns
        .iter()
        .map(|(name, array)| Value {
            sql: (*name).to_owned(),
            operand: Operand::Array(dtype_of(array.data_type()).unwrap()),
            array: Some(Arc::clone(array)),
        })
        .collect();
    let literals = LITERALS.map(|(sql, number)| Value {
        sql: sql.to_owned(),
        operand: Operand::Number(number),
        array: None,
    });
    let mut pairs = Vec::new();
    for a in &columns {
        pairs.extend(columns.iter().map(|b| [a.clone(), b.clone()]));
        pairs.extend(literals.iter().flat_map(|b| [[a.clone(), b.clone()], [b.clone(), a.clone()]]));
    }
    pairs
}

/// Returns the op that `%` stands for under a rule set.
pub(crate) fn of_rules(op: Op, rules: &RuleSet) -> Op {
    let has = |wanted| rules.ops().any(|op| op == wanted);
    if op == Op::Remainder && !has(Op::Remainder) { Op::Fmod } else { op }
}

/// Returns the columns with 9 and true in the place of zeros and of false, which divisions refuse.
fn without_zeros() -> Vec<(&'static str, ArrayRef)> {
    let nonzero = |array: &ArrayRef| -> ArrayRef {
        let nine = ScalarValue::Int8(Some(9)).cast_to(array.data_type()).unwrap().to_array().unwrap();
        let zero = |row: usize| !array.is_null(row) && is_zero(array, row);
        let zeros: BooleanArray = (0..array.len()).map(|row| Some(zero(row))).collect();
        zip(&zeros, &Scalar::new(nine), array).unwrap()
    };
    columns().into_iter().map(|(name, array)| (name, nonzero(&array))).collect()
}

fn is_zero(array: &ArrayRef, row: usize) -> bool {
    number(array, row) == 0.0
}

/// Returns the bits of a row, with one pattern for all NaNs; `None` for null.
fn bits(array: &dyn Array, row: usize) -> Option<u64> {
    if array.is_null(row) {
        return None;
    }
    macro_rules! bits {
        ($($data_type:ident $ty:ident: $x:ident => $bits:expr;)*) => {
            match array.data_type() {
                DataType::Boolean => u64::from(array.as_boolean().value(row)),
                $(DataType::$data_type => {
                    let $x = array.as_primitive::<types::$ty>().value(row);
                    $bits
                })*
                other => panic!("{other}"),
            }
        };
    }
    #[allow(clippy::cast_sign_loss, reason = "bits")]
    Some(bits! {
        Int8 Int8Type: x => i64::from(x) as u64;
        Int16 Int16Type: x => i64::from(x) as u64;
        Int32 Int32Type: x => i64::from(x) as u64;
        Int64 Int64Type: x => x as u64;
        UInt8 UInt8Type: x => x.into();
        UInt16 UInt16Type: x => x.into();
        UInt32 UInt32Type: x => x.into();
        UInt64 UInt64Type: x => x;
        Float16 Float16Type: x => if x.is_nan() { u64::MAX } else { x.to_bits().into() };
        Float32 Float32Type: x => if x.is_nan() { u64::MAX } else { x.to_bits().into() };
        Float64 Float64Type: x => if x.is_nan() { u64::MAX } else { x.to_bits() };
    })
}

/// Returns the value of a row that is not null as a float.
fn number(array: &dyn Array, row: usize) -> f64 {
    let row = array.slice(row, 1);
    match ScalarValue::try_from_array(&row, 0).unwrap().cast_to(&DataType::Float64) {
        Ok(ScalarValue::Float64(Some(x))) => x,
        _ => f64::from(u8::from(row.as_boolean_opt().is_some_and(|row| row.value(0)))),
    }
}

/// Computes an op by the rule set's own call on tensors, in which null rows are 1.
fn call(rules: &RuleSet, op: Op, pair: &[Value; 2]) -> ArrayRef {
    macro_rules! tensor {
        ($array:expr; $($data_type:ident $ty:ident: $one:expr;)*) => {
            match $array.data_type() {
                DataType::Boolean => {
                    let values: Vec<bool> = $array.as_boolean().iter().map(|x| x.unwrap_or(true)).collect();
                    Tensor::from_vec(values, &[ROWS]).unwrap()
                }
                $(DataType::$data_type => {
                    let values = $array.as_primitive::<types::$ty>().iter().map(|x| x.unwrap_or($one));
                    Tensor::from_vec(values.collect::<Vec<_>>(), &[ROWS]).unwrap()
                })*
                other => panic!("{other}"),
            }
        };
    }
    let tensors = pair.each_ref().map(|value| {
        value.array.as_ref().map(|array| {
            tensor! { array;
                Int8 Int8Type: 1; Int16 Int16Type: 1; Int32 Int32Type: 1; Int64 Int64Type: 1;
                UInt8 UInt8Type: 1; UInt16 UInt16Type: 1; UInt32 UInt32Type: 1; UInt64 UInt64Type: 1;
                Float16 Float16Type: f16::ONE; Float32 Float32Type: 1.0; Float64 Float64Type: 1.0;
            }
        })
    });
    let argument = |position: usize| -> promote::Argument<'_> {
        match (&tensors[position], pair[position].operand) {
            (Some(tensor), _) => tensor.into(),
            (None, Operand::Number(number)) => number.into(),
            (None, other) => panic!("{other:?}"),
        }
    };
    let result = rules.call(op, &[argument(0), argument(1)]).unwrap();
    macro_rules! array {
        ($($variant:ident $ty:ty, $array:ident;)*) => {
            match result.dtype() {
                DType::Bool => {
                    let values = result.into_vec::<bool>().unwrap();
                    Arc::new(BooleanArray::from(values)) as ArrayRef
                }
                $(DType::$variant => {
                    let values = result.into_vec::<$ty>().unwrap();
                    Arc::new(datafusion::arrow::array::$array::from(values)) as ArrayRef
                })*
                other => panic!("{other}"),
            }
        };
    }
    array! {
        I8 i8, Int8Array; I16 i16, Int16Array; I32 i32, Int32Array; I64 i64, Int64Array;
        U8 u8, UInt8Array; U16 u16, UInt16Array; U32 u32, UInt32Array; U64 u64, UInt64Array;
        F16 f16, Float16Array; F32 f32, Float32Array; F64 f64, Float64Array;
    }
}

/// A pair that the rule set promotes.
struct Case {
    expr: String,
    operator: &'static str,
    op: Op,
    pair: [Value; 2],
    common: DataType,
    output: DataType,
}

impl Case {
    /// Returns true if the result of a row is null.
    fn is_null(&self, row: usize) -> bool {
        self.pair.iter().any(|value| value.array.as_ref().is_some_and(|array| array.is_null(row)))
    }

    /// Returns the value of an operand in a row.
    fn value(&self, position: usize, row: usize) -> f64 {
        match (&self.pair[position].array, self.pair[position].operand) {
            (Some(array), _) => number(array, row),
            #[allow(clippy::cast_precision_loss, reason = "small")]
            (None, Operand::Number(Number::Int(x))) => x as f64,
            (None, Operand::Number(Number::Float(x))) => x,
            (None, Operand::Number(Number::Bool(x))) => f64::from(u8::from(x)),
            (None, other) => panic!("{other:?}"),
        }
    }
}

/// What a rule set says about all pairs under one operator.
#[derive(Default)]
struct Answers {
    promoted: Vec<Case>,
    /// Pairs with a part of the message that is expected.
    refused: Vec<(String, String)>,
    lacking: Vec<String>,
}

/// Returns true for ops that have a dtype and no values: `b % b`, and bitwise ops on floats.
pub(crate) fn is_uncomputed(rules: &RuleSet, op: Op, common: DType) -> bool {
    use Op::{BitwiseAnd, BitwiseOr, BitwiseXor, LeftShift, RightShift};
    let is_bitwise = matches!(op, BitwiseAnd | BitwiseOr | BitwiseXor | LeftShift | RightShift);
    (common == DType::Bool || is_bitwise && common.kind() == promote::Kind::Float)
        && rules.kernel(op, common, common).is_err()
}

fn answers(rules: &RuleSet, operator: &'static str, op: Op, columns: &[(&'static str, ArrayRef)]) -> Answers {
    let op = of_rules(op, rules);
    let mut answers = Answers::default();
    for pair in pairs(columns) {
        let expr = format!("{} {operator} {}", pair[0].sql, pair[1].sql);
        match rules.op_types(op, &[pair[0].operand, pair[1].operand]) {
            Ok(types) if is_uncomputed(rules, op, types.common) => {
                let dtype = data_type_of(types.common).unwrap();
                let error = format!("neither DataFusion nor this build computes `{op}` of {dtype}");
                answers.refused.push((expr, error));
            }
            Ok(types) => {
                let (common, output) =
                    (data_type_of(types.common).unwrap(), data_type_of(types.output).unwrap());
                answers.promoted.push(Case { expr, operator, op, pair, common, output });
            }
            Err(error) if error.is_unanswered() || matches!(error, PromoteError::Undefined { .. }) => {
                answers.lacking.push(expr);
            }
            Err(error) => answers.refused.push((expr, error.to_string())),
        }
    }
    answers
}

/// Returns a session with the tables `t`, and `nonzero` for divisions.
async fn tables(rules: &str, mode: &str) -> SessionContext {
    let (context, _) = session();
    for (name, columns) in [("t", columns()), ("nonzero", without_zeros())] {
        let columns = columns.into_iter().map(|(name, array)| (name, array, true));
        context.register_batch(name, RecordBatch::try_from_iter_with_nullable(columns).unwrap()).unwrap();
    }
    set(&context, "rules", rules).await.unwrap();
    set(&context, "mode", mode).await.unwrap();
    context
}

/// Returns the table, and its columns, on which an op is computed.
fn table(op: Op) -> (&'static str, Vec<(&'static str, ArrayRef)>) {
    let divides = matches!(op, Op::Divide | Op::Remainder | Op::Fmod);
    if divides { ("nonzero", without_zeros()) } else { ("t", columns()) }
}

/// Computes all cases, and returns their columns. With `asks`, `arrow_typeof` is asked for their types, too.
async fn compute(
    context: &SessionContext,
    table: &str,
    cases: &[&Case],
    asks: bool,
) -> Result<Vec<ArrayRef>, String> {
    let mut columns = Vec::new();
    // Planning takes a time that grows faster than the number of expressions.
    for cases in cases.chunks(32) {
        let exprs = cases.iter().enumerate().map(|(i, case)| format!("{} AS c{i}", case.expr));
        let typed = if asks { cases } else { &[] };
        let asked = typed.iter().enumerate().map(|(i, case)| format!("arrow_typeof({}) AS t{i}", case.expr));
        let sql = format!("SELECT {} FROM {table}", exprs.chain(asked).collect::<Vec<_>>().join(", "));
        let frame = context.sql(&sql).await.map_err(|error| error.to_string())?;
        let planned: Vec<DataType> =
            frame.schema().fields().iter().map(|field| field.data_type().clone()).collect();
        let batches = frame.collect().await.map_err(|error| error.to_string())?;
        let found = batches[0].columns();
        for (i, case) in cases.iter().enumerate() {
            assert_eq!(planned[i], case.output, "the plan of {}", case.expr);
            assert_eq!(*found[i].data_type(), case.output, "{}", case.expr);
            if asks {
                let text = found[cases.len() + i].as_string::<i32>().value(0);
                assert_eq!(text, case.output.to_string(), "arrow_typeof({})", case.expr);
            }
        }
        columns.extend_from_slice(&found[..cases.len()]);
    }
    Ok(columns)
}

/// A reason for which a value in the mode `casts` is not that of the rule set. The README has a row for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    Nan,
    HalfLiteral,
    XorOfNull,
}

impl Difference {
    /// Returns the first cell of the row of the README.
    fn title(self) -> &'static str {
        match self {
            Difference::Nan => "comparisons with NaN",
            Difference::HalfLiteral => "a `Float16` column and a literal",
            Difference::XorOfNull => "`x ^ x` where `x` is null",
        }
    }
}

impl Case {
    /// Returns the reason for which the values of a row may differ, if there is one.
    fn difference(&self, row: usize) -> Option<Difference> {
        let (a, b) = (self.value(0, row), self.value(1, row));
        let is_comparison = matches!(self.operator, "=" | "<>" | "<" | "<=" | ">" | ">=");
        let has_literal = self.pair.iter().any(|value| value.array.is_none());
        if is_comparison && (a.is_nan() || b.is_nan()) {
            Some(Difference::Nan)
        } else if self.common == DataType::Float16 && has_literal {
            Some(Difference::HalfLiteral)
        } else if self.operator == "^" && self.pair[0].sql == self.pair[1].sql && self.is_null(row) {
            Some(Difference::XorOfNull)
        } else {
            None
        }
    }
}

#[tokio::test]
async fn types_and_values_are_those_of_the_rule_set() {
    let (mut promoted, mut refused, mut lacking, mut values) = (0, 0, 0, 0);
    let mut differences: BTreeMap<Difference, usize> = BTreeMap::new();
    for name in RULE_SETS {
        let rules = promote::rule_set(name).unwrap();
        let (with_casts, with_kernels) = (tables(name, "casts").await, tables(name, "kernels").await);
        let plain = tables("off", "kernels").await;
        for (operator, op) in OPERATORS {
            let (table, columns) = table(op);
            let answers = answers(&rules, operator, op, &columns);
            let cases: Vec<&Case> = answers.promoted.iter().collect();
            promoted += cases.len();
            let of_kernels = compute(&with_kernels, table, &cases, false).await;
            let of_kernels = of_kernels.unwrap_or_else(|error| panic!("{name} {operator}: {error}"));
            for (case, found) in cases.iter().zip(&of_kernels) {
                let expected = call(&rules, case.op, &case.pair);
                for row in 0..ROWS {
                    let expected = if case.is_null(row) { None } else { bits(&expected, row) };
                    assert_eq!(bits(found, row), expected, "{name} {} in row {row}", case.expr);
                    values += 1;
                }
            }
            let of_casts = compute(&with_casts, table, &cases, true).await;
            let of_casts = of_casts.unwrap_or_else(|error| panic!("{name} {operator}: {error}"));
            for ((case, found), expected) in cases.iter().zip(&of_casts).zip(&of_kernels) {
                for row in (0..ROWS).filter(|row| bits(found, *row) != bits(expected, *row)) {
                    let difference = case.difference(row);
                    let difference =
                        difference.unwrap_or_else(|| panic!("{name} {} in row {row}", case.expr));
                    *differences.entry(difference).or_default() += 1;
                }
            }
            // Planning takes some milliseconds for each of these.
            if !["+", "<", "%"].contains(&operator) {
                continue;
            }
            for (expr, expected) in &answers.refused {
                let error = match with_kernels.sql(&format!("SELECT {expr} FROM {table}")).await {
                    Ok(frame) => frame.into_optimized_plan().unwrap_err(),
                    Err(error) => error,
                };
                let error = error.to_string();
                assert!(error.contains(expected), "{name} {expr}: {error} and not {expected}");
                assert!(error.contains("help: "), "{name} {expr}: {error}");
                refused += 1;
            }
            for expr in &answers.lacking {
                let sql = format!("SELECT {expr} FROM {table}");
                match (query(&with_casts, &sql).await, query(&plain, &sql).await) {
                    (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{name} {expr}"),
                    (Err(_), Err(_)) => {}
                    (ours, theirs) => panic!("{name} {expr}: {ours:?} and not {theirs:?}"),
                }
                lacking += 1;
            }
        }
    }
    println!(
        "{} rule sets, {} operators: {promoted} pairs have the types of the rule set in both modes, and {values} \
         values of kernels are its own; {refused} pairs are refused with its reason, {lacking} are left to \
         DataFusion",
        RULE_SETS.len(),
        OPERATORS.len()
    );
    println!("values of casts that differ: {differences:?}");
    assert!(promoted > 4_000 && refused > 100);
    let readme = include_str!("../../README.md");
    let known = [Difference::Nan, Difference::HalfLiteral, Difference::XorOfNull];
    for difference in known {
        assert!(differences.contains_key(&difference), "{difference:?} is a difference no more");
        assert!(readme.contains(&format!("| {} |", difference.title())), "{difference:?} in the README");
    }
}

/// Returns what a query says of its only row: its value, or the beginning of the error.
async fn outcome(context: &SessionContext, expr: &str) -> String {
    match query(context, &format!("SELECT {expr} FROM t LIMIT 1")).await {
        Ok(found) => texts(found.column(0)).concat(),
        Err(error) if error.to_string().contains("Divide by zero") => "Divide by zero".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Most bundled rule sets give quotients of integers as floats. Under rules that do not, the mode `casts` has
/// DataFusion's `/`.
#[tokio::test]
async fn integer_division_by_zero_is_an_error_of_the_engine() {
    let text = "promote::rules! { rules Whole; dtypes i32 f64; promote { any, any => join; } \
                op divide { rounding: truncate; by_zero: zero; } op add subtract; }";
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("promote-datafusion-{}-whole.rs", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let name = path.to_str().unwrap();
    let (with_casts, with_kernels) = (tables(name, "casts").await, tables(name, "kernels").await);
    std::fs::remove_file(&path).unwrap();
    for (context, expected) in [(with_casts, "Divide by zero"), (with_kernels, "0")] {
        assert_eq!(outcome(&context, "(i32 - 8) / 2").await, "-3");
        assert_eq!(outcome(&context, "i32 / (i32 - i32)").await, expected);
    }
    assert!(
        include_str!("../../README.md").contains("| `/` by zero, where quotients of integers are integers")
    );
}
