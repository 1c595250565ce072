//! The kernels that the traits of a custom dtype's type allow.

use core::marker::PhantomData;

use super::{CustomEntry, UNTYPED};
use crate::DType;
use crate::custom::CustomElement;
use crate::element::Register;
use crate::kernel::entry::{Binary, Entry};
use crate::kernel::loops::Select;
use crate::kernel::per_level::{PerLevel, plain};
use crate::kernel::signature::KernelSignature;
use crate::level::doors::Levels;
use crate::ops::{KernelType, OpLane};

/// The kernel of the op `K` on `M`, if `M` implements the traits that the op needs.
///
/// An inherent constant is found before that of [`Absent`]. So a rule set has all kernels that there can be,
/// and no macro needs to know which traits a type implements.
#[derive(Debug)]
pub struct Probe<S, K, M>(PhantomData<(S, K, M)>);

/// The constants of a [`Probe`] whose type does not implement the traits of the op.
pub trait Absent {
    /// The kernel of two operands.
    const BINARY: Option<CustomEntry> = None;
    /// The kernel of two operands that gives a bool.
    const BINARY_TRUTH: Option<CustomEntry> = None;
    /// The kernel of one operand.
    const UNARY: Option<CustomEntry> = None;
    /// The kernel of one operand that gives a bool.
    const UNARY_TRUTH: Option<CustomEntry> = None;
}

impl<T> Absent for T {}

impl<S: Levels, K: KernelType, M: CustomElement> Probe<S, K, M> {
    /// The kernel that chooses between two operands.
    pub const CHOSEN: Option<CustomEntry> =
        Some(Self::entry(UNTYPED.choosing(), plain::<S, Select<K, M, M, M>>(true)));

    const fn entry(signature: KernelSignature, raw: PerLevel) -> CustomEntry {
        CustomEntry { op: K::OP.canonical(M::DTYPE, false), dtype: M::DTYPE, signature, raw }
    }

    const fn binary<O: Register>() -> CustomEntry
    where
        K: KernelType + OpLane<M, Out = O>,
    {
        let result = K::OP.result(M::DTYPE);
        assert!(matches!(result, DType::Bool) == matches!(O::DTYPE, DType::Bool), "the result of another op");
        Self::entry(
            KernelSignature { traps: K::TRAP.is_some(), ..UNTYPED },
            Binary::<K, M, M, M, O>::functions::<S>(true),
        )
    }

    const fn unary<O: Register>() -> CustomEntry
    where
        K: KernelType + OpLane<M, (M,), Out = O>,
    {
        let result = K::OP.result(M::DTYPE);
        assert!(matches!(result, DType::Bool) == matches!(O::DTYPE, DType::Bool), "the result of another op");
        Self::entry(KernelSignature { count: 1, ..UNTYPED }, Entry::loops_of_one::<S, K, M, M, O>(true))
    }
}

impl<S: Levels, K: KernelType + OpLane<M, Out = M>, M: CustomElement> Probe<S, K, M> {
    /// The kernel of two operands.
    pub const BINARY: Option<CustomEntry> = Some(Self::binary::<M>());
}

impl<S: Levels, K: KernelType + OpLane<M, Out = bool>, M: CustomElement> Probe<S, K, M> {
    /// The kernel of two operands that gives a bool.
    pub const BINARY_TRUTH: Option<CustomEntry> = Some(Self::binary::<bool>());
}

impl<S: Levels, K: KernelType + OpLane<M, (M,), Out = M>, M: CustomElement> Probe<S, K, M> {
    /// The kernel of one operand.
    pub const UNARY: Option<CustomEntry> = Some(Self::unary::<M>());
}

impl<S: Levels, K: KernelType + OpLane<M, (M,), Out = bool>, M: CustomElement> Probe<S, K, M> {
    /// The kernel of one operand that gives a bool.
    pub const UNARY_TRUTH: Option<CustomEntry> = Some(Self::unary::<bool>());
}
