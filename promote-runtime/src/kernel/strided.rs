//! Calls on views: shapes are broadcast, overlaps are found, and the places are walked in the order that
//! memory wants.

mod ahead;
mod axes;
pub(super) mod gather;
pub(crate) mod several;
mod walk;

use ahead::{Ahead, Cast};
use axes::{Elements, Space};
use walk::{Reading, Walk};

use super::handle::Kernel;
use super::run::run;
use super::stage::Source;
use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::handle::by_count;
use crate::memory::block::LINE;
use crate::memory::non_temporal::WorkingSet;
use crate::memory::{Argument, ScalarValue, threads};
use crate::memory::{Layout, TensorView, TensorViewMut};

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
    let mut views = [const { None::<TensorView<'_>> }; N];
    for k in 0..N {
        views[k] = match &inputs[at(k)] {
            Argument::Array(view) | Argument::Weak(view) => Some(**view),
            Argument::Slice(slice) => Some((*slice).into()),
            _ => None,
        };
        if let Some(view) = &views[k] {
            broadcasts(kernel.signature.role(at(k)), view.layout(), out.layout())?;
        }
    }
    let mut scalars: [Option<ScalarValue>; N] = core::array::from_fn(|k| match &inputs[at(k)] {
        Argument::ZeroDim(value) => Some(*value),
        _ => None,
    });
    let parallel = views.iter().flatten().all(|view| view.layout().is_parallel_to(out.layout()));
    if parallel && out.is_contiguous() || out.is_empty() {
        let aligned = out.is_aligned();
        let sources: [Source<'_>; N] = core::array::from_fn(|k| match (&views[k], &scalars[k]) {
            (Some(view), _) if view.is_aligned() => Source::Aligned(view.pointer()),
            (Some(view), _) => Source::Unaligned(view.pointer()),
            (None, Some(value)) => Source::Scalar(value),
            (None, None) if aligned => Source::Aligned(out.pointer()),
            (None, None) => Source::Unaligned(out.pointer()),
        });
        // SAFETY: the inputs are scalars or have as many elements as `out`, side by side in the same order,
        // or there are no elements; the rest is as the caller promises.
        return unsafe { run(kernel, out.len(), &sources, out.pointer(), aligned) };
    }
    let mut copies: [Copied; N] = core::array::from_fn(|_| Copied::default());
    for (k, copy) in copies.iter_mut().enumerate() {
        let Some(view) = &mut views[k] else { continue };
        if view.len() == 1 {
            // It stands for every place.
            scalars[k] = view.first();
        } else if overlaps(view, &out) && !in_same_places(view, &out) {
            *view = copy.take(view)?;
        }
    }
    let is_out: [bool; N] = core::array::from_fn(|k| match &views[k] {
        Some(view) => in_same_places(view, &out),
        None => matches!(inputs[at(k)], Argument::InPlace(_)),
    });
    let operands = Operands { views, scalars, is_out };
    let pays = |cast: &Cast| {
        let k = cast.ahead.k;
        views[k].is_some_and(|view| cast.pays(view.layout(), out.layout(), is_out[1 - k]))
    };
    match Cast::of(kernel).filter(pays) {
        // SAFETY: as the caller promises; the kernel is that of the dtypes of the inputs, when this one is
        // cast.
        Some(Cast { kernel, ahead }) => unsafe { apart(&kernel, operands, out, Some(ahead)) },
        // SAFETY: as the caller promises.
        None => unsafe { apart(kernel, operands, out, None) },
    }
}

/// The inputs of a call in the order of the kernel: views that overlap `out` in its own places or nowhere, or
/// scalars; or what `out` holds.
#[derive(Clone, Copy)]
struct Operands<'a, const N: usize> {
    views: [Option<TensorView<'a>>; N],
    scalars: [Option<ScalarValue>; N],
    /// Whether they are what `out` holds.
    is_out: [bool; N],
}

/// A call whose inputs do not lie side by side, one of which may have to be cast ahead.
///
/// # Safety
///
/// As [`call`], of a kernel for inputs as they are after that cast.
unsafe fn apart<const N: usize>(
    kernel: &Kernel,
    operands: Operands<'_, N>,
    mut out: TensorViewMut<'_>,
    mut ahead: Option<Ahead>,
) -> Result<(), CallError> {
    let Operands { mut views, mut scalars, is_out } = operands;
    // A function that takes `out` for its first input reads it where it lies.
    let held = (0..kernel.replaceable()).find(|&k| kernel.pipeline.is_none() && is_out[k]);
    if let Some(k) = held {
        views.swap(0, k);
        scalars.swap(0, k);
        if let Some(ahead) = ahead.as_mut().filter(|_| k == 1) {
            ahead.k = 1 - ahead.k;
        }
    }
    let own = (out.pointer(), *out.layout());
    let elements: [Elements<'_>; N] = core::array::from_fn(|k| match (&views[k], &scalars[k]) {
        (_, Some(value)) => Elements { pointer: value.pointer(), layout: None },
        (Some(view), None) => Elements { pointer: view.pointer(), layout: Some(*view.layout()) },
        (None, None) => Elements { pointer: own.0.cast_const(), layout: Some(own.1) },
    });
    // Each block is read before it is written.
    let cast = kernel.casts_results();
    let readings = core::array::from_fn(|k| Reading {
        scalar: scalars[k].as_ref(),
        direct: match &views[k] {
            _ if k == 0 && held.is_some() || cast && is_out[k] => out.is_aligned(),
            Some(view) => view.is_aligned() && !overlaps(view, &out),
            None => false,
        },
        held: k == 0 && held.is_some(),
    });
    let space = Space::new(own.0, &own.1, elements);
    let aligned = out.is_aligned();
    if ahead.is_none() && kernel.pipeline.is_none() && aligned {
        ahead = Ahead::out_of_line(&space, &readings, |k| kernel.size(k));
    }
    // SAFETY: as the caller promises; views are checked when they are made, what overlapped `out` in other
    // places is copied, and what `out` holds is read directly where a pipeline reads before it writes, or as the
    // first input alone, of a function that takes it so. Parts that do not overlap are written by one thread
    // each.
    unsafe { walk(kernel, &space, readings, aligned, ahead) }
}

/// All places of a space, in parts if that pays.
///
/// # Safety
///
/// As [`Walk::run`], also for parts side by side.
unsafe fn walk<const N: usize>(
    kernel: &Kernel,
    space: &Space<N>,
    readings: [Reading<'_>; N],
    aligned: bool,
    ahead: Option<Ahead>,
) -> Result<(), CallError> {
    let looks = if kernel.signature.traps { &[true, false][..] } else { &[false] };
    let sizes = (0..N).map(|k| kernel.size(k)).sum::<usize>() + kernel.out_size();
    let units = space.axes.first().map_or(1, |axis| axis.len);
    let each = space.len() / units;
    let reach = WorkingSet::of(space.len(), || moved(kernel, space, &readings));
    for looks in looks {
        let part = |from: usize, len: usize| {
            let mut space = space.part(0, from, len);
            let mut walk = |space: &mut Space<N>, readings: [Reading<'_>; N]| {
                // SAFETY: as the caller promises, of a part of it, in which what is cast has the dtype of the
                // kernel.
                unsafe { Walk::new(kernel, space, readings, aligned, reach).run(*looks) }
            };
            match ahead {
                // SAFETY: as the caller promises; what is cast does not overlap `out`.
                Some(ahead) => unsafe { ahead.panels(&space, readings, &mut walk) },
                None => walk(&mut space, readings),
            }
        };
        // SAFETY: as the caller promises.
        unsafe { threads::each_unit(units, each, sizes, true, |len| len, part) }?;
    }
    Ok(())
}

/// How many bytes a call on all places of a space moves: of inputs whole lines where elements lie apart, and
/// results. What is repeated counts once, and so does what is computed in place.
fn moved<const N: usize>(kernel: &Kernel, space: &Space<N>, readings: &[Reading<'_>; N]) -> usize {
    let read = |k: &usize| readings[*k].scalar.is_none() && space.inputs[*k] != space.out.cast_const();
    let inputs = (0..N).filter(read).map(|k| {
        let apart = || space.axes.iter().filter(|axis| axis.inputs[k] != 0);
        let nearest = apart().map(|axis| axis.inputs[k].unsigned_abs()).min().unwrap_or(0);
        let each = nearest.clamp(kernel.size(k), LINE);
        apart().map(|axis| axis.len).product::<usize>() * each
    });
    inputs.sum::<usize>() + space.len() * kernel.out_size()
}

/// Whether an input broadcasts to the shape of `out`: seen from the last axis, each has the length of `out`,
/// or 1.
fn broadcasts(role: ArgumentRole, input: &Layout<'_>, out: &Layout<'_>) -> Result<(), CallError> {
    let (found, expected) = (input.shape(), out.shape());
    if found.len() > expected.len() {
        return Err(CallError::Rank { role, expected: expected.len(), found: found.len() });
    }
    let pairs = found.iter().rev().zip(expected.iter().rev());
    match pairs.enumerate().find(|(_, (found, expected))| found != expected && **found != 1) {
        Some((from_last, (found, expected))) => {
            let axis = out.shape().len() - 1 - from_last;
            Err(CallError::Broadcast { role, axis, expected: *expected, found: *found })
        }
        None => Ok(()),
    }
}

/// Whether `out` may write to what a view has.
pub(crate) fn overlaps(view: &TensorView<'_>, out: &TensorViewMut<'_>) -> bool {
    if view.is_borrowed() && out.is_borrowed() {
        return false;
    }
    let range = |pointer: *const u8, layout: &Layout<'_>| {
        let extent = layout.extent();
        let at = |by: isize| pointer.wrapping_offset(by).addr();
        (at(extent.first), at(extent.end))
    };
    let (first, end) = range(view.pointer(), view.layout());
    let (start, last) = range(out.memory().pointer(), out.layout());
    first < last && start < end
}

/// Whether the elements of a view are those of `out`, index by index.
pub(crate) fn in_same_places(view: &TensorView<'_>, out: &TensorViewMut<'_>) -> bool {
    let (own, other) = (view.layout(), out.layout());
    let strides = own.strides_from_last().zip(other.strides_from_last());
    let same = own.shape() == other.shape() && own.size() == other.size();
    same && strides.zip(own.shape().iter().rev()).all(|((a, b), len)| a == b || *len == 1)
        && view.pointer() == out.memory().pointer()
}

/// The elements of a view that `out` overlaps, side by side in memory of their own.
#[cfg(feature = "alloc")]
#[derive(Default)]
pub(super) struct Copied(alloc::vec::Vec<u128>);

#[cfg(feature = "alloc")]
impl Copied {
    pub(super) fn take<'a>(&'a mut self, view: &TensorView<'a>) -> Result<TensorView<'a>, CallError> {
        let (size, target) = (view.layout().size(), view.layout().compacted());
        let bytes = view.len().saturating_mul(size);
        self.0.try_reserve_exact(bytes.div_ceil(16)).map_err(|_| CallError::Memory { bytes })?;
        let room: *mut u8 = self.0.as_mut_ptr().cast();
        let elements = Elements { pointer: view.pointer(), layout: Some(*view.layout()) };
        // SAFETY: there is room for as many elements as the view has, which are all there.
        unsafe { walk::copy_all(&Space::new(room, &target, [elements]), size) };
        // SAFETY: the copy has all elements of the view, and is there for `'a`; the memory is aligned for the
        // largest element.
        Ok(unsafe { view.moved_to(room) })
    }
}

/// Without an allocator nothing can be copied.
#[cfg(not(feature = "alloc"))]
#[derive(Default)]
pub(super) struct Copied(());

#[cfg(not(feature = "alloc"))]
impl Copied {
    pub(super) fn take<'a>(&'a mut self, _: &TensorView<'a>) -> Result<TensorView<'a>, CallError> {
        let Copied(()) = self;
        Err(CallError::Overlap)
    }
}
