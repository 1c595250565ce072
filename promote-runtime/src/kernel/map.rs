//! The one body of elementwise kernels: load the operands, convert each, compute, store.
//!
//! [`Map`] is generic over the op, the readers of its inputs, the form in which it computes, and the dtype of
//! its results. Its plain loop runs in a function of its own ([`Loop::fill`]), so that LLVM knows that `out`
//! overlaps nothing. Three more loops over a `Map` deviate from it: [`InPlace`], whose first operand is
//! `out`; [`InBlocks`], whose results are much faster to store many at a time (f16, c32); and
//! [`ByFastPath`](super::fast_path::ByFastPath).
//!
//! Thousands of kernels are made of these loops, and LLVM takes most of the build time, for the code that
//! rustc passes to it. So a loop has its own counter, no bounds checks, and no values with destructors: with
//! iterators, slices and closures a kernel was five times as long.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::Status;
use super::fast_path::ByFastPath;
use super::loops::Checked;
use super::per_level::{PerLevel, body, plain};
use crate::convert::{ConvertTo, Overflow};
use crate::element::Element;
use crate::level::Lanes;
use crate::level::doors::Loop;
use crate::level::doors::{Levels, Target};
use crate::level::function::Pointers;
use crate::memory::block;
use crate::memory::prefetch::prefetch;
use crate::ops::{ComputeForm, LaneValue, OpLane, Trap};

/// A block of results: 512 lanes of `f32`, small enough to need no stack probe.
type Block = block::Block<2048>;

/// The number of results in a small block. It is small and known at compile time, so that LLVM unrolls both
/// loops over the block and keeps the results in registers.
const SMALL: usize = 64;
/// [`SMALL`] lanes of `Complex<f64>`, the widest of all results, though none of those that are stored in
/// blocks.
type SmallBlock = block::Block<{ SMALL * 16 }>;

/// The way an input is read: [`Each`] or [`One`].
pub trait Reader: closed::Reader + 'static {
    /// The type of the elements.
    type Item: Element;
    /// The source that a loop reads from: a pointer, or the one element.
    #[doc(hidden)]
    type At: Copy;
    /// The bytes from one element to the next; 0 for a single element, which is broadcast.
    #[doc(hidden)]
    const STRIDE: usize;

    /// Returns the source that a loop reads from.
    ///
    /// # Safety
    ///
    /// `input` points to aligned and initialised elements, or to one such element, which is broadcast.
    #[doc(hidden)]
    unsafe fn at(input: *const u8) -> Self::At;

    /// Returns the element for index `i` in its form in memory.
    ///
    /// # Safety
    ///
    /// The input has more than `i` elements, aligned and initialised, or one that is broadcast.
    #[doc(hidden)]
    unsafe fn repr(at: Self::At, i: usize) -> <Self::Item as Element>::Repr;

    /// Prefetches the elements at the indices `from..to`, which need not exist.
    #[doc(hidden)]
    fn prefetch(at: Self::At, from: usize, to: usize);
}

mod closed {
    /// Seals the public trait: other crates cannot implement it.
    pub trait Reader {}
    impl<T> Reader for super::Each<T> {}
    impl<T> Reader for super::One<T> {}
}

/// A reader of an input with one element for each result.
#[derive(Debug)]
pub struct Each<T>(PhantomData<T>);

/// A reader of an input with one element, which is broadcast.
#[derive(Debug)]
pub struct One<T>(PhantomData<T>);

impl<T: Element> Reader for Each<T> {
    type Item = T;
    type At = *const T::Repr;
    const STRIDE: usize = size_of::<T::Repr>();

    #[inline(always)]
    unsafe fn at(input: *const u8) -> *const T::Repr {
        input.cast()
    }

    #[inline(always)]
    unsafe fn repr(at: *const T::Repr, i: usize) -> T::Repr {
        // SAFETY: the caller promises more than `i` elements; every bit pattern is a valid `Repr`.
        unsafe { at.add(i).read() }
    }

    #[inline(always)]
    fn prefetch(at: *const T::Repr, from: usize, to: usize) {
        prefetch(at.wrapping_add(from), (to - from) * size_of::<T::Repr>());
    }
}

impl<T: Element> Reader for One<T> {
    type Item = T;
    type At = T::Repr;
    const STRIDE: usize = 0;

    #[inline(always)]
    unsafe fn at(input: *const u8) -> T::Repr {
        // SAFETY: the caller promises an element; every bit pattern is a valid `Repr`.
        unsafe { input.cast::<T::Repr>().read() }
    }

    #[inline(always)]
    unsafe fn repr(at: T::Repr, _: usize) -> T::Repr {
        at
    }

    #[inline(always)]
    fn prefetch(_: T::Repr, _: usize, _: usize) {}
}

/// The inputs of a kernel that computes in the form `F`: a tuple of one to four readers, or an array of equal
/// ones.
pub(crate) trait Inputs<F: ComputeForm>: 'static {
    /// The source that a loop reads from.
    type At: Copy;
    /// The elements for one result, in their form in memory.
    type Reprs: Copy;
    /// The arguments of the op.
    type Args: Copy;

    /// Returns the source that a loop reads from.
    ///
    /// # Safety
    ///
    /// There are as many inputs as readers, and each is what its reader takes.
    unsafe fn at(inputs: Pointers) -> Self::At;

    /// Reads the elements for index `i`.
    ///
    /// All elements are read before one is converted, and LLVM keeps this order: a conversion through masks
    /// then waits less.
    ///
    /// # Safety
    ///
    /// Each input has more than `i` elements, aligned and initialised, or one that is broadcast.
    unsafe fn reprs(at: Self::At, i: usize) -> Self::Reprs;

    /// Converts elements to the arguments of the op.
    fn args<S: Lanes>(shared: S, reprs: Self::Reprs) -> Self::Args;

    /// Returns the inputs from index `i` on. There are at most two.
    fn skip(inputs: Pointers, i: usize) -> Pointers;

    /// Prefetches the elements at the indices `from..to`, which need not exist.
    fn prefetch(at: Self::At, from: usize, to: usize);
}

/// Converts an element to a lane of the form `F`.
#[inline(always)]
fn lane<F, A, S>(shared: S, repr: A::Repr) -> F::Lane
where
    F: ComputeForm,
    A: ConvertTo<F::Common>,
    S: Lanes,
{
    F::Lane::of_reg(if const { F::ROUNDS_OPERANDS } {
        <A as ConvertTo<F::Common>>::convert_to::<S, F::Overflow>(shared, repr)
    } else {
        <A as ConvertTo<F::Common>>::widen(shared, repr)
    })
}

macro_rules! inputs {
    (@lane $form:ident $reader:ident) => { $form::Lane };
    ($($reader:ident $i:tt),+) => {
        impl<F: ComputeForm, $($reader: Reader<Item: ConvertTo<F::Common>>),+> Inputs<F> for ($($reader,)+) {
            type At = ($($reader::At,)+);
            type Reprs = ($(<$reader::Item as Element>::Repr,)+);
            type Args = ($(inputs!(@lane F $reader),)+);

            #[inline(always)]
            unsafe fn at(inputs: Pointers) -> Self::At {
                // SAFETY: the caller promises as many inputs, of which each is what its reader takes.
                unsafe { ($($reader::at(inputs.at($i)),)+) }
            }

            #[inline(always)]
            unsafe fn reprs(at: Self::At, i: usize) -> Self::Reprs {
                // SAFETY: as the caller promises.
                unsafe { ($($reader::repr(at.$i, i),)+) }
            }

            #[inline(always)]
            fn args<S: Lanes>(shared: S, reprs: Self::Reprs) -> Self::Args {
                ($(lane::<F, $reader::Item, S>(shared, reprs.$i),)+)
            }

            #[inline(always)]
            fn skip(inputs: Pointers, i: usize) -> Pointers {
                const COUNT: usize = [$($i),+].len();
                let strides = const {
                    assert!(COUNT <= 2, "the pointers to further inputs lie in memory");
                    [$($reader::STRIDE),+]
                };
                let second = inputs.second().wrapping_add(i * strides[COUNT - 1]);
                Pointers::new(inputs.first().wrapping_add(i * strides[0]), second, core::ptr::null())
            }

            #[inline(always)]
            fn prefetch(at: Self::At, from: usize, to: usize) {
                $($reader::prefetch(at.$i, from, to);)+
            }
        }
    };
}

inputs! { A 0 }
inputs! { A 0, B 1 }
inputs! { A 0, B 1, C 2 }
inputs! { A 0, B 1, C 2, D 3 }

impl<F: ComputeForm, A: Reader<Item: ConvertTo<F::Common>>, const N: usize> Inputs<F> for [A; N] {
    type At = [A::At; N];
    type Reprs = [<A::Item as Element>::Repr; N];
    type Args = [F::Lane; N];

    #[inline(always)]
    unsafe fn at(inputs: Pointers) -> Self::At {
        // SAFETY: the caller promises `N` inputs, of which each is what the reader takes.
        core::array::from_fn(|k| unsafe { A::at(inputs.at(k)) })
    }

    #[inline(always)]
    unsafe fn reprs(at: Self::At, i: usize) -> Self::Reprs {
        // SAFETY: as the caller promises.
        at.map(|at| unsafe { A::repr(at, i) })
    }

    #[inline(always)]
    fn args<S: Lanes>(shared: S, reprs: Self::Reprs) -> Self::Args {
        reprs.map(|repr| lane::<F, A::Item, S>(shared, repr))
    }

    #[inline(always)]
    fn skip(inputs: Pointers, i: usize) -> Pointers {
        const { assert!(N <= 2, "the pointers to further inputs lie in memory") };
        let [first, second] =
            [inputs.first(), inputs.second()].map(|input| input.wrapping_add(i * A::STRIDE));
        Pointers::new(first, second, core::ptr::null())
    }

    #[inline(always)]
    fn prefetch(at: Self::At, from: usize, to: usize) {
        for at in at {
            A::prefetch(at, from, to);
        }
    }
}

/// The register form of `C`. `W` decides the result of overflow in f8e4m3fn.
pub(super) struct InRegister<C, W>(PhantomData<(C, W)>);

impl<C: Element, W: Overflow> ComputeForm for InRegister<C, W> {
    type Common = C;
    type Lane = C::Reg;
    type Overflow = W;
    const IS_SHORT: bool = true;
}

/// The register form of `C` that only the store rounds: that of a cast, which rounds once.
pub(super) struct Unrounded<C, W>(PhantomData<(C, W)>);

impl<C: Element, W: Overflow> ComputeForm for Unrounded<C, W> {
    type Common = C;
    type Lane = C::Reg;
    type Overflow = W;
    const ROUNDS_OPERANDS: bool = false;
    const IS_SHORT: bool = true;
}

/// The op `K` on inputs that `I` reads, computed in the form `F` and stored as `O`.
pub(super) struct Map<K, I, F, O>(PhantomData<(K, I, F, O)>);

impl<K, I, F, O> Loop for Map<K, I, F, O>
where
    F: ComputeForm,
    I: Inputs<F>,
    K: OpLane<F::Lane, I::Args, Out: LaneValue<Reg = O::Reg>>,
    O: Element,
{
    type To = O::Repr;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<O::Repr>]) {
        // SAFETY: as the caller promises.
        let at = unsafe { I::at(inputs) };
        let (n, out) = (out.len(), out.as_mut_ptr().cast::<O::Repr>());
        let mut i = 0;
        while i < n {
            // SAFETY: `i` is below `n`, for which the caller promises it.
            let reprs = unsafe { I::reprs(at, i) };
            let reg = K::apply(lanes, I::args(lanes.shared(), reprs)).reg();
            let repr = O::store::<L::Shared, F::Overflow>(lanes.shared(), reg);
            // SAFETY: `out` has `n` places.
            unsafe { out.add(i).write(repr) };
            i += 1;
        }
    }
}

impl<K, I, F, O> Map<K, I, F, O>
where
    F: ComputeForm,
    I: Inputs<F>,
    K: OpLane<F::Lane, I::Args, Out: LaneValue<Reg = O::Reg>>,
    O: Element,
{
    /// Returns the functions of the loop that suits the op and its results, at every SIMD level, and at the
    /// scalar level of x86-64 if `scalar` is true.
    pub(super) const fn functions<S: Levels>(scalar: bool) -> PerLevel {
        match (K::TRAP, K::FAST_PATH.exists) {
            (None, false) if O::STORE_IN_BLOCKS => plain::<S, InBlocks<Self>>(scalar),
            (None, false) => plain::<S, Self>(scalar),
            (None, true) => plain::<S, ByFastPath<Self>>(scalar),
            (Some(_), true) => body::<S, Checked<Self, ByFastPath<Self>>>(scalar),
            (Some(_), false) if O::STORE_IN_BLOCKS => body::<S, Checked<Self, InBlocks<Self>>>(scalar),
            (Some(_), false) => body::<S, Checked<Self, Self>>(scalar),
        }
    }

    /// Computes the result for index `i`, by the fast path or by the general form.
    ///
    /// # Safety
    ///
    /// As [`Inputs::reprs`].
    #[inline(always)]
    unsafe fn value<const FAST: bool, L: Lanes>(lanes: L, at: I::At, i: usize) -> O::Reg {
        // SAFETY: as the caller promises.
        let args = I::args(lanes.shared(), unsafe { I::reprs(at, i) });
        if const { FAST } { K::fast(lanes, args) } else { K::apply(lanes, args) }.reg()
    }

    /// Stores the results at the indices `from..to`.
    ///
    /// # Safety
    ///
    /// As [`Inputs::reprs`] for each of them; `out` points to room for `to` results, which overlaps no input,
    /// unless it is the first.
    #[inline(always)]
    pub(super) unsafe fn part<const FAST: bool, L: Lanes>(
        lanes: L,
        at: I::At,
        from: usize,
        to: usize,
        out: *mut O::Repr,
    ) {
        if O::STORE_IN_BLOCKS {
            // SAFETY: as the caller promises.
            return unsafe { Self::blocks::<FAST, L>(lanes, at, from, to, out) };
        }
        let mut i = from;
        while i < to {
            // SAFETY: `i` is below `to`, for which the caller promises it.
            let reg = unsafe { Self::value::<FAST, L>(lanes, at, i) };
            let repr = O::store::<L::Shared, F::Overflow>(lanes.shared(), reg);
            // SAFETY: there is room for `to` results.
            unsafe { out.add(i).write(repr) };
            i += 1;
        }
    }

    /// Stores the first `to` results, block by block. If an instruction narrows them, results of short ops
    /// are computed in small blocks, except for a remainder.
    ///
    /// # Safety
    ///
    /// As [`Map::part`] from index 0 on.
    #[inline(always)]
    unsafe fn in_blocks<L: Lanes>(lanes: L, at: I::At, to: usize, out: *mut O::Repr) {
        let mut done = 0;
        if const { F::IS_SHORT && L::F16C } {
            const { assert!(size_of::<O::Reg>() * SMALL <= size_of::<SmallBlock>()) };
            while to - done >= SMALL {
                let mut block = SmallBlock::new();
                // SAFETY: the block has room for `SMALL` results, and as many are left of those that the
                // caller promises.
                unsafe { Self::one_block::<false, L>(lanes, at, block.room(), done, SMALL, out) };
                done += SMALL;
            }
        }
        // SAFETY: as the caller promises.
        unsafe { Self::blocks::<false, L>(lanes, at, done, to, out) };
    }

    /// Stores results that are computed into a block and then narrowed together.
    ///
    /// # Safety
    ///
    /// As [`Map::part`].
    #[inline(always)]
    unsafe fn blocks<const FAST: bool, L: Lanes>(
        lanes: L,
        at: I::At,
        from: usize,
        to: usize,
        out: *mut O::Repr,
    ) {
        let mut block = Block::new();
        let room = block.room::<O::Reg>();
        let mut done = from;
        while done < to {
            let m = if to - done < room.len() { to - done } else { room.len() };
            // SAFETY: `m` is at most the room, and at most the number of results that are left of those that
            // the caller promises.
            unsafe { Self::one_block::<FAST, L>(lanes, at, room, done, m, out) };
            done += m;
        }
    }

    /// Stores the `m` results from index `from` on, which are computed into `room`.
    ///
    /// # Safety
    ///
    /// As [`Map::part`], with `from + m` for `to`; `room` has room for `m` results.
    #[inline(always)]
    unsafe fn one_block<const FAST: bool, L: Lanes>(
        lanes: L,
        at: I::At,
        room: &mut [MaybeUninit<O::Reg>],
        from: usize,
        m: usize,
        out: *mut O::Repr,
    ) {
        let regs = room.as_mut_ptr().cast::<O::Reg>();
        let mut i = 0;
        while i < m {
            // SAFETY: `from + i` is below `from + m`, for which the caller promises it.
            let reg = unsafe { Self::value::<FAST, L>(lanes, at, from + i) };
            // SAFETY: `i` is below `m`, and so below the length of the block.
            unsafe { regs.add(i).write(reg) };
            i += 1;
        }
        // SAFETY: the loop has written `m` of them.
        let part = unsafe { core::slice::from_raw_parts(regs, m) };
        // SAFETY: there is room for `from + m` results.
        let first = unsafe { out.add(from).cast::<MaybeUninit<O::Repr>>() };
        // SAFETY: from there on there is room for `m`, which nobody else holds.
        let places = unsafe { core::slice::from_raw_parts_mut(first, m) };
        O::store_block::<L::Shared, F::Overflow>(lanes.shared(), part, places);
    }

    /// Checks all operands, and returns what is wrong with them.
    ///
    /// # Safety
    ///
    /// There are as many inputs as the kernel has, each with `n` elements, aligned and initialised.
    #[inline(always)]
    pub(super) unsafe fn check<L: Lanes>(lanes: L, n: usize, inputs: Pointers) -> Status {
        // SAFETY: the caller promises as many inputs.
        let at = unsafe { I::at(inputs) };
        let mut found = false;
        let mut i = 0;
        while i < n {
            // SAFETY: `i` is below `n`, and each input has as many elements.
            found |= K::traps(I::args(lanes.shared(), unsafe { I::reprs(at, i) }));
            i += 1;
        }
        match K::TRAP {
            Some(trap) if found => trap.status(),
            _ => Status::Done,
        }
    }
}

impl Trap {
    const fn status(self) -> Status {
        match self {
            Trap::DivisionByZero => Status::DivisionByZero,
            Trap::NegativeExponent => Status::NegativeExponent,
            Trap::Probability => Status::Probability,
        }
    }
}

/// A `Map` whose results are computed into a block, and narrowed together.
pub(super) struct InBlocks<M>(PhantomData<M>);

impl<K, I, F, O> Loop for InBlocks<Map<K, I, F, O>>
where
    F: ComputeForm,
    I: Inputs<F>,
    K: OpLane<F::Lane, I::Args, Out: LaneValue<Reg = O::Reg>>,
    O: Element,
{
    type To = O::Repr;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<O::Repr>]) {
        // SAFETY: as the caller promises; `out` has as many elements.
        unsafe { Map::<K, I, F, O>::in_blocks(lanes, I::at(inputs), out.len(), out.as_mut_ptr().cast()) };
    }
}

/// A `Map` whose first operand is the content of `out`, all of whose elements are initialised.
pub(super) struct InPlace<M>(PhantomData<M>);

impl<K, A, B, F, O> Loop for InPlace<Map<K, (Each<A>, B), F, O>>
where
    F: ComputeForm,
    A: ConvertTo<F::Common>,
    B: Reader<Item: ConvertTo<F::Common>>,
    K: OpLane<F::Lane, (F::Lane, F::Lane), Out: LaneValue<Reg = O::Reg>>,
    O: Element,
{
    type To = O::Repr;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<O::Repr>]) {
        const { assert!(A::DTYPE.index() == O::DTYPE.index(), "results in the place of another dtype") };
        let (n, first) = (out.len(), out.as_mut_ptr().cast::<O::Repr>());
        // SAFETY: the caller promises what the reader takes.
        let second = unsafe { B::at(inputs.second()) };
        if O::STORE_IN_BLOCKS {
            let at = (first.cast_const().cast::<A::Repr>(), second);
            // SAFETY: as the caller promises; `out` is the first operand, and overlaps no other, since it is
            // borrowed exclusively. A block is written after its operands are read.
            return unsafe { Map::<K, (Each<A>, B), F, O>::in_blocks(lanes, at, n, first) };
        }
        let mut i = 0;
        while i < n {
            // All reads and writes of `out` go through this pointer, which is passed to no function: LLVM
            // would otherwise check for overlap at run time. SAFETY: `out` has `n` elements, which are the
            // first operand; every bit pattern is a valid `Repr`.
            let held = unsafe { first.add(i).read() };
            // SAFETY: both are the memory form of one dtype, of which every bit pattern is valid.
            let held = unsafe { core::mem::transmute_copy::<O::Repr, A::Repr>(&held) };
            // SAFETY: `i` is below `n`, for which the caller promises it.
            let reprs = (held, unsafe { B::repr(second, i) });
            let args = <(Each<A>, B) as Inputs<F>>::args(lanes.shared(), reprs);
            let repr = O::store::<L::Shared, F::Overflow>(lanes.shared(), K::apply(lanes, args).reg());
            // SAFETY: `out` has `n` places.
            unsafe { first.add(i).write(repr) };
            i += 1;
        }
    }
}
