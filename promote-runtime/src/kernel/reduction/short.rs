//! Sums of short runs that lie one after the other.
//!
//! A run so short is over before a loop over it has begun. So the loops are over the elements of many, as
//! `f64` or `i64`: of two beside each other one is made, until there is one of each run.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::error::call::CallError;
use crate::kernel::cast::CastKernel;
use crate::kernel::pointers::{Pointers, invoke};
use crate::kernel::registry::Kernels;
use crate::kernel::target::{Body, Target, tokens};
use crate::kernel::{RawKernel, Status};
use crate::level::Level;
use crate::memory::block::Block;
use crate::memory::{Slice, SliceMut};
use crate::{DType, each};

/// The longest runs that are taken so: a loop over a longer one is as fast.
pub(super) const LONGEST: usize = 64;
/// How many elements are taken at once.
const SOME: usize = 1024;

/// How elements of a dtype become sums.
pub(super) struct Short {
    dtype: DType,
    /// To the dtype of the sums.
    cast: Option<CastKernel>,
    value: DType,
    function: RawKernel,
}

impl Short {
    /// How elements of `dtype` become sums of `value`: `None` where these are others than `f64` and `i64`, or
    /// this build lacks the cast.
    pub(super) fn find(level: Level, kernels: &'static Kernels, dtype: DType, value: DType) -> Option<Short> {
        macro_rules! function {
            ($ty:ty) => {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    Level::V3 => tokens::V3::enter_body::<Halves<$ty>>,
                    #[cfg(target_arch = "x86_64")]
                    Level::V4 => tokens::V4::enter_body::<Halves<$ty>>,
                    _ => tokens::Scalar::enter_body::<Halves<$ty>>,
                }
            };
        }
        let function: RawKernel = match value {
            DType::F64 => function!(f64),
            DType::I64 => function!(i64),
            _ => return None,
        };
        // Modulo 2^64 there is no sign.
        let cast = if dtype == value || (dtype, value) == (DType::U64, DType::I64) {
            None
        } else {
            Some(CastKernel::find_at(level, kernels, dtype, value, 0).ok()?)
        };
        Some(Short { dtype, cast, value, function })
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
        let mut tile = Block::<{ SOME * 8 }>::new();
        let (size, some) = (self.dtype.size().unwrap_or(1), SOME / length);
        for from in (0..n).step_by(some) {
            let n = some.min(n - from);
            let mut numbers = elements.wrapping_add(from * length * size);
            if let Some(cast) = &self.cast {
                let elements = Slice::of_view(self.dtype, numbers, n * length, true);
                let to = SliceMut::of_view(self.value, tile.pointer(), n * length, true, false);
                cast.call(elements, to)?;
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

/// What is added.
trait Summand: Copy + 'static {
    const ZERO: Self;

    fn plus(self, other: Self) -> Self;
}

impl Summand for f64 {
    const ZERO: f64 = 0.0;

    #[inline(always)]
    fn plus(self, other: f64) -> f64 {
        self + other
    }
}

impl Summand for i64 {
    const ZERO: i64 = 0;

    #[inline(always)]
    fn plus(self, other: i64) -> i64 {
        self.wrapping_add(other)
    }
}

/// Adds up `n` runs of numbers, which are [`SOME`] at most: the inputs are these and their length, which is 2
/// or more; `out` has room for `n` sums.
struct Halves<T>(PhantomData<T>);

impl<T: Summand> Body for Halves<T> {
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
        // Two that the compiler tells apart.
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
            out.write(T::ZERO.plus(*sum));
        });
        Status::Done
    }
}

/// Room for half of the numbers.
type Room = Block<{ SOME / 2 * 8 }>;

/// Runs of `length` numbers, 2 or more, to runs of half as many: of two beside each other one is made, and
/// the last of an odd number goes to the two before it.
///
/// # Panics
///
/// If there is no room for what comes of it.
#[inline(always)]
fn halved<'a, T: Summand>(from: &[T], length: usize, room: &'a mut Room) -> &'a [T] {
    let half = length / 2;
    let to = &mut room.room::<T>()[..from.len() / length * half];
    if length.is_multiple_of(2) {
        each::zip(to, from.as_chunks::<2>().0, |to, [a, b]| {
            to.write(a.plus(*b));
        });
    } else if length == 3 {
        each::zip(to, from.as_chunks::<3>().0, |to, [a, b, c]| {
            to.write(a.plus(*b).plus(*c));
        });
    } else {
        for (run, to) in to.chunks_exact_mut(half).enumerate() {
            let (pairs, last) = from[run * length..][..length].as_chunks::<2>();
            each::zip(to, pairs, |to, [a, b]| {
                to.write(a.plus(*b));
            });
            if let ([.., [a, b]], [c], [.., to]) = (pairs, last, to) {
                to.write(a.plus(*b).plus(*c));
            }
        }
    }
    // SAFETY: all have been written: of every run a half.
    unsafe { &*(core::ptr::from_ref(to) as *const [T]) }
}
