//! Functions of complex numbers: types, functions and the run time give what NumPy gave (`tests/data/record_complex.py`).

#[path = "recorded/functions.rs"]
mod functions;

use functions::FUNCTIONS;
use num_complex::Complex;
use promote::{NumPy, Op};

const C64: &[u8] = include_bytes!("data/complex_c64.npy");
const C128: &[u8] = include_bytes!("data/complex_c128.npy");

/// How many of the operands have two parts of a usual size; the others have zeros, infinities, NaN and extremes.
const USUAL: usize = 47;

/// The elements behind the header of a file, in rows.
fn rows<T>(file: &[u8], element: impl Fn(&[u8]) -> T, size: usize) -> Vec<Vec<T>> {
    let header = usize::from(u16::from_le_bytes([file[8], file[9]]));
    let elements: Vec<T> = file[10 + header..].chunks(size).map(element).collect();
    let mut elements = elements.into_iter();
    let n = elements.len() / (FUNCTIONS.len() + 3);
    (0..FUNCTIONS.len() + 3).map(|_| elements.by_ref().take(n).collect()).collect()
}

/// How many units of the last place of the absolute value two results lie apart; infinite where one is no number, or infinite, and
/// the other is not so.
fn distance(found: [f64; 2], wanted: [f64; 2], epsilon: f64) -> f64 {
    let size = wanted.iter().filter(|x| x.is_finite()).fold(f64::MIN_POSITIVE, |size, x| size.max(x.abs()));
    let part = |(x, y): (f64, f64)| match () {
        () if x.is_nan() && y.is_nan() || x.is_infinite() && y.is_infinite() => 0.0,
        () if x.is_finite() && y.is_finite() => (x - y).abs() / (size * epsilon),
        () => f64::INFINITY,
    };
    part((found[0], wanted[0])).max(part((found[1], wanted[1])))
}

/// Of the functions that C99 has, glibc's are NumPy's, and good to a few units; NumPy's own lose more, above all beyond the usual.
fn is_compared(op: Op, i: usize) -> bool {
    i < USUAL || !matches!(op, Op::Expm1 | Op::Exp2 | Op::Log1p | Op::Log2 | Op::Log10)
}

macro_rules! compare {
    ($file:ident $ty:ident) => {{
        let part = |bytes: &[u8]| $ty::from_le_bytes(bytes.try_into().expect("a part"));
        let element = |bytes: &[u8]| {
            let (re, im) = bytes.split_at(size_of::<$ty>());
            Complex { re: part(re), im: part(im) }
        };
        let rows = rows($file, element, 2 * size_of::<$ty>());
        let (z, w) = (&rows[0][..], &rows[1][..]);
        let parts = |z: Complex<$ty>| [f64::from(z.re), f64::from(z.im)];
        let rules = NumPy::new().rule_set();
        let mut out = vec![Complex { re: 0.0, im: 0.0 }; z.len()];
        for (op, wanted) in FUNCTIONS.into_iter().zip(&rows[2..]) {
            rules.unary(op, z.into(), (&mut out[..]).into()).expect("a kernel");
            for (i, (found, wanted)) in
                out.iter().zip(wanted).enumerate().filter(|(i, _)| is_compared(op, *i))
            {
                let units = distance(parts(*found), parts(*wanted), f64::from($ty::EPSILON));
                assert!(units < 8.0, "{op}({}) is {found}, not {wanted}", z[i]);
            }
        }
        rules.binary(Op::Pow, z.into(), w.into(), (&mut out[..]).into()).expect("a kernel");
        for (i, (found, wanted)) in out.iter().zip(&rows[FUNCTIONS.len() + 2]).enumerate().take(USUAL) {
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
fn numpy() {
    compare!(C64 f32);
    compare!(C128 f64);
}

/// NumPy computes a complex of two f16 nowhere; PyTorch does, in c64.
#[test]
fn half() {
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

/// Ops of two complex numbers and of what they take besides.
#[test]
fn two_operands() {
    use promote::kernel::CallError;
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
    let loss = Torch::poisson_nll_loss(a, b, 1e-8, Flags { log_input: false, ..Flags::default() });
    assert!((loss - z(-1.7166, 0.5904)).norm() < 1e-4, "{loss}");
    // JAX gives -1.448307+0.36172975i.
    let angle = Jax::atan2(z(-3.0, 0.5), z(0.5, 1.0));
    assert!((angle - z(-1.448_307, 0.361_729_75)).norm() < 1e-6, "{angle}");

    let full = Flags { full: true, ..Flags::default() };
    let (a, b) = ([a], [b]);
    let given = [Argument::Array(a[..].into()), Argument::Array(b[..].into())];
    let mut out = [z(0.0, 0.0)];
    let refused =
        Torch::new().rule_set().elementwise_with(Op::PoissonNllLoss, full, &given, (&mut out[..]).into());
    assert!(matches!(refused, Err(Error::Call(CallError::NoKernel { .. }))), "complex numbers have no order");
    let rules = Torch::new().rule_set();
    let mean =
        rules.reduced(Op::L1Loss, Flags::default(), &given, promote::Reduction::Mean).expect("a kernel");
    assert_eq!(mean.get::<f64>(), Some(10.0_f64.sqrt()));
}
