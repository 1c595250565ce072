//! Registries: which kernels a build has, found by dtypes in a nanosecond or two.

use core::fmt;

use super::Code;
use super::body::{AsNumber, Chosen, Fused, FusedUnary, Rounded, RoundedUnary, Signs, WithExtras};
use super::casts::Casts;
use super::composed::{Composed, LookedBefore};
use super::custom::{CustomEntry, CustomKernels, Dtypes};
use super::handle::{Key, Types};
use super::loops::{Cheap, InBlocks, Looked, Loop, Replaces, Traps, Work};
use super::ops::steps::Stepped;
use super::ops::{Binary, ComputeIn, Extended, KernelOp, KernelType, Unary};
use super::ordered::{Ordered, is_ordered};
use super::pointers::Function;
use super::quick::{Asked, Quick};
use super::reduction::table::Reductions;
use super::target::{Body, Levels, Target, check_levels};
use crate::convert::{Convert, ConvertTo};
use crate::element::{Element, Register};
use crate::level::Level;
use crate::op::OpTypes;
use crate::{DType, Kind};

/// How many dtypes have elements.
pub(super) const TYPES: usize = DType::WITH_TYPE.len();
pub(super) const LEVELS: usize = Level::ALL.len();

/// One function for each level, at the level's number; a level without one takes another way.
///
/// A machine that has the level may run the function there: [`plain`] and [`body`] fill it, with the doors of a bundle of tokens, and what is `composed` calls those of
/// its own place. [`check_levels`] shows that each token is that of the place where its door is put, and a [`Target`] promises that its door asks for the level of
/// its token only.
pub(super) type ByLevel = [Option<Function>; LEVELS];

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

    /// The kernel whose operands are both of the register form `M`: the blocked plan computes with it, so it has every level.
    pub const fn same<S, K, M, O>() -> Entry
    where
        S: Levels,
        K: Binary<M, Out = O>,
        M: Register + ConvertTo<M>,
        O: Register,
    {
        Entry::binary::<S, K, M, M, M, O>(M::DTYPE, true)
    }

    /// A kernel of a [`KernelOp::replaces`] whose operands and result have one dtype also computes in place, and takes one element for its second input.
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
        let waits = !K::QUICK && K::TRAP.is_none() && Entry::waits_for_memory::<O>(K::OP);
        let types = types.streaming(waits);
        let types = if replaces::<K, C::Reg, A, B, O>() { types.in_place(K::OP.commutes()) } else { types };
        Entry { op: K::OP, types, raw: pairs::<S, K, A, B, C, O>(every) }
    }

    /// A kernel that is several others.
    pub const fn composed(of: &'static Composed) -> Entry {
        Entry { op: of.op, types: of.types, raw: of.steps.by_level() }
    }

    /// Whether an op with results of `O` waits for nothing but memory: those that are rounded by arithmetic, and by no instruction, take longer; an extremum is not rounded.
    const fn waits_for_memory<O: Element>(op: KernelOp) -> bool {
        let rounds = matches!(O::DTYPE, DType::BF16 | DType::F8E4M3FN | DType::F8E5M2);
        op.waits_for_memory() && (!rounds || op.extremum().is_some())
    }

    /// The kernel of a comparison that stores 1 where it holds and 0 elsewhere, as numbers of its operands' type: in place, too.
    pub const fn numbers<S, K, A>() -> Entry
    where
        S: Levels,
        K: Binary<A::Reg, Out = bool>,
        A: ConvertTo<A>,
        bool: Convert<A::Reg>,
    {
        let types = Entry::types_of::<K, A, A, A>(A::DTYPE, A::DTYPE.register());
        const { assert!(K::TRAP.is_none() && !K::QUICK, "a comparison that is more than one step") };
        let types = types.taking(2, false).streaming(Entry::waits_for_memory::<A>(K::OP));
        let types = types.in_place(K::OP.commutes());
        Entry { op: K::OP, types, raw: cheap::<S, Fused<AsNumber<K>, A, A, A, A>>(false) }
    }

    /// As [`Entry::same`], of an op some of whose operands are an error of the whole call: `Other`, which has its functions among those of `T`, gives the same where none
    /// is.
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
                K::TRAP.is_some() && Other::QUICK == K::QUICK,
                "an op that refuses nothing, or quite another one"
            );
        };
        let types = Entry::types_of::<K, M, M, M>(M::DTYPE, M::DTYPE).taking(2, true);
        let raw = if Other::QUICK {
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
        let waits = real && !K::QUICK && Entry::waits_for_memory::<O>(K::OP);
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

    /// The kernel that chooses between elements of one type.
    pub const fn chosen<S, K: KernelType, T: Element>() -> Entry
    where
        S: Levels,
    {
        let types = Entry::types_of::<K, T, T, T>(T::DTYPE, T::DTYPE.register());
        Entry { op: K::OP, types: types.choosing(), raw: plain::<S, Chosen<T>>(true) }
    }

    /// The kernel of `N` inputs behind two operands, all of the dtype of `T`, in which it computes: with every level, as [`Entry::same`].
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

    /// The same functions for integers of the other sign: of an op to whose bits that is nothing. Operands that are widened are those of the functions.
    ///
    /// # Panics
    ///
    /// When a dtype is neither that of the functions nor, as that is, an integer of its width; when the functions take more than the operands and a
    /// condition. In a `static` that is a compile error.
    ///
    /// ```compile_fail,E0080
    /// # mod tokens { promote_runtime::__levels! {} }
    /// use promote_runtime::kernel::{Entry, ops};
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
        self.raw[level.place()]
    }

    /// The function for the level in use, if that is known already: what detects it is not here, so that a call needs no stack.
    #[inline(always)]
    pub(super) fn raw_in_use(&self) -> Option<Function> {
        self.raw.get(Level::place_in_use()).copied().flatten()
    }
}

const fn is_integer(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Signed | Kind::Unsigned)
}

/// The loop at every level, or at every SIMD level: on machines without any, at the scalar one.
///
/// These functions run when the registries are computed, and only the loops and bodies that they choose are compiled.
pub(super) const fn plain<S: Levels, P: Loop>(every: bool) -> ByLevel {
    check_levels::<S>();
    #[cfg(target_arch = "x86_64")]
    return [
        if every { Some(Function::new(<S::Scalar as Target>::enter::<P>)) } else { None },
        Some(Function::new(<S::V3 as Target>::enter::<P>)),
        Some(Function::new(<S::V4 as Target>::enter::<P>)),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    {
        // The one level has every body.
        let _ = every;
        [Some(Function::new(<S::Scalar as Target>::enter::<P>))]
    }
}

/// As [`plain`], of a body.
const fn body<S: Levels, B: Body>(every: bool) -> ByLevel {
    check_levels::<S>();
    #[cfg(target_arch = "x86_64")]
    return [
        if every { Some(Function::new(<S::Scalar as Target>::enter_body::<B>)) } else { None },
        Some(Function::new(<S::V3 as Target>::enter_body::<B>)),
        Some(Function::new(<S::V4 as Target>::enter_body::<B>)),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    {
        // The one level has every body.
        let _ = every;
        [Some(Function::new(<S::Scalar as Target>::enter_body::<B>))]
    }
}

/// `W` in the loop that its result asks for.
pub(super) const fn work<S: Levels, W: Work + Loop>(every: bool) -> ByLevel {
    if W::Out::STORE_IN_BLOCKS { plain::<S, InBlocks<W>>(every) } else { plain::<S, W>(every) }
}

/// As [`work`], with loops for `out` that is the first input, and for one element as the second.
const fn cheap<S: Levels, W: Replaces + Loop>(every: bool) -> ByLevel {
    if W::Out::STORE_IN_BLOCKS {
        body::<S, Cheap<W, InBlocks<W>, InBlocks<W::Spread>>>(every)
    } else {
        body::<S, Cheap<W, W, W::Spread>>(every)
    }
}

/// The body at every level, each of which has it.
pub(super) const fn every<S: Levels, W: Work + Loop>() -> [Function; LEVELS] {
    let all = work::<S, W>(true);
    let [Some(first), ..] = all else { panic!("the scalar level has every body") };
    let mut found = [first; LEVELS];
    let mut i = 1;
    while i < LEVELS {
        if let Some(raw) = all[i] {
            found[i] = raw;
        }
        i += 1;
    }
    found
}

/// As [`work`], with a look at all operands where some may trap, and by the quicker form if there is one.
pub(super) const fn binary<S: Levels, W: Quick + Traps + Loop>(quick: bool, every: bool) -> ByLevel {
    match (W::TRAP, quick) {
        (None, false) => work::<S, W>(every),
        (None, true) => plain::<S, Asked<W>>(every),
        (Some(_), true) => body::<S, Looked<W, Asked<W>>>(every),
        (Some(_), false) if W::Out::STORE_IN_BLOCKS => body::<S, Looked<W, InBlocks<W>>>(every),
        (Some(_), false) => body::<S, Looked<W, W>>(every),
    }
}

/// Whether the kernel of `A` and `B` also computes in place, and takes one element for its second input.
const fn replaces<K, M, A, B, O>() -> bool
where
    K: Binary<M>,
    A: Element,
    B: Element,
    O: Element,
{
    let out = O::DTYPE.index();
    let of_one = A::DTYPE.index() == out && B::DTYPE.index() == out;
    K::OP.replaces() && !K::QUICK && K::TRAP.is_none() && of_one
}

/// As [`binary`], or with loops for results in the place of the first operand and for one element as the second.
pub(super) const fn pairs<S, K, A, B, C, O>(every: bool) -> ByLevel
where
    S: Levels,
    K: Binary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element,
    O: Element,
{
    if replaces::<K, C::Reg, A, B, O>() && is_ordered::<K, C, O>() {
        cheap::<S, Ordered<K, O>>(every)
    } else if replaces::<K, C::Reg, A, B, O>() {
        cheap::<S, Fused<K, A, B, C, O>>(every)
    } else {
        binary::<S, Fused<K, A, B, C, O>>(K::QUICK, every)
    }
}

/// As [`binary`], at every level, of what has no quicker form.
const fn looking<S: Levels, W: Traps + Loop>() -> ByLevel {
    match W::TRAP {
        None => work::<S, W>(true),
        Some(_) if W::Out::STORE_IN_BLOCKS => body::<S, Looked<W, InBlocks<W>>>(true),
        Some(_) => body::<S, Looked<W, W>>(true),
    }
}

/// Of one operand: a sign of a narrow float is changed in memory form, where it is the highest bit.
pub(super) const fn unary<S, K, A, C, O>(every: bool) -> ByLevel
where
    S: Levels,
    K: Unary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    C: Element,
    O: Element,
{
    let signs = K::SIGN.is_some() && A::NARROW && A::DTYPE.index() == O::DTYPE.index();
    match size_of::<A::Repr>() {
        1 if signs => plain::<S, Signs<K, C::Reg, u8>>(every),
        2 if signs => plain::<S, Signs<K, C::Reg, u16>>(every),
        _ if K::QUICK => plain::<S, Asked<FusedUnary<K, A, C, O>>>(every),
        _ => work::<S, FusedUnary<K, A, C, O>>(every),
    }
}

/// The kernels of one op.
#[derive(Debug)]
pub struct Registry {
    entries: &'static [Entry],
    /// Where the entries of each pair begin, the pair after it where they end.
    starts: [u16; TYPES * TYPES + 1],
}

impl Registry {
    /// A registry of entries that are all of one op with one set of words and stand in the order of (a, b, common, compute, out),
    /// each in the order of [`DType::index`].
    ///
    /// Of an op that commutes, a pair is stored once: `a` does not stand after `b`. Of an op of one operand `a` stands for both.
    ///
    /// # Panics
    ///
    /// When there are no entries, or they are of several ops, out of order, doubled, or of a dtype that is no standard one; in a
    /// `static` that is a compile error.
    pub const fn new(entries: &'static [Entry]) -> Registry {
        assert!(!entries.is_empty(), "a registry holds kernels");
        assert!(entries.len() <= u16::MAX as usize, "a registry holds at most 65535 kernels");
        let op = entries[0].op;
        let (op_rank, commutes) = (op.rank(), op.commutes());
        let mut starts = [0; TYPES * TYPES + 1];
        let mut filled = 0;
        let (mut i, mut before) = (0, 0);
        while i < entries.len() {
            let entry = &entries[i];
            let (a, b) = (entry.types.first().0 as usize, entry.types.second().0 as usize);
            let (pair, rank) = (a * TYPES + b, entry.types.rank());
            assert!(entry.op.rank() == op_rank, "a registry holds the kernels of one op");
            assert!(i == 0 || before < rank, "kernels out of order, or one doubled");
            assert!(a <= b || !commutes, "a kernel that commutes is stored for one order only");
            before = rank;
            while filled < pair {
                filled += 1;
                starts[filled] = i as u16;
            }
            i += 1;
        }
        while filled < TYPES * TYPES {
            filled += 1;
            starts[filled] = entries.len() as u16;
        }
        Registry { entries, starts }
    }

    /// The entry of exactly these dtypes, and whether it wants `b` first.
    #[inline]
    pub const fn find(&self, a: DType, b: DType, types: OpTypes) -> Option<(&Entry, bool)> {
        let (a, b) = (a.index(), b.index());
        if a >= TYPES || b >= TYPES {
            return None;
        }
        let swap = a > b && self.op().commutes();
        let pair = if swap { b * TYPES + a } else { a * TYPES + b };
        let key = Key::new(types);
        let mut i = self.starts[pair] as usize;
        while i < self.starts[pair + 1] as usize {
            let entry = &self.entries[i];
            if entry.types.key().is(key) {
                return Some((entry, swap));
            }
            i += 1;
        }
        None
    }

    const fn op(&self) -> KernelOp {
        self.entries[0].op
    }

    /// The dtypes (a, b, common, out) of every entry, in order.
    pub fn dtypes(&self) -> impl ExactSizeIterator<Item = [DType; 4]> + use<> {
        self.entries.iter().map(|entry| {
            let types = entry.types;
            [types.first(), types.second(), types.common(), types.out()].map(super::Code::standard)
        })
    }
}

/// All the kernels of a build: registries, one for each op with its words, and the casts.
pub struct Kernels {
    registries: &'static [&'static Registry],
    /// Where the registries of each op begin, the op after it where they end.
    starts: [u16; KernelOp::COUNT + 1],
    casts: Option<&'static Casts>,
    reductions: Option<&'static Reductions>,
    /// Of the dtypes of a rule set's own.
    customs: &'static [CustomKernels],
}

// All that is in them is addresses, thousands.
impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernels").field("registries", &self.registries.len()).finish_non_exhaustive()
    }
}

impl Kernels {
    /// No kernels at all.
    pub const EMPTY: Kernels = Kernels::new(&[], None);

    /// The kernels of these registries, in the order of [`KernelOp::index`] and, of one op, of its words; and the casts.
    ///
    /// # Panics
    ///
    /// When registries stand out of order, or two are of one op and its words; in a `static` that is a compile error.
    pub const fn new(registries: &'static [&'static Registry], casts: Option<&'static Casts>) -> Kernels {
        let mut starts = [0; KernelOp::COUNT + 1];
        let mut filled = 0;
        let mut i = 0;
        while i < registries.len() {
            let op = registries[i].op();
            assert!(
                i == 0 || registries[i - 1].op().rank() < op.rank(),
                "registries out of order, or two of one op"
            );
            while filled < op.index() {
                filled += 1;
                starts[filled] = i as u16;
            }
            i += 1;
        }
        while filled < KernelOp::COUNT {
            filled += 1;
            starts[filled] = registries.len() as u16;
        }
        Kernels { registries, starts, casts, reductions: None, customs: &[] }
    }

    /// These kernels and those of the dtypes of a rule set's own.
    ///
    /// # Panics
    ///
    /// When there are more than 14 of these; in a `static` that is a compile error.
    #[must_use]
    pub const fn with_customs(&self, customs: &'static [CustomKernels]) -> Kernels {
        assert!(
            customs.len() <= Code::CUSTOMS,
            "a rule set has at most 14 dtypes of its own that have a type"
        );
        let Kernels { registries, starts, casts, reductions, .. } = *self;
        Kernels { registries, starts, casts, reductions, customs }
    }

    /// These kernels and reductions.
    #[must_use]
    pub const fn with_reductions(&self, reductions: &'static Reductions) -> Kernels {
        let Kernels { registries, starts, casts, customs, .. } = *self;
        Kernels { registries, starts, casts, reductions: Some(reductions), customs }
    }

    /// The reductions.
    pub(super) const fn reductions(&self) -> Option<&'static Reductions> {
        self.reductions
    }

    /// The kernels of the dtypes of a rule set's own.
    #[inline]
    pub(super) const fn customs(&self) -> Dtypes {
        Dtypes(self.customs)
    }

    /// The kernel of an op on a dtype of a rule set's own, in which it computes.
    pub(super) fn custom(&self, op: KernelOp, compute: DType) -> Option<&'static CustomEntry> {
        let own = self.customs.iter().find(|own| DType::Custom(own.dtype()) == compute)?;
        own.find(op)
    }

    /// The cast of a dtype of a rule set's own to itself.
    pub(super) fn copy(&self, dtype: DType, level: Level) -> Option<&'static Function> {
        let own = self.customs.iter().find(|own| DType::Custom(own.dtype()) == dtype)?;
        own.copy(level)
    }

    /// The registry of an op with exactly its words.
    #[inline]
    pub const fn registry(&self, op: KernelOp) -> Option<&'static Registry> {
        let mut i = self.starts[op.index()] as usize;
        while i < self.starts[op.index() + 1] as usize {
            let registry = self.registries[i];
            if registry.op().rank() == op.rank() {
                return Some(registry);
            }
            i += 1;
        }
        None
    }

    /// The ops that have kernels, each with its words.
    pub fn ops(&self) -> impl ExactSizeIterator<Item = (KernelOp, &'static Registry)> + use<> {
        self.registries.iter().map(|registry| (registry.op(), *registry))
    }

    /// The casts.
    #[inline]
    pub const fn casts(&self) -> Option<&'static Casts> {
        self.casts
    }
}
