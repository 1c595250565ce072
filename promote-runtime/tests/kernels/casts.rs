//! Every cast at every level, against the naive reference.

use promote_runtime::__private::kernel::{CastKernel, ScalarValue};
use promote_runtime::__private::semantics;
use promote_runtime::DType;

use crate::data::{Buffer, canonical, elements, levels, special};
use crate::reference::{Walk, convert};
use crate::set::KERNELS;

/// Casts at every level, element by element as a scalar too, and compares.
fn word(saturate: bool) -> u16 {
    if saturate { semantics::OVERFLOW_SATURATE } else { 0 }
}

fn check(from: DType, to: DType, bytes: &[u8], saturate: bool) {
    let size = from.size().unwrap();
    let n = bytes.len() / size;
    let expected: Vec<u8> = bytes.chunks(size).flat_map(|x| convert(from, x, to, saturate)).collect();
    let expected = canonical(to, &expected);
    let input = Buffer::of(from, bytes, 0);
    for level in levels() {
        let kernel = CastKernel::find_at(level, &KERNELS, from, to, word(saturate)).unwrap();
        let mut out = Buffer::new(to, n, 0);
        kernel.call(input.slice(from), out.slice_mut(to)).unwrap();
        let found = canonical(to, out.bytes());
        if let Some(i) = (0..found.len()).find(|&i| found[i] != expected[i]) {
            let i = i * n / found.len();
            let x = &bytes[i * size..(i + 1) * size];
            let y = &out.bytes()[i * to.size().unwrap()..(i + 1) * to.size().unwrap()];
            panic!(
                "{from} to {to} at {level}: {x:x?} gives {y:x?}, not {:x?}",
                convert(from, x, to, saturate)
            );
        }
    }
}

#[test]
fn sources_of_8_and_16_bits_are_exact_for_every_value() {
    for &from in DType::WITH_TYPE.iter().filter(|dtype| dtype.bits() <= 16) {
        let size = from.size().unwrap();
        let bytes: Vec<u8> =
            (0..1_u32 << from.bits()).flat_map(|x| x.to_le_bytes()[..size].to_vec()).collect();
        for &to in DType::WITH_TYPE {
            check(from, to, &bytes, false);
        }
        check(from, DType::F8E4M3FN, &bytes, true);
    }
}

#[test]
fn wider_sources_are_cast_exactly_at_special_values_and_samples() {
    for &from in DType::WITH_TYPE.iter().filter(|dtype| dtype.bits() > 16) {
        let size = from.size().unwrap();
        let mut bytes = elements(from, 5000, 7);
        // Every special value, in both parts of a complex one.
        let part = if from.kind() == promote_runtime::Kind::Complex { size / 2 } else { size };
        for x in special(from) {
            bytes.extend(x.to_le_bytes()[..part].repeat(size / part));
        }
        for &to in DType::WITH_TYPE {
            check(from, to, &bytes, false);
        }
        check(from, DType::F8E4M3FN, &bytes, true);
    }
}

#[test]
fn casts_slices_of_any_length_and_start_and_nothing_beside_them() {
    for (from, to) in [
        (DType::F32, DType::F16),
        (DType::C64, DType::C32),
        (DType::F32, DType::BF16),
        (DType::I8, DType::F64),
    ] {
        for n in (0..70).chain(510..530).chain([1023, 1024, 1025]) {
            for offset in 0..3 {
                let bytes = elements(from, n, n as u64 + 1);
                let expected: Vec<u8> =
                    bytes.chunks(from.size().unwrap()).flat_map(|x| convert(from, x, to, false)).collect();
                let input = Buffer::of(from, &bytes, offset);
                for level in levels() {
                    let kernel = CastKernel::find_at(level, &KERNELS, from, to, 0).unwrap();
                    let size = to.size().unwrap();
                    let mut whole = Buffer::new(to, n + 20, offset);
                    whole.bytes_mut().fill(0xA5);
                    let inner = &mut whole.bytes_mut()[10 * size..(n + 10) * size];
                    kernel
                        .call(
                            input.slice(from),
                            promote_runtime::__private::kernel::SliceMut::from_bytes(to, inner).unwrap(),
                        )
                        .unwrap();
                    assert_eq!(
                        canonical(to, inner),
                        canonical(to, &expected),
                        "{from} to {to}, {n} at {level}"
                    );
                    let beside = whole.bytes()[..10 * size].iter().chain(&whole.bytes()[(n + 10) * size..]);
                    assert!(beside.copied().all(|byte| byte == 0xA5), "{from} to {to}, {n} at {level}");
                }
            }
        }
    }
}

#[test]
fn scalars_are_cast_as_slices_are() {
    for &from in DType::WITH_TYPE {
        let bytes = elements(from, 300, 3);
        for &to in DType::WITH_TYPE {
            for x in bytes.chunks(from.size().unwrap()) {
                let value = ScalarValue::from_bytes(from, x).unwrap().cast(to, false).unwrap();
                assert_eq!(value.dtype(), to);
                let expected = convert(from, x, to, false);
                assert_eq!(
                    canonical(to, value.as_bytes()),
                    canonical(to, &expected),
                    "{from} to {to}: {x:x?}"
                );
            }
        }
    }
}

/// All 2^32 values of `f32`: some two minutes in a release build (`cargo test --release -- --ignored`).
#[test]
#[ignore = "two minutes in a release build, hours in a debug one"]
fn every_f32_becomes_the_nearest_f16_bf16_and_f8() {
    const N: u32 = 1 << 16;
    let targets = [
        (DType::F16, false),
        (DType::BF16, false),
        (DType::F8E4M3FN, false),
        (DType::F8E4M3FN, true),
        (DType::F8E5M2, false),
    ];
    for (to, saturate) in targets {
        let size = to.size().unwrap();
        let sign = 1_u64 << (to.bits() - 1);
        let nan = sign - 1;
        let mut walk = Walk::new(to, saturate);
        for high in 0..1_u32 << 15 {
            let bits: Vec<u32> = (0..N).map(|low| high << 16 | low).collect();
            let expected: Vec<u64> = bits.iter().map(|bits| walk.next(f32::from_bits(*bits))).collect();
            for negative in [false, true] {
                let sign = if negative { sign } else { 0 };
                let bits = bits.iter().map(|bits| bits | u32::from(negative) << 31);
                let input: Vec<f32> = bits.map(f32::from_bits).collect();
                let code = |code: &u64| (if *code == u64::MAX { nan } else { *code } | sign).to_le_bytes();
                let expected: Vec<u8> =
                    expected.iter().flat_map(|x| code(x).into_iter().take(size)).collect();
                for level in levels() {
                    let kernel =
                        CastKernel::find_at(level, &KERNELS, DType::F32, to, word(saturate)).unwrap();
                    let mut out = Buffer::new(to, N as usize, 0);
                    kernel.call(input.as_slice().into(), out.slice_mut(to)).unwrap();
                    // Only a NaN may have other bits than those expected.
                    let same =
                        out.bytes() == expected || canonical(to, out.bytes()) == canonical(to, &expected);
                    assert!(same, "from {high:x}0000 on, negative: {negative}, to {to} at {level}");
                }
            }
        }
    }
}
