//! Calls of kernels on slices, single elements and numbers.

use super::entry::Functions;
use super::fused::{Fused, Stores, check};
use super::handle::Kernel;
use super::run::run;
use super::signature::DTypeCode;
use crate::DType;
use crate::error::call::{ArgumentRole, CallError};
use crate::level::function::invoke;
use crate::memory::operand::{Operand, Out};
use crate::memory::{Argument, ScalarValue, Slice, SliceMut, threads};

/// Calls a method with `out` and an array of the 1 to 4 inputs. Any other number of inputs is an error. The
/// inputs are passed by reference, because moving them would wait for memory.
macro_rules! by_count {
    ($inputs:expr, $out:expr, $self:ident.$method:ident, $expected:expr) => {
        if let Ok(one) = <&[_; 1]>::try_from($inputs) {
            $self.$method(one, $out)
        } else if let Ok(two) = <&[_; 2]>::try_from($inputs) {
            $self.$method(two, $out)
        } else if let Ok(three) = <&[_; 3]>::try_from($inputs) {
            $self.$method(three, $out)
        } else if let Ok(four) = <&[_; 4]>::try_from($inputs) {
            $self.$method(four, $out)
        } else {
            Err(CallError::Inputs { expected: $expected, found: $inputs.len() })
        }
    };
}
pub(super) use by_count;

impl Kernel {
    /// Computes `out` from two slices. All three have the same length, which may be 0.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves `out` unchanged, if the kernel does not take two inputs, if a dtype is
    /// not that of the kernel, if lengths differ, or if the op refuses a value.
    #[inline(always)]
    pub fn call_slices(&self, a: Slice<'_>, b: Slice<'_>, mut out: SliceMut<'_>) -> Result<(), CallError> {
        let signature = &self.signature;
        // Values are exchanged, and not slices, which then would have to be in memory.
        let [first, second] = [self.at_call(0), self.at_call(1)];
        let dtypes = first.is(a.dtype()) & second.is(b.dtype());
        let fits =
            (signature.count == 2) & dtypes & signature.output.is(out.dtype()) & self.pipeline.is_none();
        if fits & out.takes_at_once(&a, &b) {
            let (a, b) = (a.pointer(), b.pointer());
            let pointers = if self.swap { [b, a] } else { [a, b] };
            // SAFETY: the slices hold as many aligned elements as `out` has room for, of the dtypes that the
            // kernel was found for, checked above; the level was available when it was found; as all are
            // plain, `out` overlaps neither input.
            return check(unsafe { invoke(self.raw, out.len(), &pointers, out.pointer()) });
        }
        // Made anew, so that these are not in memory on the way above.
        self.call_general(a.again(), b.again(), out.reborrow())
    }

    /// Handles what the fast path of [`Kernel::call_slices`] does not: results that begin within a cache
    /// line, pipelines, staging, threads, non-temporal stores, custom dtypes and errors. It is a separate
    /// function so that the fast path keeps its slices in registers.
    #[cold]
    #[inline(never)]
    fn call_general(&self, a: Slice<'_>, b: Slice<'_>, mut out: SliceMut<'_>) -> Result<(), CallError> {
        let (signature, known) = (&self.signature, self.known());
        let dtypes = known.is(self.at_call(0), a.dtype())
            && known.is(self.at_call(1), b.dtype())
            && known.is(signature.output, out.dtype());
        if signature.count == 2 && dtypes && self.pipeline.is_none() && out.takes(&a, &b) {
            let [a, b] = if self.swap { [b, a] } else { [a, b] };
            // A function that refuses an element looks at all of them before it writes one.
            let stores =
                if signature.traps || !self.is_memory_bound() { Stores::Plain } else { Stores::Lines };
            let call =
                Fused::new(Functions::apart(self.raw), false, [a.size(), b.size()], out.size(), stores);
            // SAFETY: as in `call_slices`, for dtypes that may be custom ones.
            return unsafe { call.run(out.len(), [a.pointer(), b.pointer()], out.pointer()) };
        }
        self.call_arrays(&[Argument::Slice(a), Argument::Slice(b)], out)
    }

    /// Computes `out` from two operands: slices of its length, or views, zero-dimensional arrays and numbers,
    /// which broadcast to it.
    ///
    /// Arrays must have the dtypes for which the kernel was found. A number is converted to that dtype, as
    /// [`ScalarValue::from_number`](crate::ScalarValue::from_number) does. [`Argument::InPlace`] is the array
    /// `out`: `kernel.call(Argument::InPlace(dtype), b.into(), out)` is `out op= b`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_slices`].
    #[inline]
    pub fn call(&self, a: Argument<'_>, b: Argument<'_>, out: SliceMut<'_>) -> Result<(), CallError> {
        match (&a, &b) {
            (Argument::Slice(a), Argument::Slice(b)) => self.call_slices(*a, *b, out),
            (Argument::InPlace(dtype), Argument::Slice(b)) if *dtype == out.dtype() => {
                self.call_in_place(*b, out)
            }
            _ => self.call_inputs(&[a, b], out),
        }
    }

    /// Computes `out = out op b`, in one call of the in-place loop if no operand needs staging.
    #[inline(always)]
    pub(crate) fn call_in_place(&self, b: Slice<'_>, mut out: SliceMut<'_>) -> Result<(), CallError> {
        let (n, signature) = (out.len(), &self.signature);
        let output = signature.output;
        let dtypes = output.is(out.dtype()) & output.is(b.dtype()) & out.is_initialised();
        let plain = b.is_plain() & out.is_plain();
        // After the exchange of operands `out` is the second one.
        let in_place = usize::from(self.swap) < self.replaceable();
        if (signature.count == 2) & dtypes & (b.len() == n) & plain & in_place
            && n < threads::MIN_LEN
            && let Some(raw) = self.in_place()
        {
            let pointers = [out.pointer().cast_const(), b.pointer()];
            // SAFETY: both hold `n` aligned elements of the one dtype of the kernel, checked above; the level
            // was available when it was found; as both are plain, `out` does not overlap `b`, and the
            // function takes it for its first input.
            return check(unsafe { invoke(raw, n, &pointers, out.pointer()) });
        }
        self.call_arrays(&[Argument::InPlace(out.dtype()), Argument::Slice(b)], out)
    }

    /// Converts the numbers among the inputs to the dtypes of the kernel; `None` if there are none.
    #[cold]
    #[inline(never)]
    pub(super) fn with_numbers<'a, const N: usize>(
        &self,
        inputs: &[Argument<'a>; N],
    ) -> Result<Option<[Argument<'a>; N]>, CallError> {
        // With another number of inputs there is an error anyway.
        if N != self.inputs() {
            return Ok(None);
        }
        let saturate = match (self.entry, &self.pipeline) {
            (Some(entry), _) => entry.op().saturates(),
            (None, Some(pipeline)) => pipeline.saturates(),
            (None, None) => false,
        };
        let mut converted = None;
        for (i, input) in inputs.iter().enumerate() {
            if let Argument::Number(number) = *input {
                let value = ScalarValue::from_number_with(number, self.input_dtype(i), saturate)?;
                converted.get_or_insert(*inputs)[i] = Argument::ZeroDim(value);
            }
        }
        Ok(converted)
    }

    /// Computes `out` from all inputs of an op: its operands, then its [extra inputs](crate::Op::extras), the
    /// condition of `where` included.
    ///
    /// Inputs are as for [`Kernel::call`]. A condition is `bool`; extra numbers have the compute dtype.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_slices`], and an error if the number of inputs is not that of the
    /// op.
    #[inline(never)]
    pub fn call_inputs(&self, inputs: &[Argument<'_>], out: SliceMut<'_>) -> Result<(), CallError> {
        by_count!(inputs, out, self.run, self.inputs())
    }

    #[inline(always)]
    fn run<const N: usize>(&self, inputs: &[Argument<'_>; N], out: SliceMut<'_>) -> Result<(), CallError> {
        if self.fits(inputs, &out) {
            // SAFETY: the arguments fit.
            return unsafe { self.run_fitting(inputs, out) };
        }
        if has_views(inputs) {
            return self.call_views(inputs, out.into());
        }
        if let Some(inputs) = self.with_numbers(inputs)? {
            return self.call_inputs(&inputs, out);
        }
        Err(self.mismatch(inputs, out.dtype(), Some(out.len()), out.is_initialised()))
    }

    /// Computes `out` from slices, from `out` itself and from zero-dimensional arrays.
    ///
    /// A caller that passes no views links no code for views.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_slices`].
    #[inline(never)]
    pub(crate) fn call_arrays<const N: usize>(
        &self,
        inputs: &[Argument<'_>; N],
        out: SliceMut<'_>,
    ) -> Result<(), CallError> {
        if !self.fits(inputs, &out) {
            return Err(self.mismatch(inputs, out.dtype(), Some(out.len()), out.is_initialised()));
        }
        // SAFETY: the arguments fit.
        unsafe { self.run_fitting(inputs, out) }
    }

    /// Returns true if all arguments are as long as `out` or have no length, and all dtypes are those of the
    /// kernel.
    #[inline(always)]
    fn fits<const N: usize>(&self, inputs: &[Argument<'_>; N], out: &SliceMut<'_>) -> bool {
        let (n, known) = (out.len(), self.known());
        let fits = |i: usize| match &inputs[i] {
            Argument::Slice(slice) => known.is(self.at_call(i), slice.dtype()) && slice.len() == n,
            Argument::ZeroDim(value) => known.is(self.at_call(i), value.dtype()),
            Argument::InPlace(dtype) => {
                known.is(self.at_call(i), *dtype) && *dtype == out.dtype() && out.is_initialised()
            }
            Argument::Array(_) | Argument::Weak(_) | Argument::Number(_) => false,
        };
        self.inputs() == N && known.is(self.signature.output, out.dtype()) && (0..N).all(fits)
    }

    /// Computes `out`.
    ///
    /// # Safety
    ///
    /// The arguments fit, as [`Kernel::fits`] says.
    #[inline(always)]
    unsafe fn run_fitting<const N: usize>(
        &self,
        inputs: &[Argument<'_>; N],
        mut out: SliceMut<'_>,
    ) -> Result<(), CallError> {
        let own = Operand::out_slice(&mut out);
        // A loop, since `map` moves the operands once more.
        let mut operands = [Operand::NONE; N];
        for (operand, input) in operands.iter_mut().zip(inputs) {
            *operand = Operand::of(input, own);
        }
        if self.swap && N > 1 {
            operands.swap(0, 1);
        }
        let to = Out::new(out.pointer(), out.size(), out.is_aligned());
        // SAFETY: the operands are of the dtypes that the kernel was found for, and the slices hold as many
        // elements as `out`, which the caller promises; so does `out`, where it is an operand; the level was
        // available when it was found.
        unsafe { run(self, out.len(), &operands, to) }
    }

    /// Returns the error for arguments that do not fit the kernel. `out` is the dtype of the output, `n` its
    /// length if arguments have no shapes, and `initialised` is true if it can be read.
    #[cold]
    #[inline(never)]
    pub(super) fn mismatch(
        &self,
        inputs: &[Argument<'_>],
        out: DType,
        n: Option<usize>,
        initialised: bool,
    ) -> CallError {
        let (known, signature) = (self.known(), &self.signature);
        let dtype = |role: ArgumentRole, expected: DTypeCode, found: DType| {
            (!known.is(expected, found)).then(|| CallError::DType {
                role,
                expected: known.dtype(expected),
                found,
            })
        };
        let check = |(i, input): (usize, &Argument<'_>)| {
            let (role, expected) = (signature.role(i), self.at_call(i));
            match input {
                Argument::ZeroDim(value) => dtype(role, expected, value.dtype()),
                Argument::Array(view) | Argument::Weak(view) => dtype(role, expected, view.dtype()),
                Argument::InPlace(found) => dtype(role, expected, *found)
                    .or_else(|| dtype(role, expected, out))
                    .or_else(|| (!initialised).then_some(CallError::Uninitialised)),
                // It was converted.
                Argument::Number(_) => None,
                Argument::Slice(slice) => dtype(role, expected, slice.dtype()).or_else(|| {
                    let expected = n.filter(|n| *n != slice.len())?;
                    Some(CallError::Length { role, expected, found: slice.len() })
                }),
            }
        };
        let inputs_differ = CallError::Inputs { expected: self.inputs(), found: inputs.len() };
        if inputs.len() != self.inputs() {
            return inputs_differ;
        }
        dtype(ArgumentRole::Out, signature.output, out)
            .or_else(|| inputs.iter().enumerate().find_map(check))
            // Unreachable: callers have found that a check fails.
            .unwrap_or(inputs_differ)
    }
}

/// Returns true if an input is a view.
pub(super) fn has_views(inputs: &[Argument<'_>]) -> bool {
    inputs.iter().any(|input| matches!(input, Argument::Array(_) | Argument::Weak(_)))
}
