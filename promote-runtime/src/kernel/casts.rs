//! The casts of a build, from every standard dtype to every other one.
//!
//! All have a loop of their own, except most casts of 8-bit floats: see [`goes_through_f32`].

use super::RawKernel;
use super::adaptors::{CastByInstruction, Identity};
use super::map::{Each, InRegister, Map, Unrounded};
use super::per_level::PerLevel;
use super::signature::{CastOptions, TYPES};
use crate::convert::{Convert, ConvertAll, ConvertTo, Nan, Overflow};
use crate::element::{Element, Register};
use crate::level::Level;
use crate::level::doors::Levels;
use crate::ops::has_overflow_option;
use crate::{DType, Kind};

/// The cast from one dtype to another, at every level. Each is a `static` of its own, so that a program links
/// the casts that it names and no others.
#[derive(Debug)]
pub struct Cast(PerLevel);

/// The cast from `A` to `C`; `W` says what overflow of f8e4m3fn gives.
pub(super) type CastTo<A, C, W> = Map<Identity, (Each<A>,), Unrounded<C, W>, C>;

/// The cast of floats from `A` to integers of `C` as an x86-64 processor has it.
type CastToInteger<const CLAMPED: bool, A, C> =
    Map<CastByInstruction<CLAMPED, C>, (Each<A>,), InRegister<A, Nan>, C>;

/// The casts from one dtype to all of them.
#[derive(Debug)]
pub struct CastRow {
    from: u8,
    to: [&'static Cast; TYPES],
    /// To f8e4m3fn where overflow gives the greatest finite value.
    saturating: &'static Cast,
    /// The casts of floats to integers as an x86-64 processor does them; of other dtypes as `to`.
    x86: [&'static Cast; TYPES],
    /// As `x86`, but integers below 32 bits are clamped.
    clamped: [&'static Cast; TYPES],
}

/// Returns true if one dtype is cast to another through f32, with equal bits. Every other cast has a loop of
/// its own.
///
/// The conversion of an 8-bit float takes so long that two loops are as fast as one. An f64 or a c128 is
/// rounded to an 8-bit float at once, since it would be rounded twice on the way through f32.
pub(super) const fn goes_through_f32(from: DType, to: DType) -> bool {
    if from.index() == to.index() {
        false
    } else if is_8_bit_float(from) {
        !matches!(to, DType::F32)
    } else {
        is_8_bit_float(to) && !matches!(from, DType::F32 | DType::F64 | DType::C128)
    }
}

/// Returns true for the float dtypes of 8 bits.
pub(super) const fn is_8_bit_float(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Float) && dtype.bits() == 8
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
            Cast(CastTo::<A, C, W>::functions::<S>(true))
        }
    }

    /// Creates the cast of floats from `A` to integers of `C` as an x86-64 processor has it.
    pub const fn by_instruction<const CLAMPED: bool, S, A, C>() -> Cast
    where
        S: Levels,
        A: Element<Reg: ConvertAll + Convert<C>> + ConvertTo<A>,
        C: Register,
    {
        if goes_through_f32(A::DTYPE, C::DTYPE) {
            Cast(PerLevel::EMPTY)
        } else {
            Cast(CastToInteger::<CLAMPED, A, C>::functions::<S>(true))
        }
    }

    /// Returns the function for a level.
    #[inline]
    const fn at(&self, level: Level) -> Option<RawKernel> {
        self.0.at(level)
    }
}

/// Makes signed integers of fewer than `below` bits share the casts of unsigned ones: both are the low bits.
const fn share_low_bits(to: &mut [&'static Cast; TYPES], below: u32) {
    let mut i = 0;
    while i < TYPES {
        let mut j = 0;
        while j < TYPES {
            let (signed, unsigned) = (DType::WITH_TYPE[i], DType::WITH_TYPE[j]);
            let share = matches!((signed.kind(), unsigned.kind()), (Kind::Signed, Kind::Unsigned));
            if share && signed.bits() == unsigned.bits() && signed.bits() < below {
                to[i] = to[j];
            }
            j += 1;
        }
        i += 1;
    }
}

impl CastRow {
    /// Creates the casts from `A`, in the order of [`DType::index`]. Floats and complex numbers have further
    /// casts to integers: as an x86-64 processor has them, and clamped.
    pub const fn new<A: Element>(
        mut to: [&'static Cast; TYPES],
        saturating: &'static Cast,
        integers: &[(DType, &'static Cast, &'static Cast)],
    ) -> CastRow {
        let from = A::DTYPE.index() as u8;
        if integers.is_empty() {
            share_low_bits(&mut to, u64::BITS + 1);
            return CastRow { from, to, saturating, x86: to, clamped: to };
        }
        let (mut x86, mut clamped) = (to, to);
        let mut i = 0;
        while i < integers.len() {
            let (dtype, by_instruction, clamping) = integers[i];
            x86[dtype.index()] = by_instruction;
            clamped[dtype.index()] = if dtype.bits() < i32::BITS { clamping } else { by_instruction };
            i += 1;
        }
        // Narrow integers are the low bits of an i32.
        share_low_bits(&mut x86, i32::BITS);
        CastRow { from, to, saturating, x86, clamped }
    }

    /// Returns the cast to a dtype with an element type.
    #[inline]
    const fn find(&self, to: DType, options: CastOptions) -> &'static Cast {
        if options.saturate && has_overflow_option(to) {
            return self.saturating;
        }
        let casts = if options.clamped {
            &self.clamped
        } else if options.x86 {
            &self.x86
        } else {
            &self.to
        };
        casts[to.index()]
    }
}

/// A cast with its source and its target, as positions in [`DType::WITH_TYPE`].
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
    /// Panics if a row is at the wrong position. In a `static` that is a compile error.
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

/// Defines a module `casts` with a `static CASTS` of all casts. Each source dtype has a module with its name,
/// and each cast is a `static` of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! __casts {
    () => {
        #[doc(hidden)]
        pub mod casts {
            $crate::__private::dtypes! { $crate::__casts { @rows } }
        }
    };
    ({ @rows } typed [$($group:ident [$($variant:ident $name:ident $row:tt)*])*] untyped $untyped:tt) => {
        $($(
            #[doc(hidden)]
            #[allow(dead_code, non_upper_case_globals)]
            pub mod $name {
                $crate::__levels! {}
                use $crate::__private::convert::{Nan, Saturate};
                use $crate::__private::kernel::{Cast, CastRow};
                use $crate::__private::types as t;
                type A = t::$name;

                static Saturating: Cast = Cast::new::<Levels, A, t::f8e4m3fn, Saturate>();
                $crate::__private::dtypes! { $crate::__casts { @to $group } }
            }
        )*)*

        /// All casts.
        pub static CASTS: $crate::__private::kernel::Casts =
            $crate::__private::kernel::Casts::new([$($(&$name::ROW),*),*]);
    };
    // Casts of a bool and of integers have one form.
    ({ @to bool } $($rows:tt)*) => {
        $crate::__casts! { { @row [] } $($rows)* }
    };
    ({ @to integer } $($rows:tt)*) => {
        $crate::__casts! { { @row [] } $($rows)* }
    };
    (
        { @to $group:ident }
        typed [bool $bool:tt integer [$($variant:ident $name:ident $row:tt)*] $($rest:tt)*]
        untyped $untyped:tt
    ) => {
        mod x86 {
            use super::*;
            $(pub(super) static $variant: Cast =
                Cast::by_instruction::<false, Levels, A, ::core::primitive::$name>();)*
        }
        mod clamped {
            use super::*;
            $(pub(super) static $variant: Cast =
                Cast::by_instruction::<true, Levels, A, ::core::primitive::$name>();)*
        }
        $crate::__casts! {
            { @row [$(($crate::DType::$variant, &x86::$variant, &clamped::$variant),)*] }
            typed [bool $bool integer [$($variant $name $row)*] $($rest)*]
            untyped $untyped
        }
    };
    (
        { @row [$($integers:tt)*] }
        typed [$($group:ident [$($variant:ident $name:ident $row:tt)*])*]
        untyped $untyped:tt
    ) => {
        $($(static $variant: Cast = Cast::new::<Levels, A, t::$name, Nan>();)*)*
        pub(super) static ROW: CastRow = CastRow::new::<A>([$($(&$variant,)*)*], &Saturating, &[$($integers)*]);
    };
}
