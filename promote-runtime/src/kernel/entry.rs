//! Entries of registries: the kernels themselves.

use super::body::{AsNumber, Fused, Rounded, RoundedUnary, Select, WithExtras};
use super::by_level::{ByLevel, body, cheap, looking, pairs, plain, replaces, unary, work};
use super::composed::{Composed, LookedBefore};
use super::pointers::Function;
use super::target::Levels;
use super::types::Types;
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
    types: Types,
    raw: ByLevel,
}

impl Entry {
    /// The kernel that loads `A` and `B`, converts each to `C`, computes `K` and stores `O`.
    ///
    /// For every SIMD level; on the scalar level of x86-64 the blocked plan stands in for it.
    pub const fn fused<S, K, A, B, C, O>() -> Entry
    where
        S: Levels,
        K: Binary<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        B: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        Entry::binary::<S, K, A, B, C, O>(C::DTYPE.register(), false)
    }

    /// The kernel whose operands are both of the register form `M`: the blocked plan computes with it, so it
    /// has every level.
    pub const fn same<S, K, M, O>() -> Entry
    where
        S: Levels,
        K: Binary<M, Out = O>,
        M: Register + ConvertTo<M>,
        O: Register,
    {
        Entry::binary::<S, K, M, M, M, O>(M::DTYPE, true)
    }

    /// A kernel of a [`KernelOp::replaces`] whose operands and result have one dtype also computes in place,
    /// and takes one element for its second input.
    const fn binary<S, K, A, B, C, O>(compute: DType, every: bool) -> Entry
    where
        S: Levels,
        K: Binary<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        B: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        let types = Entry::types_of::<K, A, B, O>(C::DTYPE, compute).taking(2, K::TRAP.is_some());
        let waits = !K::HAS_FAST_PATH && K::TRAP.is_none() && Entry::waits_for_memory::<O>(K::OP);
        let types = types.streaming(waits);
        let types = if replaces::<K, C::Reg, A, B, O>() { types.in_place(K::OP.commutes()) } else { types };
        Entry { op: K::OP, types, raw: pairs::<S, K, A, B, C, O>(every) }
    }

    /// A kernel that is several others.
    pub const fn composed(of: &'static Composed) -> Entry {
        Entry { op: of.op, types: of.types, raw: of.steps.by_level() }
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
        let types = Entry::types_of::<K, A, A, A>(A::DTYPE, A::DTYPE.register());
        const { assert!(K::TRAP.is_none() && !K::HAS_FAST_PATH, "a comparison that is more than one step") };
        let types = types.taking(2, false).streaming(Entry::waits_for_memory::<A>(K::OP));
        let types = types.in_place(K::OP.commutes());
        Entry { op: K::OP, types, raw: cheap::<S, Fused<AsNumber<K>, A, A, A, A>>(false) }
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
        let types = Entry::types_of::<K, M, M, M>(M::DTYPE, M::DTYPE).taking(2, true);
        let raw = if Other::HAS_FAST_PATH {
            body::<S, LookedBefore<Fused<K, M, M, M, M>, T, Fused<Other, M, M, M, M>, true>>(true)
        } else {
            body::<S, LookedBefore<Fused<K, M, M, M, M>, T, Fused<Other, M, M, M, M>, false>>(true)
        };
        Entry { op: K::OP, types, raw }
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
        Entry::unary::<S, K, A, C, O>(C::DTYPE.register(), false)
    }

    /// As [`Entry::same`], of one operand.
    pub const fn same_unary<S, K, M, O>() -> Entry
    where
        S: Levels,
        K: Unary<M, Out = O>,
        M: Register + ConvertTo<M>,
        O: Register,
    {
        Entry::unary::<S, K, M, M, O>(M::DTYPE, true)
    }

    const fn unary<S, K, A, C, O>(compute: DType, every: bool) -> Entry
    where
        S: Levels,
        K: Unary<C::Reg, Out = O::Reg>,
        A: ConvertTo<C>,
        C: Element,
        O: Element,
    {
        let real = !matches!(C::DTYPE.kind(), Kind::Complex);
        let waits = real && !K::HAS_FAST_PATH && Entry::waits_for_memory::<O>(K::OP);
        let types = Entry::types_of::<K, A, A, O>(C::DTYPE, compute);
        Entry {
            op: K::OP,
            types: types.taking(1, false).streaming(waits),
            raw: unary::<S, K, A, C, O>(every),
        }
    }

    /// The kernel whose operands are both of the narrow float `T`, and each of whose steps is rounded to it.
    pub const fn rounded<S, K, T>() -> Entry
    where
        S: Levels,
        K: Binary<Stepped<T>, Out = Stepped<T>>,
        T: Element<Reg = f32>,
    {
        let types = Entry::types_of::<K, T, T, T>(T::DTYPE, T::DTYPE);
        Entry { op: K::OP, types: types.taking(2, false), raw: work::<S, Rounded<K, T>>(true) }
    }

    /// As [`Entry::rounded`], of one operand.
    pub const fn rounded_unary<S, K, T>() -> Entry
    where
        S: Levels,
        K: Unary<Stepped<T>, Out = Stepped<T>>,
        T: Element<Reg = f32>,
    {
        let types = Entry::types_of::<K, T, T, T>(T::DTYPE, T::DTYPE);
        Entry { op: K::OP, types: types.taking(1, false), raw: work::<S, RoundedUnary<K, T>>(true) }
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
        let types = Entry::types_of::<K, A, B, C>(C::DTYPE, C::DTYPE.register());
        let same = A::DTYPE.index() == C::DTYPE.index() && B::DTYPE.index() == C::DTYPE.index();
        Entry { op: K::OP, types: types.choosing(), raw: plain::<S, Select<K, A, B, C>>(same) }
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
        let types = Entry::types_of::<K, T, T, T>(T::DTYPE, T::DTYPE);
        let types = types.with_third(types.compute()).taking(2 + N, K::TRAP.is_some());
        Entry { op: K::OP, types, raw: looking::<S, WithExtras<K, T, N>>() }
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
        let types = Entry::types_of_op::<A, B>(self.op, types);
        let pairs = [
            (types.first(), self.types.first()),
            (types.second(), self.types.second()),
            (types.common(), self.types.common()),
            (types.compute(), self.types.compute()),
            (types.out(), self.types.out()),
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
        assert!(
            self.types.inputs() < 3 || self.types.chooses(),
            "an input that the functions take for another dtype"
        );
        let in_place = self.types.is_in_place() && types.is_of_one();
        let types = types.like(self.types).streaming(self.types.streams());
        Entry { types: if in_place { types.in_place(self.op.commutes()) } else { types }, ..self }
    }

    const fn types_of<K: KernelType, A: Element, B: Element, O: Element>(
        common: DType,
        compute: DType,
    ) -> Types {
        Entry::types_of_op::<A, B>(K::OP, OpTypes { common, compute, output: O::DTYPE })
    }

    pub(super) const fn types_of_op<A: Element, B: Element>(op: KernelOp, types: OpTypes) -> Types {
        match Types::new(A::DTYPE, B::DTYPE, types, op.result(types.compute)) {
            Some(types) => types,
            None => panic!("a kernel of a registry has standard dtypes only"),
        }
    }

    #[inline]
    pub(super) const fn op(&self) -> KernelOp {
        self.op
    }

    #[inline]
    pub(super) const fn types(&self) -> Types {
        self.types
    }

    /// The functions for all levels.
    pub(super) const fn functions(&self) -> &ByLevel {
        &self.raw
    }

    /// The function for `level`, which the caller must know the machine has.
    #[inline]
    pub(super) const fn raw(&self, level: Level) -> Option<Function> {
        self.raw[level.index()]
    }

    /// The function for the level in use, if that is known already: what detects it is not here, so that a
    /// call needs no stack.
    #[inline(always)]
    pub(crate) fn raw_in_use(&self) -> Option<Function> {
        self.raw.get(Level::active_index()).copied().flatten()
    }
}
