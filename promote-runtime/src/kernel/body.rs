//! The bodies: what is compiled for each pair of dtypes and each level.
//!
//! The idea is a plain loop: load both operands, convert each to the common dtype, compute, store. The deviations:
//! 1. The loop runs in a function of its own over slices ([`Lanes::over`]), so that LLVM knows that `out` overlaps nothing.
//! 2. Where storing in blocks is much faster (f16, c32), results are computed into a block and narrowed together.

#![allow(
    clippy::needless_range_loop,
    reason = "LLVM sees the bounds of three slices as one only in this form"
)]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::Status;
use super::ops::{Binary, KernelType};
use super::target::Body;
use crate::convert::{ConvertTo, Overflow};
use crate::element::Element;
use crate::level::Lanes;

/// A block of results: 512 lanes of `f32`, below what a stack probe costs.
type Block = super::block::Block<2048>;

/// `K` on elements of `A` and `B` converted to `C`, stored as `O`.
pub(super) struct Fused<K, A, B, C, O>(PhantomData<(K, A, B, C, O)>);

/// Elements of `A` converted to `C`; overflow of f8e4m3fn as `W` says.
pub(super) struct CastTo<W, A, C>(PhantomData<(W, A, C)>);

impl<K, A, B, C, O> Body for Fused<K, A, B, C, O>
where
    K: Binary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element,
    O: Element,
{
    #[inline(always)]
    unsafe fn run<L: Lanes>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller promises two inputs.
        let pointer = unsafe { inputs.read() };
        // SAFETY: it points to `n` initialised elements of `A`'s dtype, aligned for `A` as for every type of the dtype; every
        // bit pattern is a valid `Repr`.
        let a = unsafe { core::slice::from_raw_parts(pointer.cast::<A::Repr>(), n) };
        // SAFETY: as above.
        let pointer = unsafe { inputs.add(1).read() };
        // SAFETY: as above, of `B`.
        let b = unsafe { core::slice::from_raw_parts(pointer.cast::<B::Repr>(), n) };
        // SAFETY: `out` points to room for `n` aligned elements of `O` and overlaps no input.
        let out = unsafe { core::slice::from_raw_parts_mut(out.cast::<MaybeUninit<O::Repr>>(), n) };
        lanes.over(a, b, out, |lanes, a, b, out| {
            let lanes_of = |from: usize, n: usize| {
                let (a, b) = (&a[from..from + n], &b[from..from + n]);
                move |i: usize| {
                    let a = <A as ConvertTo<C>>::convert_to::<L, K::Overflow>(lanes, a[i]);
                    let b = <B as ConvertTo<C>>::convert_to::<L, K::Overflow>(lanes, b[i]);
                    K::apply(a, b)
                }
            };
            store::<L, <K as KernelType>::Overflow, O, _>(lanes, lanes_of, out);
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
    unsafe fn run<L: Lanes>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller promises one input.
        let pointer = unsafe { inputs.read() };
        // SAFETY: it points to `n` initialised elements of `A`'s dtype, aligned for `A` as for every type of the dtype; every
        // bit pattern is a valid `Repr`.
        let a = unsafe { core::slice::from_raw_parts(pointer.cast::<A::Repr>(), n) };
        // SAFETY: `out` points to room for `n` aligned elements of `C` and overlaps no input.
        let out = unsafe { core::slice::from_raw_parts_mut(out.cast::<MaybeUninit<C::Repr>>(), n) };
        lanes.over(a, &[(); 0], out, |lanes, a, _, out| {
            let lanes_of = |from: usize, n: usize| {
                let a = &a[from..from + n];
                move |i: usize| <A as ConvertTo<C>>::widen(lanes, a[i])
            };
            store::<L, W, C, _>(lanes, lanes_of, out);
        });
        Status::Done
    }
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
        let regs = &mut regs[..m];
        let lane = lanes_of(done, m);
        for i in 0..m {
            regs[i].write(lane(i));
        }
        // SAFETY: the loop has written each of them.
        let regs = unsafe { &*(core::ptr::from_ref::<[MaybeUninit<O::Reg>]>(regs) as *const [O::Reg]) };
        O::store_block::<L, W>(lanes, regs, &mut out[done..done + m]);
        done += m;
    }
}
