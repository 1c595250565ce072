//! Containers promote, and compute as their elements do.

#![deny(warnings)]

use std::marker::PhantomData;

use dtypes::{Promoted, Torch, weak};
use outside::containers::{Cells, Measured, Origin, Range, Sample, Segment, Vec3, sum};
use outside::fixed::Q8;

#[test]
fn fields_promote_by_their_parameters() {
    let pixel: Promoted<Vec3<u8>, Vec3<i8>> = Vec3 { x: 200_i16, y: 0, z: 0 };
    assert_eq!(pixel.x, 200_i16);
    let sample: Promoted<Sample<u8, i32>, Sample<i8, f32>> = Sample(1_i16, 1.0_f32);
    assert!(sample == Sample(1_i16, 1.0_f32));
    let _: Promoted<Origin, Origin> = Origin;
    let range: Promoted<Range<u8>, Range<f64>, Torch> = Range { low: 1.0_f64, high: 2.0 };
    assert!(range.low < range.high);
}

#[test]
fn operators_take_other_elements_by_value_and_by_reference() {
    let (a, b) = (Vec3 { x: 200_u8, y: 7, z: 3 }, Vec3 { x: -1_i8, y: 2, z: 2 });
    assert!(a + b == Vec3 { x: 199_i16, y: 9, z: 5 });
    let (left, right) = (&a, &b);
    assert!(left - b == Vec3 { x: 201_i16, y: 5, z: 1 });
    assert!(a * right == Vec3 { x: -200_i16, y: 14, z: 6 });
    assert!(left / right == Vec3 { x: -200.0_f32, y: 3.5, z: 1.5 });
    assert!(a % b == Vec3 { x: 0_i16, y: 1, z: 1 });
    assert!(-b == Vec3 { x: 1_i8, y: -2, z: -2 });
    assert!(a > b);
    assert!(sum(a, b) == a + b);
}

#[test]
fn results_in_place_have_the_type_of_the_left_operand() {
    let mut a = Vec3 { x: 1.5_f32, y: 2.0, z: 3.0 };
    a += Vec3 { x: 1_u8, y: 1, z: 1 };
    a *= weak(2.0);
    assert!(a == Vec3 { x: 5.0_f32, y: 6.0, z: 8.0 });
}

#[test]
fn numbers_without_a_width_take_that_of_the_container() {
    let a = Vec3 { x: 1_u8, y: 2, z: 255 };
    assert!(a + weak(1) == Vec3 { x: 2_u8, y: 3, z: 0 });
    assert!(a * weak(0.5) == Vec3 { x: 0.5_f32, y: 1.0, z: 127.5 });
    assert!(weak(0.5) * a == a / weak(2));
}

#[test]
fn containers_of_containers_promote() {
    let at = |x: f32| Vec3 { x, y: 0.0, z: 0.0 };
    let a = Segment { from: at(0.0), to: at(1.0), name: "left".to_owned(), unit: PhantomData::<Origin> };
    let b = Segment {
        from: Vec3 { x: 1_u8, y: 1, z: 1 },
        to: Vec3 { x: 2, y: 2, z: 2 },
        name: "right".to_owned(),
        unit: PhantomData,
    };
    let both: Segment<f32, Origin> = a + b;
    assert_eq!(both.name, "left");
    assert!(both.from == Vec3 { x: 1.0_f32, y: 1.0, z: 1.0 });
    assert!(both.to == Vec3 { x: 3.0_f32, y: 2.0, z: 2.0 });
}

#[test]
fn operators_compute_in_the_rule_set_that_is_named() {
    let (a, b) = (Cells { cells: [Q8(256); 4] }, Cells { cells: [1_i8, 2, 3, -1] });
    assert!(a + b == Cells { cells: [Q8(512), Q8(768), Q8(1024), Q8(0)] });
    let torch: Promoted<Cells<u8, 2>, Cells<i8, 2>, Torch> = Cells { cells: [1_i16, 2] };
    assert_eq!((torch - Cells { cells: [1_u8, 1] }).cells, [0_i16, 1]);
    let range = Range { low: 1_u8, high: 3 } - Range { low: 0.5_f32, high: 1.0 };
    assert!((range.low..range.high).contains(&1.0_f32));
}

#[test]
fn functions_compute_their_fields() {
    let sum = Measured { value: 1_i32, variance: 0.25 } + Measured { value: 0.5_f32, variance: 0.5 };
    assert!((sum.value, sum.variance) == (1.5_f32, 0.75));
}
