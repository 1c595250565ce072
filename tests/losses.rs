//! Losses, `lerp`, `addcmul`, `add_scaled`, `clamp`, `isclose`, `threshold` and `ldexp` on single elements
//! and on slices: means and sums compared with a plain sum in `f64`, parameters, errors.

#![allow(clippy::float_cmp, reason = "exact comparisons are what is asked for")]

#[path = "common/unit.rs"]
mod unit;

use half::{bf16, f16};
use num_complex::Complex;
use promote::{
    Argument, Cast, DType, Element, Error, Flags, Jax, Level, NumPy, Number, Op, Reduction, RuleSet, Torch,
};
use promote::{ArgumentRole, CallError, PromoteError, ScalarValue};

/// Rules under which a half is scaled in steps.
mod steps {
    promote::rules! {
        rules Steps;

        dtypes i8 i64 f16 f32;

        promote {
            int, float => b;
            any, any   => join;
        }

        op ldexp (a, b) {
            f16, int => a stepwise;
            f32, int => a;
            any, any => refuse "a float by an integer";
            exponent: wraps;
        }

        law commutative;
    }
}

/// Every loss.
const LOSSES: [Op; 6] =
    [Op::L1Loss, Op::MseLoss, Op::HuberLoss, Op::SmoothL1Loss, Op::PoissonNllLoss, Op::BinaryCrossEntropy];

fn rules() -> RuleSet {
    Torch::new().rule_set()
}

/// Numbers from 0 to 1.
fn fractions(n: usize, mut state: u64) -> Vec<f64> {
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / 2.0_f64.powi(53)
    };
    (0..n).map(|_| next()).collect()
}

/// Returns the unit in the last place of a result. That of a subnormal is smaller than its dtype's.
fn unit(dtype: DType, x: f64) -> f64 {
    unit::unit_of(unit::precision(dtype).0, i32::MIN, x)
}

fn number(value: ScalarValue) -> f64 {
    match value.number() {
        Some(Number::Float(x)) => x,
        other => unreachable!("a loss of floats is a float, not {other:?}"),
    }
}

fn sums_of<T>(n: usize)
where
    T: Element + Cast<f64> + Default,
    f64: Cast<T>,
{
    let column = |seed| -> Vec<T> { fractions(n, seed).into_iter().map(Cast::cast).collect() };
    let (a, b) = (column(1), column(2));
    let inputs = [Argument::from(&a[..]), Argument::from(&b[..])];
    for op in LOSSES {
        let mut elements = vec![T::default(); n];
        rules().elementwise(op, &inputs, (&mut elements[..]).into()).expect("a loss of floats");
        let values: Vec<f64> = elements.iter().map(|x| (*x).cast()).collect();
        let (mut sum, mut size) = (0.0, 0.0);
        for x in &values {
            sum += x;
            size += x.abs();
        }
        // The plain sum is itself off by half a unit each step.
        let bound = size * (2.0_f64.powi(-46) + n as f64 * f64::EPSILON);
        for (reduction, exact) in [(Reduction::Sum, sum), (Reduction::Mean, sum / n as f64)] {
            let found = rules().reduced(op, Flags::default(), &inputs, reduction).expect("a loss of floats");
            assert_eq!(found.dtype(), T::DTYPE, "{op}");
            let (found, bound) =
                (number(found), if reduction == Reduction::Mean { bound / n as f64 } else { bound });
            if n == 0 {
                assert_eq!(found.to_bits(), if reduction == Reduction::Sum { 0 } else { f64::NAN.to_bits() });
                continue;
            }
            let half = unit(T::DTYPE, exact) / 2.0;
            // A sum beyond f16 is infinite.
            let overflows = T::DTYPE == DType::F16 && exact > 65519.0;
            assert!(
                overflows && found.is_infinite() || (found - exact).abs() <= bound + half,
                "{op} of {n} {}: {reduction:?} {found:e}, exact {exact:e}",
                T::DTYPE
            );
            // Equal bits at every level: no result is NaN.
            for level in Level::ALL.iter().copied().filter(|level| *level <= Level::best()) {
                let kernel = rules().kernel_at(level, op, T::DTYPE, T::DTYPE).expect("a kernel");
                let mut given = vec![a[..].into(), b[..].into()];
                if let Some(extra) = op.extras().first() {
                    let number = Number::Float(extra.default.expect("of a loss"));
                    given.push(
                        ScalarValue::from_number(number, kernel.input_dtype(2)).expect("a float").into(),
                    );
                }
                let other = kernel.reduced(&given, reduction).expect("the same");
                assert_eq!(number(other).to_bits(), found.to_bits(), "{op} at {level}");
            }
        }
    }
}

#[test]
fn sums_and_means_lie_within_their_bound() {
    for n in [0, 1, 7, 8, 1023, 1024, 1025, 5000, 100_003] {
        sums_of::<f16>(n);
        sums_of::<bf16>(n);
        sums_of::<f32>(n);
        sums_of::<f64>(n);
    }
}

#[test]
fn functions_of_elements_are_the_formulas() {
    assert_eq!(Torch::huber_loss(1.0_f32, 1.5_f32, 1.0), 0.125);
    assert_eq!(Torch::huber_loss(1.0_f32, 4.0_f32, 2.0), 4.0);
    assert_eq!(Torch::smooth_l1_loss(1.0_f64, 4.0_f64, 2.0), 2.0);
    assert_eq!(Torch::smooth_l1_loss(1.0_f64, 4.0_f64, 0.0), 3.0);
    assert_eq!(Torch::poisson_nll_loss(0.0_f32, 2.0_f32, 1e-8, Flags::default()), 1.0);
    let plain = Flags::DEFAULT.with_log_input(false);
    assert_eq!(Torch::poisson_nll_loss(1.0_f64, 2.0_f64, 0.0, plain), 1.0);
    assert_eq!(Torch::binary_cross_entropy(0.0_f32, 1.0_f32, 0.5), 50.0);
    assert_eq!(Torch::lerp(2.0_f32, 4.0_f32, 0.25), 2.5);
    let mixed: f32 = Torch::addcmul(f16::ONE, 2.0_f32, 3_i8, 0.5);
    assert_eq!(mixed, 4.0);
    assert_eq!(Torch::addcmul(250_u8, 2_u8, 3_u8, 2.0), 6, "integers wrap");
    assert!(Torch::huber_loss(f32::NAN, 1.0_f32, 1.0).is_nan());
    assert_eq!(Torch::clamp_min(-1.0_f32, 0.5_f32), 0.5);
}

#[test]
fn ldexp_with_a_whole_exponent_is_exact() {
    // 2^200 is not an f32, and 2^-149 times 2^149 is 1.
    assert_eq!(Torch::ldexp(0.0_f32, 200_i32), 0.0);
    assert_eq!(Torch::ldexp(f32::from_bits(1), 149_i64), 1.0);
    assert!(Torch::ldexp(0.0_f32, 200.0_f32).is_nan(), "the power is infinite");
    assert!(Torch::ldexp(0_i32, 200_i32).is_nan(), "and so is that of an integer");
    // PyTorch looks at the low 32 bits.
    assert_eq!(Torch::ldexp(1.5_f64, (1_i64 << 32) + 3), 12.0);
    assert_eq!(Torch::ldexp(bf16::from_f32(3.0), 257_i32), bf16::INFINITY);
    assert_eq!(Torch::ldexp(bf16::from_bits(1), 260_i32), bf16::from_f32(2.0_f32.powi(127)));

    let (x, by) = ([0.0_f32, f32::from_bits(1), 1.5, -1.0], [200_i64, 149, (1 << 32) + 3, -200]);
    let mut out = [f32::NAN; 4];
    Torch::ldexp_into(&x, &by, &mut out).expect("one length");
    assert_eq!(out, [0.0, 1.0, 12.0, 0.0]);
    let by = Argument::Number(Number::Int(140));
    rules().elementwise(Op::Ldexp, &[x[..].into(), by], (&mut out[..]).into()).expect("a number");
    assert_eq!(out[..2], [0.0, f32::from_bits(1) * 2.0_f32.powi(100) * 2.0_f32.powi(40)]);
    assert!(out[2].is_infinite());
}

#[test]
fn an_exponent_is_wider_than_its_array_and_the_result() {
    // More than a block. The elements have one and two bytes, and the exponent is computed in four.
    let x: Vec<f16> = fractions(10_000, 7).into_iter().map(f16::from_f64).collect();
    let by: Vec<i8> = (0..10_000).map(|i| (i % 60) as i8 - 30).collect();
    let mut out = vec![f16::ZERO; x.len()];
    steps::Steps::ldexp_into(&x, &by, &mut out).expect("one length");
    for ((x, by), out) in x.iter().zip(&by).zip(&out) {
        let exact = f16::from_f64(x.to_f64() * 2.0_f64.powi((*by).into()));
        assert_eq!((*out, steps::Steps::ldexp(*x, *by)), (exact, exact), "{x} by {by}");
    }
}

#[cfg(feature = "numpy")]
#[test]
fn numpy_uses_every_bit_of_an_exponent() {
    use promote::NumPy;
    assert_eq!(NumPy::ldexp(1.5_f64, (1_i64 << 32) + 3), f64::INFINITY);
    assert_eq!(NumPy::ldexp(0_i32, 2000_i32), 0.0);
    let (x, by) = ([1.5_f64, 1.5, 0.0], [(1_i64 << 32) + 3, i64::MIN, i64::MAX]);
    let mut out = [f64::NAN; 3];
    NumPy::ldexp_into(&x, &by, &mut out).expect("one length");
    assert_eq!(out, [f64::INFINITY, 0.0, 0.0]);
}

#[test]
fn functions_of_slices_are_those_of_elements() {
    let column = |seed| -> Vec<bf16> { fractions(1500, seed).into_iter().map(bf16::from_f64).collect() };
    let (a, b, w) = (column(3), column(4), column(5));
    let mut out = vec![bf16::ZERO; a.len()];
    let pairs = || a.iter().copied().zip(b.iter().copied());

    Torch::huber_loss_into(&a, &b, 0.3, &mut out).expect("one length");
    assert!(pairs().zip(&out).all(|((a, b), out)| Torch::huber_loss(a, b, 0.3) == *out));
    Torch::smooth_l1_loss_into(&a, &b, 0.3, &mut out).expect("one length");
    assert!(pairs().zip(&out).all(|((a, b), out)| Torch::smooth_l1_loss(a, b, 0.3) == *out));
    for flags in [(true, false), (true, true), (false, false), (false, true)] {
        let flags = Flags::DEFAULT.with_log_input(flags.0).with_full(flags.1);
        Torch::poisson_nll_loss_into(&a, &b, 1e-3, flags, &mut out).expect("one length");
        assert!(pairs().zip(&out).all(|((a, b), out)| Torch::poisson_nll_loss(a, b, 1e-3, flags) == *out));
    }
    Torch::binary_cross_entropy_into(&a, &b, 1.0, &mut out).expect("one length");
    assert!(pairs().zip(&out).all(|((a, b), out)| Torch::binary_cross_entropy(a, b, 1.0) == *out));
    // A weight for each element, of the dtype of the operands.
    Torch::lerp_into(&a, &b, &w[..], &mut out).expect("one length");
    let of = |i: usize| Torch::lerp(a[i], b[i], w[i].to_f64());
    assert!((0..a.len()).all(|i| of(i) == out[i]));

    let c: Vec<f32> = fractions(1500, 6).into_iter().map(|x| x as f32).collect();
    let mut wide = vec![0.0_f32; a.len()];
    Torch::addcmul_into(&a, &b, &c, 0.3, &mut wide).expect("one length");
    assert!((0..a.len()).all(|i| Torch::addcmul(a[i], b[i], c[i], 0.3) == wide[i]));

    let mean = Torch::mse_loss_reduced(&a, &b, Reduction::Mean).expect("floats");
    let same = rules().reduced(Op::MseLoss, Flags::default(), &[a[..].into(), b[..].into()], Reduction::Mean);
    assert_eq!(same.expect("floats").get(), Some(mean));
    let sum = Torch::huber_loss_reduced(&a, &b, 0.3, Reduction::Sum).expect("floats");
    let total: f64 = pairs().map(|(a, b)| Torch::huber_loss(a, b, 0.3).to_f64()).sum();
    assert_eq!(sum, bf16::from_f64(total));
}

#[test]
fn wrong_parameters_are_errors() {
    let (a, b) = ([0.5_f32, 0.25], [0.5_f32, 1.0]);
    let mut out = [7.0_f32; 2];
    let wrong = |name, problem| Err(CallError::Parameter { name, problem });
    for delta in [0.0, -1.0, f64::NAN] {
        assert_eq!(Torch::huber_loss_into(&a, &b, delta, &mut out), wrong("delta", "is not above 0"));
    }
    assert_eq!(Torch::smooth_l1_loss_into(&a, &b, -0.1, &mut out), wrong("beta", "is not at least 0"));
    let eps = Torch::poisson_nll_loss_into(&a, &b, -1e-9, Flags::default(), &mut out);
    assert_eq!(eps, wrong("eps", "is not at least 0"));
    let reduced = Torch::huber_loss_reduced(&a, &b, 0.0, Reduction::Mean);
    assert_eq!(reduced, Err(CallError::Parameter { name: "delta", problem: "is not above 0" }));

    // A weight is of the dtype of the operands, or a number; and there are as many weights as elements.
    let weight = [0.5_f64; 2];
    let expected =
        Err(CallError::DType { role: ArgumentRole::Third, expected: DType::F32, found: DType::F64 });
    assert_eq!(Torch::lerp_into(&a, &b, &weight[..], &mut out), expected);
    let short = Err(CallError::Length { role: ArgumentRole::Third, expected: 2, found: 1 });
    assert_eq!(Torch::lerp_into(&a, &b, &a[..1], &mut out), short);
    assert_eq!(out, [7.0; 2], "`out` is as it was");

    let whole = "is not an integer, but the op computes in an integer dtype";
    let mut integers = [0_i32; 2];
    assert_eq!(
        Torch::addcmul_into(&[1_i32, 2], &[3_i32, 4], &[5_i32, 6], 2.5, &mut integers),
        wrong("value", whole)
    );
    Torch::addcmul_into(&[1_i32, 2], &[3_i32, 4], &[5_i32, 6], 2.0, &mut integers).expect("a whole number");
    assert_eq!(integers, [31, 50]);
}

#[test]
fn probabilities_outside_0_to_1_are_refused() {
    let n = 3000;
    let (mut a, b) = (vec![0.5_f32; n], vec![1.0_f32; n]);
    let mut out = vec![7.0_f32; n];
    for bad in [-0.1, 1.1, f32::NAN] {
        a[n - 1] = bad;
        let refused = Torch::binary_cross_entropy_into(&a, &b, 1.0, &mut out);
        assert_eq!(refused, Err(CallError::Probability));
        assert!(out.iter().all(|x| *x == 7.0), "`out` is as it was");
        let refused = Torch::binary_cross_entropy_reduced(&b, &a, 1.0, Reduction::Sum);
        assert_eq!(refused, Err(CallError::Probability));
    }
}

#[test]
fn wrong_inputs_are_errors() {
    let (a, b) = ([0.5_f32, 0.25], [0.5_f32, 1.0]);
    let mut out = [7.0_f32; 2];
    let (x, y) = (Argument::from(&a[..]), Argument::from(&b[..]));
    let mut call = |op, inputs: &[Argument<'_>]| rules().elementwise(op, inputs, (&mut out[..]).into());
    let inputs = |expected, found| Err(Error::Call(CallError::Inputs { expected, found }));
    assert_eq!(call(Op::HuberLoss, &[x]), inputs(3, 1));
    assert_eq!(call(Op::HuberLoss, &[x, y, 1.0.into(), 1.0.into()]), inputs(3, 4));
    assert_eq!(call(Op::Lerp, &[x, y]), inputs(3, 2));
    assert_eq!(call(Op::Addcmul, &[x, y]), inputs(4, 2));
    assert_eq!(call(Op::Add, &[x, y, y]), inputs(2, 3));
    assert_eq!(call(Op::HuberLoss, &[x, y]), Ok(()));
    let array = CallError::Parameter { name: "delta", problem: "must be a number, not an array" };
    assert_eq!(call(Op::HuberLoss, &[x, y, y]), Err(Error::Call(array)));
    let complex =
        CallError::Parameter { name: "weight", problem: "is complex, but the op computes in a real dtype" };
    assert_eq!(
        call(Op::Lerp, &[x, y, Argument::Number(Number::Complex(1.0, 1.0))]),
        Err(Error::Call(complex))
    );
    let condition =
        CallError::Parameter { name: "condition", problem: "must be a bool or an array of bools" };
    assert_eq!(call(Op::Where, &[2.0.into(), x, y]), Err(Error::Call(condition)));
    let (role, expected, found) = (ArgumentRole::Condition, DType::Bool, DType::F32);
    let condition = CallError::DType { role, expected, found };
    assert_eq!(call(Op::Where, &[x, x, y]), Err(Error::Call(condition)));
    assert_eq!(
        condition.to_string(),
        "the condition is `f32`, and must be `bool`; help: compare it first, as in `a != 0`"
    );

    let lengths =
        rules().reduced(Op::MseLoss, Flags::default(), &[x, Argument::from(&a[..1])], Reduction::Sum);
    let length = CallError::Length { role: ArgumentRole::B, expected: 2, found: 1 };
    assert_eq!(lengths.map(|_| ()), Err(Error::Call(length)));
    let mut twice = [0.0_f32; 2];
    rules().binary(Op::HuberLoss, x, y, (&mut twice[..]).into()).expect("`delta` has a default");
    assert_eq!(twice, [0.0, 0.28125]);
    let condition =
        rules().reduced(Op::Where, Flags::default(), &[Argument::from(&[true][..]), x, y], Reduction::Sum);
    let length = CallError::Length { role: ArgumentRole::Condition, expected: 2, found: 1 };
    assert_eq!(condition.map(|_| ()), Err(Error::Call(length)));
    let integers = [1_i32, 2];
    let none = rules().reduced(
        Op::Add,
        Flags::default(),
        &[integers[..].into(), integers[..].into()],
        Reduction::Sum,
    );
    let none = none.map(|_| ());
    assert_eq!(none, Err(Error::Call(CallError::NotReduced { dtype: DType::I32 })));
}

#[test]
fn sums_scale_their_second_operand() {
    assert_eq!(Torch::add_scaled(1_i32, 2.5_f32, -2.0), -4.0);
    assert_eq!(Torch::subtract_scaled(10_u8, 3_u8, 100.0), 222, "integers wrap");
    assert_eq!(Torch::add_scaled(10_u8, 3_u8, -1.0), 7, "a negative factor wraps");
    for refused in [2.5, 300.0, f64::NAN] {
        assert!(std::panic::catch_unwind(|| Torch::add_scaled(10_u8, 3_u8, refused)).is_err(), "{refused}");
    }
    assert!(!Torch::add_scaled(false, true, 0.0) && Torch::add_scaled(false, true, 2.0));
    // The factor is rounded to f16, and the product is not.
    let third = f16::from_f64(1.0 / 3.0);
    let exact = f16::from_f64(3.0f64.mul_add(f64::from(third), 1.0));
    assert_eq!(Torch::add_scaled(f16::ONE, f16::from_f64(3.0), 1.0 / 3.0), exact);
    // A product of its own would be rounded to 1.
    let (a, b) = (-1.0_f32, 1.0 + f32::EPSILON);
    assert_eq!(Torch::add_scaled(a, b, f64::from(1.0 - f32::EPSILON)), -f32::EPSILON * f32::EPSILON);
    let infinite = Complex::new(f32::INFINITY, 1.0);
    assert_eq!(
        Torch::add_scaled(Complex::new(1.0_f32, 1.0), infinite, 1.0),
        Complex::new(f32::INFINITY, 2.0)
    );

    let mut out = [0_i32; 2];
    Torch::subtract_scaled_into(&[1_i32, 2], &[3_i16, 4], 3.0, &mut out).expect("a whole number");
    assert_eq!(out, [-8, -10]);
    let refused = Torch::add_scaled_into(&[1_i32, 2], &[3_i16, 4], 2.5, &mut out);
    let problem = "is not an integer, but the op computes in an integer dtype";
    assert_eq!(refused, Err(CallError::Parameter { name: "alpha", problem }));

    let rules = rules();
    let mut half = [f16::ONE; 2];
    rules
        .prepare(Op::AddScaled, &[(&[2.0_f32, 4.0]).into(), 0.25.into()])
        .in_place(&mut half[..])
        .run()
        .expect("in place");
    assert_eq!(half, [1.5, 2.0].map(f16::from_f64));
    let told = |a: Argument<'_>, alpha: Number| {
        rules.call(Op::AddScaled, &[a, a, Argument::Number(alpha)]).expect_err("a wrong factor").to_string()
    };
    let (ints, floats, halves) = ([1_u8], [1.0_f32], [f16::ONE]);
    for (a, alpha, problem) in [
        (Argument::from(&ints), Number::Float(2.0), "is not an integer"),
        (Argument::from(&ints), Number::Bool(true), "is a bool, but the op computes with numbers"),
        (Argument::from(&ints), Number::Int(300), "does not fit"),
        (Argument::from(&floats), Number::Bool(true), "is a bool"),
        (Argument::from(&floats), Number::Complex(0.0, 2.0), "is complex"),
        (Argument::from(&floats), Number::Float(1e300), "does not fit"),
        (Argument::from(&halves), Number::Float(1e5), "does not fit"),
    ] {
        let told = told(a, alpha);
        assert!(told.contains("alpha") && told.contains(problem), "{told}");
    }
    let wrapped = rules.call(Op::AddScaled, &[(&ints).into(), (&ints).into(), (-2).into()]).expect("wraps");
    assert_eq!(wrapped.as_slice::<u8>(), Some(&[255][..]));
    let bools = rules.call(Op::SubtractScaled, &[(&[true]).into(), (&[true]).into(), 1.into()]);
    assert!(bools.expect_err("refused").to_string().contains("use `logical_xor`"));
}

#[test]
fn clamp_promotes_three_operands() {
    assert_eq!(Torch::clamp(5_i32, 0_u8, 3.5_f32), 3.5_f32);
    assert_eq!(Torch::clamp(-5_i64, -2_i32, 3_i8), -2_i64);
    // The upper bound wins.
    assert_eq!(Torch::clamp(0.0_f32, 4.0_f32, 1.0_f32), 1.0);
    assert!(
        Torch::clamp(f32::NAN, 0.0_f32, 1.0_f32).is_nan()
            && Torch::clamp(0.5_f32, f32::NAN, 1.0_f32).is_nan()
    );
    let (a, low, high) = ([-3_i16, 0, 9], [-1_i8, -1, -1], [f16::ONE, f16::ONE, f16::INFINITY]);
    let mut out = [f16::ZERO; 3];
    Torch::clamp_into(&a, &low, &high, &mut out).expect("equal lengths");
    assert_eq!(out, [-1.0, 0.0, 9.0].map(f16::from_f64));
    let rules = Torch::new().rule_set();
    let found = rules.call(Op::Clamp, &[(&a).into(), 0.into(), 5.into()]).expect("three operands");
    assert_eq!(found.as_slice::<i16>(), Some(&[0, 0, 5][..]));
}

#[test]
fn threshold_takes_two_numbers_behind_its_operand() {
    assert_eq!(Torch::threshold(0.5_f32, 1.0, 2.0), 2.0);
    assert_eq!(Torch::threshold(7_u8, 6.0, 2.0), 7);
    assert!(Torch::threshold(f64::NAN, 1.0, 2.0).is_nan());
    let a = [-1.0, 0.5, 3.0].map(bf16::from_f64);
    let mut out = [bf16::ZERO; 3];
    Torch::threshold_into(&a, 0.5, -7.0, &mut out).expect("equal lengths");
    assert_eq!(out, [-7.0, -7.0, 3.0].map(bf16::from_f64));
    let rules = Torch::new().rule_set();
    let call = |inputs: &[Argument<'_>]| rules.call(Op::Threshold, inputs);
    let found = call(&[(&a).into(), 0.5.into(), (-7).into()]).expect("two numbers");
    assert_eq!(found.as_slice::<bf16>(), Some(&out[..]));
    assert!(matches!(call(&[(&a).into()]), Err(Error::Call(CallError::Inputs { expected: 3, found: 1 }))));
    let half = call(&[(&[1_i32]).into(), 0.5.into(), 0.into()]).expect_err("no integer");
    assert!(half.to_string().contains("threshold"), "{half}");
}

#[test]
fn clamp_takes_bounds_that_no_element_reaches() {
    // As `torch.clamp` and `numpy.clip` do. A bound that every element exceeds is refused.
    for rules in [Torch::new().rule_set(), NumPy::new().rule_set()] {
        let call =
            |low: i32, high: i32| rules.call(Op::Clamp, &[(&[1_u8, 200]).into(), low.into(), high.into()]);
        for (low, high, expected) in [(-1, 300, [1, 200]), (5, 300, [5, 200]), (-1, 9, [1, 9])] {
            let found = call(low, high).expect("bounds that no element reaches");
            assert_eq!(found.as_slice::<u8>(), Some(&expected[..]));
        }
        for (low, high) in [(300, 400), (-9, -5), (300, 9), (0, -5)] {
            assert!(matches!(call(low, high), Err(Error::Promote(PromoteError::NumberDoesNotFit { .. }))));
        }
    }
    let found = Jax::new().rule_set().call(Op::Clamp, &[(&[1_u8, 200]).into(), 0.into(), 300.into()]);
    assert_eq!(found.expect("numbers that wrap").as_slice::<u8>(), Some(&[1, 44][..]));
}

#[test]
fn isclose_compares_within_two_tolerances() {
    assert!(Torch::isclose(1.0_f32, 1.000_001_f32, 1e-5, 1e-8));
    assert!(!Torch::isclose(1.0_f32, 1.000_1_f32, 1e-5, 1e-8));
    assert!(Torch::isclose(f64::INFINITY, f64::INFINITY, 0.0, 0.0));
    assert!(!Torch::isclose(f64::INFINITY, 1.0_f64, 1e300, 1e300));
    assert!(!Torch::isclose(f64::NAN, f64::NAN, 1.0, 1.0));
    let (a, b, mut out) = ([1_i32, 100, -4], [1_i32, 101, 4], [true; 3]);
    Torch::isclose_into(&a, &b, 0.01, 0.0, &mut out).expect("equal lengths");
    assert_eq!(out, [true, true, false]);
    let rules = Torch::new().rule_set();
    let found = rules.call(Op::Isclose, &[(&a).into(), (&b).into()]).expect("tolerances by default");
    assert_eq!(found.as_slice::<bool>(), Some(&[true, false, false][..]));
    let negative = rules.call(Op::Isclose, &[(&a).into(), (&b).into(), (-1.0).into()]).expect_err("negative");
    assert!(negative.to_string().contains("rtol"), "{negative}");
}
