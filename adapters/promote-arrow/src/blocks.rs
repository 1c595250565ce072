//! Computation of the values of a result, whole or block by block.
//!
//! Kernels of `promote` read and write slices of elements. Primitive arrays are such slices, and are passed
//! as they are. Booleans are bits in Arrow and bytes in `promote`, so calls with booleans run in blocks that
//! stay in the L1 cache: bits are unpacked to bytes, or the bytes of a result are packed. No array of bytes
//! as long as the operands is allocated.

use std::slice;
use std::sync::Arc;

use arrayvec::ArrayVec;
use arrow_array::{ArrayRef, ArrowPrimitiveType, BooleanArray, PrimitiveArray, new_null_array};
use arrow_buffer::{ArrowNativeType, BooleanBuffer, Buffer, MutableBuffer, NullBuffer, ScalarBuffer};
use promote::{CallError, CastKernel, DType, Element, Number, Op, RuleSet, ScalarValue, Slice, SliceMut};

use crate::argument::Input;
use crate::bits::{pack, unpack};
use crate::types::with_primitive;
use crate::{Error, data_type_of};

/// The number of elements of a block, a multiple of 64. A call with a scalar costs a quarter of a microsecond
/// before it computes, so that smaller blocks would take longer.
const BLOCK: usize = 4096;

/// The largest number of inputs of a call.
pub(crate) const MAX_INPUTS: usize = 8;

/// The computation for each element.
#[derive(Clone, Copy)]
pub(crate) enum Work<'r> {
    Op(&'r RuleSet, Op),
    Cast(CastKernel),
}

impl Work<'_> {
    /// Computes as many elements as `out` has.
    fn block(&self, inputs: &[promote::Argument<'_>], out: SliceMut<'_>) -> Result<(), promote::Error> {
        match (self, inputs) {
            (Work::Op(rules, op), _) => rules.elementwise(*op, inputs, out),
            (Work::Cast(kernel), [promote::Argument::Slice(slice)]) => Ok(kernel.call(*slice, out)?),
            (Work::Cast(..), others) => Err(CallError::Inputs { expected: 1, found: others.len() }.into()),
        }
    }
}

/// Computes `len` elements of a dtype, and returns them as an array with these nulls.
///
/// Some ops refuse values, such as a divisor of 0, and a null row may hold any value. The first attempt
/// computes all rows as they are, since most values under nulls are harmless. If a value is refused, the
/// second attempt replaces the values in null rows by 1, which every op accepts.
pub(crate) fn compute(
    work: Work<'_>,
    inputs: &[Input<'_>],
    len: usize,
    dtype: DType,
    nulls: Option<&NullBuffer>,
) -> Result<ArrayRef, Error> {
    match (attempt(work, inputs, len, dtype, nulls, None), nulls) {
        (Err(error), Some(valid)) if refuses_a_value(&error) => {
            if valid.null_count() == len {
                // A scalar was refused, and no row uses it.
                return Ok(new_null_array(&data_type_of(dtype)?, len));
            }
            attempt(work, inputs, len, dtype, nulls, Some(valid))
        }
        (result, _) => result,
    }
}

/// Returns true if the call failed because of the value of an element.
fn refuses_a_value(error: &Error) -> bool {
    use CallError::{DivisionByZero, NegativeExponent, Probability};
    matches!(error, Error::Promote(promote::Error::Call(DivisionByZero | NegativeExponent | Probability)))
}

/// Computes all elements. With `valid`, the operands of null rows are replaced by 1.
fn attempt(
    work: Work<'_>,
    inputs: &[Input<'_>],
    len: usize,
    dtype: DType,
    nulls: Option<&NullBuffer>,
    valid: Option<&NullBuffer>,
) -> Result<ArrayRef, Error> {
    if dtype == DType::Bool {
        let bits = bits(work, inputs, len, valid)?;
        return Ok(Arc::new(BooleanArray::new(bits, nulls.cloned())));
    }
    with_primitive!(dtype, T => {
        let values = elements::<T>(work, inputs, len, valid)?;
        Ok(Arc::new(PrimitiveArray::<T>::new(values, nulls.cloned())))
    }, _ => Err(Error::DType(dtype)))
}

/// Computes a result of bits.
fn bits(
    work: Work<'_>,
    inputs: &[Input<'_>],
    len: usize,
    valid: Option<&NullBuffer>,
) -> Result<BooleanBuffer, Error> {
    let mut bits = reserve::<u8>(len.div_ceil(8))?;
    let mut bytes = [0; BLOCK];
    for_each_block(inputs, len, valid, |inputs, n| {
        work.block(inputs, SliceMut::from_bytes(DType::Bool, &mut bytes[..n])?)?;
        pack(&bytes[..n], &mut bits);
        Ok(())
    })?;
    Ok(BooleanBuffer::new(Buffer::from_vec(bits), 0, len))
}

/// Computes a result of numbers.
fn elements<T: ArrowPrimitiveType<Native: Element>>(
    work: Work<'_>,
    inputs: &[Input<'_>],
    len: usize,
    valid: Option<&NullBuffer>,
) -> Result<ScalarBuffer<T::Native>, Error> {
    let is_array = |input: &Input<'_>| matches!(input, Input::Elements(..));
    if valid.is_none() && inputs.iter().any(is_array) {
        let mut operands = ArrayVec::<_, MAX_INPUTS>::new();
        for whole in inputs.iter().map_while(Input::whole) {
            operands.push(whole?);
        }
        if operands.len() == inputs.len() {
            return written(len, |out| Ok(work.block(&operands, out)?));
        }
    }
    let mut values = reserve::<T::Native>(len)?;
    let mut block = vec![T::Native::default(); len.min(BLOCK)];
    for_each_block(inputs, len, valid, |inputs, n| {
        work.block(inputs, SliceMut::new(&mut block[..n]))?;
        values.extend_from_slice(&block[..n]);
        Ok(())
    })?;
    Ok(values.into())
}

/// Returns `len` elements that a function writes to memory of Arrow's, which begins on a cache line: vectors
/// that reach over two lines are slower to write, and to read in the next call.
#[expect(unsafe_code, reason = "the result is written to uninitialised memory")]
fn written<N: ArrowNativeType + Element>(
    len: usize,
    write: impl FnOnce(SliceMut<'_>) -> Result<(), Error>,
) -> Result<ScalarBuffer<N>, Error> {
    let bytes = len * size_of::<N>();
    let mut values = MutableBuffer::with_capacity(bytes);
    // SAFETY: there is memory for `len` elements from the pointer on, which is aligned for them; nothing else
    // uses it before the function returns.
    write(SliceMut::uninit::<N>(unsafe { slice::from_raw_parts_mut(values.as_mut_ptr().cast(), len) }))?;
    // SAFETY: a call that succeeds has written every element, as `SliceMut::uninit` promises.
    unsafe { values.set_len(bytes) };
    Ok(ScalarBuffer::new(values.into(), 0, len))
}

/// Calls a function for each block, with the operands of the block and their number; for no elements once.
fn for_each_block(
    inputs: &[Input<'_>],
    len: usize,
    valid: Option<&NullBuffer>,
    mut run: impl FnMut(&[promote::Argument<'_>], usize) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut staging =
        inputs.iter().map(|input| Staging::new(input, valid.is_some())).collect::<Result<Vec<_>, _>>()?;
    let mut start = 0;
    loop {
        let n = (len - start).min(BLOCK);
        let valid = valid.map(|valid| valid.slice(start, n));
        let mut operands = ArrayVec::<_, MAX_INPUTS>::new();
        for staging in &mut staging {
            operands.push(staging.block(start, n, valid.as_ref())?);
        }
        run(&operands, n)?;
        start += n;
        if start >= len {
            return Ok(());
        }
    }
}

/// An operand with the memory for a block of it, which is empty if none is copied.
struct Staging<'a> {
    input: &'a Input<'a>,
    memory: Vec<u8>,
    /// The number 1 in the operand's dtype, for null rows.
    one: ScalarValue,
}

impl<'a> Staging<'a> {
    fn new(input: &'a Input<'a>, replaces_nulls: bool) -> Result<Staging<'a>, Error> {
        let (dtype, copies) = match input {
            Input::Elements(dtype, _) => (*dtype, replaces_nulls),
            Input::Bits(_) => (DType::Bool, true),
            Input::Once(_) | Input::Constant(_) => (DType::Bool, false),
        };
        let one = ScalarValue::from_number(Number::Int(1), dtype)?;
        let memory = if copies { vec![0; BLOCK * one.as_bytes().len()] } else { Vec::new() };
        Ok(Staging { input, memory, one })
    }

    /// Returns the operand of the `n` rows from `start` on. With `valid`, null rows have the value 1.
    fn block(
        &mut self,
        start: usize,
        n: usize,
        valid: Option<&NullBuffer>,
    ) -> Result<promote::Argument<'_>, Error> {
        let one = self.one.as_bytes();
        let size = one.len();
        let slice = match (self.input, valid) {
            (Input::Once(argument), _) => return Ok(*argument),
            (Input::Constant(view), _) => return Ok(view.into()),
            (Input::Elements(dtype, bytes), None) => {
                Slice::from_bytes(*dtype, &bytes[start * size..(start + n) * size])?
            }
            (Input::Elements(dtype, bytes), Some(valid)) => {
                let bytes = &bytes[start * size..(start + n) * size];
                let memory = &mut self.memory[..n * size];
                for element in memory.chunks_exact_mut(size) {
                    element.copy_from_slice(one);
                }
                for (from, to) in valid.valid_slices() {
                    memory[from * size..to * size].copy_from_slice(&bytes[from * size..to * size]);
                }
                Slice::from_bytes(*dtype, memory)?
            }
            (Input::Bits(bits), valid) => {
                let mut bits = bits.slice(start, n);
                if let Some(valid) = valid {
                    bits = &bits | &!valid.inner();
                }
                let memory = &mut self.memory[..n];
                unpack(&bits, memory);
                Slice::from_bytes(DType::Bool, memory)?
            }
        };
        Ok(slice.into())
    }
}

/// Returns an empty vector with room for `len` elements.
fn reserve<T>(len: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    let missing = |_| CallError::Memory { bytes: len.saturating_mul(size_of::<T>()) };
    values.try_reserve_exact(len).map_err(missing)?;
    Ok(values)
}
