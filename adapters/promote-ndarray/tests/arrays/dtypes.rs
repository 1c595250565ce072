//! Every pair of a dozen dtypes, compared with a cast and ndarray's own `+`.

use std::fmt::Debug;

use ndarray::{Array1, Array2, Zip, array};
use promote::half::{bf16, f16};
use promote::num_complex::Complex;
use promote::{Cast, ConvertTo, Element, OpRule, Torch, op, weak};
use promote_ndarray::prelude::*;

/// Addition as ndarray has it.
trait Naive: Sized {
    fn plus(a: &Array2<Self>, b: &Array1<Self>) -> Array2<Self>;
}

macro_rules! naive {
    ($($ty:ty)*) => {$(
        impl Naive for $ty {
            fn plus(a: &Array2<Self>, b: &Array1<Self>) -> Array2<Self> {
                a + b
            }
        }
    )*};
}

naive! { u8 i8 i16 i32 i64 bf16 f16 f32 f64 Complex<f32> Complex<f64> }

impl Naive for bool {
    fn plus(a: &Array2<bool>, b: &Array1<bool>) -> Array2<bool> {
        Zip::from(a).and_broadcast(b).map_collect(|a, b| *a || *b)
    }
}

fn check<A, B, P>()
where
    Torch: OpRule<op::Add, (A, B), Output = P>,
    A: Element + ConvertTo<P>,
    B: Element + ConvertTo<P>,
    i8: ConvertTo<A> + ConvertTo<B>,
    P: Element + Naive + Debug + PartialEq,
{
    // Small numbers, which no addition overflows, and as many as loops need.
    let a =
        Array2::from_shape_fn((7, 33), |(i, j)| Cast::<A>::cast(i8::try_from((i * 33 + j) % 60).unwrap()));
    let b = Array1::from_shape_fn(33, |j| Cast::<B>::cast(i8::try_from(j).unwrap()));
    let cast = P::plus(&a.mapv(Cast::<P>::cast), &b.mapv(Cast::<P>::cast));
    let names = (A::DTYPE, B::DTYPE);
    assert_eq!(Torch::add_nd(&a, &b).unwrap(), cast, "{names:?}");
    let columns = a.t().as_standard_layout().into_owned();
    assert_eq!(Torch::add_nd(columns.t(), &b).unwrap(), cast, "{names:?}, transposed");
}

macro_rules! pairs {
    ($($ty:ty)*) => {
        pairs! { @rows [$($ty)*] [$($ty)*] }
    };
    (@rows [$($a:ty)*] $b:tt) => {
        $(pairs! { @row $a $b })*
    };
    (@row $a:ty [$($b:ty)*]) => {
        $(check::<$a, $b, _>();)*
    };
}

#[test]
fn every_pair_adds_as_after_a_cast() {
    pairs! { bool u8 i8 i16 i32 i64 bf16 f16 f32 f64 Complex<f32> Complex<f64> }
}

#[test]
fn ops_have_the_types_of_the_rule_set() {
    let (a, b) = (array![7_i32, -7], array![2_u8, 2]);
    assert_eq!(Torch::divide_nd(&a, &b).unwrap(), array![3.5_f32, -3.5]);
    assert_eq!(Torch::floor_divide_nd(&a, &b).unwrap(), array![3_i32, -4]);
    assert_eq!(Torch::remainder_nd(&a, &b).unwrap(), array![1_i32, 1]);
    assert_eq!(Torch::less_nd(&a, &b).unwrap(), array![false, true]);
    assert_eq!(Torch::maximum_nd(&a, &b).unwrap(), array![7_i32, 2]);
    assert_eq!(Torch::pow_nd(&b, weak(3)).unwrap(), array![8_u8, 8]);
    assert_eq!(Torch::sqrt_nd(&array![4_i64]).unwrap(), array![2.0_f32]);
    assert_eq!(Torch::negative_nd(&a).unwrap(), array![-7_i32, 7]);
    assert_eq!(Torch::where_nd(&array![true, false], &a, weak(0)).unwrap(), array![7_i32, 0]);
    assert_eq!(Torch::abs_nd(&array![Complex::new(3.0_f32, 4.0)]).unwrap(), array![5.0_f32]);
}

#[test]
fn numbers_without_a_width_do_not_widen() {
    let halves = array![f16::from_f32(1.5), f16::from_f32(-2.0)];
    assert_eq!(
        Torch::multiply_nd(&halves, weak(2.0)).unwrap(),
        array![f16::from_f32(3.0), f16::from_f32(-4.0)]
    );
    assert_eq!(Torch::add_nd(weak(1), &array![1_i8]).unwrap(), array![2_i8]);
    assert_eq!(Torch::add_nd(&array![1_i8], weak(0.5)).unwrap(), array![1.5_f32]);
}
