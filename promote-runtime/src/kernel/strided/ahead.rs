//! Operands that are moved before a walk, and so often repeated that to move each element once costs nothing.
//!
//! - One of **another dtype** than the results is cast. A function that converts an operand as it computes
//!   converts a row again for every row, and there is none that computes in place or takes one element for a
//!   row. That of operands of one dtype does both.
//! - In place, a **row whose lines of memory begin elsewhere** than those of `out` is copied to where they
//!   begin alike, or each of its vectors reaches over two.
//!
//! The walk is called on panels: of so many places that what the operand has there fits into a block.

use crate::ops::computes_in_place;
use arrayvec::ArrayVec;

use super::walk::Walk;
use crate::OpTypes;
use crate::error::call::CallError;
use crate::kernel::cast::CastKernel;
use crate::kernel::copy::copy_all;
use crate::kernel::entry::Entry;
use crate::kernel::fused::LINED;
use crate::kernel::handle::Kernel;
use crate::memory::Layout;
use crate::memory::axes::{Axis, Space, parts};
use crate::memory::block::{Block, LINE};
use crate::memory::non_temporal::WorkingSet;
use crate::memory::operand::{Access, Operand, Out};
use crate::memory::staging::BLOCK;

/// The bytes that an operand has on a panel: some, so that panels are as long as rows are.
const PANEL: usize = 4 * BLOCK;

/// How often an element is repeated at least.
const LEAST: usize = 4;

/// The walk over a panel.
type WalkPanel<'f, const N: usize> =
    dyn FnMut(&mut Space<N>, &[Operand<'_>; N]) -> Result<(), CallError> + 'f;

/// A kernel whose operands and results have one dtype, to which an operand of another kernel is cast.
pub(in crate::kernel) struct Cast {
    pub(super) kernel: Kernel,
    pub(super) ahead: Ahead,
}

/// The operand that is moved.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    /// Which one, in the order of the kernel.
    pub(super) k: usize,
    /// Its bytes, moved.
    size: usize,
    cast: Option<CastKernel>,
}

impl Cast {
    /// Returns the kernel that computes the same of an operand that is cast before, if there is one.
    ///
    /// A function converts each operand to the common dtype and then computes; if results have that dtype as
    /// well, and the other operand, it is the same computation by the function of that dtype.
    pub(super) fn of(kernel: &Kernel) -> Option<Cast> {
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
        // A loop knows no options of a cast.
        let cast = CastKernel::find_at(level, home, signature.inputs[k].standard(), dtype, 0).ok()?;
        Some(Cast { ahead: Ahead { k, size: signature.output.standard_size(), cast: Some(cast) }, kernel })
    }

    /// Whether a call is faster so: in place, or for an operand that is one element along the axis of `out`
    /// that is the nearest in memory.
    pub(super) fn pays(&self, operand: &Layout<'_>, out: &Layout<'_>, in_place: bool) -> bool {
        let axes = out.shape().iter().rev().zip(out.strides_from_last()).enumerate();
        let nearest =
            axes.filter(|(_, (len, _))| **len > 1).min_by_key(|(_, (_, stride))| stride.unsigned_abs());
        let own = |from_last: usize| operand.shape().iter().rev().nth(from_last).is_some_and(|len| *len > 1);
        let one = nearest.is_some_and(|(from_last, _)| !own(from_last));
        // The function takes `out` for its first input, and one element for the second; for the other one
        // each where they can be exchanged.
        let (k, takes) = (self.ahead.k, self.kernel.replaceable());
        let faster = in_place && takes > 1 - k || one && takes > usize::from(k == 0);
        operand.len() * LEAST <= out.len() && faster
    }
}

impl Ahead {
    /// The operand of a call in place that is a row for all rows, and whose lines begin elsewhere than those
    /// of `out` in every row.
    pub(super) fn out_of_line<const N: usize>(
        space: &Space<N>,
        operands: &[Operand<'_>; N],
    ) -> Option<Ahead> {
        let (inner, outer) = space.axes.split_last()?;
        let size = inner.out.unsigned_abs();
        let rows: usize = outer.iter().map(|axis| axis.len).product();
        if operands[0].access != Access::InPlace
            || rows < LEAST
            || inner.len * size < LINED
            || outer.iter().any(|axis| axis.out.unsigned_abs() % LINE != 0)
        {
            return None;
        }
        let row = |k: usize| inner.inputs[k] == inner.out && outer.iter().all(|axis| axis.inputs[k] == 0);
        let begins = |pointer: *const u8| pointer.addr() % LINE;
        let apart = |k: usize| begins(space.inputs[k]) != begins(space.out);
        let found = (0..N).find(|k| {
            operands[*k].access == Access::Direct && operands[*k].size == size && row(*k) && apart(*k)
        });
        found.map(|k| Ahead { k, size, cast: None })
    }

    /// Moves the operand and calls `walk` with the places of a panel and how its inputs are read there, panel
    /// by panel.
    ///
    /// # Safety
    ///
    /// Every address that the axes lead to holds an element of its input, of this one as it is before, which
    /// is read as `operands` say; nothing is written to these elements.
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
        // Of one length, so that none is short.
        for (from, len) in parts(len, len.div_ceil(len.div_ceil(most))) {
            // SAFETY: as the caller promises, of a part.
            unsafe { self.panels(&space.part(first, from, len), operands, walk) }?;
        }
        Ok(())
    }

    /// One panel. Apart, so that its block is no part of the panels in which it lies.
    ///
    /// # Safety
    ///
    /// As [`Ahead::panels`]; a block has room for what the operand has there.
    #[inline(never)]
    unsafe fn panel<const N: usize>(
        &self,
        space: &Space<N>,
        operands: &[Operand<'_>; N],
        walk: &mut WalkPanel<'_, N>,
    ) -> Result<(), CallError> {
        let (k, mut block, mut panel) = (self.k, Block::<{ PANEL + LINE }>::new(), space.clone());
        let mut operands = *operands;
        // A block begins with a line; elements are aligned in it, wherever `out` is.
        let within = panel.out.addr() % LINE / self.size * self.size;
        let first = block.pointer().wrapping_add(within);
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
        match &self.cast {
            Some(cast) => {
                let out = Out::new(first, self.size, true);
                let walk = Walk::new(cast.kernel(), &mut elements, &[operands[k]], out, WorkingSet::Private);
                // SAFETY: the caller promises the elements, and that the block has room for all; nothing is
                // written to what is read. The machine has the level of the cast, for which it was found.
                unsafe { walk.run(false) }?;
            }
            // SAFETY: as above.
            None => unsafe { copy_all(&elements, self.size) },
        }
        panel.inputs[k] = first.cast_const();
        operands[k] = Operand::direct(first, self.size);
        walk(&mut panel, &operands)
    }
}
