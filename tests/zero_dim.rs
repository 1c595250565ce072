//! Zero-dimensional arrays as types: each pair promotes as at run time, whose tables `dtypes` compares with
//! what the systems answered.

use core::marker::PhantomData;

use float8::{F8E4M3, F8E5M2};
use half::{bf16, f16};
use num_complex::Complex;
use promote::__private::OperandType;
use promote::{
    DType, Element, Jax, NumPy, Number, OneFlow, Operand, Paddle, Promote, Promoted, RuleSet, Torch, Weak,
    ZeroDim, promoted,
};

/// A result: its dtype, true if it has no axes, and true if it is weak.
type Found = (DType, bool, bool);

const fn found<T: OperandType>() -> Found {
    match T::OPERAND {
        Operand::ZeroDim(dtype, _) => (dtype, true, false),
        Operand::Weak(dtype) => (dtype, false, true),
        Operand::Number(Number::Bool(_)) => (DType::Bool, false, true),
        Operand::Number(Number::Int(_)) => (DType::I64, false, true),
        Operand::Number(Number::Float(_)) => (DType::F64, false, true),
        Operand::Number(Number::Complex(..)) => (DType::C128, false, true),
        Operand::Array(dtype) => (dtype, false, false),
        _ => panic!("an operand of another category"),
    }
}

/// Tells by its constant what two types promote to.
struct Probe<A, B, R>(PhantomData<(A, B, R)>);

/// The constant of a pair that does not promote.
trait Refused {
    const FOUND: Option<Found> = None;
}

impl<T> Refused for T {}

impl<A: Promote<B, R, Output: OperandType>, B, R> Probe<A, B, R> {
    const FOUND: Option<Found> = Some(found::<Promoted<A, B, R>>());
}

const NUMBERS: [Operand; 4] = [
    promote::__private::operand::<Weak<bool>>(),
    promote::__private::operand::<Weak<i64>>(),
    promote::__private::operand::<Weak<f64>>(),
    promote::__private::operand::<Weak<Complex<f64>>>(),
];

/// Compares the types of a pair with the tables.
fn compare(rules: &RuleSet, [a, b]: [Operand; 2], found: Option<Found>) -> usize {
    let has_axes = |operand: &Operand| matches!(operand, Operand::Array(_) | Operand::Weak(_));
    let zero_dim = !has_axes(&a) && !has_axes(&b);
    let promoted = rules.result_type(&[a, b]).ok();
    let expected = promoted.map(|result| (result.dtype, zero_dim && !result.weak, result.weak));
    // A result without a Rust type is refused, too.
    let expected = expected.filter(|(dtype, ..)| dtype.has_type());
    assert_eq!(found, expected, "{a:?} and {b:?} under {}", rules.name());
    usize::from(found.is_some())
}

macro_rules! cells {
    (@pairs $r:ident $rules:ident $count:ident; $($a:ty),*; $all:tt) => {
        $(cells! { @row $r $rules $count; $a; $all })*
    };
    (@row $r:ident $rules:ident $count:ident; $a:ty; [$($b:ty),*]) => {$(
        let (zero_a, zero_b) = (Operand::ZeroDim(<$a>::DTYPE, None), Operand::ZeroDim(<$b>::DTYPE, None));
        let (array_a, array_b) = (Operand::Array(<$a>::DTYPE), Operand::Array(<$b>::DTYPE));
        $count += compare(&$rules, [array_a, zero_b], Probe::<$a, ZeroDim<$b>, $r>::FOUND);
        $count += compare(&$rules, [zero_a, array_b], Probe::<ZeroDim<$a>, $b, $r>::FOUND);
        $count += compare(&$rules, [zero_a, zero_b], Probe::<ZeroDim<$a>, ZeroDim<$b>, $r>::FOUND);
    )*};
    (@numbers $r:ident $rules:ident $count:ident; $($a:ty),*) => {$(
        let zero = Operand::ZeroDim(<$a>::DTYPE, None);
        let found = [
            Probe::<ZeroDim<$a>, Weak<bool>, $r>::FOUND,
            Probe::<ZeroDim<$a>, Weak<i64>, $r>::FOUND,
            Probe::<ZeroDim<$a>, Weak<f64>, $r>::FOUND,
            Probe::<ZeroDim<$a>, Weak<Complex<f64>>, $r>::FOUND,
        ];
        let turned = [
            Probe::<Weak<bool>, ZeroDim<$a>, $r>::FOUND,
            Probe::<Weak<i64>, ZeroDim<$a>, $r>::FOUND,
            Probe::<Weak<f64>, ZeroDim<$a>, $r>::FOUND,
            Probe::<Weak<Complex<f64>>, ZeroDim<$a>, $r>::FOUND,
        ];
        for (i, number) in NUMBERS.into_iter().enumerate() {
            $count += compare(&$rules, [zero, number], found[i]);
            $count += compare(&$rules, [number, zero], turned[i]);
        }
    )*};
    ($r:ident) => {{
        let rules = $r::new().rule_set();
        let mut count = 0;
        cells! { @all $r rules count }
        count
    }};
    (@all $r:ident $rules:ident $count:ident) => {
        cells! { @pairs $r $rules $count;
            bool, u8, u16, u32, u64, i8, i16, i32, i64, F8E4M3, F8E5M2, f16, bf16, f32, f64, Complex<f16>, Complex<f32>,
            Complex<f64>;
            [bool, u8, u16, u32, u64, i8, i16, i32, i64, F8E4M3, F8E5M2, f16, bf16, f32, f64, Complex<f16>, Complex<f32>,
            Complex<f64>]
        }
        cells! { @numbers $r $rules $count;
            bool, u8, u16, u32, u64, i8, i16, i32, i64, F8E4M3, F8E5M2, f16, bf16, f32, f64, Complex<f16>, Complex<f32>,
            Complex<f64>
        }
    };
}

#[test]
fn pytorch_counts_them_less_than_arrays() {
    assert!(cells!(Torch) > 500);
}

#[test]
fn numpy_and_jax_count_them_as_arrays() {
    assert!(cells!(NumPy) > 500 && cells!(Jax) > 500);
}

#[test]
fn paddle_and_oneflow_have_rules_of_their_own_for_them() {
    assert!(cells!(Paddle) > 300 && cells!(OneFlow) > 200);
}

#[test]
fn lists_join_arrays_first() {
    // Pair by pair this would be f32.
    let _: promoted!(Torch: i32, ZeroDim<f32>, f16) = f16::ONE;
    let _: promoted!(Torch: ZeroDim<f64>, f16, f32) = 1.0_f32;
    let _: promoted!(Torch: ZeroDim<i64>, Weak<f64>) = ZeroDim(1.0_f32);
    let _: promoted!(Torch: ZeroDim<i64>, Weak<f64>, u8) = 1.0_f32;
    let _: promoted!(NumPy: ZeroDim<f64>, f32) = 1.0_f64;
}
