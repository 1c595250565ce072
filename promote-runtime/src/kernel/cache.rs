//! A cache of the kernels of a rule set: one load instead of a search through tables.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use super::entry::Entry;
use super::fused::check;
use super::handle::Kernel;
use super::registry::Kernels;
use super::signature::TYPES;
#[cfg(feature = "alloc")]
use crate::CustomOp;
use crate::error::call::CallError;
use crate::level::Level;
use crate::level::function::invoke;
use crate::memory::{Slice, SliceMut};
use crate::{DType, Op};

const OPS: usize = Op::STANDARD.len();

/// The kernels that calls of one rule set have found, for one setting and one table of kernels.
///
/// A slot is null, or points to the one entry that the rule set has for its op and dtypes, so it does not
/// matter which thread fills it first. An entry may lie in leaked memory that a thread has only just written,
/// so slots are stored with `Release` and loaded with `Acquire`.
pub struct DispatchCache {
    /// The lowest bit says whether the entry's function wants the operands swapped.
    slots: [AtomicPtr<Entry>; OPS * TYPES * TYPES],
    /// Kernels that are not entries: pipelines, and the kernels of custom ops. The hash of its op and dtypes
    /// leads to the slots in which a kernel may be. A kernel is never removed. If all of its slots are
    /// occupied, a kernel is not stored.
    #[cfg(feature = "alloc")]
    others: [AtomicPtr<Other>; OTHERS],
}

/// The number of slots for kernels that are not entries.
#[cfg(feature = "alloc")]
const OTHERS: usize = 256;
/// The number of these slots in which a kernel may be.
#[cfg(feature = "alloc")]
const PROBES: usize = 4;

/// A kernel that is not an entry, and its op.
#[cfg(feature = "alloc")]
struct Other {
    op: Op,
    kernel: Kernel,
}

impl DispatchCache {
    /// An empty cache.
    #[must_use]
    #[allow(
        clippy::large_stack_arrays,
        reason = "it is the value of a static, or goes to the heap once for a rule file"
    )]
    pub const fn new() -> Self {
        DispatchCache {
            slots: [const { AtomicPtr::new(ptr::null_mut()) }; OPS * TYPES * TYPES],
            #[cfg(feature = "alloc")]
            others: [const { AtomicPtr::new(ptr::null_mut()) }; OTHERS],
        }
    }

    /// Returns the cached kernel of an op over two arrays.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "a call on few elements is as long as the way to it")]
    pub(crate) fn get(
        &self,
        kernels: &'static Kernels,
        level: Level,
        op: Op,
        [a, b]: [DType; 2],
    ) -> Option<Kernel> {
        let (entry, swap) = self.entry(op, a, b)?;
        Kernel::of(kernels, entry, swap, level)
    }

    /// Returns what [`DispatchCache::put`] stored.
    #[inline(always)]
    fn entry(&self, op: Op, a: DType, b: DType) -> Option<(&'static Entry, bool)> {
        let tagged = self.slots[slot(op, a, b)?].load(Ordering::Acquire);
        let (entry, swap) = (tagged.map_addr(|address| address & !1), tagged.addr() & 1 == 1);
        // SAFETY: a slot is null or was filled by `put` from a `&'static Entry`, whose alignment leaves the
        // lowest bit to the tag. Whoever held that reference saw the entry written, before the store with
        // `Release`; the load with `Acquire` that reads the address sees it too.
        Some((unsafe { entry.as_ref() }?, swap))
    }

    /// Computes `out` by the cached kernel for the dtypes of two operands. Returns `None` if there is none,
    /// or if the slices need more than one call of a function.
    #[inline(always)]
    pub(crate) fn call(
        &self,
        op: Op,
        a: &Slice<'_>,
        b: &Slice<'_>,
        out: &mut SliceMut<'_>,
    ) -> Option<Result<(), CallError>> {
        let (entry, swap) = self.entry(op, a.dtype(), b.dtype())?;
        let signature = entry.signature();
        if !((signature.count == 2) & signature.output.is(out.dtype()) & out.takes_at_once(a, b)) {
            return None;
        }
        let raw = entry.raw_in_use()?;
        let (a, b) = (a.pointer(), b.pointer());
        let inputs = if swap { [b, a] } else { [a, b] };
        // SAFETY: the entry is of the dtypes of the operands, exchanged as `swap` says, which `put` has
        // checked, and gives that of `out`; the slices hold as many aligned elements as `out` has room for;
        // the level in use is one that the machine has; as all are plain, `out` overlaps neither input.
        Some(check(unsafe { invoke(raw, out.len(), &inputs, out.pointer()) }))
    }

    /// Stores the kernel of an op over two arrays: the entry of their dtypes or, with `swap`, of these dtypes
    /// exchanged.
    ///
    /// # Panics
    ///
    /// Panics if the entry is for other dtypes, since calls rely on it.
    pub(crate) fn put(&self, op: Op, a: DType, b: DType, (entry, swap): (&'static Entry, bool)) {
        const { assert!(align_of::<Entry>() >= 2) };
        let Some(slot) = slot(op, a, b) else { return };
        let (first, second) = if swap { (b, a) } else { (a, b) };
        assert!(
            entry.signature().inputs[0].is(first) && entry.signature().inputs[1].is(second),
            "the kernel of another pair"
        );
        let tagged = ptr::from_ref(entry).cast_mut().map_addr(|address| address | swap as usize);
        self.slots[slot].store(tagged, Ordering::Release);
    }
}

#[cfg(feature = "alloc")]
impl DispatchCache {
    /// Returns the stored kernel of an op at a level, over arrays of these dtypes, one for each input.
    #[inline]
    pub(crate) fn other(
        &self,
        level: Level,
        op: Op,
        dtypes: &(impl Iterator<Item = DType> + Clone),
    ) -> Option<&'static Kernel> {
        for slot in other_slots(op, dtypes.clone()) {
            let found = self.others[slot].load(Ordering::Acquire);
            // SAFETY: a slot is null or was filled by `put_other` with memory that stays, written before the
            // store with `Release`, which this load has seen; nobody writes there afterwards.
            let Other { op: own, kernel } = unsafe { found.as_ref() }?;
            if *own == op && kernel.level == level && kernel.takes(dtypes.clone()) {
                return Some(kernel);
            }
        }
        None
    }

    /// Stores the kernel of an op over arrays of these dtypes, if there is room and the kernel takes no
    /// further inputs.
    #[cold]
    pub(crate) fn put_other(&self, op: Op, dtypes: &(impl Iterator<Item = DType> + Clone), kernel: Kernel) {
        const fn shared<T: Send + Sync>() {}
        const { shared::<Other>() };
        let is_free = |slot: &usize| self.others[*slot].load(Ordering::Relaxed).is_null();
        let slot = other_slots(op, dtypes.clone()).find(is_free).filter(|_| kernel.takes(dtypes.clone()));
        let Some(slot) = slot else { return };
        let found = Box::into_raw(Box::new(Other { op, kernel }));
        let stored =
            self.others[slot].compare_exchange(ptr::null_mut(), found, Ordering::Release, Ordering::Relaxed);
        if stored.is_err() {
            // SAFETY: it comes from a box, and nobody else has seen it.
            drop(unsafe { Box::from_raw(found) });
        }
    }
}

/// Returns the slots in which the kernel of an op may be.
#[cfg(feature = "alloc")]
fn other_slots(op: Op, dtypes: impl Iterator<Item = DType>) -> impl Iterator<Item = usize> {
    let first = match op {
        Op::Custom(op) => ptr::from_ref(op).addr() / align_of::<CustomOp>(),
        op => op.index(),
    };
    let first = dtypes.fold(first, |sum, dtype| sum.wrapping_mul(31).wrapping_add(dtype.index()));
    (0..PROBES).map(move |next| first.wrapping_add(next) % OTHERS)
}

/// Returns the slot of an op and two dtypes; `None` for custom ones and for dtypes without elements.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn slot(op: Op, a: DType, b: DType) -> Option<usize> {
    let (op, a, b) = (op.index(), a.index(), b.index());
    (op < OPS && a < TYPES && b < TYPES).then_some((op * TYPES + a) * TYPES + b)
}

impl Default for DispatchCache {
    fn default() -> Self {
        DispatchCache::new()
    }
}

impl fmt::Debug for DispatchCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let filled = self.slots.iter().filter(|slot| !slot.load(Ordering::Relaxed).is_null()).count();
        f.debug_struct("DispatchCache").field("filled", &filled).finish_non_exhaustive()
    }
}
