//! Two rule sets in one program, which takes arrays from PyTorch and from NumPy.
//!
//! `cargo run --example two_sets`

use half::f16;
use promote::{DType, NumPy, Op, Operand, Promoted, RuleSet, Torch};

fn main() {
    // At compile time the rule set is a type parameter.
    let torch: Promoted<i32, f16, Torch> = Torch::add(2049_i32, f16::ZERO);
    let numpy: Promoted<i32, f16, NumPy> = NumPy::add(2049_i32, f16::ZERO);
    println!("2049 + f16: {torch} in PyTorch, {numpy} in NumPy");
    assert_eq!((torch.to_f32(), numpy), (2048.0, 2049.0));

    // At run time the rule set is a value.
    let [torch, numpy] = [Torch::new().rule_set(), NumPy::new().rule_set()];
    for (op, a, b) in [
        (Op::Add, DType::U8, DType::F32),
        (Op::Divide, DType::I64, DType::I64),
        (Op::Add, DType::U16, DType::I16),
        (Op::Subtract, DType::Bool, DType::Bool),
    ] {
        let operands = [a, b].map(Operand::Array);
        let [x, y] = [torch, numpy].map(|rules| rules.op_types(op, &operands).map(|types| types.output));
        let told = match (x, y) {
            (Ok(x), Ok(y)) if x == y => format!("{x} in both"),
            (Ok(x), Ok(y)) => format!("{x} in PyTorch, {y} in NumPy"),
            (Ok(x), Err(_)) => format!("{x} in PyTorch, and NumPy refuses"),
            (Err(_), Ok(y)) => format!("PyTorch refuses, and NumPy gives {y}"),
            (Err(_), Err(_)) => "both refuse".to_owned(),
        };
        println!("{op} of {a} and {b}: {told}");
    }
    let sum =
        |rules: RuleSet| rules.op_types(Op::Sum, &[Operand::Array(DType::I32)]).map(|types| types.output);
    assert_eq!((sum(torch), sum(numpy)), (Ok(DType::I64), Ok(DType::I64)));
    println!("sum of i32: i64 in both");

    // Data can pass between the two if both have the same answer.
    let same = DType::STANDARD.iter().flat_map(|a| DType::STANDARD.iter().map(move |b| (*a, *b))).filter(
        |&(a, b)| torch.promote_types(a, b).is_ok_and(|dtype| numpy.promote_types(a, b) == Ok(dtype)),
    );
    println!("they promote {} pairs of dtypes alike", same.count());
}
