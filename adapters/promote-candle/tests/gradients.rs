//! Gradients beside those of candle after explicit casts, and beside finite differences.

use candle_core::{DType, Device, Result, Tensor, Var};
use promote_candle::promote::{Op, RuleSet, Torch};
use promote_candle::{MixedOps, Operand, apply};

fn torch() -> RuleSet {
    Torch::new().rule_set()
}

fn variable(numbers: &[f32], shape: &[usize], dtype: DType) -> Result<Var> {
    Var::from_tensor(&Tensor::from_slice(numbers, shape, &Device::Cpu)?.to_dtype(dtype)?)
}

fn numbers(tensor: &Tensor) -> Result<Vec<f64>> {
    tensor.to_dtype(DType::F64)?.flatten_all()?.to_vec1()
}

/// Compares the gradients of a loss with those of the same loss in candle's ops after explicit casts.
fn compare(
    variables: &[&Var],
    ours: impl Fn() -> Result<Tensor>,
    theirs: impl Fn() -> Result<Tensor>,
) -> Result<()> {
    // Each element has another weight in the loss, so that no permutation goes unnoticed.
    let loss = |result: Tensor| {
        let len = u32::try_from(result.elem_count())?;
        let weights = Tensor::arange(1, len + 1, &Device::Cpu)?.to_dtype(result.dtype())?;
        result.flatten_all()?.mul(&weights)?.sum_all()
    };
    let (ours, theirs) = (loss(ours()?)?.backward()?, loss(theirs()?)?.backward()?);
    for variable in variables {
        let (ours, theirs) =
            (ours.get(variable).expect("a gradient"), theirs.get(variable).expect("a gradient"));
        assert_eq!((ours.dtype(), ours.dims()), (variable.dtype(), variable.dims()));
        for (ours, theirs) in numbers(ours)?.into_iter().zip(numbers(theirs)?) {
            assert!((ours - theirs).abs() <= 2e-3 * theirs.abs().max(0.1), "{ours} instead of {theirs}");
        }
    }
    Ok(())
}

#[test]
fn gradients_have_the_dtypes_of_their_operands() -> Result<()> {
    let weight = variable(&[0.5, 2.0, -1.5], &[3], DType::F16)?;
    let x = variable(&[1.0, 2.0, 3.0, -1.0, 0.25, 2.0], &[2, 3], DType::F32)?;
    let wide = || weight.to_dtype(DType::F32);
    let both = [&weight, &x];
    compare(&both, || x.mixed_add(&weight), || x.broadcast_add(&wide()?))?;
    compare(&both, || x.mixed_sub(&weight), || x.broadcast_sub(&wide()?))?;
    compare(&both, || weight.mixed_sub(&x), || wide()?.broadcast_sub(&x))?;
    compare(&both, || x.mixed_mul(&weight), || x.broadcast_mul(&wide()?))?;
    compare(&both, || x.mixed_div(&weight), || x.broadcast_div(&wide()?))?;
    compare(&both, || weight.mixed_div(&x), || wide()?.broadcast_div(&x))?;
    // One pair of elements is equal: each gets half of the gradient.
    compare(&both, || x.mixed_maximum(&weight), || x.broadcast_maximum(&wide()?))?;
    compare(&both, || weight.mixed_minimum(&x), || wide()?.broadcast_minimum(&x))?;
    let both_branches = || {
        let mask = x.gt(0.5)?;
        mask.where_cond(&x, &wide()?.broadcast_as(x.shape())?)
    };
    compare(&both, || x.mixed_gt(0.5)?.mixed_where_cond(&x, &weight), both_branches)
}

#[test]
fn gradients_are_summed_over_broadcast_axes() -> Result<()> {
    let column = variable(&[1.0, 2.0], &[2, 1], DType::F16)?;
    let row = variable(&[3.0, -4.0, 5.0], &[1, 3], DType::BF16)?;
    let scalar = variable(&[1.5], &[], DType::F32)?;
    let product = || column.to_dtype(DType::F32)?.broadcast_mul(&row.to_dtype(DType::F32)?);
    // F16 and BF16 promote to F32.
    compare(&[&column, &row], || column.mixed_mul(&row), product)?;
    compare(
        &[&column, &row, &scalar],
        || column.mixed_mul(&row)?.mixed_mul(&scalar),
        || product()?.broadcast_mul(&scalar),
    )
}

#[test]
fn integers_and_numbers_are_constants() -> Result<()> {
    let x = variable(&[1.0, -2.0, 3.0], &[3], DType::F32)?;
    let integers = Tensor::new(&[2_i64, 3, 4], &Device::Cpu)?;
    let wide = integers.to_dtype(DType::F32)?;
    compare(&[&x], || x.mixed_mul(&integers), || x.mul(&wide))?;
    compare(&[&x], || integers.mixed_div(&x), || wide.div(&x))?;
    compare(&[&x], || x.mixed_mul(2.5), || x.affine(2.5, 0.0))?;
    compare(&[&x], || apply(torch(), Op::Subtract, &[1.into(), (&x).into()]), || x.affine(-1.0, 1.0))?;
    let clamped = || x.mixed_maximum(0.0)?.mixed_minimum(1.0);
    compare(&[&x], clamped, || x.maximum(0.0)?.minimum(1.0))?;
    let gradients = x.mixed_mul(&integers)?.sum_all()?.backward()?;
    assert!(gradients.get(&integers).is_none());
    // No time is spent on the gradient of a frozen weight either.
    let frozen = wide.to_dtype(DType::F16)?;
    assert!(x.mixed_mul(&frozen)?.sum_all()?.backward()?.get(&frozen).is_none());
    Ok(())
}

#[test]
fn gradients_of_halves_keep_the_precision_of_numbers() -> Result<()> {
    // 2^-30 is no F16, but its product with a gradient of 2^15 is.
    let x = variable(&[32768.0], &[1], DType::F16)?;
    let gradients = x.mixed_mul(2_f64.powi(-30))?.mixed_mul(32768.0)?.sum_all()?.backward()?;
    assert_eq!(numbers(gradients.get(&x).expect("a gradient"))?, [2_f64.powi(-15)]);
    Ok(())
}

#[test]
fn masks_stop_gradients() -> Result<()> {
    let x = variable(&[1.0, -2.0], &[2], DType::F32)?;
    let y = x.mixed_gt(&Tensor::new(&[0_i64, 0], &Device::Cpu)?)?.mixed_mul(&x)?;
    let gradients = y.sum_all()?.backward()?;
    assert_eq!(numbers(gradients.get(&x).expect("a gradient"))?, [1.0, 0.0]);
    Ok(())
}

#[test]
fn functions_have_the_gradients_of_finite_differences() -> Result<()> {
    let points = [0.3, 0.75, 1.4, 2.2];
    let x = Var::from_tensor(&Tensor::new(&points[..], &Device::Cpu)?)?;
    let unary = [
        Op::Negative,
        Op::Abs,
        Op::Square,
        Op::Reciprocal,
        Op::Sqrt,
        Op::Exp,
        Op::Log,
        Op::Sin,
        Op::Cos,
        Op::Tanh,
        Op::Sigmoid,
    ];
    let exponents = Tensor::new(&[0_u8, 1, 2, 3], &Device::Cpu)?;
    let mut calls: Vec<(Op, Option<Operand<'_>>)> = unary.map(|op| (op, None)).to_vec();
    let powers: [Operand<'_>; 6] =
        [2.into(), 0.into(), (-1.5).into(), true.into(), (&exponents).into(), 0.0.into()];
    calls.extend(powers.map(|exponent| (Op::Pow, Some(exponent))));
    for (op, other) in calls {
        let call = |x: &Tensor| {
            let operands = [Some(Operand::from(x)), other].into_iter().flatten().collect::<Vec<_>>();
            apply(torch(), op, &operands)
        };
        let gradients = call(&x)?.sum_all()?.backward()?;
        let h = 1e-6;
        let (above, below) = (call(&(x.as_tensor() + h)?)?, call(&(x.as_tensor() - h)?)?);
        let expected = ((above - below)? / (2.0 * h))?;
        for (found, expected) in
            numbers(gradients.get(&x).expect("a gradient"))?.into_iter().zip(numbers(&expected)?)
        {
            assert!(
                (found - expected).abs() < 1e-7 * expected.abs().max(1.0),
                "{op}: {found} instead of {expected}"
            );
        }
    }
    Ok(())
}

#[test]
fn ops_without_gradients_say_so() -> Result<()> {
    let x = variable(&[1.0, 2.0], &[2], DType::F32)?;
    let angle = apply(torch(), Op::Atan2, &[(&x).into(), 1.into()])?.sum_all()?;
    let error = angle.backward().expect_err("no gradient").to_string();
    assert_eq!(error.lines().next(), Some("backward is not supported for atan2"));
    Ok(())
}

#[test]
fn a_training_step_lowers_the_loss() -> Result<()> {
    // Weights in F16 as they are stored, activations in F32.
    let weight = variable(&[0.5, 0.5], &[2], DType::F16)?;
    let x = Tensor::new(&[[1.0_f32, 2.0], [3.0, 4.0]], &Device::Cpu)?;
    let target = Tensor::new(&[[1_i64, 4], [3, 8]], &Device::Cpu)?;
    let loss = || x.mixed_mul(&weight)?.mixed_sub(&target)?.sqr()?.mean_all();
    let before = loss()?.to_scalar::<f32>()?;
    for _ in 0..20 {
        let gradients = loss()?.backward()?;
        let step = gradients.get(&weight).expect("a gradient").mixed_mul(0.05)?;
        weight.set(&weight.mixed_sub(&step)?)?;
    }
    assert!(loss()?.to_scalar::<f32>()? < before / 100.0);
    Ok(())
}
