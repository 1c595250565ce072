//! The run-time core of `promote`: promotion by tables, conversions, kernels and views.
//!
//! Use the crate `promote`, which re-exports this one and has the rule sets. This crate does not read rule
//! files.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod casting;
mod convert;
mod custom;
#[cfg(feature = "kernels")]
mod dispatch;
mod each;
mod element;
mod error;
mod formats;
#[cfg(feature = "kernels")]
mod kernel;
mod lanes;
mod level;
mod math;
#[cfg(feature = "kernels")]
mod memory;
mod number;
pub mod op;
mod ops;
mod refused;
mod rule_set;
mod sum;
mod types;

pub use convert::{Cast, ConvertTo};
#[cfg(all(feature = "kernels", feature = "alloc"))]
pub use dispatch::broadcast_shapes;
#[cfg(feature = "kernels")]
pub use dispatch::{Axes, Call, CallInto, Error, Iteration, IterationConfig, IterationError, Shape};
pub use element::Element;
#[cfg(feature = "kernels")]
pub use error::call::{ArgumentRole, CallError};
pub use error::{OperandKind, PromoteError, WideInteger};
#[cfg(feature = "kernels")]
pub use kernel::{CastKernel, CustomKernel, Kernel, LoopSet};
pub use lanes::{Arithmetic, Floating, Ordered};
pub use level::{Level, ParseLevelError};
#[cfg(all(feature = "kernels", feature = "alloc"))]
pub use memory::Tensor;
#[cfg(feature = "kernels")]
pub use memory::{Argument, ScalarValue, Slice, SliceMut, TensorView, TensorViewMut, ViewError};
pub use number::{Weak, WeakNumber, ZeroDim, weak};
pub use op::typed::{Compute, OpRule};
pub use op::{Flags, Numbers, OpType, Reduction};
pub(crate) use promote_core::__private::{semantics, table};
#[doc(inline)]
pub use promote_core::{
    Casting, Clause, CustomDType, CustomOp, DType, Extra, ExtraKind, Format, Kind, Number, NumberKind, Op,
    OpTypes, ParseCastingError, ParseDTypeError, ParseOpError,
};
#[cfg(feature = "kernels")]
pub use pulp;
pub use rule_set::explain::Explanation;
pub use rule_set::{Operand, ResultType, ResultTypeState, RuleSet};
pub use sum::Reduce;
/// Re-exports of the crates whose types are elements.
pub use {float8, half, num_complex};

/// The tables of a rule set, which live as long as the program.
pub(crate) type Tables = promote_core::__private::Tables<'static>;

/// Items for the facade and for code that the macros emit. They may change in any release.
#[doc(hidden)]
pub mod __private {
    pub use promote_core::__dtypes as dtypes;
    pub use promote_core::__private::{semantics, table};
    #[cfg(feature = "serde")]
    pub use serde;

    pub use crate::element::{AnyBits, ElementLayout, Register};
    #[cfg(feature = "kernels")]
    pub use crate::level::doors::tokens;
    pub use crate::level::{Lanes, Scalar};
    pub use crate::op::typed::{OpDTypes, OpKernel, OpMap, OpRow};
    pub use crate::refused::{NoDType, NoWidthOfItsOwn, Reference};
    pub use crate::rule_set::OperandType;
    #[cfg(feature = "serde")]
    pub use crate::rule_set::settings;

    /// The tables of a rule set, which live as long as the program.
    pub type Tables = promote_core::__private::Tables<'static>;

    pub mod convert {
        pub use crate::convert::*;
    }
    pub mod custom {
        pub use crate::custom::*;
    }
    pub mod kernel {
        #[cfg(all(feature = "kernels", feature = "alloc"))]
        pub use crate::dispatch::Accumulator;
        #[cfg(feature = "kernels")]
        pub use crate::dispatch::typed::*;
        #[cfg(feature = "kernels")]
        pub use crate::error::call::{ArgumentRole, CallError};
        #[cfg(feature = "kernels")]
        pub use crate::kernel::*;
        #[cfg(feature = "kernels")]
        pub use crate::memory::{Argument, ScalarValue, Slice, SliceMut};
        pub use crate::ops::KernelOp;
        pub use promote_core::__private::semantics;

        pub mod ops {
            pub use crate::ops::*;
        }
    }
    pub mod lanes {
        pub use crate::lanes::*;
    }
    pub mod types {
        pub use crate::types::*;
    }
}
