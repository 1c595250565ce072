//! Kernels as functions, their inputs, and what they report.
//!
//! Two inputs are passed in registers. In memory they would cost a call on few elements a third of its time.

/// What a kernel function reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Status {
    /// Every element of `out` is written.
    Done = 0,
    /// An integer was to be divided by zero; nothing is written.
    DivisionByZero = 1,
    /// An integer was to be raised to a negative power; nothing is written.
    NegativeExponent = 2,
    /// A probability lies outside of 0 and 1; nothing is written.
    Probability = 3,
}

/// A kernel as a function. Its arguments are the number of elements, the first and the second input, a
/// pointer to the pointers of all further inputs, and the output.
///
/// An op that may trap checks all operands before it writes. With a null `out` it only checks, so that a call
/// in blocks can check every block first.
///
/// # Safety
///
/// - the machine has the level for which the function was compiled;
/// - there are as many inputs as the op has, each a pointer to `n` initialised, aligned elements of its
///   dtype; an input that the op lacks may be anything;
/// - `more` points to as many pointers as the op has inputs after the second;
/// - `out` points to room for `n` aligned elements of the output's dtype and overlaps no input; it may be
///   null if the op may trap. A function that computes in place takes `out` itself for its first input: it is
///   then initialised, and overlaps no other. The second input of a function that broadcasts it is one
///   element.
pub type RawKernel =
    unsafe fn(n: usize, first: *const u8, second: *const u8, more: *const *const u8, out: *mut u8) -> Status;

/// Pointers to the inputs of a kernel function.
#[derive(Clone, Copy)]
pub struct Pointers {
    first: *const u8,
    second: *const u8,
    more: *const *const u8,
}

impl Pointers {
    /// Returns the inputs of a call of a [`RawKernel`].
    #[inline(always)]
    pub const fn new(first: *const u8, second: *const u8, more: *const *const u8) -> Pointers {
        Pointers { first, second, more }
    }

    /// Returns the inputs that an array lists. It must outlive them.
    #[inline(always)]
    pub(crate) const fn of<const N: usize>(pointers: &[*const u8; N]) -> Pointers {
        const { assert!(N > 0) };
        Pointers {
            first: pointers[0],
            second: if N > 1 { pointers[1] } else { core::ptr::null() },
            // Without further inputs, the array need not be in memory.
            more: if N > 2 { pointers.as_ptr().wrapping_add(2) } else { core::ptr::null() },
        }
    }

    /// Returns the first input.
    #[inline(always)]
    pub(crate) const fn first(self) -> *const u8 {
        self.first
    }

    /// Returns the second input; any pointer if there is only one.
    #[inline(always)]
    pub(crate) const fn second(self) -> *const u8 {
        self.second
    }

    /// Returns the input at index `i`.
    ///
    /// # Safety
    ///
    /// There are more than `i` inputs.
    #[inline(always)]
    pub(crate) const unsafe fn at(self, i: usize) -> *const u8 {
        match i {
            0 => self.first,
            1 => self.second,
            // SAFETY: as the caller promises.
            _ => unsafe { self.more.add(i - 2).read() },
        }
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
    // SAFETY: as the caller promises; `inputs` are borrowed as long as the call lasts.
    unsafe { raw(n, first, second, more, out) }
}
