//! Weak arrays of JAX as arguments of calls.
#![cfg(all(feature = "kernels", feature = "std", feature = "jax"))]

use half::bf16;
use promote::{
    Argument, DType, Error, IterationConfig, Jax, Op, Operand, PromoteError, ResultType, RuleSet, Tensor,
    TensorView,
};

fn rules() -> RuleSet {
    Jax::new().rule_set()
}

/// Values that `bf16` rounds: 1 + 2^-10 is nearer to 1 than to the next `bf16`.
const BETWEEN: [f32; 3] = [1.0 + 1.0 / 1024.0, 2.0, -3.0];

#[test]
fn weak_arrays_yield_to_arrays_of_their_kind() {
    let (weak, strong) = (TensorView::from(&BETWEEN), [bf16::ONE; 3]);
    let operands = [(&strong).into(), Argument::Weak(&weak)];
    assert_eq!(operands[1].operand(), Operand::Weak(DType::F32));
    let sum = rules().call(Op::Add, &operands).expect("a sum");
    assert_eq!(sum.as_slice::<bf16>(), Some(&[2.0, 3.0, -2.0].map(bf16::from_f32)[..]));
    // An array of these elements that is not weak decides the dtype.
    let sum = rules().call(Op::Add, &[(&strong).into(), (&BETWEEN).into()]).expect("a sum");
    assert_eq!(sum.as_slice::<f32>(), Some(&BETWEEN.map(|x| x + 1.0)[..]));
}

#[test]
fn weak_arrays_of_a_higher_kind_decide_the_dtype() {
    let (weak, bytes) = (TensorView::from(&BETWEEN), [1_i8, 2, 3]);
    let operands = [(&bytes).into(), Argument::Weak(&weak)];
    let found = rules().result_type(&operands.map(|operand: Argument<'_>| operand.operand()));
    assert_eq!(found, Ok(ResultType { dtype: DType::F32, weak: true }));
    let product = rules().call(Op::Multiply, &operands).expect("a product");
    assert_eq!(product.as_slice::<f32>(), Some(&[BETWEEN[0], 4.0, -9.0][..]));
}

#[test]
fn weak_integers_wrap_to_the_dtype_of_the_array() {
    let weak = TensorView::from(&[300_i32, -1]);
    let sum = rules().call(Op::Add, &[Argument::Weak(&weak), (&[100_i8, 5]).into()]).expect("a sum");
    assert_eq!(sum.as_slice::<i8>(), Some(&[-112, 4][..]));
}

#[test]
fn weak_arrays_equal_arrays_that_were_cast_first() {
    let rules = rules();
    let floats = TensorView::from(&[0.0_f32, 1.0, 2.5, 100.0]);
    let mut computed = 0;
    for weak in [DType::I32, DType::F32, DType::C64] {
        let weak_elements = rules.astype(&floats, weak, None).expect("a cast");
        let weak_view = weak_elements.view();
        for dtype in rules.dtypes() {
            let Ok(array) = rules.astype(&floats, *dtype, None) else { continue };
            for op in [Op::Add, Op::Multiply, Op::Less, Op::Maximum, Op::Divide] {
                let kinds = [Operand::Array(*dtype), Operand::Weak(weak)];
                let Ok(types) = rules.op_types(op, &kinds) else { continue };
                let Ok(found) = rules.call(op, &[(&array).into(), Argument::Weak(&weak_view)]) else {
                    continue;
                };
                let [a, b] = [&array, &weak_elements]
                    .map(|operand| rules.astype(&operand.view(), types.common, None).expect("a cast"));
                let expected = rules.call(op, &[(&a).into(), (&b).into()]).expect("a kernel");
                assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{op} of {dtype} and weak {weak}");
                computed += 1;
            }
        }
    }
    assert!(computed > 100, "only {computed} calls were computed");
}

#[test]
fn weak_arrays_are_taken_with_out() {
    let (rules, weak) = (rules(), TensorView::from(&BETWEEN));
    let expected = [2.0, 3.0, -2.0].map(bf16::from_f32);
    let mut out = [bf16::ZERO; 3];
    let operands = [(&[bf16::ONE; 3]).into(), Argument::Weak(&weak)];
    rules.prepare(Op::Add, &operands).out(&mut out).run().expect("an `out`");
    assert_eq!(out, expected);
    // JAX's arrays are immutable.
    let refused = rules.prepare(Op::Add, &operands[1..]).in_place(&mut out).run().unwrap_err();
    assert!(matches!(refused, Error::Promote(PromoteError::NotInPlace { .. })), "{refused}");
    assert_eq!(out, expected);
}

#[test]
fn weak_arrays_broadcast() {
    let rules = rules();
    let rows = Tensor::from_vec(vec![bf16::ONE; 6], &[2, 3]).expect("a shape");
    let single = TensorView::new(&BETWEEN[1..2], &[]).expect("one element");
    let sum = rules.call(Op::Add, &[(&rows).into(), Argument::Weak(&single)]).expect("a sum");
    assert_eq!((sum.dtype(), sum.shape()), (DType::BF16, &[2, 3][..]));
    assert_eq!(sum.as_slice::<bf16>(), Some(&[bf16::from_f32(3.0); 6][..]));
    let weak = TensorView::from(&BETWEEN);
    let sum = rules.call(Op::Add, &[Argument::Weak(&weak), Argument::Weak(&single)]).expect("a sum");
    assert_eq!(sum.as_slice::<f32>(), Some(&BETWEEN.map(|x| x + 2.0)[..]));
}

#[test]
fn conditions_reductions_and_dot_products_take_weak_arrays() {
    let (rules, weak) = (rules(), TensorView::from(&BETWEEN));
    let strong = [bf16::ONE; 3];
    let picked = [(&[true, false, true]).into(), (&strong).into(), Argument::Weak(&weak)];
    let picked = rules.call(Op::Where, &picked).expect("a choice");
    assert_eq!(picked.as_slice::<bf16>(), Some(&[1.0, 2.0, 1.0].map(bf16::from_f32)[..]));
    let sum = rules.call(Op::Sum, &[Argument::Weak(&weak)]).expect("a sum");
    assert_eq!(sum.as_slice::<f32>(), Some(&[BETWEEN.iter().sum::<f32>()][..]));
    let dot = rules.call(Op::Dot, &[(&strong).into(), Argument::Weak(&weak)]).expect("a dot product");
    assert_eq!(dot.dtype(), DType::BF16);
}

#[test]
fn iterations_take_weak_arrays() {
    let (rules, weak, strong) = (rules(), TensorView::from(&BETWEEN), [bf16::ONE; 3]);
    let mut out = [bf16::ZERO; 3];
    let mut config = IterationConfig::new();
    config.add_input(&strong).add_input(Argument::Weak(&weak));
    config.add_output(&mut out);
    config.build_op(&rules, Op::Add).expect("an iteration").op(Op::Add).expect("a sum");
    assert_eq!(out, [2.0, 3.0, -2.0].map(bf16::from_f32));
}
