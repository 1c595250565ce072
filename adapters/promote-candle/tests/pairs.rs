//! Every pair of dtypes beside the naive way: cast both operands by `to_dtype`, then call candle's own op.

use candle_core::{DType, Device, Result, Tensor};
use promote_candle::promote::{self, NumPy, Op, Operand, RuleSet, Torch};
use promote_candle::{apply, candle_dtype, promote_dtype};

const DTYPES: [DType; 10] = [
    DType::U8,
    DType::U32,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::BF16,
    DType::F16,
    DType::F32,
    DType::F64,
    DType::F8E4M3,
];

/// Returns a tensor of small numbers, which every dtype holds. Floats get halves as well.
fn small(dtype: DType, len: u32, step: u32) -> Result<Tensor> {
    let scale = if dtype.is_float() { 0.5 } else { 1.0 };
    let numbers = (0..len).map(|i| f64::from(i * step % 8) * scale).collect::<Vec<_>>();
    Tensor::new(numbers, &Device::Cpu)?.to_dtype(dtype)
}

/// Returns the elements as `f64`, which holds those of every dtype here.
fn numbers(tensor: &Tensor) -> Result<Vec<f64>> {
    // In candle 0.11.1, the cast of F8E4M3 to F64 overflows the stack: `WithDType::to_f64` calls itself.
    let tensor = if tensor.dtype() == DType::F8E4M3 { &tensor.to_dtype(DType::F32)? } else { tensor };
    tensor.to_dtype(DType::F64)?.flatten_all()?.to_vec1()
}

fn naive(op: Op, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    match op {
        Op::Add => a.broadcast_add(b),
        Op::Subtract => a.broadcast_sub(b),
        Op::Multiply => a.broadcast_mul(b),
        Op::Divide => a.broadcast_div(b),
        Op::Maximum => a.broadcast_maximum(b),
        Op::Minimum => a.broadcast_minimum(b),
        Op::Less => a.broadcast_lt(b),
        Op::GreaterEqual => a.broadcast_ge(b),
        Op::Equal => a.broadcast_eq(b),
        _ => unreachable!("the tests have no other op"),
    }
}

/// Compares all pairs, and returns how many were computed and how many were refused.
fn compare_all_pairs(rules: RuleSet, ops: &[Op]) -> Result<(usize, usize)> {
    let (mut computed, mut refused) = (0, 0);
    for op in ops {
        for (a, i) in DTYPES.into_iter().zip(1..) {
            for (b, j) in DTYPES.into_iter().zip(3..) {
                // Beside whole vectors also their tails.
                let (x, y) = (small(a, 37, i)?, small(b, 37, j)?);
                let kinds = [Operand::Array(promote_dtype(a)?), Operand::Array(promote_dtype(b)?)];
                let found = apply(rules, *op, &[(&x).into(), (&y).into()]);
                let types = match rules.op_types(*op, &kinds) {
                    Ok(types) => types,
                    Err(reason) => {
                        refused += 1;
                        let error = found.expect_err("the rule set refuses the pair").to_string();
                        // With `RUST_BACKTRACE`, candle adds a backtrace.
                        assert!(error.starts_with(&reason.to_string()), "{error}");
                        continue;
                    }
                };
                let (common, found) = (candle_dtype(types.common)?, found?);
                let expected = naive(*op, &x.to_dtype(common)?, &y.to_dtype(common)?)?;
                assert_eq!(found.dtype(), candle_dtype(types.output)?, "{op} of {a:?} and {b:?}");
                assert_eq!(found.dtype(), expected.dtype(), "{op} of {a:?} and {b:?}");
                assert_eq!(numbers(&found)?, numbers(&expected)?, "{op} of {a:?} and {b:?}");
                computed += 1;
            }
        }
    }
    Ok((computed, refused))
}

#[test]
fn every_pair_equals_casts_and_candles_op_under_torch() -> Result<()> {
    let ops = [Op::Add, Op::Multiply, Op::Less, Op::Equal, Op::GreaterEqual, Op::Maximum, Op::Minimum];
    let (computed, refused) = compare_all_pairs(Torch::new().rule_set(), &ops)?;
    println!("{computed} computed, {refused} refused");
    assert!(computed > 7 * 50);
    Ok(())
}

#[test]
fn every_pair_equals_casts_and_candles_op_under_numpy() -> Result<()> {
    let (computed, refused) = compare_all_pairs(NumPy::new().rule_set(), &[Op::Add, Op::Multiply, Op::Less])?;
    println!("{computed} computed, {refused} refused");
    assert!(computed > 3 * 50);
    Ok(())
}

#[test]
fn rounds_as_a_cast_and_candles_op_do() -> Result<()> {
    // Numbers of all magnitudes: sums and products of F32 and wider are rounded.
    let wide = |seed: u32| {
        let numbers = (0..1000).scan(seed, |state, _| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mantissa = f64::from(*state >> 8) / f64::from(1 << 24) - 0.5;
            Some(mantissa * f64::from(1_u32 << (*state >> 4 & 15)) / 128.0)
        });
        Tensor::new(numbers.collect::<Vec<_>>(), &Device::Cpu)
    };
    let rules = Torch::new().rule_set();
    for (a, b) in [
        (DType::F16, DType::F32),
        (DType::BF16, DType::F32),
        (DType::F32, DType::F64),
        (DType::F16, DType::F16),
    ] {
        let (x, y) = (wide(1)?.to_dtype(a)?, wide(2)?.to_dtype(b)?);
        for op in [Op::Add, Op::Subtract, Op::Multiply, Op::Divide] {
            let found = apply(rules, op, &[(&x).into(), (&y).into()])?;
            assert_eq!(found.dtype(), b);
            assert_eq!(
                numbers(&found)?,
                numbers(&naive(op, &x.to_dtype(b)?, &y)?)?,
                "{op} of {a:?} and {b:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn dtypes_convert_both_ways() -> Result<()> {
    for dtype in DTYPES {
        assert_eq!(candle_dtype(promote_dtype(dtype)?)?, dtype);
        assert_eq!(promote_dtype(dtype)?.size(), Some(dtype.size_in_bytes()));
    }
    for packed in [DType::F6E2M3, DType::F6E3M2, DType::F4, DType::F8E8M0] {
        assert!(promote_dtype(packed).expect_err("a packed dtype").to_string().contains("help: "));
    }
    assert!(candle_dtype(promote::DType::C64).is_err());
    Ok(())
}
