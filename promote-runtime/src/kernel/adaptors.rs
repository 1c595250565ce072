//! Ops made of other ops: comparisons whose results are numbers, casts, the bodies of custom kernels, and ops
//! on the bits of narrow floats.

use core::cmp::Ordering;
use core::marker::PhantomData;
use core::ops::{BitAnd, BitXor, Not, Shl};

use promote_core::__private::FloatBits;

use crate::convert::Convert;
use crate::element::{Element, Register};
use crate::level::Lanes;
use crate::op::typed::narrowed;
use crate::ops::{KernelType, OpLane, SignStep, extremum};

/// The comparison `K`, with 1 for true and 0 for false: results that take the place of an operand.
pub(super) struct AsNumber<K>(PhantomData<K>);

impl<M, K> OpLane<M> for AsNumber<K>
where
    K: OpLane<M, Out = bool>,
    bool: Convert<M>,
{
    type Out = M;

    #[inline(always)]
    fn apply<L: Lanes>(lanes: L, args: (M, M)) -> M {
        // 0 and 1 are exact in every format.
        K::apply(lanes, args).convert(false)
    }
}

/// The op of a cast, whose conversion is all that it does.
pub(super) struct Identity;

impl<M: 'static> OpLane<M, (M,)> for Identity {
    type Out = M;

    #[inline(always)]
    fn apply<L: Lanes>(_: L, (a,): (M,)) -> M {
        a
    }
}

/// The cast of floats and complex numbers to integers of `C` as an x86-64 processor has it.
pub(super) struct CastByInstruction<const CLAMPED: bool, C>(PhantomData<C>);

impl<const CLAMPED: bool, M: Convert<C>, C: 'static> OpLane<M, (M,)> for CastByInstruction<CLAMPED, C> {
    type Out = C;

    #[inline(always)]
    fn apply<L: Lanes>(_: L, (a,): (M,)) -> C {
        a.convert_by_instruction(CLAMPED)
    }
}

/// The body `K` of a custom kernel, which computes in `M`. Its result becomes the register form of `O` as
/// casts of the op `Semantics` have it.
pub(super) struct InOpmath<K, M, O, Semantics>(PhantomData<(K, M, O, Semantics)>);

macro_rules! in_opmath {
    (@lane $arg:ident) => { T };
    ($count:literal: $($arg:ident),+) => {
        impl<T, K, M, O, Semantics> OpLane<T, ($(in_opmath!(@lane $arg),)+)> for InOpmath<K, M, O, Semantics>
        where
            T: Convert<M>,
            K: OpLane<M, [M; $count], Out = M>,
            M: Register + Convert<O::Reg>,
            O: Element,
            Semantics: KernelType,
        {
            type Out = O::Reg;

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, ($($arg,)+): ($(in_opmath!(@lane $arg),)+)) -> O::Reg {
                narrowed::<Semantics, M, O>(K::apply(lanes, [$($arg.convert(false)),+]))
            }
        }
    };
}

in_opmath! { 1: a }
in_opmath! { 2: a, b }
in_opmath! { 3: a, b, c }
in_opmath! { 4: a, b, c, d }

/// The op `K` on narrow floats of the type `C` in their memory form, as unsigned integers. As `f32` they
/// would be half as many to a vector, and each rounded again, which takes three times as long.
pub(super) struct ByBits<K, C>(PhantomData<(K, C)>);

/// Ops that only change the sign, the highest bit.
impl<K, C, T> OpLane<T, (T,)> for ByBits<K, C>
where
    K: OpLane<C::Reg, (C::Reg,)>,
    C: Element,
    T: Copy + Shl<u32, Output = T> + BitXor<Output = T> + BitAnd<Output = T> + Not<Output = T> + From<bool>,
{
    type Out = T;

    #[inline(always)]
    fn apply<L: Lanes>(_: L, (a,): (T,)) -> T {
        let sign = T::from(true) << (size_of::<T>() as u32 * 8 - 1);
        if matches!(K::SIGN, Some(SignStep::Turned)) { a ^ sign } else { a & !sign }
    }
}

/// The greater or the lesser of two floats of 16 bits: an integer has the order of a float if the bits below
/// its sign are inverted where that is set.
impl<K: KernelType, C: Element> OpLane<u16> for ByBits<K, C> {
    type Out = u16;

    /// Returns a quiet NaN if either is NaN, of `a` before `b`; of two zeros, +0 is the greater.
    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool, reason = "vector code has no branches")]
    fn apply<L: Lanes>(_: L, (a, b): (u16, u16)) -> u16 {
        let (infinity, quiet) = const {
            assert!(C::DTYPE.bits() == u16::BITS, "a dtype of other bits");
            let float = FloatBits::of(C::DTYPE).expect("a float");
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
}

/// Returns true if [`ByBits`] computes the extremum of two elements of `O`, which are converted to `C`
/// otherwise.
pub(super) const fn is_extremum_of_bits<K: KernelType, C: Element, O: Element>() -> bool {
    let itself = C::DTYPE.index() == O::DTYPE.index();
    extremum(K::OP).is_some() && itself && O::NARROW && size_of::<O::Repr>() == 2
}
