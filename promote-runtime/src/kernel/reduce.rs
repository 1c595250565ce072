//! The mean and the sum of what a kernel gives, without room for all of it.
//!
//! The elements are computed in blocks, each rounded to the dtype that the op gives, and added up in `f64`: of a block in 128
//! sums, each of every 128th element; these by halves; and the blocks one after another, with what each addition loses kept beside. So the
//! result is the same on every machine and at every level.

use core::marker::PhantomData;

use float8::{F8E4M3, F8E5M2};
use half::{bf16, f16};

use super::block;
use super::body::input;
use super::error::CallError;
use super::handle::{Kernel, Types};
use super::run::check;
use super::scalar::ScalarValue;
use super::slice::{Input, SliceMut};
use super::target::{Body, Target, tokens};
use super::{RawKernel, Status};
use crate::DType;
use crate::convert::Convert;
use crate::element::Element;
use crate::level::Lanes;
use crate::number::Number;
use crate::op::Reduction;

/// How many elements are computed at once.
const MOST: usize = 1024;
type Block = block::Block<{ MOST * size_of::<f64>() }>;

/// How many sums a block is added up in: so many that LLVM makes a vector loop of an addition to all of them.
const LANES: usize = 128;

impl Kernel {
    /// The sum or the mean of what the kernel gives for its inputs, which are as for [`Kernel::call_inputs`]: rounded once, to the dtype that
    /// the kernel gives. Of no elements the sum is 0 and the mean NaN. Scalars alone are one place.
    ///
    /// With n elements x, each rounded to that dtype, the sum lies within 2^-46 · (|x1| + .. + |xn|) of the exact one before it is rounded;
    /// the mean is that sum divided by n, in `f64`. Nothing is allocated.
    ///
    /// # Errors
    ///
    /// As [`Kernel::call_inputs`], and where the kernel gives no floats.
    pub fn reduced(&self, inputs: &[Input<'_>], reduction: Reduction) -> Result<ScalarValue, CallError> {
        let n = length(self.types, inputs)?;
        let dtype = self.known().dtype(self.types.out());
        let sum = match dtype {
            DType::F8E4M3FN => self.sum::<F8E4M3>(inputs, n),
            DType::F8E5M2 => self.sum::<F8E5M2>(inputs, n),
            DType::F16 => self.sum::<f16>(inputs, n),
            DType::BF16 => self.sum::<bf16>(inputs, n),
            DType::F32 => self.sum::<f32>(inputs, n),
            DType::F64 => self.sum::<f64>(inputs, n),
            _ => Err(CallError::NotReduced { dtype }),
        }?;
        let found = match reduction {
            Reduction::Sum => sum,
            // The quotient 0 / 0 is a NaN of either sign.
            Reduction::Mean if n == 0 => f64::NAN,
            Reduction::Mean => sum / n as f64,
        };
        Number::Float(found).to_element(dtype)
    }

    /// The sum of the `n` results, which are `T`.
    fn sum<T>(&self, inputs: &[Input<'_>], n: usize) -> Result<f64, CallError>
    where
        T: Element<Reg: Convert<f64>>,
    {
        let mut parts = [Input::Scalar(ScalarValue::new(false)); 4];
        let Some(parts) = parts.get_mut(..inputs.len()) else {
            return Err(CallError::Inputs { expected: self.types.inputs(), found: inputs.len() });
        };
        let (mut block, mut total) = (Block::new(), Total::default());
        let room = block.room::<T>();
        let mut done = 0;
        loop {
            let m = core::cmp::min(n - done, MOST);
            for (part, input) in parts.iter_mut().zip(inputs) {
                *part = input.part(done, m);
            }
            let room = &mut room[..m];
            // Without elements it is called too, and refuses what it would refuse.
            self.call_inputs(parts, SliceMut::uninit(room))?;
            let mut block = 0.0_f64;
            let (results, sum) = ([room.as_ptr().cast()], core::ptr::from_mut(&mut block).cast());
            let add: RawKernel = match self.types.level() {
                #[cfg(target_arch = "x86_64")]
                crate::Level::V3 => tokens::V3::enter::<BlockSum<T>>,
                #[cfg(target_arch = "x86_64")]
                crate::Level::V4 => tokens::V4::enter::<BlockSum<T>>,
                _ => tokens::Scalar::enter::<BlockSum<T>>,
            };
            // SAFETY: the machine has the kernel's level; the call has written `m` elements of `T`, and there is room for
            // one `f64`, which is all that the body writes.
            check(unsafe { add(m, results.as_ptr(), sum) })?;
            total.add(block);
            done += m;
            if done == n {
                return Ok(total.get());
            }
        }
    }
}

/// The one length of all slices; 1 where there is none.
fn length(types: Types, inputs: &[Input<'_>]) -> Result<usize, CallError> {
    let mut lengths = inputs.iter().enumerate().filter_map(|(i, input)| match input {
        Input::Slice(slice) => Some((types.place(i), slice.len())),
        Input::View(_) | Input::Scalar(_) | Input::InPlace => None,
    });
    let expected = lengths.next().map_or(1, |(_, length)| length);
    match lengths.find(|(_, found)| *found != expected) {
        Some((place, found)) => Err(CallError::Length { place, expected, found }),
        None => Ok(expected),
    }
}

/// The sum of `n` elements of `T`, as one `f64`.
struct BlockSum<T>(PhantomData<T>);

impl<T> Body for BlockSum<T>
where
    T: Element<Reg: Convert<f64>>,
{
    /// Of `out`, room for one `f64` is asked.
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller promises one input.
        let first = unsafe { input::<T>(inputs, 0) };
        // SAFETY: it has `n` initialised elements of this dtype, aligned for `T` as for every type of the dtype; every bit pattern is
        // a valid `Repr`.
        let elements = unsafe { core::slice::from_raw_parts(first, n) };
        #[allow(clippy::cast_ptr_alignment, reason = "the caller promises that it is aligned")]
        let out = out.cast::<f64>();
        // SAFETY: the caller promises room for an aligned `f64`.
        unsafe { out.write(block_sum::<L, T>(lanes, elements)) };
        Status::Done
    }
}

#[inline(always)]
fn block_sum<L, T>(lanes: L, elements: &[T::Repr]) -> f64
where
    L: Lanes,
    T: Element<Reg: Convert<f64>>,
{
    let value = |repr: T::Repr| -> f64 { T::load(lanes, repr).convert(false) };
    let mut sums = [0.0; LANES];
    let whole = elements.chunks_exact(LANES);
    let rest = whole.remainder();
    for row in whole {
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum += value(*x);
        }
    }
    for (sum, x) in sums.iter_mut().zip(rest) {
        *sum += value(*x);
    }
    let mut half = LANES / 2;
    while half > 0 {
        let (low, high) = sums.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            *low += *high;
        }
        half /= 2;
    }
    sums[0]
}

/// A sum and what its additions have lost.
#[derive(Default)]
struct Total {
    sum: f64,
    lost: f64,
}

impl Total {
    fn add(&mut self, block: f64) {
        let sum = self.sum + block;
        // What the addition has lost, exactly (Knuth's two-sum).
        let back = sum - self.sum;
        self.lost += (self.sum - (sum - back)) + (block - back);
        self.sum = sum;
    }

    fn get(&self) -> f64 {
        // Of infinities and NaN there is nothing to be mended.
        if self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact sums are what is asked for")]
mod tests {
    use std::vec;

    use super::*;
    use crate::level::Scalar;

    fn total(elements: &[f64]) -> f64 {
        let mut total = Total::default();
        for block in elements.chunks(MOST) {
            total.add(block_sum::<Scalar, f64>(Scalar, block));
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
