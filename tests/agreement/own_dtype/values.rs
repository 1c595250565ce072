//! Values: typed functions compared with formulas, and kernels at every level and in every form of a call
//! compared with typed functions.

use half::{bf16, f16};
use num_complex::Complex;
use promote::op::{self, OpType};
use promote::{Argument, Kernel, ScalarValue, Slice, SliceMut};
use promote::{Compute, DType, Element, Level, Number, Operand};

use crate::rules::Fixed;
use crate::types::{Cents, Degrees, Mask, Q15, Q31};
use crate::wider::Wider;

/// Lengths: no elements, a tail without a whole vector, several blocks of 4 KiB.
const LENGTHS: [usize; 5] = [0, 1, 37, 600, 5000];

/// Returns an element made of random bits.
pub(crate) trait Sample: Element {
    fn sample(bits: u64) -> Self;
}

macro_rules! samples {
    ($($ty:ty: |$bits:ident| $value:expr;)*) => {$(
        impl Sample for $ty {
            fn sample($bits: u64) -> $ty {
                $value
            }
        }
    )*};
}

samples! {
    bool: |bits| bits & 1 != 0;
    i8: |bits| bits as i8;
    u8: |bits| bits as u8;
    i32: |bits| bits as i32 >> (bits >> 59);
    i64: |bits| bits as i64 >> (bits >> 58);
    f16: |bits| f16::from_bits(bits as u16);
    bf16: |bits| bf16::from_bits(bits as u16);
    f32: |bits| if bits >> 60 == 0 { f32::from_bits(bits as u32) } else { bits as i32 as f32 / 2_147_483_648.0 };
    f64: |bits| if bits >> 60 == 0 { f64::from_bits(bits) } else { bits as i64 as f64 / 2.0_f64.powi(63) };
    Complex<f32>: |bits| Complex::new(f32::sample(bits), f32::sample(bits.rotate_left(32)));
    Q15: |bits| Q15(bits as i16);
    Q31: |bits| Q31(bits as i32 >> (bits >> 60));
    Degrees: |bits| Degrees(f32::sample(bits));
    Cents: |bits| Cents(bits as i64 >> (bits >> 58));
    Mask: |bits| Mask(bits as u8);
}

pub(crate) fn samples<T: Sample>(seed: u64, n: usize) -> Vec<T> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        T::sample(state)
    };
    core::iter::repeat_with(next).take(n).collect()
}

/// Returns true if two elements have equal bits or are both NaN.
fn same<T: Element>(a: T, b: T) -> bool {
    let (a, b) = (ScalarValue::new(a), ScalarValue::new(b));
    let nan = |x: &ScalarValue| match x.number() {
        Some(Number::Float(x)) => x.is_nan(),
        Some(Number::Complex(re, im)) => re.is_nan() || im.is_nan(),
        _ => false,
    };
    a.as_bytes() == b.as_bytes() || nan(&a) && nan(&b)
}

fn all_same<T: Element>(found: &[T], expected: &[T], what: &str) {
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let of = |x: &T| (ScalarValue::new(*x).number(), ScalarValue::new(*x).as_bytes().to_vec());
        assert!(same(*found, *expected), "{what}, element {i}: {:?}, not {:?}", of(found), of(expected));
    }
}

/// The bytes of elements, at an odd address.
fn odd<T: Element>(elements: &[T]) -> Vec<u8> {
    let bytes = elements.iter().flat_map(|x| ScalarValue::new(*x).as_bytes().to_vec());
    core::iter::once(0).chain(bytes).collect()
}

fn call<T: Element>(kernel: &Kernel, inputs: &[Argument<'_>], n: usize) -> Vec<T> {
    let mut out = Vec::with_capacity(n);
    kernel.call_inputs(inputs, SliceMut::uninit(&mut out.spare_capacity_mut()[..n])).expect("equal lengths");
    // SAFETY: the call has written all of them.
    unsafe { out.set_len(n) };
    out
}

fn binary<R, O, A, B>(rules: promote::RuleSet)
where
    O: OpType,
    A: Sample,
    B: Sample,
    R: Compute<O, (A, B)>,
{
    let types = rules.op_types(O::OP, &[Operand::Array(A::DTYPE), Operand::Array(B::DTYPE)]).expect("types");
    assert_eq!(types.output, R::Output::DTYPE);
    for n in LENGTHS {
        let (a, b): (Vec<A>, Vec<B>) = (samples(1, n), samples(2, n));
        let expected: Vec<R::Output> = a.iter().zip(&b).map(|(a, b)| R::compute((*a, *b))).collect();
        let (odd_a, odd_b) = (odd(&a), odd(&b));
        for &level in Level::ALL {
            let what = |how: &str| format!("{} of {}, {} at {level}, {how}", O::OP, A::DTYPE, B::DTYPE);
            let kernel = rules.kernel_at(level, O::OP, A::DTYPE, B::DTYPE).expect("a kernel");
            assert_eq!(kernel.dtypes(), [A::DTYPE, B::DTYPE, R::Output::DTYPE]);
            let slices = [Argument::Slice(Slice::new(&a)), Argument::Slice(Slice::new(&b))];
            all_same(&call(&kernel, &slices, n), &expected, &what("slices"));
            let unaligned = [(A::DTYPE, &odd_a), (B::DTYPE, &odd_b)].map(|(dtype, bytes)| {
                Argument::Slice(Slice::from_bytes(dtype, &bytes[1..]).expect("whole elements"))
            });
            all_same(&call(&kernel, &unaligned, n), &expected, &what("at odd addresses"));
            let Some((&a0, &b0)) = a.first().zip(b.first()) else { continue };
            let left = [Argument::ZeroDim(a0.into()), slices[1]];
            let expected: Vec<R::Output> = b.iter().map(|b| R::compute((a0, *b))).collect();
            all_same(&call(&kernel, &left, n), &expected, &what("scalar left"));
            let right = [slices[0], Argument::ZeroDim(b0.into())];
            let expected: Vec<R::Output> = a.iter().map(|a| R::compute((*a, b0))).collect();
            all_same(&call(&kernel, &right, n), &expected, &what("scalar right"));
        }
    }
}

fn unary<R, O, A>(rules: promote::RuleSet)
where
    O: OpType,
    A: Sample,
    R: Compute<O, (A,)>,
{
    for n in LENGTHS {
        let a: Vec<A> = samples(3, n);
        let expected: Vec<R::Output> = a.iter().map(|a| R::compute((*a,))).collect();
        for &level in Level::ALL {
            let kernel = rules.unary_kernel_at(level, O::OP, A::DTYPE).expect("a kernel");
            let found: Vec<R::Output> = call(&kernel, &[Argument::Slice(Slice::new(&a))], n);
            all_same(&found, &expected, &format!("{} of {} at {level}", O::OP, A::DTYPE));
        }
    }
}

macro_rules! binary {
    ($set:ident: $($op:ident)*; $pairs:tt) => {$( binary! { @pairs $set $op $pairs } )*};
    (@pairs $set:ident $op:ident [$($a:ty, $b:ty;)*]) => {
        $(binary::<$set, op::$op, $a, $b>($set::new().rule_set());)*
    };
}

macro_rules! unary {
    ($($ty:ty: $($op:ident)*;)*) => {$($(unary::<Fixed, op::$op, $ty>(Fixed::new().rule_set());)*)*};
}

#[test]
fn arithmetic_is_equal_by_every_kind_of_call() {
    binary! { Fixed: Add Subtract Multiply; [
        Q15, Q15; Q15, i8; u8, Q15; i64, Q15; Q15, f32; Q15, f64; Complex<f32>, Q15;
        Q31, Q31; Q31, Q15; Q15, Q31; Q31, u8; Q31, f64;
        Degrees, Degrees; Degrees, i32; f16, Degrees; Degrees, f64;
    ] }
}

#[test]
fn comparisons_and_extrema_are_equal_by_every_kind_of_call() {
    binary! { Fixed: Equal NotEqual Less LessEqual Greater GreaterEqual Maximum Minimum Fmax Fmin ClampMin; [
        Q15, Q15; i32, Q15; Q15, f32; Q15, Q31; Q31, Q31; Degrees, Degrees; bf16, Degrees;
    ] }
    unary! { Q15: Isnan; Degrees: Isnan; }
}

#[test]
fn other_ops_are_equal_by_every_kind_of_call() {
    binary! { Fixed: LogicalAnd LogicalOr LogicalXor; [Q15, Q15; Q15, u8; Q31, Q15; Degrees, Degrees;] }
    binary! { Fixed: BitwiseAnd LeftShift; [Q15, Q15; Q15, i8;] }
    binary! { Fixed: Fmod Remainder; [Q31, Q31; Q31, Q15;] }
    binary! { Fixed: Divide Pow; [Degrees, Degrees; Degrees, u8;] }
    binary! { Wider: Add Subtract Less; [Cents, Cents; Cents, i8; i64, Cents; Q15, Q31;] }
    unary! {
        Q15: Negative Abs Square LogicalNot Conj Real;
        Q31: Square LogicalNot Conj;
        Degrees: Negative Abs Sign Square Reciprocal LogicalNot;
    }
}

#[test]
fn functions_are_computed_in_the_dtype_that_the_file_names() {
    binary! { Fixed: Divide; [Q15, Q15; Q15, i8; Q31, Q31; Q31, Q15;] }
    unary! { Q15: Exp Sin Sqrt Sigmoid Floor; Q31: Exp Log1p; Degrees: Sin Cos; }
    assert_eq!(Fixed::sin(Degrees(1.0)).to_bits(), Fixed::sin(1.0_f32).to_bits());
}

/// The results of the type's own formulas, without this library.
#[test]
fn values_come_from_the_traits_of_the_type() {
    let clamp = |x: i64| x.clamp(-32768, 32767) as i16;
    for (a, b) in samples::<Q15>(5, 4000).into_iter().zip(samples::<i8>(6, 4000)) {
        let wide = i64::from(b) << 15;
        assert_eq!(Fixed::add(a, b), Q15(clamp(i64::from(a.0) + i64::from(clamp(wide)))));
        assert_eq!(Fixed::less(a, b), i64::from(a.0) < i64::from(clamp(wide)));
        assert_eq!(Fixed::negative(a), Q15(a.0.saturating_neg()));
        assert_eq!(Fixed::add(a, 0.5_f32).to_bits(), (f32::from(a.0) / 32768.0 + 0.5).to_bits());
        assert_eq!(Fixed::maximum(a, Q31(i32::from(b))), Q31((i32::from(a.0) << 16).max(i32::from(b))));
    }
    assert_eq!(Fixed::maximum(Degrees(f32::NAN), Degrees(1.0)).0.to_bits(), f32::NAN.to_bits());
    assert_eq!(Fixed::minimum(Degrees(1.0), Degrees(f32::NAN)).0.to_bits(), f32::NAN.to_bits());
    assert_eq!(Fixed::fmax(Degrees(f32::NAN), Degrees(1.0)), Degrees(1.0));
    assert_eq!(Fixed::remainder(Q31(-7), Q31(3)), Q31(2));
    assert_eq!(Fixed::fmod(Q31(-7), Q31(3)), Q31(-1));
    assert_eq!(Wider::add(Cents(250), 3_u8), Cents(550));
    assert_eq!(Wider::bitwise_and(Mask(6), Mask(3)), Mask(2));
}

fn casts<A: Sample + promote::Cast<C>, C: Element>() {
    let rules = Wider::new().rule_set();
    for n in LENGTHS {
        let a: Vec<A> = samples(4, n);
        let expected: Vec<C> = a.iter().map(|a| a.cast()).collect();
        for &level in Level::ALL {
            let cast = rules.cast_kernel_at(level, A::DTYPE, C::DTYPE).expect("a cast");
            let mut out = Vec::with_capacity(n);
            let room = SliceMut::uninit(&mut out.spare_capacity_mut()[..n]);
            cast.call(Slice::new(&a), room).expect("equal lengths");
            // SAFETY: the call has written all of them.
            unsafe { out.set_len(n) };
            all_same(&out, &expected, &format!("{} to {} at {level}", A::DTYPE, C::DTYPE));
        }
        for (a, expected) in a.iter().zip(&expected) {
            let found = ScalarValue::new(*a).cast(C::DTYPE, false).expect("a cast");
            assert!(same(found.get::<C>().expect("of that dtype"), *expected));
        }
    }
}

#[test]
fn casts_are_equal_by_every_kind_of_call() {
    macro_rules! both {
        ($($own:ty: $($other:ty)*;)*) => {$($(casts::<$own, $other>(); casts::<$other, $own>();)*)*};
    }
    both! {
        Q15: bool i8 u8 i32 i64 f16 bf16 f32 f64 Complex<f32>;
        Q31: bool u8 i32 f16 f32 f64;
        Degrees: bool f16 f32 f64 Complex<f32>;
        Cents: bool i8 i64 f16 f32 f64;
    }
    casts::<Q15, Q31>();
    casts::<Q15, Q15>();
    casts::<Mask, Mask>();
    assert_eq!(DType::F32, <<Q15 as promote::__private::CastVia>::Via as Element>::DTYPE);
}
