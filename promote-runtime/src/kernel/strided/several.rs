//! The walk over several inputs and outputs, whose elements are passed to a function of the caller in runs.
//!
//! The walk follows the memory order of the first output. A run is a part of a row, or several whole rows if
//! rows are short. Aligned operands that are contiguous along a run and have the dtype that the function
//! wants are passed in place. All others are staged in equal parts of one fixed buffer: inputs are gathered
//! and cast into it, outputs are cast and scattered from it.

use arrayvec::ArrayVec;

use crate::DType;
use crate::error::call::CallError;
use crate::kernel::cast::CastKernel;
use crate::kernel::copy::{Copier, Run};
use crate::kernel::overlap::Copied;
use crate::level::Level;
use crate::memory::axes::{Axis, Odometer, Space, parts};
use crate::memory::block::{Block, LINE};
use crate::memory::operand::Operand;
use crate::memory::staging::BLOCK;
use crate::memory::{Argument, Layout, Slice, SliceMut, TensorViewMut};

/// The largest numbers of inputs and outputs.
pub(crate) const INPUTS: usize = 8;
pub(crate) const OUTPUTS: usize = 4;
const PORTS: usize = INPUTS + OUTPUTS;

/// The bytes of the buffer, of which each operand that needs one has a block of at most [`BLOCK`].
const BUFFER: usize = 8 * BLOCK;

/// The least length of a row that is a run by itself.
const LONG: usize = 256;

/// An input of a walk.
pub(crate) struct Read<'a> {
    /// An array, or a single element of the dtype `to`.
    pub(crate) argument: Argument<'a>,
    /// The output whose elements are the input, if the argument stands for one.
    pub(crate) output: Option<usize>,
    /// The dtype in which the function reads it.
    pub(crate) to: DType,
    /// The cast to that dtype; `None` for elements that have it.
    pub(crate) cast: Option<CastKernel>,
}

/// An output of a walk.
pub(crate) struct Write<'a> {
    pub(crate) to: TensorViewMut<'a>,
    /// The dtype in which the function writes it.
    pub(crate) of: DType,
    /// The cast from that dtype; `None` for elements that have it.
    pub(crate) cast: Option<CastKernel>,
}

/// The function that is called for each run, with inputs and outputs of one length.
pub(crate) type Step<'f> = dyn FnMut(&[Slice<'_>], &mut [SliceMut<'_>]) + 'f;

/// Calls `step` with runs that together have every element once; without elements, it is not called.
///
/// The inputs broadcast to `shape`, each output has it, and no two outputs overlap. What a run of an output
/// holds when `step` is called is unspecified.
///
/// # Errors
///
/// Returns an error if an input that an output overlaps at other positions cannot be copied, if an output
/// whose elements are an input is uninitialised, or if elements of a custom dtype do not have 1, 2, 4, 8 or
/// 16 bytes.
pub(crate) fn for_each(
    shape: &[usize],
    inputs: &[Read<'_>],
    outputs: &mut [Write<'_>],
    step: &mut Step<'_>,
) -> Result<(), CallError> {
    // Without outputs, elements count as one byte each.
    let counted = Layout::contiguous(shape, 1).map_err(|_| CallError::Memory { bytes: usize::MAX })?;
    if counted.len() == 0 {
        return Ok(());
    }
    let pointers: ArrayVec<*mut u8, PORTS> = outputs.iter_mut().map(|output| output.to.pointer()).collect();
    let outputs = &*outputs;
    let mut copies = [const { Copied::NONE }; INPUTS];
    let mut ports = ArrayVec::<Port<'_>, PORTS>::new();
    for (input, copied) in inputs.iter().zip(&mut copies) {
        let (operand, open) = match input.output.and_then(|j| Some((outputs.get(j)?, pointers[j]))) {
            Some((output, _)) if !output.to.is_initialised() => return Err(CallError::Uninitialised),
            Some((output, pointer)) => (Operand::out_view(pointer, &output.to), false),
            None => {
                let operand = Operand::of(&input.argument, Operand::NONE);
                if !is_copied(operand.size) {
                    return Err(CallError::NoElements { dtype: input.to });
                }
                apart(operand, outputs, copied)?
            }
        };
        ports.push(Port::new(operand, input.to, input.cast.as_ref(), open)?);
    }
    for (output, pointer) in outputs.iter().zip(pointers) {
        // The function may read its outputs, so uninitialised ones are staged.
        let open = output.to.is_borrowed() && output.to.is_initialised();
        let operand = Operand::out_view(pointer, &output.to);
        ports.push(Port::new(operand, output.of, output.cast.as_ref(), open)?);
    }
    let operands = core::array::from_fn(|k| ports.get(k).map_or(Operand::NONE, |port| port.operand));
    let first = ports.get(inputs.len()).and_then(|port| Some((port.operand.pointer, port.operand.layout()?)));
    let (out, layout) = first.unwrap_or((core::ptr::null(), counted));
    let mut space = Space::<PORTS>::empty(out.cast_mut(), operands.each_ref().map(|operand| operand.pointer));
    space.fill(&layout, &operands);
    let (inner, outer, rows) = space.rows();
    let (inputs, level) = (inputs.len(), Level::active());
    let walk = Several { ports, inputs, space: &space, inner: &inner, outer, rows, level };
    let by_rows = walk.form(true);
    let together = || Some(walk.form(false)).filter(|form| form.most >= inner.len);
    let short = inner.len < LONG && !outer.is_empty();
    let form = if short { together().unwrap_or(by_rows) } else { by_rows };
    walk.run(&form, step)
}

/// Returns an operand that outputs overlap index by index or nowhere, copied if necessary. Also returns true
/// if they overlap it nowhere.
fn apart<'a>(
    operand: Operand<'a>,
    outputs: &[Write<'_>],
    copied: &mut Copied,
) -> Result<(Operand<'a>, bool), CallError> {
    let mut open = true;
    for output in outputs {
        if operand.is_in_place(&output.to) {
            open = false;
        } else if operand.overlaps(&output.to) {
            // SAFETY: the elements are initialised, and nothing is written before the walk begins.
            return Ok((unsafe { copied.take(&operand) }?, true));
        }
    }
    Ok((operand, open))
}

/// Returns true if elements of this size can be copied.
const fn is_copied(size: usize) -> bool {
    matches!(size, 1 | 2 | 4 | 8 | 16)
}

/// An operand of the walk.
struct Port<'a> {
    operand: Operand<'a>,
    /// The dtype in which the function has it, and the bytes of an element then.
    dtype: DType,
    size: usize,
    cast: Option<&'a CastKernel>,
    /// True if the elements may be passed in place, if they need no cast.
    open: bool,
}

impl<'a> Port<'a> {
    fn new(
        operand: Operand<'a>,
        dtype: DType,
        cast: Option<&'a CastKernel>,
        open: bool,
    ) -> Result<Port<'a>, CallError> {
        let size = dtype.size().unwrap_or(0);
        if !is_copied(operand.size) || !is_copied(size) {
            return Err(CallError::NoElements { dtype });
        }
        Ok(Port { operand, dtype, size, cast, open })
    }
}

/// The walk of a call.
struct Several<'a> {
    /// The inputs, of which there are `inputs`, and the outputs.
    ports: ArrayVec<Port<'a>, PORTS>,
    inputs: usize,
    space: &'a Space<PORTS>,
    inner: &'a Axis<PORTS>,
    outer: &'a [Axis<PORTS>],
    rows: usize,
    /// The level at which elements are copied; the machine has it.
    level: Level,
}

/// How the runs of a walk are made.
struct Form {
    /// True if a run is a part of one row, and not several rows.
    by_rows: bool,
    /// The largest number of elements in a run.
    most: usize,
    /// The bytes of a block.
    block: usize,
    /// Which operands are aligned and contiguous along a run.
    contiguous: [bool; PORTS],
    /// Which operands are passed to the function in place.
    passed: [bool; PORTS],
}

/// A run: a part of a row, or several whole rows.
#[derive(Clone, Copy)]
struct Part {
    from: usize,
    rows: usize,
    cols: usize,
}

impl Several<'_> {
    fn form(&self, by_rows: bool) -> Form {
        let (mut contiguous, mut passed) = ([false; PORTS], [false; PORTS]);
        let (mut count, mut greatest) = (0, 1);
        for (k, port) in self.ports.iter().enumerate() {
            let size = port.operand.size;
            let fits = if by_rows {
                self.inner.inputs[k] == size.cast_signed() || self.inner.len == 1
            } else {
                self.space.is_linear(size, |axis| axis.inputs[k])
            };
            contiguous[k] = port.operand.is_direct() && fits;
            passed[k] = contiguous[k] && port.open && port.cast.is_none();
            if !passed[k] {
                (count, greatest) = (count + 1, greatest.max(size).max(port.size));
            }
        }
        // One block more, between a gather and a cast. Blocks are aligned for every dtype.
        let block = BLOCK.min(BUFFER / (count + 1)) / LINE * LINE;
        let most = if count == 0 { usize::MAX } else { block / greatest };
        Form { by_rows, most, block, contiguous, passed }
    }

    fn run(&self, form: &Form, step: &mut Step<'_>) -> Result<(), CallError> {
        let mut buffer = Block::<BUFFER>::new();
        let blocks = self.blocks(form, buffer.pointer());
        let together = if form.by_rows { 1 } else { form.most / self.inner.len };
        let mut row = Odometer::new(self.space, self.outer);
        for (_, rows) in parts(self.rows, together) {
            for (from, cols) in parts(self.inner.len, form.most) {
                // SAFETY: the part lies within as many rows from this one on, and the blocks have room for
                // `most` elements.
                unsafe { self.part(form, &blocks, &row, Part { from, rows, cols }, step) }?;
            }
            for _ in 0..rows {
                row.advance(self.outer);
            }
        }
        Ok(())
    }

    /// Returns the blocks of the operands that need one. Those of single elements are filled, and those of
    /// outputs initialised.
    fn blocks(&self, form: &Form, buffer: *mut u8) -> Blocks {
        let mut blocks = Blocks { spare: buffer, ports: [buffer; PORTS] };
        let mut next = buffer;
        let longest = form.most.min(self.space.len());
        for (k, port) in self.ports.iter().enumerate().filter(|(k, _)| !form.passed[*k]) {
            next = next.wrapping_add(form.block);
            blocks.ports[k] = next;
            if k >= self.inputs {
                // SAFETY: the buffer has a block for each operand that needs one, and the spare one before
                // them.
                unsafe { next.write_bytes(0, form.block) };
            }
            // SAFETY: a block has room for `most` elements and is aligned to more than 16 bytes.
            unsafe { port.operand.filled(longest, next) };
        }
        blocks
    }

    /// Passes one run to the function.
    ///
    /// # Safety
    ///
    /// The part lies within the space, is not empty, and fits in the blocks, which are those of
    /// [`Several::blocks`].
    unsafe fn part(
        &self,
        form: &Form,
        blocks: &Blocks,
        row: &Odometer<PORTS>,
        part: Part,
        step: &mut Step<'_>,
    ) -> Result<(), CallError> {
        let n = part.rows * part.cols;
        let first = |k: usize| row.inputs[k].wrapping_offset(part.from.cast_signed() * self.inner.inputs[k]);
        let (ports, outputs) = self.ports.split_at(self.inputs);
        let mut inputs = ArrayVec::<Slice<'_>, INPUTS>::new();
        for (k, port) in ports.iter().enumerate() {
            let own = blocks.ports[k];
            let mut pointer = if form.passed[k] { first(k) } else { own.cast_const() };
            if !form.passed[k] && !port.operand.is_broadcast() {
                let mut source = first(k);
                if !form.contiguous[k] || port.cast.is_none() {
                    let block = if port.cast.is_some() { blocks.spare } else { own };
                    // SAFETY: each of the rows has as many elements of the input, and a block has room for
                    // `n`; it is of this walk alone.
                    unsafe { self.copy(row, part, k, block, true) };
                    source = block.cast_const();
                }
                pointer = source;
                if let Some(cast) = port.cast {
                    let from = Slice::from_parts(cast.dtypes()[0], source, n, true);
                    cast.call(from, SliceMut::from_parts(port.dtype, own, n, true, false))?;
                    pointer = own.cast_const();
                }
            }
            inputs.push(Slice::from_parts(port.dtype, pointer, n, true));
        }
        let mut results = ArrayVec::<SliceMut<'_>, OUTPUTS>::new();
        for (k, port) in (self.inputs..).zip(outputs) {
            let pointer = if form.passed[k] { first(k).cast_mut() } else { blocks.ports[k] };
            results.push(SliceMut::from_parts(port.dtype, pointer, n, true, true));
        }
        step(&inputs, &mut results);
        for (k, port) in (self.inputs..).zip(outputs).filter(|(k, _)| !form.passed[*k]) {
            let mut found = blocks.ports[k];
            if let Some(cast) = port.cast {
                let from = Slice::from_parts(port.dtype, found, n, true);
                found = if form.contiguous[k] { first(k).cast_mut() } else { blocks.spare };
                cast.call(from, SliceMut::from_parts(cast.dtypes()[2], found, n, true, false))?;
            }
            if port.cast.is_none() || !form.contiguous[k] {
                // SAFETY: each of the rows has room for as many results; the block has `n` of them, which are
                // initialised: the block was, or the cast has written them.
                unsafe { self.copy(row, part, k, found, false) };
            }
        }
        Ok(())
    }

    /// Copies the elements of a part between an operand's memory and a block: to the block if `gather` is
    /// true, else from it.
    ///
    /// # Safety
    ///
    /// The elements are initialised where they are read, and there is room where they are written. The block
    /// is of this walk alone.
    unsafe fn copy(&self, row: &Odometer<PORTS>, part: Part, k: usize, block: *mut u8, gather: bool) {
        let (size, stride) = (self.ports[k].operand.size, self.inner.inputs[k]);
        let copier = Copier::new(size, self.level);
        let mut row = row.clone();
        for r in 0..part.rows {
            let pointer = row.inputs[k].wrapping_offset(part.from.cast_signed() * stride);
            let own = Run { pointer: pointer.cast_mut(), stride };
            let other = Run { pointer: block.wrapping_add(r * part.cols * size), stride: size.cast_signed() };
            let (from, to) = if gather { (own, other) } else { (other, own) };
            // SAFETY: as the caller promises, of each row.
            unsafe { copier.copy(part.cols, from.into(), to) };
            row.advance(self.outer);
        }
    }
}

/// Where the blocks begin.
struct Blocks {
    spare: *mut u8,
    ports: [*mut u8; PORTS],
}
