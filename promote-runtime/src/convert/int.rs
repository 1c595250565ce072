//! Float to integer, in forms that become vector code: truncation, saturating, NaN to 0, which is what `as`
//! does; and what an x86-64 processor does, whose instruction gives the least integer wherever it cannot hold
//! the float.

/// Truncates a float to an integer, saturating; NaN gives 0.
pub(crate) trait Truncate<T> {
    fn truncate(self) -> T;
}

/// Both limits of the integer are floats and fit in `i32`: clamp, then convert.
macro_rules! clamped {
    ($($float:ident => $($int:ident)*;)*) => {$($(
        impl Truncate<$int> for $float {
            #[inline(always)]
            fn truncate(self) -> $int {
                const LOW: $float = $int::MIN as $float;
                const HIGH: $float = $int::MAX as $float;
                let x = if self.is_nan() { 0.0 } else { self };
                let x = if x > LOW { x } else { LOW };
                let x = if x < HIGH { x } else { HIGH };
                // SAFETY: `x` is no NaN and lies between `LOW` and `HIGH`, which are values of `i32`.
                let whole: i32 = unsafe { x.to_int_unchecked() };
                whole as $int
            }
        }
    )*)*};
}

clamped! {
    f32 => u8 i8 u16 i16;
    f64 => u8 i8 u16 i16 i32;
}

/// The upper limit of the integer is no float, but one more is: convert what is in range, select the rest.
macro_rules! selected {
    ($($float:ident => $($int:ident $limit:literal)*;)*) => {$($(
        impl Truncate<$int> for $float {
            #[inline(always)]
            fn truncate(self) -> $int {
                const LOW: $float = $int::MIN as $float;
                const LIMIT: $float = $limit;
                let inside = if (LOW..LIMIT).contains(&self) { self } else { 0.0 };
                // SAFETY: `inside` is no NaN, is at least the least integer and below one more than the
                // greatest.
                let whole: $int = unsafe { inside.to_int_unchecked() };
                let whole = if self >= LIMIT { $int::MAX } else { whole };
                if self < LOW { $int::MIN } else { whole }
            }
        }
    )*)*};
}

selected! {
    f32 => i32 2_147_483_648.0 u32 4_294_967_296.0 i64 9_223_372_036_854_775_808.0 u64 18_446_744_073_709_551_616.0;
    f64 => u32 4_294_967_296.0 i64 9_223_372_036_854_775_808.0 u64 18_446_744_073_709_551_616.0;
}

/// Truncates a float to an integer as C compiled for x86-64 does, which many frameworks pass on.
pub(crate) trait Instruction<T> {
    /// `clamped` says that an integer below 32 bits is the nearest one to the `i32`, and not its low bits.
    fn instruction(self, clamped: bool) -> T;
}

macro_rules! instruction {
    ($($float:ident $low:literal)*) => {$(
        impl Instruction<i32> for $float {
            #[inline(always)]
            fn instruction(self, _: bool) -> i32 {
                // The greatest float that cut towards zero is below the least `i32`.
                let inside = ($low < self) & (self < 2_147_483_648.0);
                let safe = if inside { self } else { 0.0 };
                // SAFETY: `safe` is no NaN, and cut towards zero it lies between the ends of `i32`.
                let whole: i32 = unsafe { safe.to_int_unchecked() };
                if inside { whole } else { i32::MIN }
            }
        }

        impl Instruction<i64> for $float {
            #[inline(always)]
            fn instruction(self, _: bool) -> i64 {
                let inside = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&self);
                let safe = if inside { self } else { 0.0 };
                // SAFETY: `safe` is no NaN and lies between the ends of `i64`.
                let whole: i64 = unsafe { safe.to_int_unchecked() };
                if inside { whole } else { i64::MIN }
            }
        }

        impl Instruction<u64> for $float {
            #[inline(always)]
            fn instruction(self, clamped: bool) -> u64 {
                const HALF: $float = 9_223_372_036_854_775_808.0;
                // Made of the instruction for i64: from 2^63 on of what is left of it.
                let upper = self >= HALF;
                let rest = if upper { self - HALF } else { self };
                let low = Instruction::<i64>::instruction(rest, clamped) as u64;
                let found = if upper { low ^ 1 << 63 } else { low };
                if self >= 2.0 * HALF { 0 } else { found }
            }
        }

        impl Instruction<u32> for $float {
            #[inline(always)]
            fn instruction(self, clamped: bool) -> u32 {
                // The low bits of an i64; beyond it, and from -2^31 down, the sign bit.
                let wide = Instruction::<i64>::instruction(self, clamped);
                let low = if wide > u32::MAX as i64 { 0 } else { wide as u32 };
                let huge = if self >= 9_223_372_036_854_775_808.0 { 0 } else { 1 << 31 };
                if wide < i32::MIN as i64 { huge } else { low }
            }
        }

        instruction!(@narrow $float: u8 i8 u16 i16);
    )*};
    (@narrow $float:ident: $($int:ident)*) => {$(
        impl Instruction<$int> for $float {
            #[inline(always)]
            fn instruction(self, clamped: bool) -> $int {
                let wide = Instruction::<i32>::instruction(self, clamped);
                let above = if wide > $int::MIN as i32 { wide } else { $int::MIN as i32 };
                let inside = if above < $int::MAX as i32 { above } else { $int::MAX as i32 };
                (if clamped { inside } else { wide }) as $int
            }
        }
    )*};
}

instruction! { f32 -2_147_483_904.0 f64 -2_147_483_649.0 }
