//! The registers of AVX-512 and of AVX2.

use core::arch::x86_64::{
    __m256, __m256d, __m512, __m512d, __mmask8, __mmask16, _CMP_EQ_OQ, _CMP_LT_OQ, _mm_loadu_pd,
    _mm256_add_pd, _mm256_add_ps, _mm256_and_pd, _mm256_and_ps, _mm256_blendv_pd, _mm256_blendv_ps,
    _mm256_castpd128_pd256, _mm256_castps_si256, _mm256_castsi256_pd, _mm256_castsi256_ps, _mm256_cmp_pd,
    _mm256_cmp_ps, _mm256_div_pd, _mm256_div_ps, _mm256_fmadd_pd, _mm256_fmadd_ps, _mm256_insertf128_pd,
    _mm256_loadu_ps, _mm256_movemask_pd, _mm256_movemask_ps, _mm256_mul_pd, _mm256_mul_ps, _mm256_or_pd,
    _mm256_or_ps, _mm256_permutevar8x32_ps, _mm256_set1_epi64x, _mm256_sqrt_pd, _mm256_sqrt_ps,
    _mm256_sub_pd, _mm256_sub_ps, _mm256_unpackhi_pd, _mm256_unpacklo_pd, _mm256_xor_pd, _mm256_xor_ps,
    _mm512_add_pd, _mm512_add_ps, _mm512_castpd_si512, _mm512_castps_si512, _mm512_cmp_pd_mask,
    _mm512_cmp_ps_mask, _mm512_div_pd, _mm512_div_ps, _mm512_fmadd_pd, _mm512_fmadd_ps, _mm512_loadu_pd,
    _mm512_loadu_ps, _mm512_mask_blend_pd, _mm512_mask_blend_ps, _mm512_mul_pd, _mm512_mul_ps,
    _mm512_permutex2var_pd, _mm512_permutexvar_ps, _mm512_sqrt_pd, _mm512_sqrt_ps, _mm512_sub_pd,
    _mm512_sub_ps,
};
use core::array;
use core::mem::transmute;
use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use super::{LANES, Lookup, Registers, ShortTable, Table};
use crate::level::Lanes;
use crate::math::Real;
use crate::math::batch::Number;

registers! {
    /// Numbers in registers of AVX-512. A value exists only if the machine has the level V4.
    Wide [__m512d; LANES / 8] of f64 u64
    mask WideMask [__mmask8]
    operators [
        Add add _mm512_add_pd
        Sub sub _mm512_sub_pd
        Mul mul _mm512_mul_pd
        Div div _mm512_div_pd
    ]
    masks [
        BitAnd bitand BitAnd::bitand;
        BitOr bitor BitOr::bitor;
        BitXor bitxor BitXor::bitxor;
    ]
    not Not::not;
    fma call!(_mm512_fmadd_pd; a b c);
    root _mm512_sqrt_pd
    less call!(_mm512_cmp_pd_mask::<_CMP_LT_OQ>; a b);
    same call!(_mm512_cmp_pd_mask::<_CMP_EQ_OQ>; a b);
    // SAFETY: the operands exist, so the machine has the instruction.
    blend |mask: __mmask8, a, b| unsafe { _mm512_mask_blend_pd(mask, b, a) };

    /// Numbers in registers of AVX2. A value exists only if the machine has the level V3.
    Avx2 [__m256d; LANES / 4] of f64 u64
    mask Avx2Mask [__m256d]
    operators [
        Add add _mm256_add_pd
        Sub sub _mm256_sub_pd
        Mul mul _mm256_mul_pd
        Div div _mm256_div_pd
    ]
    masks [
        BitAnd bitand call!(_mm256_and_pd; a b);
        BitOr bitor call!(_mm256_or_pd; a b);
        BitXor bitxor call!(_mm256_xor_pd; a b);
    ]
    // SAFETY: the operand exists, so the machine has AVX.
    not |mask| unsafe { _mm256_xor_pd(mask, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))) };
    fma call!(_mm256_fmadd_pd; a b c);
    root _mm256_sqrt_pd
    less call!(_mm256_cmp_pd::<_CMP_LT_OQ>; a b);
    same call!(_mm256_cmp_pd::<_CMP_EQ_OQ>; a b);
    // SAFETY: the operands exist, so the machine has AVX.
    blend |mask: __m256d, a, b| unsafe { _mm256_blendv_pd(b, a, mask) };

    /// As [`Wide`], of `f32`.
    Wide32 [__m512; LANES / 16] of f32 u32
    mask Wide32Mask [__mmask16]
    operators [
        Add add _mm512_add_ps
        Sub sub _mm512_sub_ps
        Mul mul _mm512_mul_ps
        Div div _mm512_div_ps
    ]
    masks [
        BitAnd bitand BitAnd::bitand;
        BitOr bitor BitOr::bitor;
        BitXor bitxor BitXor::bitxor;
    ]
    not Not::not;
    fma call!(_mm512_fmadd_ps; a b c);
    root _mm512_sqrt_ps
    less call!(_mm512_cmp_ps_mask::<_CMP_LT_OQ>; a b);
    same call!(_mm512_cmp_ps_mask::<_CMP_EQ_OQ>; a b);
    // SAFETY: the operands exist, so the machine has the instruction.
    blend |mask: __mmask16, a, b| unsafe { _mm512_mask_blend_ps(mask, b, a) };

    /// As [`Avx2`], of `f32`.
    Avx2x32 [__m256; LANES / 8] of f32 u32
    mask Avx2x32Mask [__m256]
    operators [
        Add add _mm256_add_ps
        Sub sub _mm256_sub_ps
        Mul mul _mm256_mul_ps
        Div div _mm256_div_ps
    ]
    masks [
        BitAnd bitand call!(_mm256_and_ps; a b);
        BitOr bitor call!(_mm256_or_ps; a b);
        BitXor bitxor call!(_mm256_xor_ps; a b);
    ]
    // SAFETY: the operand exists, so the machine has AVX.
    not |mask| unsafe { _mm256_xor_ps(mask, _mm256_castsi256_ps(_mm256_set1_epi64x(-1))) };
    fma call!(_mm256_fmadd_ps; a b c);
    root _mm256_sqrt_ps
    less call!(_mm256_cmp_ps::<_CMP_LT_OQ>; a b);
    same call!(_mm256_cmp_ps::<_CMP_EQ_OQ>; a b);
    // SAFETY: the operands exist, so the machine has AVX.
    blend |mask: __m256, a, b| unsafe { _mm256_blendv_ps(b, a, mask) };
}

impl Lookup<f32> for Wide32 {
    #[inline(always)]
    fn all(mask: Wide32Mask) -> bool {
        mask.0 == [0xffff; LANES / 16]
    }

    #[inline(always)]
    fn lookup<const T: usize>(self, table: &ShortTable<T>) -> [Self; T] {
        let mut found = [self; T];
        for t in 0..T {
            for i in 0..LANES / 16 {
                // SAFETY: `self` exists, so the machine has AVX-512 F; a column has sixteen numbers.
                found[t].0[i] = unsafe {
                    let column = _mm512_loadu_ps(table.0[t].as_ptr());
                    _mm512_permutexvar_ps(_mm512_castps_si512(self.0[i]), column)
                };
            }
        }
        found
    }
}

impl Lookup<f32> for Avx2x32 {
    #[inline(always)]
    fn all(mask: Avx2x32Mask) -> bool {
        let mut all = mask.0[0];
        for i in 1..LANES / 8 {
            // SAFETY: the operands exist, so the machine has AVX.
            all = unsafe { _mm256_and_ps(all, mask.0[i]) };
        }
        // SAFETY: as above.
        unsafe { _mm256_movemask_ps(all) == 0xff }
    }

    #[inline(always)]
    fn lookup<const T: usize>(self, table: &ShortTable<T>) -> [Self; T] {
        let mut found = [self; T];
        for t in 0..T {
            for i in 0..LANES / 8 {
                // SAFETY: `self` exists, so the machine has AVX2; a column has sixteen numbers.
                found[t].0[i] = unsafe {
                    let column = _mm256_loadu_ps(table.0[t].as_ptr());
                    _mm256_permutevar8x32_ps(column, _mm256_castps_si256(self.0[i]))
                };
            }
        }
        found
    }
}

impl Lookup for Wide {
    #[inline(always)]
    fn all(mask: WideMask) -> bool {
        let mut all = 0xff;
        for i in 0..LANES / 8 {
            all &= mask.0[i];
        }
        all == 0xff
    }

    #[inline(always)]
    fn lookup<const T: usize>(self, table: &Table<T>) -> [Self; T] {
        let mut found = [self; T];
        for t in 0..T {
            let column = table.columns[t].as_ptr();
            for i in 0..LANES / 8 {
                // SAFETY: `self` exists, so the machine has AVX-512 F; a column has sixteen numbers.
                found[t].0[i] = unsafe {
                    let (low, high) = (_mm512_loadu_pd(column), _mm512_loadu_pd(column.add(8)));
                    _mm512_permutex2var_pd(low, _mm512_castpd_si512(self.0[i]), high)
                };
            }
        }
        found
    }
}

impl Lookup for Avx2 {
    #[inline(always)]
    fn all(mask: Avx2Mask) -> bool {
        let mut all = mask.0[0];
        for i in 1..LANES / 4 {
            // SAFETY: the operands exist, so the machine has AVX.
            all = unsafe { _mm256_and_pd(all, mask.0[i]) };
        }
        // SAFETY: as above.
        unsafe { _mm256_movemask_pd(all) == 0xf }
    }

    #[inline(always)]
    fn lookup<const T: usize>(self, table: &Table<T>) -> [Self; T] {
        #[repr(align(64))]
        struct Index([f64; LANES]);
        let mut found = [self; T];
        let offset = self.with_bits(|bits| bits % 16 * size_of::<[f64; 4]>() as u64);
        let offset = Index(offset.lanes());
        // With many columns, it is slower to take the lanes apart in registers than in memory.
        let offset = if const { T < 4 } { offset } else { core::hint::black_box(offset) };
        let first = table.rows.as_ptr().cast::<f64>();
        for i in 0..LANES / 4 {
            // SAFETY: there are sixteen rows, and the offset is that of one of them.
            let row = |lane: usize| unsafe { first.byte_add(offset.0[4 * i + lane].to_bits() as usize) };
            for t in (0..T).step_by(2) {
                // SAFETY: `self` exists, so the machine has AVX2; a row has four numbers, and `t` is 0
                // or 2.
                let (even, odd) = unsafe {
                    let two = |lane: usize| _mm_loadu_pd(row(lane).add(t));
                    let both = |low: usize, high: usize| {
                        _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(two(low)), two(high))
                    };
                    (both(0, 2), both(1, 3))
                };
                // SAFETY: `self` exists, so the machine has AVX2.
                found[t].0[i] = unsafe { _mm256_unpacklo_pd(even, odd) };
                if t + 1 < T {
                    // SAFETY: as above.
                    found[t + 1].0[i] = unsafe { _mm256_unpackhi_pd(even, odd) };
                }
            }
        }
        found
    }
}
