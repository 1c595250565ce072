//! Memory for elements of any dtype.

#![allow(dead_code, reason = "each test target uses its part")]

use promote::DType;
use promote::ScalarValue;

/// Bytes at an address that any element may have.
pub(crate) struct Aligned {
    room: Vec<u8>,
    begin: usize,
    len: usize,
}

impl Aligned {
    pub(crate) fn new(len: usize) -> Aligned {
        let room = vec![0; len + 16];
        let begin = room.as_ptr().align_offset(16).min(16);
        Aligned { room, begin, len }
    }

    pub(crate) fn of(values: &[ScalarValue]) -> Aligned {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.as_bytes().iter().copied()).collect();
        Aligned::copy(&bytes)
    }

    pub(crate) fn copy(bytes: &[u8]) -> Aligned {
        let mut aligned = Aligned::new(bytes.len());
        aligned.bytes_mut().copy_from_slice(bytes);
        aligned
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.room[self.begin..][..self.len]
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.begin..][..self.len]
    }

    pub(crate) fn values(&self, dtype: DType) -> Vec<ScalarValue> {
        let size = dtype.size().expect("a dtype with a Rust type");
        self.bytes()
            .chunks(size)
            .map(|bytes| ScalarValue::from_bytes(dtype, bytes).expect("an element"))
            .collect()
    }
}
