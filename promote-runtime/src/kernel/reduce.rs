//! The mean and the sum of what a kernel gives, without room for all of it.
//!
//! The elements are computed in blocks, each rounded to the dtype that the op gives, and added up in `f64` as
//! every sum is (`reduction/sums.rs`). So the result is the same on every machine and at every level.

use arrayvec::ArrayVec;
use float8::{F8E4M3, F8E5M2};
use half::{bf16, f16};

use super::RawKernel;
use super::handle::{Kernel, has_views};
use super::pointers::invoke;
use super::reduction::fold::{Pass, RunBody};
use super::reduction::sums::{FloatSum, LOOPED, Plain, Total};
use super::run::check;
use super::signature::KernelSignature;
use super::strided::gather::{Copier, Run};
use super::target::{Target, tokens};
use super::user::MAX_INPUTS as INPUTS;
use crate::convert::Convert;
use crate::element::Element;
use crate::error::call::CallError;
use crate::level::Level;
use crate::memory::block;
use crate::memory::{Argument, ScalarValue, Slice, SliceMut};
use crate::memory::{MAX_AXES, TensorView};
use crate::op::Reduction;
use crate::{DType, Number};

/// How many elements are computed at once.
const MOST: usize = 1024;
type Block = block::Block<{ MOST * size_of::<f64>() }>;

/// Room for a block of an input's elements.
type Room = block::Block<{ MOST * 16 }>;
/// How a block is added to a [`Total`].
type Summed<T> = RunBody<FloatSum<T, Plain, LOOPED>>;

impl Kernel {
    /// Computes the sum or the mean of the kernel's results, without allocating them. The inputs are those of
    /// [`Kernel::call_inputs`].
    ///
    /// Scalars alone give a single result. If an input is a view, all inputs broadcast to one shape, and a
    /// slice is a view of one axis. Over no elements the sum is 0 and the mean NaN.
    ///
    /// Each result is rounded to the output dtype. The error of the sum is at most 2^-46 times the sum of the
    /// magnitudes, before it is rounded once to the output dtype. The mean is that sum divided by the number
    /// of elements, in `f64`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_inputs`], and an error if the results are not floats.
    pub fn reduced(&self, inputs: &[Argument<'_>], reduction: Reduction) -> Result<ScalarValue, CallError> {
        let places = Places::new(self, inputs)?;
        let n = places.n;
        let dtype = self.known().dtype(self.signature.output);
        let sum = match dtype {
            DType::F8E4M3FN => self.sum::<F8E4M3>(inputs, &places),
            DType::F8E5M2 => self.sum::<F8E5M2>(inputs, &places),
            DType::F16 => self.sum::<f16>(inputs, &places),
            DType::BF16 => self.sum::<bf16>(inputs, &places),
            DType::F32 => self.sum::<f32>(inputs, &places),
            DType::F64 => self.sum::<f64>(inputs, &places),
            _ => Err(CallError::NotReduced { dtype }),
        }?;
        let found = match reduction {
            Reduction::Sum => sum,
            // The quotient 0 / 0 is a NaN of either sign.
            Reduction::Mean if n == 0 => f64::NAN,
            Reduction::Mean => sum / n as f64,
        };
        ScalarValue::from_number(Number::Float(found), dtype)
    }

    /// The sum of the results at all places, which are `T`.
    fn sum<T>(&self, inputs: &[Argument<'_>], places: &Places<'_>) -> Result<f64, CallError>
    where
        T: Element<Reg: Convert<f64>>,
    {
        if inputs.len() > INPUTS {
            return Err(CallError::Inputs { expected: self.inputs(), found: inputs.len() });
        }
        let add: RawKernel = match self.level {
            #[cfg(target_arch = "x86_64")]
            crate::Level::V3 => tokens::V3::enter_body::<Summed<T>>,
            #[cfg(target_arch = "x86_64")]
            crate::Level::V4 => tokens::V4::enter_body::<Summed<T>>,
            _ => tokens::Scalar::enter_body::<Summed<T>>,
        };
        let (mut block, mut total, pass) = (Block::new(), Total::ZERO, Pass::default());
        let mut rooms = core::array::from_fn::<_, INPUTS, _>(|_| Room::new());
        let room = block.room::<T>();
        let mut done = 0;
        loop {
            let m = core::cmp::min(places.n - done, MOST);
            let mut parts = [Argument::ZeroDim(ScalarValue::new(false)); INPUTS];
            for (k, ((part, input), room)) in parts.iter_mut().zip(inputs).zip(&mut rooms).enumerate() {
                *part = places.part(k, input, done, m, room);
            }
            let room = &mut room[..m];
            // Without elements it is called too, and refuses what it would refuse.
            self.call_inputs(&parts[..inputs.len()], SliceMut::uninit(room))?;
            let elements = [room.as_ptr().cast(), core::ptr::from_ref(&pass).cast()];
            // SAFETY: the machine has the kernel's level; the call has written `m` elements of `T`, aligned
            // as for every type of the dtype; the second is a `Pass`, and the total the state of such a sum.
            check(unsafe { invoke(add, m, &elements, core::ptr::from_mut(&mut total).cast()) })?;
            done += m;
            if done == places.n {
                return Ok(total.get());
            }
        }
    }
}

/// The one length of all slices; 1 where there is none.
fn length(signature: &KernelSignature, inputs: &[Argument<'_>]) -> Result<usize, CallError> {
    let mut lengths = inputs.iter().enumerate().filter_map(|(i, input)| match input {
        Argument::Slice(slice) => Some((signature.role(i), slice.len())),
        _ => None,
    });
    let expected = lengths.next().map_or(1, |(_, length)| length);
    match lengths.find(|(_, found)| *found != expected) {
        Some((role, found)) => Err(CallError::Length { role, expected, found }),
        None => Ok(expected),
    }
}

/// An axis of all places: its length, and the bytes from one element to the next in each input.
struct Axis {
    len: usize,
    strides: [isize; INPUTS],
}

/// All places of inputs that broadcast to one another.
struct Places<'a> {
    /// What is not a view stands in none.
    views: [Option<TensorView<'a>>; INPUTS],
    /// The innermost is the first; axes of one place are left out.
    axes: ArrayVec<Axis, MAX_AXES>,
    n: usize,
    level: Level,
}

impl<'a> Places<'a> {
    /// # Errors
    ///
    /// Slices have different lengths, or, where there is a view among the inputs, two do not broadcast to one
    /// shape.
    fn new(kernel: &Kernel, inputs: &[Argument<'a>]) -> Result<Places<'a>, CallError> {
        let Kernel { ref signature, level, .. } = *kernel;
        let mut views = [None::<TensorView<'a>>; INPUTS];
        let (mut axes, mut n) = (ArrayVec::new(), 1_usize);
        if !has_views(inputs) {
            return Ok(Places { views, axes, n: length(signature, inputs)?, level });
        }
        for (view, input) in views.iter_mut().zip(inputs) {
            *view = match input {
                Argument::Array(own) | Argument::Weak(own) => Some(**own),
                Argument::Slice(slice) => Some((*slice).into()),
                _ => None,
            };
        }
        let rank = views.iter().flatten().map(TensorView::rank).max().unwrap_or(0);
        let mut strides = views.each_ref().map(|view| {
            let view = view.as_ref()?;
            Some(view.shape().iter().rev().zip(view.layout().strides_from_last()))
        });
        for at in 0..rank {
            let mut axis = Axis { len: 1, strides: [0; INPUTS] };
            for (i, (stride, own)) in axis.strides.iter_mut().zip(&mut strides).enumerate() {
                let Some((len, own)) = own.as_mut().and_then(Iterator::next) else { continue };
                if *len == 1 {
                    continue;
                }
                if axis.len != 1 && axis.len != *len {
                    let (expected, found) = (axis.len, *len);
                    return Err(CallError::Shapes {
                        role: signature.role(i),
                        from_last: at + 1,
                        expected,
                        found,
                    });
                }
                (axis.len, *stride) = (*len, own);
            }
            n = n.checked_mul(axis.len).ok_or(CallError::Memory { bytes: usize::MAX })?;
            // No more than there is room for: with one more, the places could not be counted.
            if axis.len != 1 && axes.try_push(axis).is_err() {
                return Err(CallError::Memory { bytes: usize::MAX });
            }
        }
        drop(strides);
        Ok(Places { views, axes, n, level })
    }

    /// The elements of an input at the `m` places from `from` on, in row-major order; `room` is for those
    /// that do not lie side by side.
    fn part<'b>(
        &self,
        k: usize,
        input: &Argument<'a>,
        from: usize,
        m: usize,
        room: &'b mut Room,
    ) -> Argument<'b>
    where
        'a: 'b,
    {
        let Some(view) = &self.views[k] else { return input.part(from, m) };
        if view.len() == self.n
            && let Some(slice) = view.as_slice()
        {
            return Argument::Slice(slice).part(from, m);
        }
        let (size, mut done) = (view.layout().size(), 0);
        let copier = Copier::new(size, self.level);
        while done < m {
            let (mut rest, mut first, mut row) = (from + done, view.pointer(), m - done);
            for (i, axis) in self.axes.iter().enumerate() {
                let at = rest % axis.len;
                rest /= axis.len;
                first = first.wrapping_offset(at.cast_signed() * axis.strides[k]);
                if i == 0 {
                    row = row.min(axis.len - at);
                }
            }
            let stride = self.axes.first().map_or(0, |axis| axis.strides[k]);
            let to = Run { pointer: room.pointer().wrapping_add(done * size), stride: size.cast_signed() };
            // SAFETY: from that place on the row has as many elements of the view, which is checked when it
            // is made; the room is that of `MOST` elements of any size, of which these are some.
            unsafe { copier.copy(row, Run { pointer: first, stride }, to) };
            done += row;
        }
        Argument::Slice(Slice::of_view(view.dtype(), room.pointer(), m, true))
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact sums are what is asked for")]
mod tests {
    use std::vec;

    use super::*;
    use crate::kernel::reduction::fold::Fold;
    use crate::level::Scalar;

    fn total(elements: &[f64]) -> f64 {
        let mut total = Total::ZERO;
        for block in elements.chunks(MOST) {
            FloatSum::<f64, Plain, LOOPED>::run(Scalar, block, &Pass::default(), &mut total);
        }
        total.get()
    }

    #[test]
    fn what_blocks_lose_is_added_again() {
        let mut elements = vec![0.0; 3 * MOST];
        // One of them in a block of its own; the others would vanish beside it.
        (elements[0], elements[MOST], elements[2 * MOST]) = (1e16, 1.0, -1e16);
        assert_eq!(total(&elements), 1.0);
        assert_eq!(total(&[]), 0.0);
        assert_eq!(total(&vec![1.0; 5000]), 5000.0);
    }

    #[test]
    fn infinities_stay() {
        let mut elements = vec![1.0; 2 * MOST + 3];
        elements[7] = f64::INFINITY;
        assert_eq!(total(&elements), f64::INFINITY);
        elements[2 * MOST] = f64::NEG_INFINITY;
        assert!(total(&elements).is_nan());
    }
}
