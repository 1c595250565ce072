//! Nothing panics, and what comes out has the dtype that the rule set says: every op, on the ends of every
//! dtype.

use promote::ScalarValue;
use promote::{DType, Number, Op, Operand, Torch, TorchDefaultDtype};
use promote_reference::{Options, Value, dot, evaluate, joined, reduce};

/// Numbers at the ends of ranges, and none.
const NUMBERS: [Number; 14] = [
    Number::Bool(true),
    Number::Int(0),
    Number::Int(-1),
    Number::Int(1),
    Number::Int(i128::MAX),
    Number::Int(i128::MIN),
    Number::Int(u64::MAX as i128),
    Number::Int(i64::MIN as i128),
    Number::Float(-0.0),
    Number::Float(f64::MAX),
    Number::Float(5e-324),
    Number::Float(f64::NEG_INFINITY),
    Number::Float(f64::NAN),
    Number::Complex(f64::INFINITY, f64::NAN),
];

fn elements(dtype: DType) -> Vec<ScalarValue> {
    NUMBERS.iter().filter_map(|number| ScalarValue::from_number(*number, dtype).ok()).collect()
}

#[test]
fn every_op_of_every_dtype() {
    let rules = [Torch::new(), Torch::new().with_default_dtype(TorchDefaultDtype::Bf16)]
        .map(|torch| torch.rule_set());
    let mut found = 0;
    for rules in &rules {
        for &op in Op::STANDARD {
            for &dtype in DType::WITH_TYPE {
                let elements = elements(dtype);
                let mut operands: Vec<Value> = elements.iter().copied().map(Value::Array).collect();
                operands.extend(elements.iter().copied().map(Value::ZeroDim));
                operands.extend(NUMBERS.map(Value::Number));
                for a in &operands {
                    for to in [DType::U32, DType::F8E4M3FN, DType::C32, DType::BC32] {
                        let options = Options { to: Some(to), ..Options::default() };
                        found += usize::from(evaluate(rules, op, &[*a], &options).is_ok());
                    }
                    for b in &operands {
                        let options = Options { log_input: false, full: true, ..Options::default() };
                        if let Ok(c) = evaluate(rules, op, &[*a, *b], &options) {
                            let types = rules.op_types(op, &[a.operand(), b.operand()]);
                            assert_eq!(Ok(c.dtype()), types.map(|types| types.output), "{op} {dtype}");
                            found += 1;
                        }
                    }
                }
                if let Ok(list) = reduce(rules, op, dtype, &elements) {
                    let types = rules.op_types(op, &[Operand::Array(dtype)]).expect("it was reduced");
                    assert!(list.iter().all(|x| x.dtype() == types.output), "{op} {dtype}");
                    found += 1;
                }
                let _ = dot(rules, (dtype, &elements), (dtype, &elements));
                let _ = joined(rules, op, [operands[0], operands[1], operands[2]], &Options::default());
            }
        }
    }
    assert!(found > 100_000, "only {found} results");
}
