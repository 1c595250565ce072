//! Whether all elements are true, or any of them: an element is where it differs from 0, so NaN is.
//!
//! `any` is `all` turned round: with `flip`, an element counts where it is false, and so does the result.

use core::marker::PhantomData;

use super::fold::{Fold, Pass, Rows, Stepped, by_rows};
use crate::level::Lanes;

/// An element as bits, of which those of the pass tell a zero.
pub(super) trait Word: Copy + 'static {
    fn differs(self, bits: u64) -> bool;
}

macro_rules! words {
    ($($word:ident)*) => {$(
        impl Word for $word {
            #[inline(always)]
            fn differs(self, bits: u64) -> bool {
                self & bits as $word != 0
            }
        }
    )*};
}

words!(u8 u16 u32 u64);

/// Both parts of a complex number as one word, which begins where a part may.
macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident $word:ident $align:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(C, packed($align))]
        pub(super) struct $name($word);

        impl Word for $name {
            #[inline(always)]
            fn differs(self, bits: u64) -> bool {
                self.0.differs(bits)
            }
        }
    )*};
}

parts! {
    /// Two of 2 bytes.
    TwoHalves u32 2;
    /// Two of 4 bytes.
    TwoSingles u64 4;
}

impl Word for [u64; 2] {
    #[inline(always)]
    fn differs(self, bits: u64) -> bool {
        (self[0] | self[1]) & bits != 0
    }
}

/// Whether all elements count: 0 or 1.
pub(super) struct All<W>(PhantomData<W>);

impl<W: Word> Stepped for All<W> {
    type Item = W;
    type State = u8;
    type Acc = u8;
    const ZERO: u8 = 1;

    #[inline(always)]
    fn step<L: Lanes>(_: L, acc: u8, item: W, pass: &Pass) -> u8 {
        acc & (u8::from(item.differs(pass.bits)) ^ pass.flip as u8)
    }

    #[inline(always)]
    fn settle(state: &mut u8, acc: u8) {
        *state &= acc;
    }
}

impl<W: Word> Fold for All<W> {
    type Item = W;
    type State = u8;
    type Value = u8;
    const START: u8 = 1;

    #[inline(always)]
    fn run<L: Lanes>(lanes: L, items: &[W], pass: &Pass, state: &mut u8) {
        for items in items.chunks(4096) {
            if *state == 0 {
                return;
            }
            *state = items.iter().fold(*state, |all, item| Self::step(lanes, all, *item, pass));
        }
    }

    #[inline(always)]
    fn rows<L: Lanes>(lanes: L, rows: &Rows<'_, W>, pass: &Pass, states: &mut [u8]) {
        by_rows::<Self, L>(lanes, rows, pass, states);
    }

    fn merge(state: &mut u8, other: u8) {
        *state &= other;
    }

    fn value(state: u8, pass: &Pass) -> u8 {
        state ^ pass.flip as u8
    }
}
