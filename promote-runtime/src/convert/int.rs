//! Float to integer: truncation, saturating, NaN to 0, which is what `as` does, in forms that become vector code.

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
                // SAFETY: `inside` is no NaN, is at least the least integer and below one more than the greatest.
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
