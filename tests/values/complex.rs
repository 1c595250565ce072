//! Functions of complex numbers whose results need a criterion of their own.
//!
//! Types, functions and the run time give what NumPy gave (`tests/data/record_complex.py`), and for `hypot`
//! and `remainder` what Paddle gave (`tests/data/record_complex_paddle.py`), as no other system has
//! them.

use num_complex::Complex;
use promote::{NumPy, Op, Paddle, ScalarValue};

use crate::recorded::{Recorded, Result};

/// The elementary functions that NumPy has of complex numbers.
pub(crate) const FUNCTIONS: [Op; 21] = [
    Op::Sqrt,
    Op::Sign,
    Op::Exp,
    Op::Expm1,
    Op::Exp2,
    Op::Log,
    Op::Log1p,
    Op::Log2,
    Op::Log10,
    Op::Sin,
    Op::Cos,
    Op::Tan,
    Op::Asin,
    Op::Acos,
    Op::Atan,
    Op::Sinh,
    Op::Cosh,
    Op::Tanh,
    Op::Asinh,
    Op::Acosh,
    Op::Atanh,
];

/// The number of operands with two parts of a usual size. The others have zeros, infinities, NaN and
/// extremes.
const USUAL: usize = 47;

/// Returns the elements of a recorded operand or result, whose parts are `$ty`.
macro_rules! elements {
    ($elements:expr, $ty:ident) => {
        $elements
            .iter()
            .map(|x: &ScalarValue| x.get().expect("a complex number"))
            .collect::<Vec<Complex<$ty>>>()
    };
}

/// Returns the recorded elements of an op for operands of a dtype.
fn result(recorded: &Recorded, op: Op, dtype: &str) -> Vec<ScalarValue> {
    let of = |text: &str| text.ends_with(&format!(".{dtype}"));
    let case = recorded.cases(op.name()).find(|case| of(&case.text)).expect("a case of the dtype");
    match case.result {
        Result::Elements(_, elements) => elements,
        Result::Word(word) => panic!("{op} is {word}"),
    }
}

/// Returns the distance of two results in units of the last place of the absolute value. It is infinite if
/// only one of them is infinite or NaN.
fn distance(found: [f64; 2], wanted: [f64; 2], epsilon: f64) -> f64 {
    let size = wanted.iter().filter(|x| x.is_finite()).fold(f64::MIN_POSITIVE, |size, x| size.max(x.abs()));
    let part = |(x, y): (f64, f64)| match () {
        () if x.is_nan() && y.is_nan() || x.is_infinite() && y.is_infinite() => 0.0,
        () if x.is_finite() && y.is_finite() => (x - y).abs() / (size * epsilon),
        () => f64::INFINITY,
    };
    part((found[0], wanted[0])).max(part((found[1], wanted[1])))
}

/// Returns true if a lane of a function is compared. NumPy takes the functions of C99 from glibc, which is
/// good to a few units. Its own functions lose more, above all for extreme operands.
fn is_compared(op: Op, i: usize) -> bool {
    i < USUAL || !matches!(op, Op::Expm1 | Op::Exp2 | Op::Log1p | Op::Log2 | Op::Log10)
}

macro_rules! compare {
    ($dtype:literal $ty:ident) => {{
        let recorded = Recorded::read("complex_numpy");
        let z = &elements!(recorded.pool(concat!("left.", $dtype)), $ty)[..];
        let w = &elements!(recorded.pool(concat!("right.", $dtype)), $ty)[..];
        assert_eq!(recorded.ops().count(), FUNCTIONS.len() + 1);
        let parts = |z: Complex<$ty>| [f64::from(z.re), f64::from(z.im)];
        let rules = NumPy::new().rule_set();
        let mut out = vec![Complex { re: 0.0, im: 0.0 }; z.len()];
        for op in FUNCTIONS {
            let wanted = elements!(result(&recorded, op, $dtype), $ty);
            rules.unary(op, z.into(), (&mut out[..]).into()).expect("a kernel");
            for (i, (found, wanted)) in
                out.iter().zip(&wanted).enumerate().filter(|(i, _)| is_compared(op, *i))
            {
                let units = distance(parts(*found), parts(*wanted), f64::from($ty::EPSILON));
                assert!(units < 8.0, "{op}({}) is {found}, not {wanted}", z[i]);
            }
        }
        rules.binary(Op::Pow, z.into(), w.into(), (&mut out[..]).into()).expect("a kernel");
        let powers = elements!(result(&recorded, Op::Pow, $dtype), $ty);
        for (i, (found, wanted)) in out.iter().zip(&powers).enumerate().take(USUAL) {
            let units = distance(parts(*found), parts(*wanted), f64::from($ty::EPSILON));
            assert!(units < 32.0, "{} to {} is {found}, not {wanted}", z[i], w[i]);
        }

        // The functions of the type, of an element and of slices, give the bits of the run time.
        let bits = |z: Complex<$ty>| (z.re.to_bits(), z.im.to_bits());
        let mut typed = out.clone();
        NumPy::pow_into(z, w, &mut typed).expect("equal lengths");
        assert!(typed.iter().zip(&out).take(USUAL).all(|(a, b)| bits(*a) == bits(*b)));
        NumPy::asin_into(z, &mut typed).expect("equal lengths");
        for i in 0..USUAL {
            assert_eq!(bits(typed[i]), bits(NumPy::asin(z[i])), "{}", z[i]);
            assert_eq!(bits(out[i]), bits(NumPy::pow(z[i], w[i])), "{} to {}", z[i], w[i]);
        }
    }};
}

#[test]
fn functions_are_near_those_of_numpy() {
    compare!("c64" f32);
    compare!("c128" f64);
}

/// Returns true if a part of a / b lies beside a half of a whole number, so that the rounding of the division
/// decides.
fn is_tie(a: Complex<f64>, b: Complex<f64>, epsilon: f64) -> bool {
    let quotient = a / b;
    [quotient.re, quotient.im]
        .iter()
        .any(|x| (x.abs().fract() - 0.5).abs() <= 4.0 * epsilon * quotient.norm())
}

/// Paddle's `remainder` is a - round(a / b)·b, step by step, which gives equal bits unless its division
/// rounds a half to the other side: then it is off by ±b, ±ib or both. Its `hypot` is the root of powers that
/// it makes by logarithms, some units off, and on either side of the cut.
macro_rules! compare_paddle {
    ($dtype:literal $ty:ident) => {{
        let recorded = Recorded::read("complex_paddle");
        let a = &elements!(recorded.pool(concat!("left.", $dtype)), $ty)[..];
        let b = &elements!(recorded.pool(concat!("right.", $dtype)), $ty)[..];
        let [lengths, rests] =
            [Op::Hypot, Op::Remainder].map(|op| elements!(result(&recorded, op, $dtype), $ty));
        let wide = |z: Complex<$ty>| Complex { re: f64::from(z.re), im: f64::from(z.im) };
        let epsilon = f64::from($ty::EPSILON);
        let rules = Paddle::new().rule_set();
        let mut out = vec![Complex { re: 0.0, im: 0.0 }; a.len()];
        rules.binary(Op::Remainder, a.into(), b.into(), (&mut out[..]).into()).expect("a kernel");
        let (mut ties, mut equal) = (0, 0);
        for i in 0..a.len() {
            let (a, b, found, wanted) = (a[i], b[i], out[i], rests[i]);
            let same = |x: $ty, y: $ty| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
            if same(found.re, wanted.re) && same(found.im, wanted.im) {
                equal += 1;
                continue;
            }
            let (a, b) = (wide(a), wide(b));
            let off = (wide(found) - wide(wanted)) / b;
            let whole = Complex { re: off.re.round(), im: off.im.round() };
            // More than one where the quotient is so great that its unit is.
            let (rounding, size) =
                (4.0 * epsilon * (1.0 + (a / b).norm()), whole.re.abs().max(whole.im.abs()));
            let one = size <= 1.0 + rounding && (off - whole).norm() <= rounding;
            assert!(is_tie(a, b, epsilon) && one, "remainder({a}, {b}) is {found}, not {wanted}");
            ties += 1;
        }
        assert!(equal > a.len() * 9 / 10, "{equal} equal, {ties} ties");

        rules.binary(Op::Hypot, a.into(), b.into(), (&mut out[..]).into()).expect("a kernel");
        let mut compared = 0;
        for i in 0..a.len() {
            let (found, wanted) = (wide(out[i]), wide(lengths[i]));
            let (a, b) = (wide(a[i]), wide(b[i]));
            if !(a.is_finite() && b.is_finite()) {
                assert!(
                    !found.is_finite() && !wanted.is_finite(),
                    "hypot({a}, {b}) is {found}, not {wanted}"
                );
                continue;
            }
            // The error of the squares is that of the sum, of which the root has half.
            let (sum, squares) = (a * a + b * b, a.norm_sqr() + b.norm_sqr());
            let bound = 2.0 * epsilon * squares * (2.0 + squares.max(f64::MIN_POSITIVE).ln().abs());
            let near = |root: Complex<f64>| (root * root - sum).norm() <= bound;
            assert!(near(found) && near(wanted), "hypot({a}, {b}) is {found}, not {wanted}");
            // Beyond the rounding of its powers, on the same side.
            if (found - wanted).norm() > (found + wanted).norm() {
                assert!(sum.re <= 0.0 && sum.im.abs() <= bound, "hypot({a}, {b}) is {found}, not {wanted}");
            }
            compared += 1;
        }
        assert_eq!(compared, 654);

        // The functions of the type give the bits of the run time.
        for i in 0..200 {
            let bits = |z: Complex<$ty>| (z.re.to_bits(), z.im.to_bits());
            assert_eq!(bits(out[i]), bits(Paddle::hypot(a[i], b[i])), "{} {}", a[i], b[i]);
            assert_eq!(bits(rests[i]), bits(Paddle::remainder(a[i], b[i])), "{} {}", a[i], b[i]);
        }
    }};
}

#[test]
fn hypot_and_remainder_are_those_of_paddle() {
    compare_paddle!("c64" f32);
    compare_paddle!("c128" f64);
}

/// NumPy does not compute with complex numbers of two f16. PyTorch does, in c64.
#[test]
fn complex_numbers_of_two_f16_compute_in_c64() {
    use half::f16;
    let z =
        [(0.5, -2.0), (-3.0, 0.25)].map(|(re, im)| Complex { re: f16::from_f64(re), im: f16::from_f64(im) });
    let mut out = z;
    promote::Torch::exp_into(&z, &mut out).expect("equal lengths");
    for (z, found) in z.into_iter().zip(out) {
        let wide = Complex { re: z.re.to_f64(), im: z.im.to_f64() }.exp();
        assert_eq!(found, Complex { re: f16::from_f64(wide.re), im: f16::from_f64(wide.im) });
    }
}

#[test]
fn ops_of_two_complex_numbers_take_options() {
    use promote::CallError;
    use promote::{Argument, Error, Flags, Jax, Torch};
    let z = |re: f64, im: f64| Complex { re, im };
    let (a, b) = (z(1.0, 2.0), z(2.0, -1.0));
    assert_eq!(Torch::lerp(a, b, 0.25), z(1.25, 1.25));
    assert_eq!(Torch::l1_loss(a, b).to_bits(), 10.0_f64.sqrt().to_bits());
    assert_eq!(Torch::ldexp(a, 3_i32), z(8.0, 16.0));
    assert_eq!(Torch::ldexp(a, z(-1.0, 0.0)), z(0.5, 1.0));
    let near = |found: Complex<f64>, wanted: Complex<f64>| {
        assert!((found - wanted).norm() < 4e-16 * wanted.norm(), "{found}, not {wanted}");
    };
    near(Torch::logaddexp(a, b), (a.exp() + b.exp()).ln());
    near(Jax::logaddexp2(a, b), (a.exp2() + b.exp2()).log2());
    near(Torch::poisson_nll_loss(a, b, 1e-8, Flags::default()), a.exp() - b * a);
    // As PyTorch: -1.7166+0.5904i.
    let loss = Torch::poisson_nll_loss(a, b, 1e-8, Flags::DEFAULT.with_log_input(false));
    assert!((loss - z(-1.7166, 0.5904)).norm() < 1e-4, "{loss}");
    // JAX gives -1.448307+0.36172975i.
    let angle = Jax::atan2(z(-3.0, 0.5), z(0.5, 1.0));
    assert!((angle - z(-1.448_307, 0.361_729_75)).norm() < 1e-6, "{angle}");

    let full = Flags::DEFAULT.with_full(true);
    let (a, b) = ([a], [b]);
    let given = [Argument::Slice(a[..].into()), Argument::Slice(b[..].into())];
    let mut out = [z(0.0, 0.0)];
    let refused =
        Torch::new().rule_set().elementwise_with(Op::PoissonNllLoss, full, &given, (&mut out[..]).into());
    assert!(matches!(refused, Err(Error::Call(CallError::NoKernel { .. }))), "complex numbers have no order");
    let rules = Torch::new().rule_set();
    let mean =
        rules.reduced(Op::L1Loss, Flags::default(), &given, promote::Reduction::Mean).expect("a kernel");
    assert_eq!(mean.get::<f64>(), Some(10.0_f64.sqrt()));
}
