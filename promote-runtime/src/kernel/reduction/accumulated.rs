//! Reductions of arrays whose elements arrive in parts, so that the array need not be in memory.

use alloc::vec::Vec;

use super::finish::Finish;
use super::walk::{Reduced, Target, To};
use super::{Pass, Reducer};
use crate::DType;
use crate::error::call::{ArgumentRole, CallError};
use crate::memory::allocation::{copy_of, room_for};
use crate::memory::{Layout, Tensor, TensorView, Uninit};

/// The states of all outputs of a reduction.
#[derive(Debug)]
pub(crate) struct Accumulated {
    reducer: Reducer,
    /// The dtype of the elements.
    dtype: DType,
    /// The shape of the array, and for each axis whether it is reduced.
    shape: Vec<usize>,
    along: Vec<bool>,
    /// The shape of the states: that of the array, with a length of 1 for each reduced axis.
    kept: Vec<usize>,
    outputs: usize,
    /// Aligned to 16 bytes, as no state needs more.
    states: Vec<u128>,
}

impl Accumulated {
    /// Creates the states of the reduction of an array of this dtype, for which the functions were found, and
    /// this shape.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Reducer::call`] that follow from the shape, and an error if there is not
    /// enough memory for the states.
    #[allow(clippy::large_types_passed_by_value, reason = "the accumulator keeps it")]
    pub(crate) fn new(
        reducer: Reducer,
        (dtype, shape): (DType, &[usize]),
        along: &dyn Fn(usize) -> bool,
    ) -> Result<Accumulated, CallError> {
        let mut kept = copy_of(shape)?;
        let mut reduced = room_for(shape.len())?;
        reduced.extend((0..shape.len()).map(along));
        for (len, _) in kept.iter_mut().zip(&reduced).filter(|(_, along)| **along) {
            *len = 1;
        }
        let row = reducer.row;
        let missing = CallError::Memory { bytes: usize::MAX };
        let outputs = Layout::contiguous(&kept, row.state).map_err(|_| missing)?.len();
        if outputs > 0 {
            reducer.count(shape, along)?;
        }
        let room = (outputs * row.state).div_ceil(size_of::<u128>());
        let mut states = room_for(room)?;
        states.resize(room, 0_u128);
        // SAFETY: there is room for as many states. They are aligned, since a state is an array of numbers of
        // at most 8 bytes.
        unsafe { (row.start)(states.as_mut_ptr().cast(), outputs) };
        Ok(Accumulated { reducer, dtype, shape: copy_of(shape)?, along: reduced, kept, outputs, states })
    }

    /// Reduces a part of the array: a box whose first element is at `at`.
    ///
    /// # Errors
    ///
    /// Returns an error if the part has another dtype than the array, or reaches beyond it.
    pub(crate) fn add(&mut self, at: &[usize], part: &TensorView<'_>) -> Result<(), CallError> {
        let Accumulated { reducer, dtype, shape, along, kept, states, .. } = self;
        let (role, expected, found) = (ArgumentRole::A, *dtype, part.dtype());
        if found != expected {
            return Err(CallError::DType { role, expected, found });
        }
        for found in [part.rank(), at.len()] {
            if found != shape.len() {
                return Err(CallError::Rank { role, expected: shape.len(), found });
            }
        }
        for (axis, ((from, len), whole)) in at.iter().zip(part.shape()).zip(&*shape).enumerate() {
            if from.checked_add(*len).is_none_or(|end| end > *whole) {
                return Err(CallError::Shapes {
                    role,
                    from_last: shape.len() - axis,
                    expected: whole.saturating_sub(*from),
                    found: *len,
                });
            }
        }
        if part.is_empty() {
            return Ok(());
        }
        let missing = CallError::Memory { bytes: usize::MAX };
        let layout = Layout::contiguous(kept, reducer.row.state).map_err(|_| missing)?;
        // The first state, and the index of the first element along the reduced axes.
        let (mut first, mut index, mut step, mut count) = (0_isize, 0_u64, 1_u64, 1_usize);
        for (axis, stride) in (0..shape.len()).rev().zip(layout.strides_from_last()) {
            if along[axis] {
                index = index.wrapping_add(step.wrapping_mul(at[axis] as u64));
                step = step.wrapping_mul(shape[axis] as u64);
                count *= part.shape()[axis];
            } else {
                first += at[axis].cast_signed() * stride;
            }
        }
        let pointer = states.as_mut_ptr().cast::<u8>().wrapping_offset(first);
        let target = Target { pointer, layout: &layout, keepdims: true, to: To::States };
        let pass = Pass { index, ..reducer.pass() };
        let reduced = Reduced::new(reducer, (part, &shape[..]), &|axis| along[axis], target, pass, count);
        // SAFETY: the level was available when the functions were found, and the view is valid. The part
        // lies within the array, so its outputs have states from `pointer` on, at the strides of `layout`.
        // They are this object's own, so they overlap no element.
        unsafe { reduced.run() }
    }

    /// Returns the result.
    ///
    /// # Errors
    ///
    /// Returns an error if this build lacks a cast, or if there is not enough memory.
    pub(crate) fn finish(&self, keepdims: bool) -> Result<Tensor, CallError> {
        let Accumulated { reducer, shape, along, kept, outputs, states, .. } = self;
        let mut own = copy_of(kept)?;
        if !keepdims {
            let mut along = along.iter();
            own.retain(|_| along.next() == Some(&false));
        }
        let mut out = Uninit::new(reducer.target(), &own)?;
        if *outputs > 0 {
            let count = reducer.count(shape, &|axis| along[axis])?;
            let finish = Finish::find(reducer, count, reducer.pass())?;
            let mut view = out.view_mut();
            let size = view.layout().size().cast_signed();
            // SAFETY: there are as many states as elements of `out`, which are contiguous.
            unsafe { finish.write(states.as_ptr().cast(), *outputs, view.pointer(), size) }?;
        }
        // SAFETY: all elements have been written.
        Ok(unsafe { out.written() })
    }
}
