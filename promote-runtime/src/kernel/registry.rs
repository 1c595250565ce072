//! Registries: which kernels a build has, found by dtypes in a nanosecond or two.

use super::RawKernel;
use super::body::{CastTo, Fused};
use super::handle::{Key, Types};
use super::ops::{Binary, KernelOp, KernelType};
use super::target::{Body, Levels, Target, check_levels};
use crate::DType;
use crate::convert::{ConvertAll, ConvertTo, Nan, Saturate};
use crate::element::{Element, Register};
use crate::level::Level;
use crate::op::OpTypes;

/// How many dtypes have elements.
const TYPES: usize = DType::WITH_TYPE.len();
const LEVELS: usize = Level::ALL.len();

/// One function for each level, at the level's number; a level without one takes another way.
///
/// A machine that has the level may run the function there: [`by_level`] and [`Entry::fused`] alone fill it, with the
/// doors of a bundle of tokens. [`check_levels`] shows that each token is that of the place where its door is put, and
/// a [`Target`] promises that its door asks for the level of its token only.
type ByLevel = [Option<RawKernel>; LEVELS];

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
        check_levels::<S>();
        #[cfg(target_arch = "x86_64")]
        let raw: ByLevel = [
            None,
            Some(<S::V3 as Target>::enter::<Fused<K, A, B, C, O>>),
            Some(<S::V4 as Target>::enter::<Fused<K, A, B, C, O>>),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let raw: ByLevel = [Some(<S::Scalar as Target>::enter::<Fused<K, A, B, C, O>>), None, None];
        Entry::of::<K, A, B, C, O>(raw)
    }

    /// The kernel whose operands are both of the register form `M`: the blocked plan computes with it, so it has every level.
    pub const fn same<S, K, M, O>() -> Entry
    where
        S: Levels,
        K: Binary<M, Out = O>,
        M: Register + ConvertTo<M>,
        O: Register,
    {
        Entry::of::<K, M, M, M, O>(by_level::<S, Fused<K, M, M, M, O>>())
    }

    const fn of<K: KernelType, A: Element, B: Element, C: Element, O: Element>(raw: ByLevel) -> Entry {
        let types = OpTypes { common: C::DTYPE, compute: C::DTYPE.register(), output: O::DTYPE };
        let computed = K::OP.result(types.compute);
        let Some(types) = Types::new(A::DTYPE, B::DTYPE, types, computed) else {
            panic!("a kernel of a registry has standard dtypes only")
        };
        Entry { op: K::OP, types, raw }
    }

    #[inline]
    pub(super) const fn types(&self) -> Types {
        self.types
    }

    /// The function for `level`, which the caller must know the machine has.
    #[inline]
    pub(super) const fn raw(&self, level: Level) -> Option<RawKernel> {
        self.raw[level as usize]
    }

    /// The order of entries in a registry.
    const fn rank(&self) -> u32 {
        let types = self.types;
        u32::from_be_bytes([types.first().0, types.second().0, types.common().0, types.out().0])
    }
}

const fn by_level<S: Levels, B: Body>() -> ByLevel {
    check_levels::<S>();
    #[cfg(target_arch = "x86_64")]
    return [
        Some(<S::Scalar as Target>::enter::<B>),
        Some(<S::V3 as Target>::enter::<B>),
        Some(<S::V4 as Target>::enter::<B>),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    return [Some(<S::Scalar as Target>::enter::<B>), None, None];
}

/// The kernels of one op.
#[derive(Debug)]
pub struct Registry {
    entries: &'static [Entry],
    pairs: [Pair; TYPES * TYPES],
}

/// Which entries are for a pair of dtypes.
#[derive(Clone, Copy, Debug)]
struct Pair {
    start: u16,
    /// One more than the last.
    end: u16,
    /// Whether they are those of the swapped pair, the op being one that commutes.
    swap: bool,
}

impl Registry {
    /// A registry of entries that are all of one op and stand in the order of (a, b, common, out), each in the order of [`DType::index`].
    ///
    /// Of an op that commutes, a pair is stored once: `a` does not stand after `b`.
    ///
    /// # Panics
    ///
    /// When the entries are of several ops, out of order, doubled, or of a dtype that is no standard one; in a `static` that is a compile error.
    pub const fn new(entries: &'static [Entry]) -> Registry {
        assert!(entries.len() <= u16::MAX as usize, "a registry holds at most 65535 kernels");
        let mut pairs = [Pair { start: 0, end: 0, swap: false }; TYPES * TYPES];
        let mut i = 0;
        while i < entries.len() {
            let entry = &entries[i];
            let (a, b) = (entry.types.first().0 as usize, entry.types.second().0 as usize);
            assert!(entry.op.index() == entries[0].op.index(), "a registry holds the kernels of one op");
            assert!(i == 0 || entries[i - 1].rank() < entry.rank(), "kernels out of order, or one doubled");
            assert!(a <= b || !entry.op.commutes(), "a kernel that commutes is stored for one order only");
            let pair = &mut pairs[a * TYPES + b];
            if pair.end == 0 {
                pair.start = i as u16;
            }
            pair.end = i as u16 + 1;
            if a != b && entry.op.commutes() {
                let Pair { start, end, .. } = *pair;
                pairs[b * TYPES + a] = Pair { start, end, swap: true };
            }
            i += 1;
        }
        Registry { entries, pairs }
    }

    /// The entry of exactly these dtypes, and whether it wants `b` first.
    ///
    /// There is one only where `types.compute` is the register form of `types.common`.
    #[inline]
    pub const fn find(&self, a: DType, b: DType, types: OpTypes) -> Option<(&Entry, bool)> {
        let (a, b) = (a.index(), b.index());
        if a >= TYPES || b >= TYPES {
            return None;
        }
        let pair = self.pairs[a * TYPES + b];
        let key = Key::new(types);
        let mut i = pair.start as usize;
        while i < pair.end as usize {
            let entry = &self.entries[i];
            if entry.types.key().is(key) {
                return Some((entry, pair.swap));
            }
            i += 1;
        }
        None
    }

    /// The dtypes (a, b, common, out) of every entry, in order.
    pub fn dtypes(&self) -> impl ExactSizeIterator<Item = [DType; 4]> + use<> {
        self.entries.iter().map(|entry| {
            let types = entry.types;
            [types.first(), types.second(), types.common(), types.out()].map(super::Code::dtype)
        })
    }
}

/// The casts from one dtype to all of them.
#[derive(Debug)]
pub struct CastRow {
    from: u8,
    to: [ByLevel; TYPES],
    /// To f8e4m3fn where overflow gives the greatest finite value.
    saturating: ByLevel,
}

impl CastRow {
    /// The casts from `A`, for every level.
    pub const fn new<S: Levels, A: Element<Reg: ConvertAll>>() -> CastRow {
        CastRow {
            from: A::DTYPE.index() as u8,
            to: [
                CastRow::one::<S, A, bool>(),
                CastRow::one::<S, A, u8>(),
                CastRow::one::<S, A, u16>(),
                CastRow::one::<S, A, u32>(),
                CastRow::one::<S, A, u64>(),
                CastRow::one::<S, A, i8>(),
                CastRow::one::<S, A, i16>(),
                CastRow::one::<S, A, i32>(),
                CastRow::one::<S, A, i64>(),
                CastRow::one::<S, A, float8::F8E4M3>(),
                CastRow::one::<S, A, float8::F8E5M2>(),
                CastRow::one::<S, A, half::f16>(),
                CastRow::one::<S, A, half::bf16>(),
                CastRow::one::<S, A, f32>(),
                CastRow::one::<S, A, f64>(),
                CastRow::one::<S, A, num_complex::Complex<half::f16>>(),
                CastRow::one::<S, A, num_complex::Complex<f32>>(),
                CastRow::one::<S, A, num_complex::Complex<f64>>(),
            ],
            saturating: by_level::<S, CastTo<Saturate, A, float8::F8E4M3>>(),
        }
    }

    const fn one<S: Levels, A: ConvertTo<C>, C: Element>() -> ByLevel {
        by_level::<S, CastTo<Nan, A, C>>()
    }
}

/// The casts from every dtype to every dtype.
#[derive(Debug)]
pub struct Casts {
    rows: [&'static CastRow; TYPES],
}

impl Casts {
    /// All rows, in the order of [`DType::index`].
    ///
    /// # Panics
    ///
    /// When a row is out of its place; in a `static` that is a compile error.
    pub const fn new(rows: [&'static CastRow; TYPES]) -> Casts {
        let mut i = 0;
        while i < TYPES {
            assert!(rows[i].from as usize == i, "rows of casts out of order");
            i += 1;
        }
        Casts { rows }
    }

    #[inline]
    pub(super) const fn raw(
        &self,
        from: DType,
        to: DType,
        saturate: bool,
        level: Level,
    ) -> Option<RawKernel> {
        let (from, index) = (from.index(), to.index());
        if from >= TYPES || index >= TYPES {
            return None;
        }
        let row = self.rows[from];
        let by_level =
            if saturate && matches!(to, DType::F8E4M3FN) { &row.saturating } else { &row.to[index] };
        by_level[level as usize]
    }
}

/// All the kernels of a build: a registry for each op, and the casts.
#[derive(Debug)]
pub struct Kernels {
    ops: [Option<&'static Registry>; KernelOp::COUNT],
    casts: Option<&'static Casts>,
}

impl Kernels {
    /// No kernels at all.
    pub const EMPTY: Kernels = Kernels { ops: [None; KernelOp::COUNT], casts: None };

    /// With the kernels of one more op; which, its entries say.
    ///
    /// # Panics
    ///
    /// When there are kernels of that op already; in a `static` that is a compile error.
    #[must_use]
    pub const fn with(mut self, registry: &'static Registry) -> Kernels {
        if let Some(entry) = registry.entries.first() {
            let place = &mut self.ops[entry.op.index()];
            assert!(place.is_none(), "two registries of one op");
            *place = Some(registry);
        }
        self
    }

    /// With the casts.
    #[must_use]
    pub const fn with_casts(mut self, casts: &'static Casts) -> Kernels {
        self.casts = Some(casts);
        self
    }

    /// The registry of an op.
    #[inline]
    pub const fn registry(&self, op: KernelOp) -> Option<&'static Registry> {
        self.ops[op.index()]
    }

    /// The casts.
    #[inline]
    pub const fn casts(&self) -> Option<&'static Casts> {
        self.casts
    }
}

/// Defines a module `casts` with a `static CASTS` of all casts, each source dtype in a module of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! __casts {
    () => {
        #[doc(hidden)]
        pub mod casts {
            $crate::__casts! {
                @rows
                from_bool ::core::primitive::bool,
                from_u8 ::core::primitive::u8,
                from_u16 ::core::primitive::u16,
                from_u32 ::core::primitive::u32,
                from_u64 ::core::primitive::u64,
                from_i8 ::core::primitive::i8,
                from_i16 ::core::primitive::i16,
                from_i32 ::core::primitive::i32,
                from_i64 ::core::primitive::i64,
                from_f8e4m3fn $crate::__types::F8E4M3,
                from_f8e5m2 $crate::__types::F8E5M2,
                from_f16 $crate::__types::f16,
                from_bf16 $crate::__types::bf16,
                from_f32 ::core::primitive::f32,
                from_f64 ::core::primitive::f64,
                from_c32 $crate::__types::Complex<$crate::__types::f16>,
                from_c64 $crate::__types::Complex<::core::primitive::f32>,
                from_c128 $crate::__types::Complex<::core::primitive::f64>,
            }
        }
    };
    (@rows $($module:ident $ty:ty,)*) => {
        $(
            #[doc(hidden)]
            pub mod $module {
                $crate::__levels! {}
                pub static ROW: $crate::kernel::CastRow = $crate::kernel::CastRow::new::<Levels, $ty>();
            }
        )*

        /// All casts.
        pub static CASTS: $crate::kernel::Casts = $crate::kernel::Casts::new([$(&$module::ROW),*]);
    };
}
