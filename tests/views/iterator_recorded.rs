//! Iterations have the recorded dtypes of the frameworks, in every cell whose dtypes have elements.

use promote::{
    Argument, DType, IterationConfig, Kind, Number, Op, PromoteError, RuleSet, Tensor, TensorView,
    TensorViewMut, Torch,
};
use serde_json::{Map, Value};

use crate::data::data;
use crate::table::cells;

/// An array of one element of each dtype.
struct Arrays {
    dimensioned: Vec<Tensor>,
    zero_dim: Vec<Tensor>,
}

impl Arrays {
    fn new() -> Arrays {
        let all = |shape: &[usize]| {
            DType::WITH_TYPE.iter().map(|dtype| Tensor::zeros(*dtype, shape).unwrap()).collect::<Vec<_>>()
        };
        Arrays { dimensioned: all(&[1]), zero_dim: all(&[]) }
    }
}

/// Returns the recorded dtypes of a system.
fn sections(system: &str) -> Map<String, Value> {
    data(system)["sections"].as_object().expect("sections").clone()
}

/// Returns the position of a recorded dtype that has elements.
fn position(word: &str) -> Option<usize> {
    DType::WITH_TYPE.iter().position(|dtype| dtype.name() == word)
}

fn number(word: &str) -> Option<Number> {
    Some(match word {
        "py_bool" => Number::Bool(true),
        "py_int" => Number::Int(1),
        "py_float" => Number::Float(1.0),
        "py_complex" => Number::Complex(1.0, 1.0),
        _ => return None,
    })
}

/// How an iteration decides its dtypes: by its options, with integers as floats or as they are, or by an op.
#[derive(Clone, Copy)]
enum By {
    Promotion,
    Floats,
    #[cfg_attr(not(feature = "oneflow"), allow(dead_code, reason = "only OneFlow's answers ask for it"))]
    Op(Op),
}

/// Returns the output dtype of an iteration over two inputs.
fn output(rules: &RuleSet, [a, b]: [Argument<'_>; 2], by: By) -> Option<&'static str> {
    let mut config = IterationConfig::new();
    config.add_input(a).add_input(b).add_new_output();
    if let By::Op(op) = by {
        return Some(config.build_op(rules, op).ok()?.output_dtype(0).name());
    }
    let to_float = matches!(by, By::Floats);
    config.promote_inputs_to_common_dtype(true).promote_integer_inputs_to_float(to_float);
    let iteration = config.build(rules).ok()?;
    assert_eq!(Some(iteration.output_dtype(0)), iteration.common_dtype());
    iteration.common_dtype().map(DType::name)
}

/// Compares the common dtypes of a recorded section of two operands, of which the second may be
/// zero-dimensional. Cells without an answer are skipped.
fn compare(rules: &RuleSet, sections: &Map<String, Value>, section: &str, zero_dim: bool, by: By) -> usize {
    let arrays = Arrays::new();
    let zero_dims: Vec<TensorView<'_>> = arrays.zero_dim.iter().map(Tensor::view).collect();
    let dimensioned: Vec<TensorView<'_>> = arrays.dimensioned.iter().map(Tensor::view).collect();
    let mut compared = 0;
    for (row, column, word) in cells(sections, section) {
        let recorded = match word.as_str() {
            "no_kernel" | "no_overload" | "." => continue,
            "-" => None,
            word => Some(word.trim_start_matches('~').to_owned()),
        };
        let Some(a) = position(&row) else { continue };
        let b = match (number(&column), position(&column)) {
            (Some(number), _) => Argument::Number(number),
            (None, Some(b)) if zero_dim => Argument::Array(&zero_dims[b]),
            (None, Some(b)) => Argument::Array(&dimensioned[b]),
            (None, None) => continue,
        };
        let a = Argument::Array(&dimensioned[a]);
        let found = output(rules, [a, b], by);
        // A dtype without elements, such as PyTorch's complex of two bf16, can be a common dtype.
        assert_eq!(found.map(str::to_owned), recorded, "{section} {row},{column}");
        compared += 1;
    }
    compared
}

#[test]
fn inputs_promote_as_in_pytorch() {
    let (sections, rules) = (sections("torch"), Torch::new().rule_set());
    let counts = [
        compare(&rules, &sections, "promote_types", false, By::Promotion),
        compare(&rules, &sections, "tensor_scalar", false, By::Promotion),
        compare(&rules, &sections, "dim_zerodim", true, By::Promotion),
        compare(&rules, &sections, "ops.divide", false, By::Floats),
        compare(&rules, &sections, "ops_zerodim.divide", true, By::Floats),
    ];
    assert!(counts.iter().sum::<usize>() > 1000, "{counts:?}");
}

/// Returns true if an iteration with PyTorch's options for a binary op can be built that computes in the
/// common dtype of `a` and `b` into `out`.
fn builds(
    rules: &RuleSet,
    [a, b]: [DType; 2],
    out: DType,
    to_float: bool,
    in_place: bool,
) -> Result<(), PromoteError> {
    let (a, b) = (Tensor::zeros(a, &[2]).unwrap(), Tensor::zeros(b, &[2]).unwrap());
    let mut room = Tensor::zeros(out, &[2]).unwrap();
    let (a, b) = (a.view(), b.view());
    let room: TensorViewMut<'_> = room.view_mut();
    let mut config = IterationConfig::new();
    if in_place {
        config.add_in_place(room);
    } else {
        config.add_output(room).add_input(&a);
    }
    config
        .add_input(&b)
        .promote_inputs_to_common_dtype(true)
        .promote_integer_inputs_to_float(to_float)
        .cast_common_dtype_to_outputs(true)
        .enforce_safe_casting_to_output(true);
    match config.build(rules) {
        Ok(_) => Ok(()),
        Err(promote::Error::Promote(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn results_go_where_pytorch_lets_them() {
    let (sections, rules) = (sections("torch"), Torch::new().rule_set());
    let mut compared = 0;
    let mut casts = 0;
    for (section, to_float, in_place) in [
        ("inplace.add", false, true),
        ("inplace.multiply", false, true),
        ("inplace.divide", true, true),
        ("out.add", false, false),
    ] {
        for (row, column, word) in cells(&sections, section) {
            let (Some(a), Some(b)) = (position(&row), position(&column)) else { continue };
            if word == "no_kernel" {
                continue;
            }
            let (a, b) = (DType::WITH_TYPE[a], DType::WITH_TYPE[b]);
            // PyTorch refuses ops on 8-bit floats when they run, not when the iterator is built.
            if a.kind() == Kind::Float && a.bits() == 8 && in_place {
                continue;
            }
            let found = if in_place {
                builds(&rules, [a, b], a, to_float, true)
            } else {
                builds(&rules, [a, a], b, to_float, false)
            };
            assert_eq!(found.is_ok(), word == "yes", "{row},{column}: {found:?}");
            casts += usize::from(matches!(found, Err(PromoteError::CastRefused { .. })));
            compared += 1;
        }
    }
    assert!(compared > 700 && casts > 100, "{compared} cells, {casts} casts refused");
}

#[cfg(feature = "oneflow")]
#[test]
fn inputs_promote_as_in_oneflow() {
    let (sections, rules) = (sections("oneflow"), promote::OneFlow::new().rule_set());
    let counts = [
        compare(&rules, &sections, "promote_types", false, By::Promotion),
        compare(&rules, &sections, "tensor_scalar", false, By::Promotion),
        compare(&rules, &sections, "dim_zerodim", true, By::Promotion),
        compare(&rules, &sections, "ops.divide", false, By::Floats),
        compare(&rules, &sections, "ops_zerodim.divide", true, By::Op(Op::Divide)),
    ];
    assert!(counts.iter().sum::<usize>() > 250, "{counts:?}");
}
