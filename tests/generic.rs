//! Generic code: bounds, numbers without a width, lists of types, sums, and what is refused.
#![allow(clippy::float_cmp, reason = "results are exact")]
#![allow(clippy::items_after_statements, reason = "a generic function stands beside what calls it")]
#![cfg(all(feature = "torch", feature = "numpy"))]

use half::{bf16, f16};
use num_complex::Complex;
use promote::SliceMut;
use promote::{
    Argument, CastAll, CastCommon, Compute, DType, Element, Lossless, NumOps, NumPy, Number, Op, OpOutput,
    Operand, Promote, PromoteAll, Promoted, Rules, Torch, Weak, mixed, op, promoted, weak,
};

#[test]
fn a_number_takes_the_dtype_that_the_rule_set_gives_it() {
    let half: Promoted<f16, Weak<f64>, Torch> = Torch::multiply(f16::from_f32(3.0), weak(2.5));
    assert_eq!(half, f16::from_f32(7.5));
    let float: f32 = Torch::multiply(3_i32, weak(2.5));
    assert_eq!(float, 7.5);
    let int: u8 = Torch::add(250_u8, weak(10));
    assert_eq!(int, 4, "PyTorch wraps");
    let complex: Complex<f32> = Torch::add(1.0_f32, weak(Complex::new(0.0, 1.0)));
    assert_eq!(complex, Complex::new(1.0, 1.0));
    let wide: f64 = NumPy::multiply(3_i32, weak(2.5));
    assert_eq!(wide, 7.5);
    // A number on the right keeps its digits in PyTorch's multiply, and not in its add.
    let x = bf16::from_f32(3.0);
    assert_eq!(Torch::multiply(x, weak(1.002)), bf16::from_f32(3.006));
    assert_eq!(Torch::multiply(weak(1.002), x), x);
}

/// The bounds that rustc's messages name for a function without them.
#[test]
fn a_generic_sum_is_the_promoted_type_if_its_bound_says_so() {
    fn promoted<A: Promote<B>, B>(a: A, b: B) -> Promoted<A, B>
    where
        Torch: Compute<op::Add, (A, B), Output = Promoted<A, B>>,
    {
        Torch::add(a, b)
    }
    fn output<A, B>(a: A, b: B) -> OpOutput<op::Add, (A, B)>
    where
        Torch: Compute<op::Add, (A, B)>,
    {
        Torch::add(a, b)
    }
    assert_eq!(promoted(200_u8, -1_i8), 199_i16);
    assert_eq!(output(200_u8, -1_i8), 199_i16);
}

#[test]
fn a_list_of_types_is_joined_as_arrays_are_at_run_time() {
    let _: promoted!(Torch: u8, i8, f32) = 1.0_f32;
    let _: promoted!(Torch: u8) = 1_u8;
    // Pair by pair u8 and i8 are an i16, which no f16 holds; together the three are an f16.
    let _: promoted!(NumPy: u8, i8, f16) = f16::ONE;
    let _: Promoted<Promoted<u8, i8, NumPy>, f16, NumPy> = 1.0_f32;
    let _: promoted!(Torch: Weak<f64>, f16, i64) = f16::ONE;

    fn joined<T: PromoteAll<Torch>>(_: &T) -> usize {
        size_of::<T::Output>()
    }
    assert_eq!(joined(&(1_u8, 1_i8)), 2);
    assert_eq!(joined(&(1_u8, 1_i8, f16::ONE, 1_i64)), 2);
    assert_eq!(joined(&(1_u8, 1_i8, f16::ONE, bf16::ONE, true, 1_i32)), 4);
    assert_eq!(joined(&[1.0_f64; 4]), 8);
}

/// In every order of every three of these types, and of four.
#[test]
fn lists_of_type_parameters_are_joined_as_arrays_are_at_run_time() {
    fn check<R: Rules, T: PromoteAll<R, Output: Element>>(dtypes: &[DType]) {
        let operands: Vec<Operand> = dtypes.iter().copied().map(Operand::Array).collect();
        let found = R::data().result_type(&operands).expect("they promote");
        assert_eq!(found.dtype, <T::Output as Element>::DTYPE, "{dtypes:?} under {}", R::data().name());
    }
    macro_rules! lists {
        ($($a:ident)*) => {{
            let mut seen = 0;
            $(lists! { seen $a; bool u8 i8 i32 u64 f16 f32 c64 })*
            seen
        }};
        ($seen:ident $a:ident; $($b:ident)*) => { $(lists! { $seen $a $b; u8 i8 u64 f16 f64 })* };
        ($seen:ident $a:ident $b:ident; $($c:ident)*) => {$(
            check::<NumPy, ($a, $b, $c)>(&[$a::DTYPE, $b::DTYPE, $c::DTYPE]);
            check::<NumPy, ($a, $b, $c, i16)>(&[$a::DTYPE, $b::DTYPE, $c::DTYPE, DType::I16]);
            $seen += 2;
        )*};
    }
    #[allow(non_camel_case_types, reason = "the names of the dtypes")]
    type c64 = Complex<f32>;
    assert_eq!(lists! { bool u8 i8 i32 u64 f16 f32 c64 }, 8 * 8 * 5 * 2);
    check::<Torch, (u8, i8, f16)>(&[DType::U8, DType::I8, DType::F16]);
}

#[test]
fn one_bound_for_each_op_and_one_for_the_common_type() {
    type Product<A, X, R> = OpOutput<op::Multiply, (A, X), R>;
    fn axpy<R, A, X, Y>(a: A, x: X, y: Y) -> OpOutput<op::Add, (Product<A, X, R>, Y), R>
    where
        R: Rules + Compute<op::Multiply, (A, X)> + Compute<op::Add, (OpOutput<op::Multiply, (A, X), R>, Y)>,
    {
        R::apply(op::Add, (R::apply(op::Multiply, (a, x)), y))
    }
    let in_torch: f32 = axpy::<Torch, _, _, _>(2_i32, 1.5_f32, 1_i8);
    let in_numpy: f64 = axpy::<NumPy, _, _, _>(2_i32, 1.5_f32, 1_i8);
    assert_eq!((in_torch, in_numpy), (4.0, 4.0));

    fn both<A: Lossless<B, Torch> + CastCommon<B, Torch>, B>(a: A, b: B) -> (A::Output, A::Output) {
        Torch::common(a, b)
    }
    assert_eq!(both(3_u8, -1_i8), (3_i16, -1_i16));
    assert_eq!(both(true, f16::ONE), (f16::ONE, f16::ONE));
    assert_eq!(<NumPy as Rules>::data().name(), "NumPy");
}

/// The polynomial `a · x² + b · x + c`, and the mean of its three coefficients.
fn polynomial<R, A, B, C, X>(a: A, b: B, c: C, x: X) -> (R::Value, R::Quotient)
where
    R: NumOps<(A, B, C, X)>,
{
    let (a, b, c, x) = R::promote((a, b, c, x));
    let three = R::number(3.0);
    (mixed! { R => (a * x + b) * x + c }, mixed! { R => (a + b + c) / three })
}

#[test]
fn one_bound_for_the_four_ops_of_arithmetic() {
    let (value, mean) = polynomial::<Torch, _, _, _, _>(1_i8, 2_u8, 4_i32, 10_i16);
    assert_eq!((value, mean), (124_i32, 7.0_f32 / 3.0));
    let (value, mean) = polynomial::<NumPy, _, _, _, _>(1_i8, 2_u8, 4_i32, 10_i16);
    assert_eq!((value, mean), (124_i32, 7.0_f64 / 3.0));
    let (value, mean) = polynomial::<Torch, _, _, _, _>(f16::ONE, 2_u8, 4_i64, true);
    assert_eq!((value, mean), (f16::from_f32(7.0), f16::from_f32(7.0 / 3.0)));
    let (value, _) = polynomial::<Torch, _, _, _, _>(1_u8, 1_u8, 1_u8, 200_u8);
    assert_eq!(value, (200_u8.wrapping_mul(200)).wrapping_add(201), "integers wrap");
    let i = Complex::new(0.0_f32, 1.0);
    let (value, _) = polynomial::<Torch, _, _, _, _>(1.0_f32, 0.0_f32, 1.0_f32, i);
    assert_eq!(value, Complex::new(0.0, 0.0));
}

#[test]
fn all_values_of_a_tuple_are_cast_to_their_common_type() {
    assert_eq!(CastAll::<Torch>::cast_all((200_u8, -1_i8)), (200_i16, -1_i16));
    assert_eq!(CastAll::<NumPy>::cast_all((1_u8, 1_i8, f16::ONE)), (f16::ONE, f16::ONE, f16::ONE));
    assert_eq!(CastAll::<Torch>::cast_all([1_u8, 2]), [1_u8, 2]);
    assert_eq!(CastAll::<Torch>::cast_all((7_i64,)), (7_i64,));
}

#[test]
fn sums_and_dot_products_are_those_of_the_rule_set() {
    let sum: i64 = Torch::sum([200_u8; 1000]);
    assert_eq!(sum, 200_000);
    let sum: u64 = NumPy::sum([200_u8; 1000]);
    assert_eq!(sum, 200_000);
    // Added in f32: in f16 the sum would stay at 2048.
    assert_eq!(Torch::sum([f16::ONE; 4096]), f16::from_f32(4096.0));
    assert_eq!(Torch::sum::<f32>([]), 0.0);
    assert!(Torch::sum([1.0, f32::NAN]).is_nan());
    // Pair by pair: one after the other, the sum of a tenth a million times is off by 958.
    assert!((Torch::sum((0..1_000_000).map(|_| 0.1_f32)) - 1e5).abs() < 0.1);
    let dot: f64 = NumPy::dot([1_i32, 2, 3], [0.5_f32, 1.0, 2.0].iter().copied());
    assert_eq!(dot, 8.5);
}

#[test]
fn an_expression_computes_each_op_alone() {
    let (a, x, y) = (2_i8, 1.5_f32, 7_i32);
    let z: f32 = mixed! { Torch => a * x + y / 2 };
    assert_eq!(z, Torch::add(Torch::multiply(a, x), Torch::divide(y, weak(2))));
    assert_eq!(z, 6.5);
    let z: f64 = mixed! { NumPy => -(a * x) + 2.5_f64 };
    assert_eq!(z, -0.5);
    assert!(mixed! { Torch => maximum(a, y) >= 7 && !(x < -1.0) });
    let z: f16 = mixed! { Torch => where(x > 1, f16::from_f32(a as f32), y as f16) + 1 };
    assert_eq!(z, f16::from_f32(3.0));
    let z: Complex<f32> = mixed! { Torch => x + 2j };
    assert_eq!(z, Complex::new(1.5, 2.0));
    // Halves round at each op, and not once at the end.
    let h = f16::from_f32(2048.0);
    assert_eq!(mixed! { Torch => h + 1 - h }, f16::ZERO);
    let inner = |v: f32| v * 2.0;
    let z: f32 = mixed! { Torch => inner(x) + f32::from(y as i16) * weak(1.0 + 1.0) };
    assert_eq!(z, 17.0);

    fn square<R: Rules + Compute<op::Multiply, (T, T)>, T: Copy>(t: T) -> OpOutput<op::Multiply, (T, T), R> {
        mixed! { R => t * t }
    }
    assert_eq!(square::<Torch, _>(3_i8), 9);
}

#[test]
fn mixed_evaluates_operands_from_left_to_right() {
    let order = std::cell::RefCell::new(Vec::new());
    let next = |value: f32| {
        order.borrow_mut().push(value);
        value
    };
    assert_eq!(mixed! { Torch => next(1.0) + next(2.0) * (next(3.0) - -next(4.0)) as f64 / next(5.0) }, 3.8);
    assert_eq!(order.take(), [1.0, 2.0, 3.0, 4.0, 5.0]);
    let mut x = 1_i32;
    let after = mixed! { Torch => x + { x += 1; x } * { x += 10; x } };
    assert_eq!((after, x), (1 + 2 * 12, 12), "a variable is read where it stands");
}

#[test]
#[should_panic(expected = "300 does not fit u8")]
fn numpy_takes_no_number_that_does_not_fit() {
    let _ = NumPy::add(1_u8, weak(300));
}

/// Compares `array`, which contains the limits of its dtype, with numbers inside and outside its range, on
/// either side and by every comparison. NumPy's results are those of `i128`s in Rust. Numbers that have a
/// type are compared at compile time, too.
macro_rules! compares_exactly {
    ($ty:ident, $($op:ident $name:ident $sign:tt)*) => {{
        let array = [$ty::MIN, 1, $ty::MAX];
        let ends = [i128::from($ty::MIN), i128::from($ty::MAX)];
        for number in [0, ends[0], ends[1], ends[0] - 1, ends[1] + 1, 300, -300, i128::MIN, i128::MAX] {
            for other in [i128::MIN, -1, 0, i128::MAX] {$(
                let mut out = [false];
                let numbers = [number, other].map(|number| Argument::Number(Number::Int(number)));
                NumPy::new().rule_set().binary(Op::$op, numbers[0], numbers[1], SliceMut::new(&mut out)).expect("two numbers");
                assert_eq!(out, [number $sign other], "{number} {} {other}", stringify!($sign));
            )*}
            $(
                let (mut right, mut left) = ([false; 3], [false; 3]);
                let numpy = NumPy::new().rule_set();
                let (a, b) = (Argument::from(&array[..]), Argument::Number(Number::Int(number)));
                numpy.binary(Op::$op, a, b, SliceMut::new(&mut right)).expect("any number");
                numpy.binary(Op::$op, b, a, SliceMut::new(&mut left)).expect("any number");
                for (i, &x) in array.iter().enumerate() {
                    let exact = (i128::from(x) $sign number, number $sign i128::from(x));
                    assert_eq!((right[i], left[i]), exact, "{x} {} {number} in {}", stringify!($sign), stringify!($ty));
                    if let Ok(number) = i64::try_from(number) {
                        let typed = (NumPy::$name(x, weak(number)), NumPy::$name(weak(number), x));
                        assert_eq!(typed, exact, "{x} {} {number} in {}", stringify!($sign), stringify!($ty));
                    }
                }
            )*
        }
    }};
}

#[test]
fn numpy_compares_integers_with_any_number_exactly() {
    macro_rules! types {
        ($($ty:ident)*) => {$(
            compares_exactly! { $ty,
                Equal equal == NotEqual not_equal != Less less < LessEqual less_equal <= Greater greater > GreaterEqual greater_equal >=
            }
        )*};
    }
    types! { u8 u16 u32 u64 i8 i16 i32 i64 }
}

#[test]
#[should_panic(expected = "an integer is divided by zero")]
fn typed_division_of_an_integer_by_zero_panics() {
    let _ = Torch::floor_divide(1_i32, 0_i32);
}

#[test]
#[should_panic(expected = "300 does not fit u8")]
fn typed_where_of_numpy_takes_no_number_that_does_not_fit() {
    let _ = NumPy::where_(true, 1_u8, weak(300));
}

#[test]
fn where_of_numpy_takes_no_number_that_does_not_fit_and_leaves_the_output_untouched() {
    let (condition, array, mut out) = ([true, false], [1_u8, 2], [7_u8; 2]);
    let [condition, array] = [Argument::from(&condition[..]), Argument::from(&array[..])];
    let numpy = NumPy::new().rule_set();
    for number in [256, 300, -1] {
        let number = Argument::Number(Number::Int(number));
        for [a, b] in [[array, number], [number, array]] {
            let refused =
                numpy.where_(condition, a, b, SliceMut::new(&mut out)).expect_err("NumPy refuses it");
            assert!(refused.to_string().contains("does not fit u8"), "{refused}");
        }
    }
    assert_eq!(out, [7, 7]);
    let greatest = Argument::Number(Number::Int(255));
    numpy.where_(condition, array, greatest, SliceMut::new(&mut out)).expect("it fits");
    assert_eq!(out, [1, 255]);
}
