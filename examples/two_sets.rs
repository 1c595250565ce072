//! Two systems side by side: a program that takes arrays from PyTorch and from NumPy asks each what it would do.
//!
//! `cargo run --example two_sets`

use half::f16;
use promote::{DType, NumPy, Op, Operand, Promoted, Torch};

fn main() {
    // At compile time: the set is a parameter of the type.
    let torch: Promoted<i32, f16, Torch> = Torch::add(2049_i32, f16::ZERO);
    let numpy: Promoted<i32, f16, NumPy> = NumPy::add(2049_i32, f16::ZERO);
    println!("2049 + f16: {torch} in PyTorch, {numpy} in NumPy");
    assert_eq!((torch.to_f32(), numpy), (2048.0, 2049.0));

    // At run time: a rule set is a value.
    let [torch, numpy] = [Torch::new().rule_set(), NumPy::new().rule_set()];
    for (op, a, b) in [
        (Op::Add, DType::U8, DType::F32),
        (Op::Divide, DType::I64, DType::I64),
        (Op::Add, DType::U16, DType::I16),
        (Op::Sum, DType::I32, DType::I32),
    ] {
        let operands = [a, b].map(Operand::Array);
        let operands = &operands[..op.arity()];
        let [x, y] = [torch, numpy].map(|rules| rules.op_types(op, operands).map(|types| types.output));
        let told =
            |found: Result<DType, _>| found.map_or_else(|_| "refused".to_owned(), |dtype| dtype.to_string());
        let agree = if x.is_ok() && x == y { "as" } else { "not as" };
        println!("{op} of {a}, {b}: {} in PyTorch, {agree} NumPy's {}", told(x), told(y));
    }

    // Data may pass between the two where both say the same.
    let same = DType::STANDARD.iter().flat_map(|a| DType::STANDARD.iter().map(move |b| (*a, *b))).filter(
        |&(a, b)| torch.promote_types(a, b).is_ok_and(|dtype| numpy.promote_types(a, b) == Ok(dtype)),
    );
    println!("they promote {} pairs of dtypes alike", same.count());
}
