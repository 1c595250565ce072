//! Logarithms of sums of powers of e.
//!
//! The powers are those of the distances from the greatest element, so that none overflows. A group of
//! elements with a greater one scales the sum before it.

#![allow(clippy::needless_range_loop, reason = "iterators are not inlined in every build")]

use num_complex::Complex;

use super::fold::{Fold, Pass, ROWS, Rows, STATES, filled};
use super::registers::{self, HELD};
use super::sums::{BLOCK, Total};
use crate::each;
use crate::level::{Lanes, Scalar};
use crate::math::Function;
use crate::math::double::{self, complex};
use crate::memory::block::Block;

/// The number of elements that are compared side by side.
const LANES: usize = 16;

/// The logarithm of the sum of the powers of real or complex numbers.
pub(super) struct Powers<const PARTS: usize>;

/// The sum of the powers of a group of elements, divided by that of `greatest`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum<const PARTS: usize> {
    /// The greatest real part.
    greatest: f64,
    sum: [Total; PARTS],
}

/// Returns the number that is subtracted from exponents. The distance of two infinities would be NaN.
#[inline(always)]
fn origin(greatest: f64) -> f64 {
    if greatest.is_finite() { greatest } else { 0.0 }
}

/// Returns the parts of a complex number.
#[inline(always)]
fn parts<const PARTS: usize>(re: f64, im: f64) -> [f64; PARTS] {
    let mut parts = [re; PARTS];
    parts[PARTS - 1] = im;
    parts
}

#[inline(always)]
fn power<L: Lanes, const PARTS: usize>(lanes: L, item: [f64; PARTS], origin: f64) -> [f64; PARTS] {
    if PARTS == 1 {
        return [double::Exp::general(lanes, item[0] - origin); PARTS];
    }
    let power = complex::Exp::general(lanes, Complex::new(item[0] - origin, item[PARTS - 1]));
    parts(power.re, power.im)
}

impl<const PARTS: usize> Sum<PARTS> {
    const NONE: Sum<PARTS> = Sum { greatest: f64::NEG_INFINITY, sum: [Total::ZERO; PARTS] };

    /// Adds powers, divided by that of `greatest`.
    #[inline(always)]
    fn add(&mut self, greatest: f64, powers: [f64; PARTS]) {
        let scale = |from: f64, to: f64| double::Exp::general(Scalar, origin(from) - origin(to));
        let (mut own, mut other) = (1.0, 1.0);
        // The sum of powers that are all 0 needs no scale.
        if greatest > self.greatest {
            own = if self.greatest == f64::NEG_INFINITY { 1.0 } else { scale(self.greatest, greatest) };
            self.greatest = greatest;
        } else if greatest < self.greatest && greatest != f64::NEG_INFINITY {
            other = scale(greatest, self.greatest);
        }
        for part in 0..PARTS {
            self.sum[part].scale(own);
            self.sum[part].add(powers[part] * other);
        }
    }
}

/// Returns the greater number; NaN is none.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

impl<const PARTS: usize> Fold for Powers<PARTS> {
    type Item = [f64; PARTS];
    type State = Sum<PARTS>;
    type Value = [f64; PARTS];

    fn start() -> Sum<PARTS> {
        Sum::NONE
    }

    #[inline(always)]
    fn run<L: Lanes>(lanes: L, items: &[[f64; PARTS]], _: &Pass, state: &mut Sum<PARTS>) {
        let mut room = Block::<{ BLOCK * size_of::<f64>() }>::new();
        for items in items.chunks(BLOCK / PARTS) {
            let mut greatest = [f64::NEG_INFINITY; LANES];
            let (rows, rest) = items.as_chunks::<LANES>();
            for row in rows {
                for i in 0..LANES {
                    greatest[i] = greater(greatest[i], row[i][0]);
                }
            }
            for (i, item) in rest.iter().enumerate() {
                greatest[i] = greater(greatest[i], item[0]);
            }
            let greatest = greatest.iter().fold(f64::NEG_INFINITY, |a, b| greater(a, *b));
            let at = origin(greatest);
            let powers = filled(&mut room, items.len(), [0.0; PARTS]);
            for (i, to) in powers.iter_mut().enumerate() {
                *to = power(lanes, items[i], at);
            }
            let [even, odd] = registers::floats::<L, f64, HELD, false>(lanes, powers.as_flattened());
            state.add(greatest, if PARTS == 1 { [even + odd; PARTS] } else { parts(even, odd) });
        }
    }

    #[inline(always)]
    fn rows<L: Lanes>(lanes: L, rows: &Rows<'_, [f64; PARTS]>, _: &Pass, states: &mut [Sum<PARTS>]) {
        let columns = states.len();
        #[allow(clippy::large_stack_arrays, reason = "it is not initialised")]
        let mut rooms = [const { Block::<{ STATES / 2 }>::new() }; 2];
        let [greatest, sums] = &mut rooms;
        for first in (0..rows.len()).step_by(ROWS) {
            let some = first..rows.len().min(first + ROWS);
            let greatest = filled(greatest, columns, f64::NEG_INFINITY);
            let sums = filled(sums, columns, [0.0; PARTS]);
            for row in some.clone() {
                each::zip(greatest, rows.get(row), |greatest, x| *greatest = greater(*greatest, x[0]));
            }
            for row in some {
                let row = rows.get(row);
                for i in 0..columns {
                    let power = power(lanes, row[i], origin(greatest[i]));
                    for part in 0..PARTS {
                        sums[i][part] += power[part];
                    }
                }
            }
            for (i, state) in states.iter_mut().enumerate() {
                state.add(greatest[i], sums[i]);
            }
        }
    }

    fn merge(mut state: Sum<PARTS>, other: Sum<PARTS>) -> Sum<PARTS> {
        state.add(other.greatest, each::map(other.sum, Total::get));
        state
    }

    fn value(state: Sum<PARTS>, _: &Pass) -> [f64; PARTS] {
        let (sum, origin) = (each::map(state.sum, Total::get), origin(state.greatest));
        if PARTS == 1 {
            return [libm::log(sum[0]) + origin; PARTS];
        }
        let (re, im) = (sum[0], sum[PARTS - 1]);
        parts(libm::log(libm::hypot(re, im)) + origin, libm::atan2(im, re))
    }
}
