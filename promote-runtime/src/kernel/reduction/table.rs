//! Which functions reduce elements of which dtype.

use core::fmt;

use half::{bf16, f16};
use promote_core::__private::FloatBits;

use super::Fold as Kind;
use super::fold::{Fold, PairFold, PairsBody, Pass, RowsBody, RunBody};
use super::order::{Extremum, Float, Int, Pair, Place, Truths};
use super::products::{self, Product, Real};
use super::sums::{ComplexSum, FloatSum, HELD, LOOPED, Plain, Square, WholeSum};
use super::truth::{All, TwoHalves, TwoSingles};
use crate::each;
use crate::kernel::per_level::{PerLevel, body};
use crate::kernel::target::{Levels, tokens};
use crate::{DType, Kind as DTypeKind};

/// How many dtypes have elements.
const TYPES: usize = DType::WITH_TYPE.len();

/// How elements of one type are reduced. Pointers to states are aligned, and as many as is said.
pub(in crate::kernel) struct Row {
    /// Takes `n` elements: see [`RunBody`].
    pub(super) run: PerLevel,
    /// Takes rows of `n` elements: see [`RowsBody`].
    pub(super) rows: PerLevel,
    /// The bytes of a state.
    pub(super) state: usize,
    /// Writes `n` states that know nothing yet.
    pub(super) start: unsafe fn(states: *mut u8, n: usize),
    /// Adds what `n` states know to as many others.
    pub(super) merge: unsafe fn(states: *mut u8, others: *const u8, n: usize),
    /// Writes what comes of `n` states, side by side.
    pub(super) values: unsafe fn(states: *const u8, n: usize, pass: &Pass, values: *mut u8),
    /// The dtype of that; `None` of the elements' own.
    pub(super) value: Option<DType>,
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row").field("state", &self.state).field("value", &self.value).finish_non_exhaustive()
    }
}

impl Row {
    const fn of<S: Levels, F: Fold>(value: Option<DType>) -> Row {
        Row {
            run: body::<S, RunBody<F>>(true),
            rows: body::<S, RowsBody<F>>(true),
            state: size_of::<F::State>(),
            start: start::<F>,
            merge: merge::<F>,
            values: values::<F>,
            value,
        }
    }
}

/// # Safety
///
/// There is room for `n` states.
unsafe fn start<F: Fold>(states: *mut u8, n: usize) {
    for i in 0..n {
        // SAFETY: the caller promises the room.
        unsafe { states.cast::<F::State>().add(i).write(F::START) };
    }
}

/// # Safety
///
/// There are `n` states in both, which are two.
unsafe fn merge<F: Fold>(states: *mut u8, others: *const u8, n: usize) {
    // SAFETY: as the caller promises.
    let states = unsafe { core::slice::from_raw_parts_mut(states.cast::<F::State>(), n) };
    // SAFETY: as the caller promises.
    let others = unsafe { core::slice::from_raw_parts(others.cast::<F::State>(), n) };
    each::zip(states, others, |state, other| F::merge(state, *other));
}

/// # Safety
///
/// There are `n` states, and room for as many values.
unsafe fn values<F: Fold>(states: *const u8, n: usize, pass: &Pass, values: *mut u8) {
    for i in 0..n {
        // SAFETY: the caller promises the state.
        let state = unsafe { states.cast::<F::State>().add(i).read() };
        // SAFETY: and the room.
        unsafe { values.cast::<F::Value>().add(i).write(F::value(state, pass)) };
    }
}

/// How elements of each dtype are reduced by some ops.
pub struct Folds {
    kind: Kind,
    /// In the order of [`DType::index`].
    rows: [Option<&'static Row>; TYPES],
}

/// How pairs of elements of each dtype are multiplied and added.
pub struct Pairs([Option<&'static PerLevel>; TYPES]);

/// The functions of all reductions.
pub struct Reductions {
    folds: [&'static Folds; 6],
    pairs: &'static Pairs,
}

macro_rules! folds {
    ($($(#[$doc:meta])* $name:ident $kind:ident)*) => {
        impl Folds {
            $($(#[$doc])*
            pub const fn $name<S: Levels>() -> Folds {
                Folds::of::<S>(Kind::$kind)
            })*
        }
    };
}

folds! {
    /// Sums.
    sums Sum
    /// Sums of squares.
    squares Squares
    /// Products.
    products Product
    /// The greatest and the least.
    extrema Extremum
    /// Where these are.
    places Place
    /// Whether all or any are true.
    truths Truth
}

impl Folds {
    const fn of<S: Levels>(kind: Kind) -> Folds {
        let mut rows = [None; TYPES];
        let mut i = 0;
        while i < TYPES {
            rows[i] = row::<S>(kind, DType::WITH_TYPE[i]);
            i += 1;
        }
        Folds { kind, rows }
    }
}

impl Pairs {
    /// Of all dtypes.
    pub const fn new<S: Levels>() -> Pairs {
        let mut rows = [None; TYPES];
        let mut i = 0;
        while i < TYPES {
            rows[i] = pairs::<S>(DType::WITH_TYPE[i]);
            i += 1;
        }
        Pairs(rows)
    }
}

impl Reductions {
    /// Collects the functions of all reductions, in the order in which [`Folds`] declares its constructors.
    ///
    /// # Panics
    ///
    /// Panics if the folds stand in another order, or if one of them is given twice. In a `static` that is a
    /// compile error.
    ///
    /// ```compile_fail,E0080
    /// # mod tokens { promote_runtime::__levels! {} }
    /// use promote_runtime::__private::kernel::{Folds, Pairs, Reductions};
    /// static TRUTHS: Folds = Folds::truths::<tokens::Levels>();
    /// static PAIRS: Pairs = Pairs::new::<tokens::Levels>();
    /// static REDUCTIONS: Reductions = Reductions::new([&TRUTHS; 6], &PAIRS);
    /// # fn main() {}
    /// ```
    pub const fn new(folds: [&'static Folds; 6], pairs: &'static Pairs) -> Reductions {
        let mut i = 0;
        while i < folds.len() {
            // The states of a fold have the size and the layout of its kind: another one would read beyond
            // them.
            assert!(folds[i].kind as usize == i, "the folds of reductions are out of order");
            i += 1;
        }
        Reductions { folds, pairs }
    }

    /// How elements of a dtype are reduced.
    pub(super) fn row(&self, fold: Kind, dtype: DType) -> Option<&'static Row> {
        self.folds[fold as usize].rows.get(dtype.index()).copied().flatten()
    }

    /// What takes pairs of elements of a dtype, for `dot`; its states are those of the sum.
    pub(super) fn pairs(&self, dtype: DType) -> Option<&'static PerLevel> {
        self.pairs.0.get(dtype.index()).copied().flatten()
    }
}

macro_rules! opaque {
    ($($ty:ident)*) => {$(
        // All that is in them is addresses.
        impl fmt::Debug for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($ty)).finish_non_exhaustive()
            }
        }
    )*};
}

opaque!(Folds Pairs Reductions);

/// Defines a `static REDUCTIONS` of all, each sort in a module of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! __reductions {
    () => {
        $crate::__reductions! { @folds sums squares products extrema places truths }

        #[doc(hidden)]
        pub mod pairs {
            $crate::__levels! {}
            pub static PAIRS: $crate::__private::kernel::Pairs = $crate::__private::kernel::Pairs::new::<Levels>();
        }
    };
    (@folds $($name:ident)*) => {
        $(
            #[doc(hidden)]
            pub mod $name {
                $crate::__levels! {}
                pub static FOLDS: $crate::__private::kernel::Folds = $crate::__private::kernel::Folds::$name::<Levels>();
            }
        )*

        /// All reductions.
        pub static REDUCTIONS: $crate::__private::kernel::Reductions =
            $crate::__private::kernel::Reductions::new([$(&$name::FOLDS),*], &pairs::PAIRS);
    };
}

/// The dtype as which elements of one are read that are added or multiplied: of those for which a loop would
/// seldom run they are cast, a block at a time.
pub(super) const fn widened(fold: Kind, dtype: DType) -> DType {
    use DType as D;
    match (fold, dtype) {
        (Kind::Product, D::Bool | D::U8 | D::U16 | D::U32 | D::I8 | D::I16 | D::I32) => D::I64,
        (Kind::Product, D::F8E4M3FN | D::F8E5M2 | D::F16 | D::BF16) => D::F64,
        (Kind::Product, D::C32) => D::C128,
        (Kind::Squares, D::F16 | D::BF16) | (Kind::Sum | Kind::Squares, D::F8E4M3FN | D::F8E5M2) => D::F32,
        (Kind::Sum | Kind::Squares, D::C32) => D::C64,
        _ => dtype,
    }
}

/// How elements of a dtype are reduced.
const fn row<S: Levels>(fold: Kind, dtype: DType) -> Option<&'static Row> {
    macro_rules! of {
        ($fold:ty) => {
            of!(@begins $fold, const { &Row::of::<S, $fold>(None) })
        };
        ($fold:ty => $value:ident) => {
            of!(@begins $fold, const { &Row::of::<S, $fold>(Some(DType::$value)) })
        };
        (@begins $fold:ty, $row:expr) => {{
            let align = align_of::<<$fold as Fold>::Item>();
            assert!(align <= dtype.align(), "elements may begin where what they are read as may not");
            $row
        }};
    }
    macro_rules! wholes {
        ($($dtype:ident $ty:ty),*; $($other:tt)*) => {
            match (fold, dtype) {
                $((Kind::Sum, DType::$dtype) => of!(WholeSum<$ty> => I64),)*
                $($other)*
            }
        };
    }
    macro_rules! reals {
        ($($dtype:ident $complex:ident $ty:ident $lanes:ident),*) => {
            match (fold, dtype) {
                $((Kind::Sum, DType::$complex) => of!(ComplexSum<$ty, Plain, $lanes> => C128),
                (Kind::Squares, DType::$complex) => of!(ComplexSum<$ty, Square, $lanes> => C128),
                (Kind::Sum, DType::$dtype) => of!(FloatSum<$ty, Plain, $lanes> => F64),
                (Kind::Squares, DType::$dtype) => of!(FloatSum<$ty, Square, $lanes> => F64),
                )*
                (Kind::Sum, DType::F16) => of!(FloatSum<f16, Plain, LOOPED> => F64),
                (Kind::Sum, DType::BF16) => of!(FloatSum<bf16, Plain, LOOPED> => F64),
                _ => return None,
            }
        };
    }
    Some(wholes! {
        // Modulo 2^64 there is no sign.
        Bool bool, U8 u8, U16 u16, U32 u32, U64 i64, I8 i8, I16 i16, I32 i32, I64 i64;
        // The dtypes that [`widened`] names.
        (Kind::Product, DType::U64 | DType::I64) => of!(Product<Real<i64, i64>, LOOPED> => I64),
        (Kind::Product, DType::F32) => of!(Product<Real<f32, f64>, LOOPED> => F64),
        (Kind::Product, DType::F64) => of!(Product<Real<f64, f64>, HELD> => F64),
        (Kind::Product, DType::C64) => of!(Product<products::Complex<f32>, 4> => C128),
        (Kind::Product, DType::C128) => of!(Product<products::Complex<f64>, 4> => C128),
        (Kind::Extremum, DType::Bool) => of!(Extremum<Truths>),
        (Kind::Extremum, DType::U8 | DType::I8) => of!(Extremum<Int<i8>>),
        (Kind::Extremum, DType::U16 | DType::I16) => of!(Extremum<Int<i16>>),
        (Kind::Extremum, DType::U32 | DType::I32) => of!(Extremum<Int<i32>>),
        (Kind::Extremum, DType::U64 | DType::I64) => of!(Extremum<Int<i64>>),
        (Kind::Extremum, DType::F8E4M3FN | DType::F8E5M2) => of!(Extremum<Float<i8>>),
        (Kind::Extremum, DType::F16 | DType::BF16) => of!(Extremum<Float<i16>>),
        (Kind::Extremum, DType::F32) => of!(Extremum<Float<i32>>),
        (Kind::Extremum, DType::F64) => of!(Extremum<Float<i64>>),
        (Kind::Extremum, DType::C32) => of!(Extremum<Pair<i16>>),
        (Kind::Extremum, DType::C64) => of!(Extremum<Pair<i32>>),
        (Kind::Extremum, DType::C128) => of!(Extremum<Pair<i64>>),
        (Kind::Place, DType::Bool) => of!(Place<Truths> => I64),
        (Kind::Place, DType::U8 | DType::I8) => of!(Place<Int<i8>> => I64),
        (Kind::Place, DType::U16 | DType::I16) => of!(Place<Int<i16>> => I64),
        (Kind::Place, DType::U32 | DType::I32) => of!(Place<Int<i32>> => I64),
        (Kind::Place, DType::U64 | DType::I64) => of!(Place<Int<i64>> => I64),
        (Kind::Place, DType::F8E4M3FN | DType::F8E5M2) => of!(Place<Float<i8>> => I64),
        (Kind::Place, DType::F16 | DType::BF16) => of!(Place<Float<i16>> => I64),
        (Kind::Place, DType::F32) => of!(Place<Float<i32>> => I64),
        (Kind::Place, DType::F64) => of!(Place<Float<i64>> => I64),
        (Kind::Place, DType::C32) => of!(Place<Pair<i16>> => I64),
        (Kind::Place, DType::C64) => of!(Place<Pair<i32>> => I64),
        (Kind::Place, DType::C128) => of!(Place<Pair<i64>> => I64),
        (Kind::Truth, DType::C32) => of!(All<TwoHalves> => Bool),
        (Kind::Truth, DType::C64) => of!(All<TwoSingles> => Bool),
        (Kind::Truth, _) => match dtype.size() {
            _ if !dtype.has_type() => return None,
            Some(1) => of!(All<u8> => Bool),
            Some(2) => of!(All<u16> => Bool),
            Some(4) => of!(All<u32> => Bool),
            Some(8) => of!(All<u64> => Bool),
            Some(16) => of!(All<[u64; 2]> => Bool),
            _ => return None,
        },
        _ => reals!(F32 C64 f32 LOOPED, F64 C128 f64 HELD),
    })
}

/// What takes pairs of elements of a dtype, for `dot`, as sums are [`widened`]; its states are those of the
/// sum.
const fn pairs<S: Levels>(dtype: DType) -> Option<&'static PerLevel> {
    const fn of<S: Levels, F: PairFold>() -> PerLevel {
        body::<S, PairsBody<F>>(true)
    }
    Some(match dtype {
        DType::Bool => const { &of::<S, WholeSum<bool>>() },
        DType::U8 => const { &of::<S, WholeSum<u8>>() },
        DType::U16 => const { &of::<S, WholeSum<u16>>() },
        DType::U32 => const { &of::<S, WholeSum<u32>>() },
        DType::I8 => const { &of::<S, WholeSum<i8>>() },
        DType::I16 => const { &of::<S, WholeSum<i16>>() },
        DType::I32 => const { &of::<S, WholeSum<i32>>() },
        DType::U64 | DType::I64 => const { &of::<S, WholeSum<i64>>() },
        DType::F16 => const { &of::<S, FloatSum<f16, Plain, LOOPED>>() },
        DType::BF16 => const { &of::<S, FloatSum<bf16, Plain, LOOPED>>() },
        DType::F32 => const { &of::<S, FloatSum<f32, Plain, LOOPED>>() },
        DType::F64 => const { &of::<S, FloatSum<f64, Plain, HELD>>() },
        DType::C64 => const { &of::<S, ComplexSum<f32, Plain, LOOPED>>() },
        DType::C128 => const { &of::<S, ComplexSum<f64, Plain, HELD>>() },
        _ => return None,
    })
}

/// Returns true if elements of a dtype are reduced by every reduction. Integers are squared as floats.
const fn is_complete(dtype: DType) -> bool {
    let folds = [Kind::Sum, Kind::Squares, Kind::Product, Kind::Extremum, Kind::Place, Kind::Truth];
    let is_whole = matches!(dtype.kind(), DTypeKind::Bool | DTypeKind::Unsigned | DTypeKind::Signed);
    let mut i = 0;
    while i < folds.len() {
        let found = row::<tokens::Levels>(folds[i], widened(folds[i], dtype)).is_some();
        let unused = is_whole && matches!(folds[i], Kind::Squares);
        if !found && !unused {
            return false;
        }
        i += 1;
    }
    pairs::<tokens::Levels>(widened(Kind::Sum, dtype)).is_some()
}

macro_rules! complete {
    ({} typed [$($group:ident [$($dtype:ident $ty:ident $row:tt)*])*] untyped $untyped:tt) => {
        const _: () = {
            $($(assert!(
                is_complete(DType::$dtype),
                concat!(
                    "a reduction has no row for `", stringify!($ty), "`: write it in `row`, `pairs` or ",
                    "`widened` of promote-runtime/src/kernel/reduction/table.rs"
                )
            );)*)*
        };
    };
}

promote_core::__dtypes! { complete {} }

/// Returns two masks of the words of an element, each of at most 64 bits: the greatest magnitude that is not
/// NaN, which is 0 unless the dtype is a float or complex, and the sign bits. An unsigned integer has its
/// highest bit for a sign.
const fn masks(dtype: DType) -> (u64, u64) {
    let part = match dtype.real_dtype() {
        Some(part) => part,
        None => dtype,
    };
    match FloatBits::of(part) {
        Some(FloatBits { greatest, sign, .. }) if part.bits() < dtype.bits() && dtype.bits() <= u64::BITS => {
            (greatest, sign | sign << part.bits())
        }
        Some(FloatBits { greatest, sign, .. }) => (greatest, sign),
        None if matches!(dtype.kind(), DTypeKind::Unsigned) => (0, 1 << (dtype.bits() - 1)),
        None => (0, 0),
    }
}

/// [`masks`] of each dtype.
const MASKS: [(u64, u64); TYPES] = {
    let mut all = [(0, 0); TYPES];
    let mut i = 0;
    while i < TYPES {
        all[i] = masks(DType::WITH_TYPE[i]);
        i += 1;
    }
    all
};

/// The `flip` and the `bits` of a pass over elements of a dtype.
pub(super) const fn bits(fold: Kind, dtype: DType, turned: bool) -> (u64, u64) {
    let (infinity, sign) = if dtype.has_type() { MASKS[dtype.index()] } else { (0, 0) };
    let unsigned = if infinity == 0 { sign } else { 0 };
    match fold {
        Kind::Extremum | Kind::Place => (unsigned ^ if turned { u64::MAX } else { 0 }, infinity),
        Kind::Truth => (turned as u64, if infinity == 0 { u64::MAX } else { !sign }),
        Kind::Sum | Kind::Squares | Kind::Product => (0, 0),
    }
}
