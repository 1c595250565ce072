//! Entries of registries: the kernels themselves.

use core::marker::PhantomData;

use super::body::{AsNumber, Fused, Rounded, RoundedUnary, Select, WithExtras};
use super::custom::{CustomKernels, Dtypes};
use super::loops::{Loop, Traps, look};
use super::per_level::{PerLevel, binary, body, cheap, looking, pairs, plain, replaces, unary, work};
use super::pointers::Pointers;
use super::quick::Quick;
use super::signature::KernelSignature;
use super::target::{Body, Levels, Target};
use super::{RawKernel, Status};
use crate::OpTypes;
use crate::convert::{Convert, ConvertTo};
use crate::element::{Element, Register};
use crate::level::Level;
use crate::ops::steps::Stepped;
use crate::ops::{Binary, ComputeIn, Extended, KernelOp, KernelType, Unary, is_integer};
use crate::ops::{extremum, waits_for_memory};
use crate::{DType, Kind};

/// One kernel: its dtypes and its function for each level.
#[derive(Debug)]
pub struct Entry {
    op: KernelOp,
    signature: KernelSignature,
    raw: PerLevel,
    /// The kernel of a wider dtype that computes this one, between casts; this one has no function then.
    wide: Option<&'static Entry>,
}

impl Entry {
    /// The kernel that loads `A` and `B`, converts each to `C`, computes `K` and stores `O`.
    ///
    /// It has a function for every SIMD level; on the scalar level of x86-64 a pipeline stands in for it.
    pub const fn fused<S, K, A, B, C, O>() -> Entry
    where
        S: Levels,
        K: Binary<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        B: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        Entry::fused_among::<S, K, A, B, C, O>(&[])
    }

    /// Returns the kernel of [`Entry::fused`], whose dtypes may be custom ones of a rule set.
    pub const fn fused_among<S, K, A, B, C, O>(customs: &'static [CustomKernels]) -> Entry
    where
        S: Levels,
        K: Binary<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        B: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        Entry::binary::<S, K, A, B, C, O>(Dtypes(customs), C::DTYPE.register(), false)
    }

    /// The kernel whose operands are both of the register form `M`: pipelines compute with it, so it has
    /// every level.
    pub const fn same<S, K, M, O>() -> Entry
    where
        S: Levels,
        K: Binary<M, Out = O>,
        M: Register + ConvertTo<M>,
        O: Register,
    {
        Entry::binary::<S, K, M, M, M, O>(Dtypes(&[]), M::DTYPE, true)
    }

    /// A kernel of a [`KernelOp::replaces`] whose operands and result have one dtype also computes in place,
    /// and takes one element for its second input.
    const fn binary<S, K, A, B, C, O>(customs: Dtypes, compute: DType, scalar: bool) -> Entry
    where
        S: Levels,
        K: Binary<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        B: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        let waits = !K::HAS_FAST_PATH && K::TRAP.is_none() && Entry::waits_for_memory::<O>(K::OP);
        let signature = KernelSignature {
            traps: K::TRAP.is_some(),
            memory_bound: waits,
            replaceable: if replaces::<K, C::Reg, A, B, O>() { Entry::replaceable(K::OP) } else { 0 },
            ..Entry::signature_among::<A, B>(customs, OpTypes { common: C::DTYPE, compute, output: O::DTYPE })
        };
        Entry::new(K::OP, signature, pairs::<S, K, A, B, C, O>(scalar))
    }

    const fn new(op: KernelOp, signature: KernelSignature, raw: PerLevel) -> Entry {
        Entry { op, signature, raw, wide: None }
    }

    /// Returns the kernel of operands of `A` that are cast to a wider dtype, in which another kernel
    /// computes, and its results from there.
    ///
    /// # Panics
    ///
    /// Panics if the other kernel has operands or results of several dtypes, may trap, or takes more than two
    /// inputs. In a `static` that is a compile error.
    pub const fn through<A: Element>(wide: &'static Entry) -> Entry {
        let KernelSignature { count, traps, compute, output, .. } = wide.signature;
        assert!(wide.signature.is_of_one() && compute.0 == output.0, "a kernel of several dtypes");
        assert!(count <= 2 && !traps, "a kernel that no cast can stand before");
        let signature = Entry::signature_of_op::<A, A>(OpTypes::uniform(A::DTYPE));
        let signature = KernelSignature { count, ..signature };
        Entry { op: wide.op, signature, raw: PerLevel::EMPTY, wide: Some(wide) }
    }

    /// Returns how many of the first operands of an op that computes in place may be what `out` holds.
    const fn replaceable(op: KernelOp) -> u8 {
        if op.commutes() { 2 } else { 1 }
    }

    /// Whether an op with results of `O` waits for nothing but memory: those that are rounded by arithmetic,
    /// and by no instruction, take longer; an extremum is not rounded.
    const fn waits_for_memory<O: Element>(op: KernelOp) -> bool {
        let rounds = matches!(O::DTYPE, DType::BF16 | DType::F8E4M3FN | DType::F8E5M2);
        waits_for_memory(op) && (!rounds || extremum(op).is_some())
    }

    /// The kernel of a comparison that stores 1 where it holds and 0 elsewhere, as numbers of its operands'
    /// type: in place, too.
    pub const fn numbers<S, K, A>() -> Entry
    where
        S: Levels,
        K: Binary<A::Reg, Out = bool>,
        A: ConvertTo<A>,
        bool: Convert<A::Reg>,
    {
        const { assert!(K::TRAP.is_none() && !K::HAS_FAST_PATH, "a comparison that is more than one step") };
        let signature = KernelSignature {
            memory_bound: Entry::waits_for_memory::<A>(K::OP),
            replaceable: Entry::replaceable(K::OP),
            ..Entry::signature_of::<K, A, A, A>(A::DTYPE, A::DTYPE.register())
        };
        Entry::new(K::OP, signature, cheap::<S, Fused<AsNumber<K>, A, A, A, A>>(false))
    }

    /// As [`Entry::same`], of an op some of whose operands are an error of the whole call: `Other`, which has
    /// its functions among those of `T`, gives the same where none is.
    pub const fn looked<S, T, K, Other, M>() -> Entry
    where
        S: Levels,
        T: Levels,
        K: Binary<M, Out = M>,
        Other: Binary<M, Out = M>,
        M: Register + ConvertTo<M>,
    {
        const {
            assert!(
                K::TRAP.is_some() && Other::HAS_FAST_PATH == K::HAS_FAST_PATH,
                "an op that refuses nothing, or quite another one"
            );
        };
        let signature = Entry::signature_of::<K, M, M, M>(M::DTYPE, M::DTYPE);
        let raw = if Other::HAS_FAST_PATH {
            body::<S, LookedBefore<Fused<K, M, M, M, M>, T, Fused<Other, M, M, M, M>, true>>(true)
        } else {
            body::<S, LookedBefore<Fused<K, M, M, M, M>, T, Fused<Other, M, M, M, M>, false>>(true)
        };
        Entry::new(K::OP, KernelSignature { traps: true, ..signature }, raw)
    }

    /// As [`Entry::fused`], of one operand.
    pub const fn fused_unary<S, K, A, C, O>() -> Entry
    where
        S: Levels,
        K: Unary<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        Entry::fused_unary_among::<S, K, A, C, O>(&[])
    }

    /// Returns the kernel of [`Entry::fused_unary`], whose dtypes may be custom ones of a rule set.
    pub const fn fused_unary_among<S, K, A, C, O>(customs: &'static [CustomKernels]) -> Entry
    where
        S: Levels,
        K: Unary<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        Entry::unary::<S, K, A, C, O>(Dtypes(customs), C::DTYPE.register(), false)
    }

    /// As [`Entry::same`], of one operand.
    pub const fn same_unary<S, K, M, O>() -> Entry
    where
        S: Levels,
        K: Unary<M, Out = O>,
        M: Register + ConvertTo<M>,
        O: Register,
    {
        Entry::unary::<S, K, M, M, O>(Dtypes(&[]), M::DTYPE, true)
    }

    const fn unary<S, K, A, C, O>(customs: Dtypes, compute: DType, scalar: bool) -> Entry
    where
        S: Levels,
        K: Unary<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        let real = !matches!(C::DTYPE.kind(), Kind::Complex);
        let waits = real && !K::HAS_FAST_PATH && Entry::waits_for_memory::<O>(K::OP);
        let types = OpTypes { common: C::DTYPE, compute, output: O::DTYPE };
        let signature = Entry::signature_among::<A, A>(customs, types);
        let signature = KernelSignature { count: 1, memory_bound: waits, ..signature };
        Entry::new(K::OP, signature, unary::<S, K, A, C, O>(scalar))
    }

    /// The kernel whose operands are both of the narrow float `T`, and each of whose steps is rounded to it.
    pub const fn rounded<S, K, T>() -> Entry
    where
        S: Levels,
        K: Binary<Stepped<T>, Out = Stepped<T>>,
        T: Element<Reg = f32>,
    {
        let signature = Entry::signature_of::<K, T, T, T>(T::DTYPE, T::DTYPE);
        Entry::new(K::OP, signature, work::<S, Rounded<K, T>>(true))
    }

    /// As [`Entry::rounded`], of one operand.
    pub const fn rounded_unary<S, K, T>() -> Entry
    where
        S: Levels,
        K: Unary<Stepped<T>, Out = Stepped<T>>,
        T: Element<Reg = f32>,
    {
        let signature = Entry::signature_of::<K, T, T, T>(T::DTYPE, T::DTYPE);
        Entry::new(K::OP, KernelSignature { count: 1, ..signature }, work::<S, RoundedUnary<K, T>>(true))
    }

    /// Returns the kernel that selects an element of `A` or one of `B` by a condition, converted to `C`.
    ///
    /// It has a loop at the scalar level of x86-64 if no operand is converted, because pipelines need it
    /// there.
    pub const fn select<S, K, A, B, C>() -> Entry
    where
        S: Levels,
        K: KernelType,
        A: ConvertTo<C>,
        B: ConvertTo<C>,
        C: Element,
    {
        Entry::select_among::<S, K, A, B, C>(&[])
    }

    /// Returns the kernel of [`Entry::select`], whose dtypes may be custom ones of a rule set.
    pub const fn select_among<S, K, A, B, C>(customs: &'static [CustomKernels]) -> Entry
    where
        S: Levels,
        K: KernelType,
        A: ConvertTo<C>,
        B: ConvertTo<C>,
        C: Element,
    {
        let types = OpTypes { common: C::DTYPE, compute: C::DTYPE.register(), output: C::DTYPE };
        let signature = Entry::signature_among::<A, B>(Dtypes(customs), types);
        let same = A::DTYPE.index() == C::DTYPE.index() && B::DTYPE.index() == C::DTYPE.index();
        Entry::new(K::OP, signature.choosing(), plain::<S, Select<K, A, B, C>>(same))
    }

    /// The kernel of `N` inputs behind two operands, all of the dtype of `T`, in which it computes: with
    /// every level, as [`Entry::same`].
    pub const fn extended<S, K, T, const N: usize>() -> Entry
    where
        S: Levels,
        K: Extended<T::Lane, N>,
        T: ComputeIn,
    {
        const { assert!(N <= 2, "a kernel takes four inputs at most") };
        let signature = Entry::signature_of::<K, T, T, T>(T::DTYPE, T::DTYPE);
        let signature = KernelSignature { count: 2 + N as u8, traps: K::TRAP.is_some(), ..signature };
        Entry::new(K::OP, signature, looking::<S, WithExtras<K, T, N>>())
    }

    /// The same functions for integers of the other sign: of an op to whose bits that is nothing. Operands
    /// that are widened are those of the functions.
    ///
    /// # Panics
    ///
    /// When a dtype is neither that of the functions nor, as that is, an integer of its width; when the
    /// functions take more than the operands and a condition. In a `static` that is a compile error.
    ///
    /// ```compile_fail,E0080
    /// # mod tokens { promote_runtime::__levels! {} }
    /// use promote_runtime::__private::kernel::{Entry, ops};
    /// static ENTRY: Entry = Entry::same::<tokens::Levels, ops::Add<0>, u8, u8>().standing_for::<bool, bool, bool, bool>();
    /// # fn main() {}
    /// ```
    #[must_use]
    pub const fn standing_for<A: Element, B: Element, C: Element, O: Element>(self) -> Entry {
        let types = OpTypes { common: C::DTYPE, compute: C::DTYPE.register(), output: O::DTYPE };
        let (own, other) = (Entry::signature_of_op::<A, B>(types), self.signature);
        let pairs = [
            (own.inputs[0], other.inputs[0]),
            (own.inputs[1], other.inputs[1]),
            (own.common, other.common),
            (own.compute, other.compute),
            (own.output, other.output),
        ];
        let mut i = 0;
        while i < pairs.len() {
            let (own, other) = pairs[i];
            let (own, other) = (own.standard(), other.standard());
            let integers = is_integer(own) && is_integer(other) && own.bits() == other.bits();
            assert!(
                own.index() == other.index() || integers,
                "elements that are not the same integers but for their sign"
            );
            i += 1;
        }
        assert!(other.count < 3 || other.condition, "an input that the functions take for another dtype");
        let signature = KernelSignature {
            inputs: [own.inputs[0], own.inputs[1], other.inputs[2], other.inputs[3]],
            common: own.common,
            compute: own.compute,
            output: own.output,
            replaceable: if own.is_of_one() { other.replaceable } else { 0 },
            ..other
        };
        Entry { signature, ..self }
    }

    const fn signature_of<K: KernelType, A: Element, B: Element, O: Element>(
        common: DType,
        compute: DType,
    ) -> KernelSignature {
        Entry::signature_of_op::<A, B>(OpTypes { common, compute, output: O::DTYPE })
    }

    const fn signature_of_op<A: Element, B: Element>(types: OpTypes) -> KernelSignature {
        Entry::signature_among::<A, B>(Dtypes(&[]), types)
    }

    const fn signature_among<A: Element, B: Element>(customs: Dtypes, types: OpTypes) -> KernelSignature {
        match KernelSignature::among(customs, A::DTYPE, B::DTYPE, types) {
            Some(signature) => signature,
            None => panic!("a dtype that is neither standard nor one of the rule set"),
        }
    }

    #[inline]
    pub(super) const fn op(&self) -> KernelOp {
        self.op
    }

    #[inline]
    pub(super) const fn signature(&self) -> &KernelSignature {
        &self.signature
    }

    /// Returns the kernel of a wider dtype that computes this one, if there is one.
    #[inline]
    pub(super) const fn wide(&self) -> Option<&'static Entry> {
        self.wide
    }

    /// Returns the function for `level`, which the caller must know the machine has.
    #[inline]
    pub(super) const fn raw(&self, level: Level) -> Option<RawKernel> {
        self.raw.at(level)
    }

    /// Returns the function for the level in use, if that is known already: level detection is not here, so
    /// that a call needs no stack.
    #[inline(always)]
    pub(crate) fn raw_in_use(&self) -> Option<RawKernel> {
        self.raw.in_use()
    }
}

/// A look at all operands of `W`, and behind it `T` among the functions of `S`, by its quicker form if there
/// is one: what gives the same where no operand is an error.
pub(super) struct LookedBefore<W, S, T, const HAS_FAST_PATH: bool>(PhantomData<(W, S, T)>);

impl<W, S, T, const HAS_FAST_PATH: bool> Body for LookedBefore<W, S, T, HAS_FAST_PATH>
where
    W: Traps,
    S: Levels,
    T: Quick + Traps + Loop,
{
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: Pointers, out: *mut u8) -> Status {
        // SAFETY: as the caller promises.
        let found = unsafe { look::<L, W>(lanes, n, inputs) };
        if found != Status::Done || out.is_null() {
            return found;
        }
        let raw = const {
            assert!(T::TRAP.is_none(), "an op that looks by itself");
            binary::<S, T>(HAS_FAST_PATH, true).expect(L::LEVEL)
        };
        // By its address: LLVM would compile the known function once more in here.
        let raw: RawKernel = core::hint::black_box(raw);
        // SAFETY: the caller promises the same of the inputs and of `out`; a value of `L` exists, so the
        // machine has the level.
        unsafe { raw(n, inputs.first(), inputs.second(), core::ptr::null(), out) }
    }
}
