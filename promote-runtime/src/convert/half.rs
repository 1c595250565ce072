//! f16 in registers: the conversions of F16C and AVX-512 where the level has them, the forms on the bits elsewhere.

use core::mem::MaybeUninit;

use half::f16;

use super::narrow::{Binary16, Narrow};
use crate::level::Lanes;

/// f16 to `f32`, exact.
#[inline(always)]
pub(crate) fn widen<L: Lanes>(_: L, x: f16) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if L::F16C {
        // SAFETY: a value of `L` exists, so the machine has F16C.
        return unsafe { widen_f16c(x.to_bits()) };
    }
    Binary16::decode(x.to_bits() as u32)
}

/// One lane; LLVM packs the conversions of a loop into vectors.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "f16c")]
fn widen_f16c(bits: u16) -> f32 {
    use core::arch::x86_64::{_mm_cvtph_ps, _mm_cvtsi32_si128, _mm_cvtss_f32};
    _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(bits as i32)))
}

/// `f32` to f16, to nearest even.
#[inline(always)]
pub(crate) fn narrow(x: f32) -> f16 {
    f16::from_bits(Binary16::encode(x) as u16)
}

/// `f32` to f16, to nearest even, a block at a time: LLVM does not pack the narrowing instruction by itself.
///
/// `x` and `out` have the same length.
#[inline(always)]
pub(crate) fn narrow_block<L: Lanes>(_: L, x: &[f32], out: &mut [MaybeUninit<f16>]) {
    #[cfg(target_arch = "x86_64")]
    if L::AVX512 {
        // SAFETY: a value of `L` exists, so the machine has AVX-512 F.
        return unsafe { narrow_avx512(x, out) };
    }
    #[cfg(target_arch = "x86_64")]
    if L::F16C {
        // SAFETY: a value of `L` exists, so the machine has AVX and F16C.
        return unsafe { narrow_f16c(x, out) };
    }
    for (x, out) in x.iter().zip(out) {
        out.write(narrow(*x));
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! narrow_with {
    ($name:ident, $features:literal, $lanes:literal, $load:ident, $convert:ident, $store:ident, $wide:ty) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn $name(x: &[f32], out: &mut [MaybeUninit<f16>]) {
            use core::arch::x86_64::{_MM_FROUND_TO_NEAREST_INT, $convert, $load, $store};
            let (x, x_tail) = x.as_chunks::<$lanes>();
            let (out, out_tail) = out.as_chunks_mut::<$lanes>();
            for (x, out) in x.iter().zip(out) {
                // SAFETY: `x` is an array of as many floats as are read; no alignment is asked for.
                let wide = unsafe { $load(x.as_ptr()) };
                let narrow = $convert::<_MM_FROUND_TO_NEAREST_INT>(wide);
                // SAFETY: `out` is an array of as many f16 as are written; no alignment is asked for.
                unsafe { $store(out.as_mut_ptr().cast::<$wide>(), narrow) };
            }
            for (x, out) in x_tail.iter().zip(out_tail) {
                out.write(narrow(*x));
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
narrow_with!(
    narrow_avx512,
    "avx512f",
    16,
    _mm512_loadu_ps,
    _mm512_cvtps_ph,
    _mm256_storeu_si256,
    core::arch::x86_64::__m256i
);
#[cfg(target_arch = "x86_64")]
narrow_with!(
    narrow_f16c,
    "avx,f16c",
    8,
    _mm256_loadu_ps,
    _mm256_cvtps_ph,
    _mm_storeu_si128,
    core::arch::x86_64::__m128i
);
