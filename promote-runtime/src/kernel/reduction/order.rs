//! The greatest and the least element, and where they are.
//!
//! Elements are compared as integers, their keys: in the order of the dtype, -0 before +0, NaN above all; the
//! keys of the least element's search have all bits turned, so that it is a search for the greatest too. Such
//! a search gives the same in any order.

use core::marker::PhantomData;

use super::fold::{Fold, Pass, Rows, STATES, Stepped, by_rows, filled};
use crate::each;
use crate::level::Lanes;
use crate::memory::block::Block;

/// Elements in memory and their keys.
pub(super) trait Keyed: 'static {
    type Item: Copy + 'static;
    type Key: Ord + Copy + Send + 'static;
    const LEAST: Self::Key;

    fn key(item: Self::Item, pass: &Pass) -> Self::Key;

    /// The key under which it is looked for where only its place counts: of both zeros that of +0, for then
    /// the first of them is the one.
    #[inline(always)]
    fn of_place(key: Self::Key, _pass: &Pass) -> Self::Key {
        key
    }

    /// The greatest key of some elements, or [`Keyed::LEAST`].
    #[inline(always)]
    fn greatest(items: &[Self::Item], pass: &Pass) -> Self::Key {
        items.iter().fold(Self::LEAST, |most, item| most.max(Self::key(*item, pass)))
    }

    /// The element of a key; of that of NaN, a NaN.
    fn item(key: Self::Key, pass: &Pass) -> Self::Item;
}

/// Integers of a width: `flip` turns the highest bit of those without a sign.
pub(super) struct Int<W>(PhantomData<W>);
/// Floats of a width, of which those with more `bits` than infinity, the sign aside, are NaN.
pub(super) struct Float<W>(PhantomData<W>);
/// Complex numbers of such parts: the real part counts first, and a number with a NaN is one.
pub(super) struct Pair<W>(PhantomData<W>);
/// Bytes of which all but 0 are true.
pub(super) struct Truths;

macro_rules! widths {
    ($($width:ident)*) => {$(
        impl Keyed for Int<$width> {
            type Item = $width;
            type Key = $width;
            const LEAST: $width = $width::MIN;

            #[inline(always)]
            fn key(item: $width, pass: &Pass) -> $width {
                item ^ pass.flip as $width
            }

            #[inline(always)]
            fn item(key: $width, pass: &Pass) -> $width {
                key ^ pass.flip as $width
            }
        }

        impl Keyed for Float<$width> {
            type Item = $width;
            type Key = $width;
            const LEAST: $width = $width::MIN;

            #[inline(always)]
            fn key(item: $width, pass: &Pass) -> $width {
                let ordered = item ^ ((item >> ($width::BITS - 1)) & $width::MAX);
                let nan = $width::from(item & $width::MAX > pass.bits as $width).wrapping_neg();
                // A selection becomes a branch where the key is compared.
                ((ordered ^ pass.flip as $width) & !nan) | (nan & $width::MAX)
            }

            #[inline(always)]
            fn of_place(key: $width, pass: &Pass) -> $width {
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
                if magnitude > pass.bits as $width { $width::MAX } else { most }
            }

            #[inline(always)]
            fn item(key: $width, pass: &Pass) -> $width {
                let ordered = key ^ pass.flip as $width;
                ordered ^ ((ordered >> ($width::BITS - 1)) & $width::MAX)
            }
        }

        impl Keyed for Pair<$width> {
            type Item = [$width; 2];
            type Key = ($width, $width);
            const LEAST: ($width, $width) = ($width::MIN, $width::MIN);

            #[inline(always)]
            fn key([re, im]: [$width; 2], pass: &Pass) -> ($width, $width) {
                let (re, im) = (Float::<$width>::key(re, pass), Float::<$width>::key(im, pass));
                let nan = re == $width::MAX || im == $width::MAX;
                if nan { ($width::MAX, $width::MAX) } else { (re, im) }
            }

            #[inline(always)]
            fn of_place((re, im): ($width, $width), pass: &Pass) -> ($width, $width) {
                (Float::<$width>::of_place(re, pass), Float::<$width>::of_place(im, pass))
            }

            #[inline(always)]
            fn item((re, im): ($width, $width), pass: &Pass) -> [$width; 2] {
                [Float::<$width>::item(re, pass), Float::<$width>::item(im, pass)]
            }
        }
    )*};
}

widths!(i8 i16 i32 i64);

impl Keyed for Truths {
    type Item = u8;
    type Key = i8;
    const LEAST: i8 = i8::MIN;

    #[inline(always)]
    fn key(item: u8, pass: &Pass) -> i8 {
        i8::from(item != 0) ^ pass.flip as i8
    }

    #[inline(always)]
    fn item(key: i8, pass: &Pass) -> u8 {
        (key ^ pass.flip as i8) as u8
    }
}

/// The element with the greatest key.
pub(super) struct Extremum<K>(PhantomData<K>);

impl<K: Keyed> Stepped for Extremum<K> {
    type Item = K::Item;
    type State = K::Key;
    type Acc = K::Key;
    const ZERO: K::Key = K::LEAST;

    #[inline(always)]
    fn step<L: Lanes>(_: L, acc: K::Key, item: K::Item, pass: &Pass) -> K::Key {
        acc.max(K::key(item, pass))
    }

    #[inline(always)]
    fn settle(state: &mut K::Key, acc: K::Key) {
        *state = acc.max(*state);
    }
}

impl<K: Keyed> Fold for Extremum<K> {
    type Item = K::Item;
    type State = K::Key;
    type Value = K::Item;
    const START: K::Key = K::LEAST;

    #[inline(always)]
    fn run<L: Lanes>(_: L, items: &[K::Item], pass: &Pass, state: &mut K::Key) {
        *state = K::greatest(items, pass).max(*state);
    }

    #[inline(always)]
    fn rows<L: Lanes>(lanes: L, rows: &Rows<'_, K::Item>, pass: &Pass, states: &mut [K::Key]) {
        by_rows::<Self, L>(lanes, rows, pass, states);
    }

    fn merge(state: &mut K::Key, other: K::Key) {
        *state = other.max(*state);
    }

    fn value(state: K::Key, pass: &Pass) -> K::Item {
        K::item(state, pass)
    }
}

/// A key, and the lowest index at which it was found.
#[derive(Clone, Copy)]
pub(super) struct Found<T> {
    key: T,
    at: u64,
}

/// The index of the first element with the greatest key, where both zeros have one.
pub(super) struct Place<K>(PhantomData<K>);

impl<K: Keyed> Fold for Place<K> {
    type Item = K::Item;
    type State = Found<K::Key>;
    type Value = i64;
    const START: Found<K::Key> = Found { key: K::LEAST, at: u64::MAX };

    #[inline(always)]
    fn run<L: Lanes>(_: L, items: &[K::Item], pass: &Pass, state: &mut Found<K::Key>) {
        /// A block is looked through twice only if something greater is in it.
        const BLOCK: usize = 1024;
        for (i, block) in items.chunks(BLOCK).enumerate() {
            let key = K::of_place(K::greatest(block, pass), pass);
            let first = pass.at + (i * BLOCK) as u64 * pass.step;
            if key > state.key || key == state.key && first < state.at {
                let within =
                    block.iter().position(|item| K::of_place(K::key(*item, pass), pass) == key).unwrap_or(0);
                Self::merge(state, Found { key, at: first + within as u64 * pass.step });
            }
        }
    }

    #[inline(always)]
    fn rows<L: Lanes>(_: L, rows: &Rows<'_, K::Item>, pass: &Pass, states: &mut [Found<K::Key>]) {
        /// So many that a row's number has 32 bits.
        const MANY: usize = 1 << 30;
        const { assert!(size_of::<K::Key>() <= size_of::<Found<K::Key>>()) };
        let (mut room, mut numbers) = (Block::<STATES>::new(), Block::<{ STATES / 4 }>::new());
        let keys = filled(&mut room, states.len(), K::LEAST);
        let places = filled(&mut numbers, states.len(), 0_u32);
        for from in (0..rows.len()).step_by(MANY) {
            each::fill(keys, K::LEAST);
            each::fill(places, 0);
            let to = rows.len().min(from + MANY);
            for row in from..to {
                let items = &rows.get(row)[..keys.len()];
                for i in 0..keys.len() {
                    let found = K::of_place(K::key(items[i], pass), pass);
                    places[i] = if found > keys[i] { (row - from) as u32 } else { places[i] };
                    keys[i] = found.max(keys[i]);
                }
            }
            for i in 0..keys.len() {
                let at = pass.at + (from as u64 + u64::from(places[i])) * pass.step;
                Self::merge(&mut states[i], Found { key: keys[i], at });
            }
        }
    }

    #[inline(always)]
    fn merge(state: &mut Found<K::Key>, other: Found<K::Key>) {
        if other.key > state.key || (other.key == state.key && other.at < state.at) {
            *state = other;
        }
    }

    fn value(state: Found<K::Key>, _: &Pass) -> i64 {
        state.at as i64
    }
}
