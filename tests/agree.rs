//! Types, run-time tables, the rule library's own tables and the kernels say the same of every pair and op.

mod torch {
    promote::agreement! { promote::Torch = "rules/torch.rs" }
}
