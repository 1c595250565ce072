//! The items that emitted code names. They are not public API, and change with the macros.

pub use promote_core::__register_dtypes as register_dtypes;
pub use promote_runtime::__private::convert::{Convert, Nan, Overflow, Saturate};
pub use promote_runtime::__private::custom::{CastVia, CustomElement, become_, made_from};
pub use promote_runtime::__private::kernel::ops::{self, KernelType};
#[cfg(feature = "kernels")]
pub use promote_runtime::__private::kernel::{
    Absent, CallError, CustomKernels, DispatchCache, Entry, KernelSource, Kernels, LoopSet, Loops, Probe,
    Registry, call, call_extended, call_in_place, call_joined, call_reduced, call_unary, call_unary_extended,
    call_unary_in_place, with_kernels as with_bodies_of,
};
pub use promote_runtime::__private::types as t;
pub use promote_runtime::__private::{
    ElementLayout, Lanes, OpDTypes, OpKernel, OpMap, OpRow, OperandType, Tables, semantics, table,
};
pub use promote_runtime::{__custom_dtype as custom_dtype, __scalar_inputs as scalar_inputs};
#[cfg(feature = "kernels")]
pub use promote_runtime::{__levels, __levels as levels, Argument};
pub use promote_runtime::{
    Casting, Compute, ConvertTo, CustomDType, DType, Element, Number, Numbers, Op, OpRule, OpTypes, Operand,
    PromoteError, ResultType, RuleSet, Weak, op,
};

#[cfg(feature = "kernels")]
pub use crate::__simd_body as simd_body;
pub use crate::__zero_dim as zero_dim_operand;
#[cfg(feature = "kernels")]
pub use crate::custom_kernel::{CallKernel, KernelLevels};
pub use crate::custom_kernel::{ComputeKernel, KernelOutput, KernelRule};
pub use crate::{__bodies as bodies, __if_kernels_method as if_kernels_method, __with_bodies as with_bodies};
pub use crate::{__if_kernels as if_kernels, __serialized as serialized, FitsIn, OpOutput, Promote, Rules};
#[cfg(feature = "kernels")]
pub use promote_runtime::__private::kernel::{KernelInput, PerLane, SimdBody, UserEntry, Vectors};
pub use promote_runtime::__private::lanes;
#[cfg(feature = "serde")]
pub use promote_runtime::__private::{serde, settings};
#[cfg(feature = "kernels")]
pub use promote_runtime::pulp;
pub use promote_runtime::{CustomOp, OpType};

#[cfg(all(feature = "std", feature = "kernels"))]
pub mod agreement;

pub mod fields;

pub mod lists;

pub mod pairs;

pub mod zero_dim;

/// A bound that never holds: its message says that two numbers without a width do not promote.
#[diagnostic::on_unimplemented(
    message = "`{A}` and `{B}` are numbers without a width, so they have no dtype",
    label = "compute them in Rust first, or give one of them a type"
)]
pub trait TwoNumbers<A, B> {}

/// The Rust type of a rule set's dtype, by its position. The positions of weak results come after those of
/// dtypes.
pub trait TypeAt<const POSITION: usize> {
    /// The type.
    type Type;
}

/// Returns the operand that a type stands for.
pub const fn operand<T: OperandType>() -> Operand {
    T::OPERAND
}

/// Returns true if the result of promotion has no axes: if an operand is zero-dimensional, and all others are
/// zero-dimensional or numbers.
pub const fn is_zero_dim(operands: &[Operand]) -> bool {
    let (mut i, mut found) = (0, false);
    while i < operands.len() {
        match operands[i] {
            Operand::ZeroDim(..) => found = true,
            Operand::Number(_) => {}
            _ => return false,
        }
        i += 1;
    }
    found
}

/// Promotes operands. Returns the position of the result for [`TypeAt`].
///
/// # Panics
///
/// Panics if the rule set refuses the operands. rustc then shows the caller and not this function.
#[track_caller]
pub const fn join(rules: RuleSet, operands: &[Operand]) -> usize {
    let setting = &rules.tables().settings[rules.setting() as usize];
    let (mut i, mut by_value, mut numbers) = (0, false, false);
    while i < setting.values.len() {
        by_value |= setting.values[i] != table::NO_PLANE;
        i += 1;
    }
    i = 0;
    while i < operands.len() {
        numbers |= matches!(operands[i], Operand::Number(_) | Operand::ZeroDim(..));
        i += 1;
    }
    assert!(
        !(by_value && numbers),
        "the values of numbers and zero-dimensional arrays decide: call the rule set's `result_type` at run time"
    );
    let found = match rules.result_type(operands) {
        Ok(found) => found,
        // A constant cannot format a text, only show one.
        Err(PromoteError::Refused { reason, .. }) => panic!("{}", reason),
        Err(_) => panic!(
            "the rule set does not know these types, or has no rule for them: call its `result_type` at run time"
        ),
    };
    let dtypes = rules.tables().dtypes;
    let Some(position) = rules.tables().position(found.dtype) else {
        panic!("the result is not a dtype of the rule set");
    };
    position as usize + if found.weak { dtypes.len() } else { 0 }
}

/// A type without values, for impls that are never used.
pub enum NoPartner<const WHICH: usize> {}

/// The elementwise kernels, casts and reductions.
#[cfg(feature = "kernels")]
static BUNDLED: Kernels = promote_kernels::KERNELS.with_reductions(&promote_kernels::reductions::REDUCTIONS);

/// The kernels of this build.
#[cfg(feature = "kernels")]
pub const KERNELS: &Kernels = &BUNDLED;

/// Attaches the kernels of this build to a rule set.
#[cfg(feature = "kernels")]
pub const fn with_kernels<R: KernelSource>(rules: RuleSet, cache: &'static DispatchCache) -> RuleSet {
    rules.with_kernel_tables(R::KERNELS).with_cache(cache)
}

/// Returns the rule set of tables that were made while the program runs, with the kernels of this build.
#[cfg(feature = "rule-files")]
pub fn rule_set_of(tables: &'static Tables) -> RuleSet {
    let rules = RuleSet::new(tables);
    #[cfg(feature = "kernels")]
    let rules = {
        let cache = std::boxed::Box::leak(std::boxed::Box::new(DispatchCache::new()));
        rules.with_kernel_tables(KERNELS).with_cache(cache)
    };
    rules
}

/// Returns the rule set as it is, in a build without kernels.
#[cfg(not(feature = "kernels"))]
pub const fn with_kernels<R>(rules: RuleSet, _: &'static DispatchCache) -> RuleSet {
    rules
}

/// An empty cache, for builds without kernels.
#[cfg(not(feature = "kernels"))]
#[derive(Default)]
pub struct DispatchCache;

#[cfg(not(feature = "kernels"))]
impl DispatchCache {
    /// Creates an empty cache.
    pub const fn new() -> Self {
        DispatchCache
    }
}

/// Expands to its items in a build with kernels. Emitted code cannot test this crate's features itself.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "kernels")]
macro_rules! __if_kernels {
    ($($item:item)*) => { $($item)* };
}

/// Expands to nothing, in a build without kernels.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "kernels"))]
macro_rules! __if_kernels {
    ($($item:item)*) => {};
}

/// Expands to the impls by which a rule set's parameters are serialized, with the feature `serde`.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "serde")]
macro_rules! __serialized {
    ($name:ident) => {
        #[automatically_derived]
        impl $crate::__private::serde::Serialize for $name {
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::__private::settings::serialize(Self::TABLES, self.setting, serializer)
            }
        }

        #[automatically_derived]
        impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                let setting = $crate::__private::settings::deserialize(Self::TABLES, deserializer)?;
                ::core::result::Result::Ok(Self { setting })
            }
        }
    };
}

/// Expands to nothing, in a build without the feature `serde`.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "serde"))]
macro_rules! __serialized {
    ($name:ident) => {};
}

/// Expands to a method in a build with kernels.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "kernels")]
macro_rules! __if_kernels_method {
    ($($method:tt)*) => { $($method)* };
}

/// Expands to nothing, in a build without kernels.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "kernels"))]
macro_rules! __if_kernels_method {
    ($($method:tt)*) => {};
}

/// Attaches kernels to an op.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "kernels")]
macro_rules! __with_bodies {
    ($op:expr, $bodies:expr) => {
        $crate::__private::with_bodies_of($op, &($bodies as &[_]))
    };
}

/// Returns the op as it is, in a build without kernels.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "kernels"))]
macro_rules! __with_bodies {
    ($op:expr, $bodies:expr) => {
        $op
    };
}
