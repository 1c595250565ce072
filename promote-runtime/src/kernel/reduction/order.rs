//! The greatest and the least element, their positions, and the predicates `any` and `all`.
//!
//! Elements are compared as integers, their keys, which have the order of the dtype: -0 is less than +0, and
//! NaN is greatest. For the least element all bits of the keys are flipped. So every search is for the
//! greatest key, whose result does not depend on the order of elements. `any` is the greatest of keys 0 and
//! 1, `all` the least.

use core::marker::PhantomData;

use super::fold::{Fold, Pass, Rows, STATES, by_rows, filled};
use crate::each;
use crate::level::Lanes;
use crate::memory::block::Block;

/// Elements in memory and their keys.
pub(super) trait Keyed: 'static {
    type Item: Copy + 'static;
    type Key: Ord + Copy + Send + 'static;
    type Value: Copy + 'static;
    const LEAST: Self::Key;

    fn key(item: Self::Item, pass: &Pass) -> Self::Key;

    /// Returns the key that is compared for a position: -0 has that of +0, so that the first zero is found.
    #[inline(always)]
    fn for_position(key: Self::Key, _pass: &Pass) -> Self::Key {
        key
    }

    /// Returns the greatest key of some elements, or [`Keyed::LEAST`].
    #[inline(always)]
    fn greatest(items: &[Self::Item], pass: &Pass) -> Self::Key {
        items.iter().fold(Self::LEAST, |most, item| most.max(Self::key(*item, pass)))
    }

    /// Returns the element of a key; a NaN for that of NaN.
    fn value(key: Self::Key, pass: &Pass) -> Self::Value;
}

/// Integers of a width. `flip` has the sign bit of those without a sign.
pub(super) struct Int<W>(PhantomData<W>);
/// Floats of a width. Without the sign, those above `mask`, the bits of infinity, are NaN.
pub(super) struct Float<W>(PhantomData<W>);
/// Complex numbers of such parts, ordered by the real part first. A number with a NaN is NaN.
pub(super) struct Pair<W>(PhantomData<W>);
/// Elements of which those with a bit of `mask` are true.
pub(super) struct NonZero<W>(PhantomData<W>);

macro_rules! widths {
    ($($width:ident)*) => {$(
        impl Keyed for Int<$width> {
            type Item = $width;
            type Key = $width;
            type Value = $width;
            const LEAST: $width = $width::MIN;

            #[inline(always)]
            fn key(item: $width, pass: &Pass) -> $width {
                item ^ pass.flip as $width
            }

            #[inline(always)]
            fn value(key: $width, pass: &Pass) -> $width {
                key ^ pass.flip as $width
            }
        }

        impl Keyed for Float<$width> {
            type Item = $width;
            type Key = $width;
            type Value = $width;
            const LEAST: $width = $width::MIN;

            #[inline(always)]
            fn key(item: $width, pass: &Pass) -> $width {
                let ordered = item ^ ((item >> ($width::BITS - 1)) & $width::MAX);
                let nan = $width::from(item & $width::MAX > pass.mask as $width).wrapping_neg();
                // A selection becomes a branch where the key is compared.
                ((ordered ^ pass.flip as $width) & !nan) | (nan & $width::MAX)
            }

            #[inline(always)]
            fn for_position(key: $width, pass: &Pass) -> $width {
                let flip = pass.flip as $width;
                // In order, -0 is right before +0.
                let ordered = key ^ flip;
                (ordered + $width::from(ordered == -1)) ^ flip
            }

            #[inline(always)]
            fn greatest(items: &[$width], pass: &Pass) -> $width {
                // Two plain maxima are vector code, and one of keys is not.
                let (mut most, mut magnitude) = ($width::MIN, 0);
                for item in items {
                    let ordered = item ^ ((item >> ($width::BITS - 1)) & $width::MAX);
                    most = most.max(ordered ^ pass.flip as $width);
                    magnitude = magnitude.max(item & $width::MAX);
                }
                if magnitude > pass.mask as $width { $width::MAX } else { most }
            }

            #[inline(always)]
            fn value(key: $width, pass: &Pass) -> $width {
                let ordered = key ^ pass.flip as $width;
                ordered ^ ((ordered >> ($width::BITS - 1)) & $width::MAX)
            }
        }

        impl Keyed for Pair<$width> {
            type Item = [$width; 2];
            type Key = ($width, $width);
            type Value = [$width; 2];
            const LEAST: ($width, $width) = ($width::MIN, $width::MIN);

            #[inline(always)]
            fn key([re, im]: [$width; 2], pass: &Pass) -> ($width, $width) {
                let (re, im) = (Float::<$width>::key(re, pass), Float::<$width>::key(im, pass));
                let nan = re == $width::MAX || im == $width::MAX;
                if nan { ($width::MAX, $width::MAX) } else { (re, im) }
            }

            #[inline(always)]
            fn for_position((re, im): ($width, $width), pass: &Pass) -> ($width, $width) {
                (Float::<$width>::for_position(re, pass), Float::<$width>::for_position(im, pass))
            }

            #[inline(always)]
            fn value((re, im): ($width, $width), pass: &Pass) -> [$width; 2] {
                [Float::<$width>::value(re, pass), Float::<$width>::value(im, pass)]
            }
        }

        impl Word for $width {
            #[inline(always)]
            fn is_nonzero(self, mask: u64) -> bool {
                self & mask as $width != 0
            }
        }
    )*};
}

widths!(i8 i16 i32 i64);

/// An element as bits.
pub(super) trait Word: Copy + 'static {
    /// Returns true if a bit of the mask is set; the mask of complex numbers is that of a part.
    fn is_nonzero(self, mask: u64) -> bool;
}

impl<W: Word> Word for [W; 2] {
    #[inline(always)]
    fn is_nonzero(self, mask: u64) -> bool {
        self[0].is_nonzero(mask) | self[1].is_nonzero(mask)
    }
}

impl<W: Word> Keyed for NonZero<W> {
    type Item = W;
    type Key = u8;
    type Value = u8;
    const LEAST: u8 = 0;

    #[inline(always)]
    fn key(item: W, pass: &Pass) -> u8 {
        u8::from(item.is_nonzero(pass.mask)) ^ pass.flip as u8
    }

    #[inline(always)]
    fn greatest(items: &[W], pass: &Pass) -> u8 {
        let mut most = Self::LEAST;
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
    const START: K::Key = K::LEAST;

    #[inline(always)]
    fn run<L: Lanes>(_: L, items: &[K::Item], pass: &Pass, state: &mut K::Key) {
        *state = K::greatest(items, pass).max(*state);
    }

    #[inline(always)]
    fn rows<L: Lanes>(_: L, rows: &Rows<'_, K::Item>, pass: &Pass, states: &mut [K::Key]) {
        let step = |most: K::Key, item| most.max(K::key(item, pass));
        by_rows::<false, _, _, _>(rows, states, K::LEAST, step, |state, most| *state = most.max(*state));
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
pub(super) struct Found<T> {
    key: T,
    index: u64,
}

/// The index of the first element with the greatest key, where both zeros have one.
pub(super) struct Position<K>(PhantomData<K>);

impl<K: Keyed> Fold for Position<K> {
    type Item = K::Item;
    type State = Found<K::Key>;
    type Value = i64;
    const START: Found<K::Key> = Found { key: K::LEAST, index: u64::MAX };

    #[inline(always)]
    fn run<L: Lanes>(_: L, items: &[K::Item], pass: &Pass, state: &mut Found<K::Key>) {
        /// A block is searched for the position only if it has a greater key.
        const BLOCK: usize = 1024;
        for (i, block) in items.chunks(BLOCK).enumerate() {
            let key = K::for_position(K::greatest(block, pass), pass);
            let first = pass.index + (i * BLOCK) as u64 * pass.step;
            if key > state.key || key == state.key && first < state.index {
                let is_it = |item: &K::Item| K::for_position(K::key(*item, pass), pass) == key;
                let within = block.iter().position(is_it).unwrap_or(0);
                *state = Self::merge(*state, Found { key, index: first + within as u64 * pass.step });
            }
        }
    }

    #[inline(always)]
    fn rows<L: Lanes>(_: L, rows: &Rows<'_, K::Item>, pass: &Pass, states: &mut [Found<K::Key>]) {
        /// The index of one of so many rows has 32 bits.
        const MANY: usize = 1 << 30;
        const { assert!(size_of::<K::Key>() <= size_of::<Found<K::Key>>()) };
        let (mut room, mut numbers) = (Block::<STATES>::new(), Block::<{ STATES / 4 }>::new());
        let keys = filled(&mut room, states.len(), K::LEAST);
        let positions = filled(&mut numbers, states.len(), 0_u32);
        for from in (0..rows.len()).step_by(MANY) {
            each::fill(keys, K::LEAST);
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
                states[i] = Self::merge(states[i], Found { key: keys[i], index });
            }
        }
    }

    #[inline(always)]
    fn merge(state: Found<K::Key>, other: Found<K::Key>) -> Found<K::Key> {
        let is_first = other.key > state.key || (other.key == state.key && other.index < state.index);
        if is_first { other } else { state }
    }

    fn value(state: Found<K::Key>, _: &Pass) -> i64 {
        state.index as i64
    }
}
