//! Calls on views: shapes are broadcast, overlaps are found, and the places are walked in the order that
//! memory wants.

mod ahead;
pub(crate) mod several;
mod walk;

use ahead::{Ahead, Cast};
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
        out: TensorViewMut<'_>,
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
        // SAFETY: inputs and `out` have the dtypes that the kernel was found for, and as an input `out` is
        // initialised, checked above; the level was available when it was found.
        unsafe { call(self, inputs, out) }
    }
}

/// Computes every place of `out` from inputs that broadcast to its shape.
///
/// # Errors
///
/// An input does not broadcast to the shape of `out`, or the op refuses a value: `out` is then as it was.
///
/// # Safety
///
/// The inputs have the dtypes of the kernel in the order of the call, and `out` has that of its results;
/// where an input is what `out` holds, it is initialised. The machine has the kernel's level.
unsafe fn call<const N: usize>(
    kernel: &Kernel,
    inputs: &[Argument<'_>; N],
    mut out: TensorViewMut<'_>,
) -> Result<(), CallError> {
    let at = |k: usize| if kernel.swap && k < 2 { 1 - k } else { k };
    let (pointer, out) = (out.pointer(), &out);
    let own = Operand::out_view(pointer, out);
    let mut operands = [Operand::NONE; N];
    let mut parallel = true;
    for (k, operand) in operands.iter_mut().enumerate() {
        *operand = Operand::of(&inputs[at(k)], own);
        if let Some(layout) = &operand.layout() {
            broadcasts(kernel.signature.role(at(k)), layout, out.layout())?;
            parallel &= layout.is_parallel_to(out.layout());
        }
    }
    if parallel && out.is_contiguous() || out.is_empty() {
        let to = Out::new(pointer, own.size, out.is_aligned());
        // SAFETY: the inputs are single elements or have as many as `out`, contiguous in the same order, or
        // there are no elements; the rest is as the caller promises.
        return unsafe { run(kernel, out.len(), &operands, to) };
    }
    let (mut elements, mut copies) = ([const { None::<ScalarValue> }; N], [const { Copied::NONE }; N]);
    for (k, (element, copy)) in elements.iter_mut().zip(&mut copies).enumerate() {
        let operand = &mut operands[k];
        let Some(layout) = operand.layout() else { continue };
        if layout.len() == 1 {
            // It stands for every place.
            *element = inputs[at(k)].view().and_then(|view| view.first());
            if let Some(value) = element {
                *operand = Operand::scalar(value);
            }
        } else if operand.is_in_place(out) {
            operand.access = Access::InPlace;
        } else if operand.overlaps(out) {
            // SAFETY: an operand has all of its elements, and nothing is written before the copy is made.
            *operand = unsafe { copy.take(operand) }?;
        }
    }
    let pays = |cast: &Cast| {
        let k = cast.ahead.k;
        let in_place = operands[1 - k].access == Access::InPlace;
        operands[k].layout().is_some_and(|layout| cast.pays(&layout, out.layout(), in_place))
    };
    match Cast::of(kernel).filter(pays) {
        // SAFETY: as the caller promises; the kernel is that of the dtypes of the inputs, when this one is
        // cast.
        Some(Cast { kernel, ahead }) => unsafe { apart(&kernel, operands, pointer, out, Some(ahead)) },
        // SAFETY: as the caller promises.
        None => unsafe { apart(kernel, operands, pointer, out, None) },
    }
}

/// Computes a call whose operands are not all contiguous, one of which may have to be cast ahead. `pointer`
/// is that of `out`.
///
/// # Safety
///
/// As [`call`], of a kernel for operands as they are after that cast. Operands overlap `out` index by index
/// ([`Access::InPlace`]) or nowhere.
unsafe fn apart<const N: usize>(
    kernel: &Kernel,
    mut operands: [Operand<'_>; N],
    pointer: *mut u8,
    out: &TensorViewMut<'_>,
    mut ahead: Option<Ahead>,
) -> Result<(), CallError> {
    let (aligned, blocked) = (out.is_aligned(), kernel.pipeline.is_some());
    // A function that takes `out` for its first input reads it where it lies. A pipeline that casts its
    // results reads each block before it is written. Others read what `out` holds by way of blocks.
    let is_out = |operand: &Operand<'_>| operand.access == Access::InPlace;
    let held = (0..kernel.replaceable()).find(|&k| !blocked && aligned && is_out(&operands[k]));
    if let Some(k) = held {
        operands.swap(0, k);
        if let Some(ahead) = ahead.as_mut().filter(|_| k == 1) {
            ahead.k = 1 - ahead.k;
        }
    }
    let direct = kernel.casts_results() && aligned;
    for (k, operand) in operands.iter_mut().enumerate() {
        if is_out(operand) && !(k == 0 && held.is_some()) {
            operand.access = if direct { Access::Direct } else { Access::Staged };
        }
    }
    let space = Space::new(pointer, out.layout(), &operands);
    if ahead.is_none() && !blocked && aligned {
        ahead = Ahead::out_of_line(&space, &operands);
    }
    // SAFETY: as the caller promises; views are checked when they are made, what overlapped `out` in other
    // places is copied, and what `out` holds is read directly where a pipeline reads before it writes, or as
    // the first input alone, of a function that takes it so. Parts that do not overlap are written by one
    // thread each.
    unsafe { walk(kernel, &space, &operands, Out::new(pointer, out.layout().size(), aligned), ahead) }
}

/// Computes all places of a space, in parts if that pays.
///
/// # Safety
///
/// As [`Walk::run`], also for parts side by side.
unsafe fn walk<const N: usize>(
    kernel: &Kernel,
    space: &Space<N>,
    operands: &[Operand<'_>; N],
    out: Out,
    ahead: Option<Ahead>,
) -> Result<(), CallError> {
    let looks = if kernel.signature.traps { &[true, false][..] } else { &[false] };
    let sizes = operands.iter().map(|operand| operand.size).sum::<usize>() + out.size;
    let units = space.axes.first().map_or(1, |axis| axis.len);
    let each = space.len() / units;
    let reach = WorkingSet::of(space.len(), || moved(space, operands, out.size));
    for looks in looks {
        let part = |from: usize, len: usize| {
            let mut space = space.part(0, from, len);
            let mut walk = |space: &mut Space<N>, operands: &[Operand<'_>; N]| {
                // SAFETY: as the caller promises, of a part of it, in which what is cast has the dtype of the
                // kernel.
                unsafe { Walk::new(kernel, space, operands, out, reach).run(*looks) }
            };
            match ahead {
                // SAFETY: as the caller promises; what is cast does not overlap `out`.
                Some(ahead) => unsafe { ahead.panels(&space, operands, &mut walk) },
                None => walk(&mut space, operands),
            }
        };
        // SAFETY: as the caller promises.
        unsafe { threads::each_unit(units, each, sizes, true, |len| len, part) }?;
    }
    Ok(())
}

/// Returns how many bytes a call on all places of a space moves: of operands whole lines where elements lie
/// apart, and results. What is repeated counts once, and so does what is computed in place.
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
