//! A custom rule set: NumPy's rules, without promotions that silently lose digits, and with quotients in f32.

use promote::{DType, NumPy, Op, Operand, Promoted};

promote::rules! {
    rules Careful extends promote::NumPy;

    // These clauses come before NumPy's, which decide all other pairs.
    promote {
        u64, signed                 => refuse "no integer holds both: cast one first";
        u64 | i64, float            => refuse "f64 has 53 digits: cast one first";
        u32 | i32, f32              => refuse "f32 has 24 digits: cast one first";
    }
    op divide { bool | u8 | i8 | u16 | i16 => f32; }
    op add    { number: wraps; }    // NumPy refuses u8 + 300

    law commutative;
}

fn main() {
    // Types: refused pairs do not compile, such as `Careful::add(1_i64, 1.0_f64)`.
    let quotient: f32 = Careful::divide(1_i16, 4_u8);
    let same: Promoted<u8, i16, Careful> = NumPy::add(200_u8, 100_i16);
    assert_eq!((quotient, same), (0.25, 300));

    // Run time: the error gives the reason and the line.
    let rules = Careful::new().rule_set();
    let refused = rules.promote_types(DType::I64, DType::F64).expect_err("it loses digits");
    println!("{refused}");
    assert_eq!(NumPy::new().promote_types(DType::I64, DType::F64), Ok(DType::F64));

    // Only `add` wraps numbers without a width to u8.
    let number = Operand::Number(promote::Number::Int(300));
    let wraps = |op| rules.op_types(op, &[Operand::Array(DType::U8), number]).is_ok();
    assert_eq!((wraps(Op::Add), wraps(Op::Multiply)), (true, false));
}
