//! The casts of a build, from every standard dtype to every other one.
//!
//! All have a loop of their own, except those of 8-bit floats, which go through f32.

use super::body::{CastByInstruction, CastTo};
use super::by_level::{ByLevel, work};
use super::composed;
use super::pointers::Function;
use super::registry::TYPES;
use super::target::Levels;
use super::types::CastWords;
use crate::convert::{Convert, ConvertAll, ConvertTo, Nan, Overflow, Saturate};
use crate::element::{Element, Register};
use crate::level::Level;
use crate::{DType, Kind};

/// The casts from one dtype to all of them.
#[derive(Debug)]
pub struct CastRow {
    from: u8,
    to: [ByLevel; TYPES],
    /// To f8e4m3fn where overflow gives the greatest finite value.
    saturating: ByLevel,
    /// Floats to integers as an x86-64 processor has it.
    x86: [ByLevel; TYPES],
    /// The same, but integers below 32 bits are clamped.
    clamped: [ByLevel; TYPES],
}

/// The casts from a dtype, as a type.
pub trait CastsFrom: 'static {
    /// The type of its elements.
    type From: Element;
    /// They.
    const ROW: &'static CastRow;
}

/// Returns true if one dtype is cast to another through f32, with equal bits. Every other cast has a loop of
/// its own.
///
/// The conversion of an 8-bit float takes so long that two loops are as fast as one. An f64 or a c128 is
/// rounded to an 8-bit float at once, since it would be rounded twice on the way through f32.
const fn goes_through_f32(from: DType, to: DType) -> bool {
    use DType as D;
    match (from, to) {
        _ if from.index() == to.index() => false,
        (D::F8E4M3FN | D::F8E5M2, _) => !matches!(to, D::F32),
        (_, D::F8E4M3FN | D::F8E5M2) => !matches!(from, D::F32 | D::F64 | D::C128),
        _ => false,
    }
}

impl CastRow {
    /// Returns the casts from `A`, for every level. `H` has the functions of the casts from f32.
    pub const fn new<S: Levels, H: Levels, A: Element<Reg: ConvertAll>>() -> CastRow {
        macro_rules! of_each {
            ({} typed [$($group:ident [$($dtype:ident $ty:ident $row:tt)*])*] untyped $untyped:tt) => {
                [$($(CastRow::one::<S, H, A, crate::types::$ty, Nan>(),)*)*]
            };
        }
        let mut to = promote_core::__dtypes! { of_each {} };
        if matches!(A::DTYPE.kind(), Kind::Bool | Kind::Signed | Kind::Unsigned) {
            // The low bits, whatever they stand for.
            to[DType::I8.index()] = to[DType::U8.index()];
            to[DType::I16.index()] = to[DType::U16.index()];
            to[DType::I32.index()] = to[DType::U32.index()];
            to[DType::I64.index()] = to[DType::U64.index()];
        }
        let saturating = CastRow::one::<S, H, A, float8::F8E4M3, Saturate>();
        CastRow { from: A::DTYPE.index() as u8, to, saturating, x86: to, clamped: to }
    }

    /// As [`CastRow::new`], of floats and complex numbers, which become integers in several ways.
    pub const fn floating<S: Levels, H: Levels, A: Element<Reg: ConvertAll>>() -> CastRow {
        let row = CastRow::new::<S, H, A>();
        let (mut x86, mut clamped) = (row.to, row.to);
        macro_rules! integers {
            ($($dtype:ident $ty:ident)*) => {$(
                x86[DType::$dtype.index()] = CastRow::by_instruction::<false, S, H, A, $ty>();
                clamped[DType::$dtype.index()] = x86[DType::$dtype.index()];
            )*};
        }
        integers! { U8 u8 U16 u16 U32 u32 U64 u64 I32 i32 I64 i64 }
        // The low bits of an i32.
        x86[DType::I8.index()] = x86[DType::U8.index()];
        x86[DType::I16.index()] = x86[DType::U16.index()];
        clamped[DType::U8.index()] = CastRow::by_instruction::<true, S, H, A, u8>();
        clamped[DType::U16.index()] = CastRow::by_instruction::<true, S, H, A, u16>();
        clamped[DType::I8.index()] = CastRow::by_instruction::<true, S, H, A, i8>();
        clamped[DType::I16.index()] = CastRow::by_instruction::<true, S, H, A, i16>();
        CastRow { x86, clamped, ..row }
    }

    /// The cast from one dtype, of which these are, to another, or none if both are the same: at every level.
    ///
    /// # Panics
    ///
    /// When these are casts from another dtype.
    pub(super) const fn entering(&self, from: DType, to: DType) -> Option<&ByLevel> {
        assert!(self.from as usize == from.index(), "casts from another dtype");
        if from.index() == to.index() { None } else { Some(&self.to[to.index()]) }
    }

    /// The cast from `A` to `C` at every level; overflow of f8e4m3fn as `W` says.
    const fn one<S, H, A, C, W>() -> ByLevel
    where
        S: Levels,
        H: Levels,
        A: Element<Reg: ConvertAll> + ConvertTo<C>,
        C: Element,
        f32: ConvertTo<C>,
        W: Overflow,
    {
        if goes_through_f32(A::DTYPE, C::DTYPE) {
            composed::casts::<S, H, A, CastTo<Nan, A, f32>, CastTo<W, f32, C>>()
        } else {
            work::<S, CastTo<W, A, C>>(true)
        }
    }

    /// The cast of floats from `A` to integers of `C` as an x86-64 processor has it, at every level.
    const fn by_instruction<const CLAMPED: bool, S, H, A, C>() -> ByLevel
    where
        S: Levels,
        H: Levels,
        A: Element<Reg: ConvertAll + Convert<C>>,
        C: Register,
        f32: Convert<C>,
    {
        if goes_through_f32(A::DTYPE, C::DTYPE) {
            composed::casts::<S, H, A, CastTo<Nan, A, f32>, CastByInstruction<CLAMPED, f32, C>>()
        } else {
            work::<S, CastByInstruction<CLAMPED, A, C>>(true)
        }
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
        &'static self,
        from: DType,
        to: DType,
        words: CastWords,
        level: Level,
    ) -> Option<&'static Function> {
        let (from, index) = (from.index(), to.index());
        if from >= TYPES || index >= TYPES {
            return None;
        }
        let row = self.rows[from];
        let by_level = if words.saturate() && matches!(to, DType::F8E4M3FN) {
            &row.saturating
        } else if words.clamped() {
            &row.clamped[index]
        } else if words.x86() {
            &row.x86[index]
        } else {
            &row.to[index]
        };
        by_level[level.index()].as_ref()
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
                from_bool new bool,
                from_u8 new u8,
                from_u16 new u16,
                from_u32 new u32,
                from_u64 new u64,
                from_i8 new i8,
                from_i16 new i16,
                from_i32 new i32,
                from_i64 new i64,
                from_f8e4m3fn floating f8e4m3fn,
                from_f8e5m2 floating f8e5m2,
                from_f16 floating f16,
                from_bf16 floating bf16,
                from_f32 floating f32,
                from_f64 floating f64,
                from_c32 floating c32,
                from_c64 floating c64,
                from_c128 floating c128,
            }
        }
    };
    (@rows $($module:ident $new:ident $ty:ident,)*) => {
        $(
            #[doc(hidden)]
            pub mod $module {
                $crate::__levels! {}
                pub struct Row;

                // Static, as all that the data of several modules points to: rustc would put a constant
                // beside each of these.
                static ROW: $crate::__private::kernel::CastRow =
                    $crate::__private::kernel::CastRow::$new::<Levels, super::from_f32::Levels, $crate::__private::types::$ty>();

                impl $crate::__private::kernel::CastsFrom for Row {
                    type From = $crate::__private::types::$ty;
                    const ROW: &'static $crate::__private::kernel::CastRow = &ROW;
                }
            }
        )*

        /// All casts.
        pub static CASTS: $crate::__private::kernel::Casts =
            $crate::__private::kernel::Casts::new([$(<$module::Row as $crate::__private::kernel::CastsFrom>::ROW),*]);
    };
}
