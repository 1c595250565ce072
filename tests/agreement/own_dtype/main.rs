//! Custom dtypes: fixed-point numbers and an angle in a set that builds on PyTorch's, and one more
//! in a set that builds on that. Typed functions, kernels at every level, typed slices, scalars and bytes at
//! any address give equal results.

mod calls;
mod rules;
mod types;
mod values;
mod wider;

mod agreement {
    promote::agreement! { crate::rules::Fixed = "own_dtype/rules.rs", "../../rules/torch.rs" }
}
