//! Running an iteration: with a function of the caller, or with an op.

use crate::memory::ScalarValue;
use arrayvec::ArrayVec;

use crate::DType;
use crate::dispatch::iteration::plan::Iteration;
use crate::dispatch::iteration::{Given, IterationConfig, IterationError, Output};
use crate::dispatch::{Error, Target};
use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::CastKernel;
use crate::kernel::strided::several::{self, INPUTS, OUTPUTS, Read, Step, Write};
use crate::memory::{Argument, Slice, SliceMut};
#[cfg(feature = "alloc")]
use crate::memory::{Tensor, Uninit};
use crate::op::Flags;
use crate::rule_set::{Operand, RuleSet};
use crate::{Op, OpTypes};

impl<'a> Iteration<'_, 'a> {
    /// Calls a function with consecutive runs of elements, until all are computed.
    ///
    /// The function receives a slice of each input, cast to [`Iteration::input_dtype`], and a slice for each
    /// output, of [`Iteration::result_dtype`], which is cast to the output's dtype afterwards. All slices of
    /// a call have one length, which is at least 1 and may differ from call to call. Elements of inputs that
    /// broadcast are repeated. The contents of an output slice are unspecified before the function writes to
    /// it.
    ///
    /// Contiguous operands that need no cast are passed without copying. If all operands are of this sort,
    /// the function is called once. See [`IterationConfig`] for an example.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves outputs as they were, if there is not enough memory, if a dtype exists in
    /// tables only or has no cast, if an input that an output overlaps cannot be copied, if an output of
    /// [`IterationConfig::add_in_place`] is uninitialised, or if the elements of a custom dtype do not have
    /// 1, 2, 4, 8 or 16 bytes.
    pub fn for_each(&mut self, mut step: impl FnMut(&[Slice<'_>], &mut [SliceMut<'_>])) -> Result<(), Error> {
        self.for_each_run(&mut step)
    }

    fn for_each_run(&mut self, step: &mut Step<'_>) -> Result<(), Error> {
        let shape = self.find_shape()?;
        let reads = self.reads()?;
        let dtypes: ArrayVec<(DType, DType), OUTPUTS> =
            (0..self.outputs()).map(|j| (self.output_dtype(j), self.result_dtype(j))).collect();
        #[cfg(feature = "alloc")]
        let mut fresh: ArrayVec<Option<Tensor>, OUTPUTS> = ArrayVec::new();
        #[cfg(feature = "alloc")]
        for (output, (dtype, _)) in self.config.outputs.iter().zip(&dtypes) {
            fresh.push(if output.shape() == Some(&shape) {
                None
            } else {
                Some(Tensor::zeros(*dtype, &shape)?)
            });
        }
        let mut writes: ArrayVec<Write<'_>, OUTPUTS> = ArrayVec::new();
        #[cfg(feature = "alloc")]
        let mut rooms = fresh.iter_mut();
        for (j, output) in self.config.outputs.iter_mut().enumerate() {
            #[cfg(feature = "alloc")]
            let new = rooms.next().and_then(Option::as_mut).map(Tensor::view_mut);
            #[cfg(not(feature = "alloc"))]
            let new = None;
            let (own, of) = dtypes[j];
            let to = new.or_else(|| output.view_mut()).ok_or(IterationError::NoMemory { output: j })?;
            let cast = cast_between(&self.rules, of, own)?;
            writes.push(Write { to, of, cast });
        }
        several::for_each(&shape, &reads, &mut writes, step)?;
        drop(writes);
        #[cfg(feature = "alloc")]
        for (output, made) in self.config.outputs.iter_mut().zip(fresh) {
            if let Some(made) = made {
                output.replace(made);
            }
        }
        Ok(())
    }

    /// Returns the inputs as the strided loop reads them.
    fn reads(&self) -> Result<ArrayVec<Read<'a>, INPUTS>, Error> {
        let (mut reads, saturate) = (ArrayVec::new(), self.rules.casts_saturate());
        for (k, given) in self.config.inputs.iter().enumerate() {
            let to = self.input_dtype(k);
            let (argument, output) = match *given {
                Given::InPlace(j) => (Argument::InPlace(self.output_dtype(j)), Some(j)),
                Given::Argument(Argument::InPlace(found)) => {
                    let role = ArgumentRole::A;
                    return Err(Error::Call(CallError::DType { role, expected: to, found }));
                }
                Given::Argument(Argument::ZeroDim(value)) => (value.cast(to, saturate)?.into(), None),
                Given::Argument(Argument::Number(number)) => {
                    (ScalarValue::from_number_with(number, to, saturate)?.into(), None)
                }
                Given::Argument(array) => (array, None),
            };
            let cast = cast_between(&self.rules, argument.dtype().unwrap_or(to), to)?;
            reads.push(Read { argument, output, to, cast });
        }
        Ok(reads)
    }

    /// Computes an elementwise op into the only output.
    ///
    /// The inputs are those of [`RuleSet::call`], in their order. The op's common dtype must be that of the
    /// iteration, either for the inputs as they are or for inputs cast to the iteration's common dtype.
    /// [`IterationConfig::build_op`] has an example.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`RuleSet::call`]. Returns an error if there is not exactly one output, if the
    /// op has another common dtype, or if the result has another dtype than the output and is not to be cast.
    /// After an error the output is unchanged.
    pub fn op(&mut self, op: Op) -> Result<(), Error> {
        self.op_with(op, Flags::default())
    }

    /// Computes an elementwise op as [`Iteration::op`] does, with flags.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Iteration::op`].
    pub fn op_with(&mut self, op: Op, flags: Flags) -> Result<(), Error> {
        if let Some(done) = self.call_cached(op, flags) {
            return Ok(done?);
        }
        self.call_uncached(op, flags)
    }

    /// Calls a cached kernel, if all inputs are arrays and the dtypes are those of the kernel.
    #[inline]
    fn call_cached(&mut self, op: Op, flags: Flags) -> Option<Result<(), CallError>> {
        let (common, same_shape) = (self.common, self.same_shape);
        let IterationConfig { inputs, outputs, lowest, .. } = &mut *self.config;
        let [Output::View(out)] = &mut outputs[..] else { return None };
        if flags != Flags::default() || common.is_none() && lowest.is_some() || inputs.len() > 2 {
            return None;
        }
        let mut arrays = ArrayVec::<Argument<'a>, 2>::new();
        for given in inputs.iter() {
            match given {
                Given::Argument(argument) if argument.has_axes() => arrays.push(*argument),
                _ => return None,
            }
        }
        let kernel = self.rules.cached(op, arrays.first()?.dtype()?, arrays.last()?.dtype()?)?;
        if kernel.inputs() != arrays.len() || !kernel.is_for(common, out.dtype()) {
            return None;
        }
        if same_shape
            && let [a, b] = &arrays[..]
            && let (Some(a), Some(b)) = (a.as_slice(), b.as_slice())
            && let Some(out) = out.as_mut_slice()
        {
            return Some(kernel.call_slices(a, b, out));
        }
        Some(kernel.call_views(&arrays, out.reborrow()))
    }

    /// Looks up a kernel and calls it.
    #[inline(never)]
    fn call_uncached(&mut self, op: Op, flags: Flags) -> Result<(), Error> {
        let arguments = self.arguments();
        let found = self.outputs();
        if found != 1 {
            return Err(IterationError::OneOutput { found }.into());
        }
        let types = self.types_of(op, &arguments)?;
        let out = self.output_dtype(0);
        if types.output != out && self.result.is_none() {
            let (role, expected) = (ArgumentRole::Out, types.output);
            return Err(Error::Call(CallError::DType { role, expected, found: out }));
        }
        let target = Target::As(OpTypes { output: out, ..types });
        #[cfg(feature = "alloc")]
        let shape = self.find_shape()?;
        let (rules, output) = (self.rules, &mut self.config.outputs[0]);
        let view = output.view_mut();
        #[cfg(feature = "alloc")]
        if view.as_ref().is_none_or(|view| *view.shape() != *shape) {
            let made = rules.with_kernel(op, flags.into(), &arguments, target, |kernel, inputs| {
                let mut made = Uninit::new(out, &shape)?;
                kernel.call_views(inputs, made.view_mut())?;
                // SAFETY: a call that succeeds has written every element.
                Ok(unsafe { made.written() })
            })?;
            output.replace(made);
            return Ok(());
        }
        let view = view.ok_or(IterationError::NoMemory { output: 0 })?;
        rules.with_kernel(op, flags.into(), &arguments, target, |kernel, inputs| {
            kernel.call_views(inputs, view)
        })
    }

    /// Returns the dtypes of an op on the inputs. If its common dtype is not that of the iteration, these are
    /// the dtypes for inputs cast to the latter.
    fn types_of(&self, op: Op, arguments: &[Argument<'_>]) -> Result<OpTypes, Error> {
        let own = self.rules.types_of_call(op, arguments);
        let common = match (self.common, own) {
            // With a lowest dtype and no common one, each input has a dtype of its own, which no op takes.
            (None, _) if self.config.lowest.is_some() => {
                return Err(IterationError::NoCommonDType { option: "lowest_dtype" }.into());
            }
            (None, own) => return own,
            (Some(common), Ok(types)) if types.common == common => return Ok(types),
            (Some(common), _) => common,
        };
        if let Op::Custom(_) = op {
            let wanted = own?.common;
            return Err(IterationError::OpDType { op, common, wanted }.into());
        }
        let types = self.rules.op_types(op, &[Operand::Array(common); 2][..op.arity().min(2)])?;
        if types.common != common {
            return Err(IterationError::OpDType { op, common, wanted: types.common }.into());
        }
        Ok(types)
    }
}

/// Returns the cast from one dtype to another; `None` if they are equal.
fn cast_between(rules: &RuleSet, from: DType, to: DType) -> Result<Option<CastKernel>, CallError> {
    if from == to { Ok(None) } else { rules.cast_kernel(from, to).map(Some) }
}
