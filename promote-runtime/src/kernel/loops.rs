//! The loops: over all places, in place and in blocks, and before them a look at operands that an op refuses.
//!
//! Thousands of kernels are made of them, and most of a build is the time that LLVM takes for what rustc
//! gives it. So a loop counts by itself, asks no slice for its bounds, and holds nothing that is dropped: of
//! iterators, slices and closures a kernel was four times as long. Which loop a body has, its registry says,
//! and so rustc sees nothing of the others.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::Status;
use super::pointers::Pointers;
use super::target::{Body, Target};
use crate::convert::Overflow;
use crate::element::Element;
use crate::level::Lanes;
use crate::memory::block;
use crate::ops::Trap;

/// A block of results: 512 lanes of `f32`, below what a stack probe costs.
type Block = block::Block<2048>;

/// How many results of short work are computed before they are narrowed: so few, and known to be as many,
/// that LLVM unrolls both loops and keeps them in registers.
const HELD: usize = 64;
/// [`HELD`] lanes of `Complex<f64>`, the widest of all results, though none of those that are stored in
/// blocks.
type SmallBlock = block::Block<{ HELD * 16 }>;

/// What most kernels do: write their results in a loop.
pub trait Loop: 'static {
    /// A result in memory.
    type To: Copy;

    /// Writes every place of `out`.
    ///
    /// # Safety
    ///
    /// There are as many inputs as the loop has, each of which points to as many elements as `out` has
    /// places, or to the one that stands for all, of what the loop reads there, aligned and initialised.
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<Self::To>]);
}

/// Writes `n` results of `P`.
///
/// Through the type parameter rustc cannot inline the loop before LLVM does, so LLVM sees `out` as an
/// argument and knows that it overlaps no operand.
///
/// # Safety
///
/// As [`Loop::fill`], for `n` places; `out` points to room for `n` results, aligned, which overlaps no
/// operand.
#[inline(always)]
pub(super) unsafe fn write<L: Target, P: Loop>(lanes: L, n: usize, inputs: Pointers, out: *mut u8) {
    // Behind a branch LLVM else counts from the middle of a step on: `add` of c128 took a twentieth longer in
    // L1. SAFETY: the caller promises room for `n` results, and no room has more bytes.
    unsafe { core::hint::assert_unchecked(n <= isize::MAX as usize / size_of::<P::To>()) };
    // SAFETY: the caller promises room for `n` results that overlap no input; what is there need not be
    // initialised.
    let out = unsafe { core::slice::from_raw_parts_mut(out.cast::<MaybeUninit<P::To>>(), n) };
    // SAFETY: as the caller promises.
    unsafe { P::fill(lanes, inputs, out) };
}

/// What a kernel reads.
pub(crate) trait Reads: 'static {
    /// Where the operands lie: bare pointers.
    type Operands: Copy;

    /// The same, of a call.
    ///
    /// # Safety
    ///
    /// There are as many inputs as the kernel has.
    unsafe fn operands(inputs: Pointers) -> Self::Operands;

    /// Whether it is a few instructions a place, of which LLVM may make the code twice. Long work has a
    /// quicker form, and another loop ([`Asked`](super::quick::Asked)), or is none of these.
    const SHORT: bool = false;
}

/// What a kernel computes at one place.
pub(crate) trait Work: Reads {
    /// What the result is stored as.
    type Out: Element;
    /// What overflow of f8e4m3fn gives.
    type Overflow: Overflow;

    /// The result at place `i`.
    ///
    /// # Safety
    ///
    /// Each pointer of `operands` points to more than `i` elements of what the work reads there, aligned and
    /// initialised.
    unsafe fn at<L: Lanes>(lanes: L, operands: Self::Operands, i: usize) -> Reg<Self>;
}

/// Work of two operands whose first one has the dtype of the result, and may be what `out` holds; whose
/// second one may be one element.
pub(crate) trait Replaces: Work + Sized {
    /// The same where the second operand is one element, which stands for every place.
    type Spread: Work + Loop;

    /// The operands, the first of which lies elsewhere.
    fn replacing(operands: Self::Operands, first: *const Repr<Self>) -> Self::Operands;

    /// The result at place `i` of the operands, the first of which is `first`.
    ///
    /// # Safety
    ///
    /// As [`Work::at`] of all operands but the first.
    unsafe fn over<L: Lanes>(lanes: L, first: Repr<Self>, operands: Self::Operands, i: usize) -> Reg<Self>;
}

/// `W`, the results of which take the place of the first operand, which is what `out` holds; every place of
/// it is initialised.
pub(super) struct Replacing<W>(PhantomData<W>);

impl<W: Replaces> Loop for Replacing<W> {
    type To = Repr<W>;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<Repr<W>>]) {
        let (n, first) = (out.len(), out.as_mut_ptr().cast::<Repr<W>>());
        // SAFETY: the caller promises as many inputs as the work has.
        let operands = unsafe { W::operands(inputs) };
        if W::Out::STORE_IN_BLOCKS {
            let operands = W::replacing(operands, first);
            // SAFETY: as the caller promises; `out` is the first operand, and overlaps no other, since it is
            // borrowed exclusively. A block is written after its operands are read.
            return unsafe { in_blocks::<L, W>(lanes, operands, n, first) };
        }
        let mut i = 0;
        while i < n {
            // All that is read and written there goes through this pointer, which is handed to no function:
            // LLVM would then ask at run time what overlaps. SAFETY: `out` has `n` places, which hold the
            // first operand; every bit pattern is a valid `Repr`.
            let held = unsafe { first.add(i).read() };
            // SAFETY: `i` is below `n`, for which the caller promises it.
            let reg = unsafe { W::over(lanes, held, operands, i) };
            let repr = W::Out::store::<L::Shared, W::Overflow>(lanes.shared(), reg);
            // SAFETY: `out` has `n` places.
            unsafe { first.add(i).write(repr) };
            i += 1;
        }
    }
}

/// A bit of `n` that no number of elements has: of a [`Cheap`] body the second input is then one element,
/// which stands for every place.
pub(super) const SPREAD: usize = 1 << (usize::BITS - 1);

/// `P`, the loop of `W`, which also takes `out` itself for its first input; and `S`, the loop in which the
/// second input is one element.
///
/// Three loops: LLVM makes vector code of each only as it knows what overlaps, and `out` that overlaps what
/// it does not know is undefined. The scalar level of x86-64 has the first one, and copies its input a part
/// at a time.
pub(super) struct Cheap<W, P, S>(PhantomData<(W, P, S)>);

impl<W: Replaces, P: Loop, S: Loop> Body for Cheap<W, P, S> {
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: Pointers, out: *mut u8) -> Status {
        if const { one_form::<L>() } {
            // SAFETY: as the caller promises.
            unsafe { in_parts::<L, P>(lanes, n, inputs, out) };
            return Status::Done;
        }
        if n & SPREAD != 0 {
            // SAFETY: as the caller promises: `out` is then no input.
            unsafe { write::<L, S>(lanes, n & !SPREAD, inputs, out) };
            return Status::Done;
        }
        if !core::ptr::eq(inputs.first(), out) {
            // SAFETY: as the caller promises; `out` is not the first input.
            unsafe { write::<L, P>(lanes, n, inputs, out) };
            return Status::Done;
        }
        // SAFETY: as the caller promises: what `out` holds is initialised and overlaps no other input, and is
        // read by way of `out` alone.
        unsafe { write::<L, Replacing<W>>(lanes, n, inputs, out) };
        Status::Done
    }
}

/// Whether a level has the one form of each loop that takes all operands: few machines with x86-64 have none
/// but its scalar level, and all forms of every function there would be a twentieth of the kernels' build.
pub(super) const fn one_form<L: Lanes>() -> bool {
    cfg!(target_arch = "x86_64") && !L::FMA
}

/// `P` for a body that also takes `out` itself for its first input, and one element for its second one, all
/// of the dtype of its results: what `P` does not take lies in a block before.
///
/// # Safety
///
/// As [`Cheap`] has it of its body.
#[inline(always)]
unsafe fn in_parts<L: Target, P: Loop>(lanes: L, n: usize, inputs: Pointers, out: *mut u8) {
    let (one, n) = (n & SPREAD != 0, n & !SPREAD);
    let in_place = core::ptr::eq(inputs.first(), out);
    let mut block = Block::new();
    let room = block.room::<P::To>();
    let most = if one || in_place { room.len() } else { n };
    let mut i = 0;
    while one && i < room.len() {
        // SAFETY: the caller promises an element of the results' dtype, and `i` is below the places of the
        // block.
        unsafe { room.as_mut_ptr().add(i).write(inputs.second().cast::<MaybeUninit<P::To>>().read()) };
        i += 1;
    }
    let mut done = 0;
    while done < n {
        let m = if n - done < most { n - done } else { most };
        let from = done * size_of::<P::To>();
        let out = out.wrapping_add(from);
        let first = if in_place {
            // SAFETY: the caller promises that `out` has `n` places, so `m` from here on, which do not
            // overlap the block; that has room for them.
            unsafe { out.cast::<MaybeUninit<P::To>>().copy_to_nonoverlapping(room.as_mut_ptr(), m) };
            room.as_ptr().cast()
        } else {
            inputs.first().wrapping_add(from)
        };
        let second = if one { room.as_ptr().cast() } else { inputs.second().wrapping_add(from) };
        // SAFETY: as the caller promises of the `m` places from here on; the block holds as many copies of
        // the first input or of the element, `out` is neither, and is no first input together with one
        // element.
        unsafe { write::<L, P>(lanes, m, Pointers::new(first, second, core::ptr::null()), out) };
        done += m;
    }
}

/// Work some of whose operands are an error of the whole call.
pub(super) trait Traps: Work {
    /// Which error.
    const TRAP: Option<Trap>;

    /// Whether those at place `i` are.
    ///
    /// # Safety
    ///
    /// As [`Work::at`].
    unsafe fn traps<L: Lanes>(lanes: L, operands: Self::Operands, i: usize) -> bool;
}

/// The register form of what `W` gives.
pub(super) type Reg<W> = <<W as Work>::Out as Element>::Reg;
/// The same in memory.
pub(super) type Repr<W> = <<W as Work>::Out as Element>::Repr;

/// What a kernel computes at one place,
/// `[parameters] Type where [bounds], Out, Overflow, at<L>(lanes, operands, i) { result }`, as its [`Work`]
/// and as a [`Loop`]: all places alike, each result stored by itself.
///
/// A macro, since rustc inlines little into generic code, and nothing that a type parameter does: so LLVM
/// gets a function less to inline for each kernel and each step of it.
macro_rules! work {
    (
        [$($parameter:tt)*] $work:ty where [$($bounds:tt)*], $out:ty, $overflow:ty,
        at<$level:ident>($lanes:ident, $operands:pat, $i:ident) $result:block
    ) => {
        impl<$($parameter)*> crate::kernel::loops::Work for $work
        where
            $($bounds)*
        {
            type Out = $out;
            type Overflow = $overflow;

            #[inline(always)]
            unsafe fn at<$level: crate::level::Lanes>(
                $lanes: $level,
                $operands: Self::Operands,
                $i: usize,
            ) -> <$out as crate::element::Element>::Reg $result
        }

        impl<$($parameter)*> crate::kernel::loops::Loop for $work
        where
            $($bounds)*
        {
            type To = <$out as crate::element::Element>::Repr;

            #[inline(always)]
            unsafe fn fill<$level: crate::kernel::target::Target>(
                $lanes: $level,
                inputs: Pointers,
                out: &mut [core::mem::MaybeUninit<Self::To>],
            ) {
                // SAFETY: as the caller promises.
                let $operands = unsafe { <Self as crate::kernel::loops::Reads>::operands(inputs) };
                let (n, out) = (out.len(), out.as_mut_ptr().cast::<Self::To>());
                let mut $i = 0;
                while $i < n {
                    // Each input has as many elements as `out` has places, so more than `i`.
                    let reg = $result;
                    let repr = <$out as crate::element::Element>::store::<$level::Shared, $overflow>(
                        $lanes.shared(),
                        reg,
                    );
                    // SAFETY: `out` has `n` places.
                    unsafe { out.add($i).write(repr) };
                    $i += 1;
                }
            }
        }
    };
}
pub(super) use work;

/// `W`, the results of which are narrowed many together.
pub(super) struct InBlocks<W>(PhantomData<W>);

impl<W: Work> Loop for InBlocks<W> {
    type To = Repr<W>;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<Repr<W>>]) {
        // SAFETY: as the caller promises.
        let operands = unsafe { W::operands(inputs) };
        // SAFETY: as the caller promises; `out` has as many places.
        unsafe { in_blocks::<L, W>(lanes, operands, out.len(), out.as_mut_ptr().cast()) };
    }
}

/// As [`blocks`] from place 0 on; of short work in small ones, as far as they go, where an instruction
/// narrows.
///
/// # Safety
///
/// As [`part`].
#[inline(always)]
unsafe fn in_blocks<L, W>(lanes: L, operands: W::Operands, to: usize, out: *mut Repr<W>)
where
    L: Lanes,
    W: Work,
{
    let mut done = 0;
    if const { W::SHORT && L::F16C } {
        const { assert!(size_of::<Reg<W>>() * HELD <= size_of::<SmallBlock>()) };
        while to - done >= HELD {
            let mut block = SmallBlock::new();
            // SAFETY: the block has `HELD` places, and as many results are left of those that the caller
            // promises.
            unsafe { one_block::<L, W>(lanes, operands, block.room(), done, HELD, out) };
            done += HELD;
        }
    }
    // SAFETY: as the caller promises.
    unsafe { blocks::<L, W>(lanes, operands, done, to, out) };
}

/// Stores the results of the places from `from` on, before `to`.
///
/// # Safety
///
/// Each pointer of `operands` points to `to` elements of what the work reads there, aligned and initialised;
/// `out` points to room for as many results, which overlaps no operand, unless it is the first.
#[inline(always)]
pub(super) unsafe fn part<L, W>(lanes: L, operands: W::Operands, from: usize, to: usize, out: *mut Repr<W>)
where
    L: Lanes,
    W: Work,
{
    if W::Out::STORE_IN_BLOCKS {
        // SAFETY: as the caller promises.
        return unsafe { blocks::<L, W>(lanes, operands, from, to, out) };
    }
    let mut i = from;
    while i < to {
        // SAFETY: `i` is below `to`, for which the caller promises it.
        let reg = unsafe { W::at(lanes, operands, i) };
        let repr = W::Out::store::<L::Shared, W::Overflow>(lanes.shared(), reg);
        // SAFETY: there is room for `to` results.
        unsafe { out.add(i).write(repr) };
        i += 1;
    }
}

/// As [`part`], where it is much faster to narrow many results together: they are computed into a block, and
/// then written.
///
/// # Safety
///
/// As [`part`].
#[inline(always)]
unsafe fn blocks<L, W>(lanes: L, operands: W::Operands, from: usize, to: usize, out: *mut Repr<W>)
where
    L: Lanes,
    W: Work,
{
    let mut block = Block::new();
    let room = block.room::<Reg<W>>();
    let mut done = from;
    while done < to {
        let m = if to - done < room.len() { to - done } else { room.len() };
        // SAFETY: `m` is at most the room, and at most what is left of the places that the caller promises.
        unsafe { one_block::<L, W>(lanes, operands, room, done, m, out) };
        done += m;
    }
}

/// Stores the results of `m` places from `from` on, which are computed into `room`.
///
/// # Safety
///
/// As [`part`], with `from + m` for `to`; `room` has `m` places.
#[inline(always)]
unsafe fn one_block<L, W>(
    lanes: L,
    operands: W::Operands,
    room: &mut [MaybeUninit<Reg<W>>],
    from: usize,
    m: usize,
    out: *mut Repr<W>,
) where
    L: Lanes,
    W: Work,
{
    let regs = room.as_mut_ptr().cast::<Reg<W>>();
    let mut i = 0;
    while i < m {
        // SAFETY: `from + i` is below `from + m`, for which the caller promises it.
        let reg = unsafe { W::at(lanes, operands, from + i) };
        // SAFETY: `i` is below `m`, and so below the places of the block.
        unsafe { regs.add(i).write(reg) };
        i += 1;
    }
    // SAFETY: the loop has written `m` of them.
    let part = unsafe { core::slice::from_raw_parts(regs, m) };
    // SAFETY: there is room for `from + m` results.
    let first = unsafe { out.add(from).cast::<MaybeUninit<Repr<W>>>() };
    // SAFETY: from there on there is room for `m`, which nobody else holds.
    let places = unsafe { core::slice::from_raw_parts_mut(first, m) };
    W::Out::store_block::<L::Shared, W::Overflow>(lanes.shared(), part, places);
}

/// `P`, after a look at all operands of `W`, which it computes; with no `out`, nothing but the look.
pub(super) struct Looked<W, P>(PhantomData<(W, P)>);

impl<W: Traps, P: Loop> Body for Looked<W, P> {
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: Pointers, out: *mut u8) -> Status {
        // SAFETY: as the caller promises.
        let found = unsafe { look::<L, W>(lanes, n, inputs) };
        if found == Status::Done && !out.is_null() {
            // SAFETY: the caller promises the same, and `out` is not null.
            unsafe { write::<L, P>(lanes, n, inputs, out) };
        }
        found
    }
}

/// What is wrong with the operands of a work.
///
/// # Safety
///
/// There are as many inputs as the work has, each of which points to `n` elements of its dtype, aligned and
/// initialised.
#[inline(always)]
pub(super) unsafe fn look<L: Lanes, W: Traps>(lanes: L, n: usize, inputs: Pointers) -> Status {
    // SAFETY: the caller promises as many inputs.
    let operands = unsafe { W::operands(inputs) };
    let mut found = false;
    let mut i = 0;
    while i < n {
        // SAFETY: `i` is below `n`, and each input has as many elements of its dtype.
        found |= unsafe { W::traps(lanes, operands, i) };
        i += 1;
    }
    match W::TRAP {
        Some(trap) if found => trap.status(),
        _ => Status::Done,
    }
}
