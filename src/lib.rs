//! Dtype promotion and typed kernels from one declarative rule file.
#![no_std]

extern crate self as promote;
#[cfg(feature = "std")]
extern crate std;

pub use promote_macros::{agreement, rules};
pub use promote_runtime::*;

/// What the operands of a pair promote to, at compile time.
pub trait Promote<Rhs, Rules = Torch> {
    /// The type of the result.
    type Output;
}

/// The type that `A` and `B` promote to under the rule set `R`.
pub type Promoted<A, B, R = Torch> = <A as Promote<B, R>>::Output;

/// The type that `Op` gives for `A` and `B` under the rule set `R`.
pub type OpOutput<Op, A, B, R = Torch> = <R as OpRule<Op, A, B>>::Output;

#[cfg(feature = "torch")]
#[path = "../rules/torch.rs"]
mod torch;
#[cfg(feature = "torch")]
pub use torch::*;

#[cfg(feature = "kernels")]
mod kernels;

#[doc(hidden)]
pub mod __private;
