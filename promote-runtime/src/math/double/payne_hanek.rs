//! Reduction of large angles by quarter turns, after Payne and Hanek: the product uses only those bits of 2/π
//! that contribute less than a full turn. For an angle that is a multiple of ln 2, they are bits of 2·ln 2/π.

use super::pair::Pair;
use super::trigonometric::Reduced;
use crate::level::Lanes;

/// 64 zeros and the first bits of 2/π after the point.
const TWO_OVER_PI: [u64; 22] = [
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
    0xa9e391615ee61b08,
];
/// 64 zeros and the first bits of 2·ln 2/π after the point.
const TWO_LN2_OVER_PI: [u64; 22] = [
    0,
    0x70f7263dfa5a6eec,
    0xb608582e55fef3dd,
    0x8e13becd1d495c36,
    0x1d72013aea9f8fca,
    0x76e866fc9b48be48,
    0x15f5cb6fd8bee211,
    0x0394db3020d6eb52,
    0x30ffa9ae90cbc735,
    0x51358ced67c0db3c,
    0x490d15bdd91a29f5,
    0x682402af5e8f9c23,
    0xbff15cbc71f05fed,
    0xfe0bb0622a8c8f67,
    0x7309c45a7502282a,
    0xead0c2435c5527bb,
    0x759f345e2d0628e8,
    0xb1a563a253e62918,
    0xea5ffdabeac0d479,
    0xcfedb1b6fc78b439,
    0xa333a25fdc77be31,
    0x5916a9fbf567bd21,
];
const HALF_PI: Pair = Pair { hi: 1.5707963267948966, lo: 6.123233995736766e-17 };

/// Reduces a finite |x| above 2^10; infinities and NaN give NaN.
#[inline(always)]
pub(super) fn reduce<L: Lanes>(lanes: L, x: f64) -> Reduced {
    reduce_by(lanes, &TWO_OVER_PI, x)
}

/// Reduces the angle x·ln 2, for x as in [`reduce`].
#[inline(always)]
pub(super) fn reduce_times_ln2<L: Lanes>(lanes: L, x: f64) -> Reduced {
    reduce_by(lanes, &TWO_LN2_OVER_PI, x)
}

/// Reduces x times a number, in quarter turns. The digits are 64 zeros and the bits of the number after the
/// point.
#[inline(always)]
fn reduce_by<L: Lanes>(lanes: L, digits: &[u64; 22], x: f64) -> Reduced {
    let bits = x.to_bits();
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    // |x| = mantissa·2^(exponent - 1075). A bit that stands for 2^-j gives whole turns where
    // exponent - 1075 - j is 2 or more; with the 64 zeros before it, the first bit needed is the one at
    // `from`.
    let exponent = ((bits >> 52) & 0x7ff) as usize;
    let from = exponent + 62 - 1075;
    // It is at most 16; the minimum lets LLVM drop bounds checks.
    let (word, shift) = ((from / 64).min(16), (from % 64) as u32);
    let at = |i: usize| {
        let two = (u128::from(digits[word + i]) << 64) | u128::from(digits[word + i + 1]);
        ((two << shift) >> 64) as u64
    };
    // The product modulo 2^192 is the angle in quarter turns, in fourths of 2^-190: its top two bits are the
    // quarter turns.
    let low = u128::from(mantissa) * u128::from(at(2));
    let middle = u128::from(mantissa) * u128::from(at(1)) + (low >> 64);
    let high = mantissa.wrapping_mul(at(0)).wrapping_add((middle >> 64) as u64);
    let product = [high, middle as u64, low as u64];
    // The remainder as a signed fraction of a quarter turn; beyond one half it counts from the next one.
    let fraction = [product[0] << 2 | product[1] >> 62, product[1] << 2 | product[2] >> 62, product[2] << 2];
    let over = fraction[0] >> 63;
    let quarters = (high >> 62) + over;
    let flip = over.wrapping_neg();
    let size = [fraction[0] ^ flip, fraction[1] ^ flip, fraction[2] ^ flip];
    // Without its leading zeros; no f64 comes nearer to a whole number of these than 2^-61.5, times ln 2
    // 2^-62.5, so they are fewer than 64.
    let zeros = size[0].leading_zeros().min(63);
    let first = (size[0] << zeros) | ((size[1] >> 1) >> (63 - zeros));
    let second = (size[1] << zeros) | ((size[2] >> 1) >> (63 - zeros));
    // The first 53 bits, and the next 64.
    let unit = f64::from_bits(u64::from(1023 - zeros) << 52);
    let hi = (first >> 11) as f64 * (unit / TWO_53);
    let lo = ((first << 53) | (second >> 11)) as f64 * (unit / TWO_53 / TWO_64);
    let r = Pair::new(hi, lo).renormalised().times(lanes, HALF_PI).renormalised();
    let finite = exponent < 0x7ff;
    // The sine is odd, so a negative x turns the other way.
    let minus = (over ^ (bits >> 63)) != 0;
    let sign = if finite { if minus { -1.0 } else { 1.0 } } else { f64::NAN };
    let quarters = if bits >> 63 == 0 { quarters } else { quarters.wrapping_neg() };
    (quarters, r.scaled(sign))
}

const TWO_53: f64 = 9007199254740992.0;
const TWO_64: f64 = 18446744073709551616.0;
