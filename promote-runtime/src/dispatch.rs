//! Dispatch: from a rule set, an op and operands to the kernel that computes the result, and calls on slices,
//! views and iterations.

mod apply;
pub(crate) mod argument;
mod call;
#[cfg(feature = "alloc")]
mod common;
mod custom;
mod error;
mod extras;
mod iteration;
mod lookup;
mod prepare;
mod reduce;
mod slices;
pub(crate) mod typed;
#[cfg(feature = "alloc")]
mod whole;

#[cfg(feature = "alloc")]
pub use apply::broadcast_shapes;
pub(crate) use argument::{Options, Target};
pub use call::{Call, CallInto};
pub use error::Error;
pub use iteration::{Iteration, IterationConfig, IterationError, Shape};
#[cfg(feature = "alloc")]
pub use reduce::Accumulator;
pub use reduce::Axes;
