//! Operands that are cast before a walk, because each of their elements is repeated often.
//!
//! A function that converts an operand as it computes would convert a repeated row once for every row of
//! results. It cannot compute in place, or take one element for a whole row. The function for operands of one
//! dtype can do both.
//!
//! The walk is called on panels, whose elements of the operand fit into a block.

use crate::ops::computes_in_place;
use arrayvec::ArrayVec;

use super::walk::Walk;
use crate::OpTypes;
use crate::error::call::CallError;
use crate::kernel::cast::CastKernel;
use crate::kernel::entry::Entry;
use crate::kernel::handle::Kernel;
use crate::memory::Layout;
use crate::memory::axes::{Axis, Space, parts};
use crate::memory::block::Block;
use crate::memory::non_temporal::WorkingSet;
use crate::memory::operand::{Operand, Out};
use crate::memory::staging::BLOCK;

/// The most bytes of the cast operand in a panel: enough for long rows.
const PANEL: usize = 4 * BLOCK;

/// The least number of times that each element is repeated.
const MIN_REPEATS: usize = 4;

/// The walk over a panel.
type WalkPanel<'f, const N: usize> =
    dyn FnMut(&mut Space<N>, &[Operand<'_>; N]) -> Result<(), CallError> + 'f;

/// A kernel that computes the results of another kernel, after one operand was cast.
pub(super) struct Ahead {
    /// The kernel whose operands and results have one dtype.
    pub(super) kernel: Kernel,
    /// The operand that is cast to it, in the order of the kernel.
    pub(super) k: usize,
    cast: CastKernel,
    /// The size of a cast element in bytes.
    size: usize,
}

impl Ahead {
    /// Returns the kernel that computes equal results from an operand that is cast before, if there is one.
    ///
    /// A function converts each operand to the common dtype and then computes. If the results and the other
    /// operand have that dtype, the function of that dtype computes the same from the cast operand.
    pub(super) fn of(kernel: &Kernel) -> Option<Ahead> {
        let (signature, level) = (&kernel.signature, kernel.level);
        let home = kernel.home.filter(|_| signature.count == 2)?;
        let op = kernel.entry.map(Entry::op).filter(|op| computes_in_place(*op))?;
        let [first, second, ..] = signature.inputs;
        let k = match [first, second].map(|code| code == signature.output) {
            [true, false] => 1,
            [false, true] => 0,
            _ => return None,
        };
        // No loop of a custom dtype computes in place.
        let custom = [first, second].into_iter().any(|code| code.custom_index().is_some());
        if custom || signature.common != signature.output {
            return None;
        }
        let (dtype, compute) = (signature.output.standard(), signature.compute.standard());
        let same = OpTypes { common: dtype, compute, output: dtype };
        let (entry, _) = home.entry(op, dtype, dtype, same)?;
        let kernel = Kernel::of(home, entry, false, level)?;
        let from = signature.inputs[k].standard();
        let cast = CastKernel::find_at(level, home, from, dtype, op.semantics()).ok()?;
        Some(Ahead { kernel, k, cast, size: signature.output.standard_size() })
    }

    /// Returns true if this makes a call faster: in place, or if the operand has one element along the axis
    /// of `out` that is nearest in memory.
    pub(super) fn pays(&self, operand: &Layout<'_>, out: &Layout<'_>, in_place: bool) -> bool {
        let axes = out.axes_from_last().enumerate().filter(|(_, (len, _))| *len > 1);
        let nearest = axes.min_by_key(|(_, (_, stride))| stride.unsigned_abs());
        let own = |from_last: usize| operand.shape().iter().rev().nth(from_last).is_some_and(|len| *len > 1);
        let one = nearest.is_some_and(|(from_last, _)| !own(from_last));
        // The function takes `out` for its first input, and one element for the second. If the operands can
        // be exchanged, either can be either.
        let (k, takes) = (self.k, self.kernel.replaceable());
        let faster = in_place && takes > 1 - k || one && takes > usize::from(k == 0);
        operand.len() * MIN_REPEATS <= out.len() && faster
    }

    /// Casts the operand and calls `walk` with each panel and its operands.
    ///
    /// # Safety
    ///
    /// Every address that the axes lead to holds an element of its operand, before the cast, and nothing
    /// writes to these elements.
    pub(super) unsafe fn panels<const N: usize>(
        &self,
        space: &Space<N>,
        operands: &[Operand<'_>; N],
        walk: &mut WalkPanel<'_, N>,
    ) -> Result<(), CallError> {
        let varied = |axis: &Axis<N>| axis.inputs[self.k] != 0 && axis.len > 1;
        let count: usize = space.axes.iter().filter(|axis| varied(axis)).map(|axis| axis.len).product();
        let room = PANEL / self.size;
        let Some(first) = space.axes.iter().position(varied).filter(|_| count > room) else {
            // SAFETY: as the caller promises; a block has room for `count` elements.
            return unsafe { self.panel(space, operands, walk) };
        };
        let len = space.axes[first].len;
        let most = core::cmp::max(1, room / (count / len));
        // Parts of nearly one length, so that none is short.
        for (from, len) in parts(len, len.div_ceil(len.div_ceil(most))) {
            let mut part = Space::empty(space.out, space.inputs);
            part.fill_part(space, first, from, len);
            // SAFETY: as the caller promises, of a part.
            unsafe { self.panels(&part, operands, walk) }?;
        }
        Ok(())
    }

    /// Casts the operand's elements of one panel. Not inlined, so that its block is on the stack once.
    ///
    /// # Safety
    ///
    /// As [`Ahead::panels`]; a block has room for the operand's elements of the panel.
    #[inline(never)]
    unsafe fn panel<const N: usize>(
        &self,
        space: &Space<N>,
        operands: &[Operand<'_>; N],
        walk: &mut WalkPanel<'_, N>,
    ) -> Result<(), CallError> {
        let (k, mut block, mut panel) = (self.k, Block::<PANEL>::new(), space.clone());
        let mut operands = *operands;
        let first = block.pointer();
        let mut elements = Space { axes: ArrayVec::new(), out: first, inputs: [panel.inputs[k]] };
        let mut next = self.size.cast_signed();
        for axis in panel.axes.iter_mut().rev() {
            let stride = core::mem::take(&mut axis.inputs[k]);
            if stride != 0 && axis.len > 1 {
                elements.axes.insert(0, Axis { len: axis.len, out: next, inputs: [stride] });
                axis.inputs[k] = next;
                next *= axis.len.cast_signed();
            }
        }
        let out = Out::new(first, self.size, true);
        let cast = Walk::new(self.cast.kernel(), &mut elements, &[operands[k]], out, WorkingSet::Private);
        // SAFETY: the caller promises the elements, and that the block has room for all; nothing is written
        // to what is read. The machine has the level of the cast, for which it was found.
        unsafe { cast.run(false) }?;
        panel.inputs[k] = first.cast_const();
        operands[k] = Operand::direct(first, self.size);
        walk(&mut panel, &operands)
    }
}
