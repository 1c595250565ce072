//! The inputs of a kernel function, two of which stay in registers: written to memory and read again by the
//! function, they would cost a call on few elements a third of its time.

use super::composed::{self, Steps};
use super::{RawKernel, Status};

/// Pointers to the inputs of a kernel function.
#[derive(Clone, Copy)]
pub struct Pointers {
    first: *const u8,
    second: *const u8,
    more: *const *const u8,
}

impl Pointers {
    /// Those of a [`RawKernel`]'s call.
    #[inline(always)]
    pub const fn new(first: *const u8, second: *const u8, more: *const *const u8) -> Pointers {
        Pointers { first, second, more }
    }

    /// These, as long as the array is there.
    #[inline(always)]
    pub(crate) const fn of<const N: usize>(pointers: &[*const u8; N]) -> Pointers {
        const { assert!(N > 0) };
        Pointers {
            first: pointers[0],
            second: if N > 1 { pointers[1] } else { core::ptr::null() },
            // Where there are no more, the array need not be in memory.
            more: if N > 2 { pointers.as_ptr().wrapping_add(2) } else { core::ptr::null() },
        }
    }

    /// The first one.
    #[inline(always)]
    pub(crate) const fn first(self) -> *const u8 {
        self.first
    }

    /// The second one; anything where there is but one.
    #[inline(always)]
    pub(crate) const fn second(self) -> *const u8 {
        self.second
    }

    /// The one at place `i`.
    ///
    /// # Safety
    ///
    /// There are more than `i`.
    #[inline(always)]
    pub(crate) const unsafe fn at(self, i: usize) -> *const u8 {
        match i {
            0 => self.first,
            1 => self.second,
            // SAFETY: as the caller promises, one stands there.
            _ => unsafe { self.more.add(i - 2).read() },
        }
    }
}

/// A kernel function of an op or a cast; or of several, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function {
    raw: RawKernel,
    /// Which ones, of one or two inputs.
    steps: Option<&'static Steps>,
}

impl Function {
    pub(super) const fn new(raw: RawKernel) -> Function {
        Function { raw, steps: None }
    }

    /// All of these, at the level at this place.
    pub(super) const fn composed(steps: &'static Steps, place: usize) -> Function {
        Function { raw: composed::ENTER[place], steps: Some(steps) }
    }

    /// The function, of one that is not several.
    ///
    /// # Panics
    ///
    /// When it is.
    pub(super) const fn alone(self) -> RawKernel {
        assert!(self.steps.is_none(), "a function that is several");
        self.raw
    }

    /// Returns true if it runs several functions, block by block.
    pub(super) const fn is_composed(self) -> bool {
        self.steps.is_some()
    }

    /// Calls it.
    ///
    /// # Safety
    ///
    /// As [`RawKernel`] says, with these inputs; of several functions, as it says of each.
    #[inline(always)]
    pub(crate) unsafe fn call<const N: usize>(
        self,
        n: usize,
        inputs: &[*const u8; N],
        out: *mut u8,
    ) -> Status {
        let Pointers { first, second, more } = Pointers::of(inputs);
        debug_assert!(N <= 2 || self.steps.is_none(), "several functions of more than two inputs");
        // What has no third input does not look there, but for `composed::enter`, which takes its steps from
        // there.
        let more = if N > 2 { more } else { self.steps.map_or(core::ptr::null(), Steps::as_more) };
        // SAFETY: as the caller promises; behind the second input are the rest of `inputs`, which are
        // borrowed as long as the call lasts.
        unsafe { (self.raw)(n, first, second, more, out) }
    }
}

/// Calls a kernel function.
///
/// # Safety
///
/// As [`RawKernel`] says, with these inputs.
#[inline(always)]
pub(crate) unsafe fn invoke<const N: usize>(
    raw: RawKernel,
    n: usize,
    inputs: &[*const u8; N],
    out: *mut u8,
) -> Status {
    let Pointers { first, second, more } = Pointers::of(inputs);
    // SAFETY: as the caller promises; behind the second input are the rest of `inputs`, which are borrowed as
    // long as the call lasts.
    unsafe { raw(n, first, second, more, out) }
}
