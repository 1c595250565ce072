//! The greatest and the least element, their positions, and the predicates `any` and `all`.
//!
//! Elements are compared as integers, their keys, which have the order of the dtype: -0 is less than +0, and
//! NaN is greatest. For the least element all bits of the keys are flipped. So every search is for the
//! greatest key, whose result does not depend on the order of elements. `any` is the greatest of keys 0 and
//! 1, `all` the least.

use core::marker::PhantomData;

use num_traits::{AsPrimitive, Bounded, PrimInt};

use super::fold::{Fold, Pass, Rows, STATES, at_cache_line, by_rows, filled};
use crate::each;
use crate::level::Lanes;
use crate::memory::block::Block;

/// Elements in memory and their keys.
pub(super) trait Keyed: 'static {
    type Item: Copy + 'static;
    type Key: Ord + Copy + Bounded + Send + 'static;
    type Value: Copy + 'static;

    fn key(item: Self::Item, pass: &Pass) -> Self::Key;

    /// Returns the key that is compared for a position: -0 has that of +0, so that the first zero is found.
    #[inline(always)]
    fn for_position(key: Self::Key, _pass: &Pass) -> Self::Key {
        key
    }

    /// Returns the greatest key of some elements; of none, the least one.
    #[inline(always)]
    fn greatest(items: &[Self::Item], pass: &Pass) -> Self::Key {
        items.iter().fold(Self::Key::min_value(), |most, item| most.max(Self::key(*item, pass)))
    }

    /// Returns the element of a key; a NaN for that of NaN.
    fn value(key: Self::Key, pass: &Pass) -> Self::Value;
}

/// A signed integer of an element's width.
pub(super) trait Bits: PrimInt + Bounded + Send + 'static {
    /// Returns the lowest bits of a `flip`, a `mask` or a condition.
    fn low(bits: impl Into<u64>) -> Self;

    /// Turns the bits of a float into an integer of the same order, and back.
    #[inline(always)]
    fn reordered(self) -> Self {
        let sign = 8 * size_of::<Self>() - 1;
        self ^ ((self >> sign) & Self::max_value())
    }
}

impl<W: PrimInt + Send + 'static> Bits for W
where
    u64: AsPrimitive<W>,
{
    #[inline(always)]
    fn low(bits: impl Into<u64>) -> W {
        bits.into().as_()
    }
}

/// Integers of a width. `flip` has the sign bit of those without a sign.
pub(super) struct Int<W>(PhantomData<W>);

impl<W: Bits> Keyed for Int<W> {
    type Item = W;
    type Key = W;
    type Value = W;

    #[inline(always)]
    fn key(item: W, pass: &Pass) -> W {
        item ^ W::low(pass.flip)
    }

    #[inline(always)]
    fn value(key: W, pass: &Pass) -> W {
        key ^ W::low(pass.flip)
    }
}

/// Floats of a width. Without the sign, those above `mask`, the bits of infinity, are NaN.
pub(super) struct Float<W>(PhantomData<W>);

impl<W: Bits> Keyed for Float<W> {
    type Item = W;
    type Key = W;
    type Value = W;

    #[inline(always)]
    fn key(item: W, pass: &Pass) -> W {
        // All bits for NaN: a selection becomes a branch where the key is compared.
        let nan = W::zero() - W::low(item & W::max_value() > W::low(pass.mask));
        ((item.reordered() ^ W::low(pass.flip)) & !nan) | (nan & W::max_value())
    }

    #[inline(always)]
    fn for_position(key: W, pass: &Pass) -> W {
        let flip = W::low(pass.flip);
        // In order, -0 is right before +0.
        let ordered = key ^ flip;
        (ordered + W::low(ordered == !W::zero())) ^ flip
    }

    #[inline(always)]
    fn greatest(items: &[W], pass: &Pass) -> W {
        // Two plain maxima are vector code, and one of keys is not.
        let (mut most, mut magnitude) = (W::min_value(), W::zero());
        for item in items {
            most = most.max(item.reordered() ^ W::low(pass.flip));
            magnitude = magnitude.max(*item & W::max_value());
        }
        if magnitude > W::low(pass.mask) { W::max_value() } else { most }
    }

    #[inline(always)]
    fn value(key: W, pass: &Pass) -> W {
        (key ^ W::low(pass.flip)).reordered()
    }
}

/// Complex numbers of such parts, ordered by the real part first. A number with a NaN is NaN.
pub(super) struct Pair<W>(PhantomData<W>);

impl<W: Bits> Keyed for Pair<W> {
    type Item = [W; 2];
    type Key = (W, W);
    type Value = [W; 2];

    #[inline(always)]
    fn key([re, im]: [W; 2], pass: &Pass) -> (W, W) {
        let (re, im) = (Float::key(re, pass), Float::key(im, pass));
        let (nan, is_nan) = (W::max_value(), re == W::max_value() || im == W::max_value());
        if is_nan { (nan, nan) } else { (re, im) }
    }

    #[inline(always)]
    fn for_position((re, im): (W, W), pass: &Pass) -> (W, W) {
        (Float::for_position(re, pass), Float::for_position(im, pass))
    }

    #[inline(always)]
    fn value((re, im): (W, W), pass: &Pass) -> [W; 2] {
        [Float::value(re, pass), Float::value(im, pass)]
    }
}

/// Elements of so many parts. An element is true if one of its parts has a bit of `mask`.
pub(super) struct NonZero<W, const PARTS: usize>(PhantomData<W>);

impl<W: Bits, const PARTS: usize> Keyed for NonZero<W, PARTS> {
    type Item = [W; PARTS];
    type Key = u8;
    type Value = u8;

    #[inline(always)]
    fn key(item: [W; PARTS], pass: &Pass) -> u8 {
        let bits = item.iter().fold(W::zero(), |bits, part| bits | *part);
        u8::from(bits & W::low(pass.mask) != W::zero()) ^ pass.flip as u8
    }

    #[inline(always)]
    fn greatest(items: &[[W; PARTS]], pass: &Pass) -> u8 {
        let mut most = 0;
        for items in items.chunks(4096) {
            most = items.iter().fold(most, |most, item| most.max(Self::key(*item, pass)));
            // Nothing is greater, so the remainder need not be read.
            if most & 1 != 0 {
                break;
            }
        }
        most
    }

    #[inline(always)]
    fn value(key: u8, pass: &Pass) -> u8 {
        (key ^ pass.flip as u8) & 1
    }
}

/// The element with the greatest key.
pub(super) struct Extremum<K>(PhantomData<K>);

impl<K: Keyed> Fold for Extremum<K> {
    type Item = K::Item;
    type State = K::Key;
    type Value = K::Value;

    fn start() -> K::Key {
        K::Key::min_value()
    }

    #[inline(always)]
    fn run<L: Lanes>(_: L, items: &[K::Item], pass: &Pass, state: &mut K::Key) {
        for items in at_cache_line(items) {
            *state = K::greatest(items, pass).max(*state);
        }
    }

    #[inline(always)]
    fn rows<L: Lanes>(_: L, rows: &Rows<'_, K::Item>, pass: &Pass, states: &mut [K::Key]) {
        let step = |most: K::Key, item| most.max(K::key(item, pass));
        by_rows::<false, _, _, _>(rows, states, Self::start(), step, |state, most| *state = most.max(*state));
    }

    fn merge(state: K::Key, other: K::Key) -> K::Key {
        other.max(state)
    }

    fn value(state: K::Key, pass: &Pass) -> K::Value {
        K::value(state, pass)
    }
}

/// A key, and the lowest index at which it was found.
#[derive(Clone, Copy)]
pub(super) struct Best<T> {
    key: T,
    index: u64,
}

/// The index of the first element with the greatest key, where both zeros have one.
pub(super) struct Position<K>(PhantomData<K>);

impl<K: Keyed> Fold for Position<K> {
    type Item = K::Item;
    type State = Best<K::Key>;
    type Value = i64;

    fn start() -> Best<K::Key> {
        Best { key: K::Key::min_value(), index: u64::MAX }
    }

    #[inline(always)]
    fn run<L: Lanes>(_: L, items: &[K::Item], pass: &Pass, state: &mut Best<K::Key>) {
        /// A block is searched for the position only if it has a greater key.
        const BLOCK: usize = 1024;
        let mut from = 0;
        for block in at_cache_line(items).into_iter().flat_map(|items| items.chunks(BLOCK)) {
            let key = K::for_position(K::greatest(block, pass), pass);
            let first = pass.index + from as u64 * pass.step;
            from += block.len();
            if key > state.key || key == state.key && first < state.index {
                let is_it = |item: &K::Item| K::for_position(K::key(*item, pass), pass) == key;
                let within = block.iter().position(is_it).unwrap_or(0);
                *state = Self::merge(*state, Best { key, index: first + within as u64 * pass.step });
            }
        }
    }

    #[inline(always)]
    fn rows<L: Lanes>(_: L, rows: &Rows<'_, K::Item>, pass: &Pass, states: &mut [Best<K::Key>]) {
        /// The index of one of so many rows has 32 bits.
        const MANY: usize = 1 << 30;
        const { assert!(size_of::<K::Key>() <= size_of::<Best<K::Key>>()) };
        let (mut room, mut numbers) = (Block::<STATES>::new(), Block::<{ STATES / 4 }>::new());
        let least = K::Key::min_value();
        let keys = filled(&mut room, states.len(), least);
        let positions = filled(&mut numbers, states.len(), 0_u32);
        for from in (0..rows.len()).step_by(MANY) {
            each::fill(keys, least);
            each::fill(positions, 0);
            let to = rows.len().min(from + MANY);
            for row in from..to {
                let items = &rows.get(row)[..keys.len()];
                for i in 0..keys.len() {
                    let found = K::for_position(K::key(items[i], pass), pass);
                    positions[i] = if found > keys[i] { (row - from) as u32 } else { positions[i] };
                    keys[i] = found.max(keys[i]);
                }
            }
            for i in 0..keys.len() {
                let index = pass.index + (from as u64 + u64::from(positions[i])) * pass.step;
                states[i] = Self::merge(states[i], Best { key: keys[i], index });
            }
        }
    }

    #[inline(always)]
    fn merge(state: Best<K::Key>, other: Best<K::Key>) -> Best<K::Key> {
        let is_first = other.key > state.key || (other.key == state.key && other.index < state.index);
        if is_first { other } else { state }
    }

    fn value(state: Best<K::Key>, _: &Pass) -> i64 {
        state.index as i64
    }
}
