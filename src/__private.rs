//! What emitted code calls. Nothing here is for people; it changes with the macros.

pub use promote_runtime::__private::convert::{Convert, Nan, Overflow, Saturate};
pub use promote_runtime::__private::custom::{CastVia, CustomElement, become_, made_from};
pub use promote_runtime::__private::kernel::ops::{self, KernelType};
#[cfg(feature = "kernels")]
pub use promote_runtime::__private::kernel::{
    Absent, CallError, CustomKernels, DispatchCache, Entry, KernelSource, Kernels, Probe, Registry, call,
    call_extended, call_in_place, call_joined, call_reduced, call_unary, call_unary_in_place,
    with_kernels as with_bodies_of,
};
pub use promote_runtime::{__custom_dtype as custom_dtype, __scalar_inputs as scalar_inputs, __types as t};
#[cfg(feature = "kernels")]
pub use promote_runtime::{__levels, __levels as levels, Argument};
pub use promote_runtime::{
    Casting, Compute, ConvertTo, CustomDType, DType, Element, ElementLayout, Lanes, Number, Numbers, Op,
    OpDTypes, OpKernel, OpMap, OpRow, OpRule, OpTypes, Operand, PromoteError, ResultType, RuleSet, Tables,
    Weak, op, semantics, table,
};

#[cfg(feature = "kernels")]
pub use crate::user_kernel::{CallKernel, KernelLevels};
pub use crate::user_kernel::{ComputeKernel, KernelOutput, KernelRule};
pub use crate::{__bodies as bodies, __if_kernels_method as if_kernels_method, __with_bodies as with_bodies};
pub use crate::{__if_kernels as if_kernels, FitsIn, OpOutput, Promote, Rules};
#[cfg(feature = "kernels")]
pub use promote_runtime::__private::kernel::{KernelInput, UserEntry};
pub use promote_runtime::__private::lanes;
pub use promote_runtime::{CustomOp, OpType};

#[cfg(all(feature = "std", feature = "kernels"))]
pub mod agreement;

pub mod fields;

pub mod lists;

pub mod pairs;

/// Nothing implements it: it says why two numbers without a width do not promote.
#[diagnostic::on_unimplemented(
    message = "`{A}` and `{B}` are numbers without a width: nothing gives them a dtype",
    label = "compute them in Rust before, or give one a type"
)]
pub trait TwoNumbers<A, B> {}

/// The type of a dtype of a rule set, by its place; of a weak result, by the place behind all of them.
pub trait TypeAt<const PLACE: usize> {
    /// The type.
    type Type;
}

/// A type as an operand.
pub const fn operand<T: Element>() -> Operand {
    match (T::WEAK, T::DTYPE) {
        (false, dtype) => Operand::Array(dtype),
        (true, DType::Bool) => Operand::Number(Number::Bool(true)),
        (true, DType::I64) => Operand::Number(Number::Int(1)),
        (true, DType::F64) => Operand::Number(Number::Float(0.5)),
        (true, DType::C128) => Operand::Number(Number::Complex(0.5, 1.0)),
        (true, dtype) => Operand::Weak(dtype),
    }
}

/// The place of what operands promote to, for [`TypeAt`].
///
/// # Panics
/// If the rule set refuses them.
pub const fn join(rules: RuleSet, operands: &[Operand]) -> usize {
    let setting = &rules.tables().settings[rules.setting() as usize];
    let (mut i, mut by_value, mut numbers) = (0, false, false);
    while i < setting.values.len() {
        by_value |= setting.values[i] != table::NO_PLANE;
        i += 1;
    }
    i = 0;
    while i < operands.len() {
        numbers |= matches!(operands[i], Operand::Number(_));
        i += 1;
    }
    assert!(
        !(by_value && numbers),
        "the values of numbers decide here: ask the rule set's `result_type` at run time"
    );
    let found = match rules.result_type(operands) {
        Ok(found) => found,
        // A constant can show a text, and put none together.
        Err(PromoteError::Refused { reason, .. }) => panic!("{}", reason),
        Err(_) => panic!(
            "the rule set does not know these types, or says nothing of them: ask its `result_type` at run time"
        ),
    };
    let dtypes = rules.tables().dtypes;
    let Some(place) = rules.tables().position(found.dtype) else {
        panic!("a result is a dtype of the rule set");
    };
    place as usize + if found.weak { dtypes.len() } else { 0 }
}

/// A type of which there are no values.
pub enum NoPartner<const WHICH: usize> {}

/// Elementwise kernels, casts and reductions, each from the crate that compiles it.
#[cfg(feature = "kernels")]
static BUNDLED: Kernels = promote_kernels::KERNELS.with_reductions(&promote_reductions::REDUCTIONS);

/// The kernels of this build.
#[cfg(feature = "kernels")]
pub const KERNELS: &Kernels = &BUNDLED;

/// A rule set with its kernels, if this build has any.
#[cfg(feature = "kernels")]
pub const fn with_kernels<R: KernelSource>(rules: RuleSet, cache: &'static DispatchCache) -> RuleSet {
    rules.with_kernels(R::KERNELS).with_cache(cache)
}

/// A rule set with its kernels, if this build has any.
#[cfg(not(feature = "kernels"))]
pub const fn with_kernels<R>(rules: RuleSet, _: &'static DispatchCache) -> RuleSet {
    rules
}

/// In a build without kernels there is nothing to keep.
#[cfg(not(feature = "kernels"))]
#[derive(Default)]
pub struct DispatchCache;

#[cfg(not(feature = "kernels"))]
impl DispatchCache {
    /// Nothing.
    pub const fn new() -> Self {
        DispatchCache
    }
}

/// What it is given, in a build with kernels: emitted code can't ask for this crate's features itself.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "kernels")]
macro_rules! __if_kernels {
    ($($item:item)*) => { $($item)* };
}

/// Nothing, in a build without kernels.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "kernels"))]
macro_rules! __if_kernels {
    ($($item:item)*) => {};
}

/// A method that is there with kernels only.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "kernels")]
macro_rules! __if_kernels_method {
    ($($method:tt)*) => { $($method)* };
}

/// Nothing, in a build without kernels.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "kernels"))]
macro_rules! __if_kernels_method {
    ($($method:tt)*) => {};
}

/// An op with its kernels.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "kernels")]
macro_rules! __with_bodies {
    ($op:expr, $bodies:expr) => {
        $crate::__private::with_bodies_of($op, &($bodies as &[_]))
    };
}

/// The op, in a build without kernels.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "kernels"))]
macro_rules! __with_bodies {
    ($op:expr, $bodies:expr) => {
        $op
    };
}
