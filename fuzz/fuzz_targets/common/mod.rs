//! Helpers of the targets that fuzz calls: choices made from the input, and comparison of elements.

#![allow(dead_code, reason = "each target uses its part")]

use promote::ScalarValue;
use promote::{DType, Number};

/// The rest of the input, followed by zeros.
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    /// Returns the next byte.
    pub fn next(&mut self) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first)
    }

    /// Chooses an item of a list.
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.next() % list.len()]
    }

    /// Reads a number below a limit from two bytes.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() << 8 | self.next()) % limit
    }
}

/// Returns the bytes of an element.
pub fn size(dtype: DType) -> usize {
    dtype.size().expect("a dtype with elements")
}

/// Normalises elements: every true `bool` becomes the byte 1.
pub fn normal(dtype: DType, bytes: &[u8]) -> Vec<u8> {
    let byte = |byte: &u8| if dtype == DType::Bool { u8::from(*byte != 0) } else { *byte };
    bytes.iter().map(byte).collect()
}

/// Returns true if bits are equal or both elements are NaN.
pub fn equal(dtype: DType, found: &[u8], wanted: &[u8]) -> bool {
    let part = |x: f64, y: f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    let element = |found: &[u8], wanted: &[u8]| {
        let number = |bytes| ScalarValue::from_bytes(dtype, bytes).ok().and_then(|value| value.number());
        found == wanted
            || match (number(found), number(wanted)) {
                (Some(Number::Float(x)), Some(Number::Float(y))) => part(x, y),
                (Some(Number::Complex(a, b)), Some(Number::Complex(c, d))) => part(a, c) && part(b, d),
                _ => false,
            }
    };
    found.chunks(size(dtype)).zip(wanted.chunks(size(dtype))).all(|(found, wanted)| element(found, wanted))
}

/// Bytes in memory of their own, aligned for every dtype.
pub struct Aligned {
    words: Vec<u128>,
    beside: usize,
    len: usize,
}

impl Aligned {
    /// Copies bytes to an address that is at most 16 bytes after an aligned one.
    pub fn copy(bytes: &[u8], beside: usize) -> Aligned {
        let mut made = Aligned { words: vec![0; bytes.len() / 16 + 2], beside, len: bytes.len() };
        made.bytes_mut().copy_from_slice(bytes);
        made
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the words are initialised and at least 16 bytes longer than the copy.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast::<u8>().add(self.beside), self.len) }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let first = self.words.as_mut_ptr().cast::<u8>();
        // SAFETY: as in `bytes`, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(first.add(self.beside), self.len) }
    }
}
