//! The greater and the lesser of two narrow floats, by their bits: an integer has the order of a float if
//! those below its sign are turned where that is set. As `f32` they would be half as many to a vector, and
//! each rounded again, which takes three times as long.

use crate::ops::extremum;
use core::cmp::Ordering;
use core::marker::PhantomData;

use promote_core::__private::FloatBits;

use super::body::input;
use super::loops::{Reads, Replaces, work};
use super::pointers::Pointers;
use crate::DType;
use crate::convert::Nan;
use crate::element::Element;
use crate::level::Lanes;
use crate::ops::KernelType;

/// The greater or the lesser, as `K` is, of two elements of the narrow float `T`, of 16 bits: as
/// [`Fused`](super::body::Fused), to the bit.
pub(super) struct Ordered<K, T>(PhantomData<(K, T)>);

/// As [`Ordered`], with one element for the second operand.
pub(super) struct OrderedSpread<K, T>(PhantomData<(K, T)>);

/// Whether an op on two elements of the dtype of its results can be computed so, which are converted to `C`
/// before.
pub(super) const fn is_ordered<K: KernelType, C: Element, T: Element>() -> bool {
    let itself = C::DTYPE.index() == T::DTYPE.index();
    extremum(K::OP).is_some() && itself && matches!(T::DTYPE, DType::F16 | DType::BF16)
}

/// The bits of the greater or the lesser; of a NaN, a quiet one, of `a` before `b`; of two zeros, +0 is the
/// greater.
#[inline(always)]
#[allow(clippy::needless_bitwise_bool, reason = "vector code has no branches")]
fn chosen<K: KernelType, T: Element>(a: u16, b: u16) -> u16 {
    let (infinity, quiet) = const {
        assert!(T::DTYPE.bits() == u16::BITS, "a dtype of other bits");
        let float = FloatBits::of(T::DTYPE).expect("a float");
        (float.greatest as u16, float.quiet as u16)
    };
    let is_nan = |bits: u16| bits & 0x7FFF > infinity;
    let order = |bits: u16| (bits ^ ((bits.cast_signed() >> 15).cast_unsigned() >> 1)).cast_signed();
    let first = match const { extremum(K::OP) } {
        Some(Ordering::Less) => order(a) < order(b),
        _ => order(a) > order(b),
    };
    let (nan_a, nan_b) = (is_nan(a), is_nan(b));
    let bits = if nan_a | (first & !nan_b) { a } else { b };
    bits | if nan_a | nan_b { quiet } else { 0 }
}

impl<K: 'static, T: Element> Reads for Ordered<K, T> {
    type Operands = (*const u16, *const u16);

    #[inline(always)]
    unsafe fn operands(inputs: Pointers) -> Self::Operands {
        // SAFETY: the caller promises two inputs, of elements that are 16 bits.
        unsafe { (input::<u16>(inputs, 0), input::<u16>(inputs, 1)) }
    }
}

work! {
    [K, T] Ordered<K, T> where [K: KernelType, T: Element], u16, Nan,
    at<L>(_lanes, (a, b), i) {
        // SAFETY: the caller promises it.
        let (a, b) = unsafe { (a.add(i).read(), b.add(i).read()) };
        chosen::<K, T>(a, b)
    }
}

impl<K: KernelType, T: Element> Replaces for Ordered<K, T> {
    type Spread = OrderedSpread<K, T>;

    #[inline(always)]
    fn replacing((_, b): Self::Operands, first: *const u16) -> Self::Operands {
        (first, b)
    }

    #[inline(always)]
    unsafe fn over<L: Lanes>(_: L, first: u16, (_, b): Self::Operands, i: usize) -> u16 {
        // SAFETY: the caller promises it of `b`.
        chosen::<K, T>(first, unsafe { b.add(i).read() })
    }
}

impl<K: 'static, T: Element> Reads for OrderedSpread<K, T> {
    type Operands = (*const u16, u16);

    #[inline(always)]
    unsafe fn operands(inputs: Pointers) -> Self::Operands {
        // SAFETY: the caller promises two inputs, the second of which points to an element, aligned and
        // initialised.
        unsafe { (input::<u16>(inputs, 0), input::<u16>(inputs, 1).read()) }
    }
}

work! {
    [K, T] OrderedSpread<K, T> where [K: KernelType, T: Element], u16, Nan,
    at<L>(_lanes, (a, b), i) {
        // SAFETY: the caller promises it.
        chosen::<K, T>(unsafe { a.add(i).read() }, b)
    }
}
