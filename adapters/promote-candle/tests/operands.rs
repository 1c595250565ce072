//! Layouts, shapes, numbers, masks and errors.

use candle_core::{D, DType, Device, IndexOp, Result, Tensor};
use promote_candle::promote::{NumPy, Op, RuleSet, Torch};
use promote_candle::{MixedOps, Operand, apply};

fn torch() -> RuleSet {
    Torch::new().rule_set()
}

fn halves(shape: &[usize]) -> Result<Tensor> {
    let len = u32::try_from(shape.iter().product::<usize>())?;
    (Tensor::arange(0, len, &Device::Cpu)?.to_dtype(DType::F16)? * 0.5)?.reshape(shape)
}

fn floats(shape: &[usize]) -> Result<Tensor> {
    let len = u32::try_from(shape.iter().product::<usize>())?;
    (Tensor::arange(0, len, &Device::Cpu)?.to_dtype(DType::F32)? - 7.0)?.reshape(shape)
}

fn numbers(tensor: &Tensor) -> Result<Vec<f64>> {
    tensor.to_dtype(DType::F64)?.flatten_all()?.to_vec1()
}

/// Compares a sum with candle's of two F32 tensors.
fn check_sum(a: &Tensor, b: &Tensor) -> Result<()> {
    let (found, expected) =
        (a.mixed_add(b)?, a.to_dtype(DType::F32)?.broadcast_add(&b.to_dtype(DType::F32)?)?);
    assert_eq!(found.dims(), expected.dims());
    assert_eq!(found.dtype(), DType::F32);
    assert!(found.is_contiguous());
    assert_eq!(numbers(&found)?, numbers(&expected)?);
    Ok(())
}

#[test]
fn candle_itself_refuses_two_dtypes() -> Result<()> {
    let error = (floats(&[3])? + halves(&[3])?).expect_err("candle has no mixed ops").to_string();
    assert_eq!(error.lines().next(), Some("dtype mismatch in add, lhs: F32, rhs: F16"));
    assert_eq!(numbers(&floats(&[3])?.mixed_add(&halves(&[3])?)?)?, [-7.0, -5.5, -4.0]);
    Ok(())
}

#[test]
fn reads_transposed_narrowed_and_broadcast_layouts_in_place() -> Result<()> {
    let (a, b) = (halves(&[6, 8])?, floats(&[8, 6])?);
    check_sum(&a.t()?, &b)?;
    check_sum(&a, &b.t()?)?;
    check_sum(&a.t()?, &a.to_dtype(DType::F32)?.t()?)?;
    check_sum(&a.narrow(1, 2, 3)?, &b.t()?.narrow(1, 5, 3)?)?;
    check_sum(&a.narrow(0, 4, 2)?, &b.narrow(0, 3, 1)?.narrow(1, 1, 1)?)?;
    check_sum(&a.i(2)?.broadcast_as((6, 8))?, &b.t()?)?;
    check_sum(&a.i((2, 3))?.broadcast_as((6, 8))?, &b.t()?)?;
    let (a, b) = (halves(&[2, 3, 4, 5])?, floats(&[5, 2, 4, 3])?);
    check_sum(&a.permute((3, 0, 2, 1))?, &b)?;
    check_sum(&a.permute((3, 0, 2, 1))?.narrow(2, 1, 2)?, &b.narrow(2, 0, 2)?)?;
    // Long rows, and a large transpose, which is computed in tiles.
    check_sum(&halves(&[3, 1000])?.narrow(1, 1, 900)?, &floats(&[900, 3])?.t()?)?;
    check_sum(&halves(&[120, 130])?.t()?, &floats(&[130, 120])?)
}

#[test]
fn broadcasts_shapes() -> Result<()> {
    check_sum(&halves(&[2, 1, 4])?, &floats(&[3, 1])?)?;
    check_sum(&halves(&[4])?, &floats(&[2, 3, 4])?)?;
    check_sum(&halves(&[1])?, &floats(&[2, 3])?)?;
    let error = halves(&[2, 3])?.mixed_add(&floats(&[2])?).expect_err("3 and 2 columns").to_string();
    let message = error.lines().next().unwrap_or_default();
    assert!(message.starts_with("operand `b` has length 2 along axis -1"), "{message}");
    Ok(())
}

#[test]
fn empty_tensors_have_empty_results() -> Result<()> {
    let empty = Tensor::zeros((0, 3), DType::F16, &Device::Cpu)?;
    let sum = empty.mixed_add(&floats(&[3])?)?;
    assert_eq!((sum.dims(), sum.dtype()), (&[0, 3][..], DType::F32));
    let sum = halves(&[4, 3])?.narrow(0, 4, 0)?.t()?.mixed_mul(&floats(&[3, 1])?)?;
    assert_eq!((sum.dims(), sum.dtype()), (&[3, 0][..], DType::F32));
    assert_eq!(empty.mixed_lt(1)?.dims(), [0, 3]);
    Ok(())
}

#[test]
fn tensors_without_axes_are_zero_dimensional() -> Result<()> {
    let scalar = Tensor::new(0.5_f32, &Device::Cpu)?;
    assert_eq!(halves(&[3])?.mixed_add(&scalar)?.dtype(), DType::F16);
    let numbers = Tensor::new(&[1_i64, 2], &Device::Cpu)?;
    assert_eq!(numbers.mixed_mul(&scalar)?.to_vec1::<f32>()?, [0.5, 1.0]);
    let product = scalar.mixed_mul(&Tensor::new(3_i64, &Device::Cpu)?)?;
    assert_eq!((product.dims(), product.to_scalar::<f32>()?), (&[][..], 1.5));
    // In NumPy 2, such an array widens like any other.
    let sum = apply(NumPy::new().rule_set(), Op::Add, &[(&halves(&[3])?).into(), (&scalar).into()])?;
    assert_eq!(sum.dtype(), DType::F32);
    Ok(())
}

#[test]
fn numbers_have_no_width() -> Result<()> {
    let a = halves(&[3])?;
    assert_eq!(numbers(&a.mixed_add(1)?)?, [1.0, 1.5, 2.0]);
    assert_eq!(a.mixed_add(1.5)?.dtype(), DType::F16);
    let bytes = Tensor::new(&[250_u8, 5], &Device::Cpu)?;
    assert_eq!(bytes.mixed_add(10)?.to_vec1::<u8>()?, [4, 15]);
    assert_eq!(bytes.mixed_mul(0.5)?.to_vec1::<f32>()?, [125.0, 2.5]);
    // The number comes first.
    let difference = apply(torch(), Op::Subtract, &[1.into(), (&a).into()])?;
    assert_eq!(numbers(&difference)?, [1.0, 0.5, 0.0]);
    // A number keeps its precision beside halves, as in PyTorch: 2^-30 is no F16.
    let large = (Tensor::new(&[32768.0_f32], &Device::Cpu)?.to_dtype(DType::F16)? * 1.0)?;
    assert_eq!(numbers(&large.mixed_mul(2_f64.powi(-30))?)?, [2_f64.powi(-15)]);
    Ok(())
}

#[test]
fn comparisons_are_masks_and_masks_are_conditions() -> Result<()> {
    let (a, b) =
        (Tensor::new(&[1_i64, 5, 3], &Device::Cpu)?, Tensor::new(&[2.5_f32, 2.5, 3.0], &Device::Cpu)?);
    let mask = a.mixed_lt(&b)?;
    assert_eq!(mask.to_vec1::<u8>()?, [1, 0, 0]);
    assert_eq!(a.mixed_le(&b)?.to_vec1::<u8>()?, [1, 0, 1]);
    assert_eq!(a.mixed_gt(&b)?.to_vec1::<u8>()?, [0, 1, 0]);
    assert_eq!(a.mixed_ge(&b)?.to_vec1::<u8>()?, [0, 1, 1]);
    assert_eq!(a.mixed_eq(&b)?.to_vec1::<u8>()?, [0, 0, 1]);
    assert_eq!(a.mixed_ne(&b)?.to_vec1::<u8>()?, [1, 1, 0]);
    assert_eq!(mask.mixed_where_cond(&a, &b)?.to_vec1::<f32>()?, [1.0, 2.5, 3.0]);
    assert_eq!(mask.mixed_where_cond(&a, 0.5)?.to_vec1::<f32>()?, [1.0, 0.5, 0.5]);
    // candle's own op takes the mask as well.
    assert_eq!(mask.where_cond(&b, &b.neg()?)?.to_vec1::<f32>()?, [2.5, -2.5, -3.0]);
    // Any number other than 0 is true, in U8, U32 and I64.
    for dtype in [DType::U8, DType::U32, DType::I64] {
        let condition = Tensor::new(&[200_u8, 0, 2], &Device::Cpu)?.to_dtype(dtype)?;
        assert_eq!(condition.mixed_where_cond(&a, &b)?.to_vec1::<f32>()?, [1.0, 2.5, 3.0]);
    }
    // The condition is broadcast, too, and may be strided.
    let condition = Tensor::new(&[[1_u8, 7, 0], [0, 7, 1]], &Device::Cpu)?;
    let picked = condition.narrow(1, 0, 1)?.mixed_where_cond(&a, &b)?;
    assert_eq!(picked.to_vec2::<f32>()?, [[1.0, 5.0, 3.0], [2.5, 2.5, 3.0]]);
    let picked = condition.t()?.mixed_where_cond(&a.reshape((3, 1))?, &b.reshape((3, 1))?)?;
    assert_eq!(picked.to_vec2::<f32>()?, [[1.0, 2.5], [5.0, 5.0], [3.0, 3.0]]);
    let error = b.mixed_where_cond(&a, &b).expect_err("a float is no mask").to_string();
    assert!(error.contains("help: compare it first"), "{error}");
    Ok(())
}

#[test]
fn computes_functions_and_ops_with_extra_inputs() -> Result<()> {
    let integers = Tensor::new(&[1_i64, 4, 9], &Device::Cpu)?;
    assert_eq!(apply(torch(), Op::Sqrt, &[(&integers).into()])?.to_vec1::<f32>()?, [1.0, 2.0, 3.0]);
    assert_eq!(integers.mixed_pow(0.5)?.to_vec1::<f32>()?, [1.0, 2.0, 3.0]);
    assert_eq!(integers.mixed_pow(2)?.to_vec1::<i64>()?, [1, 16, 81]);
    assert_eq!(numbers(&apply(torch(), Op::Exp, &[(&halves(&[1])?).into()])?)?, [1.0]);
    // Three tensors of three dtypes and a number: a + 2 · b · c.
    let (a, b) = (floats(&[3])?, halves(&[3])?);
    let operands: [Operand<'_>; 4] = [(&a).into(), (&b).into(), (&integers).into(), 2.into()];
    assert_eq!(apply(torch(), Op::Addcmul, &operands)?.to_vec1::<f32>()?, [-7.0, -2.0, 13.0]);
    let middle = apply(torch(), Op::Lerp, &[(&b).into(), (&b.mixed_add(1)?).into(), 0.5.into()])?;
    assert_eq!(numbers(&middle)?, [0.5, 1.0, 1.5]);
    Ok(())
}

#[test]
fn errors_say_what_to_do() -> Result<()> {
    let (a, b) = (Tensor::new(&[1_u32], &Device::Cpu)?, Tensor::new(&[1_i32], &Device::Cpu)?);
    let refused = a.mixed_add(&b).expect_err("PyTorch refuses uint32 and int32").to_string();
    assert!(refused.starts_with("`add` of `u32` and `i32` is refused under Torch"), "{refused}");
    let no_tensor = apply(torch(), Op::Add, &[1.into(), 2.into()]).expect_err("no tensor").to_string();
    assert!(no_tensor.contains("help: make one of the numbers a tensor"), "{no_tensor}");
    let four = [(&b).into(), (&b).into(), (&b).into(), (&b).into()];
    let four = apply(torch(), Op::Addcmul, &four).expect_err("four tensors").to_string();
    assert!(four.contains("at most 3"), "{four}");
    let wide = apply(NumPy::new().rule_set(), Op::Sum, &[(&a).into()]).expect_err("u64").to_string();
    assert!(wide.starts_with("candle has no dtype `u64`; help: "), "{wide}");
    Ok(())
}

#[test]
fn results_are_operands_of_candles_ops() -> Result<()> {
    let (x, w) = (floats(&[2, 3])?, halves(&[3])?);
    let y = x.mixed_mul(&w)?.matmul(&x.t()?)?.sum_keepdim(D::Minus1)?;
    assert_eq!((y.dims(), y.dtype()), (&[2, 1][..], DType::F32));
    Ok(())
}
