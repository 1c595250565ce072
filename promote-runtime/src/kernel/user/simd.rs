//! Custom kernels whose body is vector code, written with pulp.
//!
//! The body computes one vector. This module has the loop over vectors, the tail, single elements that are
//! broadcast, and the conversions of typed calls, which go through small blocks.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use pulp::Simd;

use super::UserEntry;
use super::typed::{CallFused, KernelInput, call_loop};
use crate::convert::{Convert, ConvertTo};
use crate::element::{Element, Register};
use crate::error::call::CallError;
use crate::kernel::MAX_INPUTS;
use crate::kernel::map::Reader;
use crate::kernel::per_level::plain;
use crate::level::Lanes;
use crate::level::doors::Loop;
use crate::level::doors::{Levels, Target};
use crate::level::function::Pointers;
use crate::level::tokens::PulpToken;
use crate::memory::block;
use crate::op::typed::narrowed;
use crate::ops::KernelType;

/// The number of elements that are converted at a time.
const PART: usize = 128;
/// A block of numbers, or of results in register form.
type Block = block::Block<{ PART * 16 }>;

/// The numbers of vector code: `f32` and `f64`.
///
/// # Safety
///
/// A vector consists of numbers of the type side by side, and every bit pattern of it is valid.
pub unsafe trait SimdNumber: Register<Repr = Self> {
    /// A vector of a level.
    type Vector<S: Simd>: Copy;

    /// Returns a vector whose lanes are all `x`.
    fn splat<S: Simd>(simd: S, x: Self) -> Self::Vector<S>;
}

// SAFETY: pulp's `f32s` is `Pod`, made of `f32`.
unsafe impl SimdNumber for f32 {
    type Vector<S: Simd> = S::f32s;

    #[inline(always)]
    fn splat<S: Simd>(simd: S, x: f32) -> S::f32s {
        simd.splat_f32s(x)
    }
}

// SAFETY: pulp's `f64s` is `Pod`, made of `f64`.
unsafe impl SimdNumber for f64 {
    type Vector<S: Simd> = S::f64s;

    #[inline(always)]
    fn splat<S: Simd>(simd: S, x: f64) -> S::f64s {
        simd.splat_f64s(x)
    }
}

/// The body of a `#[kernel(simd)]` with `N` inputs, on vectors of `M`.
#[diagnostic::on_unimplemented(
    message = "the vectors of the kernel `{Self}` are not of `{M}`",
    label = "the rule set computes this in `{M}`",
    note = "a `#[kernel(simd)]` computes in the type of its vectors alone: convert the inputs first, so that they promote to it"
)]
pub trait SimdBody<M: SimdNumber, const N: usize>: 'static {
    /// Computes one vector.
    fn eval<S: Simd>(simd: S, inputs: [M::Vector<S>; N]) -> M::Vector<S>;
}

/// The body `K` of vectors.
#[derive(Debug)]
pub struct Vectors<K>(PhantomData<K>);

/// Computes `n` results by the body `K`. An input has a number for each result if `each` says so, and
/// otherwise one number, which is broadcast.
///
/// # Safety
///
/// Each input points to `n` numbers, or to one, initialised; `out` points to room for `n`, which overlaps no
/// input.
#[inline(always)]
unsafe fn vectors<K, M, S, const N: usize>(
    simd: S,
    each: [bool; N],
    inputs: [*const M; N],
    n: usize,
    out: *mut M,
) where
    K: SimdBody<M, N>,
    M: SimdNumber,
    S: Simd,
{
    let lanes = const {
        assert!(N > 0 && size_of::<M::Vector<S>>().is_multiple_of(size_of::<M>()));
        size_of::<M::Vector<S>>() / size_of::<M>()
    };
    if n == 0 {
        return;
    }
    // SAFETY: each input has a number.
    let mut ones = [M::splat(simd, unsafe { inputs[0].read() }); N];
    let mut k = 1;
    while k < N {
        // SAFETY: as above.
        ones[k] = M::splat(simd, unsafe { inputs[k].read() });
        k += 1;
    }
    let mut i = 0;
    while n - i >= lanes {
        let mut vectors = ones;
        let mut k = 0;
        while k < N {
            if each[k] {
                // SAFETY: the input has `n` numbers, of which at least `lanes` are left; a vector is made of
                // as many.
                vectors[k] = unsafe { inputs[k].add(i).cast::<M::Vector<S>>().read_unaligned() };
            }
            k += 1;
        }
        let result = K::eval(simd, vectors);
        // SAFETY: there is room for as many results.
        unsafe { out.add(i).cast::<M::Vector<S>>().write_unaligned(result) };
        i += lanes;
    }
    if i == n {
        return;
    }
    // The last vector is filled with copies of the first element, which take a body no longer than other
    // elements.
    let (left, mut vectors) = (n - i, ones);
    let mut k = 0;
    while k < N {
        if each[k] {
            let vector = core::ptr::from_mut(&mut vectors[k]).cast::<M>();
            // SAFETY: `left` numbers of the input are left, fewer than a vector has; the vector is borrowed
            // exclusively.
            unsafe { inputs[k].add(i).copy_to_nonoverlapping(vector, left) };
        }
        k += 1;
    }
    let result = K::eval(simd, vectors);
    // SAFETY: a vector has more than `left` numbers, and there is room for as many.
    unsafe { core::ptr::from_ref(&result).cast::<M>().copy_to_nonoverlapping(out.add(i), left) };
}

/// The body `K` on `N` inputs of `M`: a kernel that run-time calls look up, and cast their operands for.
pub(super) struct SimdSame<K, M, const N: usize>(PhantomData<(K, M)>);

impl<K: SimdBody<M, N>, M: SimdNumber, const N: usize> Loop for SimdSame<K, M, N> {
    type To = M;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<M>]) {
        let mut sources = [core::ptr::null(); N];
        let mut k = 0;
        while k < N {
            // SAFETY: the caller promises `N` inputs.
            sources[k] = unsafe { inputs.at(k) }.cast();
            k += 1;
        }
        let simd = lanes.shared().pulp();
        // SAFETY: the caller promises as many numbers in each input as `out` has elements, and `out` is
        // borrowed exclusively.
        unsafe { vectors::<K, M, _, N>(simd, [true; N], sources, out.len(), out.as_mut_ptr().cast()) };
    }
}

impl UserEntry {
    /// Creates the kernel of a body on vectors of `M`, for every level.
    pub const fn simd<S, K, M, const N: usize>() -> UserEntry
    where
        S: Levels,
        K: SimdBody<M, N>,
        M: SimdNumber,
    {
        const { assert!(N >= 1 && N <= MAX_INPUTS, "a kernel takes 1 to 4 inputs") };
        UserEntry { compute: M::DTYPE, inputs: N, raw: plain::<S, SimdSame<K, M, N>>(true) }
    }
}

/// Returns true if elements of `A`, converted to `X` and then to `M`, are those of `M` in memory.
const fn is_direct<A: Element, X: Element, M: Element>() -> bool {
    A::DTYPE.index() == M::DTYPE.index() && X::DTYPE.index() == M::DTYPE.index()
}

/// Converts `m` elements from index `from` on to `X`, and then to `M`.
///
/// # Safety
///
/// The input has `from + m` elements of the reader's type, aligned and initialised, or one that is broadcast;
/// `to` points to room for `m` numbers, which overlaps no input.
#[inline(always)]
unsafe fn convert<W, I, X, M>(shared: impl Lanes, input: *const u8, from: usize, m: usize, to: *mut M)
where
    W: KernelType,
    I: Reader<Item: ConvertTo<X>>,
    X: Element<Reg: Convert<M>>,
    M: SimdNumber,
{
    // SAFETY: as the caller promises.
    let at = unsafe { I::at(input) };
    let mut i = 0;
    while i < m {
        // SAFETY: the input has more than `from + i` elements, or one.
        let repr = unsafe { I::repr(at, from + i) };
        let number = <I::Item as ConvertTo<X>>::convert_to::<_, W::Overflow>(shared, repr).convert(false);
        // SAFETY: there is room for `m` numbers.
        unsafe { to.add(i).write(number) };
        i += 1;
    }
}

/// The body `K` on inputs that `I` reads, each converted to `X` and then to `M`; results are stored as `O`.
/// Casts are those of the op `Semantics`.
pub(super) struct SimdMap<K, I, X, M, O, Semantics>(PhantomData<(K, I, X, M, O, Semantics)>);

macro_rules! simd_map {
    ($count:literal: $($reader:ident $i:tt)+) => {
        impl<K, X, M, O, Semantics, $($reader),+> Loop for SimdMap<K, ($($reader,)+), X, M, O, Semantics>
        where
            K: SimdBody<M, $count>,
            X: Element<Reg: Convert<M>>,
            M: SimdNumber + Convert<O::Reg>,
            O: Element,
            Semantics: KernelType,
            $($reader: Reader<Item: ConvertTo<X>>,)+
        {
            type To = O::Repr;

            #[inline(always)]
            unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<O::Repr>]) {
                let (shared, n) = (lanes.shared(), out.len());
                let simd = shared.pulp();
                let each = const { [$($reader::STRIDE != 0),+] };
                let direct = const { [$(is_direct::<$reader::Item, X, M>()),+] };
                let stored = const { O::DTYPE.index() == M::DTYPE.index() };
                // Without conversions there is one part.
                let most = const {
                    let mut all = O::DTYPE.index() == M::DTYPE.index();
                    let direct = [$(is_direct::<$reader::Item, X, M>() || $reader::STRIDE == 0),+];
                    let mut k = 0;
                    while k < $count {
                        all &= direct[k];
                        k += 1;
                    }
                    if all { usize::MAX } else { PART }
                };
                let mut blocks = [const { Block::new() }; $count];
                let (mut computed, mut narrow) = (Block::new(), Block::new());
                let room: [*mut M; $count] = [$(blocks[$i].pointer().cast()),+];
                // SAFETY: the caller promises as many inputs.
                let inputs: [*const u8; $count] = unsafe { [$(inputs.at($i)),+] };
                $(
                    if !each[$i] && !direct[$i] {
                        // SAFETY: the caller promises an element; the block has room.
                        unsafe { convert::<Semantics, $reader, X, M>(shared, inputs[$i], 0, 1, room[$i]) };
                    }
                )+
                let mut from = 0;
                while from < n {
                    let m = if n - from < most { n - from } else { most };
                    $(
                        if each[$i] && !direct[$i] {
                            // SAFETY: the caller promises `from + m` elements; the block has room for a part.
                            unsafe { convert::<Semantics, $reader, X, M>(shared, inputs[$i], from, m, room[$i]) };
                        }
                    )+
                    let sources: [*const M; $count] = [$(match (direct[$i], each[$i]) {
                        (false, _) => room[$i].cast_const(),
                        (true, true) => inputs[$i].cast::<M>().wrapping_add(from),
                        (true, false) => inputs[$i].cast(),
                    }),+];
                    let results = if stored { out[from..].as_mut_ptr().cast() } else { computed.pointer().cast::<M>() };
                    // SAFETY: every source has `m` numbers, of the input or in a block, or one; there is room
                    // for as many in `out` or in a block, and neither overlaps a source.
                    unsafe { vectors::<K, M, _, $count>(simd, each, sources, m, results) };
                    if !stored {
                        let regs = narrow.pointer().cast::<O::Reg>();
                        let mut i = 0;
                        while i < m {
                            // SAFETY: the body has written `m` numbers to its block, which has room for a
                            // part as the other has.
                            unsafe { regs.add(i).write(narrowed::<Semantics, M, O>(results.add(i).read())) };
                            i += 1;
                        }
                        // SAFETY: the loop has written `m` of them.
                        let regs = unsafe { core::slice::from_raw_parts(regs, m) };
                        O::store_block::<_, Semantics::Overflow>(shared, regs, &mut out[from..from + m]);
                    }
                    from += m;
                }
            }
        }
    };
}

macro_rules! call_simd {
    ($count:literal: $($ty:ident $i:tt)+) => {
        impl<K, X, M, O, Semantics, $($ty),+> CallFused<Vectors<K>, X, M, O, Semantics> for ($($ty,)+)
        where
            K: SimdBody<M, $count>,
            X: Element<Reg: Convert<M>>,
            M: SimdNumber + Convert<O::Reg>,
            O: Element,
            Semantics: KernelType,
            $($ty: KernelInput<Item: ConvertTo<X>>,)+
        {
            fn call_fused<S: Levels>(self, out: &mut [O]) -> Result<(), CallError> {
                let raw = const { &plain::<S, SimdMap<K, ($($ty::Reader,)+), X, M, O, Semantics>>(true) };
                // SAFETY: the functions take inputs of these types and give `O`; a `KernelInput` points to as
                // many elements as it says, or to one, which its reader broadcasts.
                unsafe { call_loop(raw, [$((self.$i.pointer(), self.$i.len(), size_of::<$ty::Item>())),+], out) }
            }
        }
    };
}

simd_map! { 1: A 0 }
simd_map! { 2: A 0 B 1 }
simd_map! { 3: A 0 B 1 C 2 }
simd_map! { 4: A 0 B 1 C 2 D 3 }

call_simd! { 1: A 0 }
call_simd! { 2: A 0 B 1 }
call_simd! { 3: A 0 B 1 C 2 }
call_simd! { 4: A 0 B 1 C 2 D 3 }
