//! Loops and bodies: what a kernel function runs.
//!
//! Most kernels are the loops of a [`Map`](super::map::Map). This module has the selection between two
//! operands, and the check for operands that an op refuses.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::map::{Each, Inputs, Map, Reader as _};
use super::per_level::plain;
use super::{RawKernel, Status};
use crate::DType;
use crate::convert::{ConvertTo, Overflow};
use crate::element::Element;
use crate::level::Lanes;
use crate::level::doors::{Body, Levels, Loop, Target};
use crate::level::function::Pointers;
use crate::ops::{ComputeForm, KernelType, LaneValue, OpLane};

/// Writes `n` results of `P`.
///
/// Through the type parameter rustc cannot inline the loop before LLVM does, so LLVM sees `out` as an
/// argument and knows that it overlaps no operand.
///
/// # Safety
///
/// As [`Loop::fill`], for `n` elements; `out` points to room for `n` results, aligned, which overlaps no
/// operand.
#[inline(always)]
pub(super) unsafe fn write<L: Target, P: Loop>(lanes: L, n: usize, inputs: Pointers, out: *mut u8) {
    // After a branch, LLVM would otherwise count from the middle of a step on: `add` of c128 took a twentieth
    // longer in L1. SAFETY: the caller promises room for `n` results, and no room has more bytes.
    unsafe { core::hint::assert_unchecked(n <= isize::MAX as usize / size_of::<P::To>()) };
    // SAFETY: the caller promises room for `n` results that overlap no input; what is there need not be
    // initialised.
    let out = unsafe { core::slice::from_raw_parts_mut(out.cast::<MaybeUninit<P::To>>(), n) };
    // SAFETY: as the caller promises.
    unsafe { P::fill(lanes, inputs, out) };
}

/// The loop `P`, after a check of all operands of the kernel `M`; with no `out`, nothing but the check.
pub(super) struct Checked<M, P>(PhantomData<(M, P)>);

impl<K, I, F, O, P> Body for Checked<Map<K, I, F, O>, P>
where
    F: ComputeForm,
    I: Inputs<F>,
    K: OpLane<F::Lane, I::Args, Out: LaneValue<Reg = O::Reg>>,
    O: Element,
    P: Loop,
{
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: Pointers, out: *mut u8) -> Status {
        // SAFETY: as the caller promises.
        let found = unsafe { Map::<K, I, F, O>::check(lanes, n, inputs) };
        if found == Status::Done && !out.is_null() {
            // SAFETY: the caller promises the same, and `out` is not null.
            unsafe { write::<L, P>(lanes, n, inputs, out) };
        }
        found
    }
}

/// The loop `P` among the functions of `S`, which is called and not compiled again.
pub(super) struct Shared<S, P>(PhantomData<(S, P)>);

impl<S: Levels, P: Loop> Loop for Shared<S, P> {
    type To = P::To;

    #[inline(always)]
    unsafe fn fill<L: Target>(_: L, inputs: Pointers, out: &mut [MaybeUninit<P::To>]) {
        let raw = const { plain::<S, P>(true).expect(L::LEVEL) };
        // Called by its address: LLVM would otherwise inline a second copy of the function here.
        let raw: RawKernel = core::hint::black_box(raw);
        // SAFETY: the caller promises the inputs, of which there are at most two, and `out` is borrowed
        // exclusively; a value of `L` exists, so the machine has the level.
        unsafe {
            raw(out.len(), inputs.first(), inputs.second(), core::ptr::null(), out.as_mut_ptr().cast())
        };
    }
}

/// Elements of `A` where the condition, the third input, is true, and elements of `B` elsewhere, converted to
/// `C`. Any byte but 0 is true.
pub(super) struct Select<K, A, B, C>(PhantomData<(K, A, B, C)>);

impl<K, A, B, C> Loop for Select<K, A, B, C>
where
    K: KernelType,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element,
{
    type To = C::Repr;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<C::Repr>]) {
        // SAFETY: the caller promises two inputs and a condition.
        let (a, b, condition) = unsafe {
            (Each::<A>::at(inputs.at(0)), Each::<B>::at(inputs.at(1)), Each::<bool>::at(inputs.at(2)))
        };
        let n = out.len();
        let mut i = 0;
        while i < n {
            // SAFETY: `i` is below the length of `out`, for which the caller promises it.
            let (a, b) = unsafe { (a.add(i).read(), b.add(i).read()) };
            // SAFETY: as above.
            let condition = unsafe { condition.add(i).read() };
            let a = stored::<L, K::Overflow, A, C>(lanes, a);
            let b = stored::<L, K::Overflow, B, C>(lanes, b);
            // Not an `if`: LLVM would read one of the two under a branch, and not vectorise the loop.
            let selected = core::hint::select_unpredictable(condition != 0, a, b);
            // By way of the element, since a `bool` that is read may be any byte, and one that is written is
            // 0 or 1.
            let selected = C::from_repr(selected).to_repr();
            // SAFETY: as above.
            unsafe { out.get_unchecked_mut(i) }.write(selected);
            i += 1;
        }
    }
}

/// Converts an element of `A` to the memory form of `C`. An element that has that dtype keeps its bits, those
/// of a NaN too.
#[inline(always)]
fn stored<L, W, A, C>(lanes: L, a: A::Repr) -> C::Repr
where
    L: Lanes,
    W: Overflow,
    A: ConvertTo<C>,
    C: Element,
{
    // All custom dtypes share one index; the conversion of one to itself keeps its bits.
    let standard = const { !matches!(C::DTYPE, DType::Custom(_)) };
    if standard
        && const { A::DTYPE.index() == C::DTYPE.index() && size_of::<A::Repr>() == size_of::<C::Repr>() }
    {
        // SAFETY: both are the memory form of one standard dtype, of which every bit pattern is valid.
        unsafe { core::mem::transmute_copy::<A::Repr, C::Repr>(&a) }
    } else {
        let shared = lanes.shared();
        C::store::<L::Shared, W>(shared, <A as ConvertTo<C>>::convert_to::<L::Shared, W>(shared, a))
    }
}
