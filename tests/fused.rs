//! Every cell that can be fused is fused: a pair of arrays whose op computes in the register form of its common dtype has
//! one loop at every SIMD level above scalar, and does not fall back on blocks.

use promote::{DType, Level, Op, Operand, RuleSet, Torch};

fn check(rules: RuleSet) {
    let mut fused = 0;
    for op in rules.tables().ops.iter().filter(|table| table.kernel.is_some()).map(|table| table.op) {
        for &a in DType::WITH_TYPE {
            for &b in DType::WITH_TYPE {
                let Ok(types) = rules.op_types(op, &[Operand::Array(a), Operand::Array(b)]) else {
                    continue;
                };
                assert_eq!(types.compute, types.common.register(), "{} {op} {a} {b}", rules.name());
                for &level in
                    Level::ALL.iter().filter(|level| **level <= Level::best() && **level > Level::Scalar)
                {
                    let kernel = rules.kernel_at(level, op, a, b).expect("a kernel");
                    assert!(kernel.is_fused(), "{} {op} {a} {b} at {level}", rules.name());
                    fused += 1;
                }
            }
        }
    }
    println!("{}: {fused} fused kernels", rules.name());
}

#[test]
fn torch_is_fused_everywhere() {
    check(Torch::new().rule_set());
}

#[test]
fn a_call_gives_the_same_before_and_after_it_is_in_the_cache() {
    let rules = Torch::new().rule_set();
    for _ in 0..2 {
        for (a, b) in [(DType::I8, DType::F32), (DType::F32, DType::I8), (DType::F16, DType::BF16)] {
            for op in [Op::Greater, Op::Less, Op::Subtract, Op::Add] {
                let (cached, searched) = (rules.kernel(op, a, b), rules.kernel_at(Level::active(), op, a, b));
                assert_eq!(
                    cached.expect("a kernel").dtypes(),
                    searched.expect("a kernel").dtypes(),
                    "{op} {a} {b}"
                );
            }
        }
    }
    // Under another setting the same two dtypes are another kernel.
    let f64s = rules.with("default_dtype", "f64").expect("a parameter and its value");
    let kernel =
        |rules: RuleSet| rules.kernel(Op::Divide, DType::I32, DType::I32).expect("a kernel").dtypes()[2];
    assert_eq!((kernel(rules), kernel(f64s), kernel(rules)), (DType::F32, DType::F64, DType::F32));
}
