//! Measures the costs of building an iteration and of running an op by it.
//!
//! The op is `add` of contiguous f32 with f32, and of i32 with f32, for 8 and 1024 elements. The baseline is
//! a call of a kernel handle. Measured beside it are a call that looks the kernel up (`binary`), an iteration
//! that is built once and run often, and one that is built for each call. The output is nanoseconds for one
//! call, and those above the baseline.
//!
//! `cargo bench --bench iteration`

use promote::{DType, Element, IterationConfig, Op, RuleSet, Torch};
use promote::{Slice, SliceMut};
use promote_measure::paired;
use std::hint::black_box;

fn main() {
    let rules = Torch::new().rule_set();
    println!(
        "{:24} {:>8} {:>16} {:>16} {:>16}",
        "ns a call, `add`", "kernel", "binary", "built once", "built each"
    );
    for n in [8, 1024] {
        row(&rules, &vec![1.0_f32; n], &vec![2.0_f32; n]);
        row(&rules, &vec![1_i32; n], &vec![2.0_f32; n]);
    }
}

fn row<A: Element>(rules: &RuleSet, a: &[A], b: &[f32]) {
    let kernel = rules.kernel(Op::Add, A::DTYPE, DType::F32).expect("PyTorch adds these");
    let (mut out, mut other) = (vec![0.0_f32; a.len()], vec![0.0_f32; a.len()]);
    let mut bare = || {
        let out = SliceMut::new(black_box(&mut out[..]));
        kernel
            .call_slices(Slice::new(black_box(a)), Slice::new(black_box(b)), out)
            .expect("three lengths are one");
    };
    let looked_up = paired(
        || {
            let out = SliceMut::new(black_box(&mut other[..]));
            rules.binary(Op::Add, black_box(a).into(), black_box(b).into(), out).expect("PyTorch adds these");
        },
        &mut bare,
    );
    let mut other = vec![0.0_f32; a.len()];
    let mut config = IterationConfig::new();
    config.add_output(&mut other[..]).add_input(a).add_input(b).promote_inputs_to_common_dtype(true);
    let mut iteration = config.build(rules).expect("PyTorch adds these");
    let once = paired(|| black_box(&mut iteration).op(Op::Add).expect("PyTorch adds these"), &mut bare);
    let mut other = vec![0.0_f32; a.len()];
    let each = paired(
        || {
            let mut config = IterationConfig::new();
            config
                .add_output(black_box(&mut other[..]))
                .add_input(black_box(a))
                .add_input(black_box(b))
                .promote_inputs_to_common_dtype(true)
                .cast_common_dtype_to_outputs(true)
                .enforce_safe_casting_to_output(true);
            config.build(rules).and_then(|mut iteration| iteration.op(Op::Add)).expect("PyTorch adds these");
        },
        &mut bare,
    );
    let above =
        |found: &promote_measure::Paired| format!("{:.1} (+{:.1})", found.ours, found.ours - found.theirs);
    let label = format!("{} + f32, n = {}", A::DTYPE, a.len());
    println!(
        "{label:24} {:8.1} {:>16} {:>16} {:>16}",
        each.theirs,
        above(&looked_up),
        above(&once),
        above(&each)
    );
}
