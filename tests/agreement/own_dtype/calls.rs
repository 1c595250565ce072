//! Calls: typed slices, results in place, numbers, overlapping operands and refusals.

use half::f16;
use promote::{
    Argument, DType, Element, Error, Number, Op, Promoted, RuleSet, TensorView, TensorViewMut, op,
};
use promote::{CallError, ScalarValue, Slice, SliceMut};

use crate::rules::Fixed;
use crate::types::{Cents, Degrees, Mask, Q15, Q31};
use crate::values::samples;
use crate::wider::Wider;

const RULES: RuleSet = Fixed::new().rule_set();

#[test]
fn typed_slices_give_what_typed_functions_give() {
    let (a, b) = (samples::<Q15>(7, 3000), samples::<i8>(8, 3000));
    let expected: Vec<Q15> = a.iter().zip(&b).map(|(a, b)| Fixed::add(*a, *b)).collect();
    let mut out = vec![Q15(0); 3000];
    Fixed::add_into(&a, &b, &mut out).expect("equal lengths");
    assert_eq!(out, expected);
    out.copy_from_slice(&a);
    Fixed::add_in_place(&mut out, &b).expect("equal lengths");
    assert_eq!(out, expected);
    let mut found = vec![false; 3000];
    Fixed::less_into(&a, &b, &mut found).expect("equal lengths");
    assert!(a.iter().zip(&b).zip(&found).all(|((a, b), found)| Fixed::less(*a, *b) == *found));
    Fixed::negative_into(&a, &mut out).expect("equal lengths");
    assert!(a.iter().zip(&out).all(|(a, out)| Fixed::negative(*a) == *out));
    let condition: Vec<bool> = a.iter().map(|a| a.0 & 1 == 0).collect();
    Fixed::where_into(&condition, &a, &b, &mut out).expect("equal lengths");
    assert!((0..3000).all(|i| out[i] == Fixed::where_(condition[i], a[i], b[i])));
    assert_eq!(
        Fixed::add_into(&a, &b[1..], &mut out),
        Err(CallError::Length { role: promote::ArgumentRole::B, expected: 3000, found: 2999 })
    );
}

#[test]
fn run_time_calls_compute_in_the_custom_dtype() {
    let (a, b) = (samples::<Q15>(9, 1000), samples::<Q31>(10, 1000));
    let mut out = vec![Q31(0); 1000];
    RULES.binary(Op::Maximum, a[..].into(), b[..].into(), SliceMut::new(&mut out)).expect("a kernel");
    assert!((0..1000).all(|i| out[i] == Fixed::maximum(a[i], b[i])));
    let condition: Vec<bool> = b.iter().map(|b| b.0 & 1 == 0).collect();
    let arguments = [condition[..].into(), a[..].into(), b[..].into()];
    RULES.where_(arguments[0], arguments[1], arguments[2], SliceMut::new(&mut out)).expect("a kernel");
    assert!((0..1000).all(|i| out[i] == Fixed::where_(condition[i], a[i], b[i])));
    let mut roots = vec![Q15(0); 1000];
    RULES.unary(Op::Sqrt, a[..].into(), SliceMut::new(&mut roots)).expect("a kernel");
    assert!((0..1000).all(|i| roots[i] == Fixed::sqrt(a[i])));
}

#[test]
fn numbers_and_zero_dimensional_operands_enter_by_way_of_the_standard_type() {
    let a = samples::<Q15>(11, 100);
    let mut out = vec![Q15(0); 100];
    let mut add = |b: Argument<'_>| {
        RULES.binary(Op::Add, a[..].into(), b, SliceMut::new(&mut out)).map(|()| out.clone())
    };
    let by = |b: Q15| a.iter().map(|a| *a + b).collect::<Vec<_>>();
    assert_eq!(add(Number::Int(0).into()), Ok(by(Q15(0))));
    assert_eq!(add(Number::Int(7).into()), Ok(by(Q15(i16::MAX))));
    assert_eq!(add(Number::Bool(true).into()), Ok(by(Q15(i16::MAX))));
    assert_eq!(add(Argument::ZeroDim(Q15(5).into())), Ok(by(Q15(5))));
    assert_eq!(add(Argument::ZeroDim((-3_i64).into())), Ok(by(Q15(i16::MIN))));
    let cents = ScalarValue::from_number(Number::Int(12), Cents::DTYPE).expect("cast by way of i64");
    assert_eq!((cents.get(), cents.number()), (Some(Cents(1200)), Some(Number::Int(12))));
    assert_eq!(
        ScalarValue::from_bytes(Cents::DTYPE, cents.as_bytes()).map(|x| x.get()),
        Ok(Some(Cents(1200)))
    );
}

/// The result is rounded to the op's own dtype first, by way of `f64`, and that has twice the bytes of an
/// f16.
#[test]
fn a_result_for_an_out_of_another_dtype_is_written_there_alone() {
    const N: usize = 3000;
    let a: Vec<Q31> = samples::<Q31>(13, N).into_iter().map(|q| Q31(q.0 & i32::MAX)).collect();
    let view = TensorView::new(&a[..], &[N]).expect("as many elements");
    for step in [1, 2] {
        let mut memory = vec![f16::MAX; step * N + 4];
        let strides = [2 * step.cast_signed()];
        let out = TensorViewMut::byte_strided(&mut memory[..step * N], &[N], &strides, 0)
            .expect("within the memory");
        RULES.prepare(Op::Sqrt, &[(&view).into()]).out(out).run().expect("a cast that PyTorch allows");
        for (i, found) in memory.iter().enumerate() {
            let expected = if i < step * N && i % step == 0 {
                f16::from_f64(f64::from(Fixed::sqrt(a[i / step])))
            } else {
                f16::MAX
            };
            assert_eq!(*found, expected, "place {i} with {step} from one to the next");
        }
    }
}

#[test]
fn a_result_in_place_may_overlap_its_operands() {
    let a = samples::<Q15>(12, 5000);
    let mut out = a.clone();
    RULES.binary_in_place(Op::Multiply, SliceMut::new(&mut out), a[..].into()).expect("a kernel");
    assert!((0..5000).all(|i| out[i] == a[i] * a[i]));
    RULES.unary_in_place(Op::Negative, SliceMut::new(&mut out)).expect("a kernel");
    assert!((0..5000).all(|i| out[i] == -(a[i] * a[i])));
    // The operands are shifted by one element: each element is read before it is overwritten.
    let mut memory = a.clone();
    let pointer = memory.as_mut_ptr().cast::<u8>();
    // SAFETY: there are 4999 elements from the first and from the second on, and only the call touches them.
    let (from, to) = unsafe {
        (
            Slice::from_raw_parts(Q15::DTYPE, pointer, 4999).expect("elements"),
            SliceMut::from_raw_parts(Q15::DTYPE, pointer.add(2), 4999).expect("elements"),
        )
    };
    RULES.binary(Op::Add, Argument::Slice(from), a[1..].into(), to).expect("a kernel");
    assert!((1..5000).all(|i| memory[i] == a[i - 1] + a[i]));
}

#[test]
fn types_and_dtypes_follow_the_rule_file() {
    let _: Promoted<Q15, i64, Fixed> = Q15(1);
    let _: Promoted<f32, Q15, Fixed> = 1.0_f32;
    let _: Promoted<f32, Q31, Fixed> = 1.0_f64;
    let _: promote::OpOutput<op::Less, (Q15, Q31), Wider> = true;
    assert_eq!((Q15::DTYPE.name(), Q31::DTYPE.bits(), Degrees::DTYPE.align()), ("q15", 32, 4));
    assert_eq!(RULES.promote_types(Q15::DTYPE, DType::F32), Ok(DType::F32));
    assert_ne!(Q15::DTYPE, DType::BC32, "whose place in a list is that of the first own dtype");
}

#[test]
fn missing_traits_and_casts_are_refused_with_a_reason() {
    let text = |error: Error| error.to_string();
    let q = [Q15(1); 3];
    let mut out = [Q15(0); 3];
    let error =
        RULES.binary(Op::FloorDivide, q[..].into(), q[..].into(), SliceMut::new(&mut out)).map_err(text);
    assert_eq!(
        error,
        Err("the type of `q15` has no `floor_divide`; help: implement the trait for it that the op takes, or let the rule file compute in \
             another dtype"
            .to_owned())
    );
    let wider = Wider::new().rule_set();
    let masks = [Mask(5), Mask(250)];
    let mut found = [Mask(0); 2];
    wider.unary(Op::BitwiseNot, masks[..].into(), SliceMut::new(&mut found)).expect("a kernel");
    assert_eq!(found, [Mask(250), Mask(5)]);
    let error = wider.cast_kernel(Mask::DTYPE, DType::U8).expect_err("nothing says how").to_string();
    assert_eq!(
        error,
        "`mask` has no casts; help: derive `Element` with `#[element(via = f64)]` for its type"
    );
    let error = ScalarValue::from_number(Number::Int(1), Mask::DTYPE).expect_err("nothing says how");
    assert_eq!(error, CallError::NotCast { dtype: Mask::DTYPE });
    let error = wider.cast_kernel(Q31::DTYPE, Q15::DTYPE).expect_err("nothing says how").to_string();
    assert_eq!(
        error,
        "`q31` is not cast to `q15`; help: name the type of `q31` in `#[element(from(..))]` of that of `q15`"
    );
    // Custom dtypes have no reductions: by way of another dtype digits could be lost.
    let view = TensorView::new(&q[..], &[3]).expect("as many elements");
    for op in [Op::Sum, Op::Prod] {
        let error = RULES.call(op, &[(&view).into()]).map(|_| ()).map_err(text);
        assert_eq!(
            error,
            Err(format!(
                "this build does not reduce `q15` by `{op}`; help: cast to a standard dtype, with a rule set that has kernels"
            ))
        );
    }
    // A set has the kernels of its own dtypes only.
    let error = RULES.cast_kernel(Cents::DTYPE, DType::I64).expect_err("of another set");
    assert_eq!(error, CallError::NoElements { dtype: Cents::DTYPE });
    let kernel = RULES.kernel(Op::Add, Q15::DTYPE, Q15::DTYPE).expect("a kernel");
    let other = [Q31(0); 3];
    let error = kernel.call_slices(Slice::new(&q), Slice::new(&other), SliceMut::new(&mut out));
    let role = promote::ArgumentRole::B;
    assert_eq!(error, Err(CallError::DType { role, expected: Q15::DTYPE, found: Q31::DTYPE }));
}
