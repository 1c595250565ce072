//! Every pair of dtypes beside the naive way: cast both operands, then call burn's own op.

use burn_tensor::{BoolStore, DType, Device, Tensor};
use promote_burn::promote::{self, NumPy, Op, Operand as Category, RuleSet, Torch};
use promote_burn::{Error, MixedOps, apply, burn_dtype, promote_dtype};

use crate::any::{Any, DTYPES};

/// Returns a tensor of small numbers, which every dtype holds. Floats get halves as well.
fn small(dtype: DType, len: u32, step: u32) -> Any {
    let scale = if dtype.is_float() { 0.5 } else { 1.0 };
    let numbers = (0..len).map(|i| f64::from(i * step % 8) * scale).collect::<Vec<_>>();
    Any::new(dtype, &numbers)
}

fn naive(op: Op, a: Any, b: Any) -> Any {
    match (a, b) {
        (Any::Float(a), Any::Float(b)) => match op {
            Op::Add => Any::Float(a + b),
            Op::Subtract => Any::Float(a - b),
            Op::Multiply => Any::Float(a * b),
            Op::Divide => Any::Float(a / b),
            Op::Maximum => Any::Float(a.max_pair(b)),
            Op::Less => Any::Bool(a.lower(b)),
            Op::Equal => Any::Bool(a.equal(b)),
            _ => unreachable!("the tests have no other op"),
        },
        (Any::Int(a), Any::Int(b)) => match op {
            Op::Add => Any::Int(a + b),
            Op::Multiply => Any::Int(a * b),
            Op::Maximum => Any::Int(a.max_pair(b)),
            Op::Less => Any::Bool(a.lower(b)),
            Op::Equal => Any::Bool(a.equal(b)),
            _ => unreachable!("the tests have no other op"),
        },
        // burn has no arithmetic of booleans. PyTorch's and NumPy's are logical ops.
        (Any::Bool(a), Any::Bool(b)) => Any::Bool(match op {
            Op::Add | Op::Maximum => a.bool_or(b),
            Op::Multiply => a.bool_and(b),
            Op::Less => a.bool_not().bool_and(b),
            Op::Equal => a.equal(b),
            _ => unreachable!("the tests have no other op"),
        }),
        _ => unreachable!("both operands were cast to one dtype"),
    }
}

/// Compares all pairs, and returns how many were computed and how many were refused.
fn compare_all_pairs(rules: RuleSet, ops: &[Op]) -> (usize, usize) {
    let (mut computed, mut refused) = (0, 0);
    for op in ops {
        for (a, i) in DTYPES.into_iter().zip(1..) {
            for (b, j) in DTYPES.into_iter().zip(3..) {
                // Beside whole vectors also their tails.
                let (x, y) = (small(a, 37, i), small(b, 37, j));
                let operands = [x.operand(), y.operand()];
                let dtypes = [a, b].map(|dtype| Category::Array(promote_dtype(dtype).expect("a dtype")));
                let types = match rules.op_types(*op, &dtypes) {
                    Ok(types) => types,
                    Err(reason) => {
                        refused += 1;
                        let found = apply::<1, burn_tensor::Float>(rules, *op, &operands);
                        assert_eq!(found.err(), Some(Error::Promote(reason.into())));
                        continue;
                    }
                };
                let [common, output] =
                    [types.common, types.output].map(|dtype| burn_dtype(dtype).expect("a dtype"));
                let found = Any::apply(rules, *op, &operands, output).expect("a result");
                let expected = naive(*op, x.cast(common), y.cast(common));
                assert_eq!(found.dtype(), output, "{op} of {a:?} and {b:?}");
                assert_eq!(found.dtype(), expected.dtype(), "{op} of {a:?} and {b:?}");
                assert_eq!(found.numbers(), expected.numbers(), "{op} of {a:?} and {b:?}");
                computed += 1;
            }
        }
    }
    (computed, refused)
}

#[test]
fn every_pair_equals_casts_and_burns_op_under_torch() {
    let ops = [Op::Add, Op::Multiply, Op::Maximum, Op::Less, Op::Equal];
    let (computed, refused) = compare_all_pairs(Torch::new().rule_set(), &ops);
    println!("{computed} computed, {refused} refused");
    assert!(computed > 5 * 100);
}

#[test]
fn every_pair_equals_casts_and_burns_op_under_numpy() {
    let (computed, refused) = compare_all_pairs(NumPy::new().rule_set(), &[Op::Add, Op::Multiply, Op::Less]);
    println!("{computed} computed, {refused} refused");
    assert!(computed > 3 * 100);
}

#[test]
fn rounds_as_a_cast_and_burns_op_do() {
    // Numbers of all magnitudes: sums and products of F32 and wider are rounded.
    let wide = |seed: u32| {
        let numbers = (0..1000).scan(seed, |state, _| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mantissa = f64::from(*state >> 8) / f64::from(1 << 24) - 0.5;
            Some(mantissa * f64::from(1_u32 << (*state >> 4 & 15)) / 128.0)
        });
        numbers.collect::<Vec<_>>()
    };
    let rules = Torch::new().rule_set();
    for (a, b) in [
        (DType::F16, DType::F32),
        (DType::BF16, DType::F32),
        (DType::F32, DType::F64),
        (DType::F16, DType::F16),
    ] {
        let (x, y) = (Any::new(a, &wide(1)), Any::new(b, &wide(2)));
        for op in [Op::Add, Op::Subtract, Op::Multiply, Op::Divide] {
            let found = Any::apply(rules, op, &[x.operand(), y.operand()], b).expect("a result");
            assert_eq!(found.numbers(), naive(op, x.cast(b), y.cast(b)).numbers(), "{op} of {a:?} and {b:?}");
        }
    }
}

/// Calls a method on two tensors of each pair of kinds, and drops its result.
macro_rules! on_kinds {
    ($a:expr, $b:expr, |$x:ident, $y:ident| $call:expr) => {
        match ($a, $b) {
            (Any::Float($x), Any::Float($y)) => $call.map(drop),
            (Any::Float($x), Any::Int($y)) => $call.map(drop),
            (Any::Float($x), Any::Bool($y)) => $call.map(drop),
            (Any::Int($x), Any::Float($y)) => $call.map(drop),
            (Any::Int($x), Any::Int($y)) => $call.map(drop),
            (Any::Int($x), Any::Bool($y)) => $call.map(drop),
            (Any::Bool($x), Any::Float($y)) => $call.map(drop),
            (Any::Bool($x), Any::Int($y)) => $call.map(drop),
            (Any::Bool($x), Any::Bool($y)) => $call.map(drop),
        }
    };
}

/// The kind of a method's result is found at compile time from one dtype of each kind.
#[test]
fn the_kind_of_a_method_holds_for_every_pair_of_dtypes() {
    let mask = Tensor::from_data([true, false, true], &Device::flex());
    for a in DTYPES {
        for b in DTYPES {
            let (x, y) = (small(a, 3, 1), small(b, 3, 2));
            let results = [
                on_kinds!(&x, &y, |x, y| x.mixed_add(y)),
                on_kinds!(&x, &y, |x, y| x.mixed_mul(y)),
                on_kinds!(&x, &y, |x, y| x.mixed_div(y)),
                on_kinds!(&x, &y, |x, y| x.mixed_max_pair(y)),
                on_kinds!(&x, &y, |x, y| x.mixed_min_pair(y)),
                on_kinds!(&x, &y, |x, y| x.mixed_greater(y)),
                on_kinds!(&x, &y, |x, y| x.mixed_mask_where(&mask, y)),
            ];
            for result in results {
                assert!(matches!(result, Ok(()) | Err(Error::Promote(_))), "{a:?} and {b:?}: {result:?}");
            }
        }
    }
}

#[test]
fn dtypes_convert_both_ways() {
    for dtype in DTYPES {
        let ours = promote_dtype(dtype).expect("a dtype");
        assert_eq!(burn_dtype(ours), Ok(dtype));
        assert_eq!(ours.size(), Some(dtype.size()));
    }
    for other in [DType::Flex32, DType::Bool(BoolStore::U32)] {
        assert!(promote_dtype(other).expect_err("not computed").to_string().contains("help: "));
    }
    assert!(burn_dtype(promote::DType::C64).is_err());
}

#[test]
fn burn_itself_panics_at_two_dtypes() {
    let halves = Tensor::<1>::from_data([0.5, 1.5], (&Device::flex(), DType::F16));
    let floats = Tensor::<1>::from_data([1.0, 2.0], (&Device::flex(), DType::F32));
    let sum = halves.mixed_add(&floats).expect("a sum");
    assert_eq!(sum.try_into_vec_as::<f32>().expect("elements"), [1.5, 3.5]);
    std::panic::catch_unwind(|| drop(halves + floats)).expect_err("burn wants one dtype");
}
