//! Results in place: computed as in a new array, and cast to the dtype of the left operand if the rule set
//! allows it.

#![cfg(all(feature = "kernels", feature = "torch", feature = "numpy"))]
#![allow(clippy::float_cmp, reason = "the bits are what is tested")]

use half::f16;
use promote::{Argument, DType, Error, Level, NumPy, Number, Op, PromoteError, Torch};
use promote::{Slice, SliceMut};

#[test]
fn results_are_cast_to_the_dtype_of_the_left_operand() {
    let torch = Torch::new().rule_set();
    let b = [1e-9_f64, 2.0, 0.1];
    let mut a = [1.0_f32, 2.0, 3.0];
    torch.binary_in_place(Op::Multiply, SliceMut::new(&mut a), (&b[..]).into()).unwrap();
    // PyTorch computes in f64, and casts.
    assert_eq!(a, [1e-9_f64 as f32, 4.0, (3.0 * 0.1) as f32]);

    let mut a = [1_i8, 2, 100];
    torch.binary_in_place(Op::Add, SliceMut::new(&mut a), (&[1_i64, 2, 100][..]).into()).unwrap();
    assert_eq!(a, [2, 4, -56]);
    torch.binary_in_place(Op::Multiply, SliceMut::new(&mut a), Number::Int(2).into()).unwrap();
    assert_eq!(a, [4, 8, -112]);
}

#[test]
fn refused_casts_leave_the_output_untouched() {
    let mut a = [1_i32, 2];
    for rules in [Torch::new().rule_set(), NumPy::new().rule_set()] {
        let refused = rules.binary_in_place(Op::Add, SliceMut::new(&mut a), (&[0.5_f32, 0.5][..]).into());
        assert!(matches!(refused, Err(Error::Promote(PromoteError::CastRefused { .. }))), "{refused:?}");
        let refused = rules.unary_in_place(Op::Sqrt, SliceMut::new(&mut a));
        assert!(matches!(refused, Err(Error::Promote(PromoteError::CastRefused { .. }))), "{refused:?}");
    }
    assert_eq!(a, [1, 2]);
}

#[test]
fn ops_of_one_operand_compute_in_place() {
    let mut a = [f16::from_f32(4.0), f16::from_f32(2.25)];
    Torch::new().rule_set().unary_in_place(Op::Sqrt, SliceMut::new(&mut a)).unwrap();
    assert_eq!(a.map(f16::to_f32), [2.0, 1.5]);
}

#[test]
fn typed_slices_compute_in_place() {
    let mut a = [1.0_f32, 2.0, 3.0];
    Torch::add_in_place(&mut a, &[1_i8, 1, 1]).unwrap();
    Torch::sqrt_in_place(&mut a).unwrap();
    assert_eq!(a, [2.0_f32.sqrt(), 3.0_f32.sqrt(), 2.0]);
    assert!(Torch::add_in_place(&mut a, &[1_i8, 1]).is_err());
}

/// Elements in a memory-mapped file may have any address.
#[test]
fn elements_at_any_address_are_operands() {
    let torch = Torch::new().rule_set();
    let bytes: Vec<u8> =
        core::iter::once(0).chain([1.5_f32, -2.0].into_iter().flat_map(f32::to_ne_bytes)).collect();
    let a = Slice::from_bytes(DType::F32, &bytes[1..]).unwrap();
    let mut out = [0.0_f32; 2];
    torch.binary(Op::Add, Argument::Slice(a), (&[1_u8, 1][..]).into(), SliceMut::new(&mut out)).unwrap();
    assert_eq!(out, [2.5, -1.0]);
}

/// Bools are read from any byte, and written as 0 or 1, since Rust allows no other bytes in a `bool`.
#[test]
fn bools_are_written_as_0_or_1_for_every_byte_read() {
    let bytes = [0, 1, 2, 128, 255, 0, 7];
    let truths = bytes.map(|byte| u8::from(byte != 0));
    let mut computed = Vec::new();
    for rules in [Torch::new().rule_set(), NumPy::new().rule_set()] {
        for table in rules.tables().ops.iter().filter(|table| table.kernel.is_some()) {
            for &level in Level::ALL {
                Level::set(level);
                let [found, wanted] = [bytes, truths].map(|bytes| {
                    let a = Slice::from_bytes(DType::Bool, &bytes).unwrap();
                    let inputs = vec![Argument::Slice(a); table.op.inputs()];
                    let mut out = [9; 7];
                    let place = SliceMut::from_bytes(DType::Bool, &mut out).unwrap();
                    rules.elementwise(table.op, &inputs, place).map(|()| out)
                });
                assert_eq!(found, wanted, "{} at {level}", table.op);
                if let Ok(out) = found {
                    assert!(out.iter().all(|byte| *byte < 2), "{} at {level}: {out:?}", table.op);
                    computed.push(table.op.name());
                }
            }
        }
    }
    assert!(["add", "where", "logical_xor", "maximum", "bitwise_not"].iter().all(|op| computed.contains(op)));
}
