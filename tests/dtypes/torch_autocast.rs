//! PyTorch's functions and layers, without `torch.autocast` and with it.

use crate::score::System;
use crate::sections;

const TWO_OPS: &str = "two ops in a row, each of which is compared alone";
const EXEMPT: &str = "calls in place and with `out` are exempt from autocast, and no ops of their own";
const ARGUMENT: &str = "the dtype of the result is an argument";

const LEFT_OUT: &[(&str, &str)] = &[
    ("unary.exp_of_mm", TWO_OPS),
    ("unary.mm_of_exp", TWO_OPS),
    ("ops.tensordot_add", TWO_OPS),
    ("unary.mm_out", EXEMPT),
    ("unary.addmm_inplace", EXEMPT),
    ("unary.exp_inplace", EXEMPT),
    ("unary.softmax_dtype_f64", ARGUMENT),
    ("unary.sum_dtype_f64", ARGUMENT),
    ("unary.sum_dtype_f16", ARGUMENT),
    ("unary.cumsum_dtype_f16", ARGUMENT),
    ("unary.requires_grad_mm", "a product of tensors with gradients, which integers cannot have"),
    (
        "ops.addcdiv",
        "it is refused if the last two of its three operands are integers, and clauses see no such pair",
    ),
];

/// The fake tensors that answer for CUDA run a decomposition of some functions.
const DECOMPOSED: &str = "the decomposition promotes, while the function itself keeps the dtype of the input";
const MIXED: &str = "the decomposition refuses weights of f32, which the function itself takes";

const LAYERS: System = System {
    rules: "torch",
    data: "torch_layers",
    left_out: LEFT_OUT,
    single: &[
        ("cuda_ops.huber_loss", "f16,*", DECOMPOSED),
        ("cuda_ops.huber_loss", "bf16,*", DECOMPOSED),
        ("cuda_ops.huber_loss", "f32,f64", DECOMPOSED),
        ("cuda_ops.soft_margin_loss", "f16,*", DECOMPOSED),
        ("cuda_ops.soft_margin_loss", "bf16,*", DECOMPOSED),
        ("cuda_ops.soft_margin_loss", "f32,f64", DECOMPOSED),
        ("cuda_ops.layer_norm_weight", "f16,f32", MIXED),
        ("cuda_ops.layer_norm_weight", "bf16,f32", MIXED),
    ],
    lacks: &[],
    kinds: "ops ops_scalar scalar_ops unary zerodim_unary",
    min_cells: 6_954,
};

const AUTOCAST: System = System {
    rules: "torch-autocast",
    data: "torch_autocast",
    left_out: LEFT_OUT,
    single: &[
        ("ops.huber_loss", "f16,f64", DECOMPOSED),
        ("ops.huber_loss", "bf16,f64", DECOMPOSED),
        ("ops.huber_loss", "f32,f64", DECOMPOSED),
        ("ops.soft_margin_loss", "f16,f64", DECOMPOSED),
        ("ops.soft_margin_loss", "bf16,f64", DECOMPOSED),
        ("ops.soft_margin_loss", "f32,f64", DECOMPOSED),
    ],
    lacks: &[],
    kinds: "ops ops_scalar scalar_ops unary zerodim_unary",
    min_cells: 14_408,
};

#[test]
fn layers_have_the_recorded_dtypes() {
    sections::compare(&LAYERS);
}

#[test]
fn autocast_gives_the_recorded_dtypes() {
    sections::compare(&AUTOCAST);
}
