//! Semantics that recorded values of one system imply for every rule set.

use promote::{DType, Op, Operand};

use crate::bundled::bundled;

const NARROW: [DType; 4] = [DType::F8E4M3FN, DType::F8E5M2, DType::F16, DType::BF16];

#[test]
fn nextafter_steps_in_the_dtype_of_its_result() {
    let mut sets = 0;
    for rules in bundled() {
        let asked = NARROW.iter().filter_map(|&dtype| {
            let types = rules.op_types(Op::Nextafter, &[Operand::Array(dtype); 2]).ok()?;
            Some((dtype, types))
        });
        let mut found = 0;
        for (dtype, types) in asked {
            assert_eq!(types.compute, types.common, "{}, {dtype}", rules.name());
            assert_eq!(types.output, types.common, "{}, {dtype}", rules.name());
            found += 1;
        }
        sets += usize::from(found > 0);
    }
    assert!(sets >= 6, "only {sets} rule sets step in narrow floats");
}
