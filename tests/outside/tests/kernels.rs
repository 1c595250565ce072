//! Custom ops, on types and at run time.

#![deny(warnings)]

use dtypes::SliceMut;
use dtypes::op::OpType;
use dtypes::{Argument, Number, Torch};
use outside::fixed::Q8;
use outside::kernels::{
    Axpy, AxpyExt, Blend, BlendExt, Clip, ClipExt, Leaky, LeakyExt, RootMeanSquare, RootMeanSquareExt,
};
use outside::rules::Workshop;

#[test]
fn ops_compute_single_elements() {
    assert!((Torch::axpy(2_i8, 1.5_f32, 1_u8) - 4.0_f32).abs() < 1e-9);
    assert_eq!(Torch::axpy(100_i8, 2_u8, 1_i8), 201_i16);
    assert_eq!(Torch::clip(300_i32, 0_u8, 255_u8), 255_i32);
    assert!((Torch::leaky(-2.0_f32) + 0.2).abs() < 1e-6);
    assert!((Torch::root_mean_square(1_i32, 7_i32) - 5.0_f32).abs() < 1e-6);
    // The rule file divides these numbers in f64, and the kernel has the types of a division.
    assert_eq!(Workshop::root_mean_square(Q8::from(1.0), 7_i8), Q8::from(5.0));
}

#[test]
fn ops_compute_slices() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = [0.0_f32; 100];
    Torch::axpy_into(3_i8, &[0.5_f32; 100], &[1_i64; 100], &mut out)?;
    assert!(out.iter().all(|x| (x - 2.5).abs() < 1e-9));
    let mut clipped = [0_i16; 3];
    Torch::clip_into(&[-5_i16, 7, 500], 0_u8, &[255_u8; 3], &mut clipped)?;
    assert_eq!(clipped, [0, 7, 255]);
    Torch::clip_into(&[-5_i16, 7], 0_u8, 9_u8, &mut clipped).expect_err("the lengths differ");
    Ok(())
}

#[test]
fn ops_compute_at_run_time() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Torch::new().rule_set();
    let (x, y) = ([1_i8; 100], [0.5_f32; 100]);
    let mut out = [0.0_f32; 100];
    rules.elementwise(
        Axpy::OP,
        &[Argument::Number(Number::Float(0.25)), x[..].into(), y[..].into()],
        SliceMut::new(&mut out),
    )?;
    assert!(out.iter().all(|x| (x - 0.75).abs() < 1e-9));
    rules.elementwise(Leaky::OP, &[y[..].into()], SliceMut::new(&mut out))?;
    assert!(out.iter().all(|x| (x - 0.5).abs() < 1e-9));

    let mut clipped = [0_i16; 2];
    rules.elementwise(
        Clip::OP,
        &[[-3_i16, 3][..].into(), [0_u8; 2][..].into(), [1_u8; 2][..].into()],
        SliceMut::new(&mut clipped),
    )?;
    assert_eq!(clipped, [0, 1]);

    let mut fixed = [Q8(0); 2];
    let workshop = Workshop::new().rule_set();
    workshop.elementwise(
        RootMeanSquare::OP,
        &[[Q8::from(1.0); 2][..].into(), [7_i8; 2][..].into()],
        SliceMut::new(&mut fixed),
    )?;
    assert_eq!(fixed, [Q8::from(5.0); 2]);
    Ok(())
}

#[test]
fn a_rule_file_decides_the_dtypes_of_a_named_op() -> Result<(), Box<dyn std::error::Error>> {
    assert!((Workshop::blend(1_i32, 3_u8, 1_i8) - 3.0_f32).abs() < 1e-9);
    assert_eq!(Workshop::blend(Q8::from(1.0), 3_i8, Q8::from(0.25)), Q8::from(1.5));
    let mut out = [Q8(0); 2];
    let rules = Workshop::new().rule_set();
    let (a, b, t) = ([Q8::from(1.0); 2], [3_i8; 2], [Q8::from(0.5); 2]);
    rules.elementwise(Blend::OP, &[a[..].into(), b[..].into(), t[..].into()], SliceMut::new(&mut out))?;
    assert_eq!(out, [Q8::from(2.0); 2]);
    let refused = rules
        .elementwise(
            Blend::OP,
            &[[true; 2][..].into(), [true; 2][..].into(), [true; 2][..].into()],
            SliceMut::new(&mut out),
        )
        .expect_err("a truth value")
        .to_string();
    assert!(refused.contains("a truth value is no point"), "{refused}");
    Ok(())
}
