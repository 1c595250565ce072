//! The pairs of dtypes that have a kernel of their own, and those that run in one loop.
//!
//! Every cell that is worth it has its own: where a pair of arrays, or one, computes in the register form of
//! its common dtype and of its result, an op of arithmetic, comparison, bits or logic has one kernel at every
//! SIMD level above scalar; `where`, `fmax` and `fmin` of floats if both operands have the common dtype.

use promote::{DType, Level, Op, Operand, RuleSet, Torch};
use promote_core::__private::KernelInfo;

#[path = "common/bundled.rs"]
mod bundled;

fn check(rules: &RuleSet) {
    let mut own = 0;
    // The kernels of two operands of two dtypes: all of them, and those that run in one loop.
    let (mut mixed, mut loops) = (0, 0);
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
            let alike = dtypes.iter().all(|dtype| *dtype == types.common);
            let computes = info.is_fused(types.compute, alike);
            let worth = dtypes
                .iter()
                .chain([&types.common, &types.output])
                .all(|dtype| KernelInfo::has_loops(*dtype));
            if types.compute != types.common.register()
                || !(stored && computes && worth && types.output.has_type())
            {
                continue;
            }
            for &level in Level::ALL.iter().filter(|level| **level <= Level::best() && **level > Level::BASE)
            {
                let found = match dtypes[..] {
                    [a] => rules.unary_kernel_at(level, table.op, a),
                    [a, b, ..] => rules.kernel_at(level, table.op, a, b),
                    [] => unreachable!("an op has operands"),
                };
                let found = found.unwrap_or_else(|error| panic!("{} {dtypes:?}: {error}", table.op));
                assert!(!found.is_blocked(), "{} {} {dtypes:?} at {level}", rules.name(), table.op);
                own += 1;
                if dtypes.len() > 1 && dtypes[0] != dtypes[1] {
                    mixed += 1;
                    loops += usize::from(found.is_fused());
                }
            }
        }
    }
    println!("{}: {own} kernels; of {mixed} for two dtypes {loops} run in one loop", rules.name());
}

#[test]
fn fused_kernels_run_in_one_loop() {
    let rules = Torch::new().rule_set();
    let kernel = |op, a, b| {
        let kernel = rules.kernel_at(Level::best(), op, a, b).expect("a kernel");
        (kernel.is_fused(), kernel.is_blocked())
    };
    assert_eq!(kernel(Op::Add, DType::I8, DType::F32), (true, false), "one loop loads and converts both");
    assert_eq!(
        kernel(Op::Maximum, DType::F32, DType::I16),
        (false, false),
        "a cast before the kernel of f32"
    );
    assert_eq!(kernel(Op::Atan2, DType::F32, DType::F64), (false, true), "casts at each call");
}

#[test]
fn every_rule_set_has_the_loops_that_its_cells_ask_for() {
    for rules in bundled::bundled() {
        check(&rules);
    }
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
