//! Conversions from floats to integers that become vector code.
//!
//! [`Truncate`] saturates and turns NaN into 0, as `as` does. [`Instruction`] gives the results of x86-64's
//! instruction, which returns the least integer for every float out of range.

/// Truncates a float to an integer. It saturates, and NaN becomes 0.
pub(crate) trait Truncate<T> {
    fn truncate(self) -> T;
}

macro_rules! truncate {
    ({} bool $bool:tt integer $integers:tt float [$($float:ident)*] complex $complex:tt) => {
        $(truncate! { @to $float $integers })*
    };
    (@to $float:ident [$($int:ident)*]) => {$(
        impl Truncate<$int> for $float {
            #[inline(always)]
            fn truncate(self) -> $int {
                const LOW: $float = $int::MIN as $float;
                const HIGH: $float = $int::MAX as $float;
                /// True if the limits of the integer are exact floats, and values of `i32`.
                const EXACT_IN_I32: bool =
                    $int::MAX as i128 <= i32::MAX as i128 && HIGH as i128 == $int::MAX as i128;
                if const { EXACT_IN_I32 } {
                    let x = if self.is_nan() { 0.0 } else { self };
                    let x = if x > LOW { x } else { LOW };
                    let x = if x < HIGH { x } else { HIGH };
                    // SAFETY: `x` is not NaN and is between `LOW` and `HIGH`, which are values of `i32`.
                    let whole: i32 = unsafe { x.to_int_unchecked() };
                    whole as $int
                } else {
                    // The greatest integer plus one, a power of two and therefore an exact float.
                    const LIMIT: $float = ($int::MAX / 2 + 1) as $float * 2.0;
                    let inside = if (LOW..LIMIT).contains(&self) { self } else { 0.0 };
                    // SAFETY: `inside` is not NaN, at least the least integer, and less than the greatest
                    // plus one.
                    let whole: $int = unsafe { inside.to_int_unchecked() };
                    let whole = if self >= LIMIT { $int::MAX } else { whole };
                    if self < LOW { $int::MIN } else { whole }
                }
            }
        }
    )*};
}

promote_core::__register_dtypes! { truncate {} }

/// Truncates a float to an integer as C code compiled for x86-64 does, and with it many frameworks.
pub(crate) trait Instruction<T> {
    /// Converts the float. An integer of fewer than 32 bits takes the low bits of an `i32` or, if `clamped`
    /// is true, the value nearest to it.
    fn instruction(self, clamped: bool) -> T;
}

macro_rules! instruction {
    ({} bool $bool:tt integer $integers:tt float [$($float:ident)*] complex $complex:tt) => {
        $(instruction! { @each $float $integers })*
    };
    (@each $float:ident [$($int:ident)*]) => {
        $(instruction! { @to $float $int })*
    };
    (@to $float:ident i32) => {
        impl Instruction<i32> for $float {
            #[inline(always)]
            fn instruction(self, _: bool) -> i32 {
                /// The greatest float that truncates to less than the least `i32`.
                const BELOW: $float = {
                    let least = i32::MIN as $float;
                    if least - 1.0 < least { least - 1.0 } else { least.next_down() }
                };
                let inside = (BELOW < self) & (self < 2_147_483_648.0);
                let safe = if inside { self } else { 0.0 };
                // SAFETY: `safe` is not NaN, and truncated it is within the range of `i32`.
                let whole: i32 = unsafe { safe.to_int_unchecked() };
                if inside { whole } else { i32::MIN }
            }
        }
    };
    (@to $float:ident i64) => {
        impl Instruction<i64> for $float {
            #[inline(always)]
            fn instruction(self, _: bool) -> i64 {
                let inside = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&self);
                let safe = if inside { self } else { 0.0 };
                // SAFETY: `safe` is not NaN and is within the range of `i64`.
                let whole: i64 = unsafe { safe.to_int_unchecked() };
                if inside { whole } else { i64::MIN }
            }
        }
    };
    (@to $float:ident u64) => {
        impl Instruction<u64> for $float {
            #[inline(always)]
            fn instruction(self, clamped: bool) -> u64 {
                const HALF: $float = 9_223_372_036_854_775_808.0;
                // The instruction converts to `i64`, so 2^63 is subtracted from larger floats first.
                let upper = self >= HALF;
                let rest = if upper { self - HALF } else { self };
                let low = Instruction::<i64>::instruction(rest, clamped) as u64;
                let found = if upper { low ^ 1 << 63 } else { low };
                if self >= 2.0 * HALF { 0 } else { found }
            }
        }
    };
    (@to $float:ident u32) => {
        impl Instruction<u32> for $float {
            #[inline(always)]
            fn instruction(self, clamped: bool) -> u32 {
                // The low bits of an `i64`. Below -2^31, and for floats out of its range, the sign bit.
                let wide = Instruction::<i64>::instruction(self, clamped);
                let low = if wide > u32::MAX as i64 { 0 } else { wide as u32 };
                let huge = if self >= 9_223_372_036_854_775_808.0 { 0 } else { 1 << 31 };
                if wide < i32::MIN as i64 { huge } else { low }
            }
        }
    };
    // Fewer than 32 bits.
    (@to $float:ident $int:ident) => {
        impl Instruction<$int> for $float {
            #[inline(always)]
            fn instruction(self, clamped: bool) -> $int {
                let wide = Instruction::<i32>::instruction(self, clamped);
                let above = if wide > $int::MIN as i32 { wide } else { $int::MIN as i32 };
                let inside = if above < $int::MAX as i32 { above } else { $int::MAX as i32 };
                (if clamped { inside } else { wide }) as $int
            }
        }
    };
}

promote_core::__register_dtypes! { instruction {} }
