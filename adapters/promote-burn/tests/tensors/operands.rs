//! Layouts, shapes, numbers, masks, casts and errors.

use burn_tensor::{Bool, BoolStore, DType, Device, Distribution, Float, FloatDType, Int, Tensor, s};
use promote_burn::promote::{Casting, NumPy, Number, Op, RuleSet, Torch};
use promote_burn::{Error, MixedKind, MixedOps, apply, cast};

fn torch() -> RuleSet {
    Torch::new().rule_set()
}

/// Returns a tensor of the numbers from `first` on.
fn count<const D: usize>(shape: [usize; D], first: i64, dtype: DType) -> Tensor<D> {
    let len = i64::try_from(shape.iter().product::<usize>()).expect("a small shape");
    Tensor::<1, Int>::arange(first..first + len, &Device::flex())
        .cast(FloatDType::from(dtype))
        .div_scalar(2)
        .reshape(shape)
}

fn halves<const D: usize>(shape: [usize; D]) -> Tensor<D> {
    count(shape, 0, DType::F16)
}

fn floats<const D: usize>(shape: [usize; D]) -> Tensor<D> {
    count(shape, -7, DType::F32)
}

fn numbers<const D: usize, K: MixedKind>(tensor: &Tensor<D, K>) -> Vec<f64> {
    tensor.try_to_vec_as().expect("elements")
}

/// Compares a sum with burn's of two F32 tensors.
fn check_sum<const D: usize>(a: &Tensor<D>, b: &Tensor<D>) {
    let found = a.mixed_add(b).expect("a sum");
    let expected = a.clone().cast(FloatDType::F32) + b.clone().cast(FloatDType::F32);
    assert_eq!((found.dims(), found.dtype()), (expected.dims(), DType::F32));
    assert_eq!(numbers(&found), numbers(&expected));
}

#[test]
fn reads_transposed_sliced_flipped_and_broadcast_layouts_in_place() {
    let (a, b) = (halves([6, 8]), floats([8, 6]));
    check_sum(&a.clone().transpose(), &b);
    check_sum(&a, &b.clone().transpose());
    check_sum(&a.clone().transpose(), &a.clone().cast(FloatDType::F32).transpose());
    check_sum(&a.clone().slice(s![.., 2..5]), &b.clone().transpose().slice(s![.., 5..8]));
    check_sum(&a.clone().slice(s![.., 0..8;3]), &b.clone().slice(s![0..6, 0..6;2]));
    check_sum(&a.clone().flip([0, 1]), &b.clone().transpose().flip([1]));
    check_sum(&a.clone().slice(s![2..3, ..]).expand([6, 8]), &b.clone().transpose());
    let (a, b) = (halves([2, 3, 4, 5]), floats([5, 2, 4, 3]));
    check_sum(&a.clone().permute([3, 0, 2, 1]), &b);
    check_sum(&a.permute([3, 0, 2, 1]).narrow(2, 1, 2), &b.narrow(2, 0, 2));
    // Long rows, and a large transpose, which is computed in tiles.
    check_sum(&halves([3, 1000]).narrow(1, 1, 900), &floats([900, 3]).transpose());
    check_sum(&halves([120, 130]).transpose(), &floats([130, 120]));
}

#[test]
fn broadcasts_shapes() {
    check_sum(&halves([2, 1, 4]), &floats([1, 3, 1]));
    check_sum(&halves([1, 1]), &floats([2, 3]));
    let error = halves([2, 3]).mixed_add(&floats([1, 2])).expect_err("3 and 2 columns").to_string();
    assert!(error.starts_with("operand `b` has length 2 along axis -1"), "{error}");
    // Of different ranks, as NumPy and PyTorch broadcast them.
    let (row, matrix) = (halves([3]), floats([2, 3]));
    let sum: Tensor<2> = apply(torch(), Op::Add, &[(&row).into(), (&matrix).into()]).expect("a sum");
    assert_eq!(numbers(&sum), numbers(&row.unsqueeze::<2>().mixed_add(&matrix).expect("a sum")));
}

#[test]
fn empty_tensors_have_empty_results() {
    let empty = Tensor::<2>::zeros([0, 3], (&Device::flex(), DType::F16));
    let sum = empty.mixed_add(&floats([1, 3])).expect("a sum");
    assert_eq!((sum.dims(), sum.dtype()), ([0, 3], DType::F32));
    assert_eq!(empty.transpose().mixed_lower(1).expect("a mask").dims(), [3, 0]);
}

#[test]
fn numbers_have_no_width() -> Result<(), Error> {
    let a = halves([3]);
    assert_eq!(numbers(&a.mixed_add(1)?), [1.0, 1.5, 2.0]);
    assert_eq!(a.mixed_add(1.5)?.dtype(), DType::F16);
    let bytes = Tensor::<1, Int>::from_data([250, 5], (&Device::flex(), DType::U8));
    let sum: Tensor<1, Int> = bytes.mixed_add(10)?;
    assert_eq!((sum.dtype(), numbers(&sum)), (DType::U8, vec![4.0, 15.0]));
    let product: Tensor<1> = bytes.mixed_mul(0.5)?;
    assert_eq!((product.dtype(), numbers(&product)), (DType::F32, vec![125.0, 2.5]));
    // The number comes first.
    let difference: Tensor<1> = apply(torch(), Op::Subtract, &[1.into(), (&a).into()])?;
    assert_eq!(numbers(&difference), [1.0, 0.5, 0.0]);
    // A number keeps its precision beside halves, as in PyTorch: 2^-30 is no F16.
    let large = Tensor::<1>::from_data([32768.0], (&Device::flex(), DType::F16));
    assert_eq!(numbers(&large.mixed_mul(2_f64.powi(-30))?), [2_f64.powi(-15)]);
    Ok(())
}

#[test]
fn comparisons_are_masks_and_masks_are_conditions() -> Result<(), Error> {
    let a = Tensor::<1, Int>::from_data([1, 5, 3], (&Device::flex(), DType::I64));
    let b = Tensor::<1>::from_data([2.5, 2.5, 3.0], &Device::flex());
    let truths = |mask: Tensor<1, Bool>| mask.try_into_vec_as::<bool>().expect("booleans");
    assert_eq!(truths(a.mixed_lower(&b)?), [true, false, false]);
    assert_eq!(truths(a.mixed_lower_equal(&b)?), [true, false, true]);
    assert_eq!(truths(a.mixed_greater(&b)?), [false, true, false]);
    assert_eq!(truths(a.mixed_greater_equal(&b)?), [false, true, true]);
    assert_eq!(truths(a.mixed_equal(&b)?), [false, false, true]);
    assert_eq!(truths(a.mixed_not_equal(&b)?), [true, true, false]);
    let mask = a.mixed_lower(&b)?;
    // As burn's `mask_where`: the value stands where the mask is true.
    assert_eq!(numbers(&b.mixed_mask_where(&mask, &a)?), [1.0, 2.5, 3.0]);
    assert_eq!(
        numbers(&b.clone().mask_where(mask.clone(), a.clone().cast(FloatDType::F32))),
        [1.0, 2.5, 3.0]
    );
    let chosen: Tensor<1, Int> = a.mixed_mask_where(&mask, 0)?;
    assert_eq!(numbers(&chosen), [0.0, 5.0, 3.0]);
    // burn's ops take the mask, too, and the mask of burn is a condition.
    assert_eq!(truths(mask.clone().bool_and(b.clone().lower_equal_scalar(2.5))), [true, false, false]);
    assert_eq!(numbers(&b.mixed_mask_where(&mask.bool_not(), &a)?), [2.5, 5.0, 3.0]);
    // Masks take part in arithmetic as in PyTorch.
    let count: Tensor<1, Int> = a.mixed_add(&a.mixed_equal(3)?)?;
    assert_eq!(numbers(&count), [1.0, 5.0, 4.0]);
    // Masks of ones and zeros that are stored as U8.
    let stored =
        Tensor::<1, Bool>::from_data([true, false, true], (&Device::flex(), DType::Bool(BoolStore::U8)));
    assert_eq!(numbers(&b.mixed_mask_where(&stored, &a)?), [1.0, 2.5, 3.0]);
    Ok(())
}

#[test]
fn computes_functions_and_ops_with_extra_inputs() -> Result<(), Error> {
    let integers = Tensor::<1, Int>::from_data([1, 4, 9], (&Device::flex(), DType::I64));
    let roots: Tensor<1> = apply(torch(), Op::Sqrt, &[(&integers).into()])?;
    assert_eq!((roots.dtype(), numbers(&roots)), (DType::F32, vec![1.0, 2.0, 3.0]));
    assert_eq!(numbers(&integers.mixed_pow(0.5)?), [1.0, 2.0, 3.0]);
    assert_eq!(integers.mixed_pow(2)?.dtype(), DType::I64);
    assert_eq!(numbers(&integers.mixed_remainder(-4)?), [-3.0, 0.0, -3.0]);
    // Three tensors of three dtypes and a number: a + 2 · b · c.
    let (a, b) = (floats([3]), halves([3]));
    let operands = [(&a).into(), (&b).into(), (&integers).into(), 2.into()];
    let sum: Tensor<1> = apply(torch(), Op::Addcmul, &operands)?;
    assert_eq!(numbers(&sum), [-3.5, 1.0, 15.5]);
    Ok(())
}

#[test]
fn casts_by_levels() -> Result<(), Error> {
    let numpy = NumPy::new().rule_set();
    let integers = Tensor::<2, Int>::from_data([[300, 0], [-1, 2]], (&Device::flex(), DType::I32));
    let bytes: Tensor<2, Int> = cast(numpy, integers.clone().transpose(), DType::U8, None)?;
    assert_eq!((bytes.dtype(), numbers(&bytes)), (DType::U8, vec![44.0, 255.0, 0.0, 2.0]));
    let mask: Tensor<2, Bool> = cast(numpy, &integers, DType::Bool(BoolStore::U8), None)?;
    assert_eq!(mask.try_into_vec_as::<bool>().ok(), Some(vec![true, false, true, true]));
    let wide: Tensor<2> = cast(numpy, &integers, DType::F64, Some(Casting::Safe))?;
    assert_eq!(numbers(&wide), [300.0, 0.0, -1.0, 2.0]);
    let refused = cast::<2, Float>(numpy, &integers, DType::F32, Some(Casting::Safe));
    assert!(matches!(refused, Err(Error::Promote(_))), "{refused:?}");
    assert_eq!(cast::<1, Int>(numpy, 2.5, DType::U8, None).err(), Some(Error::NoTensor(Op::Astype)));
    Ok(())
}

#[test]
fn errors_say_what_to_do() {
    let message = |result: Result<Tensor<1>, Error>| {
        let message = result.expect_err("an error").to_string();
        assert!(message.contains("help: "), "{message}");
        message
    };
    let (a, b) = (
        Tensor::<1, Int>::from_data([1], (&Device::flex(), DType::U32)),
        Tensor::<1, Int>::from_data([1], (&Device::flex(), DType::I32)),
    );
    let refused = a.mixed_add(&b).expect_err("PyTorch refuses uint32 and int32").to_string();
    assert!(refused.starts_with("`add` of `u32` and `i32` is refused under Torch"), "{refused}");
    let numpy = NumPy::new().rule_set();
    let found = message(apply(torch(), Op::Add, &[1.into(), 2.into()]));
    assert!(found.starts_with("no operand of `add` is a tensor"), "{found}");
    let found = message(apply(numpy, Op::Sum, &[(&a).into()]));
    assert!(found.starts_with("`sum` does not compute element by element"), "{found}");
    let found = message(apply(numpy, Op::Add, &[(&a).into(), (&b).into()]));
    assert!(
        found.starts_with("the result is of dtype i64, but the type of the tensor says Float"),
        "{found}"
    );
    let found = message(apply(torch(), Op::Add, &[(&floats([2, 2])).into(), (&a).into()]));
    assert!(found.starts_with("the result has 2 dimensions, but the type of the tensor says 1"), "{found}");
    let complex = apply(numpy, Op::Add, &[(&a).into(), Number::Complex(1.0, 1.0).into()]);
    assert!(message(complex).starts_with("burn has no dtype `c"));
    // Quantized tensors, and those that autodiff tracks.
    let tracked = Tensor::<1>::from_data([1.0], &Device::flex().autodiff()).require_grad();
    assert!(message(tracked.mixed_add(&a)).contains("leave autodiff by `inner()`"));
    assert_eq!(numbers(&tracked.inner().mixed_add(2).expect("a sum")), [3.0]);
    let quantized = Tensor::<1>::random([32], Distribution::Default, &Device::flex())
        .quantize_dynamic(&burn_tensor::quantization::QuantScheme::default());
    assert!(message(quantized.mixed_add(&a)).contains("dequantize it"));
}

#[test]
fn results_are_operands_of_burns_ops() -> Result<(), Error> {
    let (x, w) = (floats([2, 3]), halves([1, 3]));
    let y = x.mixed_mul(&w)?.matmul(x.transpose()).sum_dim(1);
    assert_eq!((y.dims(), y.dtype()), ([2, 1], DType::F32));
    Ok(())
}
