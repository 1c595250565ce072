//! Calls over arrays of one shape, block by block.
//!
//! A block is a contiguous run of elements of that shape: some indices along one axis, with all elements of
//! the axes behind it. The elements of a broadcast operand that belong to a block are a run, too, so that
//! nothing is repeated in memory.

use std::cmp::Ordering;
use std::ops::Range;

use promote::{Argument, DType, Flags, Number, Op, RuleSet, TensorView, TensorViewMut};
use promote::{ScalarValue, SliceMut};

use super::broken;
use crate::array::{self, Array, Bytes};
use crate::failure::Failure;
use crate::memory::not_enough;

/// The largest number of elements of a block, unless one index along its axis has more.
const BLOCK: usize = 1 << 14;

/// The size of the largest element.
const LARGEST: usize = 16;

/// The origin of an operand of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// An array from a file.
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
    /// The slot of the result. The last call writes to the result array instead.
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
    pub(super) inputs: &'a [Array],
    pub(super) made: Vec<Array>,
}

impl Memory<'_> {
    /// Returns an array that is in memory as a whole.
    pub(super) fn array(&self, source: Source) -> Option<&Array> {
        match source {
            Source::Input(index) => self.inputs.get(index),
            Source::Made(index) => self.made.get(index),
            Source::Slot(..) | Source::ZeroDim(_) | Source::Number(_) => None,
        }
    }

    /// Computes the result of the last call. After each block, `done` gets the number of computed elements.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory or no kernel, or if an op refuses a value.
    pub(super) fn compute(
        &self,
        calls: &Calls,
        dtype: DType,
        shape: &[usize],
        mut done: impl FnMut(usize),
    ) -> Result<Array, Failure> {
        let mut out = Array::zeros(dtype, shape.to_vec())?;
        let size = array::element_size(dtype)?;
        let (last, others) = calls.calls.split_last().ok_or_else(broken)?;
        let blocks = Blocks::new(shape);
        let size_of_block = blocks.most * LARGEST;
        let memory = |_| {
            Bytes::zeros(size_of_block).ok_or_else(|| not_enough("a block of the computation", size_of_block))
        };
        let mut slots: Vec<Bytes> = (0..calls.slots).map(memory).collect::<Result<_, _>>()?;
        for block in blocks.iter() {
            let own = block.of(shape);
            let n = own.elements.len();
            for call in others {
                // A call never reads the slot that it writes.
                let mut bytes = std::mem::take(&mut slots[call.slot]);
                let len = n * array::element_size(call.dtype)?;
                let outcome = self.call(call, &block, &slots, &mut bytes.get_mut()[..len]);
                slots[call.slot] = bytes;
                outcome?;
            }
            let bytes = own.elements.start * size..own.elements.end * size;
            self.call(last, &block, &slots, &mut out.bytes_mut()[bytes])?;
            done(n * calls.len());
        }
        Ok(out)
    }

    /// Makes a call for one block.
    fn call(&self, call: &Call, block: &Block<'_>, slots: &[Bytes], out: &mut [u8]) -> Result<(), Failure> {
        let own = block.of(block.shape);
        let part = |source: &Source| match self.array(*source) {
            Some(array) => block.of(array.shape()),
            None => Part { elements: 0..own.elements.len(), shape: own.shape.clone() },
        };
        let parts: Vec<Part> = call.operands.iter().map(part).collect();
        let mut views = Vec::with_capacity(parts.len());
        for (source, Part { elements, shape }) in call.operands.iter().zip(&parts) {
            let elements = match (*source, self.array(*source)) {
                (_, Some(array)) => array::block(array.dtype(), array.bytes(), elements.clone())?,
                (Source::Slot(slot, dtype), _) => array::block(dtype, slots[slot].get(), elements.clone())?,
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
        // The products cannot overflow, since an array of this shape is in memory.
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
struct Block<'a> {
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
