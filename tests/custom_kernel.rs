//! Custom kernels: typed on elements and slices, at run time on every dtype tuple, with the rule
//! set's dtypes.
#![allow(clippy::float_cmp, reason = "results are exact")]
#![cfg(all(feature = "torch", feature = "numpy", feature = "kernels"))]

use half::{bf16, f16};
use num_complex::Complex;
use promote::op::{Flags, OpType, Reduction};
use promote::{
    Argument, DType, Floating, NumPy, Number, Op, Operand, Ordered, TensorView, TensorViewMut, Torch, kernel,
};
use promote::{ScalarValue, Slice, SliceMut};

/// `alpha · x + y`
#[kernel]
fn axpy<T>(alpha: T, x: T, y: T) -> T {
    alpha * x + y
}

/// A smooth step from 0 to 1.
#[kernel]
fn log1p_exp<T: Floating>(x: T) -> T {
    (x.exp() + 1.0).log()
}

/// `x` between two bounds.
#[kernel(like = maximum)]
fn clip<T: Ordered>(x: T, low: T, high: T) -> T {
    x.maximum(low).minimum(high)
}

#[test]
fn a_kernel_is_a_function_of_every_rule_set() {
    let z: f32 = Torch::axpy(2_i8, 1.5_f32, 1_i64);
    assert_eq!(z, 4.0);
    let z: Complex<f32> = Torch::axpy(2_i8, Complex::new(1.0_f32, 2.0), 0.5_f32);
    assert_eq!(z, Complex::new(2.5, 4.0));
    let z: i16 = Torch::axpy(200_u8, 2_i8, 1_u8);
    assert_eq!(z, 401);
    // Once rounded: 2048 + 1 is not an f16, and 2049 - 2048 is 1.
    let h = f16::from_f32(2048.0);
    assert_eq!(Torch::axpy(f16::ONE, h, f16::ONE), h);
    // Integers become floats as for a division: f32 in PyTorch, f64 in NumPy.
    let z: f32 = Torch::log1p_exp(1_i32);
    let w: f64 = NumPy::log1p_exp(1_i32);
    assert!((z - 1.313_261_7).abs() < 1e-6 && (w - 1.313_261_687_518_222_8).abs() < 1e-15);
    assert_eq!(Torch::clip(7_i32, 0_u8, 5_i16), 5_i32);
    // NumPy joins f16 and i8 first, and their f16 holds every u8.
    let z: f16 = NumPy::axpy(200_u8, f16::from_f32(0.5), 1_i8);
    assert_eq!(z, f16::from_f32(101.0));
}

#[test]
fn slices_and_single_elements_are_inputs_alike() {
    let (alpha, x, y) = (3_i8, [f16::from_f32(0.5); 100], [1.0_f32; 100]);
    let mut out = [0.0_f32; 100];
    Torch::axpy_into(alpha, &x, &y[..], &mut out).expect("equal lengths");
    assert_eq!(out, [2.5; 100]);
    let wrong = Torch::axpy_into(alpha, &x[..7], &y[..], &mut out).expect_err("7 and 100 elements");
    assert!(wrong.to_string().contains("100"), "{wrong}");
}

#[test]
fn at_run_time_every_dtype_tuple_computes_as_the_types_do() {
    let rules = Torch::new().rule_set();
    let axpy = Axpy::OP;
    let (alpha, x, y) = ([1_i8, -2, 3], [f16::from_f32(0.5); 3], [10.0_f32, 20.0, 30.0]);
    let (mut typed, mut found) = ([0.0_f32; 3], [0.0_f32; 3]);
    Torch::axpy_into(&alpha, &x, &y, &mut typed).expect("equal lengths");
    rules
        .elementwise(
            axpy,
            &[(&alpha[..]).into(), (&x[..]).into(), (&y[..]).into()],
            SliceMut::new(&mut found),
        )
        .expect("defined");
    assert_eq!(typed, found);

    // A number without a width, and a zero-dimensional operand.
    let mut halves = [f16::ZERO; 3];
    let inputs =
        [Argument::Number(Number::Float(2.0)), (&x[..]).into(), Argument::ZeroDim(ScalarValue::new(1.0_f32))];
    rules.elementwise(axpy, &inputs, SliceMut::new(&mut halves)).expect("defined");
    assert_eq!(halves, [f16::from_f32(2.0); 3]);

    let operands = [DType::I8, DType::BF16, DType::F16].map(Operand::Array);
    let types = rules.op_types(axpy, &operands).expect("defined");
    assert_eq!((types.common, types.compute, types.output), (DType::F32, DType::F32, DType::F32));
    let refused = rules.op_types(axpy, &[DType::U16, DType::I32, DType::I32].map(Operand::Array));
    assert!(refused.expect_err("PyTorch refuses it").to_string().contains("promote with floats only"));
    let mut bools = [false; 3];
    let inputs = [(&[true; 3][..]).into(); 3];
    let refused =
        rules.elementwise(axpy, &inputs, SliceMut::new(&mut bools)).expect_err("bools are no numbers");
    assert!(refused.to_string().contains("`axpy` does not compute in `bool`"), "{refused}");
    let one = rules.elementwise(axpy, &inputs[..1], SliceMut::new(&mut bools)).expect_err("three are needed");
    assert!(one.to_string().contains('3'), "{one}");
    assert_eq!(Op::name(axpy), "axpy");
}

#[test]
fn a_result_for_an_out_of_another_dtype_is_rounded_to_that_of_the_op_first() {
    let rules = Torch::new().rule_set();
    let x = [f16::from_f32(2048.0), f16::from_f32(3.0)];
    let y = [f16::ONE; 2];
    let view = |x| TensorView::new(x, &[2]).expect("two elements");
    let (a, x, y) = (view(&[f16::ONE; 2][..]), view(&x[..]), view(&y[..]));
    let inputs = [(&a).into(), (&x).into(), (&y).into()];
    // Called for two dtypes of `out`: the kernel that was cached for the first is not used for the second.
    for _ in 0..2 {
        let mut wide = [0.0_f32; 2];
        rules
            .prepare(Axpy::OP, &inputs)
            .out(TensorViewMut::new(&mut wide[..], &[2]).expect("room for two"))
            .run()
            .expect("PyTorch casts f16 to f32");
        assert_eq!(wide, [2048.0, 4.0], "2049 is no f16");
        let mut halves = [f16::ZERO; 2];
        rules
            .prepare(Axpy::OP, &inputs)
            .out(TensorViewMut::new(&mut halves[..], &[2]).expect("room for two"))
            .run()
            .expect("its own dtype");
        assert_eq!(halves, wide.map(f16::from_f32));
    }
    let mut ints = [7_i32; 2];
    let refused = rules
        .prepare(Axpy::OP, &inputs)
        .out(TensorViewMut::new(&mut ints[..], &[2]).expect("room for two"))
        .run();
    assert!(refused.expect_err("floats are not cast to integers").to_string().contains("i32"));
    assert_eq!(ints, [7; 2]);

    // `ints` is the left operand and takes the result: PyTorch computes in i64 and casts back.
    let others = [5_i64; 2];
    let others = TensorView::new(&others[..], &[2]).expect("two elements");
    let out = TensorViewMut::new(&mut ints[..], &[2]).expect("two elements");
    rules.prepare(Axpy::OP, &[(&others).into(), (&others).into()]).in_place(out).run().expect("of one kind");
    assert_eq!(ints, [40; 2]);
}

#[test]
fn errors_distinguish_custom_and_standard_ops() {
    let rules = Torch::new().rule_set();
    let error = rules.custom_kernel(Op::Add, &[DType::F32; 2]).expect_err("not a user's").to_string();
    assert_eq!(error, "`add` is a standard op; help: look its kernel up by `kernel` or `unary_kernel`");
    let x = [1.0_f32; 3];
    let error = rules.reduced(Axpy::OP, Flags::default(), &[(&x).into(); 3], Reduction::Sum);
    assert_eq!(
        error.expect_err("no loss").to_string(),
        "`axpy` is a custom op; help: look its kernel up by `custom_kernel`, or use `call`"
    );
}

#[test]
fn a_kernel_is_a_function_that_others_call() {
    assert_eq!(Torch::twice_axpy(2_i8, 1.5_f32, 1_i64), 8.0_f32);
}

/// The kernel also takes vectors.
#[test]
fn inputs_may_be_vectors() {
    let (x, y) = (vec![1.0_f32, 2.0], vec![0.5_f64, 0.25]);
    let mut out = [0.0_f64; 2];
    Torch::axpy_into(2_i8, &x, &y, &mut out).expect("equal lengths");
    assert_eq!(out, [2.5, 4.25]);
    let longer = vec![1.0_f32; 3];
    assert!(Torch::axpy_into(2_i8, &longer, &y, &mut out).is_err());
    assert_eq!(out, [2.5, 4.25], "untouched");
}

#[kernel]
fn twice_axpy<T>(alpha: T, x: T, y: T) -> T {
    axpy(alpha, x, y) + axpy(alpha, x, y)
}

#[test]
fn a_kernel_that_was_found_before_is_that_of_its_op_and_dtypes() {
    let rules = Torch::new().rule_set();
    let bytes = [3_u8; 64];
    let dtypes = [DType::U8, DType::I8, DType::I16, DType::I32, DType::I64];
    // More signatures than the cache holds, each of them twice.
    for _ in 0..2 {
        for op in [Axpy::OP, Clip::OP] {
            for tuple in (0..125).map(|i| [dtypes[i % 5], dtypes[i / 5 % 5], dtypes[i / 25]]) {
                let arrays = tuple.map(|dtype| {
                    let size = dtype.size().expect("an integer");
                    Slice::from_bytes(dtype, &bytes[..4 * size]).expect("whole elements")
                });
                let kernel = rules.custom_kernel(op, &tuple).expect("integers promote");
                let size = kernel.output().size().expect("an integer");
                let (mut held, mut found) = ([0_u8; 64], [0_u8; 64]);
                let out =
                    SliceMut::from_bytes(kernel.output(), &mut held[..4 * size]).expect("whole elements");
                kernel.call(&arrays.map(Argument::Slice), out).expect("as found");
                let out =
                    SliceMut::from_bytes(kernel.output(), &mut found[..4 * size]).expect("whole elements");
                rules.elementwise(op, &arrays.map(Argument::Slice), out).expect("as found");
                assert_eq!(held, found, "{op} of {tuple:?}");
            }
        }
    }
}

#[test]
fn every_level_gives_the_bits_of_the_scalar_function() {
    let x: Vec<bf16> = (0..1000).map(|i| bf16::from_f32(i as f32 / 37.0 - 13.0)).collect();
    let wanted: Vec<bf16> = x.iter().map(|x| Torch::log1p_exp(*x)).collect();
    let active = promote::Level::active();
    for &level in promote::Level::ALL {
        promote::Level::set(level);
        let mut found = vec![bf16::ZERO; x.len()];
        Torch::log1p_exp_into(&x[..], &mut found).expect("equal lengths");
        assert_eq!(found, wanted, "{level}");
        let mut found = vec![bf16::ZERO; x.len()];
        let rules = Torch::new().rule_set();
        rules.elementwise(Log1pExp::OP, &[(&x[..]).into()], SliceMut::new(&mut found)).expect("defined");
        assert_eq!(found, wanted, "{level} at run time");
    }
    promote::Level::set(active);
}

#[test]
fn results_may_go_where_an_operand_was() {
    let rules = Torch::new().rule_set();
    let (mut out, x) = (vec![1.0_f32; 5000], vec![2_i8; 5000]);
    let inputs = [Argument::Number(Number::Int(3)), (&x[..]).into(), Argument::InPlace(DType::F32)];
    rules.elementwise(Axpy::OP, &inputs, SliceMut::new(&mut out)).expect("defined");
    assert_eq!(out, vec![7.0; 5000]);
}

/// The distance of the point `(x, y)` from the origin, in the dtypes of a division.
#[kernel]
fn distance<T: Floating>(x: T, y: T) -> T {
    (x * x + y * y).sqrt()
}

#[test]
fn a_kernel_is_never_taken_for_the_op_whose_dtypes_it_has() {
    let rules = Torch::new().rule_set();
    let (x, y) = ([3_i32, 6], [4_i32, 8]);
    let mut out = [0.0_f32; 2];
    rules.elementwise(Distance::OP, &[x[..].into(), y[..].into()], SliceMut::new(&mut out)).expect("defined");
    assert_eq!(out, [5.0, 10.0]);
    rules
        .binary(Distance::OP, y[..].into(), Argument::Number(Number::Int(3)), SliceMut::new(&mut out))
        .expect("defined");
    assert_eq!(out, [5.0, 73.0_f32.sqrt()]);
    rules.binary(Distance::OP, x[..].into(), y[..].into(), SliceMut::new(&mut out)).expect("defined");
    assert_eq!(out, [5.0, 10.0]);
    rules.unary(Log1pExp::OP, x[..].into(), SliceMut::new(&mut out)).expect("defined");
    assert_eq!(out, [Torch::log1p_exp(3_i32), Torch::log1p_exp(6_i32)]);

    // These functions look up kernels of standard ops. Those of custom ops have `custom_kernel`.
    rules.kernel(Distance::OP, DType::I32, DType::I32).expect_err("no kernel of this sort");
    rules.unary_kernel(Log1pExp::OP, DType::I32).expect_err("no kernel of this sort");
    let expected = [Torch::distance(out[0], y[0]), Torch::distance(out[1], y[1])];
    rules.binary_in_place(Distance::OP, SliceMut::new(&mut out), y[..].into()).expect("defined");
    assert_eq!(out, expected);
}

/// Divides and compares Rust numbers, some of which have the name of an input.
#[kernel]
fn third_of_sum<T>(x: T, y: T) -> T {
    let sum = x + y;
    let y = if 1.0 / 2.0 > 0.25 { 2.0 } else { 1.0 };
    let third = [1.0_f64].map(|x| x / 3.0)[0];
    if y > 1.5 { sum * third * (y / 2.0) } else { sum }
}

#[test]
fn a_body_computes_what_it_likes_in_rusts_own_numbers() {
    assert_eq!(Torch::third_of_sum(1.5_f64, 3_u8), 1.5);
    assert_eq!(Torch::third_of_sum(Complex::new(3.0_f32, 6.0), 3.0_f32), Complex::new(2.0, 2.0));
}

/// Uses names that generated code could shadow.
#[kernel]
fn c<T>(c: T, out: T) -> T {
    c + out
}

#[test]
fn names_of_users_do_not_collide_with_generated_ones() {
    assert_eq!(Torch::c(1_u8, 2_i8), 3_i16);
    let mut sums = [0_i16; 2];
    Torch::c_into(&[1_u8, 2], &[1_i8, 1], &mut sums).expect("equal lengths");
    assert_eq!(sums, [2, 3]);
}

#[test]
fn a_number_that_does_not_fit_is_refused_where_the_op_like_it_refuses_it() {
    let inputs = [Argument::Number(Number::Int(300)), (&[1_u8][..]).into(), (&[1_u8][..]).into()];
    let mut out = [0_u8];
    let refused = NumPy::new().rule_set().elementwise(Axpy::OP, &inputs, SliceMut::new(&mut out));
    assert!(refused.expect_err("NumPy refuses it").to_string().contains("300 does not fit u8"));
    Torch::new().rule_set().elementwise(Axpy::OP, &inputs, SliceMut::new(&mut out)).expect("PyTorch wraps");
    assert_eq!(out, [45]);
}
