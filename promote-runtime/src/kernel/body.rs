//! The bodies: what is compiled for each pair of dtypes and each level.
//!
//! The idea is a plain loop: load both operands, convert each to the common dtype, compute, store. The deviations:
//! 1. The loop runs in a function of its own over slices ([`Lanes::over`]), so that LLVM knows that `out` overlaps nothing.
//! 2. Where storing in blocks is much faster (f16, c32), results are computed into a block and narrowed together.
//! 3. Where an op has a quicker form for usual operands, each block of operands is asked whether all of them are.
//! 4. Where an op is a long chain of steps, several lanes take each step together.
//! 5. Where an op changes the sign alone, and the format is narrow, the bits are changed in memory form.
//! 6. Where some operands are an error of the whole call, all of them are looked at first; with no `out`, nothing else is done.

#![allow(
    clippy::needless_range_loop,
    reason = "LLVM sees the bounds of three slices as one only in this form"
)]

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::{BitAnd, BitXor, Not};

use num_complex::Complex;

use super::block;
use super::ops::steps::Stepped;
use super::ops::{BATCH, Binary, ComputeIn, Extended, Lane as _, SignStep, Trap, Unary};
use super::target::{Body, Target};
use super::{RawKernel, Status};
use crate::convert::{Convert, ConvertTo, Nan, Overflow};
use crate::element::{Element, Register};
use crate::level::Lanes;

/// A block of results: 512 lanes of `f32`, below what a stack probe costs.
type Block = block::Block<2048>;

/// How many operands are asked at once whether all of them are usual.
const ASKED: usize = 512;

/// `K` on elements of `A` and `B` converted to `C`, stored as `O`.
pub(super) struct Fused<K, A, B, C, O>(PhantomData<(K, A, B, C, O)>);

/// `K` on elements of `A` converted to `C`, stored as `O`.
pub(super) struct FusedUnary<K, A, C, O>(PhantomData<(K, A, C, O)>);

/// `K` on elements of the narrow float `T`, each step rounded to it.
pub(super) struct Rounded<K, T>(PhantomData<(K, T)>);

/// As [`Rounded`], of one operand.
pub(super) struct RoundedUnary<K, T>(PhantomData<(K, T)>);

/// `K` on elements of `T` and `N` more inputs of it, in the form in which it computes in `T`.
pub(super) struct WithExtras<K, T, const N: usize>(PhantomData<(K, T)>);

/// `B`, which computes with `N` inputs of c128, on as many of c64; it gives a c128, which is rounded to a c64.
///
/// `B` is entered by its door, and so compiled once for both dtypes.
pub(super) struct Widened<B, const N: usize>(PhantomData<B>);

/// An element of `A` where the condition, the third input, holds, else one of `B`; converted to `C`.
pub(super) struct Chosen<W, A, B, C>(PhantomData<(W, A, B, C)>);

/// As [`Chosen`], of two inputs of one type: their bits.
pub(super) struct ChosenSame<T>(PhantomData<T>);

/// Elements of `A` converted to `C`; overflow of f8e4m3fn as `W` says.
pub(super) struct CastTo<W, A, C>(PhantomData<(W, A, C)>);

/// Elements of `A`, which are floats or complex numbers, as integers of `C`, as an x86-64 processor has it.
pub(super) struct CastByInstruction<const CLAMPED: bool, A, C>(PhantomData<(A, C)>);

/// The elements of input `i`.
///
/// # Safety
///
/// `inputs` points to more than `i` pointers; that one points to `n` elements of `A`'s dtype, aligned and initialised, which nobody
/// changes during `'a`.
#[inline(always)]
pub(super) unsafe fn input<'a, A: Element>(inputs: *const *const u8, i: usize, n: usize) -> &'a [A::Repr] {
    // SAFETY: the caller promises as many inputs.
    let pointer = unsafe { inputs.add(i).read() };
    // SAFETY: it points to `n` initialised elements of `A`'s dtype, aligned for `A` as for every type of the dtype; every
    // bit pattern is a valid `Repr`.
    unsafe { core::slice::from_raw_parts(pointer.cast::<A::Repr>(), n) }
}

/// The room for the results.
///
/// # Safety
///
/// `out` points to room for `n` aligned elements of `O`'s dtype, which overlaps no input.
#[inline(always)]
unsafe fn output<'a, O: Element>(out: *mut u8, n: usize) -> &'a mut [MaybeUninit<O::Repr>] {
    // SAFETY: as the caller promises; what is there need not be initialised.
    unsafe { core::slice::from_raw_parts_mut(out.cast::<MaybeUninit<O::Repr>>(), n) }
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

impl<K, A, B, C, O> Body for Fused<K, A, B, C, O>
where
    K: Binary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element,
    O: Element,
{
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller promises two inputs of these dtypes.
        let (a, b) = unsafe { (input::<A>(inputs, 0, n), input::<B>(inputs, 1, n)) };
        let convert = |a: A::Repr, b: B::Repr| {
            let a = <A as ConvertTo<C>>::convert_to::<L, K::Overflow>(lanes, a);
            let b = <B as ConvertTo<C>>::convert_to::<L, K::Overflow>(lanes, b);
            (a, b)
        };
        if let Some(trap) = K::TRAP {
            let mut found = false;
            for i in 0..n {
                let (a, b) = convert(a[i], b[i]);
                found |= K::traps(a, b);
            }
            if found {
                return trap.status();
            }
            if out.is_null() {
                return Status::Done;
            }
        }
        // SAFETY: the caller promises room for `n` results that overlap no input.
        let out = unsafe { output::<O>(out, n) };
        if K::QUICK {
            lanes.over(a, b, out, |lanes, a, b, out| {
                quick::<L, K::Overflow, O, _, _>(
                    lanes,
                    K::RARE,
                    out,
                    |from, m| {
                        let (a, b) = (&a[from..from + m], &b[from..from + m]);
                        move |i: usize| convert(a[i], b[i])
                    },
                    |(a, b)| K::usual(a, b),
                    |(a, b)| K::quick(lanes, a, b),
                    (K::BATCHES, |pairs| K::batch(lanes, pairs)),
                    |(a, b)| K::apply(lanes, a, b),
                );
            });
        } else {
            lanes.over(a, b, out, |lanes, a, b, out| {
                let lanes_of = |from: usize, n: usize| {
                    let (a, b) = (&a[from..from + n], &b[from..from + n]);
                    move |i: usize| {
                        let (a, b) = convert(a[i], b[i]);
                        K::apply(lanes, a, b)
                    }
                };
                store::<L, K::Overflow, O, _>(lanes, lanes_of, out);
            });
        }
        Status::Done
    }
}

impl<K, A, C, O> Body for FusedUnary<K, A, C, O>
where
    K: Unary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    C: Element,
    O: Element,
{
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        if let (Some(step), true) = (K::SIGN, A::NARROW && A::DTYPE == O::DTYPE) {
            // The sign of every narrow float is its highest bit.
            match size_of::<A::Repr>() {
                // SAFETY: the caller promises an input and an output of this dtype, whose elements are as large.
                1 => return unsafe { signs(lanes, n, inputs, out, step, 0x80_u8) },
                // SAFETY: as above.
                2 => return unsafe { signs(lanes, n, inputs, out, step, 0x8000_u16) },
                _ => {}
            }
        }
        let convert = |a: A::Repr| <A as ConvertTo<C>>::convert_to::<L, K::Overflow>(lanes, a);
        if !K::QUICK {
            let lane = |a| K::apply(lanes, convert(a));
            // SAFETY: the caller promises the same.
            return unsafe { each::<L, K::Overflow, A, O>(lanes, n, inputs, out, lane) };
        }
        // SAFETY: the caller promises one input of this dtype.
        let a = unsafe { input::<A>(inputs, 0, n) };
        // SAFETY: the caller promises room for `n` results that overlap no input.
        let out = unsafe { output::<O>(out, n) };
        lanes.over(a, &[(); 0], out, |lanes, a, _, out| {
            quick::<L, K::Overflow, O, _, _>(
                lanes,
                K::RARE,
                out,
                |from, m| {
                    let a = &a[from..from + m];
                    move |i: usize| convert(a[i])
                },
                K::usual,
                |a| K::quick(lanes, a),
                (K::BATCHES, |a| K::batch(lanes, a)),
                |a| K::apply(lanes, a),
            );
        });
        Status::Done
    }
}

impl<K, T> Body for Rounded<K, T>
where
    K: Binary<Stepped<T>, Out = Stepped<T>>,
    T: Element<Reg = f32>,
{
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller promises two inputs of this dtype.
        let (a, b) = unsafe { (input::<T>(inputs, 0, n), input::<T>(inputs, 1, n)) };
        // SAFETY: the caller promises room for `n` results that overlap no input.
        let out = unsafe { output::<T>(out, n) };
        lanes.over(a, b, out, |lanes, a, b, out| {
            let lanes_of = |from: usize, n: usize| {
                let (a, b) = (&a[from..from + n], &b[from..from + n]);
                let lane = move |x| Stepped::exact(T::load(lanes, x));
                move |i: usize| K::apply(lanes, lane(a[i]), lane(b[i])).get()
            };
            store::<L, K::Overflow, T, _>(lanes, lanes_of, out);
        });
        Status::Done
    }
}

impl<K, T> Body for RoundedUnary<K, T>
where
    K: Unary<Stepped<T>, Out = Stepped<T>>,
    T: Element<Reg = f32>,
{
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        let lane = |a| K::apply(lanes, Stepped::exact(T::load(lanes, a))).get();
        // SAFETY: the caller promises the same.
        unsafe { each::<L, K::Overflow, T, T>(lanes, n, inputs, out, lane) }
    }
}

impl<K, T, const N: usize> Body for WithExtras<K, T, N>
where
    K: Extended<T::Lane, N>,
    T: ComputeIn,
{
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller promises two inputs of this dtype.
        let (a, b) = unsafe { (input::<T>(inputs, 0, n), input::<T>(inputs, 1, n)) };
        // SAFETY: and `N` more of it.
        let extras: [&[T::Repr]; N] = core::array::from_fn(|k| unsafe { input::<T>(inputs, 2 + k, n) });
        let lane = move |x: T::Repr| T::Lane::of_reg(T::load(lanes, x));
        if let Some(trap) = K::TRAP {
            let mut found = false;
            for i in 0..n {
                found |= K::traps(lane(a[i]), lane(b[i]));
            }
            if found {
                return trap.status();
            }
            if out.is_null() {
                return Status::Done;
            }
        }
        // SAFETY: the caller promises room for `n` results that overlap no input.
        let out = unsafe { output::<T>(out, n) };
        lanes.over(a, b, out, |lanes, a, b, out| {
            let lanes_of = |from: usize, n: usize| {
                let (a, b) = (&a[from..from + n], &b[from..from + n]);
                let extras = extras.map(|extra| &extra[from..from + n]);
                move |i: usize| {
                    let extras = extras.map(|extra| lane(extra[i]));
                    K::apply(lanes, K::OP.words(), lane(a[i]), lane(b[i]), extras).reg()
                }
            };
            store::<L, K::Overflow, T, _>(lanes, lanes_of, out);
        });
        Status::Done
    }
}

impl<B: Body, const N: usize> Body for Widened<B, N> {
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        type Narrow = Complex<f32>;
        type Wide = Complex<f64>;
        const LANES: usize = 2048 / size_of::<Wide>();
        let mut operands = [const { block::Block::<2048>::new() }; N];
        let mut results = block::Block::<2048>::new();
        // Through a pointer that LLVM does not know: inlined here, the body would have two callers, and then LLVM inlines its loops
        // in neither, where they lack the instructions of the level. (rustc 1.95 drops `inline(never)` beside `target_feature`.)
        let enter = core::hint::black_box(L::enter::<B> as RawKernel);
        let mut done = 0;
        while done < n {
            let m = if n - done < LANES { n - done } else { LANES };
            let mut pointers = [core::ptr::null::<u8>(); N];
            for i in 0..N {
                // SAFETY: the caller promises `N` inputs of `n` elements, so as many from `done` on.
                let from = unsafe { inputs.add(i).read().add(done * size_of::<Narrow>()) };
                // SAFETY: `from` points to `m` elements, and the block has room for as many wide ones.
                unsafe { CastTo::<Nan, Narrow, Wide>::run(lanes, m, &raw const from, operands[i].pointer()) };
                pointers[i] = operands[i].pointer();
            }
            // SAFETY: a value of `L` exists, so the machine has the level; the blocks hold `m` elements each, which the casts have
            // written, and the last has room for as many results.
            unsafe { enter(m, pointers.as_ptr(), results.pointer()) };
            let from = results.pointer().cast_const();
            // SAFETY: there is room for `n` elements, so for `m` from `done` on.
            let to = unsafe { out.add(done * size_of::<Narrow>()) };
            // SAFETY: `m` results stand in the block, and `to` has room for as many.
            unsafe { CastTo::<Nan, Wide, Narrow>::run(lanes, m, &raw const from, to) };
            done += m;
        }
        Status::Done
    }
}

impl<W, A, B, C> Body for Chosen<W, A, B, C>
where
    W: Overflow,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element,
{
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller promises two inputs of these dtypes.
        let (a, b) = unsafe { (input::<A>(inputs, 0, n), input::<B>(inputs, 1, n)) };
        // SAFETY: and a third one of bools.
        let condition = unsafe { input::<bool>(inputs, 2, n) };
        // SAFETY: the caller promises room for `n` results that overlap no input.
        let out = unsafe { output::<C>(out, n) };
        lanes.over(a, b, out, |lanes, a, b, out| {
            let lanes_of = |from: usize, n: usize| {
                let (a, b) = (&a[from..from + n], &b[from..from + n]);
                let condition = &condition[from..from + n];
                move |i: usize| {
                    let a = <A as ConvertTo<C>>::widen(lanes, a[i]);
                    let b = <B as ConvertTo<C>>::widen(lanes, b[i]);
                    if condition[i] != 0 { a } else { b }
                }
            };
            store::<L, W, C, _>(lanes, lanes_of, out);
        });
        Status::Done
    }
}

impl<T: Element> Body for ChosenSame<T> {
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller promises two inputs of this dtype.
        let (a, b) = unsafe { (input::<T>(inputs, 0, n), input::<T>(inputs, 1, n)) };
        // SAFETY: and a third one of bools.
        let condition = unsafe { input::<bool>(inputs, 2, n) };
        // SAFETY: the caller promises room for `n` results that overlap no input.
        let out = unsafe { output::<T>(out, n) };
        lanes.over(a, b, out, |_, a, b, out| {
            let n = out.len();
            let (a, b, condition) = (&a[..n], &b[..n], &condition[..n]);
            for i in 0..n {
                // Not `if`: LLVM would read one of the two under a branch, and make no vector code of the loop.
                out[i].write(core::hint::select_unpredictable(condition[i] != 0, a[i], b[i]));
            }
        });
        Status::Done
    }
}

impl<W, A, C> Body for CastTo<W, A, C>
where
    W: Overflow,
    A: ConvertTo<C>,
    C: Element,
{
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        let lane = |a| <A as ConvertTo<C>>::widen(lanes, a);
        // SAFETY: the caller promises the same.
        unsafe { each::<L, W, A, C>(lanes, n, inputs, out, lane) }
    }
}

impl<const CLAMPED: bool, A, C> Body for CastByInstruction<CLAMPED, A, C>
where
    A: Element<Reg: Convert<C>>,
    C: Register,
{
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        let lane = |a| A::load(lanes, a).convert_by_instruction(CLAMPED);
        // SAFETY: the caller promises the same.
        unsafe { each::<L, Nan, A, C>(lanes, n, inputs, out, lane) }
    }
}

/// Stores what `lane` makes of each element of the one input.
///
/// # Safety
///
/// As [`Body::run`], of a body with an input of `A` and an output of `O`; `out` is not null.
#[inline(always)]
unsafe fn each<L, W, A, O>(
    lanes: L,
    n: usize,
    inputs: *const *const u8,
    out: *mut u8,
    lane: impl Fn(A::Repr) -> O::Reg,
) -> Status
where
    L: Lanes,
    W: Overflow,
    A: Element,
    O: Element,
{
    // SAFETY: the caller promises one input of this dtype.
    let a = unsafe { input::<A>(inputs, 0, n) };
    // SAFETY: the caller promises room for `n` results that overlap no input.
    let out = unsafe { output::<O>(out, n) };
    lanes.over(a, &[(); 0], out, |lanes, a, _, out| {
        let lanes_of = |from: usize, n: usize| {
            let (a, lane) = (&a[from..from + n], &lane);
            move |i: usize| lane(a[i])
        };
        store::<L, W, O, _>(lanes, lanes_of, out);
    });
    Status::Done
}

/// Stores the elements of the one input, the bit `sign` of each turned or cleared.
///
/// # Safety
///
/// As [`Body::run`], of a body with an input and an output whose elements are integers `T` or have their size and alignment;
/// `out` is not null.
#[inline(always)]
unsafe fn signs<L, T>(
    lanes: L,
    n: usize,
    inputs: *const *const u8,
    out: *mut u8,
    step: SignStep,
    sign: T,
) -> Status
where
    L: Lanes,
    T: Register + BitXor<Output = T> + BitAnd<Output = T> + Not<Output = T>,
{
    // SAFETY: the caller promises one input of such elements.
    let a = unsafe { input::<T>(inputs, 0, n) };
    // SAFETY: the caller promises room for `n` such results that overlap no input.
    let out = unsafe { output::<T>(out, n) };
    lanes.over(a, &[(); 0], out, |_, a, _, out| {
        let n = out.len();
        let a = &a[..n];
        for i in 0..n {
            let a = T::from_repr(a[i]);
            let bits = match step {
                SignStep::Turned => a ^ sign,
                SignStep::Cleared => a & !sign,
            };
            out[i].write(bits.to_repr());
        }
    });
    Status::Done
}

/// Stores what the lanes give for each place of `out`, rounded once.
///
/// `lanes_of(from, n)` gives the lanes of a part: it cuts its inputs to that part, so that LLVM knows all bounds to be one.
/// The loops run over indices for the same reason.
#[inline(always)]
fn store<L, W, O, F>(lanes: L, lanes_of: impl Fn(usize, usize) -> F, out: &mut [MaybeUninit<O::Repr>])
where
    L: Lanes,
    W: Overflow,
    O: Element,
    F: Fn(usize) -> O::Reg,
{
    let n = out.len();
    if !O::STORE_IN_BLOCKS {
        let lane = lanes_of(0, n);
        for i in 0..n {
            out[i].write(O::store::<L, W>(lanes, lane(i)));
        }
        return;
    }
    let mut block = Block::new();
    let regs = block.room::<O::Reg>();
    let mut done = 0;
    while done < n {
        let m = if n - done < regs.len() { n - done } else { regs.len() };
        let lane = lanes_of(done, m);
        let regs = fill(&mut regs[..m], lane);
        O::store_block::<L, W>(lanes, regs, &mut out[done..done + m]);
        done += m;
    }
}

/// Writes what `lane` gives for each place.
#[inline(always)]
fn fill<T>(room: &mut [MaybeUninit<T>], lane: impl Fn(usize) -> T) -> &[T] {
    for i in 0..room.len() {
        room[i].write(lane(i));
    }
    // SAFETY: the loop has written each of them.
    unsafe { &*(core::ptr::from_ref::<[MaybeUninit<T>]>(room) as *const [T]) }
}

/// As [`store`], by the quicker of two forms wherever all operands of a block are usual; where these are `rare`, everywhere else too, and then
/// each that is not is computed again.
///
/// Whole blocks go in batches where that is faster. `operands(from, n)` gives the operands of a part, as `lanes_of` of [`store`] the lanes.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "each of them is one way in which ops differ")]
fn quick<L, W, O, T, F>(
    lanes: L,
    rare: bool,
    out: &mut [MaybeUninit<O::Repr>],
    operands: impl Fn(usize, usize) -> F,
    usual: impl Fn(T) -> bool,
    quick: impl Fn(T) -> O::Reg,
    (batches, batch): (bool, impl Fn([T; BATCH]) -> [O::Reg; BATCH]),
    full: impl Fn(T) -> O::Reg,
) where
    L: Lanes,
    W: Overflow,
    O: Element,
    T: Copy,
    F: Fn(usize) -> T,
{
    let n = out.len();
    let mut done = 0;
    while done < n {
        let m = if n - done < ASKED { n - done } else { ASKED };
        let operand = operands(done, m);
        let mut all = true;
        for i in 0..m {
            all &= usual(operand(i));
        }
        let out = &mut out[done..done + m];
        // At the scalar level a step is a call, and nothing stands side by side.
        if batches && L::FMA && !O::STORE_IN_BLOCKS && m == ASKED && (all || rare) {
            const APART: usize = ASKED / BATCH;
            let (operand, out) = (operands(done, ASKED), &mut out[..ASKED]);
            for i in 0..APART {
                let of = [operand(i), operand(i + APART), operand(i + 2 * APART), operand(i + 3 * APART)];
                let results = batch(of);
                for k in 0..BATCH {
                    out[i + k * APART].write(O::store::<L, W>(lanes, results[k]));
                }
            }
        } else if all || rare {
            let lanes_of = |from: usize, n: usize| {
                let operand = operands(done + from, n);
                let quick = &quick;
                move |i: usize| quick(operand(i))
            };
            store::<L, W, O, _>(lanes, lanes_of, out);
        } else {
            let lanes_of = |from: usize, n: usize| {
                let operand = operands(done + from, n);
                let full = &full;
                move |i: usize| full(operand(i))
            };
            store::<L, W, O, _>(lanes, lanes_of, out);
        }
        if rare && !all {
            for i in 0..m {
                let operands = operand(i);
                if !usual(operands) {
                    out[i].write(O::store::<L, W>(lanes, full(operands)));
                }
            }
        }
        done += m;
    }
}
