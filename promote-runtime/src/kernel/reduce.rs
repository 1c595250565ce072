//! The sum and the mean of the results of a kernel, without an array of the results.
//!
//! Results are computed in blocks, rounded to the output dtype, and added up in `f64` as every sum is
//! (`reduction/sums.rs`). So the result is equal on every machine and at every level.

use arrayvec::ArrayVec;

use super::RawKernel;
use super::call::has_views;
use super::fused::check;
use super::handle::Kernel;
use super::per_level::{PerLevel, body};
use super::reduction::fold::{Pass, RunBody};
use super::reduction::sums::{FloatSum, LOOPED, Total};
use super::signature::MAX_INPUTS as INPUTS;
use super::strided::several::{self, Read};
use crate::error::call::CallError;
use crate::level::doors::tokens;
use crate::level::function::invoke;
use crate::memory::block::Block;
use crate::memory::{Argument, Layout, Mismatch, ScalarValue, Shape, Slice, SliceMut, TensorView};
use crate::op::Reduction;
use crate::{DType, Number, types};

/// The number of results in a block.
const RESULTS: usize = 1024;
/// The function body that adds a block to a [`Total`].
type Summed<T> = RunBody<FloatSum<T, false, LOOPED, 1>>;

impl Kernel {
    /// Computes the sum or the mean of the kernel's results, without allocating them. The inputs are those of
    /// [`Kernel::call_inputs`].
    ///
    /// If all inputs are scalars, there is a single result. If an input is a view, all inputs broadcast to
    /// one shape, and a slice counts as a view of one axis. Over no elements the sum is 0 and the mean NaN.
    ///
    /// Each result is rounded to the output dtype. The sum is rounded once to the output dtype; before that,
    /// its error is at most 2^-46 times the sum of the magnitudes. The mean is that sum divided by the number
    /// of elements, in `f64`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_inputs`], and an error if the results are not floats.
    pub fn reduced(&self, inputs: &[Argument<'_>], reduction: Reduction) -> Result<ScalarValue, CallError> {
        let shape = self.broadcast(inputs)?;
        let counted = Layout::contiguous(&shape, 1).map_err(|_| CallError::Memory { bytes: usize::MAX })?;
        let n = counted.len();
        let dtype = self.known().dtype(self.signature.output);
        let add = sum_of(dtype).ok_or(CallError::NotReduced { dtype })?.expect(self.level);
        let mut results =
            Results { kernel: self, inputs, dtype, add, block: Block::new(), len: 0, total: Total::ZERO };
        let views: ArrayVec<TensorView<'_>, INPUTS> = inputs.iter().filter_map(Argument::view).collect();
        let slices: ArrayVec<Slice<'_>, INPUTS> =
            views.iter().filter_map(|view| view.as_slice().filter(|slice| slice.len() == n)).collect();
        if n == 0 {
            // The kernel refuses inputs of other dtypes even without elements.
            let empty = views.iter().map(|view| Slice::from_parts(view.dtype(), view.pointer(), 0, true));
            results.compute(0, &empty.collect::<ArrayVec<_, INPUTS>>())?;
        } else if slices.len() == views.len() {
            results.compute(n, &slices)?;
        } else {
            let read = |view| {
                let (argument, to) = (Argument::Array(view), view.dtype());
                Read { argument, output: None, to, cast: None }
            };
            let reads: ArrayVec<Read<'_>, INPUTS> = views.iter().map(read).collect();
            let mut done = Ok(());
            several::for_each(&shape, &reads, &mut [], &mut |slices, _| {
                if done.is_ok() {
                    done = results.compute(slices.first().map_or(0, Slice::len), slices);
                }
            })?;
            done?;
        }
        let sum = results.sum()?;
        let found = match reduction {
            Reduction::Sum => sum,
            // The quotient 0 / 0 is a NaN of either sign.
            Reduction::Mean if n == 0 => f64::NAN,
            Reduction::Mean => sum / n as f64,
        };
        ScalarValue::from_number(Number::Float(found), dtype)
    }

    /// Returns the shape that the inputs broadcast to. Slices alone must have one length.
    fn broadcast(&self, inputs: &[Argument<'_>]) -> Result<Shape, CallError> {
        if inputs.len() > INPUTS {
            return Err(CallError::Inputs { expected: self.inputs(), found: inputs.len() });
        }
        let mut shape = Shape::EMPTY;
        for (i, input) in inputs.iter().enumerate() {
            let (own, role) = (input.shape(), self.signature.role(i));
            let has_length = |length: &usize| own.is_empty() || own == [*length];
            if !has_views(inputs) && !shape.first().is_none_or(has_length) {
                return Err(CallError::Length { role, expected: shape[0], found: own[0] });
            }
            shape.broadcast(own).map_err(|mismatch| match mismatch {
                Mismatch::Axes { most, found } => CallError::Rank { role, expected: most, found },
                Mismatch::Length { from_last, expected, found } => {
                    CallError::Shapes { role, from_last, expected, found }
                }
            })?;
        }
        Ok(shape)
    }
}

macro_rules! sums {
    (
        {}
        typed [
            bool $bool:tt integer $integer:tt
            narrow_float [$($narrow:ident $narrow_ty:ident $narrow_row:tt)*]
            float [$($dtype:ident $ty:ident $row:tt)*]
            $($complex:ident $complex_rows:tt)*
        ]
        untyped $untyped:tt
    ) => {
        /// Returns the function that adds a block of floats to a [`Total`]; `None` for other dtypes.
        const fn sum_of(dtype: DType) -> Option<PerLevel> {
            match dtype {
                $(DType::$narrow => Some(const { body::<tokens::Levels, Summed<types::$narrow_ty>>(true) }),)*
                $(DType::$dtype => Some(const { body::<tokens::Levels, Summed<types::$ty>>(true) }),)*
                _ => None,
            }
        }
    };
}

promote_core::__dtypes! { sums {} }

/// The results of a kernel, and the sum of those before them.
struct Results<'a> {
    kernel: &'a Kernel,
    inputs: &'a [Argument<'a>],
    dtype: DType,
    /// Adds a block to the sum.
    add: RawKernel,
    block: Block<{ RESULTS * size_of::<f64>() }>,
    len: usize,
    total: Total,
}

impl Results<'_> {
    /// Computes and adds the next `n` results. `slices` has the elements of each input that is an array.
    fn compute(&mut self, n: usize, slices: &[Slice<'_>]) -> Result<(), CallError> {
        let mut done = 0;
        loop {
            let m = (n - done).min(RESULTS - self.len);
            let mut arrays = slices.iter();
            let part = |input| match Argument::view(input) {
                Some(_) => arrays.next().map_or(*input, |slice| Argument::Slice(slice.part(done, m))),
                None => *input,
            };
            let parts: ArrayVec<Argument<'_>, INPUTS> = self.inputs.iter().map(part).collect();
            let free = self.block.pointer().wrapping_add(self.len * self.dtype.size().unwrap_or(1));
            self.kernel.call_inputs(&parts, SliceMut::from_parts(self.dtype, free, m, true, false))?;
            (self.len, done) = (self.len + m, done + m);
            if self.len == RESULTS {
                self.flush()?;
            }
            if done == n {
                return Ok(());
            }
        }
    }

    /// Adds the block to the sum.
    fn flush(&mut self) -> Result<(), CallError> {
        let pass = Pass::default();
        let inputs = [self.block.pointer().cast_const(), core::ptr::from_ref(&pass).cast()];
        let total = core::ptr::from_mut(&mut self.total).cast();
        let n = core::mem::take(&mut self.len);
        // SAFETY: the machine has the kernel's level. The block has `n` aligned elements of the function's
        // dtype, which calls of the kernel have written; the second input is a `Pass`, and the total is the
        // state of such a sum.
        check(unsafe { invoke(self.add, n, &inputs, total) })
    }

    /// Returns the sum of all results.
    fn sum(mut self) -> Result<f64, CallError> {
        self.flush()?;
        Ok(self.total.get())
    }
}
