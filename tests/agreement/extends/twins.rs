//! Two sets of one name in two modules of a crate, and an extension that tells them apart by their paths.

mod one {
    promote::rules! {
        rules Twin;
        dtypes i32 f32;
        promote { same => a; int, float => a; }
    }
}

mod other {
    promote::rules! {
        rules Twin;
        dtypes i32 f32;
        promote { same => a; int, float => b; }
    }
}

mod third {
    promote::rules! {
        rules Third extends super::other::Twin;
        dtypes f64;
        promote { f64, any => a; }
    }
}

// `(a, b)` holds for this declaration only: PyTorch's refusal of bool still matches either order.
mod ordered {
    promote::rules! {
        rules Ordered extends promote::Torch;
        op subtract (a, b) { f32, i32 => f64; }
    }
}

#[test]
fn an_extension_has_its_own_order() {
    use promote::{DType, Op, Operand};
    let ask = |a, b| ordered::Ordered::new().op_types(Op::Subtract, &[Operand::Array(a), Operand::Array(b)]);
    assert_eq!(ask(DType::F32, DType::I32).map(|types| types.output), Ok(DType::F64));
    assert_eq!(ask(DType::I32, DType::F32).map(|types| types.output), Ok(DType::F32));
    assert!(ask(DType::I32, DType::Bool).is_err() && ask(DType::Bool, DType::I32).is_err());
}

// An ordinary name, if an unusual one.
mod numbered {
    promote::rules! {
        rules _1;
        dtypes bool i32;
        promote { bool, i32 => refuse "choose"; same => a; }
    }
}

use promote::Promoted;

#[test]
fn extensions_of_one_base_are_independent() {
    let one: Promoted<i32, f32, one::Twin> = 1_i32;
    let other: Promoted<i32, f32, other::Twin> = 1.0_f32;
    let third: Promoted<i32, f32, third::Third> = 1.0_f32;
    let wide: Promoted<i32, f64, third::Third> = 1.0_f64;
    let same: Promoted<i32, i32, numbered::_1> = 1_i32;
    assert_eq!((f64::from(one), f64::from(other), f64::from(third), wide, same), (1.0, 1.0, 1.0, 1.0, 1));
}
