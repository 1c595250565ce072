//! Kernels of custom ops: one body over up to four inputs, compiled for each dtype in which it computes, and,
//! for types that the caller knows (`typed`), in one loop with all conversions.

pub(crate) mod simd;
pub(crate) mod typed;

use super::handle::Kernel;
use super::map::{Each, InRegister, Map};
use super::per_level::PerLevel;
use super::pipeline::{CastChain, Pipeline};
use super::registry::Kernels;
use super::signature::{CastOptions, KernelSignature, MAX_INPUTS};
use crate::DType;
use crate::convert::{ConvertTo, Nan};
use crate::element::Register;
use crate::error::call::{ArgumentRole, CallError};
use crate::level::Level;
use crate::level::doors::Levels;
use crate::memory::{Argument, SliceMut, TensorViewMut};
use crate::ops::OpLane;
use crate::{CustomOp, Op, OpTypes};

/// The names of the inputs in errors.
pub(crate) const ROLES: [ArgumentRole; MAX_INPUTS] =
    [ArgumentRole::A, ArgumentRole::B, ArgumentRole::Third, ArgumentRole::Fourth];

/// A kernel of a custom op, in one of the dtypes in which it computes.
#[derive(Debug)]
pub struct UserEntry {
    compute: DType,
    inputs: usize,
    raw: PerLevel,
}

/// Returns the kernels of a custom op, which has none if it has only a name.
pub(crate) fn entries(op: &CustomOp) -> &'static [UserEntry] {
    op.kernels().and_then(|kernels| kernels.downcast_ref::<&[UserEntry]>()).copied().unwrap_or_default()
}

/// Returns the dtype in which a custom op computes, if there is only one, as for `#[kernel(simd)]`.
fn only_compute_dtype(op: &CustomOp) -> Option<DType> {
    match entries(op) {
        [only] => Some(only.compute),
        _ => None,
    }
}

/// For emitted code: returns an op with kernels, one for each dtype that it computes in.
///
/// # Panics
///
/// Panics if a kernel has another number of inputs. In a `static` that is a compile error.
#[doc(hidden)]
#[must_use]
pub const fn with_kernels(op: CustomOp, kernels: &'static &'static [UserEntry]) -> CustomOp {
    let mut i = 0;
    while i < kernels.len() {
        assert!(kernels[i].inputs() == op.arity(), "a kernel of another number of inputs");
        i += 1;
    }
    op.with_kernels(kernels)
}

impl UserEntry {
    /// Creates the kernel of the body `K` of `N` inputs in the register form `M`, for every level.
    pub const fn new<S, K, M, const N: usize>() -> UserEntry
    where
        S: Levels,
        K: OpLane<M, [M; N], Out = M>,
        M: Register + ConvertTo<M>,
    {
        const { assert!(N >= 1 && N <= MAX_INPUTS, "a kernel takes 1 to 4 inputs") };
        let raw = Map::<K, [Each<M>; N], InRegister<M, Nan>, M>::functions::<S>(true);
        UserEntry { compute: M::DTYPE, inputs: N, raw }
    }

    /// Returns the number of inputs.
    pub(crate) const fn inputs(&self) -> usize {
        self.inputs
    }
}

/// A handle to the kernel of a custom op for inputs and a result of fixed dtypes.
///
/// It is looked up once, by [`RuleSet::custom_kernel`](crate::RuleSet::custom_kernel), and called often.
/// Inputs are cast in blocks to the dtype in which the kernel computes, and results are cast from that dtype.
#[derive(Clone, Copy, Debug)]
pub struct CustomKernel(pub(crate) Kernel);

impl Kernel {
    /// Looks up the kernel of a custom op at an available level, for inputs of these dtypes, as many as the
    /// op takes. What it computes is rounded to `result` before it is cast to the output.
    ///
    /// # Errors
    ///
    /// Returns an error if the op has no kernels, takes another number of inputs or does not compute in the
    /// dtype, or if there is no cast.
    pub(crate) fn find_custom(
        kernels: &'static Kernels,
        level: Level,
        op: &'static CustomOp,
        semantics: u16,
        types: OpTypes,
        result: DType,
        dtypes: &[DType],
    ) -> Result<Kernel, CallError> {
        if !op.has_kernels() {
            return Err(CallError::NotComputed { op: Op::Custom(op) });
        }
        let (known, arity) = (kernels.customs(), Op::Custom(op).arity());
        if dtypes.len() != arity || arity > MAX_INPUTS {
            return Err(CallError::Inputs { expected: arity, found: dtypes.len() });
        }
        let missing =
            CallError::NoBody { op: Op::Custom(op), compute: types.compute, only: only_compute_dtype(op) };
        let entry = entries(op).iter().find(|entry| entry.compute == types.compute).ok_or(missing)?;
        let code = |dtype| known.code(dtype).ok_or(CallError::NoElements { dtype });
        let (common, compute, output) = (code(types.common)?, code(types.compute)?, code(types.output)?);
        let mut signature = KernelSignature {
            count: arity as u8,
            ..KernelSignature::of([compute, compute], [common, compute, output])
        };
        let mut inputs = [CastChain::none(compute); MAX_INPUTS];
        for (i, dtype) in dtypes.iter().enumerate() {
            let input = code(*dtype)?;
            signature.inputs[i] = input;
            inputs[i] = CastChain::new([input, common, compute, compute]);
        }
        let out = CastChain::new([compute, compute, code(result)?, output]);
        let (raw, home) = (entry.raw.expect(level), Some(kernels));
        let kernel = Kernel { raw, signature, level, swap: false, pipeline: None, home, entry: None };
        let mut kernel = kernel.in_pipeline(inputs, out, CastOptions::of(semantics))?;
        // With the arrays, that is to stay in an L1 cache of 32 KiB.
        kernel.pipeline = kernel.pipeline.map(Pipeline::in_small_blocks);
        Ok(kernel)
    }
}

impl CustomKernel {
    /// Returns the dtype of the result.
    pub const fn output(&self) -> DType {
        self.0.dtypes()[2]
    }

    /// Computes `out` from the inputs: slices of its length, which may be 0, zero-dimensional arrays and
    /// numbers. Numbers are converted; all other inputs must have the dtypes for which the kernel was found.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves `out` unchanged, if a dtype or a length is not the one expected.
    pub fn call(&self, inputs: &[Argument<'_>], out: SliceMut<'_>) -> Result<(), CallError> {
        self.0.call_inputs(inputs, out)
    }

    /// Computes `out` from inputs of any shape, as [`Kernel::call_views`] does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_views`].
    pub fn call_views(&self, inputs: &[Argument<'_>], out: TensorViewMut<'_>) -> Result<(), CallError> {
        self.0.call_views(inputs, out)
    }
}
