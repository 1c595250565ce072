//! Entries of registries: the kernels themselves.

use super::RawKernel;
use super::adaptors::{AsNumber, ByBits, is_extremum_of_bits};
use super::custom::{CustomKernels, Dtypes};
use super::fast_path::ByFastPath;
use super::loops::{Checked, Select, Shared};
use super::map::{Each, InPlace, InRegister, Map, One};
use super::per_level::{PerLevel, body, plain};
use super::signature::KernelSignature;
use crate::OpTypes;
use crate::convert::{Convert, ConvertTo, Nan};
use crate::element::{Element, Register};
use crate::level::Level;
use crate::level::doors::Levels;
use crate::ops::{ComputeForm, KernelOp, KernelType, LaneValue, OpLane, RoundedLane, Stepwise};
use crate::ops::{computes_in_place, extremum, is_integer, waits_for_memory};
use crate::{DType, Kind};

/// The kernel of two operands.
pub(super) type Binary<K, A, B, C, O> =
    Map<K, (Each<A>, Each<B>), InRegister<C, <K as KernelType>::Overflow>, O>;

/// The kernel of one operand.
pub(super) type Unary<K, A, C, O> = Map<K, (Each<A>,), InRegister<C, <K as KernelType>::Overflow>, O>;

/// One kernel: its dtypes and its function for each level.
#[derive(Debug)]
pub struct Entry {
    op: KernelOp,
    signature: KernelSignature,
    loops: EntryLoops,
    /// The kernel of a wider dtype that computes this one, between casts; this one has no function then.
    wide: Option<&'static Entry>,
}

/// The functions of a kernel for each level.
///
/// LLVM vectorises a loop only if it knows what overlaps, so each loop is a function of its own.
#[derive(Clone, Copy, Debug)]
struct EntryLoops {
    /// For an `out` that overlaps no input.
    apart: PerLevel,
    /// The further loops of a cheap op.
    more: Option<&'static MoreLoops>,
}

/// The loops of a cheap op on two operands of the dtype of its results, at SIMD levels: a call at the scalar
/// level of x86-64 copies its operands to a block first.
#[derive(Debug)]
struct MoreLoops {
    /// For an `out` that is the first input, is initialised and overlaps no other.
    in_place: PerLevel,
    /// For a second input of one element, which is broadcast.
    broadcast: PerLevel,
}

impl EntryLoops {
    const fn apart(apart: PerLevel) -> EntryLoops {
        EntryLoops { apart, more: None }
    }
}

/// The functions of a kernel at one level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Functions {
    /// For an `out` that overlaps no input.
    pub(super) apart: RawKernel,
    /// For an `out` that is the first input, and for a second input of one element.
    pub(super) in_place_and_broadcast: Option<[RawKernel; 2]>,
}

impl Functions {
    /// Returns the functions of a kernel with one loop.
    pub(super) const fn apart(apart: RawKernel) -> Functions {
        Functions { apart, in_place_and_broadcast: None }
    }
}

impl Entry {
    /// Returns the kernel that loads `A` and `B`, converts each to `C`, computes `K` and stores `O`. Its
    /// dtypes may be custom ones of a rule set.
    ///
    /// It has a function for every SIMD level. A pipeline takes its place at the scalar level of x86-64.
    pub const fn fused<S, K, A, B, C, O>(customs: &'static [CustomKernels]) -> Entry
    where
        S: Levels,
        K: KernelType + OpLane<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        B: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        Entry::binary::<S, K, A, B, C, O>(Dtypes(customs), C::DTYPE.register(), false)
    }

    /// Creates the kernel whose operands are both of the register form `M`. Pipelines compute with it, so it
    /// has a function for every level.
    pub const fn same<S, K, M, O>() -> Entry
    where
        S: Levels,
        K: KernelType + OpLane<M, Out = O>,
        M: Register + ConvertTo<M>,
        O: Register,
    {
        Entry::binary::<S, K, M, M, M, O>(Dtypes(&[]), M::DTYPE, true)
    }

    /// Creates the kernel of an op of two operands. If the catalogue says `in_place` of the op, and operands
    /// and result have one dtype, it also computes in place, and takes one element as its second input.
    const fn binary<S, K, A, B, C, O>(customs: Dtypes, compute: DType, scalar: bool) -> Entry
    where
        S: Levels,
        K: KernelType + OpLane<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        B: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        let waits = !K::FAST_PATH.exists && K::TRAP.is_none() && Entry::waits_for_memory::<O>(K::OP);
        let signature = KernelSignature {
            traps: K::TRAP.is_some(),
            memory_bound: waits,
            replaceable: if replaces_operand::<K, C::Reg, A, B, O>() { Entry::replaceable(K::OP) } else { 0 },
            ..Entry::signature_among::<A, B>(customs, OpTypes { common: C::DTYPE, compute, output: O::DTYPE })
        };
        Entry::new(K::OP, signature, Entry::loops_of_two::<S, K, A, B, C, O>(scalar))
    }

    const fn new(op: KernelOp, signature: KernelSignature, loops: EntryLoops) -> Entry {
        Entry { op, signature, loops, wide: None }
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
        Entry { op: wide.op, signature, loops: EntryLoops::apart(PerLevel::EMPTY), wide: Some(wide) }
    }

    /// Returns how many of the first operands of an op that computes in place may be the elements of `out`.
    const fn replaceable(op: KernelOp) -> u8 {
        if op.commutes() { 2 } else { 1 }
    }

    /// Returns true if the functions wait for nothing but memory.
    pub(crate) const fn is_memory_bound(&self) -> bool {
        self.signature.memory_bound
    }

    /// Returns true if an op with results of `O` waits for nothing but memory. Results that are rounded by
    /// arithmetic, not by an instruction, take longer; an extremum is not rounded.
    const fn waits_for_memory<O: Element>(op: KernelOp) -> bool {
        let by_arithmetic = O::NARROW && !O::STORE_IN_BLOCKS;
        waits_for_memory(op) && (!by_arithmetic || extremum(op).is_some())
    }

    /// Creates the kernel of a comparison that stores 1 where it holds and 0 elsewhere, as numbers of the
    /// operands' type. It also computes in place.
    pub const fn numbers<S, K, A>() -> Entry
    where
        S: Levels,
        K: KernelType + OpLane<A::Reg, Out = bool>,
        A: ConvertTo<A>,
        bool: Convert<A::Reg>,
    {
        const { assert!(K::TRAP.is_none() && !K::FAST_PATH.exists, "a comparison that is more than one step") };
        let signature = KernelSignature {
            memory_bound: Entry::waits_for_memory::<A>(K::OP),
            replaceable: Entry::replaceable(K::OP),
            ..Entry::signature_of::<A>(A::DTYPE.register())
        };
        Entry::new(K::OP, signature, cheap::<S, AsNumber<K>, A, A, InRegister<A, K::Overflow>, A>(false))
    }

    /// Creates the kernel of [`Entry::same`] for an op that refuses some operands, which is an error of the
    /// whole call. For all others, `Other` gives equal results; its functions are among those of `T`.
    pub const fn looked<S, T, K, Other, M>() -> Entry
    where
        S: Levels,
        T: Levels,
        K: KernelType + OpLane<M, Out = M>,
        Other: KernelType + OpLane<M, Out = M>,
        M: Register + ConvertTo<M>,
    {
        const {
            assert!(
                K::TRAP.is_some() && Other::TRAP.is_none() && Other::FAST_PATH.exists == K::FAST_PATH.exists,
                "an op that refuses nothing, or quite another one"
            );
        };
        let signature = Entry::signature_of::<M>(M::DTYPE);
        let raw = if Other::FAST_PATH.exists {
            body::<S, Checked<Binary<K, M, M, M, M>, Shared<T, ByFastPath<Binary<Other, M, M, M, M>>>>>(true)
        } else {
            body::<S, Checked<Binary<K, M, M, M, M>, Shared<T, Binary<Other, M, M, M, M>>>>(true)
        };
        Entry::new(K::OP, KernelSignature { traps: true, ..signature }, EntryLoops::apart(raw))
    }

    /// Returns the kernel of [`Entry::fused`] for one operand.
    pub const fn fused_unary<S, K, A, C, O>(customs: &'static [CustomKernels]) -> Entry
    where
        S: Levels,
        K: KernelType + OpLane<C::Reg, (C::Reg,), Out = O::Reg>,
        A: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        Entry::unary::<S, K, A, C, O>(Dtypes(customs), C::DTYPE.register(), false)
    }

    /// Creates the kernel of [`Entry::same`] for one operand.
    pub const fn same_unary<S, K, M, O>() -> Entry
    where
        S: Levels,
        K: KernelType + OpLane<M, (M,), Out = O>,
        M: Register + ConvertTo<M>,
        O: Register,
    {
        Entry::unary::<S, K, M, M, O>(Dtypes(&[]), M::DTYPE, true)
    }

    const fn unary<S, K, A, C, O>(customs: Dtypes, compute: DType, scalar: bool) -> Entry
    where
        S: Levels,
        K: KernelType + OpLane<C::Reg, (C::Reg,), Out = O::Reg>,
        A: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        let real = !matches!(C::DTYPE.kind(), Kind::Complex);
        let waits = real && !K::FAST_PATH.exists && Entry::waits_for_memory::<O>(K::OP);
        let types = OpTypes { common: C::DTYPE, compute, output: O::DTYPE };
        let signature = Entry::signature_among::<A, A>(customs, types);
        let signature = KernelSignature { count: 1, memory_bound: waits, ..signature };
        Entry::new(K::OP, signature, EntryLoops::apart(Entry::loops_of_one::<S, K, A, C, O>(scalar)))
    }

    /// Creates the kernel whose operands are both of the narrow float `T`, and which rounds each step to it.
    pub const fn rounded<S, K, T>() -> Entry
    where
        S: Levels,
        K: KernelType + OpLane<RoundedLane<T>, Out = RoundedLane<T>>,
        T: Element<Reg = f32>,
        Stepwise<T, K::Overflow>: ComputeForm<Common = T, Lane = RoundedLane<T>, Overflow = K::Overflow>,
    {
        let signature = Entry::signature_of::<T>(T::DTYPE);
        let loops = Map::<K, (Each<T>, Each<T>), Stepwise<T, K::Overflow>, T>::functions::<S>(true);
        Entry::new(K::OP, signature, EntryLoops::apart(loops))
    }

    /// Creates the kernel of [`Entry::rounded`] for one operand.
    pub const fn rounded_unary<S, K, T>() -> Entry
    where
        S: Levels,
        K: KernelType + OpLane<RoundedLane<T>, (RoundedLane<T>,), Out = RoundedLane<T>>,
        T: Element<Reg = f32>,
        Stepwise<T, K::Overflow>: ComputeForm<Common = T, Lane = RoundedLane<T>, Overflow = K::Overflow>,
    {
        let signature = Entry::signature_of::<T>(T::DTYPE);
        let loops = Map::<K, (Each<T>,), Stepwise<T, K::Overflow>, T>::functions::<S>(true);
        Entry::new(K::OP, KernelSignature { count: 1, ..signature }, EntryLoops::apart(loops))
    }

    /// Returns the kernel that selects an element of `A` or one of `B` by a condition, converted to `C`. Its
    /// dtypes may be custom ones of a rule set.
    ///
    /// It has a loop at the scalar level of x86-64 if no operand is converted, because pipelines need it
    /// there.
    pub const fn select<S, K, A, B, C>(customs: &'static [CustomKernels]) -> Entry
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
        Entry::new(K::OP, signature.choosing(), EntryLoops::apart(plain::<S, Select<K, A, B, C>>(same)))
    }

    /// Returns the kernel of the operands and further inputs, `N` in all, of the dtype of `T`, in which it
    /// computes, with results of the dtype of `O`: with every level, as [`Entry::same`].
    pub const fn extended<S, K, T, O, const N: usize>() -> Entry
    where
        S: Levels,
        T: ConvertTo<T>,
        O: Element,
        Stepwise<T, K::Overflow>: ComputeForm<Common = T, Lane: LaneValue<Reg = T::Reg>>,
        K: KernelType + OpLane<LaneOf<K, T>, [LaneOf<K, T>; N], Out: LaneValue<Reg = O::Reg>>,
    {
        const { assert!(N > 2 && N <= 4, "a kernel takes four inputs at most") };
        let types = OpTypes { common: T::DTYPE, compute: T::DTYPE, output: O::DTYPE };
        let signature = Entry::signature_of_op::<T, T>(types);
        let signature = KernelSignature { count: N as u8, traps: K::TRAP.is_some(), ..signature };
        let loops = Map::<K, [Each<T>; N], Stepwise<T, K::Overflow>, O>::functions::<S>(true);
        Entry::new(K::OP, signature, EntryLoops::apart(loops))
    }

    /// Returns the loops of two operands: an op that is cheap, on operands of the dtype of its results, also
    /// has one for results in place and one for a second operand of one element.
    const fn loops_of_two<S, K, A, B, C, O>(scalar: bool) -> EntryLoops
    where
        S: Levels,
        K: KernelType + OpLane<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        B: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        if !replaces_operand::<K, C::Reg, A, B, O>() {
            EntryLoops::apart(Binary::<K, A, B, C, O>::functions::<S>(scalar))
        } else if is_extremum_of_bits::<K, C, O>() {
            cheap::<S, ByBits<K, C>, u16, u16, InRegister<u16, Nan>, u16>(scalar)
        } else {
            cheap::<S, K, A, B, InRegister<C, K::Overflow>, O>(scalar)
        }
    }

    /// Returns the loops of one operand: the sign of a narrow float is changed in the form in memory, where
    /// it is the highest bit.
    pub(super) const fn loops_of_one<S, K, A, C, O>(scalar: bool) -> PerLevel
    where
        S: Levels,
        K: KernelType + OpLane<C::Reg, (C::Reg,), Out = O::Reg>,
        A: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        let signs = K::SIGN.is_some() && A::NARROW && A::DTYPE.index() == O::DTYPE.index();
        match size_of::<A::Repr>() {
            1 if signs => Map::<ByBits<K, C>, (Each<u8>,), InRegister<u8, Nan>, u8>::functions::<S>(scalar),
            2 if signs => {
                Map::<ByBits<K, C>, (Each<u16>,), InRegister<u16, Nan>, u16>::functions::<S>(scalar)
            }
            _ => Unary::<K, A, C, O>::functions::<S>(scalar),
        }
    }

    /// Returns the kernel for integers of the other signedness, of an op whose result bits do not depend on
    /// it. Operands that are widened keep the dtype of the functions.
    ///
    /// # Panics
    ///
    /// Panics if a dtype differs from that of the functions in more than its signedness, or if the functions
    /// take more inputs than the operands and a condition. In a `static` that is a compile error.
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
        let more = if signature.replaceable == 0 { None } else { self.loops.more };
        Entry { signature, loops: EntryLoops { more, ..self.loops }, ..self }
    }

    const fn signature_of<T: Element>(compute: DType) -> KernelSignature {
        Entry::signature_of_op::<T, T>(OpTypes { common: T::DTYPE, compute, output: T::DTYPE })
    }

    const fn signature_of_op<A: Element, B: Element>(types: OpTypes) -> KernelSignature {
        Entry::signature_among::<A, B>(Dtypes(&[]), types)
    }

    const fn signature_among<A: Element, B: Element>(customs: Dtypes, types: OpTypes) -> KernelSignature {
        match customs.signature(A::DTYPE, B::DTYPE, types) {
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

    /// Returns the function for `level`, which the caller must know the machine has. Its `out` overlaps no
    /// input.
    #[inline]
    pub(super) const fn raw(&self, level: Level) -> Option<RawKernel> {
        self.loops.apart.at(level)
    }

    /// Returns the functions for `level`, which the caller must know the machine has.
    #[inline]
    pub(super) fn functions_at(&self, level: Level) -> Option<Functions> {
        let more =
            self.loops.more.and_then(|more| Some([more.in_place.at(level)?, more.broadcast.at(level)?]));
        Some(Functions { apart: self.raw(level)?, in_place_and_broadcast: more })
    }

    /// Returns the function for `level` whose `out` is the first input, if there is one.
    #[inline]
    pub(super) fn in_place(&self, level: Level) -> Option<RawKernel> {
        self.loops.more?.in_place.at(level)
    }

    /// Returns the function for the level in use, if that is known already: level detection is not here, so
    /// that a call needs no stack.
    #[inline(always)]
    pub(crate) fn raw_in_use(&self) -> Option<RawKernel> {
        self.loops.apart.in_use()
    }
}

/// The lanes of a kernel that rounds each step to `T`.
type LaneOf<K, T> = <Stepwise<T, <K as KernelType>::Overflow> as ComputeForm>::Lane;

/// Returns true if the kernel of `A` and `B` also computes in place, and takes one element for its second
/// input.
const fn replaces_operand<K, M, A, B, O>() -> bool
where
    K: KernelType + OpLane<M>,
    A: Element,
    B: Element,
    O: Element,
{
    let out = O::DTYPE.index();
    // All custom dtypes share one index.
    let standard = !matches!(O::DTYPE, DType::Custom(_));
    let of_one = standard && A::DTYPE.index() == out && B::DTYPE.index() == out;
    computes_in_place(K::OP) && !K::FAST_PATH.exists && K::TRAP.is_none() && of_one
}

/// Returns the loops of a kernel that also computes in place and takes one element for its second input.
const fn cheap<S, K, A, B, F, O>(scalar: bool) -> EntryLoops
where
    S: Levels,
    F: ComputeForm,
    A: ConvertTo<F::Common>,
    B: ConvertTo<F::Common>,
    K: OpLane<F::Lane, Out: LaneValue<Reg = O::Reg>>,
    O: Element,
{
    const {
        assert!(K::TRAP.is_none() && !K::FAST_PATH.exists, "an op with a loop that no other loop stands for");
    }
    let more = const {
        &MoreLoops {
            in_place: plain::<S, InPlace<Map<K, (Each<A>, Each<B>), F, O>>>(false),
            broadcast: Map::<K, (Each<A>, One<B>), F, O>::functions::<S>(false),
        }
    };
    EntryLoops { apart: Map::<K, (Each<A>, Each<B>), F, O>::functions::<S>(scalar), more: Some(more) }
}
