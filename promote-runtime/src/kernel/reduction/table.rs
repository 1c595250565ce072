//! Which functions reduce elements of which dtype.

use half::{bf16, f16};
use num_complex::Complex;
use promote_core::__private::FloatBits;

use super::fold::{Fold, PairFold, PairsBody, Pass, RowsBody, RunBody};
use super::moments::Moments;
use super::order::{Extremum, Float, Int, NonZero, Pair, Position};
use super::powers::Powers;
use super::products::Product;
use super::steps::Scans;
use super::sums::{FloatSum, HELD, LOOPED, WholeSum};
use crate::each;
use crate::kernel::per_level::{PerLevel, body};
use crate::kernel::signature::TYPES;
use crate::level::doors::Levels;
use crate::{DType, Kind};

/// What a reduction accumulates. The least element is the greatest in reverse
/// order, and so is `all` beside `any`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// The sum.
    Sum,
    /// The sum of squares.
    Squares,
    /// The sum of the squared distances from the mean.
    Moments,
    /// The logarithm of the sum of the powers of e.
    Powers,
    /// The product.
    Product,
    /// The greatest element.
    Extremum,
    /// The position of the greatest element.
    Position,
    /// The search for an element that is true.
    Predicate,
}

impl FoldKind {
    /// Returns the dtype of the value of a reduction of elements of `dtype`.
    pub(super) const fn value(self, dtype: DType) -> DType {
        match (self, dtype.kind()) {
            (FoldKind::Extremum, _) => dtype,
            (FoldKind::Moments, _) => DType::F64,
            (FoldKind::Predicate, _) => DType::Bool,
            (FoldKind::Position, _) | (_, Kind::Bool | Kind::Unsigned | Kind::Signed) => DType::I64,
            (_, Kind::Complex) => DType::C128,
            (_, _) => DType::F64,
        }
    }
}

/// The functions that reduce elements of one type. They take pointers to aligned states.
#[derive(Debug)]
pub(in crate::kernel) struct Row {
    /// Reduces `n` contiguous elements: see [`RunBody`].
    pub(super) run: PerLevel,
    /// Reduces rows of `n` elements: see [`RowsBody`].
    pub(super) rows: PerLevel,
    /// Adds up the products of `n` pairs of elements: see [`PairsBody`].
    pub(super) pairs: Option<PerLevel>,
    /// The bytes of a state.
    pub(super) state: usize,
    /// Writes `n` states of no elements.
    pub(super) start: unsafe fn(states: *mut u8, n: usize),
    /// Merges `n` states into as many others.
    pub(super) merge: unsafe fn(states: *mut u8, others: *const u8, n: usize),
    /// Writes the values of `n` states.
    pub(super) values: unsafe fn(states: *const u8, n: usize, pass: &Pass, values: *mut u8),
}

impl Row {
    const fn of<S: Levels, F: Fold>() -> Row {
        Row {
            run: body::<S, RunBody<F>>(true),
            rows: body::<S, RowsBody<F>>(true),
            pairs: None,
            state: size_of::<F::State>(),
            start: start::<F>,
            merge: merge::<F>,
            values: values::<F>,
        }
    }

    const fn with_pairs<S: Levels, F: PairFold>() -> Row {
        Row { pairs: Some(body::<S, PairsBody<F>>(true)), ..Row::of::<S, F>() }
    }
}

/// # Safety
///
/// There is room for `n` states.
unsafe fn start<F: Fold>(states: *mut u8, n: usize) {
    for i in 0..n {
        // SAFETY: the caller promises the room.
        unsafe { states.cast::<F::State>().add(i).write(F::start()) };
    }
}

/// # Safety
///
/// There are `n` states in both, which do not overlap.
unsafe fn merge<F: Fold>(states: *mut u8, others: *const u8, n: usize) {
    // SAFETY: as the caller promises.
    let states = unsafe { core::slice::from_raw_parts_mut(states.cast::<F::State>(), n) };
    // SAFETY: as the caller promises.
    let others = unsafe { core::slice::from_raw_parts(others.cast::<F::State>(), n) };
    each::zip(states, others, |state, other| *state = F::merge(*state, *other));
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

/// The functions of one kind of reduction, for each dtype.
#[derive(Debug)]
pub struct Folds {
    kind: FoldKind,
    /// In the order of [`DType::index`].
    rows: [Option<&'static Row>; TYPES],
}

/// The functions of all reductions, one [`Folds`] for each kind, and of scans.
#[derive(Debug)]
pub struct Reductions {
    /// The reductions.
    pub folds: &'static [&'static Folds],
    /// The scans.
    pub scans: &'static Scans,
}

impl Reductions {
    /// Returns the functions of a kind of reduction that read a dtype; `None` if there are none.
    pub(super) fn row(&self, kind: FoldKind, dtype: DType) -> Option<&'static Row> {
        let folds = self.folds.iter().find(|folds| folds.kind == kind)?;
        *folds.rows.get(dtype.index())?
    }
}

impl Folds {
    /// Collects the functions of a kind.
    ///
    /// # Panics
    ///
    /// Panics if there are none for a dtype. In a `static` that is a compile error.
    pub const fn new<S: Levels>(kind: FoldKind) -> Folds {
        let mut rows = [None; TYPES];
        let mut i = 0;
        while i < TYPES {
            let dtype = DType::WITH_TYPE[i];
            rows[i] = row::<S>(kind, dtype);
            let is_whole = matches!(dtype.kind(), Kind::Bool | Kind::Unsigned | Kind::Signed);
            assert!(
                // Integers are squared as floats.
                row::<S>(kind, widened(kind, dtype)).is_some()
                    || matches!(kind, FoldKind::Squares) && is_whole,
                "a reduction has no row for a dtype: write it in `row` or `widened` of \
                 promote-runtime/src/kernel/reduction/table.rs"
            );
            i += 1;
        }
        Folds { kind, rows }
    }
}

/// Defines a `static REDUCTIONS` of all reductions and scans, each kind in a module of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! __reductions {
    () => {
        $crate::__reductions! {
            sums Sum squares Squares moments Moments powers Powers products Product
            extrema Extremum positions Position predicates Predicate
        }
    };
    ($($name:ident $kind:ident)*) => {
        $(
            #[doc(hidden)]
            pub mod $name {
                use $crate::__private::kernel::{FoldKind, Folds};
                $crate::__levels! {}
                pub static FOLDS: Folds = Folds::new::<Levels>(FoldKind::$kind);
            }
        )*

        #[doc(hidden)]
        pub mod scans {
            use $crate::__private::kernel::Scans;
            $crate::__levels! {}
            pub static SCANS: Scans = Scans::new::<Levels>();
        }

        /// All reductions and scans.
        pub static REDUCTIONS: $crate::__private::kernel::Reductions =
            $crate::__private::kernel::Reductions { folds: &[$(&$name::FOLDS),*], scans: &scans::SCANS };
    };
}

/// Returns the dtype as which elements are read that are added or multiplied. Elements of dtypes that are
/// rarely reduced are cast, block by block.
pub(super) const fn widened(kind: FoldKind, dtype: DType) -> DType {
    use {DType as D, FoldKind as F};
    match (kind, dtype) {
        (F::Product, D::Bool | D::U8 | D::U16 | D::U32 | D::I8 | D::I16 | D::I32) => D::I64,
        (F::Product, D::C32) => D::C128,
        (F::Moments | F::Powers, dtype) if matches!(dtype.kind(), Kind::Complex) => D::C128,
        (F::Moments, D::F32 | D::F16 | D::BF16)
        | (F::Squares, D::F16 | D::BF16)
        | (F::Sum | F::Squares, D::F8E4M3FN | D::F8E5M2) => D::F32,
        (F::Product, D::F8E4M3FN | D::F8E5M2 | D::F16 | D::BF16) | (F::Moments | F::Powers, _) => D::F64,
        (F::Sum | F::Squares, D::C32) => D::C64,
        _ => dtype,
    }
}

/// Returns the functions that reduce elements of a dtype; `None` for those that are read as another one.
const fn row<S: Levels>(kind: FoldKind, dtype: DType) -> Option<&'static Row> {
    use FoldKind::{Extremum as Greatest, Position as At, Predicate, Product as Times, Squares, Sum};
    match (kind, dtype) {
        (FoldKind::Moments, DType::F32) => return Some(const { &Row::of::<S, Moments<f32, 1>>() }),
        (FoldKind::Moments, DType::F64) => return Some(const { &Row::of::<S, Moments<f64, 1>>() }),
        (FoldKind::Moments, DType::C128) => return Some(const { &Row::of::<S, Moments<f64, 2>>() }),
        (FoldKind::Powers, DType::F64) => return Some(const { &Row::of::<S, Powers<1>>() }),
        (FoldKind::Powers, DType::C128) => return Some(const { &Row::of::<S, Powers<2>>() }),
        _ => {}
    }
    macro_rules! rows {
        // A dtype, its sums, sums of squares and products, its keys, and its parts as bits.
        ($($dtype:ident: [$($sum:ty)?] [$($squares:ty)?] [$($product:ty)?] $key:ty, $word:ty, $parts:literal;)*) => {
            match (kind, dtype) {
                $($((Sum, DType::$dtype) => rows!(@row $sum, Row::with_pairs::<S, $sum>()),)?
                $((Squares, DType::$dtype) => rows!(@row $squares, Row::of::<S, $squares>()),)?
                $((Times, DType::$dtype) => rows!(@row $product, Row::of::<S, $product>()),)?
                (Greatest, DType::$dtype) => rows!(@row Extremum<$key>, Row::of::<S, Extremum<$key>>()),
                (At, DType::$dtype) => rows!(@row Position<$key>, Row::of::<S, Position<$key>>()),
                (Predicate, DType::$dtype) => {
                    rows!(@row Extremum<NonZero<$word, $parts>>, Row::of::<S, Extremum<NonZero<$word, $parts>>>())
                })*
                _ => None,
            }
        };
        (@row $fold:ty, $row:expr) => {{
            assert!(align_of::<<$fold as Fold>::Item>() <= dtype.align(), "elements may be less aligned");
            let value = size_of::<<$fold as Fold>::Value>();
            assert!(matches!(kind.value(dtype).size(), Some(size) if size == value), "a value of another size");
            Some(const { &$row })
        }};
    }
    rows! {
        Bool: [WholeSum<bool>] [] [] NonZero<i8, 1>, i8, 1;
        U8: [WholeSum<u8>] [] [] Int<i8>, i8, 1;
        U16: [WholeSum<u16>] [] [] Int<i16>, i16, 1;
        U32: [WholeSum<u32>] [] [] Int<i32>, i32, 1;
        // Modulo 2^64 there is no sign.
        U64: [WholeSum<i64>] [] [Product<i64, i64, LOOPED>] Int<i64>, i64, 1;
        I8: [WholeSum<i8>] [] [] Int<i8>, i8, 1;
        I16: [WholeSum<i16>] [] [] Int<i16>, i16, 1;
        I32: [WholeSum<i32>] [] [] Int<i32>, i32, 1;
        I64: [WholeSum<i64>] [] [Product<i64, i64, LOOPED>] Int<i64>, i64, 1;
        F8E4M3FN: [] [] [] Float<i8>, i8, 1;
        F8E5M2: [] [] [] Float<i8>, i8, 1;
        F16: [FloatSum<f16, false, LOOPED, 1>] [] [] Float<i16>, i16, 1;
        BF16: [FloatSum<bf16, false, LOOPED, 1>] [] [] Float<i16>, i16, 1;
        F32: [FloatSum<f32, false, LOOPED, 1>] [FloatSum<f32, true, LOOPED, 1>] [Product<f32, f64, LOOPED>]
            Float<i32>, i32, 1;
        F64: [FloatSum<f64, false, HELD, 1>] [FloatSum<f64, true, HELD, 1>] [Product<f64, f64, HELD>]
            Float<i64>, i64, 1;
        C32: [] [] [] Pair<i16>, i16, 2;
        C64: [FloatSum<f32, false, LOOPED, 2>] [FloatSum<f32, true, LOOPED, 2>]
            [Product<Complex<f32>, Complex<f64>, 4>] Pair<i32>, i32, 2;
        C128: [FloatSum<f64, false, HELD, 2>] [FloatSum<f64, true, HELD, 2>]
            [Product<Complex<f64>, Complex<f64>, 4>] Pair<i64>, i64, 2;
    }
}

/// Returns the `flip` and the `mask` of a pass over elements of a dtype; for complex numbers, those of a
/// part.
pub(super) fn flip_and_mask(kind: FoldKind, dtype: DType, reversed: bool) -> (u64, u64) {
    let reverse = if reversed { u64::MAX } else { 0 };
    let float = FloatBits::of(dtype.real_dtype().unwrap_or(dtype));
    match kind {
        FoldKind::Sum | FoldKind::Squares | FoldKind::Moments | FoldKind::Powers | FoldKind::Product => {
            (0, 0)
        }
        FoldKind::Extremum | FoldKind::Position if dtype != DType::Bool => match float {
            Some(bits) => (reverse, bits.greatest),
            None if dtype.kind() == Kind::Unsigned => (reverse ^ (1 << (dtype.bits() - 1)), 0),
            None => (reverse, 0),
        },
        _ => (reverse, float.map_or(u64::MAX, |bits| !bits.sign)),
    }
}
