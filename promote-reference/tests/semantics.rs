//! Options that recorded values cannot show, since PyTorch does not use them, and refusals.

use half::f16;
use promote::ScalarValue;
use promote::{DType, Number, Op, RuleSet};
use promote_reference::{Error, Options, Trap, Value, dot, evaluate, joined, reduce, select};

/// Every option has its first value.
mod first {
    promote::rules! {
        rules First;

        dtypes bool u8 i8 i32 f8e4m3fn f16 f32 f64;
        numbers { bool => bool; int => i32; float => f32; complex => refuse "none"; }
        promote { same => a; bool, any => b; int, float => b; f8e4m3fn, f16 => b; any, any => join; }
        yield array > zero_dim > number { any, any if kind(b) <= kind(a) => a; any, any => promote(a, b); }

        op add multiply pow sign heaviside where addcmul astype dot sum max median cumsum matmul concatenate stack isin;
        op floor_divide divide_trunc remainder fmod subtract ldexp { bool => refuse "numbers only"; }
        op mean { bool | int => f32; }
        opmath { f8e4m3fn | f16 => f32; }
    }
}

/// Every option has its second value.
mod other {
    promote::rules! {
        rules Other;

        dtypes bool u8 i8 i32 f8e4m3fn f16 f32 f64;
        numbers { bool => bool; int => i32; float => f32; complex => refuse "none"; }
        promote { same => a; bool, any => b; int, float => b; f8e4m3fn, f16 => b; any, any => join; }
        yield array > zero_dim > number { any, any if kind(b) <= kind(a) => a; any, any => promote(a, b); }

        op add multiply { right_scalar: opmath; overflow: saturate; }
        op floor_divide { bool => refuse "numbers only"; by_zero: zero; rounding: truncate; }
        op divide_trunc fmod { bool => refuse "numbers only"; by_zero: zero; }
        op remainder { bool => refuse "numbers only"; by_zero: zero; zero_sign: divisor; }
        op pow { negative_exponent: error; }
        op sign heaviside { nan: zero; }
        op astype { out_of_range: x86; }
        op where;
        op prod { f16 => common stepwise; }
        opmath { f8e4m3fn | f16 => f32; }
    }
}

/// Every option has its third value, if it has one.
mod third {
    promote::rules! {
        rules Third;

        dtypes bool u8 i8 i32 f32;
        numbers { bool => bool; int => i32; float => f32; complex => refuse "none"; }
        promote { same => a; bool, any => b; int, float => b; any, any => join; }
        yield array > zero_dim > number { any, any if kind(b) <= kind(a) => a; any, any => promote(a, b); }

        op floor_divide { bool => refuse "numbers only"; by_zero: ones; rounding: truncate_integers; quotient: rounded; }
        op shift { bool | float => refuse "integers only"; count: clamped; }
        op pow { int => common in f32; out_of_range: x86_clamped; }
        op astype { out_of_range: x86_clamped; }
    }
}

fn sets() -> [RuleSet; 2] {
    [first::First::new().rule_set(), other::Other::new().rule_set()]
}

fn array<T: promote::Element>(x: T) -> Value {
    Value::Array(ScalarValue::new(x))
}

fn number(value: Result<ScalarValue, Error>) -> Result<f64, Error> {
    value.map(|element| match element.number() {
        Some(Number::Float(x)) => x,
        Some(Number::Int(x)) => x as f64,
        Some(Number::Bool(x)) => f64::from(u8::from(x)),
        _ => f64::NAN,
    })
}

/// An op of two operands under both sets.
fn both(op: Op, a: Value, b: Value) -> [Result<f64, Error>; 2] {
    sets().map(|rules| number(evaluate(&rules, op, &[a, b], &Options::default())))
}

#[test]
fn an_integer_by_zero_is_an_error_or_zero() {
    let trap = Err(Error::Trap(Trap::DivisionByZero));
    for op in [Op::FloorDivide, Op::DivideTrunc, Op::Remainder, Op::Fmod] {
        assert_eq!(both(op, array(-7_i8), array(0_i8)), [trap, Ok(0.0)], "{op}");
        assert_eq!(both(op, array(i8::MIN), array(-1_i8)).map(Result::ok), {
            let least = if matches!(op, Op::FloorDivide | Op::DivideTrunc) { -128.0 } else { 0.0 };
            [Some(least); 2]
        });
    }
}

#[test]
fn a_quotient_is_rounded_down_or_towards_zero() {
    assert_eq!(both(Op::FloorDivide, array(-7_i32), array(2_i32)), [Ok(-4.0), Ok(-3.0)]);
    assert_eq!(both(Op::FloorDivide, array(-7_f32), array(2_f32)), [Ok(-4.0), Ok(-3.0)]);
    assert_eq!(both(Op::FloorDivide, array(7_f32), array(2_f32)), [Ok(3.0), Ok(3.0)]);
    assert_eq!(both(Op::DivideTrunc, array(-7_f32), array(2_f32)), [Ok(-3.0), Ok(-3.0)]);
}

#[test]
fn integers_by_zero_have_every_bit_and_floats_are_rounded_before_they_are_rounded_down() {
    let rules = third::Third::new().rule_set();
    let quotient =
        |a: Value, b: Value| number(evaluate(&rules, Op::FloorDivide, &[a, b], &Options::default()));
    assert_eq!(quotient(array(7_u8), array(0_u8)), Ok(255.0));
    assert_eq!(quotient(array(7_i8), array(0_i8)), Ok(-1.0));
    assert_eq!(quotient(array(-7_i32), array(2_i32)), Ok(-3.0));
    assert_eq!(quotient(array(-7_f32), array(2_f32)), Ok(-4.0));
    assert_eq!(quotient(array(f32::INFINITY), array(2_f32)), Ok(f64::INFINITY));
    // The quotient is a bit less than 10, and its nearest f32 is 10.
    assert_eq!(quotient(array(1_f32), array(0.1_f32)), Ok(10.0));
    assert_eq!(both(Op::FloorDivide, array(1_f32), array(0.1_f32)), [Ok(9.0), Ok(10.0)]);
}

#[test]
fn a_count_out_of_range_may_be_the_nearest_one() {
    let rules = third::Third::new().rule_set();
    let shift = |op, a: i8, b: i8| number(evaluate(&rules, op, &[array(a), array(b)], &Options::default()));
    assert_eq!(shift(Op::LeftShift, 3, 100), Ok(-128.0));
    assert_eq!(shift(Op::LeftShift, 3, -100), Ok(3.0));
    assert_eq!(shift(Op::RightShift, -128, 100), Ok(-1.0));
    assert_eq!(shift(Op::RightShift, 64, -1), Ok(64.0));
}

#[test]
fn an_x86_conversion_may_be_clamped() {
    let rules = third::Third::new().rule_set();
    let cast = |x: f32, to| {
        number(evaluate(&rules, Op::Astype, &[array(x)], &Options { to: Some(to), ..Options::default() }))
    };
    assert_eq!(cast(300.5, DType::U8), Ok(255.0));
    assert_eq!(cast(-1.0, DType::U8), Ok(0.0));
    assert_eq!(cast(f32::NAN, DType::I8), Ok(-128.0));
    assert_eq!(cast(f32::INFINITY, DType::I32), Ok(f64::from(i32::MIN)));
    let power = evaluate(&rules, Op::Pow, &[array(10_i8), array(3_i8)], &Options::default());
    assert_eq!(number(power), Ok(127.0));
}

#[test]
fn a_remainder_of_zero_has_the_sign_of_the_dividend_or_of_the_divisor() {
    let sign = |a: f32, b: f32| both(Op::Remainder, array(a), array(b)).map(|x| x.map(f64::to_bits));
    let (plus, minus) = (Ok(0.0_f64.to_bits()), Ok((-0.0_f64).to_bits()));
    assert_eq!(sign(-6.0, 3.0), [minus, plus]);
    assert_eq!(sign(6.0, -3.0), [plus, minus]);
    assert_eq!(both(Op::Remainder, array(-5_f32), array(3_f32)), [Ok(1.0), Ok(1.0)]);
    assert_eq!(both(Op::Remainder, array(-5_i32), array(3_i32)), [Ok(1.0), Ok(1.0)]);
    assert_eq!(both(Op::Fmod, array(-5_i32), array(3_i32)), [Ok(-2.0), Ok(-2.0)]);
}

#[test]
fn a_negative_power_of_an_integer_is_cut_or_an_error() {
    let trap = Err(Error::Trap(Trap::NegativeExponent));
    for (a, power) in [(1, 1.0), (-1, -1.0), (2, 0.0), (0, 0.0)] {
        assert_eq!(both(Op::Pow, array(a), array(-3_i32)), [Ok(power), trap]);
    }
    assert_eq!(both(Op::Pow, array(3_i8), array(5_i8)), [Ok(-13.0), Ok(-13.0)], "243 wraps");
    assert_eq!(both(Op::Pow, array(0_i32), array(0_i32)), [Ok(1.0), Ok(1.0)]);
    assert_eq!(both(Op::Pow, array(2_i32), array(i32::MAX)), [Ok(0.0), Ok(0.0)], "in few steps");
}

#[test]
fn a_step_function_passes_nan_on_or_makes_0_of_it() {
    let [first, other] = both(Op::Heaviside, array(f32::NAN), array(0.5_f32));
    assert!(first.is_ok_and(f64::is_nan));
    assert_eq!(other, Ok(0.0));
    let sign =
        |x: f32| sets().map(|rules| number(evaluate(&rules, Op::Sign, &[array(x)], &Options::default())));
    assert!(sign(f32::NAN)[0].is_ok_and(f64::is_nan));
    assert_eq!(sign(f32::NAN)[1], Ok(0.0));
    assert_eq!(sign(-2.5), [Ok(-1.0), Ok(-1.0)]);
    assert_eq!(sign(-0.0).map(|x| x.map(f64::to_bits)), [Ok(0), Ok(0)]);
}

#[test]
fn a_float_beyond_an_integer_dtype_is_its_end_or_what_a_processor_leaves() {
    let cast = |x: f32, to| {
        let options = Options { to: Some(to), ..Options::default() };
        sets().map(|rules| number(evaluate(&rules, Op::Astype, &[array(x)], &options)))
    };
    let least = f64::from(i32::MIN);
    assert_eq!(cast(300.0, DType::U8), [Ok(255.0), Ok(44.0)]);
    assert_eq!(cast(-1.9, DType::U8), [Ok(0.0), Ok(255.0)]);
    assert_eq!(cast(f32::NAN, DType::I32), [Ok(0.0), Ok(least)]);
    assert_eq!(cast(f32::INFINITY, DType::I32), [Ok(f64::from(i32::MAX)), Ok(least)]);
    assert_eq!(cast(f32::NAN, DType::Bool), [Ok(1.0), Ok(1.0)]);
    assert_eq!(cast(-1.9, DType::I8), [Ok(-1.0), Ok(-1.0)]);
}

#[test]
fn a_scalar_on_the_right_is_rounded_or_stays() {
    let small = Value::Number(Number::Float(1e-8));
    let (ten_thousand, product) = (array(f16::from_f32(10_000.0)), f16::from_f64(1e-4).to_f64());
    assert_eq!(both(Op::Multiply, ten_thousand, small), [Ok(0.0), Ok(product)]);
    assert_eq!(both(Op::Multiply, small, ten_thousand), [Ok(0.0), Ok(0.0)], "on the left it never stays");
    let zero_dim = Value::ZeroDim(ScalarValue::new(1e-8_f32));
    assert_eq!(both(Op::Multiply, ten_thousand, zero_dim), [Ok(0.0), Ok(product)]);
}

#[test]
fn a_format_without_infinity_overflows_to_nan_or_to_its_greatest_value() {
    let great = Value::Array(
        ScalarValue::from_number(Number::Float(400.0), DType::F8E4M3FN).expect("it has elements"),
    );
    let [first, other] = both(Op::Add, great, great);
    assert!(first.is_ok_and(f64::is_nan));
    assert_eq!(other, Ok(448.0));
}

#[test]
fn each_step_is_rounded_to_what_the_op_computes_in() {
    let [_, rules] = sets();
    let half = |x: f32| ScalarValue::new(f16::from_f32(x));
    // 300 · 300 is infinite as f16, though the whole product is not.
    let found = reduce(&rules, Op::Prod, DType::F16, &[half(300.0), half(300.0), half(0.001)]);
    assert_eq!(number(found.map(|found| found[0])), Ok(f64::INFINITY));
}

#[test]
fn reductions_of_nothing() {
    let [rules, _] = sets();
    let none = |op| reduce(&rules, op, DType::F32, &[]).map(|found| found.len());
    assert_eq!(number(reduce(&rules, Op::Sum, DType::F32, &[]).map(|found| found[0])), Ok(0.0));
    assert_eq!(none(Op::Cumsum), Ok(0));
    assert_eq!(none(Op::Mean), Ok(1));
    for op in [Op::Max, Op::Median] {
        assert_eq!(none(op), Err(Error::Empty { op }));
    }
}

#[test]
fn where_addcmul_and_dot_have_functions_of_their_own() {
    let [rules, _] = sets();
    let (three, four) = (array(3_u8), array(4.5_f32));
    assert_eq!(number(select(&rules, true, three, four)), Ok(3.0));
    assert_eq!(number(select(&rules, false, three, four)), Ok(4.5));
    let options = Options { value: 2.0, ..Options::default() };
    assert_eq!(number(joined(&rules, Op::Addcmul, [three, four, array(10_i32)], &options)), Ok(93.0));
    let elements = [1_i8, 100, 100].map(ScalarValue::new);
    let found = dot(&rules, (DType::I8, &elements), (DType::I8, &elements));
    assert_eq!(number(found), Ok(f64::from(20_001_i32 as i8)), "it wraps");
}

#[test]
fn the_whole_exponent_of_ldexp_is_not_rounded() {
    let [rules, _] = sets();
    let least = f64::from_bits(1);
    let found = evaluate(&rules, Op::Ldexp, &[array(least), array(1074_i32)], &Options::default());
    assert_eq!(number(found), Ok(1.0));
    let found = evaluate(&rules, Op::Ldexp, &[array(3.0_f64), array(-1075_i32)], &Options::default());
    assert_eq!(number(found), Ok(2.0 * least), "1.5 of the least rounds to even");
    let found = evaluate(&rules, Op::Ldexp, &[array(0.0_f32), array(200_i32)], &Options::default());
    assert_eq!(number(found), Ok(0.0));
}

#[test]
fn what_is_no_op_of_elements_is_refused_and_says_so() {
    let [rules, _] = sets();
    for op in [Op::Matmul, Op::Concatenate, Op::Stack, Op::Isin, Op::Dot] {
        let found = evaluate(&rules, op, &[array(1.0_f32), array(2.0_f32)], &Options::default());
        assert_eq!(number(found), Err(Error::NotEvaluated { op, dtype: DType::F32 }));
    }
    let found = evaluate(&rules, Op::Sum, &[array(1.0_f32)], &Options::default());
    assert_eq!(number(found), Err(Error::NotEvaluated { op: Op::Sum, dtype: DType::F32 }));
    assert_eq!(
        number(reduce(&rules, Op::Sign, DType::F32, &[]).map(|found| found[0])),
        Err(Error::NotEvaluated { op: Op::Sign, dtype: DType::F32 })
    );
    let found = evaluate(&rules, Op::Subtract, &[array(true), array(true)], &Options::default());
    assert!(matches!(found, Err(Error::Promote(_))));
    assert!(matches!(evaluate(&rules, Op::Add, &[], &Options::default()), Err(Error::Promote(_))));
    assert!(matches!(
        evaluate(&rules, Op::Astype, &[array(1_u8)], &Options::default()),
        Err(Error::NoTarget)
    ));
}
