//! Calls over arrays of one shape, block by block.
//!
//! A block is a contiguous run of elements of that shape: some indices along one axis, with all elements of
//! the axes behind it. The elements of a broadcast operand that belong to a block are a run, too, so that
//! nothing is repeated in memory.

use std::cmp::Ordering;
use std::ops::Range;

use promote::{Argument, DType, Flags, Number, Op, RuleSet, TensorView, TensorViewMut};
use promote::{ScalarValue, SliceMut};

use super::{Held, broken};
use crate::array::{self, Array, Bytes};
use crate::failure::Failure;
use crate::memory::not_enough;
use crate::stored::{Input, Stored};

/// The largest number of elements of a block, unless one index along its axis has more.
const BLOCK: usize = 1 << 14;

/// The size of the largest element.
const LARGEST: usize = 16;

/// The origin of an operand of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// An array that the expression names.
    Input(usize),
    /// An array that was computed when the plan was made.
    Made(usize),
    /// A slot: memory for one block.
    Slot(usize, DType),
    ZeroDim(ScalarValue),
    Number(Number),
}

/// The operation of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Op(Op, Flags),
    Cast,
}

/// A call that is made for every block.
#[derive(Clone, Debug)]
pub(super) struct Call {
    what: What,
    operands: Vec<Source>,
    dtype: DType,
    /// The slot of the result.
    slot: usize,
}

/// Calls over one shape. Each follows the calls whose results it reads.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    calls: Vec<Call>,
    /// The number of slots in use.
    slots: usize,
}

impl Calls {
    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Appends the calls of `others`, without writing to slots that are among `operands`. Returns the slot of
    /// the last result.
    ///
    /// Each value is the operand of one call, since only names can be used more than once. So no other slot
    /// is still to be read.
    pub(super) fn after(&mut self, others: Calls, operands: &[Source]) -> Result<Source, Failure> {
        let held = held(operands);
        let moved = |slot: usize| held.iter().fold(slot, |slot, held| slot + usize::from(*held <= slot));
        self.slots = self.slots.max(others.slots + held.len());
        if self.calls.is_empty() {
            self.calls = others.calls;
        } else {
            for mut call in others.calls {
                call.slot = moved(call.slot);
                for operand in &mut call.operands {
                    if let Source::Slot(slot, _) = operand {
                        *slot = moved(*slot);
                    }
                }
                self.calls.push(call);
            }
        }
        let last = self.calls.last().ok_or_else(broken)?;
        Ok(Source::Slot(last.slot, last.dtype))
    }

    /// Appends a call, and returns the slot of its result, which is none of those that it reads.
    pub(super) fn push(&mut self, what: What, operands: Vec<Source>, dtype: DType) -> Source {
        let held = held(&operands);
        // One slot more than are in use includes a free one.
        let slot = (0..=held.len()).find(|slot| !held.contains(slot)).unwrap_or_default();
        self.slots = self.slots.max(slot + 1);
        self.calls.push(Call { what, operands, dtype, slot });
        Source::Slot(slot, dtype)
    }
}

/// Returns the slots among some operands, in order.
fn held(operands: &[Source]) -> Vec<usize> {
    let slot = |source: &Source| match source {
        Source::Slot(slot, _) => Some(*slot),
        _ => None,
    };
    let mut held: Vec<usize> = operands.iter().filter_map(slot).collect();
    held.sort_unstable();
    held
}

/// The arrays in memory, and the rule set by which others are computed from them.
#[derive(Debug)]
pub(super) struct Memory<'a> {
    pub(super) rules: RuleSet,
    pub(super) inputs: &'a [Input],
    pub(super) made: Vec<Array>,
}

impl Memory<'_> {
    /// Returns an array that is in memory as a whole.
    pub(super) fn array(&self, source: Source) -> Option<&Array> {
        match source {
            Source::Input(index) => match self.inputs.get(index)? {
                Input::Held(array) => Some(array),
                Input::Stored(_) => None,
            },
            Source::Made(index) => self.made.get(index),
            Source::Slot(..) | Source::ZeroDim(_) | Source::Number(_) => None,
        }
    }

    /// Returns an array that stays in its file.
    pub(super) fn stored(&self, source: Source) -> Option<&Stored> {
        match source {
            Source::Input(index) => match self.inputs.get(index)? {
                Input::Stored(stored) => Some(stored),
                Input::Held(_) => None,
            },
            _ => None,
        }
    }

    /// Computes all elements of a value.
    ///
    /// # Errors
    /// Returns the errors of [`Memory::each_block`], and an error if there is not enough memory.
    pub(super) fn compute(&self, held: &Held) -> Result<Array, Failure> {
        let mut out = Array::zeros(held.dtype, held.shape.clone())?;
        let mut done = 0;
        self.each_block(held, |_, block| {
            out.bytes_mut()[done..done + block.len()].copy_from_slice(block);
            done += block.len();
            Ok(())
        })?;
        Ok(out)
    }

    /// Computes the elements of a value, and passes them to `sink` block by block, in C order.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory or no kernel, if an op refuses a value, if a file
    /// cannot be read, or if `sink` fails.
    pub(super) fn each_block(
        &self,
        held: &Held,
        mut sink: impl FnMut(&Block<'_>, &mut [u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Held { source, calls, dtype, shape } = held;
        array::checked_count(*dtype, shape)?;
        let blocks = Blocks::new(shape);
        let size_of_block = blocks.most * LARGEST;
        let memory = || {
            Bytes::zeros(size_of_block).ok_or_else(|| not_enough("a block of the computation", size_of_block))
        };
        let mut room = Room {
            slots: (0..calls.slots.max(1)).map(|_| memory()).collect::<Result<_, _>>()?,
            fetched: Vec::new(),
        };
        let read = calls.calls.iter().flat_map(|call| &call.operands).chain([source]);
        for source in read {
            if let (Source::Input(input), Some(_)) = (*source, self.stored(*source))
                && room.fetched.iter().all(|fetched| fetched.input != input)
            {
                room.fetched.push(Fetched { input, elements: 0..0, bytes: memory()? });
            }
        }
        let size = array::element_size(*dtype)?;
        for block in blocks.iter() {
            for Fetched { input, elements, bytes } in &mut room.fetched {
                let Some(stored) = self.stored(Source::Input(*input)) else { return Err(broken()) };
                let wanted = block.of(stored.shape()).elements;
                // A part that is repeated is read once for all blocks in which it is.
                if *elements != wanted {
                    let size = array::element_size(stored.dtype())?;
                    stored.read(wanted.clone(), &mut bytes.get_mut()[..wanted.len() * size])?;
                    *elements = wanted;
                }
            }
            let own = block.of(shape).elements;
            for call in &calls.calls {
                // A call never reads the slot that it writes.
                let mut bytes = std::mem::take(&mut room.slots[call.slot]);
                let len = own.len() * array::element_size(call.dtype)?;
                let outcome = self.call(call, &block, &room, &mut bytes.get_mut()[..len]);
                room.slots[call.slot] = bytes;
                outcome?;
            }
            let len = own.len() * size;
            match (calls.calls.last(), self.array(*source)) {
                (Some(last), _) => sink(&block, &mut room.slots[last.slot].get_mut()[..len])?,
                (None, Some(array)) => {
                    let copy = &mut room.slots[0].get_mut()[..len];
                    copy.copy_from_slice(&array.bytes()[own.start * size..own.end * size]);
                    sink(&block, copy)?;
                }
                (None, None) => {
                    let [fetched] = &mut room.fetched[..] else { return Err(broken()) };
                    // The sink may change the elements.
                    fetched.elements = 0..0;
                    sink(&block, &mut fetched.bytes.get_mut()[..len])?;
                }
            }
        }
        Ok(())
    }

    /// Makes a call for one block.
    fn call(&self, call: &Call, block: &Block<'_>, room: &Room, out: &mut [u8]) -> Result<(), Failure> {
        let own = block.of(block.shape);
        let part = |source: &Source| match (self.array(*source), self.stored(*source)) {
            (Some(array), _) => block.of(array.shape()),
            (_, Some(stored)) => block.of(stored.shape()),
            _ => Part { elements: 0..own.elements.len(), shape: own.shape.clone() },
        };
        let parts: Vec<Part> = call.operands.iter().map(part).collect();
        let mut views = Vec::with_capacity(parts.len());
        for (source, Part { elements, shape }) in call.operands.iter().zip(&parts) {
            let elements = match (*source, self.array(*source)) {
                (_, Some(array)) => array::block(array.dtype(), array.bytes(), elements.clone())?,
                (Source::Input(input), _) => {
                    let fetched = room.fetched.iter().find(|fetched| fetched.input == input);
                    let (Some(fetched), Some(stored)) = (fetched, self.stored(*source)) else {
                        return Err(broken());
                    };
                    array::block(stored.dtype(), fetched.bytes.get(), 0..elements.len())?
                }
                (Source::Slot(slot, dtype), _) => {
                    array::block(dtype, room.slots[slot].get(), elements.clone())?
                }
                _ => {
                    views.push(None);
                    continue;
                }
            };
            views.push(Some(TensorView::new(elements, shape)?));
        }
        let out = TensorViewMut::new(SliceMut::from_bytes(call.dtype, out)?, &own.shape)?;
        let arguments = call.operands.iter().zip(&views).map(|(source, view)| match (*source, view) {
            (_, Some(view)) => Ok(Argument::Array(view)),
            (Source::ZeroDim(value), _) => Ok(Argument::ZeroDim(value)),
            (Source::Number(number), _) => Ok(Argument::Number(number)),
            _ => Err(broken()),
        });
        match (call.what, &views[..]) {
            (What::Op(op, flags), _) => {
                let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
                Ok(self.rules.prepare(op, &arguments).flags(flags).out(out).run()?)
            }
            (What::Cast, [Some(view)]) => Ok(self.rules.astype_into(view, None, out)?),
            (What::Cast, _) => Err(broken()),
        }
    }
}

/// The memory for one block.
struct Room {
    slots: Vec<Bytes>,
    fetched: Vec<Fetched>,
}

/// The elements of an array in a file that belong to a block.
struct Fetched {
    input: usize,
    elements: Range<usize>,
    bytes: Bytes,
}

/// Returns true if no block of a shape has all elements along an axis.
pub(super) fn is_cut(shape: &[usize], axis: usize) -> bool {
    let blocks = Blocks::new(shape);
    shape[axis] > 1 && (axis < blocks.axis || axis == blocks.axis && blocks.pieces > 1)
}

/// The partition of a shape into blocks.
#[derive(Clone, Copy, Debug)]
struct Blocks<'a> {
    shape: &'a [usize],
    /// The axis along which blocks are cut.
    axis: usize,
    /// The number of indices along the axis in a block.
    step: usize,
    /// The number of blocks for each index of the axes before it.
    pieces: usize,
    /// The number of indices of the axes before it; 0 if there are no elements.
    outer: usize,
    /// The number of elements of the largest block.
    most: usize,
}

impl<'a> Blocks<'a> {
    fn new(shape: &'a [usize]) -> Blocks<'a> {
        // The products cannot overflow, since the elements have been counted.
        let behind = |axis: usize| shape.iter().skip(axis + 1).product::<usize>();
        let axis = (0..shape.len()).find(|axis| behind(*axis) <= BLOCK).unwrap_or_default();
        let (len, inner) = (shape.get(axis).copied().unwrap_or(1), behind(axis));
        if shape.contains(&0) {
            return Blocks { shape, axis, step: 0, pieces: 0, outer: 0, most: 0 };
        }
        // Blocks have about the same size, so that the last one is not small.
        let step = len.div_ceil(len.div_ceil(BLOCK / inner));
        let outer = shape.iter().take(axis).product();
        Blocks { shape, axis, step, pieces: len.div_ceil(step), outer, most: step * inner }
    }

    fn iter(self) -> impl Iterator<Item = Block<'a>> {
        let Blocks { shape, axis, step, pieces, outer, .. } = self;
        let len = shape.get(axis).copied().unwrap_or(1);
        (0..outer).flat_map(move |outer| {
            (0..pieces).map(move |piece| {
                let indices = piece * step..len.min((piece + 1) * step);
                Block { shape, axis, outer, indices }
            })
        })
    }
}

/// A block: indices along an axis, with all elements of the axes behind it.
#[derive(Clone, Debug)]
pub(super) struct Block<'a> {
    shape: &'a [usize],
    axis: usize,
    /// The index of the axes before it, counted in C order.
    outer: usize,
    indices: Range<usize>,
}

/// Returns the elements of an array that belong to a block.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    elements: Range<usize>,
    shape: Vec<usize>,
}

impl Block<'_> {
    /// Returns the indices of the first element, and the lengths along all axes.
    pub(super) fn bounds(&self) -> (Vec<usize>, Vec<usize>) {
        let (mut first, mut lengths) = (vec![0; self.shape.len()], self.shape.to_vec());
        let mut before = self.outer;
        for (axis, &length) in self.shape.iter().enumerate().take(self.axis).rev() {
            (first[axis], lengths[axis]) = (before % length, 1);
            before /= length;
        }
        if let (Some(at), Some(length)) = (first.get_mut(self.axis), lengths.get_mut(self.axis)) {
            (*at, *length) = (self.indices.start, self.indices.len());
        }
        (first, lengths)
    }

    /// Returns the elements of a broadcast array that belong to a block.
    fn of(&self, shape: &[usize]) -> Part {
        let lacking = self.shape.len() - shape.len();
        let (mut before, mut stride, mut first) = (self.outer, 1, 0);
        // The last axis comes first.
        let mut part = Vec::with_capacity(shape.len());
        for (axis, &length) in self.shape.iter().enumerate().rev() {
            let at = match axis.cmp(&self.axis) {
                Ordering::Greater => 0,
                Ordering::Equal => self.indices.start,
                Ordering::Less => {
                    let at = before % length;
                    before /= length;
                    at
                }
            };
            let Some(&own) = axis.checked_sub(lacking).and_then(|axis| shape.get(axis)) else { continue };
            let repeated = own == 1;
            if !repeated {
                first += at * stride;
            }
            match axis.cmp(&self.axis) {
                Ordering::Greater => part.push(own),
                Ordering::Equal => part.push(if repeated { 1 } else { self.indices.len() }),
                Ordering::Less => {}
            }
            stride *= own;
        }
        part.reverse();
        Part { elements: first..first + part.iter().product::<usize>(), shape: part }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_elements_in_order() {
        let shapes: &[&[usize]] = &[
            &[],
            &[1],
            &[BLOCK],
            &[BLOCK + 1],
            &[3, BLOCK + 1],
            &[5000, 3, 7],
            &[2, 3, 5000, 7],
            &[0, 4],
            &[4, 0],
            &[2, 1, 3 * BLOCK],
        ];
        for shape in shapes {
            let blocks = Blocks::new(shape);
            let mut next = 0;
            for block in blocks.iter() {
                let part = block.of(shape);
                assert_eq!(part.elements.start, next, "{shape:?}");
                assert!((1..=blocks.most.min(BLOCK)).contains(&part.elements.len()), "{shape:?}");
                next = part.elements.end;
            }
            assert_eq!(next, shape.iter().product::<usize>(), "{shape:?}");
        }
    }

    #[test]
    fn repeated_axes_stay_in_place() {
        let shape = [3, 4, BLOCK];
        let parts = |own: &[usize]| Blocks::new(&shape).iter().map(|block| block.of(own)).collect::<Vec<_>>();
        let part = |start: usize, shape: &[usize]| Part {
            elements: start..start + shape.iter().product::<usize>(),
            shape: shape.to_vec(),
        };
        assert_eq!(parts(&[1, 4, 1])[4..7], [part(0, &[1, 1]), part(1, &[1, 1]), part(2, &[1, 1])]);
        assert_eq!(parts(&[3, 1, BLOCK])[3..5], [part(0, &[1, BLOCK]), part(BLOCK, &[1, BLOCK])]);
        assert_eq!(parts(&[BLOCK])[11], part(0, &[BLOCK]));
        assert_eq!(parts(&[4, 1])[11], part(3, &[1, 1]));
    }

    #[test]
    fn chains_use_two_slots_and_trees_one_per_level() {
        let leaf = || {
            let mut calls = Calls::default();
            let source = calls.push(What::Cast, vec![Source::Input(0)], DType::F32);
            (calls, source)
        };
        let joined = |a: Calls, b: Calls| {
            let mut calls = Calls::default();
            let first = calls.after(a, &[]).expect("a call");
            let second = calls.after(b, &[first]).expect("a call");
            calls.push(What::Cast, vec![first, second], DType::F32);
            calls
        };
        let chain = (0..9).fold(leaf().0, |calls, _| {
            let mut more = Calls::default();
            let last = more.after(calls, &[]).expect("a call");
            more.push(What::Cast, vec![last, Source::Input(0)], DType::F32);
            more
        });
        assert_eq!((chain.len(), chain.slots), (10, 2));
        let tree = (0..5).fold(leaf().0, |calls, _| joined(calls.clone(), calls));
        // No call overwrites what a later one reads.
        assert_eq!((tree.len(), tree.slots), (63, 7));
    }
}
