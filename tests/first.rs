//! tmp
use promote::*;
use half::f16;
#[test]
fn go() {
    let a: f16 = Torch::add(1_i32, f16::ONE);
    assert_eq!(a, f16::from_f32(2.0));
    let mut out = [0f32; 5];
    Torch::add_into(&[1i8,2,3,4,5], &[0.5f32;5], &mut out).unwrap();
    assert_eq!(out, [1.5,2.5,3.5,4.5,5.5]);
    let r = Torch::new().rule_set();
    println!("{:?}", r.op_types(Op::Divide, &[Operand::Array(DType::I32), Operand::Scalar(3.into())]));
    println!("{}", r.op_types(Op::Less, &[Operand::Array(DType::C64), Operand::Scalar(3.into())]).unwrap_err());
    println!("{}", r.promote_types(DType::U16, DType::I32).unwrap_err());
    const D: DType = match Torch::new().promote_types(DType::F16, DType::BF16) { Ok(d) => d, Err(_) => panic!() };
    assert_eq!(D, DType::F32);
    let mut bytes = [1f32; 3];
    r.binary(Op::Multiply, Argument::from(&[1u8,2,3][..]), Number::Float(2.5).into(), kernel::SliceMut::new(&mut bytes)).unwrap();
    println!("{:?}", bytes);
}
