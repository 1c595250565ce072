#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! | task | items |
//! | --- | --- |
//! | compute ops with a result type that is known at compile time | [`NdOps`]: [`NdOps::add_nd`] and others; [`NdOps::compute_nd`] for any op |
//! | write into an existing array | [`NdOps::compute_into_nd`], [`NdOps::add_assign_nd`] |
//! | reduce | [`NdOps::sum_nd`], [`NdOps::sum_axis_nd`] and others; [`NdOps::reduce_axes_nd`] for several axes |
//! | write operators | [`NdOps::nd`], [`Nd`] |
//! | pass arrays to calls whose dtypes are known at run time | [`ToTensorView`], [`IntoTensor`] |
//! | take results of such calls as arrays | [`IntoArray`], [`ToArrayView`], [`ToArrayViewMut`] |
//!
//! # Which dtype a result has
//!
//! The element types decide, and nothing else: [`OpOutput`](promote::OpOutput) names the type. An array
//! without axes counts as any other array does, although PyTorch gives it less weight, because a type cannot
//! depend on the number of axes of an `ArrayD`. A number without a width is written
//! [`weak(2.5)`](promote::weak). Parameters of the rule set have their defaults.
//!
//! Calls at run time follow the rule set in full: pass [views](ToTensorView) to
//! [`RuleSet::call`](promote::RuleSet::call).
//!
//! # Memory
//!
//! Operands of any layout are read where they lie. A call allocates its result, and nothing else. If all
//! operands with the rank of the result are in column-major order (F order), so is the result; otherwise it
//! is in row-major order.
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub use ndarray;
pub use promote;

mod compute;
mod convert;
mod nd;
mod operand;
mod result;

pub use compute::{NdElement, NdOps, NdReduced, NdResult};
pub use convert::{IntoArray, IntoTensor, ToArrayView, ToArrayViewMut, ToTensorView};
pub use nd::Nd;
pub use operand::{NdArgs, NdOperand};

/// The traits of this crate: `use promote_ndarray::prelude::*;`.
pub mod prelude {
    pub use crate::{IntoArray, IntoTensor, NdOps, ToArrayView, ToArrayViewMut, ToTensorView};
}
