//! Calls of custom ops.

use arrayvec::ArrayVec;

use super::{Error, Target};
use crate::DType;
use crate::dispatch::extras::Inputs;
use crate::error::call::CallError;
#[cfg(feature = "alloc")]
use crate::kernel::DispatchCache;
use crate::kernel::Kernel;
use crate::kernel::MAX_INPUTS;
use crate::kernel::user::CustomKernel;
use crate::level::Level;
use crate::memory::Argument;
use crate::ops::KernelOp;
use crate::rule_set::explain::Trace;
use crate::rule_set::{Operand, RuleSet};
use crate::semantics;
use crate::{CustomOp, Op, OpTypes};

impl RuleSet {
    /// Looks up the kernel of a custom op over arrays of these dtypes, at the SIMD level in use. The handle
    /// can be kept and called often.
    ///
    /// # Errors
    /// Returns an error if the rule set refuses the dtypes, if the op is a standard op or takes another
    /// number of inputs, or if its kernel does not compute in the compute dtype that the rule set decides.
    ///
    /// ```
    /// use promote::op::OpType;
    /// use promote::{DType, Slice, SliceMut, Torch, kernel};
    ///
    /// /// Computes `alpha * x + y`.
    /// #[kernel]
    /// fn axpy<T>(alpha: T, x: T, y: T) -> T {
    ///     alpha * x + y
    /// }
    ///
    /// let rules = Torch::new().rule_set();
    /// let axpy = rules.custom_kernel(Axpy::OP, &[DType::I8, DType::F32, DType::F32])?;
    /// let (alpha, x, y) = ([2_i8, 3], [0.5_f32, 1.0], [1.0_f32, 1.0]);
    /// let inputs = [Slice::new(&alpha).into(), Slice::new(&x).into(), Slice::new(&y).into()];
    /// let mut out = [0.0_f32; 2];
    /// axpy.call(&inputs, SliceMut::new(&mut out))?;
    /// assert_eq!(out, [2.0, 4.0]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    pub fn custom_kernel(&self, op: Op, dtypes: &[DType]) -> Result<CustomKernel, Error> {
        let Op::Custom(custom) = op else { return Err(Error::Call(CallError::NotCustom { op })) };
        let arrays = dtypes.iter().take(MAX_INPUTS).map(|dtype| Operand::Array(*dtype));
        let operands: ArrayVec<Operand, MAX_INPUTS> = arrays.collect();
        let (types, words) = self.custom_types(op, &operands, dtypes.len())?;
        let level = Level::active();
        Kernel::find_custom(self.kernels, level, custom, words, types, types.output, dtypes)
            .map(CustomKernel)
            .map_err(Error::Call)
    }

    /// Returns the dtypes of a custom op, and the semantics of its casts: those of the op that it is like.
    pub(super) fn custom_types(
        &self,
        op: Op,
        operands: &[Operand],
        count: usize,
    ) -> Result<(OpTypes, u16), Error> {
        if count != op.arity() || count > MAX_INPUTS {
            return Err(Error::Call(CallError::Inputs { expected: op.arity(), found: count }));
        }
        let (table, answer) = self.decide(op, operands, &mut Trace::new())?;
        Ok((self.tables.types(answer), table.kernel.map_or(0, KernelOp::semantics)))
    }

    /// Finds the kernel of a call, and calls `call` with it and its inputs. Kernels for arrays are cached.
    pub(crate) fn with_custom_kernel<T>(
        &self,
        op: &'static CustomOp,
        level: Option<Level>,
        given: &[Argument<'_>],
        target: Target,
        call: impl FnOnce(&Kernel, &[Argument<'_>]) -> Result<T, CallError>,
    ) -> Result<T, Error> {
        #[cfg(feature = "alloc")]
        if let (Some(cache), None, Target::New | Target::Out(_)) = (self.cache, level, target)
            && given.len() <= MAX_INPUTS
            && given.iter().all(Argument::has_axes)
        {
            let made;
            let dtypes = given.iter().filter_map(Argument::dtype);
            let kernel = if let Some(kernel) = cache.other(Level::active(), Op::Custom(op), &dtypes) {
                kernel
            } else {
                made = self.cache_kernel(cache, op, given)?;
                &made
            };
            // An `out` of another dtype needs another kernel.
            if self.is_for(target, given, kernel) {
                return Ok(call(kernel, given)?);
            }
        }
        let level = level.map_or_else(Level::active, Level::or_below);
        let mut inputs = Inputs::new();
        let kernel = self.prepared_custom(op, level, given, target, &mut inputs)?;
        Ok(call(&kernel, &inputs)?)
    }

    /// Finds the kernel for arrays of the inputs' dtypes, and caches it.
    #[cfg(feature = "alloc")]
    #[cold]
    fn cache_kernel(
        &self,
        cache: &'static DispatchCache,
        op: &'static CustomOp,
        inputs: &[Argument<'_>],
    ) -> Result<Kernel, Error> {
        let dtypes: ArrayVec<DType, MAX_INPUTS> = inputs.iter().filter_map(Argument::dtype).collect();
        let CustomKernel(kernel) = self.custom_kernel(Op::Custom(op), &dtypes)?;
        cache.put_other(Op::Custom(op), &dtypes.iter().copied(), kernel);
        Ok(kernel)
    }

    /// Finds the kernel of a custom op, and adds its inputs, the converted arguments of a call, to `inputs`,
    /// which is empty. A function of its own, so that the path of cached kernels uses little stack.
    #[inline(never)]
    fn prepared_custom<'a>(
        &self,
        op: &'static CustomOp,
        level: Level,
        given: &[Argument<'a>],
        target: Target,
        inputs: &mut Inputs<'a>,
    ) -> Result<Kernel, Error> {
        let operand = |argument: &Argument<'_>| match target {
            Target::As(types) => Operand::Array(types.common),
            _ => argument.operand(),
        };
        let operands: ArrayVec<Operand, MAX_INPUTS> = given.iter().take(MAX_INPUTS).map(operand).collect();
        let (own, words) = self.custom_types(Op::Custom(op), &operands, given.len())?;
        let types = self.types_for(Op::Custom(op), &operands, operands[0], own, target)?;
        let saturates = words & semantics::OVERFLOW_SATURATE != 0;
        let mut dtypes = ArrayVec::<DType, MAX_INPUTS>::new();
        for argument in given {
            let (input, (dtype, _)) = Self::input(*argument, false, types, saturates)?;
            inputs.push(input);
            dtypes.push(dtype);
        }
        // The result has the op's own dtype first, and is then cast to that of `out`, as in the system.
        let result = if types.common == own.common { own.output } else { types.output };
        Ok(Kernel::find_custom(self.kernels, level, op, words, types, result, &dtypes)?)
    }
}
