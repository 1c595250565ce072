//! Where kernels are compiled: the token types of one module, and the door from a function pointer into them.
//!
//! Every module that holds kernels has token types of its own, made by [`__levels!`](crate::__levels): rustc puts the
//! code of a generic function beside the type it is made for, so that the modules spread over codegen units.

use core::marker::PhantomData;

use super::Status;
use crate::level::Lanes;

/// What a kernel does, for every level.
pub trait Body: 'static {
    /// Computes `n` elements.
    ///
    /// # Safety
    ///
    /// - `inputs` points to as many pointers as the body has inputs;
    /// - each points to `n` elements of its dtype, aligned and initialised, and `out` to room for `n` of the output's;
    /// - `out` overlaps none of the inputs.
    unsafe fn run<L: Lanes>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status;
}

/// A token type with the door into it.
///
/// # Safety
///
/// As [`Lanes`]; `enter` runs the body with the instructions of the level.
pub unsafe trait Target: Lanes {
    /// Runs the body: a [`RawKernel`](super::RawKernel).
    ///
    /// # Safety
    ///
    /// The machine has the level, and what [`Body::run`] asks for.
    unsafe fn enter<B: Body>(n: usize, inputs: *const *const u8, out: *mut u8) -> Status;
}

/// The token types of one module, one for each level.
pub trait Levels: 'static {
    /// For [`Level::Scalar`](crate::Level::Scalar).
    type Scalar: Target;
    /// For [`Level::V3`](crate::Level::V3).
    #[cfg(target_arch = "x86_64")]
    type V3: Target;
    /// For [`Level::V4`](crate::Level::V4).
    #[cfg(target_arch = "x86_64")]
    type V4: Target;
}

/// One call of a body, as pulp's `vectorize` takes it.
pub struct Call<L, B> {
    lanes: L,
    n: usize,
    inputs: *const *const u8,
    out: *mut u8,
    body: PhantomData<B>,
}

impl<L: Lanes, B: Body> Call<L, B> {
    /// A call that is not yet made.
    ///
    /// # Safety
    ///
    /// What [`Body::run`] asks for.
    #[inline(always)]
    pub const unsafe fn new(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Self {
        Call {
            lanes,
            n,
            inputs,
            out,
            body: PhantomData,
        }
    }

    /// Makes the call.
    #[inline(always)]
    pub fn run(self) -> Status {
        // SAFETY: `Call::new` was promised what the body asks for.
        unsafe { B::run(self.lanes, self.n, self.inputs, self.out) }
    }
}

impl<L: Lanes, B: Body> pulp::NullaryFnOnce for Call<L, B> {
    type Output = Status;

    #[inline(always)]
    fn call(self) -> Status {
        self.run()
    }
}

/// The tokens that detection uses; the lists of instructions are in one place, the macro.
#[cfg(target_arch = "x86_64")]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "detection needs no scalar token and no bundle"
)]
pub(crate) mod detect {
    crate::__levels! {}
}

/// Defines, in the module where it is called, the token types `Scalar`, `V3`, `V4` and the bundle `Levels` of them.
#[doc(hidden)]
#[macro_export]
macro_rules! __levels {
    () => {
        #[doc(hidden)]
        #[derive(Clone, Copy)]
        pub struct Scalar {
            private: (),
        }

        // SAFETY: the constants promise nothing.
        unsafe impl $crate::Lanes for Scalar {
            const LEVEL: $crate::Level = $crate::Level::Scalar;
            const F16C: ::core::primitive::bool = false;
            const AVX512: ::core::primitive::bool = false;
        }

        // SAFETY: every machine has the level, and `enter` runs the body.
        unsafe impl $crate::kernel::Target for Scalar {
            unsafe fn enter<B: $crate::kernel::Body>(
                n: ::core::primitive::usize,
                inputs: *const *const ::core::primitive::u8,
                out: *mut ::core::primitive::u8,
            ) -> $crate::kernel::Status {
                // SAFETY: the caller promises what the body asks for.
                let call = unsafe {
                    $crate::kernel::Call::<Self, B>::new(Scalar { private: () }, n, inputs, out)
                };
                call.run()
            }
        }

        #[cfg(target_arch = "x86_64")]
        $crate::__pulp::simd_type! {
            #[doc(hidden)]
            #[allow(missing_docs, unreachable_pub, missing_debug_implementations)]
            pub struct V3 {
                pub sse: "sse", pub sse2: "sse2", pub fxsr: "fxsr", pub sse3: "sse3", pub ssse3: "ssse3",
                pub sse4_1: "sse4.1", pub sse4_2: "sse4.2", pub popcnt: "popcnt", pub avx: "avx",
                pub avx2: "avx2", pub bmi1: "bmi1", pub bmi2: "bmi2", pub fma: "fma", pub lzcnt: "lzcnt",
                pub f16c: "f16c",
            }

            #[doc(hidden)]
            #[allow(missing_docs, unreachable_pub, missing_debug_implementations)]
            pub struct V4 {
                pub sse: "sse", pub sse2: "sse2", pub fxsr: "fxsr", pub sse3: "sse3", pub ssse3: "ssse3",
                pub sse4_1: "sse4.1", pub sse4_2: "sse4.2", pub popcnt: "popcnt", pub avx: "avx",
                pub avx2: "avx2", pub bmi1: "bmi1", pub bmi2: "bmi2", pub fma: "fma", pub lzcnt: "lzcnt",
                pub f16c: "f16c", pub avx512f: "avx512f", pub avx512bw: "avx512bw", pub avx512cd: "avx512cd",
                pub avx512dq: "avx512dq", pub avx512vl: "avx512vl",
            }
        }

        #[cfg(target_arch = "x86_64")]
        $crate::__levels!(@token V3 false);
        #[cfg(target_arch = "x86_64")]
        $crate::__levels!(@token V4 true);

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
    (@token $name:ident $avx512:literal) => {
        // SAFETY: a value of the type proves all the features in its list, F16C among them.
        unsafe impl $crate::Lanes for $name {
            const LEVEL: $crate::Level = $crate::Level::$name;
            const F16C: ::core::primitive::bool = true;
            const AVX512: ::core::primitive::bool = $avx512;
        }

        // SAFETY: `vectorize` runs the call with the features of the token.
        unsafe impl $crate::kernel::Target for $name {
            unsafe fn enter<B: $crate::kernel::Body>(
                n: ::core::primitive::usize,
                inputs: *const *const ::core::primitive::u8,
                out: *mut ::core::primitive::u8,
            ) -> $crate::kernel::Status {
                // SAFETY: the caller promises that the machine has the level.
                let lanes = unsafe { <$name>::new_unchecked() };
                // SAFETY: the caller promises what the body asks for.
                let call = unsafe { $crate::kernel::Call::<Self, B>::new(lanes, n, inputs, out) };
                lanes.vectorize(call)
            }
        }
    };
}
