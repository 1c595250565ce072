//! Mathematical functions of one lane, free of branches, so that a loop over them becomes vector code.
//!
//! Every level computes the same operations in the same order, a fused multiply-add among them, and so gives
//! the same bits. Where a level has no instruction for it, [`Real::fma`] is a correctly rounded function,
//! which is slow and right.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

pub(crate) mod batch;
pub(crate) mod double;
#[cfg(test)]
mod forms;
#[cfg(test)]
#[path = "../tests/math/oracle.rs"]
mod oracle;
mod pair;
pub(crate) mod single;

use crate::level::Lanes;

/// A function of one operand, in two forms that give the same bits, or NaN, wherever both are right.
///
/// A kernel asks for a block of lanes whether all of them are usual, and then runs one of the forms over the
/// block.
pub(crate) trait Function<T> {
    /// Whether [`Function::fast`] is right for `x`.
    fn usual(x: T) -> bool;

    /// The function where `x` is usual; elsewhere it gives anything, but no undefined behaviour.
    fn fast<L: Lanes>(lanes: L, x: T) -> T;

    /// The function for every `x`, special values as in C99, Annex F.
    fn full<L: Lanes>(lanes: L, x: T) -> T;
}

/// A function of two operands, as [`Function`].
pub(crate) trait Function2<T> {
    /// Whether [`Function2::known`] gives anything.
    const KNOWN: bool = false;

    /// Whether [`Function2::fast`] is right for `a` and `b`.
    fn usual(a: T, b: T) -> bool;

    /// The function where `a` and `b` are usual; elsewhere it gives anything, but no undefined behaviour.
    fn fast<L: Lanes>(lanes: L, a: T, b: T) -> T;

    /// The same as [`Function2::full`] where `a` and `b` say it without any computing, and are not usual;
    /// `None` elsewhere.
    #[inline(always)]
    fn known(_a: T, _b: T) -> Option<T> {
        None
    }

    /// The function for all `a` and `b`, special values as in C99, Annex F.
    fn full<L: Lanes>(lanes: L, a: T, b: T) -> T;
}

/// The arithmetic of `f32` and `f64` that a level gives.
pub(crate) trait Real: Copy {
    /// `self · b + c` with one rounding.
    fn fma<L: Lanes>(self, lanes: L, b: Self, c: Self) -> Self;

    /// The square root, correctly rounded.
    fn root(self) -> Self;
}

macro_rules! real {
    ($($ty:ident fma $fma:ident $fallback:ident root $root:ident $root_fallback:ident set $set:ident get $get:ident;)*) => {$(
        impl Real for $ty {
            #[inline(always)]
            fn fma<L: Lanes>(self, _: L, b: Self, c: Self) -> Self {
                #[cfg(target_arch = "x86_64")]
                if L::FMA {
                    #[inline]
                    #[target_feature(enable = "fma")]
                    fn lane(a: $ty, b: $ty, c: $ty) -> $ty {
                        use core::arch::x86_64::{$fma, $get, $set};
                        $get($fma($set(a), $set(b), $set(c)))
                    }
                    // SAFETY: a value of `L` exists, so the machine has FMA.
                    return unsafe { lane(self, b, c) };
                }
                // `libm` asks the processor of x86-64 what it has, which Miri does not interpret.
                #[cfg(all(any(target_arch = "aarch64", miri), feature = "std"))]
                return self.mul_add(b, c);
                #[cfg(not(all(any(target_arch = "aarch64", miri), feature = "std")))]
                libm::$fallback(self, b, c)
            }

            #[inline(always)]
            fn root(self) -> Self {
                #[cfg(target_arch = "x86_64")]
                {
                    use core::arch::x86_64::{$get, $root, $set};
                    // SAFETY: every x86-64 machine has SSE2.
                    #[allow(unused_unsafe, reason = "where SSE2 is known to be there, the intrinsics are safe")]
                    return unsafe { $get($root($set(self))) };
                }
                #[cfg(all(not(target_arch = "x86_64"), feature = "std"))]
                return self.sqrt();
                #[cfg(all(not(target_arch = "x86_64"), not(feature = "std")))]
                libm::$root_fallback(self)
            }
        }
    )*};
}

real! {
    f32 fma _mm_fmadd_ss fmaf root _mm_sqrt_ps sqrtf set _mm_set_ss get _mm_cvtss_f32;
    f64 fma _mm_fmadd_sd fma root _mm_sqrt_pd sqrt set _mm_set_sd get _mm_cvtsd_f64;
}
