//! Calls on views: shapes are broadcast, overlaps are found, and elements are walked in memory order.

mod ahead;
pub(crate) mod several;
mod walk;

use ahead::Ahead;
use walk::Walk;

use super::handle::Kernel;
use super::run::run;
use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::call::by_count;
use crate::kernel::overlap::Copied;
use crate::memory::axes::Space;
use crate::memory::block::LINE;
use crate::memory::non_temporal::WorkingSet;
use crate::memory::operand::{Access, Operand, Out};
use crate::memory::{Argument, Layout, Mismatch, ScalarValue, TensorViewMut, mismatch, threads};

impl Kernel {
    /// Computes `out` from inputs of any shape, in the order of [`Kernel::call_inputs`].
    ///
    /// Inputs are views, slices (views of one axis) or scalars, and broadcast to the shape of `out`: counted
    /// from the last axis, each has the length of `out` or 1, and missing axes count as 1. Nothing is
    /// allocated, except a copy of an input that overlaps `out` at other positions, which needs the feature
    /// `alloc`.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves `out` unchanged, if a dtype is not that of the kernel, if an input does
    /// not broadcast, or if the op refuses a value.
    pub fn call_views(&self, inputs: &[Argument<'_>], out: TensorViewMut<'_>) -> Result<(), CallError> {
        by_count!(inputs, out, self.walk, self.inputs())
    }

    fn walk<const N: usize>(
        &self,
        inputs: &[Argument<'_>; N],
        mut out: TensorViewMut<'_>,
    ) -> Result<(), CallError> {
        let known = self.known();
        let fits = |i: usize| match inputs[i] {
            Argument::InPlace(dtype) => {
                known.is(self.at_call(i), dtype) && dtype == out.dtype() && out.is_initialised()
            }
            input => input.dtype().is_some_and(|dtype| known.is(self.at_call(i), dtype)),
        };
        if self.inputs() != N || !known.is(self.signature.output, out.dtype()) || !(0..N).all(fits) {
            if let Some(inputs) = self.with_numbers(inputs)? {
                return self.call_views(&inputs, out);
            }
            return Err(self.mismatch(inputs, out.dtype(), None, out.is_initialised()));
        }
        let at = |k: usize| if self.swap && k < 2 { 1 - k } else { k };
        let (pointer, out) = (out.pointer(), &out);
        let own = Operand::out_view(pointer, out);
        let mut operands = [Operand::NONE; N];
        let mut parallel = true;
        for (k, operand) in operands.iter_mut().enumerate() {
            *operand = Operand::of(&inputs[at(k)], own);
            if let Some(layout) = &operand.layout() {
                broadcasts(self.signature.role(at(k)), layout, out.layout())?;
                parallel &= layout.is_parallel_to(out.layout());
            }
        }
        let mut elements = [const { None::<ScalarValue> }; N];
        if !parallel {
            parallel = true;
            for (k, (operand, element)) in operands.iter_mut().zip(&mut elements).enumerate() {
                let Some(layout) = operand.layout() else { continue };
                if layout.len() == 1 {
                    // The element is broadcast.
                    *element = inputs[at(k)].view().and_then(|view| view.first());
                }
                match element {
                    Some(value) => *operand = Operand::scalar(value),
                    None => parallel &= layout.is_parallel_to(out.layout()),
                }
            }
        }
        if parallel && out.is_contiguous() || out.is_empty() {
            let to = Out::new(pointer, own.size, out.is_aligned());
            // SAFETY: the inputs are single elements or have as many as `out`, contiguous in the same order,
            // or there are no elements. Inputs and `out` have the dtypes that the kernel was found for, and
            // as an input `out` is initialised, checked above; the level was available when it was found.
            return unsafe { run(self, out.len(), &operands, to) };
        }
        let mut copies = [const { Copied::NONE }; N];
        for (operand, copy) in operands.iter_mut().zip(&mut copies) {
            if operand.layout().is_none() {
                continue;
            }
            if operand.is_in_place(out) {
                operand.access = Access::InPlace;
            } else if operand.overlaps(out) {
                // SAFETY: an operand has all of its elements, and nothing is written before the copy is made.
                *operand = unsafe { copy.take(operand) }?;
            }
        }
        // SAFETY: as above; operands that overlap `out` at other positions are copied.
        unsafe { walk(self, operands, pointer, out) }
    }
}

/// Computes a call whose operands are not all contiguous, in parts if that pays. `pointer` is that of `out`.
///
/// # Safety
///
/// The operands have the dtypes of the kernel, in the order in which its function takes them, and broadcast
/// to `out`, which has that of its results. They overlap `out` index by index ([`Access::InPlace`]), and it
/// is initialised then, or nowhere. The machine has the kernel's level.
unsafe fn walk<const N: usize>(
    kernel: &Kernel,
    mut operands: [Operand<'_>; N],
    pointer: *mut u8,
    out: &TensorViewMut<'_>,
) -> Result<(), CallError> {
    let is_out = |operand: &Operand<'_>| operand.access == Access::InPlace;
    let mut ahead = Ahead::of(kernel).filter(|ahead| {
        let layout = operands[ahead.k].layout();
        layout.is_some_and(|layout| ahead.pays(&layout, out.layout(), is_out(&operands[1 - ahead.k])))
    });
    let aligned = out.is_aligned();
    // A function that takes `out` for its first input reads it in place. A pipeline that casts its results
    // reads each block before it is written. Others read the elements of `out` from blocks.
    let called = ahead.as_ref().map_or(kernel, |ahead| &ahead.kernel);
    let replaceable = if aligned && called.pipeline.is_none() { called.replaceable() } else { 0 };
    let held = (0..replaceable).find(|&k| is_out(&operands[k]));
    if let Some(k) = held {
        operands.swap(0, k);
        if let Some(ahead) = ahead.as_mut().filter(|_| k == 1) {
            ahead.k = 1 - ahead.k;
        }
    }
    let kernel = ahead.as_ref().map_or(kernel, |ahead| &ahead.kernel);
    for (k, operand) in operands.iter_mut().enumerate() {
        if is_out(operand) && !(k == 0 && held.is_some()) {
            operand.access = if kernel.casts_results() && aligned { Access::Direct } else { Access::Staged };
        }
    }
    let mut space = Space::empty(pointer, operands.each_ref().map(|operand| operand.pointer));
    space.fill(out.layout(), &operands);
    let space = &space;
    let out = Out::new(pointer, out.layout().size(), aligned);
    let sizes = operands.iter().map(|operand| operand.size).sum::<usize>() + out.size;
    let units = space.axes.first().map_or(1, |axis| axis.len);
    let each = space.len() / units;
    let working_set = WorkingSet::of(space.len(), || moved(space, &operands, out.size));
    let passes = if kernel.signature.traps { &[true, false][..] } else { &[false] };
    for checks in passes {
        let part = |from: usize, len: usize| {
            let mut part = Space::empty(space.out, space.inputs);
            part.fill_part(space, 0, from, len);
            let mut walk = |space: &mut Space<N>, operands: &[Operand<'_>; N]| {
                // SAFETY: as the caller promises, of a part of it. Views are checked when they are made. The
                // elements of `out` are read directly where a pipeline reads before it writes, or as the
                // first input alone, of a function that takes it so. What is cast has the dtype of the kernel
                // by now.
                unsafe { Walk::new(kernel, space, operands, out, working_set).run(*checks) }
            };
            match &ahead {
                // SAFETY: as above; what is cast does not overlap `out`.
                Some(ahead) => unsafe { ahead.panels(&part, &operands, &mut walk) },
                None => walk(&mut part, &operands),
            }
        };
        // SAFETY: parts that do not overlap are written by one thread each.
        unsafe { threads::each_unit(units, each, sizes, true, |len| len, part) }?;
    }
    Ok(())
}

/// Returns the number of bytes that a call moves: results, and operands by whole lines if they are strided.
/// Elements that are repeated or computed in place count once.
fn moved<const N: usize>(space: &Space<N>, operands: &[Operand<'_>; N], out_size: usize) -> usize {
    let read = |k: &usize| !operands[*k].is_broadcast() && space.inputs[*k] != space.out.cast_const();
    let inputs = (0..N).filter(read).map(|k| {
        let apart = || space.axes.iter().filter(|axis| axis.inputs[k] != 0);
        let nearest = apart().map(|axis| axis.inputs[k].unsigned_abs()).min().unwrap_or(0);
        let each = nearest.clamp(operands[k].size, LINE);
        apart().map(|axis| axis.len).product::<usize>() * each
    });
    inputs.sum::<usize>() + space.len() * out_size
}

/// Checks that an input broadcasts to the shape of `out`: counted from the last axis, each axis has the
/// length of `out`, or 1.
fn broadcasts(role: ArgumentRole, input: &Layout<'_>, out: &Layout<'_>) -> Result<(), CallError> {
    let (found, expected) = (input.shape(), out.shape());
    if found.len() > expected.len() {
        return Err(CallError::Rank { role, expected: expected.len(), found: found.len() });
    }
    match mismatch(found, expected) {
        Some(Mismatch::Length { from_last, expected, found }) => {
            Err(CallError::Broadcast { role, axis: out.shape().len() - from_last, expected, found })
        }
        _ => Ok(()),
    }
}
