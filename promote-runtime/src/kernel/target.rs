//! Where kernels are compiled: the token types of one module, and the door from a function pointer into them.
//!
//! Every module that holds kernels has token types of its own, made by [`__levels!`](crate::__levels): rustc puts the
//! code of a generic function beside the type it is made for, so that the modules spread over codegen units.

use super::Status;
use super::loops::Loop;
use crate::level::{Lanes, Level};

/// What a kernel does that is more than a [`Loop`], for every level.
pub trait Body: 'static {
    /// Computes `n` elements.
    ///
    /// # Safety
    ///
    /// - `inputs` points to as many pointers as the body has inputs;
    /// - each points to `n` elements of its dtype, aligned and initialised, and `out` to room for `n` of the output's;
    /// - `out` overlaps none of the inputs; it may be null where the body is of an op that may trap, and be the first input where the body is
    ///   said to compute in place; such a body takes one element for its second input, too, as [`RawKernel`](super::RawKernel) says.
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status;
}

/// A token type with the door into it.
///
/// # Safety
///
/// As [`Lanes`]; `enter` and `enter_body` run the loop or the body with the instructions of [`Lanes::LEVEL`], and need no others.
pub unsafe trait Target: Lanes {
    /// Runs a loop: a [`RawKernel`](super::RawKernel).
    ///
    /// # Safety
    ///
    /// The machine has the level [`Lanes::LEVEL`], and what [`Loop::fill`] asks for `n` places; `out` points to room for `n` results,
    /// aligned, which overlaps no input.
    unsafe fn enter<P: Loop>(n: usize, inputs: *const *const u8, out: *mut u8) -> Status;

    /// Runs a body: a [`RawKernel`](super::RawKernel).
    ///
    /// # Safety
    ///
    /// The machine has the level [`Lanes::LEVEL`], and what [`Body::run`] asks for.
    unsafe fn enter_body<B: Body>(n: usize, inputs: *const *const u8, out: *mut u8) -> Status;
}

/// The token types of one module, one for each level.
///
/// A token in the place of another level's does not compile where kernels are made of it:
///
/// ```compile_fail,E0080
/// # #![allow(missing_docs)]
/// mod tokens {
///     promote_runtime::__levels! {}
/// }
/// struct Swapped;
/// impl promote_runtime::kernel::Levels for Swapped {
///     type Scalar = tokens::Scalar;
///     type V3 = tokens::V4;
///     type V4 = tokens::V4;
/// }
/// static ROW: promote_runtime::kernel::CastRow = promote_runtime::kernel::CastRow::new::<Swapped, f32>();
/// # fn main() {}
/// ```
pub trait Levels: 'static {
    /// For [`Level::BASE`].
    type Scalar: Target;
    /// For [`Level::V3`].
    #[cfg(target_arch = "x86_64")]
    type V3: Target;
    /// For [`Level::V4`].
    #[cfg(target_arch = "x86_64")]
    type V4: Target;
}

/// Stops the compilation where a token of the bundle is not that of the level in whose place it stands.
#[inline(always)]
pub(super) const fn check_levels<S: Levels>() {
    const {
        assert!(S::Scalar::LEVEL as u8 == Level::BASE as u8, "`Scalar` is no token of `Level::BASE`");
        #[cfg(target_arch = "x86_64")]
        assert!(matches!(S::V3::LEVEL, Level::V3), "`V3` is no token of `Level::V3`");
        #[cfg(target_arch = "x86_64")]
        assert!(matches!(S::V4::LEVEL, Level::V4), "`V4` is no token of `Level::V4`");
    }
}

/// The tokens that detection uses, and sums, and that all modules have in common; the lists of instructions are in one place, the macro.
#[allow(dead_code, reason = "nobody needs the bundle, or all of it on every machine")]
pub mod tokens {
    crate::__levels! {}
}

/// Defines, in the module where it is called, the token types `Scalar`, `V3`, `V4` and the bundle `Levels` of them.
///
/// The tokens and their detection are pulp's; the door is our own function with the same instructions, since through
/// pulp's `vectorize` the pointers arrive as integers and LLVM then interleaves loops less.
#[doc(hidden)]
#[macro_export]
macro_rules! __levels {
    (mod $module:ident) => {
        mod $module {
            $crate::__levels! {}
        }
    };
    () => {
        #[doc(hidden)]
        #[derive(Clone, Copy)]
        pub struct Scalar {
            private: (),
        }

        // SAFETY: the constants promise nothing but what the compile target has, and the shared token has the same.
        unsafe impl $crate::Lanes for Scalar {
            type Shared = $crate::Scalar;
            const LEVEL: $crate::Level = $crate::Level::BASE;
            const F16C: ::core::primitive::bool = false;
            const FMA: ::core::primitive::bool = <$crate::Scalar as $crate::Lanes>::FMA;
            const AVX512: ::core::primitive::bool = false;
        }

        // SAFETY: every machine has the level, and the doors run the loop or the body.
        unsafe impl $crate::kernel::Target for Scalar {
            $crate::__levels! { @doors [] Scalar { private: () } }
        }

        $crate::__levels! { @token V3 v3 false
            sse "sse", sse2 "sse2", fxsr "fxsr", sse3 "sse3", ssse3 "ssse3", sse4_1 "sse4.1", sse4_2 "sse4.2",
            popcnt "popcnt", avx "avx", avx2 "avx2", bmi1 "bmi1", bmi2 "bmi2", fma "fma", lzcnt "lzcnt", f16c "f16c",
        }
        $crate::__levels! { @token V4 v4 true
            sse "sse", sse2 "sse2", fxsr "fxsr", sse3 "sse3", ssse3 "ssse3", sse4_1 "sse4.1", sse4_2 "sse4.2",
            popcnt "popcnt", avx "avx", avx2 "avx2", bmi1 "bmi1", bmi2 "bmi2", fma "fma", lzcnt "lzcnt", f16c "f16c",
            avx512f "avx512f", avx512bw "avx512bw", avx512cd "avx512cd", avx512dq "avx512dq", avx512vl "avx512vl",
        }

        /// The token types of this module.
        #[doc(hidden)]
        pub struct Levels;

        impl $crate::kernel::Levels for Levels {
            type Scalar = Scalar;
            #[cfg(target_arch = "x86_64")]
            type V3 = V3;
            #[cfg(target_arch = "x86_64")]
            type V4 = V4;
        }
    };
    (@token $name:ident $module:ident $avx512:literal $($field:ident $feature:tt,)*) => {
        // pulp's macro takes the prelude and the name `core` for granted, which the caller's crate may not have.
        #[cfg(target_arch = "x86_64")]
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub mod $module {
            use ::core::{self, prelude::v1::*};
            $crate::__pulp::simd_type! {
                #[allow(missing_docs, unreachable_pub)]
                pub struct $name {
                    $(pub $field: $feature,)*
                }
            }
        }
        #[cfg(target_arch = "x86_64")]
        #[doc(hidden)]
        pub use $module::$name;

        // SAFETY: a value of the type proves all the features in its list, F16C among them; this macro made the shared token too, with the
        // same list.
        #[cfg(target_arch = "x86_64")]
        unsafe impl $crate::Lanes for $name {
            type Shared = $crate::__tokens::$name;
            const LEVEL: $crate::Level = $crate::Level::$name;
            const F16C: ::core::primitive::bool = true;
            const FMA: ::core::primitive::bool = true;
            const AVX512: ::core::primitive::bool = $avx512;
        }

        // SAFETY: the doors run the loop or the body with all the features in the token's list.
        #[cfg(target_arch = "x86_64")]
        unsafe impl $crate::kernel::Target for $name {
            $crate::__levels! {
                @doors [$(#[target_feature(enable = $feature)])*]
                // SAFETY: the caller promises that the machine has the level.
                unsafe { <$name>::new_unchecked() }
            }
        }
    };
    // The loop is called from the door itself: rustc inlines nothing into a function with instructions of its own, and what stood
    // between them would be one more function for each kernel.
    (@doors [$($attribute:tt)*] $lanes:expr) => {
        $($attribute)*
        unsafe fn enter<P: $crate::kernel::Loop>(
            n: ::core::primitive::usize,
            inputs: *const *const ::core::primitive::u8,
            out: *mut ::core::primitive::u8,
        ) -> $crate::kernel::Status {
            let lanes = $lanes;
            // SAFETY: the caller promises room for `n` results that overlap no input; what is there need not be initialised.
            let out = unsafe { ::core::slice::from_raw_parts_mut(out.cast(), n) };
            // SAFETY: the caller promises what the loop asks for.
            unsafe { P::fill(lanes, inputs, out) };
            $crate::kernel::Status::Done
        }

        $($attribute)*
        unsafe fn enter_body<B: $crate::kernel::Body>(
            n: ::core::primitive::usize,
            inputs: *const *const ::core::primitive::u8,
            out: *mut ::core::primitive::u8,
        ) -> $crate::kernel::Status {
            let lanes = $lanes;
            // SAFETY: the caller promises what the body asks for.
            unsafe { B::run(lanes, n, inputs, out) }
        }
    };
}
