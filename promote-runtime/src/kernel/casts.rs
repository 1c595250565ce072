//! The casts of a build, from every standard dtype to every other one.
//!
//! All have a loop of their own, except those of 8-bit floats, which go through f32.

use super::RawKernel;
use super::body::{CastByInstruction, CastTo};
use super::per_level::{PerLevel, work};
use super::registry::TYPES;
use super::signature::CastOptions;
use super::target::Levels;
use crate::DType;
use crate::convert::{Convert, ConvertAll, ConvertTo, Overflow};
use crate::element::{Element, Register};
use crate::level::Level;

/// The cast from one dtype to another, at every level. Each is a `static` of its own, so that a program links
/// the casts that it names and no others.
#[derive(Debug)]
pub struct Cast(PerLevel);

/// The casts from one dtype to all of them.
#[derive(Debug)]
pub struct CastRow {
    from: u8,
    to: [&'static Cast; TYPES],
    /// To f8e4m3fn where overflow gives the greatest finite value.
    saturating: &'static Cast,
    /// Floats to u8, u16, u32, u64, i32 and i64 as an x86-64 processor has it, and to u8, u16, i8 and i16
    /// clamped.
    x86: Option<[&'static Cast; 10]>,
}

/// Returns true if one dtype is cast to another through f32, with equal bits. Every other cast has a loop of
/// its own.
///
/// The conversion of an 8-bit float takes so long that two loops are as fast as one. An f64 or a c128 is
/// rounded to an 8-bit float at once, since it would be rounded twice on the way through f32.
pub(super) const fn goes_through_f32(from: DType, to: DType) -> bool {
    use DType as D;
    match (from, to) {
        _ if from.index() == to.index() => false,
        (D::F8E4M3FN | D::F8E5M2, _) => !matches!(to, D::F32),
        (_, D::F8E4M3FN | D::F8E5M2) => !matches!(from, D::F32 | D::F64 | D::C128),
        _ => false,
    }
}

impl Cast {
    /// Creates the cast from `A` to `C`; overflow of f8e4m3fn as `W` says. One that goes through f32 has no
    /// functions.
    pub const fn new<S, A, C, W>() -> Cast
    where
        S: Levels,
        A: Element<Reg: ConvertAll> + ConvertTo<C>,
        C: Element,
        W: Overflow,
    {
        if goes_through_f32(A::DTYPE, C::DTYPE) {
            Cast(PerLevel::EMPTY)
        } else {
            Cast(work::<S, CastTo<W, A, C>>(true))
        }
    }

    /// Creates the cast of floats from `A` to integers of `C` as an x86-64 processor has it.
    pub const fn by_instruction<const CLAMPED: bool, S, A, C>() -> Cast
    where
        S: Levels,
        A: Element<Reg: ConvertAll + Convert<C>>,
        C: Register,
    {
        if goes_through_f32(A::DTYPE, C::DTYPE) {
            Cast(PerLevel::EMPTY)
        } else {
            Cast(work::<S, CastByInstruction<CLAMPED, A, C>>(true))
        }
    }

    /// Returns the function for a level.
    #[inline]
    const fn at(&self, level: Level) -> Option<RawKernel> {
        self.0.at(level)
    }
}

impl CastRow {
    /// Creates the casts from `A`, in the order of [`DType::index`].
    pub const fn new<A: Element>(
        to: [&'static Cast; TYPES],
        saturating: &'static Cast,
        x86: Option<[&'static Cast; 10]>,
    ) -> CastRow {
        CastRow { from: A::DTYPE.index() as u8, to, saturating, x86 }
    }

    /// Returns the cast to a dtype with an element type.
    #[inline]
    const fn find(&self, to: DType, options: CastOptions) -> &'static Cast {
        if options.saturate && matches!(to, DType::F8E4M3FN) {
            return self.saturating;
        }
        match (&self.x86, to) {
            (Some([.., u8, u16, i8, i16]), _) if options.clamped && to.bits() <= 16 => match to {
                DType::U8 => u8,
                DType::U16 => u16,
                DType::I8 => i8,
                DType::I16 => i16,
                _ => self.to[to.index()],
            },
            (Some([u8, u16, u32, u64, i32, i64, ..]), _) if options.x86 => match to {
                // The low bits of an i32.
                DType::U8 | DType::I8 => u8,
                DType::U16 | DType::I16 => u16,
                DType::U32 => u32,
                DType::U64 => u64,
                DType::I32 => i32,
                DType::I64 => i64,
                _ => self.to[to.index()],
            },
            _ => self.to[to.index()],
        }
    }
}

/// A cast with its source and its target, as places in [`DType::WITH_TYPE`].
pub(super) type CastLink = Option<(u8, u8, &'static Cast)>;

/// The number of casts that a call with two operands can have.
pub(super) const LINKS: usize = 16;

/// The casts from every dtype to every dtype, or those of one call.
#[derive(Debug)]
pub struct Casts(Rows);

#[derive(Debug)]
enum Rows {
    All([&'static CastRow; TYPES]),
    Some([CastLink; LINKS]),
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
        Casts(Rows::All(rows))
    }

    /// Creates the casts of one call.
    pub(super) const fn of_call(links: [CastLink; LINKS]) -> Casts {
        Casts(Rows::Some(links))
    }

    /// Returns the cast between two dtypes.
    #[inline]
    pub(super) const fn find(&self, from: DType, to: DType, options: CastOptions) -> Option<&'static Cast> {
        let (source, target) = (from.index(), to.index());
        if source >= TYPES || target >= TYPES {
            return None;
        }
        match &self.0 {
            Rows::All(rows) => Some(rows[source].find(to, options)),
            Rows::Some(links) => {
                let mut i = 0;
                while i < LINKS {
                    // All casts of a call have its options.
                    if let Some((a, b, cast)) = links[i]
                        && a as usize == source
                        && b as usize == target
                    {
                        return Some(cast);
                    }
                    i += 1;
                }
                None
            }
        }
    }

    /// Returns the function of a cast; `None` if a dtype has no elements or the cast goes through f32.
    #[inline]
    pub(super) const fn raw(
        &self,
        from: DType,
        to: DType,
        options: CastOptions,
        level: Level,
    ) -> Option<RawKernel> {
        match self.find(from, to, options) {
            Some(cast) => cast.at(level),
            None => None,
        }
    }
}

/// Defines a module `casts` with a `static CASTS` of all casts, each source dtype in a module of its own, and
/// each cast a `static` of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! __casts {
    () => {
        #[doc(hidden)]
        pub mod casts {
            $crate::__casts! {
                @rows
                from_bool integers bool,
                from_u8 integers u8,
                from_u16 integers u16,
                from_u32 integers u32,
                from_u64 integers u64,
                from_i8 integers i8,
                from_i16 integers i16,
                from_i32 integers i32,
                from_i64 integers i64,
                from_f8e4m3fn floats f8e4m3fn,
                from_f8e5m2 floats f8e5m2,
                from_f16 floats f16,
                from_bf16 floats bf16,
                from_f32 floats f32,
                from_f64 floats f64,
                from_c32 floats c32,
                from_c64 floats c64,
                from_c128 floats c128,
            }
        }
    };
    (@rows $($module:ident $kind:ident $ty:ident,)*) => {
        $(
            #[doc(hidden)]
            pub mod $module {
                $crate::__levels! {}
                use $crate::__private::kernel::{Cast, CastRow};
                use $crate::__private::types as t;
                type A = t::$ty;

                $crate::__casts! {
                    @to TO_BOOL bool, TO_U8 u8, TO_U16 u16, TO_U32 u32, TO_U64 u64,
                    TO_F8E4M3FN f8e4m3fn, TO_F8E5M2 f8e5m2, TO_F16 f16, TO_BF16 bf16, TO_F32 f32, TO_F64 f64,
                    TO_C32 c32, TO_C64 c64, TO_C128 c128,
                }
                static TO_F8E4M3FN_SATURATING: Cast =
                    Cast::new::<Levels, A, t::f8e4m3fn, $crate::__private::convert::Saturate>();
                $crate::__casts! { @$kind }
            }
        )*

        /// All casts.
        pub static CASTS: $crate::__private::kernel::Casts =
            $crate::__private::kernel::Casts::new([$(&$module::ROW),*]);
    };
    (@to $($name:ident $ty:ident,)*) => {
        $(static $name: Cast = Cast::new::<Levels, A, t::$ty, $crate::__private::convert::Nan>();)*
    };
    (@integers) => {
        // Signed integers get the low bits, as unsigned ones do.
        $crate::__casts! { @row [TO_U8 TO_U16 TO_U32 TO_U64] ::core::option::Option::None }
    };
    (@floats) => {
        $crate::__casts! { @to TO_I8 i8, TO_I16 i16, TO_I32 i32, TO_I64 i64, }
        $crate::__casts! {
            @x86 X86_U8 false u8, X86_U16 false u16, X86_U32 false u32, X86_U64 false u64, X86_I32 false i32,
            X86_I64 false i64, CLAMPED_U8 true u8, CLAMPED_U16 true u16, CLAMPED_I8 true i8, CLAMPED_I16 true i16,
        }
        $crate::__casts! {
            @row [TO_I8 TO_I16 TO_I32 TO_I64] ::core::option::Option::Some([
                &X86_U8, &X86_U16, &X86_U32, &X86_U64, &X86_I32, &X86_I64,
                &CLAMPED_U8, &CLAMPED_U16, &CLAMPED_I8, &CLAMPED_I16,
            ])
        }
    };
    (@x86 $($name:ident $clamped:literal $ty:ident,)*) => {
        $(static $name: Cast = Cast::by_instruction::<$clamped, Levels, A, $ty>();)*
    };
    (@row [$i8:ident $i16:ident $i32:ident $i64:ident] $x86:expr) => {
        pub(super) static ROW: CastRow = CastRow::new::<A>(
            [
                &TO_BOOL, &TO_U8, &TO_U16, &TO_U32, &TO_U64, &$i8, &$i16, &$i32, &$i64,
                &TO_F8E4M3FN, &TO_F8E5M2, &TO_F16, &TO_BF16, &TO_F32, &TO_F64, &TO_C32, &TO_C64, &TO_C128,
            ],
            &TO_F8E4M3FN_SATURATING,
            $x86,
        );
    };
}
