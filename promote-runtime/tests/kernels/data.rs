//! Test data: bytes of every dtype, with all the values that trip, and their comparison.

use promote_runtime::__private::kernel::{Slice, SliceMut};
use promote_runtime::{DType, Kind, Level};

use crate::reference::{Value, encode};

/// The levels that this machine has.
pub(crate) fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.iter().copied().filter(|level| *level <= Level::best())
}

/// A pseudo-random sequence.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Bytes at an address that is aligned for every dtype, from some element on.
pub(crate) struct Buffer {
    words: Vec<u128>,
    skip: usize,
    len: usize,
}

impl Buffer {
    /// Room for `n` elements, `offset` elements behind an aligned address.
    pub(crate) fn new(dtype: DType, n: usize, offset: usize) -> Buffer {
        let size = dtype.size().unwrap();
        let words = vec![0; (n + offset) * size / 16 + 1];
        Buffer { words, skip: offset * size, len: n * size }
    }

    pub(crate) fn of(dtype: DType, bytes: &[u8], offset: usize) -> Buffer {
        let mut buffer = Buffer::new(dtype, bytes.len() / dtype.size().unwrap(), offset);
        buffer.bytes_mut().copy_from_slice(bytes);
        buffer
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the words are that many initialised bytes.
        let all =
            unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast::<u8>(), self.words.len() * 16) };
        &all[self.skip..self.skip + self.len]
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        let len = self.words.len() * 16;
        // SAFETY: the words are that many bytes, and every pattern of them is a word.
        let all = unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast::<u8>(), len) };
        &mut all[self.skip..self.skip + self.len]
    }

    pub(crate) fn slice(&self, dtype: DType) -> Slice<'_> {
        Slice::from_bytes(dtype, self.bytes()).unwrap()
    }

    pub(crate) fn slice_mut(&mut self, dtype: DType) -> SliceMut<'_> {
        SliceMut::from_bytes(dtype, self.bytes_mut()).unwrap()
    }
}

/// `n` elements: special values, the corners among them so often that each meets each, and random bits.
pub(crate) fn elements(dtype: DType, n: usize, seed: u64) -> Vec<u8> {
    let mut random = Random(seed | 1);
    for _ in 0..8 {
        random.next();
    }
    let parts = if dtype.kind() == Kind::Complex { 2 } else { 1 };
    let size = dtype.size().unwrap() / parts;
    let (special, corners) = (special(dtype), corners(dtype));
    let mut bytes = Vec::new();
    for _ in 0..n * parts {
        let choice = random.next();
        let place = (choice >> 8) as usize;
        let bits = match choice % 4 {
            0 | 1 => corners[place % corners.len()],
            2 => special[place % special.len()],
            _ => random.next(),
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
    }
    bytes
}

/// Zeros, ones, the least and the greatest values, infinities and NaN.
fn corners(dtype: DType) -> Vec<u64> {
    if matches!(dtype.kind(), Kind::Bool | Kind::Unsigned | Kind::Signed) {
        let half = 1 << (dtype.bits() - 1);
        return vec![0, 1, u64::MAX, half, half - 1];
    }
    let reals = [0.0, 1.0, 0.5, f64::INFINITY, f64::NAN];
    let bits = |x: f64| {
        let mut bytes = encode(Value::Complex(x, x), DType::F64, dtype, false);
        if dtype.kind() == Kind::Complex {
            bytes.truncate(bytes.len() / 2);
        }
        bytes.resize(8, 0);
        u64::from_le_bytes(bytes.try_into().unwrap())
    };
    reals.iter().flat_map(|x| [bits(*x), bits(-x)]).chain([1]).collect()
}

/// The bit patterns of the values at which a conversion or an op may go wrong; of the parts of a complex
/// dtype.
pub(crate) fn special(dtype: DType) -> Vec<u64> {
    // Magnitudes of `f64`: around the limits of every format below it, and ties.
    let mut reals =
        vec![0.0, 1.0, 0.5, 1.5, 2.5, 0.1, 3.0, 7.0, 100.0, 448.0, 464.0, 465.0, 480.0, 57344.0, 61440.0];
    reals.extend([
        65504.0, 65519.9, 65520.0, 65536.0, 127.5, 255.9, 3.4e38, 3.5e38, 1e300, 1e-300, 1e-45, 6e-46,
    ]);
    for power in
        [-149, -133, -134, -126, -25, -24, -14, -17, -16, -10, -9, -6, 7, 8, 15, 16, 24, 31, 32, 53, 63, 64]
    {
        let x = 2.0_f64.powi(power);
        reals.extend([x, x * (1.0 + f64::EPSILON), x * (1.0 - f64::EPSILON), x * 1.5, x - 1.0, x + 1.0]);
        // Just beside a tie of f32, f16, bf16 and f8: a double rounding goes wrong there.
        for bits in [24, 11, 8, 4, 3] {
            let tie = x * (1.0 + 2.0_f64.powi(-bits));
            reals.extend([tie, tie * (1.0 + f64::EPSILON), tie * (1.0 - f64::EPSILON), tie * (1.0 + 1e-9)]);
        }
    }
    reals.extend([f64::INFINITY, f64::NAN]);
    let signed = reals.iter().flat_map(|x| [*x, -*x]);
    match dtype {
        DType::Bool => vec![0, 1, 2, 128, 255],
        DType::F64 | DType::C128 => signed.map(f64::to_bits).collect(),
        DType::F32 | DType::C64 => {
            let near = |x: f64| [(x as f32).to_bits(), (x as f32).to_bits() ^ 1];
            signed.flat_map(near).map(u64::from).collect()
        }
        _ if dtype.bits() <= 16 || dtype == DType::C32 => (0..=u64::from(u16::MAX)).step_by(37).collect(),
        _ => {
            let powers = (0..64).map(|i| 1_u64 << i);
            powers
                .flat_map(|x| {
                    [x, x - 1, x + 1, x.wrapping_neg(), x.wrapping_neg() - 1, x | x >> 24, x | x >> 25]
                })
                .collect()
        }
    }
}

/// The elements as bits, every NaN as one and the same.
pub(crate) fn canonical(dtype: DType, bytes: &[u8]) -> Vec<u64> {
    let parts = if dtype.kind() == Kind::Complex { 2 } else { 1 };
    let size = dtype.size().unwrap() / parts;
    let (infinity, all) = match dtype {
        DType::F8E4M3FN => (0x7E, 0x7F),
        DType::F8E5M2 => (0x7C, 0x7F),
        DType::F16 | DType::C32 => (0x7C00, 0x7FFF),
        DType::BF16 => (0x7F80, 0x7FFF),
        DType::F32 | DType::C64 => (0x7F80_0000, 0x7FFF_FFFF),
        DType::F64 | DType::C128 => (0x7FF0_0000_0000_0000, 0x7FFF_FFFF_FFFF_FFFF),
        _ => (u64::MAX, u64::MAX),
    };
    let part = |chunk: &[u8]| {
        let mut bits = [0; 8];
        bits[..size].copy_from_slice(chunk);
        let bits = u64::from_le_bytes(bits);
        if bits & all > infinity { u64::MAX } else { bits }
    };
    bytes.chunks_exact(size).map(part).collect()
}
