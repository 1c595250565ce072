//! Typed calls and typed scalars.

use promote_runtime::__private::convert::Overflow;
use promote_runtime::__private::kernel::{
    Kernel, KernelOp, KernelSource, Kernels, ScalarValue, Slice, SliceMut, call,
};
use promote_runtime::__private::{Lanes, OpKernel};
use promote_runtime::{Compute, CustomDType, DType, Element, Level, Op, OpRule, OpTypes, op};

use crate::set::{E5, F8, F16, KERNELS};

struct Rules;

impl KernelSource for Rules {
    const KERNELS: &'static Kernels = &KERNELS;
}

impl OpRule<op::Add, (i8, f32)> for Rules {
    type Common = f32;
    type Compute = f32;
    type Output = f32;
}

impl OpKernel<op::Add> for Rules {
    type Kernel = promote_runtime::__private::kernel::ops::Add;
}

#[test]
fn slices_scalars_and_types_give_equal_results() {
    let (a, b) = ([1_i8, -2, 3], [0.5_f32, 0.25, -1.0]);
    let expected = [1.5_f32, -1.75, 2.0];
    for &level in Level::ALL {
        Level::set(level);
        let types = OpTypes::uniform(DType::F32);
        let kernel = Kernel::find(&KERNELS, KernelOp::new(Op::Add), DType::I8, DType::F32, types).unwrap();
        let mut out = [0.0; 3];
        kernel.call_slices(Slice::new(&a), Slice::new(&b), SliceMut::new(&mut out)).unwrap();
        assert_eq!(out, expected);
        kernel.call(a.as_slice().into(), ScalarValue::new(2.0_f32).into(), SliceMut::new(&mut out)).unwrap();
        assert_eq!(out, [3.0, 0.0, 5.0]);
        call::<Rules, op::Add, i8, f32>(&a, &b, &mut out).unwrap();
        assert_eq!(out, expected);
    }
    assert_eq!(<Rules as Compute<op::Add, (i8, f32)>>::compute((1, 0.5)), 1.5);
}

macro_rules! rules {
    ($op:ident: $($a:ident $b:ident $common:ident $compute:ident,)*) => {$(
        impl OpRule<op::$op, ($a, $b)> for Rules {
            type Common = $common;
            type Compute = $compute;
            type Output = $common;
        }
    )*};
}

rules! { Add: i8 F16 F16 f32, i8 F8 F8 f32, E5 F8 f32 f32, i8 u64 i16 i16, i16 f32 f64 f64, }

/// Compares typed calls with the kernel that is found among those of the whole set.
fn equal_to_run_time<A: Element, B: Element, O>(a: &[A], b: &[B], zero: O)
where
    O: Element + PartialEq + core::fmt::Debug,
    Rules: OpRule<op::Add, (A, B), Output = O>,
{
    let types = OpTypes {
        common: <Rules as OpRule<op::Add, (A, B)>>::Common::DTYPE,
        compute: <Rules as OpRule<op::Add, (A, B)>>::Compute::DTYPE,
        output: O::DTYPE,
    };
    for &level in Level::ALL {
        Level::set(level);
        let (mut found, mut expected) = (vec![zero; a.len()], vec![zero; a.len()]);
        call::<Rules, op::Add, A, B>(a, b, &mut found).unwrap();
        let kernel = Kernel::find(&KERNELS, KernelOp::new(Op::Add), A::DTYPE, B::DTYPE, types).unwrap();
        kernel.call_slices(Slice::new(a), Slice::new(b), SliceMut::new(&mut expected)).unwrap();
        assert_eq!(found, expected, "{:?} and {:?} at {level}", A::DTYPE, B::DTYPE);
    }
}

#[test]
fn pipelines_of_typed_calls_have_all_their_casts() {
    let small = [1_i8, -2, 3, 100];
    let (halves, bytes, fives) = (
        small.map(|x| F16::from_f32(f32::from(x) / 8.0)),
        small.map(|x| F8::from_f32(f32::from(x) / 8.0)),
        small.map(|x| E5::from_f32(f32::from(x) / 4.0)),
    );
    equal_to_run_time(&small, &halves, F16::ZERO);
    equal_to_run_time(&small, &bytes, F8::ZERO);
    equal_to_run_time(&fives, &bytes, 0.0_f32);
    equal_to_run_time(&small, &[u64::MAX, 1, 2, 3], 0_i16);
    equal_to_run_time(&[-1_i16, 300, 2, 3], &[0.5_f32, 1e30, f32::INFINITY, -0.0], 0.0_f64);
}

static Q16: CustomDType = CustomDType::new("q16", 32, 4);

/// A fixed-point number: a custom dtype with a type of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct Fixed(i32);

// SAFETY: it is transparent over `i32`, which has the dtype's size and alignment and no padding, and of which
// every bit pattern is valid; the dtype has no other type, and `store_block` is not overridden.
unsafe impl Element for Fixed {
    const DTYPE: DType = DType::Custom(&Q16);
    type Repr = i32;
    type Reg = i32;
    type Itself = Self;

    fn from_repr(repr: i32) -> Self {
        Fixed(repr)
    }

    fn to_repr(self) -> i32 {
        self.0
    }

    fn load<L: Lanes>(_: L, repr: i32) -> i32 {
        repr
    }

    fn store<L: Lanes, W: Overflow>(_: L, reg: i32) -> i32 {
        reg
    }
}

#[test]
fn custom_dtypes_have_slices_and_scalars() {
    let elements = [Fixed(1 << 16), Fixed(-1)];
    let bytes: Vec<u8> = elements.iter().flat_map(|x| x.0.to_ne_bytes()).collect();
    let slice = Slice::new(&elements);
    assert_eq!((slice.dtype(), slice.len()), (Fixed::DTYPE, 2));
    assert_eq!(slice.as_slice(), Some(&elements[..]));
    assert!(slice.as_slice::<i32>().is_none());
    assert!(Slice::new(&[1_i32]).as_slice::<Fixed>().is_none());
    assert_eq!(Slice::from_bytes(Fixed::DTYPE, &[]).unwrap().as_slice::<Fixed>(), Some(&[][..]));
    let value = ScalarValue::new(elements[1]);
    assert_eq!((value.get(), value.get::<i32>(), value.as_bytes()), (Some(elements[1]), None, &bytes[4..]));
}
