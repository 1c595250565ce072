//! Fuzzes expressions over small arrays of every dtype. Each is refused or has a result; none panics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promote::{DType, NumPy, Op, RuleSet, Torch};
use promote_cli::array::Array;
use promote_cli::expr::{Expression, parse};
use promote_cli::plan::Plan;
use promote_cli::stored::Input;

/// Returns the array of a name. The position of the name decides its dtype, its axes and its elements.
fn array(place: usize) -> Array {
    let dtypes = DType::WITH_TYPE;
    let shape = if place % 5 == 4 { vec![] } else { vec![2, 3] };
    let mut array = Array::zeros(dtypes[place % dtypes.len()], shape).expect("a few bytes");
    for (i, byte) in array.bytes_mut().iter_mut().enumerate() {
        *byte = (i * 59 + place * 31) as u8;
    }
    array.normalise_bools();
    array
}

fn compute(rules: RuleSet, expression: &Expression) {
    let inputs: Vec<Input> = (0..expression.names.len()).map(|place| array(place).into()).collect();
    let Ok(plan) = Plan::new(rules, expression, &inputs) else { return };
    // A number alone is not an operand.
    let Ok(dtype) = plan.dtype() else { return };
    let mut bytes = 0;
    let count = |block: &mut [u8]| {
        bytes += block.len();
        Ok(())
    };
    if plan.run(&mut { count }, |_| {}).is_ok() {
        assert!(plan.shape().is_empty() || plan.shape() == [2, 3]);
        assert_eq!(bytes, plan.shape().iter().product::<usize>() * dtype.size().expect("it was computed"));
    }
}

fuzz_target!(|text: &str| {
    let _ = parse(text, Op::STANDARD);
    for rules in [Torch::new().rule_set(), NumPy::new().rule_set()] {
        let tables = rules.tables().ops.iter();
        let ops: Vec<Op> = tables.filter(|table| table.kernel.is_some()).map(|table| table.op).collect();
        if let Ok(expression) = parse(text, &ops) {
            compute(rules, &expression);
        }
    }
    // Frees the source texts of all spans.
    proc_macro2::extra::invalidate_current_thread_spans();
});
