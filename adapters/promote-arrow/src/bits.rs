//! Conversion between Arrow's booleans, which are bits, and those of `promote`, which are bytes.

use arrow_buffer::BooleanBuffer;

/// Writes one byte, 0 or 1, for each bit of a buffer that has as many bits as `out` has bytes.
pub(crate) fn unpack(bits: &BooleanBuffer, out: &mut [u8]) {
    // `bit_chunks` shifts the bits of a slice that begins within a byte.
    for (word, out) in bits.bit_chunks().iter_padded().zip(out.chunks_mut(64)) {
        let bytes = word.to_le_bytes();
        let (groups, rest) = out.as_chunks_mut::<8>();
        for (group, byte) in groups.iter_mut().zip(bytes) {
            *group = spread(byte);
        }
        if let Some(byte) = bytes.get(groups.len()) {
            rest.copy_from_slice(&spread(*byte)[..rest.len()]);
        }
    }
}

/// Appends one bit for each byte, which is 0 or 1. The last byte that is appended is filled up with zeros.
pub(crate) fn pack(bytes: &[u8], bits: &mut Vec<u8>) {
    let (groups, rest) = bytes.as_chunks::<8>();
    bits.extend(groups.iter().map(|group| gather(*group)));
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        bits.push(gather(last));
    }
}

/// Returns the bits of a byte, the lowest first, as bytes.
fn spread(byte: u8) -> [u8; 8] {
    // Byte `i` of the product keeps bit `i` only. Adding 0x7f then sets its highest bit if it is not 0.
    let kept = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (((kept + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101).to_le_bytes()
}

/// Returns bytes of 0 and 1 as bits, the first as the lowest.
fn gather(bytes: [u8; 8]) -> u8 {
    // The factor has the bits 56 - 7i, which move byte `i` to bit 56 + i. No other pair of a byte and a bit
    // of the factor meets another one, so nothing is carried.
    u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080).to_le_bytes()[7]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_reverses_unpacking_at_every_offset_and_length() {
        let pattern: Vec<bool> = (0_u32..300).map(|i| (i * i + i / 7) % 3 == 0).collect();
        let all = BooleanBuffer::from(pattern.as_slice());
        for offset in 0..70 {
            for len in [0, 1, 7, 8, 9, 63, 64, 65, 128, 200] {
                let mut bytes = vec![7; len];
                unpack(&all.slice(offset, len), &mut bytes);
                let expected: Vec<u8> = pattern[offset..offset + len].iter().map(|x| u8::from(*x)).collect();
                assert_eq!(bytes, expected, "offset {offset}, length {len}");
                let mut bits = Vec::new();
                pack(&bytes, &mut bits);
                assert_eq!(bits.len(), len.div_ceil(8));
                assert_eq!(BooleanBuffer::new(bits.into(), 0, len), all.slice(offset, len));
            }
        }
    }

    #[test]
    fn every_byte_survives_spreading_and_gathering() {
        for byte in 0..=u8::MAX {
            let bits = spread(byte);
            assert!((0..8).all(|i| bits[i] == byte >> i & 1));
            assert_eq!(gather(bits), byte);
        }
    }
}
