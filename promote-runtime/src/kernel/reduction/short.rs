//! Sums of short contiguous runs.
//!
//! A loop over each run would end before it reaches its speed. So neighbours are added in many runs at once,
//! as `f64` or `i64`, until there is one sum of each run.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::num::Wrapping;
use core::ops::Add;

use super::elements::{cast_between, cast_block};
use crate::error::call::CallError;
use crate::kernel::cast::CastKernel;
use crate::kernel::per_level::body;
use crate::kernel::registry::Kernels;
use crate::kernel::{RawKernel, Status};
use crate::level::Level;
use crate::level::doors::{Body, Target, tokens};
use crate::level::function::{Pointers, invoke};
use crate::memory::block::Block;
use crate::{DType, each};

/// The longest runs that are summed like this; a loop over a longer run is as fast.
pub(super) const LONGEST: usize = 64;
/// The number of elements that are added up together.
const CHUNK: usize = 1024;

/// The function and the cast for runs of elements of a dtype.
pub(super) struct Short {
    size: usize,
    /// The cast to the dtype of the sums.
    cast: Option<CastKernel>,
    function: RawKernel,
}

impl Short {
    /// Looks up the function that makes sums of dtype `value` of elements of `dtype`. Returns `None` if the
    /// sums are neither `f64` nor `i64`, or if this build lacks the cast.
    pub(super) fn find(level: Level, kernels: &'static Kernels, dtype: DType, value: DType) -> Option<Short> {
        let function = match value {
            DType::F64 => const { body::<tokens::Levels, PairwiseSums<f64>>(true) },
            DType::I64 => const { body::<tokens::Levels, PairwiseSums<Wrapping<i64>>>(true) },
            _ => return None,
        };
        // Modulo 2^64 there is no sign.
        let dtype = if (dtype, value) == (DType::U64, DType::I64) { value } else { dtype };
        let cast = cast_between((level, kernels), dtype, value).ok()?;
        Some(Short { size: dtype.size()?, cast, function: function.expect(level) })
    }

    /// Writes the sums of `n` runs of `length` elements.
    ///
    /// # Safety
    ///
    /// There are as many aligned elements of the dtype, `length` is 2 to [`LONGEST`], and there is room for
    /// as many sums.
    pub(super) unsafe fn take(
        &self,
        [n, length]: [usize; 2],
        elements: *const u8,
        sums: *mut u8,
    ) -> Result<(), CallError> {
        let mut tile = Block::<{ CHUNK * 8 }>::new();
        let some = CHUNK / length;
        for from in (0..n).step_by(some) {
            let n = some.min(n - from);
            let mut numbers = elements.wrapping_add(from * length * self.size);
            if let Some(cast) = &self.cast {
                cast_block(cast, numbers, n * length, tile.pointer())?;
                numbers = tile.pointer();
            }
            let inputs = [numbers, core::ptr::from_ref(&length).cast()];
            // SAFETY: the machine has the level; there are the numbers, and as the caller promises room for
            // the sums, of 8 bytes each.
            unsafe { invoke(self.function, n, &inputs, sums.wrapping_add(from * 8)) };
        }
        Ok(())
    }
}

/// Adds up `n` runs of numbers, at most [`CHUNK`] in all. The inputs are the numbers and their length, which
/// is 2 or more; `out` has room for `n` sums.
struct PairwiseSums<T>(PhantomData<T>);

impl<T: Copy + Default + Add<Output = T> + 'static> Body for PairwiseSums<T> {
    #[inline(always)]
    unsafe fn run<L: Target>(_: L, n: usize, inputs: Pointers, out: *mut u8) -> Status {
        let (first, length) = (inputs.first(), inputs.second());
        #[allow(clippy::cast_ptr_alignment, reason = "it is one")]
        // SAFETY: the second is a length.
        let length = unsafe { *length.cast::<usize>() };
        // SAFETY: the first are `n` runs of so many numbers.
        let numbers = unsafe { core::slice::from_raw_parts(first.cast::<T>(), n * length) };
        // SAFETY: `out` is room for `n` sums, and overlaps nothing else.
        let out = unsafe { core::slice::from_raw_parts_mut(out.cast::<MaybeUninit<T>>(), n) };
        // Two that the compiler can tell apart.
        let (mut room, mut other) = (Room::new(), Room::new());
        let mut left = length / 2;
        let mut sums = halved(numbers, length, &mut room);
        let sums = loop {
            if left == 1 {
                break sums;
            }
            let fewer = halved(sums, left, &mut other);
            left /= 2;
            if left == 1 {
                break fewer;
            }
            sums = halved(fewer, left, &mut room);
            left /= 2;
        };
        each::zip(out, sums, |out, sum| {
            // A sum is never -0.
            out.write(T::default() + *sum);
        });
        Status::Done
    }
}

/// Room for half of the numbers.
type Room = Block<{ CHUNK / 2 * 8 }>;

/// Adds neighbours in runs of `length` numbers, 2 or more. The last number of an odd run is added to the two
/// before it.
///
/// # Panics
///
/// Panics if the room is too small.
#[inline(always)]
fn halved<'a, T: Copy + Add<Output = T>>(from: &[T], length: usize, room: &'a mut Room) -> &'a [T] {
    let half = length / 2;
    let to = &mut room.room::<T>()[..from.len() / length * half];
    if length.is_multiple_of(2) {
        each::zip(to, from.as_chunks::<2>().0, |to, [a, b]| {
            to.write(*a + *b);
        });
    } else if length == 3 {
        each::zip(to, from.as_chunks::<3>().0, |to, [a, b, c]| {
            to.write(*a + *b + *c);
        });
    } else {
        for (run, to) in to.chunks_exact_mut(half).enumerate() {
            let (pairs, last) = from[run * length..][..length].as_chunks::<2>();
            each::zip(to, pairs, |to, [a, b]| {
                to.write(*a + *b);
            });
            if let ([.., [a, b]], [c], [.., to]) = (pairs, last, to) {
                to.write(*a + *b + *c);
            }
        }
    }
    // SAFETY: all have been written.
    unsafe { &*(core::ptr::from_ref(to) as *const [T]) }
}
