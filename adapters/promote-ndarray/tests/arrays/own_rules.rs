//! A rule set of the user's own has all functions.

use ndarray::{Axis, array};
use promote::half::f16;
use promote::weak;
use promote_ndarray::NdOps;

mod rules {
    promote::rules! {
        rules Careful;

        dtypes bool u8 i16 i32 f16 f32 f64;
        numbers { bool => bool; int => i32; float => f32; complex => refuse "there are no complex numbers"; }
        opmath { f16 => f32; }
        promote {
            bool, any => refuse "bool is not a numeric type";
            any, any  => join;
        }
        yield array > number by kind {
            any, any => promote(a, b);
        }

        op add multiply;
        op less -> bool;
        op sum { int => i32; }
        op max;

        cast safe { any, any if !holds(b, a) => refuse "may lose values"; }
        inplace safe;
    }
}
use rules::Careful;

#[test]
fn own_rule_sets_compute_on_arrays() {
    // f32 does not hold every i32.
    let sum = Careful::add_nd(&array![[1_i32], [2]], &array![0.5_f32, 0.25]).unwrap();
    assert_eq!(sum, array![[1.5_f64, 1.25], [2.5, 2.25]]);
    let product = Careful::nd(&array![2_u8, 3]) * &array![f16::from_f32(0.5), f16::ONE];
    assert_eq!(product.into_inner(), array![f16::ONE, f16::from_f32(3.0)]);
    assert_eq!(Careful::less_nd(&array![1_u8, 200], &array![2_i16]).unwrap(), array![true, false]);
}

#[test]
fn own_rule_sets_reduce_and_write_in_place() {
    let mut a = array![[1_i16, 2], [3, 4]];
    assert_eq!(Careful::sum_axis_nd(&a, Axis(0)).unwrap(), array![4_i32, 6]);
    assert_eq!(Careful::max_nd(&a).unwrap(), 4_i16);
    Careful::add_assign_nd(&mut a, &array![1_u8, 2]).unwrap();
    assert_eq!(a, array![[2, 4], [4, 6]]);
    assert!(Careful::add_assign_nd(&mut a, weak(0.5)).is_err());
    assert_eq!(Careful::multiply_nd(&a, weak(2)).unwrap(), array![[4_i16, 8], [8, 12]]);
}
