//! The bodies: what is compiled for each pair of dtypes and each level.
//!
//! The idea is a plain loop: load both operands, convert each to the common dtype, compute, store. The
//! deviations:
//! 1. The loop runs in a function of its own ([`Loop::fill`]), so that LLVM knows that `out` overlaps
//!    nothing; where operands and result of a cheap op have one dtype, there is a second one, in which `out`
//!    is the first operand, and a third one, in which the second operand is one element.
//! 2. Where storing in blocks is much faster (f16, c32), results are computed into a block and narrowed
//!    together; into a small one where work is short.
//! 3. Where an op has a quicker form for usual operands, each block of operands is asked whether all of them
//!    are.
//! 4. Where an op is a long chain of steps, several lanes take each step together.
//! 5. Where an op changes the sign alone, and the format is narrow, the bits are changed in memory form.
//! 6. Where some operands are an error of the whole call, all of them are looked at first; with no `out`,
//!    nothing else is done.
//!
//! The loops are in `loops`; [`Registry`](super::Registry) says which of them a body has.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::{BitAnd, BitXor, Not, Shl};

use super::Status;
use super::loops::{Loop, Reads, Replaces, Traps, work};
use super::pointers::Pointers;
use super::quick::{Quick, hint};
use super::target::Target;
use crate::DType;
use crate::convert::{Convert, ConvertTo, Nan, Overflow};
use crate::element::{Element, Register};
use crate::level::Lanes;
use crate::ops::steps::Stepped;
use crate::ops::{
    BATCH, Binary, ComputeIn, Extended, KernelOp, KernelType, Lane as _, SignStep, Trap, Unary,
};

/// `K` on elements of `A` and `B` converted to `C`, stored as `O`.
pub(super) struct Fused<K, A, B, C, O>(PhantomData<(K, A, B, C, O)>);

/// The comparison `K`, with 1 for true and 0 for false: results that take the place of an operand.
pub(super) struct AsNumber<K>(PhantomData<K>);

impl<K: KernelType> KernelType for AsNumber<K> {
    const OP: KernelOp = K::OP;
    type Overflow = K::Overflow;
}

impl<M, K> Binary<M> for AsNumber<K>
where
    K: Binary<M, Out = bool>,
    bool: Convert<M>,
{
    type Out = M;

    #[inline(always)]
    fn apply<L: Lanes>(lanes: L, a: M, b: M) -> M {
        // 0 and 1 are exact in every format.
        K::apply(lanes, a, b).convert(false)
    }
}

/// `K` on elements of `A` converted to `C`, stored as `O`.
pub(super) struct FusedUnary<K, A, C, O>(PhantomData<(K, A, C, O)>);

/// `K` on elements of the narrow float `T`, each step rounded to it.
pub(super) struct Rounded<K, T>(PhantomData<(K, T)>);

/// As [`Rounded`], of one operand.
pub(super) struct RoundedUnary<K, T>(PhantomData<(K, T)>);

/// `K` on elements of `T` and `N` more inputs of it, in the form in which it computes in `T`.
pub(super) struct WithExtras<K, T, const N: usize>(PhantomData<(K, T)>);

/// Elements of `A` where the condition, the third input, is true, and elements of `B` elsewhere, converted to
/// `C`. Any byte but 0 is true.
pub(super) struct Select<K, A, B, C>(PhantomData<(K, A, B, C)>);

/// Elements of `A` converted to `C`; overflow of f8e4m3fn as `W` says.
pub(super) struct CastTo<W, A, C>(PhantomData<(W, A, C)>);

/// Elements of `A`, which are floats or complex numbers, as integers of `C`, as an x86-64 processor has it.
pub(super) struct CastByInstruction<const CLAMPED: bool, A, C>(PhantomData<(A, C)>);

/// Where the elements of input `i` lie.
///
/// # Safety
///
/// There are more than `i` inputs.
#[inline(always)]
pub(super) unsafe fn input<A: Element>(inputs: Pointers, i: usize) -> *const A::Repr {
    // SAFETY: the caller promises as many inputs.
    unsafe { inputs.at(i).cast() }
}

/// The element of `A` at place `i`, converted to `C`.
///
/// # Safety
///
/// `a` points to more than `i` elements of `A`'s dtype, aligned and initialised.
#[inline(always)]
unsafe fn converted<L, W, A, C>(lanes: L, a: *const A::Repr, i: usize) -> C::Reg
where
    L: Lanes,
    W: Overflow,
    A: ConvertTo<C>,
    C: Element,
{
    // SAFETY: as the caller promises; every bit pattern is a valid `Repr`.
    of_repr::<L, W, A, C>(lanes, unsafe { a.add(i).read() })
}

/// An element of `A`, converted to `C`.
#[inline(always)]
fn of_repr<L, W, A, C>(lanes: L, a: A::Repr) -> C::Reg
where
    L: Lanes,
    W: Overflow,
    A: ConvertTo<C>,
    C: Element,
{
    <A as ConvertTo<C>>::convert_to::<L::Shared, W>(lanes.shared(), a)
}

impl Trap {
    pub(super) const fn status(self) -> Status {
        match self {
            Trap::DivisionByZero => Status::DivisionByZero,
            Trap::NegativeExponent => Status::NegativeExponent,
            Trap::Probability => Status::Probability,
        }
    }
}

/// Two inputs.
type Two<A, B> = (*const <A as Element>::Repr, *const <B as Element>::Repr);

impl<K, A, B, C, O> Reads for Fused<K, A, B, C, O>
where
    K: 'static,
    A: Element,
    B: Element,
    C: Element,
    O: Element,
{
    type Operands = Two<A, B>;
    const SHORT: bool = true;

    #[inline(always)]
    unsafe fn operands(inputs: Pointers) -> Two<A, B> {
        // SAFETY: the caller promises two inputs.
        unsafe { (input::<A>(inputs, 0), input::<B>(inputs, 1)) }
    }
}

work! {
    [K, A, B, C, O] Fused<K, A, B, C, O> where [
        K: Binary<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        B: ConvertTo<C>,
        C: Element,
        O: Element,
    ], O, K::Overflow,
    at<L>(lanes, operands, i) {
        // SAFETY: the caller promises the same.
        let (a, b) = unsafe { Self::values(lanes, operands, i) };
        K::apply(lanes, a, b)
    }
}

impl<K, A, B, C, O> Replaces for Fused<K, A, B, C, O>
where
    K: Binary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element,
    O: Element,
{
    type Spread = Spread<K, A, B, C, O>;

    #[inline(always)]
    fn replacing((_, b): Two<A, B>, first: *const O::Repr) -> Two<A, B> {
        (first.cast(), b)
    }

    #[inline(always)]
    unsafe fn over<L: Lanes>(lanes: L, first: O::Repr, (_, b): Two<A, B>, i: usize) -> O::Reg {
        const { assert!(A::DTYPE.index() == O::DTYPE.index(), "results in the place of another dtype") };
        // SAFETY: both are the memory form of one dtype, of which every bit pattern is valid.
        let a = unsafe { core::mem::transmute_copy::<O::Repr, A::Repr>(&first) };
        let a = of_repr::<L, K::Overflow, A, C>(lanes, a);
        // SAFETY: the caller promises it of `b`.
        let b = unsafe { converted::<L, K::Overflow, B, C>(lanes, b, i) };
        K::apply(lanes, a, b)
    }
}

/// As [`Fused`], with one element of `B` for every place.
pub(super) struct Spread<K, A, B, C, O>(PhantomData<(K, A, B, C, O)>);

impl<K, A, B, C, O> Reads for Spread<K, A, B, C, O>
where
    K: 'static,
    A: Element,
    B: Element,
    C: Element,
    O: Element,
{
    type Operands = (*const A::Repr, B::Repr);
    const SHORT: bool = true;

    #[inline(always)]
    unsafe fn operands(inputs: Pointers) -> (*const A::Repr, B::Repr) {
        // SAFETY: the caller promises two inputs, the second of which points to an element, aligned and
        // initialised; every bit pattern is a valid `Repr`.
        unsafe { (input::<A>(inputs, 0), input::<B>(inputs, 1).read()) }
    }
}

work! {
    [K, A, B, C, O] Spread<K, A, B, C, O> where [
        K: Binary<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        B: ConvertTo<C>,
        C: Element,
        O: Element,
    ], O, K::Overflow,
    at<L>(lanes, (a, b), i) {
        // SAFETY: the caller promises it of `a`.
        let a = unsafe { converted::<L, K::Overflow, A, C>(lanes, a, i) };
        K::apply(lanes, a, of_repr::<L, K::Overflow, B, C>(lanes, b))
    }
}

impl<K, A, B, C, O> Quick for Fused<K, A, B, C, O>
where
    K: Binary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element,
    O: Element,
{
    type Values = (C::Reg, C::Reg);
    const RARE: bool = K::RARE;
    const BATCHES: bool = K::BATCHES;
    const KNOWN: bool = K::KNOWN;

    #[inline(always)]
    unsafe fn values<L: Lanes>(lanes: L, (a, b): Two<A, B>, i: usize) -> (C::Reg, C::Reg) {
        // Both are read before one is converted, an order that LLVM keeps: a conversion by way of masks then
        // waits less. SAFETY: the caller promises it of `a`; every bit pattern is a valid `Repr`.
        let a = unsafe { a.add(i).read() };
        // SAFETY: and of `b`.
        let b = unsafe { b.add(i).read() };
        (of_repr::<L, K::Overflow, A, C>(lanes, a), of_repr::<L, K::Overflow, B, C>(lanes, b))
    }

    #[inline(always)]
    fn behind(inputs: Pointers, i: usize) -> Pointers {
        let first = inputs.first().wrapping_add(i * size_of::<A::Repr>());
        let second = inputs.second().wrapping_add(i * size_of::<B::Repr>());
        Pointers::new(first, second, core::ptr::null())
    }

    #[inline(always)]
    fn in_fast_domain((a, b): (C::Reg, C::Reg)) -> bool {
        K::in_fast_domain(a, b)
    }

    #[inline(always)]
    fn fast_path<L: Lanes>(lanes: L, (a, b): (C::Reg, C::Reg)) -> O::Reg {
        K::fast_path(lanes, a, b)
    }

    #[inline(always)]
    fn known((a, b): (C::Reg, C::Reg)) -> Option<O::Reg> {
        K::known(a, b)
    }

    #[inline(always)]
    fn hint((a, b): Two<A, B>, from: usize, to: usize) {
        hint(a, from, to);
        hint(b, from, to);
    }

    #[inline(always)]
    fn batch<L: Lanes>(lanes: L, values: [(C::Reg, C::Reg); BATCH]) -> [O::Reg; BATCH] {
        K::batch(lanes, values)
    }
}

impl<K, A, B, C, O> Traps for Fused<K, A, B, C, O>
where
    K: Binary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element,
    O: Element,
{
    const TRAP: Option<Trap> = K::TRAP;

    #[inline(always)]
    unsafe fn traps<L: Lanes>(lanes: L, operands: Two<A, B>, i: usize) -> bool {
        // SAFETY: the caller promises the same.
        let (a, b) = unsafe { Self::values(lanes, operands, i) };
        K::traps(a, b)
    }
}

impl<K, A, C, O> Reads for FusedUnary<K, A, C, O>
where
    K: 'static,
    A: Element,
    C: Element,
    O: Element,
{
    type Operands = *const A::Repr;
    const SHORT: bool = true;

    #[inline(always)]
    unsafe fn operands(inputs: Pointers) -> *const A::Repr {
        // SAFETY: the caller promises an input.
        unsafe { input::<A>(inputs, 0) }
    }
}

work! {
    [K, A, C, O] FusedUnary<K, A, C, O> where [
        K: Unary<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        C: Element,
        O: Element,
    ], O, K::Overflow,
    at<L>(lanes, a, i) {
        // SAFETY: the caller promises the same.
        K::apply(lanes, unsafe { Self::values(lanes, a, i) })
    }
}

impl<K, A, C, O> Quick for FusedUnary<K, A, C, O>
where
    K: Unary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    C: Element,
    O: Element,
{
    type Values = C::Reg;
    const RARE: bool = K::RARE;
    const BATCHES: bool = K::BATCHES;

    #[inline(always)]
    unsafe fn values<L: Lanes>(lanes: L, a: *const A::Repr, i: usize) -> C::Reg {
        // SAFETY: the caller promises the same.
        unsafe { converted::<L, K::Overflow, A, C>(lanes, a, i) }
    }

    #[inline(always)]
    fn behind(inputs: Pointers, i: usize) -> Pointers {
        let first = inputs.first().wrapping_add(i * size_of::<A::Repr>());
        Pointers::new(first, core::ptr::null(), core::ptr::null())
    }

    #[inline(always)]
    fn in_fast_domain(a: C::Reg) -> bool {
        K::in_fast_domain(a)
    }

    #[inline(always)]
    fn fast_path<L: Lanes>(lanes: L, a: C::Reg) -> O::Reg {
        K::fast_path(lanes, a)
    }

    #[inline(always)]
    fn hint(a: *const A::Repr, from: usize, to: usize) {
        hint(a, from, to);
    }

    #[inline(always)]
    fn batch<L: Lanes>(lanes: L, a: [C::Reg; BATCH]) -> [O::Reg; BATCH] {
        K::batch(lanes, a)
    }
}

/// Floats in memory form, as integers `T`, the highest bit of each turned or cleared as `K` says of their
/// register form `M`.
pub(super) struct Signs<K, M, T>(PhantomData<(K, M, T)>);

impl<K, M, T> Loop for Signs<K, M, T>
where
    K: Unary<M>,
    M: 'static,
    T: Copy
        + Shl<u32, Output = T>
        + BitXor<Output = T>
        + BitAnd<Output = T>
        + Not<Output = T>
        + From<bool>
        + 'static,
{
    type To = T;

    #[inline(always)]
    unsafe fn fill<L: Target>(_: L, inputs: Pointers, out: &mut [MaybeUninit<T>]) {
        let a: *const T = inputs.first().cast();
        let sign = T::from(true) << (size_of::<T>() as u32 * 8 - 1);
        let n = out.len();
        let mut i = 0;
        while i < n {
            // SAFETY: `i` is below the length of `out`, for which the caller promises it.
            let a = unsafe { a.add(i).read() };
            let bits = if matches!(K::SIGN, Some(SignStep::Turned)) { a ^ sign } else { a & !sign };
            // SAFETY: as above.
            unsafe { out.get_unchecked_mut(i) }.write(bits);
            i += 1;
        }
    }
}

impl<K, T> Reads for Rounded<K, T>
where
    K: 'static,
    T: Element,
{
    type Operands = Two<T, T>;

    #[inline(always)]
    unsafe fn operands(inputs: Pointers) -> Two<T, T> {
        // SAFETY: the caller promises two inputs.
        unsafe { (input::<T>(inputs, 0), input::<T>(inputs, 1)) }
    }
}

work! {
    [K, T] Rounded<K, T> where [
        K: Binary<Stepped<T>, Out = Stepped<T>>,
        T: Element<Reg = f32>,
    ], T, K::Overflow,
    at<L>(lanes, (a, b), i) {
        // SAFETY: the caller promises it of `a`.
        let a = unsafe { a.add(i).read() };
        // SAFETY: and of `b`.
        let b = unsafe { b.add(i).read() };
        K::apply(lanes, Stepped::exact(T::load(lanes.shared(), a)), Stepped::exact(T::load(lanes.shared(), b))).get()
    }
}

impl<K, T> Reads for RoundedUnary<K, T>
where
    K: 'static,
    T: Element,
{
    type Operands = *const T::Repr;

    #[inline(always)]
    unsafe fn operands(inputs: Pointers) -> *const T::Repr {
        // SAFETY: the caller promises an input.
        unsafe { input::<T>(inputs, 0) }
    }
}

work! {
    [K, T] RoundedUnary<K, T> where [
        K: Unary<Stepped<T>, Out = Stepped<T>>,
        T: Element<Reg = f32>,
    ], T, K::Overflow,
    at<L>(lanes, a, i) {
        // SAFETY: the caller promises it.
        let a = unsafe { a.add(i).read() };
        K::apply(lanes, Stepped::exact(T::load(lanes.shared(), a))).get()
    }
}

impl<K, T, const N: usize> WithExtras<K, T, N>
where
    T: ComputeIn,
{
    /// The lane at place `i`.
    ///
    /// # Safety
    ///
    /// `x` points to more than `i` elements of `T`'s dtype, aligned and initialised.
    #[inline(always)]
    unsafe fn lane<L: Lanes>(lanes: L, x: *const T::Repr, i: usize) -> T::Lane {
        // SAFETY: as the caller promises; every bit pattern is a valid `Repr`.
        T::Lane::of_reg(T::load(lanes.shared(), unsafe { x.add(i).read() }))
    }
}

impl<K, T, const N: usize> Reads for WithExtras<K, T, N>
where
    K: 'static,
    T: Element,
{
    type Operands = (*const T::Repr, *const T::Repr, [*const T::Repr; N]);

    #[inline(always)]
    unsafe fn operands(inputs: Pointers) -> Self::Operands {
        let mut extras = [core::ptr::null(); N];
        let mut k = 0;
        while k < N {
            // SAFETY: the caller promises two inputs and `N` more.
            extras[k] = unsafe { input::<T>(inputs, 2 + k) };
            k += 1;
        }
        // SAFETY: as above.
        unsafe { (input::<T>(inputs, 0), input::<T>(inputs, 1), extras) }
    }
}

work! {
    [K, T, const N: usize] WithExtras<K, T, N> where [
        K: Extended<T::Lane, N>,
        T: ComputeIn,
    ], T, K::Overflow,
    at<L>(lanes, (a, b, extras), i) {
        // SAFETY: the caller promises it of `a`.
        let a = unsafe { Self::lane(lanes, a, i) };
        // SAFETY: and of `b`.
        let b = unsafe { Self::lane(lanes, b, i) };
        // A loop, since `map` of an array is much more code for rustc and LLVM.
        let mut values = [a; N];
        let mut k = 0;
        while k < N {
            // SAFETY: and of the extras.
            values[k] = unsafe { Self::lane(lanes, extras[k], i) };
            k += 1;
        }
        K::apply(lanes, K::OP.semantics(), a, b, values).reg()
    }
}

impl<K, T, const N: usize> Traps for WithExtras<K, T, N>
where
    K: Extended<T::Lane, N>,
    T: ComputeIn,
{
    const TRAP: Option<Trap> = K::TRAP;

    #[inline(always)]
    unsafe fn traps<L: Lanes>(lanes: L, (a, b, _): Self::Operands, i: usize) -> bool {
        // SAFETY: the caller promises it of `a`.
        let a = unsafe { Self::lane(lanes, a, i) };
        // SAFETY: and of `b`.
        let b = unsafe { Self::lane(lanes, b, i) };
        K::traps(a, b)
    }
}

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
        let (a, b, condition) =
            unsafe { (input::<A>(inputs, 0), input::<B>(inputs, 1), input::<bool>(inputs, 2)) };
        let n = out.len();
        let mut i = 0;
        while i < n {
            // SAFETY: `i` is below the length of `out`, for which the caller promises it.
            let (a, b) = unsafe { (a.add(i).read(), b.add(i).read()) };
            // SAFETY: as above.
            let condition = unsafe { condition.add(i).read() };
            let a = stored::<L, K::Overflow, A, C>(lanes, a);
            let b = stored::<L, K::Overflow, B, C>(lanes, b);
            // Not `if`: LLVM would read one of the two under a branch, and make no vector code of the loop.
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
    // All custom dtypes have one index; the conversion of one to itself keeps its bits.
    let standard = const { !matches!(C::DTYPE, DType::Custom(_)) };
    if standard
        && const { A::DTYPE.index() == C::DTYPE.index() && size_of::<A::Repr>() == size_of::<C::Repr>() }
    {
        // SAFETY: both are the memory form of one standard dtype, of which every bit pattern is valid.
        unsafe { core::mem::transmute_copy::<A::Repr, C::Repr>(&a) }
    } else {
        C::store::<L::Shared, W>(lanes.shared(), of_repr::<L, W, A, C>(lanes, a))
    }
}

impl<W, A, C> Reads for CastTo<W, A, C>
where
    W: 'static,
    A: Element,
    C: Element,
{
    type Operands = *const A::Repr;
    const SHORT: bool = true;

    #[inline(always)]
    unsafe fn operands(inputs: Pointers) -> *const A::Repr {
        // SAFETY: the caller promises an input.
        unsafe { input::<A>(inputs, 0) }
    }
}

work! {
    [W, A, C] CastTo<W, A, C> where [
        W: Overflow,
        A: ConvertTo<C>,
        C: Element,
    ], C, W,
    at<L>(lanes, a, i) {
        // SAFETY: the caller promises it.
        <A as ConvertTo<C>>::widen(lanes.shared(), unsafe { a.add(i).read() })
    }
}

impl<const CLAMPED: bool, A, C> Reads for CastByInstruction<CLAMPED, A, C>
where
    A: Element,
    C: 'static,
{
    type Operands = *const A::Repr;
    const SHORT: bool = true;

    #[inline(always)]
    unsafe fn operands(inputs: Pointers) -> *const A::Repr {
        // SAFETY: the caller promises an input.
        unsafe { input::<A>(inputs, 0) }
    }
}

work! {
    [const CLAMPED: bool, A, C] CastByInstruction<CLAMPED, A, C> where [
        A: Element<Reg: Convert<C>>,
        C: Register,
    ], C, Nan,
    at<L>(lanes, a, i) {
        // SAFETY: the caller promises it.
        A::load(lanes.shared(), unsafe { a.add(i).read() }).convert_by_instruction(CLAMPED)
    }
}
