//! Mathematical functions of one lane, without branches, so that a loop over them becomes vector code.
//!
//! Every level computes the same operations in the same order, with fused multiply-adds, so results have
//! equal bits. At a level without that instruction, [`Real::fma`] calls a correctly rounded function, which
//! is slow.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only if all of it is inlined")]

/// Implements functions with tables, which have a form for ordinary operands and one for all.
macro_rules! tabled {
    ($float:ident: $($name:ident)*) => {$(
        impl crate::math::Function<$float> for $name {
            #[inline(always)]
            fn in_fast_domain(x: $float) -> bool {
                $name::in_domain([x])
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, x: $float) -> $float {
                $name::each::<true, L, $float>(lanes, [x])
            }

            #[inline(always)]
            fn general<L: Lanes>(lanes: L, x: $float) -> $float {
                $name::each::<false, L, $float>(lanes, [x])
            }
        }
    )*};
}

pub(crate) mod batch;
pub(crate) mod double;
#[cfg(test)]
mod forms;
#[cfg(test)]
#[path = "../tests/math/oracle.rs"]
mod oracle;
mod pair;
pub(crate) mod registers;
pub(crate) mod single;

use crate::level::Lanes;

/// A function of one operand, with a fast path and a general form.
///
/// A kernel finds out whether all lanes of a block are in the domain of the fast path, and takes the results
/// of one of the forms for the block. Within that domain both forms give equal bits, or both give NaN.
pub(crate) trait Function<T> {
    /// Returns true if [`Function::fast`] is right for `x`.
    fn in_fast_domain(x: T) -> bool;

    /// Computes the function by the fast path. Outside of its domain the result is unspecified.
    fn fast<L: Lanes>(lanes: L, x: T) -> T;

    /// Computes the function for any `x`, with the special values of C99, Annex F.
    fn general<L: Lanes>(lanes: L, x: T) -> T;
}

/// A function of two operands, with the two forms of [`Function`].
pub(crate) trait Function2<T> {
    /// True if [`Function2::trivial_result`] returns a result for some operands.
    const HAS_TRIVIAL_RESULTS: bool = false;

    /// Returns true if [`Function2::fast`] is right for `a` and `b`.
    fn in_fast_domain(a: T, b: T) -> bool;

    /// Computes the function by the fast path. Outside of its domain the result is unspecified.
    fn fast<L: Lanes>(lanes: L, a: T, b: T) -> T;

    /// Returns the result for operands outside of the fast path's domain for which it is trivial, such as
    /// `pow(0, y)`; `None` for all others.
    #[inline(always)]
    fn trivial_result(_a: T, _b: T) -> Option<T> {
        None
    }

    /// Computes the function for any `a` and `b`, with the special values of C99, Annex F.
    fn general<L: Lanes>(lanes: L, a: T, b: T) -> T;
}

/// Operations on `f32` and `f64` that depend on the level.
pub(crate) trait Real: Copy {
    /// Returns `self · b + c`, rounded once.
    fn fma<L: Lanes>(self, lanes: L, b: Self, c: Self) -> Self;

    /// Returns the square root, correctly rounded.
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
                // `libm` detects features of x86-64 processors, which Miri does not support.
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
