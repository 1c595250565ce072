//! A walk over several inputs and several outputs, whose places are handed to a function of the caller's in
//! runs.
//!
//! The idea is a loop over all places in the order in which the first output lies in memory. The deviations:
//! 1. a run is a part of a row, or several whole rows where rows are short;
//! 2. what already is of the dtype that is wanted, aligned and side by side along a run is handed on where it
//!    lies;
//! 3. all else goes through equal parts of one fixed buffer: inputs are gathered and cast to it, outputs are
//!    cast and scattered from it.

use arrayvec::ArrayVec;

use super::axes::{Axis, Elements, Odometer, Space, parts};
use super::gather::{Copier, Run};
use super::{Copied, in_same_places, overlaps};
use crate::DType;
use crate::error::call::CallError;
use crate::kernel::cast::CastKernel;
use crate::kernel::stage::BLOCK;
use crate::level::Level;
use crate::memory::block::Block;
use crate::memory::{Layout, ScalarValue, Slice, SliceMut, TensorView, TensorViewMut};

/// How many inputs and outputs there are at most.
pub(crate) const INPUTS: usize = 8;
pub(crate) const OUTPUTS: usize = 4;

/// All operands of a space but the first output.
const OTHERS: usize = INPUTS + OUTPUTS - 1;

/// The bytes of the buffer, of which each operand that needs one has a block of at most [`BLOCK`].
const BUFFER: usize = 8 * BLOCK;

/// Blocks begin at a multiple of so many bytes.
const BLOCK_ALIGN: usize = 64;

/// From how many places on a row is a run by itself.
const LONG: usize = 256;

/// Where an input comes from.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    View(TensorView<'a>),
    /// What an output holds.
    Output(usize),
    /// It is of the dtype that is wanted.
    Scalar(ScalarValue),
}

/// An input: where it comes from, and of which dtype it is wanted.
pub(crate) struct Reads<'a> {
    pub(crate) from: Origin<'a>,
    pub(crate) to: DType,
    /// There where its elements are of another dtype.
    pub(crate) cast: Option<CastKernel>,
}

/// An output: where it goes, and of which dtype it is computed.
pub(crate) struct Writes<'a> {
    pub(crate) to: TensorViewMut<'a>,
    pub(crate) of: DType,
    /// There where its elements are of another dtype.
    pub(crate) cast: Option<CastKernel>,
}

/// What is called for each run: its inputs and its outputs, all of one length.
pub(crate) type Step<'f> = dyn FnMut(&[Slice<'_>], &mut [SliceMut<'_>]) + 'f;

impl Reads<'_> {
    fn origin_dtype(&self, outputs: &[Writes<'_>]) -> DType {
        match &self.from {
            Origin::View(view) => view.dtype(),
            Origin::Output(j) => outputs[*j].to.dtype(),
            Origin::Scalar(value) => value.dtype(),
        }
    }
}

/// An operand of the walk.
#[derive(Clone, Copy)]
struct Port {
    /// Bytes of an element in memory, and of one as the function has it.
    size: usize,
    wanted: usize,
    /// Whether its elements can be read or written where they lie, if they lie side by side.
    aligned: bool,
    /// Whether, if no cast is needed, the function can have them where they lie.
    open: bool,
    casts: bool,
}

impl Port {
    /// Of what has no memory, as scalars.
    const NONE: Port = Port { size: 1, wanted: 1, aligned: false, open: false, casts: false };
}

/// Calls `step` with runs that together have every place once. Nothing is called where there are no places.
///
/// The inputs broadcast to `shape`, each output has it, and no two outputs overlap. What a run of an output
/// holds when `step` is called is unspecified.
///
/// # Errors
///
/// An input that an output overlaps, but not in the same places, cannot be copied; an output whose elements
/// are an input has none yet; elements of a dtype of a user's own have not 1, 2, 4, 8 or 16 bytes.
pub(crate) fn for_each(
    shape: &[usize],
    inputs: &[Reads<'_>],
    outputs: &mut [Writes<'_>],
    step: &mut Step<'_>,
) -> Result<(), CallError> {
    // Without outputs the places are counted as if each had a byte.
    let counted = Layout::contiguous(shape, 1).map_err(|_| CallError::Memory { bytes: usize::MAX })?;
    if counted.len() == 0 {
        return Ok(());
    }
    let of_inputs = inputs.iter().flat_map(|input| [input.origin_dtype(outputs), input.to]);
    let of_outputs = outputs.iter().flat_map(|output| [output.to.dtype(), output.of]);
    for dtype in of_inputs.chain(of_outputs) {
        // Copies know no others.
        if !matches!(dtype.size(), Some(1 | 2 | 4 | 8 | 16)) {
            return Err(CallError::NoElements { dtype });
        }
    }
    let mut copies: [Copied; INPUTS] = core::array::from_fn(|_| Copied::default());
    let mut origins = [Origin::Output(0); INPUTS];
    let mut reads = [Port::NONE; INPUTS];
    for (k, copied) in copies.iter_mut().enumerate().take(inputs.len()) {
        origins[k] = inputs[k].from;
        let wanted = size_of_element(inputs[k].to);
        reads[k] = match &mut origins[k] {
            Origin::Scalar(_) => Port { size: wanted, wanted, ..Port::NONE },
            Origin::Output(j) => {
                let held = &outputs[*j].to;
                if !held.is_initialised() {
                    return Err(CallError::Uninitialised);
                }
                let (size, aligned) = (held.layout().size(), held.is_aligned());
                Port { size, wanted, aligned, open: false, casts: inputs[k].cast.is_some() }
            }
            Origin::View(view) => {
                let mut apart = true;
                for output in outputs.iter().filter(|output| overlaps(view, &output.to)) {
                    if in_same_places(view, &output.to) {
                        apart = false;
                    } else {
                        *view = copied.take(view)?;
                        apart = true;
                        break;
                    }
                }
                let (size, aligned) = (view.layout().size(), view.is_aligned());
                Port { size, wanted, aligned, open: apart, casts: inputs[k].cast.is_some() }
            }
        };
    }
    let mut writes = [Port::NONE; OUTPUTS];
    for (port, output) in writes.iter_mut().zip(&*outputs) {
        let to = &output.to;
        *port = Port {
            size: to.layout().size(),
            wanted: size_of_element(output.of),
            aligned: to.is_aligned(),
            // A function may read what it is handed, and have it for its own.
            open: to.is_borrowed() && to.is_initialised(),
            casts: output.cast.is_some(),
        };
    }
    let own: [Option<(*mut u8, Layout<'_>)>; OUTPUTS] =
        core::array::from_fn(|j| outputs.get_mut(j).map(|output| (output.to.pointer(), *output.to.layout())));
    let nothing = Elements { pointer: core::ptr::null(), layout: None };
    let of_output =
        |j: usize| own[j].map_or(nothing, |(pointer, layout)| Elements { pointer, layout: Some(layout) });
    let elements = core::array::from_fn(|k| match k.checked_sub(INPUTS) {
        Some(j) => of_output(j + 1),
        None if k >= inputs.len() => nothing,
        None => match &origins[k] {
            Origin::View(view) => Elements { pointer: view.pointer(), layout: Some(*view.layout()) },
            Origin::Output(j) => of_output(*j),
            Origin::Scalar(_) => nothing,
        },
    });
    let (out, layout) = own[0].unwrap_or((core::ptr::null_mut(), counted));
    let space = Space::<OTHERS>::new(out, &layout, elements);
    let alone = Axis { len: 1, out: layout.size().cast_signed(), inputs: [0; OTHERS] };
    let (inner, outer) = space.axes.split_last().unwrap_or((&alone, &[]));
    let walk = Several {
        inputs,
        outputs,
        origins,
        reads,
        writes,
        space: &space,
        inner,
        outer,
        level: Level::active(),
    };
    let by_rows = walk.handed(true);
    let together = || Some(walk.handed(false)).filter(|handed| handed.most >= inner.len);
    let short = inner.len < LONG && !outer.is_empty();
    let handed = if short { together().unwrap_or(by_rows) } else { by_rows };
    walk.run(&handed, step)
}

fn size_of_element(dtype: DType) -> usize {
    dtype.size().unwrap_or(1)
}

/// The walk of a call.
struct Several<'a> {
    inputs: &'a [Reads<'a>],
    outputs: &'a [Writes<'a>],
    origins: [Origin<'a>; INPUTS],
    reads: [Port; INPUTS],
    writes: [Port; OUTPUTS],
    space: &'a Space<OTHERS>,
    inner: &'a Axis<OTHERS>,
    outer: &'a [Axis<OTHERS>],
    /// At which elements are copied; the machine has it.
    level: Level,
}

/// How the runs of a walk are made.
struct Handed {
    /// Whether a run is a part of a row, and not of several.
    by_rows: bool,
    /// How many places a run has at most.
    most: usize,
    /// The bytes of a block.
    block: usize,
    /// Which operands lie side by side along a run, aligned.
    inputs: [bool; INPUTS],
    outputs: [bool; OUTPUTS],
}

/// A run: rows from one on, and of a single row the places from one on.
#[derive(Clone, Copy)]
struct Part {
    from: usize,
    rows: usize,
    cols: usize,
}

impl Several<'_> {
    fn handed(&self, by_rows: bool) -> Handed {
        let is_contiguous = |port: &Port, stride: &dyn Fn(&Axis<OTHERS>) -> isize| {
            let fits = if by_rows {
                stride(self.inner) == port.size.cast_signed() || self.inner.len == 1
            } else {
                self.space.is_linear(port.size, stride)
            };
            port.aligned && fits
        };
        let inputs = core::array::from_fn(|k| is_contiguous(&self.reads[k], &|axis| axis.inputs[k]));
        let outputs = core::array::from_fn(|j| is_contiguous(&self.writes[j], &|axis| stride_of(axis, j)));
        let reads = self.reads.iter().zip(inputs).take(self.inputs.len());
        let writes = self.writes.iter().zip(outputs).take(self.outputs.len());
        let in_blocks = reads.chain(writes).filter(|(port, lies)| !port.is_handed(*lies));
        let (count, greatest) = in_blocks
            .fold((0, 1), |(count, most), (port, _)| (count + 1, most.max(port.size).max(port.wanted)));
        // One block more, for what is between a gather and a cast; blocks are aligned for every dtype.
        let block = BLOCK.min(BUFFER / (count + 1)) / BLOCK_ALIGN * BLOCK_ALIGN;
        let most = if count == 0 { usize::MAX } else { block / greatest };
        Handed { by_rows, most, block, inputs, outputs }
    }

    fn run(&self, handed: &Handed, step: &mut Step<'_>) -> Result<(), CallError> {
        let mut buffer = Block::<BUFFER>::new();
        let blocks = self.blocks(handed, buffer.pointer());
        let rows: usize = self.outer.iter().map(|axis| axis.len).product();
        let mut row = Odometer::new(self.space, self.outer);
        if handed.by_rows {
            for _ in 0..rows {
                for (from, cols) in parts(self.inner.len, handed.most) {
                    // SAFETY: the part lies within the row, and the blocks have room for `most` places.
                    unsafe { self.part(handed, &blocks, &row, Part { from, rows: 1, cols }, step) }?;
                }
                row.advance(self.outer);
            }
            return Ok(());
        }
        for (_, rows) in parts(rows, handed.most / self.inner.len) {
            let part = Part { from: 0, rows, cols: self.inner.len };
            // SAFETY: there are as many rows from this one on, and the blocks have room for `most` places.
            unsafe { self.part(handed, &blocks, &row, part, step) }?;
            for _ in 0..rows {
                row.advance(self.outer);
            }
        }
        Ok(())
    }

    /// The blocks of the operands that need one; those of scalars are filled, and those of outputs
    /// initialised.
    fn blocks(&self, handed: &Handed, buffer: *mut u8) -> Blocks {
        let mut blocks = Blocks { spare: buffer, inputs: [buffer; INPUTS], outputs: [buffer; OUTPUTS] };
        let mut next = buffer;
        let places = handed.most.min(self.space.len());
        for k in 0..self.inputs.len() {
            if !self.reads[k].is_handed(handed.inputs[k]) {
                next = next.wrapping_add(handed.block);
                blocks.inputs[k] = next;
            }
            if let Origin::Scalar(value) = &self.origins[k] {
                // SAFETY: a block has room for `most` elements and is aligned to more than 16 bytes; elements
                // of every dtype that has scalars have 1, 2, 4, 8 or 16 bytes.
                unsafe { value.fill(next, places) };
            }
        }
        for j in 0..self.outputs.len() {
            if !self.writes[j].is_handed(handed.outputs[j]) {
                next = next.wrapping_add(handed.block);
                blocks.outputs[j] = next;
                // SAFETY: the buffer has a block for each operand that needs one, and the spare one before
                // them.
                unsafe { next.write_bytes(0, handed.block) };
            }
        }
        blocks
    }

    /// One run.
    ///
    /// # Safety
    ///
    /// The part has at least one place, all of them lie within the space, and no more than the blocks have
    /// room for; the blocks are those of [`Several::blocks`].
    unsafe fn part(
        &self,
        handed: &Handed,
        blocks: &Blocks,
        row: &Odometer<OTHERS>,
        part: Part,
        step: &mut Step<'_>,
    ) -> Result<(), CallError> {
        let n = part.rows * part.cols;
        let mut inputs = ArrayVec::<Slice<'_>, INPUTS>::new();
        for (k, read) in self.inputs.iter().enumerate() {
            let (port, own) = (&self.reads[k], blocks.inputs[k]);
            let first = row.inputs[k].wrapping_offset(part.from.cast_signed() * self.inner.inputs[k]);
            let pointer = if let Origin::Scalar(_) = self.origins[k] {
                // Its block is filled.
                own.cast_const()
            } else if port.is_handed(handed.inputs[k]) {
                first
            } else {
                let source = if handed.inputs[k] && port.casts {
                    first
                } else {
                    let block = if port.casts { blocks.spare } else { own };
                    let place = |row: &Odometer<OTHERS>| row.inputs[k];
                    // SAFETY: each of the rows has as many elements of the input, and a block has room for
                    // `n`; it is of this walk alone.
                    unsafe { self.gather(row, part, (port.size, self.inner.inputs[k]), place, block) };
                    block.cast_const()
                };
                if let Some(cast) = &read.cast {
                    let from = Slice::of_view(cast.dtypes()[0], source, n, true);
                    cast.call(from, SliceMut::of_view(read.to, own, n, true, false))?;
                }
                own.cast_const()
            };
            inputs.push(Slice::of_view(read.to, pointer, n, true));
        }
        let mut outputs = ArrayVec::<SliceMut<'_>, OUTPUTS>::new();
        let output = |j: usize| {
            let first = if j == 0 { row.out } else { row.inputs[INPUTS + j - 1].cast_mut() };
            first.wrapping_offset(part.from.cast_signed() * stride_of(self.inner, j))
        };
        for (j, write) in self.outputs.iter().enumerate() {
            let pointer =
                if self.writes[j].is_handed(handed.outputs[j]) { output(j) } else { blocks.outputs[j] };
            outputs.push(SliceMut::of_view(write.of, pointer, n, true, true));
        }
        step(&inputs, &mut outputs);
        for (j, write) in self.outputs.iter().enumerate() {
            let (port, own, first) = (&self.writes[j], blocks.outputs[j], output(j));
            if port.is_handed(handed.outputs[j]) {
                continue;
            }
            let mut results = own;
            if let Some(cast) = &write.cast {
                results = if handed.outputs[j] { first } else { blocks.spare };
                let from = Slice::of_view(write.of, own, n, true);
                cast.call(from, SliceMut::of_view(cast.dtypes()[2], results, n, true, false))?;
            }
            if results != first {
                let place = |row: &Odometer<OTHERS>| {
                    if j == 0 { row.out } else { row.inputs[INPUTS + j - 1].cast_mut() }
                };
                // SAFETY: each of the rows has room for as many results; the block has `n` of them, which are
                // initialised: the block was, or the cast has written them.
                unsafe {
                    self.scatter(
                        row,
                        part,
                        (port.size, stride_of(self.inner, j)),
                        place,
                        results.cast_const(),
                    );
                }
            }
        }
        Ok(())
    }

    /// Copies the elements of a part, of which each has `size` bytes and lies `stride` behind the one before,
    /// to a block.
    ///
    /// # Safety
    ///
    /// They are there, and the block has room for them.
    unsafe fn gather(
        &self,
        row: &Odometer<OTHERS>,
        part: Part,
        (size, stride): (usize, isize),
        place: impl Fn(&Odometer<OTHERS>) -> *const u8,
        block: *mut u8,
    ) {
        let copier = Copier::new(size, self.level);
        self.each_row(row, part, |row, done| {
            let pointer = place(row).wrapping_offset(part.from.cast_signed() * stride);
            let to = Run { pointer: block.wrapping_add(done * size), stride: size.cast_signed() };
            // SAFETY: as the caller promises, of each row; blocks are of the walk alone.
            unsafe { copier.copy(part.cols, Run { pointer, stride }, to) };
        });
    }

    /// Copies the elements of a block to the places of a part, as [`Several::gather`] the other way.
    ///
    /// # Safety
    ///
    /// They are there, and the part has room for them.
    unsafe fn scatter(
        &self,
        row: &Odometer<OTHERS>,
        part: Part,
        (size, stride): (usize, isize),
        place: impl Fn(&Odometer<OTHERS>) -> *mut u8,
        block: *const u8,
    ) {
        let copier = Copier::new(size, self.level);
        self.each_row(row, part, |row, done| {
            let pointer = place(row).wrapping_offset(part.from.cast_signed() * stride);
            let from = Run { pointer: block.wrapping_add(done * size), stride: size.cast_signed() };
            // SAFETY: as the caller promises, of each row; blocks are of the walk alone.
            unsafe { copier.copy(part.cols, from, Run { pointer, stride }) };
        });
    }

    /// Calls `f` for each row of a part, with the number of places before it.
    fn each_row(&self, row: &Odometer<OTHERS>, part: Part, mut f: impl FnMut(&Odometer<OTHERS>, usize)) {
        if part.rows == 1 {
            return f(row, 0);
        }
        let mut row = row.clone();
        for r in 0..part.rows {
            f(&row, r * part.cols);
            row.advance(self.outer);
        }
    }
}

impl Port {
    /// Whether the function has the elements where they lie, if `lies` says that they do so side by side and
    /// aligned.
    const fn is_handed(&self, lies: bool) -> bool {
        lies && self.open && !self.casts
    }
}

/// The bytes from one place of an output to the next.
const fn stride_of(axis: &Axis<OTHERS>, output: usize) -> isize {
    if output == 0 { axis.out } else { axis.inputs[INPUTS + output - 1] }
}

/// Where the blocks begin.
struct Blocks {
    spare: *mut u8,
    inputs: [*mut u8; INPUTS],
    outputs: [*mut u8; OUTPUTS],
}
