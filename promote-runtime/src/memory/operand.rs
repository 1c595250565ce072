//! Operands as kernels take them: an address, the size of an element, and how elements are read.

use crate::memory::scalar::fill;
use crate::memory::{Argument, Layout, ScalarValue, SliceMut, TensorView, TensorViewMut};

/// How a kernel reads the elements of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Aligned memory, read in place.
    Direct,
    /// Unaligned memory, or elements that `out` overlaps, copied block by block.
    Staged,
    /// A single aligned element, repeated for every element of the call.
    Broadcast,
    /// A block of copies of one element, read again for every block of the call.
    Filled,
    /// The memory of `out`, which the kernel's function takes as its first input.
    InPlace,
}

/// The arrangement of an operand's elements in memory.
///
/// A small call copies its operands several times, so layouts are not copied with them.
#[derive(Clone, Copy)]
pub(crate) enum Arrangement<'a> {
    /// A single element, which is broadcast, or as many elements as the call has, contiguous.
    Implied,
    /// This many contiguous elements.
    Line(usize),
    /// The elements of a view.
    View(&'a Layout<'a>),
    /// The elements of a view of this shape, contiguous in row-major order.
    Compacted(&'a Layout<'a>),
}

/// An operand of a call.
#[derive(Clone, Copy)]
pub(crate) struct Operand<'a> {
    /// The first element; of a view, the one whose indices are all 0.
    pub(crate) pointer: *const u8,
    /// The bytes of an element: 1, 2, 4, 8 or 16.
    pub(crate) size: usize,
    pub(crate) access: Access,
    /// True if the elements come from a reference, so that no `out` that does, too, overlaps them.
    pub(crate) borrowed: bool,
    pub(crate) arrangement: Arrangement<'a>,
}

impl<'a> Operand<'a> {
    /// Resolves an argument of a call. `own` are the elements of `out`, for [`Argument::InPlace`].
    #[inline(always)]
    pub(crate) fn of(argument: &'a Argument<'_>, own: Operand<'a>) -> Operand<'a> {
        match argument {
            Argument::Slice(slice) => {
                let line = Arrangement::Line(slice.len());
                Operand::at(slice.pointer(), slice.size(), slice.is_aligned(), slice.is_plain(), line)
            }
            Argument::Array(view) | Argument::Weak(view) => Operand::view(view),
            Argument::ZeroDim(value) => Operand::scalar(value),
            Argument::InPlace(_) => own,
            Argument::Number(_) => unreachable!("handles convert numbers before they resolve arguments"),
        }
    }

    #[inline(always)]
    const fn at(
        pointer: *const u8,
        size: usize,
        aligned: bool,
        borrowed: bool,
        arrangement: Arrangement<'a>,
    ) -> Operand<'a> {
        let access = if aligned { Access::Direct } else { Access::Staged };
        Operand { pointer, size, access, borrowed, arrangement }
    }

    /// Returns the elements of a view.
    #[inline]
    pub(crate) fn view(view: &'a TensorView<'_>) -> Operand<'a> {
        let layout = view.layout();
        let arrangement = Arrangement::View(layout);
        Operand::at(view.pointer(), layout.size(), view.is_aligned(), view.is_borrowed(), arrangement)
    }

    /// Returns a single element, which is broadcast.
    #[inline(always)]
    pub(crate) fn scalar(value: &'a ScalarValue) -> Operand<'a> {
        let element = Operand::at(value.pointer(), value.as_bytes().len(), true, true, Arrangement::Implied);
        Operand { access: Access::Broadcast, ..element }
    }

    /// Returns the elements of a slice that a call writes to, without a layout.
    #[inline(always)]
    pub(crate) fn out_slice(out: &mut SliceMut<'a>) -> Operand<'a> {
        Operand::at(out.pointer(), out.size(), out.is_aligned(), false, Arrangement::Implied)
    }

    /// Returns the elements of a view that a call writes to; `pointer` is that of the view.
    #[inline]
    pub(crate) fn out_view(pointer: *mut u8, out: &'a TensorViewMut<'_>) -> Operand<'a> {
        Operand { pointer, borrowed: false, ..Operand::view(out.memory()) }
    }

    /// Returns aligned, contiguous elements of `size` bytes.
    #[inline(always)]
    pub(crate) const fn direct(pointer: *const u8, size: usize) -> Operand<'a> {
        Operand::at(pointer, size, true, false, Arrangement::Implied)
    }

    /// Returns the layout of the elements; `None` for a single element, which is broadcast, and in a call
    /// without views.
    #[inline(always)]
    pub(crate) const fn layout(&self) -> Option<Layout<'a>> {
        match self.arrangement {
            Arrangement::Implied => None,
            Arrangement::Line(len) => Some(Layout::line(len, self.size)),
            Arrangement::View(layout) => Some(*layout),
            Arrangement::Compacted(layout) => Some(layout.compacted()),
        }
    }

    /// Returns an operand that stands for none.
    pub(crate) const NONE: Operand<'a> = Operand::direct(core::ptr::null(), 1);

    /// Returns true if a single element is broadcast.
    #[inline(always)]
    pub(crate) const fn is_broadcast(&self) -> bool {
        matches!(self.access, Access::Broadcast)
    }

    /// Returns true if a kernel reads the elements in place.
    #[inline(always)]
    pub(crate) const fn is_direct(&self) -> bool {
        matches!(self.access, Access::Direct | Access::InPlace)
    }

    /// Returns the elements from `from` on; they are contiguous.
    #[inline(always)]
    pub(crate) const fn from(self, from: usize) -> Operand<'a> {
        match self.access {
            Access::Broadcast | Access::Filled => self,
            _ => Operand { pointer: self.pointer.wrapping_add(from * self.size), ..self },
        }
    }

    /// Fills a block with `n` copies of an element that is broadcast, which then stands for every block of
    /// the call. Other operands stay as they are.
    ///
    /// # Safety
    ///
    /// The block has room for `n` elements and is aligned to 16 bytes.
    #[inline(always)]
    pub(crate) unsafe fn filled(self, n: usize, block: *mut u8) -> Operand<'a> {
        if !self.is_broadcast() {
            return self;
        }
        // SAFETY: the element is there; the caller promises room for `n` copies.
        unsafe { fill(self.pointer, self.size, block, n) };
        Operand { pointer: block.cast_const(), access: Access::Filled, ..self }
    }

    /// Returns the address at which a kernel reads the `m` elements from `from` on. Staged elements are
    /// copied to `block` first.
    ///
    /// # Safety
    ///
    /// The operand is not broadcast, and has as many contiguous elements; `block` has room for `m`, and
    /// overlaps none of them.
    #[inline(always)]
    pub(crate) unsafe fn read(&self, from: usize, m: usize, block: *mut u8) -> *const u8 {
        let pointer = self.from(from).pointer;
        if !matches!(self.access, Access::Staged) {
            return pointer;
        }
        // SAFETY: the caller promises `m` elements there, and room for them.
        unsafe { core::ptr::copy_nonoverlapping(pointer, block, m * self.size) };
        block
    }
}

/// Where a call writes its results.
#[derive(Clone, Copy)]
pub(crate) struct Out {
    pub(crate) pointer: *mut u8,
    pub(crate) size: usize,
    /// True if results are computed in a block and copied, since the destination is unaligned.
    pub(crate) staged: bool,
    /// True if results are computed in a block and copied, since the destination overlaps an operand that
    /// is read while results are written.
    pub(crate) overlaps: bool,
    /// True if the call does not fit in the caches.
    pub(crate) beyond_caches: bool,
}

impl Out {
    /// Returns a destination for results of `size` bytes.
    #[inline(always)]
    pub(crate) const fn new(pointer: *mut u8, size: usize, aligned: bool) -> Out {
        Out { pointer, size, staged: !aligned, overlaps: false, beyond_caches: false }
    }

    /// Returns no destination: the op only checks its operands.
    #[inline(always)]
    pub(crate) const fn nowhere(self) -> Out {
        Out { pointer: core::ptr::null_mut(), staged: false, overlaps: false, ..self }
    }

    #[inline(always)]
    pub(crate) const fn is_nowhere(self) -> bool {
        self.pointer.is_null()
    }

    /// Returns true if kernels write to a block, which is copied.
    #[inline(always)]
    pub(crate) const fn is_staged(self) -> bool {
        self.staged || self.overlaps
    }

    /// Returns true if it begins where an operand does, and a kernel can read and write there.
    #[inline(always)]
    pub(crate) fn is(self, operand: &Operand<'_>) -> bool {
        !self.staged && operand.is_direct() && core::ptr::eq(operand.pointer, self.pointer)
    }

    /// Returns where a kernel writes the results from `from` on: null if nowhere.
    #[inline(always)]
    pub(crate) const fn at(self, from: usize, block: *mut u8) -> *mut u8 {
        if self.is_staged() { block } else { self.from(from).pointer }
    }

    /// Copies the `m` results from `from` on to their destination, unless [`Out::at`] is that destination.
    ///
    /// # Safety
    ///
    /// There is room for them in the destination, and `block` holds `m` results if they were written there.
    #[inline(always)]
    pub(crate) unsafe fn put(self, from: usize, m: usize, block: *const u8) {
        if self.is_staged() {
            let pointer = self.from(from).pointer;
            // SAFETY: the caller promises room for `m` results, all of which the kernel wrote to the block,
            // which overlaps no destination.
            unsafe { core::ptr::copy_nonoverlapping(block, pointer, m * self.size) };
        }
    }

    /// Returns the destination from `from` on.
    #[inline(always)]
    pub(crate) const fn from(self, from: usize) -> Out {
        if self.is_nowhere() {
            self
        } else {
            Out { pointer: self.pointer.wrapping_add(from * self.size), ..self }
        }
    }
}
