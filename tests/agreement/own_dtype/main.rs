//! Custom dtypes: fixed-point numbers and an angle in a set that builds on PyTorch's, and one more
//! in a set that builds on that. Whatever the way, the typed function, the kernel at every level, typed
//! slices, scalars, bytes at any address: the results are the same.

mod calls;
mod rules;
mod types;
mod values;
mod wider;

mod agreement {
    promote::agreement! { crate::rules::Fixed = "own_dtype/rules.rs", "../../rules/torch.rs" }
}
