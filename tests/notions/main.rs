//! Parts of the rule language that PyTorch's file does not use: `value(b)`, `stored`, `check`, numbers that
//! have to fit, integer division.

#![allow(clippy::float_cmp, reason = "results are exact")]

use std::cmp::Ordering;

use promote::{
    Argument, CallError, CustomOp, DType, Element, Error, Level, NumPy, Number, Op, OpOutput, Operand,
    PromoteError, RuleSet, ScalarValue, Slice, SliceMut, TensorView, WideInteger, op,
};

#[path = "../common/aligned.rs"]
mod aligned;
mod by_value;
mod division;
mod elsewhere;
mod fits;
mod floors;
mod further;
mod narrow;
mod nearer;
mod operands;
mod results;
mod safe;
mod signs;
mod sql;
mod weak_in_place;
mod without;
mod wraps;

mod agreement {
    promote::agreement! { crate::by_value::ByValue = "tests/notions/by_value.rs" }
    promote::agreement! { crate::elsewhere::Elsewhere = "tests/notions/elsewhere.rs" }
    promote::agreement! { crate::nearer::Nearer = "tests/notions/nearer.rs", "tests/notions/elsewhere.rs" }
    promote::agreement! { crate::fits::Fits = "tests/notions/fits.rs" }
    promote::agreement! { crate::narrow::Narrow = "tests/notions/narrow.rs" }
    promote::agreement! { crate::operands::Operands = "tests/notions/operands.rs" }
    promote::agreement! { crate::further::Further = "tests/notions/further.rs", "tests/notions/operands.rs" }
    promote::agreement! { crate::results::Results = "tests/notions/results.rs" }
    promote::agreement! { crate::without::Without = "tests/notions/without.rs", "tests/notions/narrow.rs" }
    promote::agreement! { crate::safe::Safe = "tests/notions/safe.rs" }
    promote::agreement! { crate::signs::Signs = "tests/notions/signs.rs" }
    promote::agreement! { crate::wraps::Wraps = "tests/notions/wraps.rs", "tests/notions/signs.rs" }
    promote::agreement! { crate::sql::Sql = "tests/notions/sql.rs" }
    promote::agreement! { crate::weak_in_place::WeakInPlace = "tests/notions/weak_in_place.rs" }
    promote::agreement! { crate::floors::Floors = "tests/notions/floors.rs", "tests/notions/sql.rs" }
}

use by_value::ByValue;
use elsewhere::Elsewhere;
use fits::Fits;
use further::Further;
use narrow::Narrow;
use nearer::Nearer;
use operands::Operands;
use results::{Results, ResultsAutocast};
use safe::{Safe, SafeMode};
use signs::Signs;
use weak_in_place::WeakInPlace;
use without::Without;
use wraps::Wraps;

fn gives(rules: RuleSet, operands: &[Operand]) -> Result<DType, PromoteError> {
    rules.result_type(operands).map(|found| found.dtype)
}

fn int(value: i128) -> Operand {
    Operand::Number(Number::Int(value))
}

fn float(value: f64) -> Operand {
    Operand::Number(Number::Float(value))
}

#[test]
fn an_integer_counts_as_the_least_dtype_that_holds_it() {
    let rules = ByValue::new().rule_set();
    let with = |array, value| gives(rules, &[Operand::Array(array), int(value)]).expect("held");
    for (array, value, expected) in [
        (DType::U8, 255, DType::U8),
        (DType::U8, 256, DType::U16),
        (DType::U8, -1, DType::I16),
        (DType::I8, 127, DType::I8),
        (DType::I8, 128, DType::I16),
        (DType::I8, -129, DType::I16),
        (DType::I32, 1 << 40, DType::I64),
        (DType::F16, 2048, DType::F32),
        (DType::F16, 100, DType::F16),
        (DType::Bool, 1, DType::I64),
    ] {
        assert_eq!(with(array, value), expected, "{array} and {value}");
        assert_eq!(gives(rules, &[int(value), Operand::Array(array)]), Ok(expected), "in the other order");
    }
}

#[test]
fn a_float_counts_as_the_least_dtype_in_which_it_is_finite() {
    let rules = ByValue::new().rule_set();
    let with = |array, value| gives(rules, &[Operand::Array(array), float(value)]).expect("held");
    assert_eq!(with(DType::F16, 65519.0), DType::F16);
    assert_eq!(with(DType::F16, 65520.0), DType::F32);
    assert_eq!(with(DType::F16, 1e-300), DType::F16, "its digits may be rounded");
    assert_eq!(with(DType::F32, -1e300), DType::F64);
    assert_eq!(with(DType::F16, f64::INFINITY), DType::F16);
    assert_eq!(with(DType::I16, 1.0), DType::F64, "of a higher kind it counts as it is when it stands alone");
}

#[test]
fn a_value_counts_wherever_it_is_known() {
    let rules = ByValue::new().rule_set();
    let u8s = Operand::Array(DType::U8);
    assert_eq!(gives(rules, &[u8s, Operand::ZeroDim(DType::I64, Some(Number::Int(7)))]), Ok(DType::U8));
    assert_eq!(
        gives(rules, &[u8s, Operand::ZeroDim(DType::I64, None)]),
        Ok(DType::I64),
        "the value is not known"
    );
    assert_eq!(gives(rules, &[u8s, int(3), int(300)]), Ok(DType::U16), "several count together");
    assert_eq!(gives(rules, &[u8s, int(3), int(-3)]), Ok(DType::I16));
    let types = rules.op_types(Op::Add, &[u8s, int(300)]).expect("held");
    assert_eq!((types.common, types.output), (DType::U16, DType::U16));
}

#[test]
fn clauses_of_two_patterns_see_what_a_value_promotes_to() {
    let rules = ByValue::new().rule_set();
    let [u8s, i8s] = [DType::U8, DType::I8].map(Operand::Array);
    let output = |op, a, b| rules.op_types(op, &[a, b]).map(|types| types.output);
    for (value, expected) in [(1, DType::U8), (300, DType::U16), (-1, DType::I16), (1 << 40, DType::I64)] {
        assert_eq!(output(Op::Minimum, u8s, int(value)), Ok(expected), "{value}");
        assert_eq!(output(Op::Minimum, int(value), u8s), Ok(expected), "{value} on the left");
        let zero_dim = Operand::ZeroDim(DType::I64, Some(Number::Int(value)));
        assert_eq!(output(Op::Minimum, u8s, zero_dim), Ok(expected), "{value} without dimensions");
        assert_eq!(
            output(Op::Minimum, u8s, int(value)),
            output(Op::Add, u8s, int(value)),
            "as without a clause"
        );
    }
    assert_eq!(
        output(Op::Minimum, u8s, Operand::ZeroDim(DType::I64, None)),
        Ok(DType::I64),
        "the value is not known"
    );
    // The condition of a clause sees it, too.
    assert_eq!(output(Op::Multiply, u8s, int(1)), Ok(DType::U8));
    let refused = output(Op::Multiply, u8s, int(-1)).expect_err("a condition refuses i16");
    assert!(refused.to_string().contains("no i16"), "{refused}");
    assert!(output(Op::Multiply, int(-1), u8s).is_err(), "in the other order");
    // And so do `in` and `->`.
    let types = rules.op_types(Op::Multiply, &[i8s, int(1)]).expect("held");
    assert_eq!((types.common, types.output), (DType::I8, DType::I64));
    let explained = rules.explain(Some(Op::Minimum), &[u8s, int(1)]).expect("held");
    assert_eq!(explained.result.dtype, DType::U8);
}

#[test]
fn zero_dimensional_and_weak_operands_count_as_arrays_where_an_op_says_so() {
    use DType::{BF16, F16, F32, I32};
    for rules in [Operands::new().rule_set(), Further::new().rule_set()] {
        let output = |op, a, b| rules.op_types(op, &[a, b]).map(|types| types.output).ok();
        let (half, zero) = (Operand::Array(F16), Operand::ZeroDim(F32, None));
        assert_eq!(output(Op::Add, half, zero), Some(F16));
        assert_eq!(output(Op::MseLoss, half, zero), Some(F32));
        assert_eq!(output(Op::MseLoss, zero, half), Some(F32));
        assert_eq!(output(Op::MseLoss, half, Operand::ZeroDim(I32, None)), Some(F16));
        assert_eq!(output(Op::MseLoss, Operand::Array(I32), Operand::ZeroDim(I32, None)), None);
        // Numbers are not zero-dimensional: they yield as in other ops.
        assert_eq!(output(Op::MseLoss, half, float(0.5)), Some(F16));
        // Patterns see an array as well.
        assert_eq!(output(Op::Maximum, half, Operand::ZeroDim(F32, None)), Some(F32));
        assert_eq!(output(Op::Maximum, half, Operand::ZeroDim(BF16, None)), None);
        // An array with a weak operand: the result of `hypot` is that of two arrays.
        assert_eq!(output(Op::Add, half, Operand::Weak(F32)), Some(F16));
        assert_eq!(output(Op::Hypot, half, Operand::Weak(F32)), Some(F32));
        let both = [Operand::Weak(F32), Operand::Weak(F32)];
        assert!(rules.result_type(&both).expect("defined").weak);
        assert!(!rules.explain(Some(Op::Hypot), &both).expect("defined").result.weak);
    }
    let types =
        Operands::new().rule_set().op_types(Op::MseLoss, &[Operand::Array(F16), Operand::ZeroDim(F16, None)]);
    assert_eq!(types.expect("defined").compute, F16, "stepwise");
    let sum: OpOutput<op::Hypot, (i32, promote::Weak<f32>), Operands> = 5.0_f32;
    assert_eq!(sum, Operands::hypot(3_i32, promote::weak(4.0)));
}

#[test]
fn the_operand_that_stands_first_in_the_list_decides() {
    let rules = Operands::new().rule_set();
    for (a, b) in [(DType::F16, DType::BF16), (DType::BF16, DType::F16)] {
        assert_eq!(rules.promote_types(a, b), Ok(DType::F16), "{a} {b}");
    }
    assert_eq!(rules.promote_types(DType::BF16, DType::BF16), Ok(DType::BF16));
}

#[test]
fn refusals_by_name_give_the_text_of_the_reason() {
    let refused = |rules: RuleSet, op, operands: &[Operand]| {
        rules.op_types(op, operands).expect_err("refused").to_string()
    };
    let two = [Operand::Array(DType::I32); 2];
    let told = refused(Operands::new().rule_set(), Op::MseLoss, &two);
    assert!(told.contains("floats only"), "{told}");
    let rules = Further::new().rule_set();
    assert!(refused(rules, Op::Sqrt, &two[..1]).contains("floats only"));
    assert!(refused(rules, Op::Gcd, &[Operand::Array(DType::F32); 2]).contains("integers only"));
}

#[test]
fn explanations_name_the_clause_that_by_kind_stands_for() {
    let rules = Operands::new().rule_set();
    let because = rules.explain(None, &[Operand::Array(DType::F16), int(1)]).expect("defined");
    let clauses = because.clauses().map(|clause| (clause.text, clause.block, clause.line));
    let text = include_str!("operands.rs");
    let line = text.lines().position(|line| line.contains("by kind")).map(|at| at as u32 + 1);
    assert_eq!(clauses.last(), Some(("any, no_higher => a", "yield .. by kind", line.unwrap_or(0))));
}

#[test]
fn an_output_can_be_the_common_dtype_or_what_the_operands_are_converted_to() {
    use DType::{F32, F64, I32, I64};
    let rules = Results::new().rule_set();
    let types = |op, a, b| {
        let types = rules.op_types(op, &[Operand::Array(a), Operand::Array(b)]).expect("it has them");
        [types.common, types.compute, types.output]
    };
    assert_eq!(types(Op::Divide, I64, I32), [F64, F64, I64], "`-> common`");
    assert_eq!(types(Op::Divide, I32, I32), [F64, F64, F64], "`-> result`");
    assert_eq!(types(Op::Multiply, I32, I64), [F64, F64, I64], "`-> common` behind two patterns");
    assert_eq!(types(Op::Subtract, I64, I32), [F32, F64, F32], "`in f64 -> result`");
    assert_eq!(types(Op::Atan2, I32, I32), [F32, F32, I32], "`-> common` of an op");
    assert_eq!(types(Op::Hypot, I32, I32), [F32, F32, F32], "`-> result` of an op");
    let quotient: OpOutput<op::Divide, (i64, i32), Results> = Results::divide(-7_i64, 2_i32);
    assert_eq!(quotient, -3_i64, "the quotient, towards zero");
    assert_eq!(Results::divide(7_i32, 2_i32).to_bits(), 3.5_f64.to_bits());
    let mut out = [0_i64; 3];
    let [a, b] = [[7_i64, -7, 9], [2, 2, 3]];
    rules
        .binary(Op::Divide, Argument::from(&a[..]), Argument::from(&b[..]), SliceMut::from(&mut out[..]))
        .expect("a kernel");
    assert_eq!(out, [3, -3, 3]);
}

#[test]
fn a_parameter_is_a_result_where_a_condition_excludes_what_is_no_dtype() {
    let with = |autocast| {
        let rules = Results::new().with_autocast(autocast).rule_set();
        gives(rules, &[Operand::Array(DType::F32), Operand::Array(DType::F64)])
    };
    assert_eq!(with(ResultsAutocast::Off), Ok(DType::F64));
    assert_eq!(with(ResultsAutocast::Auto), Ok(DType::F64));
    assert_eq!(with(ResultsAutocast::F16), Ok(DType::F16));
    assert_eq!(with(ResultsAutocast::F32), Ok(DType::F32));
}

#[test]
fn of_the_dtypes_that_hold_a_value_the_one_that_gives_the_lowest_result_counts() {
    let rules = ByValue::new().rule_set();
    let with = |array, value| gives(rules, &[Operand::Array(array), float(value)]).expect("held");
    // f16 and bf16 both hold 2.5, and neither holds the other.
    assert_eq!(with(DType::BF16, 2.5), DType::BF16);
    assert_eq!(with(DType::F16, 2.5), DType::F16);
    assert_eq!(with(DType::F16, 1e30), DType::F32);
    assert_eq!(with(DType::BF16, 1e30), DType::BF16);
    let both = [Operand::Array(DType::F16), float(1.0), float(1e30)];
    assert_eq!(gives(rules, &both), Ok(DType::F32), "two numbers count as what holds both");
}

#[test]
fn a_number_has_to_fit_where_the_file_says_so() {
    let rules = Fits::new().rule_set();
    let asked = |op, a, b| rules.op_types(op, &[a, b]).map(|types| types.output);
    let [u8s, i8s, f32s, bools] = [DType::U8, DType::I8, DType::F32, DType::Bool].map(Operand::Array);
    let misfit = |op, number, dtype| {
        let number = WideInteger::new(number);
        assert_eq!(WideInteger::new(i128::MIN).get(), i128::MIN);
        Err::<DType, _>(PromoteError::NumberDoesNotFit { rules: "Fits", op: Some(op), number, dtype })
    };
    for (array, dtype, held, beyond) in
        [(u8s, DType::U8, [0, 255], [-1, 256]), (i8s, DType::I8, [-128, 127], [-129, 128])]
    {
        for op in [Op::Add, Op::Subtract, Op::Where] {
            for number in held {
                assert_eq!(asked(op, array, int(number)), Ok(dtype));
                assert_eq!(asked(op, int(number), array), Ok(dtype));
            }
            for number in beyond.into_iter().chain([i128::MAX, i128::MIN]) {
                assert_eq!(asked(op, array, int(number)), misfit(op, number, dtype));
                assert_eq!(asked(op, int(number), array), misfit(op, number, dtype));
            }
        }
        assert_eq!(asked(Op::Multiply, array, int(beyond[0])), Ok(dtype), "it wraps");
        assert_eq!(asked(Op::Add, array, float(1e30)), Ok(DType::F32));
    }
    assert_eq!(asked(Op::Add, f32s, int(1 << 100)), Ok(DType::F32), "rounded, as floats are");
    assert_eq!(asked(Op::Add, bools, int(1 << 31)), misfit(Op::Add, 1 << 31, DType::I32));
    assert_eq!(asked(Op::Add, int(1), int(1 << 31)), misfit(Op::Add, 1 << 31, DType::I32));
    let explained = rules.explain(Some(Op::Add), &[u8s, int(256)]).map(|found| found.result.dtype);
    assert_eq!(explained, misfit(Op::Add, 256, DType::U8));
    let in_place = rules.in_place_types(Op::Add, &[u8s, int(256)]).map(|types| types.output);
    assert_eq!(in_place, misfit(Op::Add, 256, DType::U8));
    let mut out = [7_u8; 2];
    let (array, number) = (Argument::from(&[1_u8, 2][..]), Argument::from(Number::Int(256)));
    let refused = rules.binary(Op::Add, array, number, SliceMut::new(&mut out));
    assert!(matches!(refused, Err(Error::Promote(PromoteError::NumberDoesNotFit { .. }))), "{refused:?}");
    assert_eq!(out, [7, 7], "untouched");
    rules.binary(Op::Multiply, array, number, SliceMut::new(&mut out)).expect("it wraps");
    assert_eq!(out, [0, 0]);
    let told = misfit(Op::Add, 300, DType::U8).expect_err("as made").to_string();
    assert!(told.starts_with("300 does not fit u8: "), "{told}");
}

#[test]
fn an_array_is_what_it_becomes_when_it_is_made() {
    let [wide, narrow] = [true, false].map(|wide| Narrow::new().with_wide(wide).rule_set());
    let operands = [Operand::Array(DType::I64), Operand::Array(DType::I32)];
    assert_eq!((gives(wide, &operands), gives(narrow, &operands)), (Ok(DType::I64), Ok(DType::I32)));
    assert_eq!(narrow.stored_dtype(DType::F64), Ok(DType::F32));
    let sum =
        |rules: RuleSet, dtype| rules.op_types(Op::Sum, &[Operand::Array(dtype)]).map(|types| types.output);
    assert_eq!((sum(wide, DType::I64), sum(narrow, DType::I64)), (Ok(DType::I64), Ok(DType::I32)));
    // Dtypes promote as they are named; only arrays are made.
    assert_eq!(narrow.promote_types(DType::I64, DType::I32), Ok(DType::I64));
    let because = narrow.explain(None, &operands).expect("defined");
    let clauses: Vec<&str> = because.clauses().map(|clause| clause.text).collect();
    assert_eq!(clauses, ["i64 => i32", "any, any => join"]);
}

#[test]
fn notions_hold_at_compile_time() {
    let sum: OpOutput<op::Add, (i64, f64), Without> = 0.5_f32;
    let wide: OpOutput<op::Add, (i64, f64), Narrow> = 0.5_f64;
    assert_eq!((sum, wide), (0.5, 0.5));
    assert_eq!(Without::add(1_i64 << 32, 1_i32), 1, "2^32 wraps in i32");
}

#[test]
fn a_check_can_refuse_or_replace_a_promotion() {
    let ask = |rules: Safe, a, b| rules.promote_types(a, b);
    let (safe, free) = (Safe::new(), Safe::new().with_mode(SafeMode::Free));
    assert_eq!(ask(free, DType::U8, DType::I8), Ok(DType::I16));
    let refused = ask(safe, DType::U8, DType::I8).expect_err("the check refuses it").to_string();
    assert!(refused.contains("neither operand's dtype holds both (tests/notions/safe.rs:"), "{refused}");
    assert_eq!(ask(safe, DType::U8, DType::I16), Ok(DType::I32), "the check gives something else");
    assert_eq!(ask(safe, DType::I16, DType::U8), Ok(DType::I32), "in either order");
    assert_eq!(ask(safe, DType::I8, DType::I16), Ok(DType::I16), "what no clause speaks of stays");
}

#[test]
fn a_group_stands_for_its_ops_and_same_takes_a_set() {
    let rules = Safe::new().rule_set();
    let ask =
        |op, a, b| rules.op_types(op, &[Operand::Array(a), Operand::Array(b)]).map(|types| types.output);
    for op in [Op::Add, Op::Subtract, Op::Maximum, Op::Multiply] {
        assert_eq!(ask(op, DType::I8, DType::I16), Ok(DType::I16), "{op}");
        assert!(ask(op, DType::F32, DType::F32).is_err(), "{op}");
    }
    assert_eq!(ask(Op::Heaviside, DType::F32, DType::F32), Ok(DType::F32));
    assert!(ask(Op::Heaviside, DType::F32, DType::F64).is_err());
    assert!(ask(Op::Heaviside, DType::I8, DType::I8).is_err());
}

/// Values that an `i8` holds or wraps, and that a `bf16` rounds.
const SOURCES: [f64; 4] = [1.0, -3.0, 300.0, 2.5];

#[test]
fn weak_operands_in_place_compute_as_the_rule_set_says() {
    let rules = WeakInPlace::new().rule_set();
    let source = TensorView::from(&SOURCES);
    let (mut computed, mut refused) = (0, 0);
    for &dtype in rules.dtypes() {
        let left = rules.astype(&source, dtype, None).expect("a cast");
        for weak in [DType::I32, DType::F32] {
            let elements = rules.astype(&source, weak, None).expect("a cast");
            let right = elements.view();
            for op in [Op::Add, Op::Subtract, Op::Multiply, Op::Maximum, Op::Divide, Op::Less, Op::BitwiseAnd]
            {
                let what = format!("{op} of {dtype} and weak {weak}");
                let operands = [Operand::Array(dtype), Operand::Weak(weak)];
                let mut out = rules.astype(&source, dtype, None).expect("a cast");
                let found = rules.prepare(op, &[Argument::Weak(&right)]).in_place(&mut out).run();
                let types = match rules.in_place_types(op, &operands) {
                    Ok(types) => types,
                    Err(error) => {
                        assert_eq!(found, Err(Error::Promote(error)), "{what}");
                        assert_eq!(out, left, "{what}");
                        refused += 1;
                        continue;
                    }
                };
                found.unwrap_or_else(|error| panic!("{what}: {error}"));
                // The operands are cast to the common dtype, and the result to that of the array.
                let [a, b] =
                    [&left, &elements].map(|x| rules.astype(&x.view(), types.common, None).expect("a cast"));
                let result = rules.call(op, &[(&a).into(), (&b).into()]).expect("a result");
                let expected = rules.astype(&result.view(), dtype, None).expect("a cast");
                assert_eq!(format!("{out:?}"), format!("{expected:?}"), "{what}");
                computed += 1;
            }
        }
    }
    assert!(computed > 40 && refused > 20, "{computed} computed, {refused} refused");
}

#[test]
fn weak_operands_in_place_yield_to_the_array() {
    let rules = WeakInPlace::new().rule_set();
    let (ints, floats) = (TensorView::from(&[300_i32, -1]), TensorView::from(&[0.1_f32, 2.0]));

    let mut bytes = [100_i8, 5];
    rules.binary_in_place(Op::Add, SliceMut::new(&mut bytes), Argument::Weak(&ints)).expect("a sum");
    assert_eq!(bytes, [-112, 4], "300 wraps to 44");

    // 0.1 is rounded to bf16 first.
    let mut halves = [half::bf16::ONE; 2];
    rules.prepare(Op::Multiply, &[Argument::Weak(&floats)]).in_place(&mut halves).run().expect("a product");
    assert_eq!(halves, [0.1, 2.0].map(half::bf16::from_f32));

    let single = TensorView::new(&[3_i32], &[]).expect("one element");
    let mut wide = [1.5_f64, -2.0];
    rules.prepare(Op::Subtract, &[Argument::Weak(&single)]).in_place(&mut wide).run().expect("a difference");
    assert_eq!(wide, [-1.5, -5.0]);
}

#[test]
fn refused_weak_operands_leave_the_array_in_place_untouched() {
    let rules = WeakInPlace::new().rule_set();
    let floats = TensorView::from(&[0.5_f32, 2.0]);
    let mut bytes = [100_i8, 5];
    for op in [Op::Add, Op::Divide] {
        let found = rules.prepare(op, &[Argument::Weak(&floats)]).in_place(&mut bytes).run();
        let error = found.expect_err("f32 is not cast to i8");
        assert!(matches!(error, Error::Promote(PromoteError::CastRefused { .. })), "{error}");
        assert_eq!(bytes, [100, 5]);
    }
    rules.prepare(Op::Less, &[Argument::Weak(&floats)]).in_place(&mut bytes).run().expect("a comparison");
    assert_eq!(bytes, [0, 0]);
    let mut floats_in_place = [1.0_f32, 2.0];
    let found =
        rules.prepare(Op::BitwiseAnd, &[Argument::Weak(&floats)]).in_place(&mut floats_in_place).run();
    assert!(matches!(found, Err(Error::Promote(PromoteError::Refused { .. }))), "{found:?}");
    let short = TensorView::from(&[1_i32, 2, 3]);
    let found = rules.prepare(Op::Add, &[Argument::Weak(&short)]).in_place(&mut floats_in_place).run();
    assert!(matches!(found, Err(Error::Call(CallError::Broadcast { .. }))), "{found:?}");
    assert_eq!(floats_in_place, [1.0, 2.0]);
}

#[test]
fn an_op_without_kernels_has_dtypes_alone() {
    static CONV: CustomOp = CustomOp::without_kernels("conv", 2);
    let (rules, conv) = (Elsewhere::new().rule_set(), Op::Custom(&CONV));
    let types = |a, b| rules.op_types(conv, &[Operand::Array(a), Operand::Array(b)]);
    let found = types(DType::F16, DType::F64).expect("a convolution");
    assert_eq!((found.common, found.output), (DType::F64, DType::F32));
    let refused = types(DType::Bool, DType::Bool).expect_err("refused").to_string();
    assert!(refused.contains("bool is not a numeric type"), "{refused}");
    assert!(rules.ops().any(|op| op == conv));
    let [a, b] = [[1.0_f32; 4]; 2];
    let error = rules.call(conv, &[(&a).into(), (&b).into()]).expect_err("no kernels").to_string();
    assert_eq!(error, "`conv` has dtypes and no kernels; help: `op_types` returns its dtypes");
}

#[test]
fn an_op_without_kernels_is_known_by_its_name_and_its_arity() {
    static THREE: CustomOp = CustomOp::without_kernels("conv", 3);
    static SVD: CustomOp = CustomOp::without_kernels("svd", 1);
    let (base, nearer) = (Elsewhere::new().rule_set(), Nearer::new().rule_set());
    let f32s = [Operand::Array(DType::F32); 3];
    assert!(matches!(base.op_types(Op::Custom(&THREE), &f32s), Err(PromoteError::UnknownOp { .. })));
    assert!(matches!(base.op_types(Op::Custom(&SVD), &f32s[..1]), Err(PromoteError::UnknownOp { .. })));
    assert!(nearer.op_types(Op::Custom(&SVD), &f32s[..1]).is_ok());
    // All ops of the base are ops of the other one, too.
    assert!(base.ops().all(|op| nearer.ops().any(|other| op == other)));
    let of = |rules: RuleSet, name| rules.ops().find(|op| op.name() == name).expect("an op");
    assert!(matches!(
        base.op_types(of(base, "attention"), &f32s[..2]),
        Err(PromoteError::Arity { expected: 3, found: 2, .. })
    ));
}

#[test]
fn an_op_without_kernels_sees_two_operands_or_what_they_promote_to() {
    let rules = Elsewhere::new().rule_set();
    let of = |name, operands: &[DType]| {
        let op = rules.ops().find(|op| op.name() == name).expect("an op");
        let operands: Vec<_> = operands.iter().copied().map(Operand::Array).collect();
        rules.op_types(op, &operands).map(|types| types.output).map_err(|error| error.to_string())
    };
    assert_eq!(of("pick", &[DType::F16, DType::I32]), Ok(DType::F16));
    assert!(of("pick", &[DType::I32, DType::F16]).is_err(), "the order of the operands counts");
    assert_eq!(of("attention", &[DType::F16, DType::F16, DType::F64]), Ok(DType::F64));
    assert_eq!(of("any_of", &[DType::Bool, DType::I32, DType::F16, DType::F32]), Ok(DType::Bool));
    assert_eq!(of("cholesky", &[DType::I32]), Ok(DType::F64));
}

#[test]
fn clauses_of_two_patterns_see_three_operands_step_by_step() {
    let rules = Elsewhere::new().rule_set();
    let asked = |name, operands: &[Operand]| {
        let op = rules.ops().find(|op| op.name() == name).expect("an op");
        rules.op_types(op, operands).map(|types| types.output).map_err(|error| error.to_string())
    };
    let of = |name, dtypes: &[DType]| {
        let operands: Vec<_> = dtypes.iter().copied().map(Operand::Array).collect();
        asked(name, &operands)
    };
    let (i32, f16, f32, f64) = (DType::I32, DType::F16, DType::F32, DType::F64);
    assert_eq!(of("fused_product", &[f64, f64, f64]), Ok(f64));
    // Clauses of one pattern see what remains.
    assert_eq!(of("fused_product", &[f16, f16, f16]), Ok(f32));
    for other in [[f32, f64, f64], [f64, f32, f64], [f64, f64, f32]] {
        let refused = of("fused_product", &other).expect_err("two dtypes");
        assert!(refused.contains("all of one dtype"), "{refused}");
    }
    assert_eq!(of("lowered", &[f32, f32, f32, f32]), Ok(f16));
    assert_eq!(of("lowered", &[f32, f32, f32, f64]), Ok(f64));
    assert_eq!(of("lowered", &[f64, f32, f32, f32]), Ok(f64));
    // Where no clause decides, operands are promoted.
    assert_eq!(of("lowered", &[f16, f16, f16, f32]), Ok(f16));
    assert_eq!(of("lowered", &[f16, i32, i32, f32]), Ok(f64));
    let refused = of("lowered", &[f32, f32, f32]).expect_err("three operands");
    assert!(refused.contains('4') && refused.contains('3'), "{refused}");
    let explained = rules.explain(
        Some(rules.ops().find(|op| op.name() == "lowered").expect("an op")),
        &[f32; 4].map(Operand::Array),
    );
    assert_eq!(explained.expect("dtypes").clauses().count(), 1, "the clause that decides each step");
}

/// Compares all elements of one slice with all of another at every level, and checks the results.
fn compares<A, B>(rules: RuleSet, a: &[A], b: &[B], wanted: impl Fn(i128, i128) -> Ordering)
where
    A: Element + Into<i128>,
    B: Element + Into<i128>,
    ScalarValue: From<A> + From<B>,
{
    type Holds = fn(Ordering) -> bool;
    const OPS: [(Op, Holds); 6] = [
        (Op::Equal, Ordering::is_eq),
        (Op::NotEqual, Ordering::is_ne),
        (Op::Less, Ordering::is_lt),
        (Op::LessEqual, Ordering::is_le),
        (Op::Greater, Ordering::is_gt),
        (Op::GreaterEqual, Ordering::is_ge),
    ];
    let (left, right): (Vec<A>, Vec<B>) = a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b))).unzip();
    for (op, holds) in OPS {
        for level in Level::ALL.iter().copied().filter(|level| *level <= Level::best()) {
            let mut found = vec![false; left.len()];
            let inputs = [Slice::new(&left).into(), Slice::new(&right).into()];
            rules.prepare(op, &inputs).level(level).out(SliceMut::new(&mut found)).run().expect("compared");
            for (i, found) in found.into_iter().enumerate() {
                let (a, b): (i128, i128) = (left[i].into(), right[i].into());
                let case = format!("{op} of {a} and {b} at {level} under {}", rules.name());
                assert_eq!(found, holds(wanted(a, b)), "{case}");
            }
        }
        for (a, b) in left.iter().zip(&right) {
            let wanted = if holds(wanted((*a).into(), (*b).into())) { "true" } else { "false" };
            let zero_dim =
                [Argument::ZeroDim(ScalarValue::from(*a)), Argument::ZeroDim(ScalarValue::from(*b))];
            let arrays = [Slice::new(core::slice::from_ref(a)), Slice::new(core::slice::from_ref(b))];
            let [in_array, out_of_array] = [format!("[{wanted}]"), wanted.to_owned()];
            for (operands, wanted) in [
                (zero_dim, &out_of_array),
                ([arrays[0].into(), zero_dim[1]], &in_array),
                ([zero_dim[0], arrays[1].into()], &in_array),
            ] {
                let found = rules.call(op, &operands).expect("compared").to_string();
                assert_eq!(found, *wanted, "{op} of {operands:?} under {}", rules.name());
            }
        }
    }
}

#[test]
fn a_negative_integer_is_less_than_an_unsigned_one_or_wraps() {
    let signed =
        [i64::MIN, i64::MIN + 1, -(1 << 53) - 1, -200, -1, 0, 1, 100, 1 << 53, (1 << 53) + 1, i64::MAX];
    let unsigned =
        [0, 1, 100, 1 << 53, (1 << 53) + 1, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, u64::MAX - 199, u64::MAX];
    let narrow = [i8::MIN, -1, 0, 1, 100, i8::MAX];
    let exact = |a: i128, b: i128| a.cmp(&b);
    for rules in [Signs::new().rule_set(), NumPy::new().rule_set()] {
        compares(rules, &signed, &unsigned, exact);
        compares(rules, &unsigned, &signed, exact);
        compares(rules, &narrow, &unsigned, exact);
        compares(rules, &unsigned, &narrow, exact);
    }
    let wraps = |a: i128, b: i128| (a as u64).cmp(&(b as u64));
    compares(Wraps::new().rule_set(), &signed, &unsigned, wraps);
    compares(Wraps::new().rule_set(), &unsigned, &narrow, wraps);
    let [ints, words] = [signed.map(|x| x as i32), signed.map(|x| (x >> 31) as i32)];
    let words = words.map(i32::cast_unsigned);
    compares(Signs::new().rule_set(), &ints, &words, exact);
    compares(Wraps::new().rule_set(), &words, &ints, |a, b| (a as u32).cmp(&(b as u32)));
}

#[test]
fn single_integers_of_both_signs_compare_as_those_of_arrays() {
    for a in [i64::MIN, -1, 0, i64::MAX] {
        for b in [0, 1, 1 << 63, a as u64, u64::MAX] {
            let order = i128::from(a).cmp(&i128::from(b));
            assert_eq!(NumPy::less(a, b), order.is_lt(), "{a} < {b}");
            assert_eq!(NumPy::greater(b, a), order.is_lt(), "{b} > {a}");
            assert_eq!(NumPy::equal(a, b), order.is_eq(), "{a} == {b}");
            assert_eq!(NumPy::not_equal(b, a), order.is_ne(), "{b} != {a}");
            assert_eq!(Signs::greater_equal(a, b), order.is_ge(), "{a} >= {b}");
            assert_eq!(Wraps::less(a, b), (a as u64) < b, "{a} < {b} where -1 wraps");
        }
    }
}
