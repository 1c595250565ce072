//! How an iteration runs: a function of the caller's, or an op.

use crate::kernel::ScalarValue;
use arrayvec::ArrayVec;

use super::plan::{Iteration, wrong};
use super::{Given, IterationConfig, IterationError, Output};
use crate::DType;
use crate::dispatch::{Argument, Error, Target};
use crate::kernel::strided::several::{self, INPUTS, OUTPUTS, Origin, Reads, Step, Writes};
use crate::kernel::{CallError, CastKernel, Input, Place, Slice, SliceMut};
use crate::op::Flags;
use crate::rule_set::{Operand, RuleSet};
#[cfg(feature = "alloc")]
use crate::view::tensor::{Tensor, Uninit};
use crate::{Op, OpTypes};

impl<'a> Iteration<'_, 'a> {
    /// Calls a function with runs of places until it has had each once: with the inputs of the run, cast to
    /// [`Iteration::input_dtype`], and the outputs, of [`Iteration::result_dtype`], which are cast to their
    /// own afterwards. All slices of a call have the same length, which is at least 1 and may differ from
    /// call to call; of an input that broadcasts, elements are repeated. What an output holds before is
    /// unspecified.
    ///
    /// What needs no cast and lies side by side is handed on where it lies; so contiguous operands of the
    /// wanted dtypes are one run.
    ///
    /// # Errors
    ///
    /// There is no room for an output, a dtype has no elements or no cast, or an input that an output
    /// overlaps cannot be copied. Outputs are then as they were.
    pub fn for_each(&mut self, mut step: impl FnMut(&[Slice<'_>], &mut [SliceMut<'_>])) -> Result<(), Error> {
        self.for_each_run(&mut step)
    }

    fn for_each_run(&mut self, step: &mut Step<'_>) -> Result<(), Error> {
        let shape = self.find_shape().map_err(wrong)?;
        let reads = self.reads()?;
        let dtypes: ArrayVec<(DType, DType), OUTPUTS> =
            (0..self.outputs()).map(|j| (self.output_dtype(j), self.result_dtype(j))).collect();
        #[cfg(feature = "alloc")]
        let mut fresh: ArrayVec<Option<Tensor>, OUTPUTS> = ArrayVec::new();
        #[cfg(feature = "alloc")]
        for (output, (dtype, _)) in self.config.outputs.iter().zip(&dtypes) {
            fresh.push(if output.has_room(&shape) { None } else { Some(Tensor::zeros(*dtype, &shape)?) });
        }
        let mut writes: ArrayVec<Writes<'_>, OUTPUTS> = ArrayVec::new();
        #[cfg(feature = "alloc")]
        let mut rooms = fresh.iter_mut();
        for (j, output) in self.config.outputs.iter_mut().enumerate() {
            #[cfg(feature = "alloc")]
            let new = rooms.next().and_then(Option::as_mut).map(Tensor::view_mut);
            #[cfg(not(feature = "alloc"))]
            let new = None;
            let (own, of) = dtypes[j];
            let to = new.or_else(|| output.view_mut()).ok_or(wrong(IterationError::NoRoom { output: j }))?;
            let cast = cast_between(&self.rules, of, own)?;
            writes.push(Writes { to, of, cast });
        }
        several::for_each(&shape, &reads, &mut writes, step)?;
        drop(writes);
        #[cfg(feature = "alloc")]
        for (output, made) in self.config.outputs.iter_mut().zip(fresh) {
            if let Some(made) = made {
                output.put(made);
            }
        }
        Ok(())
    }

    /// The inputs as a walk reads them.
    fn reads(&self) -> Result<ArrayVec<Reads<'a>, INPUTS>, Error> {
        let mut reads = ArrayVec::new();
        for (k, given) in self.config.inputs.iter().enumerate() {
            let to = self.input_dtype(k);
            let (from, dtype) = match *given {
                Given::Held(j) => (Origin::Output(j), self.output_dtype(j)),
                Given::Argument(argument) => match argument {
                    Argument::Array(slice) => (Origin::View(slice.into()), slice.dtype()),
                    Argument::View(view) => (Origin::View(*view), view.dtype()),
                    Argument::ZeroDim(value) => {
                        (Origin::Scalar(value.cast(to, self.rules.casts_saturate())?), to)
                    }
                    Argument::Number(number) => {
                        let saturate = self.rules.casts_saturate();
                        (Origin::Scalar(ScalarValue::from_number_with(number, to, saturate)?), to)
                    }
                    Argument::InPlace(dtype) => {
                        return Err(Error::Call(CallError::DType {
                            place: Place::A,
                            expected: to,
                            found: dtype,
                        }));
                    }
                },
            };
            reads.push(Reads { from, to, cast: cast_between(&self.rules, dtype, to)? });
        }
        Ok(reads)
    }

    /// Computes an elementwise op of the library into the one output, from the inputs in the order of
    /// [`Call::out`](crate::Call::out). The op converts its operands to the common dtype of the iteration: it is the
    /// one of these operands by the rule set, or operands are cast to it and the op leaves it as it is.
    ///
    /// # Errors
    ///
    /// There is not one output; the op has another common dtype; it gives another dtype than the output's,
    /// and nothing says that results are cast; and as [`Call::out`](crate::Call::out). The output is then as it was.
    pub fn op(&mut self, op: Op) -> Result<(), Error> {
        self.op_with(op, Flags::default())
    }

    /// The same with what the call chooses of the op.
    ///
    /// # Errors
    ///
    /// As [`Iteration::op`].
    pub fn op_with(&mut self, op: Op, flags: Flags) -> Result<(), Error> {
        if let Some(done) = self.held_kernel(op, flags) {
            return Ok(done?);
        }
        self.searched_kernel(op, flags)
    }

    /// The call of a kernel that is found in the cache, where nothing but arrays is given and the dtypes are
    /// the kernel's own.
    #[inline]
    fn held_kernel(&mut self, op: Op, flags: Flags) -> Option<Result<(), CallError>> {
        let (common, same_shape) = (self.common, self.same_shape);
        let IterationConfig { inputs, outputs, lowest, .. } = &mut *self.config;
        let [Output::View(out)] = &mut outputs[..] else { return None };
        if flags != Flags::default() || common.is_none() && lowest.is_some() {
            return None;
        }
        let input = |given: &Given<'a>| match given {
            Given::Argument(Argument::Array(slice)) => Some(Input::Slice(*slice)),
            Given::Argument(Argument::View(view)) if view.rank() > 0 => Some(Input::View(view)),
            _ => None,
        };
        match &inputs[..] {
            [a] => {
                let a = input(a)?;
                let kernel = self.rules.cached(op, a.dtype()?, a.dtype()?)?;
                let fits = kernel.inputs() == 1 && kernel.is_for(common, out.dtype());
                fits.then(|| kernel.call_views(&[a], out.reborrow()))
            }
            [a, b] => {
                let (x, y) = (input(a)?, input(b)?);
                let kernel = self.rules.cached(op, x.dtype()?, y.dtype()?)?;
                if kernel.inputs() != 2 || !kernel.is_for(common, out.dtype()) {
                    return None;
                }
                if same_shape
                    && let (Some(a), Some(b)) = (a.side_by_side(), b.side_by_side())
                    && let Some(out) = out.as_slice_mut()
                {
                    return Some(kernel.call_slices(a, b, out));
                }
                Some(kernel.call_views(&[x, y], out.reborrow()))
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn searched_kernel(&mut self, op: Op, flags: Flags) -> Result<(), Error> {
        let arguments = self.arguments();
        let found = self.outputs();
        if found != 1 {
            return Err(wrong(IterationError::OneOutput { found }));
        }
        let types = self.types_of(op, &arguments)?;
        let out = self.output_dtype(0);
        if types.output != out && self.result.is_none() {
            let (place, expected) = (Place::Out, types.output);
            return Err(Error::Call(CallError::DType { place, expected, found: out }));
        }
        let target = Target::As(OpTypes { output: out, ..types });
        #[cfg(feature = "alloc")]
        {
            let shape = self.find_shape().map_err(wrong)?;
            if !self.config.outputs[0].has_room(&shape) {
                let made = self.rules.with_kernel(op, flags, &arguments, target, |found, inputs| {
                    let mut made = Uninit::new(out, &shape)?;
                    found.call(inputs, made.view_mut())?;
                    // SAFETY: a call that succeeds has written all.
                    Ok(unsafe { made.written() })
                })?;
                self.config.outputs[0].put(made);
                return Ok(());
            }
        }
        let rules = self.rules;
        let view = self.config.outputs[0].view_mut().ok_or(wrong(IterationError::NoRoom { output: 0 }))?;
        rules.with_kernel(op, flags, &arguments, target, |found, inputs| found.call(inputs, view))
    }

    /// What an op does of the inputs: by the rule set, if its common dtype is that of the iteration; else as
    /// of inputs that are cast to that.
    fn types_of(&self, op: Op, arguments: &[Argument<'_>]) -> Result<OpTypes, Error> {
        let own = self.rules.types_of_call(op, arguments);
        let common = match (self.common, own) {
            // Operands that are cast each by itself are none of an op.
            (None, _) if self.config.lowest.is_some() => {
                return Err(wrong(IterationError::NoCommonDType { word: "lowest_dtype" }));
            }
            (None, own) => return own,
            (Some(common), Ok(types)) if types.common == common => return Ok(types),
            (Some(common), _) => common,
        };
        if let Op::Custom(_) = op {
            let wanted = own?.common;
            return Err(wrong(IterationError::OpDType { op, common, wanted }));
        }
        let types = self.rules.op_types(op, &[Operand::Array(common); 2][..op.arity().min(2)])?;
        if types.common != common {
            return Err(wrong(IterationError::OpDType { op, common, wanted: types.common }));
        }
        Ok(types)
    }
}

impl<'a> Given<'a> {
    /// The elements of an array that lie side by side.
    #[inline]
    fn side_by_side(&self) -> Option<Slice<'a>> {
        match self {
            Given::Argument(Argument::Array(slice)) => Some(*slice),
            Given::Argument(Argument::View(view)) => view.as_slice(),
            _ => None,
        }
    }
}

/// The cast from one dtype to another, if they are two.
fn cast_between(rules: &RuleSet, from: DType, to: DType) -> Result<Option<CastKernel>, CallError> {
    if from == to { Ok(None) } else { rules.cast_kernel(from, to).map(Some) }
}
