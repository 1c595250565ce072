//! Calls of ops of a user's own.

#[cfg(feature = "alloc")]
use super::DispatchCache;
use super::{Argument, Error};
use crate::DType;
use crate::explain::Trace;
use crate::kernel::extras::Inputs;
use crate::kernel::ops::words;
use crate::kernel::user::{MOST_INPUTS, UserKernel};
use crate::kernel::{CallError, Input, KernelOp};
#[cfg(feature = "alloc")]
use crate::level::Level;
use crate::op::{CustomOp, Op, OpTypes};
use crate::rule_set::{Operand, RuleSet};

impl RuleSet {
    /// The kernel of an op of a user's own over arrays of these dtypes, at the SIMD level in use: to look up once and call often.
    ///
    /// # Errors
    /// The rule set refuses the dtypes; the op takes another number of inputs, is no user's, or does not compute in what they promote to.
    pub fn user_kernel(&self, op: Op, dtypes: &[DType]) -> Result<UserKernel, Error> {
        let mut operands = [Operand::Array(DType::Bool); MOST_INPUTS];
        for (operand, dtype) in operands.iter_mut().zip(dtypes) {
            *operand = Operand::Array(*dtype);
        }
        let count = dtypes.len().min(MOST_INPUTS);
        let (types, words) = self.user_types(op, &operands[..count], dtypes.len())?;
        let Op::Custom(custom) = op else { return Err(Error::Call(CallError::NotComputed { op })) };
        Ok(UserKernel::find(self.kernels, custom, words, types, dtypes)?)
    }

    /// The dtypes of an op of a user's own, and how elements are cast: as by the op whose dtypes it has.
    pub(super) fn user_types(
        &self,
        op: Op,
        operands: &[Operand],
        count: usize,
    ) -> Result<(OpTypes, u16), Error> {
        if count != op.arity() || count > MOST_INPUTS {
            return Err(Error::Call(CallError::Inputs { expected: op.arity(), found: count }));
        }
        let (table, answer) = self.decide(op, operands, &mut Trace::new())?;
        Ok((self.tables.types(answer), table.kernel.map_or(0, KernelOp::words)))
    }

    /// Finds the kernel of a call and hands it on with its inputs. That of arrays is looked for among those found before.
    pub(crate) fn with_user_kernel<T>(
        &self,
        op: &'static CustomOp,
        given: &[Argument<'_>],
        call: impl FnOnce(&UserKernel, &[Input<'_>]) -> Result<T, CallError>,
    ) -> Result<T, Error> {
        #[cfg(feature = "alloc")]
        if let Some(cache) = self.cache {
            return self.with_noted_kernel(cache, op, given, call);
        }
        let (kernel, inputs) = self.prepared_user(op, given)?;
        Ok(call(&kernel, inputs.get())?)
    }

    #[cfg(feature = "alloc")]
    fn with_noted_kernel<T>(
        &self,
        cache: &'static DispatchCache,
        op: &'static CustomOp,
        given: &[Argument<'_>],
        call: impl FnOnce(&UserKernel, &[Input<'_>]) -> Result<T, CallError>,
    ) -> Result<T, Error> {
        let (mut inputs, mut dtypes) = ([Input::InPlace; MOST_INPUTS], [DType::Bool; MOST_INPUTS]);
        let mut arrays = given.len() <= MOST_INPUTS;
        for ((input, dtype), argument) in inputs.iter_mut().zip(&mut dtypes).zip(given) {
            match argument.array() {
                Some(array) => (*input, *dtype) = array,
                None => arrays = false,
            }
        }
        if !arrays {
            let (kernel, inputs) = self.prepared_user(op, given)?;
            return Ok(call(&kernel, inputs.get())?);
        }
        let (inputs, dtypes) = (&inputs[..given.len()], &dtypes[..given.len()]);
        if let Some(kernel) = cache.user(Level::active(), op, dtypes) {
            return Ok(call(kernel, inputs)?);
        }
        let kernel = self.user_kernel(Op::Custom(op), dtypes)?;
        cache.put_user(op, dtypes, kernel);
        Ok(call(&kernel, inputs)?)
    }

    /// The kernel of an op of a user's own and, for it, the inputs of a call.
    fn prepared_user<'a>(
        &self,
        op: &'static CustomOp,
        given: &[Argument<'a>],
    ) -> Result<(UserKernel, Inputs<'a>), Error> {
        let mut operands = [Operand::Array(DType::Bool); MOST_INPUTS];
        for (operand, argument) in operands.iter_mut().zip(given) {
            *operand = argument.operand();
        }
        let count = given.len().min(MOST_INPUTS);
        let (types, words) = self.user_types(Op::Custom(op), &operands[..count], given.len())?;
        let saturates = words & words::OVERFLOW_SATURATE != 0;
        let (mut inputs, mut dtypes) = ([Input::InPlace; MOST_INPUTS], [types.common; MOST_INPUTS]);
        for ((input, dtype), argument) in inputs.iter_mut().zip(&mut dtypes).zip(given) {
            (*input, (*dtype, _)) = Self::input(*argument, false, types, saturates)?;
        }
        let kernel = UserKernel::find(self.kernels, op, words, types, &dtypes[..count])?;
        Ok((kernel, Inputs::new(&inputs[..count])))
    }
}

#[cfg(feature = "alloc")]
impl<'a> Argument<'a> {
    /// An array as an input, and its dtype; `None` of what has a category of its own.
    #[inline]
    fn array(&self) -> Option<(Input<'a>, DType)> {
        match *self {
            Argument::Array(slice) => Some((Input::Slice(slice), slice.dtype())),
            Argument::InPlace(dtype) => Some((Input::InPlace, dtype)),
            Argument::View(view) if view.zero_dim().is_none() => Some((Input::View(view), view.dtype())),
            _ => None,
        }
    }
}
