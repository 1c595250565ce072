//! Conversions between f16 and `f32`: by the instructions of F16C and AVX-512 if the level has them,
//! otherwise on bits.

use core::mem::MaybeUninit;

use half::f16;

use super::narrow::{Binary16, Narrow};
use crate::each;
use crate::level::Lanes;

/// Converts f16 to `f32`, exactly.
#[inline(always)]
pub(crate) fn widen<L: Lanes>(_: L, x: f16) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if L::F16C {
        // SAFETY: a value of `L` exists, so the machine has F16C.
        return unsafe { widen_f16c(x.to_bits()) };
    }
    Binary16::decode(x.to_bits() as u32)
}

/// Converts one lane. LLVM packs the conversions of a loop into vectors.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "f16c")]
fn widen_f16c(bits: u16) -> f32 {
    use core::arch::x86_64::{_mm_cvtph_ps, _mm_cvtsi32_si128, _mm_cvtss_f32};
    _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(bits as i32)))
}

/// Converts `f32` to f16, rounding to nearest even.
#[inline(always)]
pub(crate) fn narrow(x: f32) -> f16 {
    f16::from_bits(Binary16::encode(x) as u16)
}

/// Converts a slice of `f32` to f16, rounding to nearest even. LLVM does not vectorise the narrowing
/// instruction itself.
///
/// As many elements are written as the shorter slice has.
#[inline(always)]
pub(crate) fn narrow_block<L: Lanes>(_: L, x: &[f32], out: &mut [MaybeUninit<f16>]) {
    #[cfg(target_arch = "x86_64")]
    if L::AVX512 {
        // SAFETY: a value of `L` exists, so the machine has AVX-512 F, BW and VL.
        return unsafe { narrow_avx512(x, out) };
    }
    #[cfg(target_arch = "x86_64")]
    if L::F16C {
        // SAFETY: a value of `L` exists, so the machine has AVX and F16C.
        return unsafe { narrow_f16c(x, out) };
    }
    each::zip(out, x, |out, x| {
        out.write(narrow(*x));
    });
}

/// Converts sixteen lanes at a time, and the tail under a mask.
#[cfg(target_arch = "x86_64")]
#[allow(clippy::cast_ptr_alignment, reason = "the stores are unaligned")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn narrow_avx512(x: &[f32], out: &mut [MaybeUninit<f16>]) {
    use core::arch::x86_64::{
        __m256i, _MM_FROUND_TO_NEAREST_INT, _mm256_mask_storeu_epi16, _mm256_storeu_si256, _mm512_cvtps_ph,
        _mm512_loadu_ps, _mm512_maskz_loadu_ps,
    };
    let (x, x_tail) = x.as_chunks::<16>();
    let (out, out_tail) = out.as_chunks_mut::<16>();
    each::zip(out, x, |out, x| {
        // SAFETY: `x` is an array of as many floats as are read; the load may be unaligned.
        let wide = unsafe { _mm512_loadu_ps(x.as_ptr()) };
        let narrow = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(wide);
        // SAFETY: `out` is an array of as many f16 as are written; the store may be unaligned.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast::<__m256i>(), narrow) };
    });
    let m = if x_tail.len() < out_tail.len() { x_tail.len() } else { out_tail.len() };
    if m > 0 {
        let mask = ((1_u32 << m) - 1) as u16;
        // SAFETY: only the `m` lanes of the mask are read, and `x_tail` has at least as many.
        let wide = unsafe { _mm512_maskz_loadu_ps(mask, x_tail.as_ptr()) };
        let narrow = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(wide);
        // SAFETY: only the `m` lanes of the mask are written, and `out_tail` has at least as many.
        unsafe { _mm256_mask_storeu_epi16(out_tail.as_mut_ptr().cast::<i16>(), mask, narrow) };
    }
}

/// Converts eight lanes at a time, and the tail one by one.
#[cfg(target_arch = "x86_64")]
#[allow(clippy::cast_ptr_alignment, reason = "the stores are unaligned")]
#[inline]
#[target_feature(enable = "avx,f16c")]
fn narrow_f16c(x: &[f32], out: &mut [MaybeUninit<f16>]) {
    use core::arch::x86_64::{
        __m128i, _MM_FROUND_TO_NEAREST_INT, _mm_cvtps_ph, _mm_cvtsi128_si32, _mm_set_ss, _mm_storeu_si128,
        _mm256_cvtps_ph, _mm256_loadu_ps,
    };
    let (x, x_tail) = x.as_chunks::<8>();
    let (out, out_tail) = out.as_chunks_mut::<8>();
    each::zip(out, x, |out, x| {
        // SAFETY: `x` is an array of as many floats as are read; the load may be unaligned.
        let wide = unsafe { _mm256_loadu_ps(x.as_ptr()) };
        let narrow = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(wide);
        // SAFETY: `out` is an array of as many f16 as are written; the store may be unaligned.
        unsafe { _mm_storeu_si128(out.as_mut_ptr().cast::<__m128i>(), narrow) };
    });
    each::zip(out_tail, x_tail, |out, x| {
        let narrow = _mm_cvtsi128_si32(_mm_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm_set_ss(*x)));
        out.write(f16::from_bits(narrow as u16));
    });
}
