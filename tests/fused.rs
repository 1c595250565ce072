//! The pairs of dtypes that run in one loop.
//!
//! An op that costs no more than the conversion of its operands has a loop for each pair of dtypes that it
//! computes in the register form of their common dtype, at every SIMD level above scalar, unless there is a
//! [`PipelineReason`] for the pair.

use promote::{DType, Level, Op, Operand, RuleSet, Torch};
use promote_core::__private::PipelineReason;

#[path = "common/bundled.rs"]
mod bundled;

/// Checks each kernel of a rule set, and returns the number of pairs of two dtypes that have a loop.
fn check(rules: &RuleSet) -> usize {
    let mut loops = 0;
    for table in rules.tables().ops {
        let Some(kernel) = table.kernel else { continue };
        let info = table.op.info().kernel.expect("an op with kernels");
        let mut pairs: Vec<Vec<DType>> = Vec::new();
        for &a in DType::WITH_TYPE {
            match table.op.arity() {
                1 => pairs.push(vec![a]),
                _ => pairs.extend(DType::WITH_TYPE.iter().map(|b| vec![a, *b])),
            }
        }
        for dtypes in pairs {
            let operands: Vec<Operand> = dtypes.iter().map(|dtype| Operand::Array(*dtype)).collect();
            let Ok(types) = rules.op_types(table.op, &operands) else { continue };
            let stored = types.output.register() == kernel.result(types.compute);
            let computes = types.compute == types.common.register() && info.is_fused(types.compute);
            if !(stored && computes && types.output.has_type()) {
                continue;
            }
            let [a, b] = [dtypes[0], *dtypes.last().expect("a dtype")];
            let reason = PipelineReason::find([a, b], types.common, types.output);
            for &level in Level::ALL.iter().filter(|level| **level <= Level::best() && **level > Level::BASE)
            {
                let found = match dtypes[..] {
                    [a] => rules.unary_kernel_at(level, table.op, a),
                    _ => rules.kernel_at(level, table.op, a, b),
                };
                let found = found.unwrap_or_else(|error| panic!("{} {dtypes:?}: {error}", table.op));
                assert_eq!(
                    found.is_fused(),
                    reason.is_none(),
                    "{} {} {dtypes:?} at {level}: {reason:?}",
                    rules.name(),
                    table.op
                );
            }
            loops += usize::from(a != b && reason.is_none());
        }
    }
    loops
}

#[test]
fn fused_kernels_run_in_one_loop() {
    let rules = Torch::new().rule_set();
    let kernel = |op, a, b| {
        let kernel = rules.kernel_at(Level::best(), op, a, b).expect("a kernel");
        (kernel.is_fused(), kernel.is_blocked())
    };
    assert_eq!(kernel(Op::Add, DType::I8, DType::F32), (true, false), "one loop loads and converts both");
    assert_eq!(kernel(Op::Where, DType::F32, DType::I16), (true, false), "one loop converts and selects");
    assert_eq!(
        kernel(Op::Add, DType::F16, DType::I32),
        (false, false),
        "i32 is rounded to f16 before the loop"
    );
    assert_eq!(kernel(Op::Atan2, DType::F32, DType::F64), (false, true), "casts at each call");
}

#[test]
fn every_pair_has_a_loop_unless_there_is_a_reason() {
    let loops: Vec<(&str, usize)> =
        bundled::bundled().iter().map(|rules| (rules.name(), check(rules))).collect();
    let torch = loops.iter().find(|(name, _)| *name == "Torch").expect("the rule set");
    assert!(torch.1 > 2000, "{loops:?}");
}

/// So rounding to the common dtype is all that a result needs that goes to an `out` of another one.
#[test]
fn ops_that_compute_in_a_wider_dtype_return_the_common_dtype() {
    let mut seen = 0;
    for rules in bundled::bundled() {
        for table in rules.tables().ops {
            let Some(kernel) = table.kernel else { continue };
            for &a in DType::WITH_TYPE {
                for &b in if table.op.arity() == 1 { &[DType::Bool][..] } else { DType::WITH_TYPE } {
                    let operands = [a, b].map(Operand::Array);
                    let Ok(types) = rules.op_types(table.op, &operands[..table.op.arity()]) else { continue };
                    if types.compute != types.common && kernel.result(types.compute) == types.compute {
                        assert_eq!(types.output, types.common, "{} {} {a} {b}", rules.name(), table.op);
                        seen += 1;
                    }
                }
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}

#[test]
fn cached_kernels_give_the_results_of_the_first_call() {
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
    for _ in 0..2 {
        let [one, other] = [
            rules.unary_kernel(Op::Exp, DType::F32),
            rules.unary_kernel_at(Level::active(), Op::Exp, DType::F32),
        ];
        assert_eq!(one.expect("a kernel").dtypes(), other.expect("a kernel").dtypes());
        assert!(rules.kernel(Op::Exp, DType::F32, DType::F32).is_err());
        assert!(rules.unary_kernel(Op::Add, DType::F32).is_err());
        assert!(rules.kernel(Op::Add, DType::F32, DType::F32).is_ok());
    }
    // Under another setting the same two dtypes are another kernel.
    let f64s = rules.with("default_dtype", "f64").expect("a parameter and its value");
    let kernel =
        |rules: RuleSet| rules.kernel(Op::Divide, DType::I32, DType::I32).expect("a kernel").dtypes()[2];
    assert_eq!((kernel(rules), kernel(f64s), kernel(rules)), (DType::F32, DType::F64, DType::F32));
}
