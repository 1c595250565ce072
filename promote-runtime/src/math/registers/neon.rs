//! The registers of NEON.

use core::arch::aarch64::{
    float32x4_t, float64x2_t, uint32x4_t, uint64x2_t, vaddq_f32, vaddq_f64, vandq_u32, vandq_u64, vbslq_f32,
    vbslq_f64, vceqq_f32, vceqq_f64, vcltq_f32, vcltq_f64, vdivq_f32, vdivq_f64, veorq_u32, veorq_u64,
    vfmaq_f32, vfmaq_f64, vld1q_u8_x2, vminvq_u32, vmulq_f32, vmulq_f64, vmvnq_u32, vorrq_u32, vorrq_u64,
    vqtbl2q_u8, vreinterpretq_f32_u8, vreinterpretq_u8_f32, vreinterpretq_u32_u64, vreinterpretq_u64_u32,
    vsqrtq_f32, vsqrtq_f64, vsubq_f32, vsubq_f64,
};
use core::array;
use core::mem::transmute;
use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use super::{LANES, Lookup, Registers, ShortTable, Table};
use crate::level::Lanes;
use crate::math::Real;
use crate::math::batch::Number;

registers! {
    /// Numbers in registers of NEON, which the compile target has.
    Neon [float64x2_t; LANES / 2] of f64 u64
    mask NeonMask [uint64x2_t]
    operators [
        Add add vaddq_f64
        Sub sub vsubq_f64
        Mul mul vmulq_f64
        Div div vdivq_f64
    ]
    masks [
        BitAnd bitand call!(vandq_u64; a b);
        BitOr bitor call!(vorrq_u64; a b);
        BitXor bitxor call!(veorq_u64; a b);
    ]
    // SAFETY: the compile target has NEON.
    not |mask| unsafe { vreinterpretq_u64_u32(vmvnq_u32(vreinterpretq_u32_u64(mask))) };
    // SAFETY: as above.
    fma |a, b, c| unsafe { vfmaq_f64(c, a, b) };
    root vsqrtq_f64
    less call!(vcltq_f64; a b);
    same call!(vceqq_f64; a b);
    blend call!(vbslq_f64; mask a b);

    /// As [`Neon`], of `f32`.
    Neon32 [float32x4_t; LANES / 4] of f32 u32
    mask Neon32Mask [uint32x4_t]
    operators [
        Add add vaddq_f32
        Sub sub vsubq_f32
        Mul mul vmulq_f32
        Div div vdivq_f32
    ]
    masks [
        BitAnd bitand call!(vandq_u32; a b);
        BitOr bitor call!(vorrq_u32; a b);
        BitXor bitxor call!(veorq_u32; a b);
    ]
    not call!(vmvnq_u32; mask);
    // SAFETY: the compile target has NEON.
    fma |a, b, c| unsafe { vfmaq_f32(c, a, b) };
    root vsqrtq_f32
    less call!(vcltq_f32; a b);
    same call!(vceqq_f32; a b);
    blend call!(vbslq_f32; mask a b);
}

impl Lookup for Neon {
    #[inline(always)]
    fn all(mask: NeonMask) -> bool {
        let mut all = mask.0[0];
        for i in 1..LANES / 2 {
            // SAFETY: the compile target has NEON.
            all = unsafe { vandq_u64(all, mask.0[i]) };
        }
        // SAFETY: as above.
        unsafe { vminvq_u32(vreinterpretq_u32_u64(all)) == u32::MAX }
    }

    #[inline(always)]
    fn lookup<const T: usize>(self, table: &Table<T>) -> [Self; T] {
        // A number for each lane is loaded: sixteen would take eight registers, and `tbl` takes four.
        let index = self.lanes();
        let mut found = [self; T];
        for t in 0..T {
            let mut lanes = [0.0; LANES];
            for i in 0..LANES {
                lanes[i] = table.columns[t][index[i].to_bits() as usize % 16];
            }
            found[t] = Self::like(lanes);
        }
        found
    }
}

impl Lookup<f32> for Neon32 {
    #[inline(always)]
    fn all(mask: Neon32Mask) -> bool {
        let mut all = mask.0[0];
        for i in 1..LANES / 4 {
            // SAFETY: the compile target has NEON.
            all = unsafe { vandq_u32(all, mask.0[i]) };
        }
        // SAFETY: as above.
        unsafe { vminvq_u32(all) == u32::MAX }
    }

    #[inline(always)]
    fn lookup<const T: usize>(self, table: &ShortTable<T>) -> [Self; T] {
        // Four bytes for each lane: those of the number at its index.
        let bytes = self.with_bits(|bits| (bits % 8).wrapping_mul(0x0404_0404).wrapping_add(0x0302_0100));
        let mut found = [self; T];
        for t in 0..T {
            let column = table.0[t].as_ptr().cast::<u8>();
            for i in 0..LANES / 4 {
                // SAFETY: the compile target has NEON, and a column has 64 bytes.
                found[t].0[i] = unsafe {
                    let bytes = vreinterpretq_u8_f32(bytes.0[i]);
                    vreinterpretq_f32_u8(vqtbl2q_u8(vld1q_u8_x2(column), bytes))
                };
            }
        }
        found
    }
}
