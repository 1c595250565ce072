//! Sums of squared distances from the mean, for the variance.
//!
//! A block of elements is read twice while it is in the cache: for its mean, and for the distances from it.
//! Two groups are merged by the distance of their means (Chan, Golub and Le Veque). A mean has a second
//! number for the digits that the first one loses, so that the error does not grow with the mean.

#![allow(clippy::needless_range_loop, reason = "iterators are not inlined in every build")]

use core::marker::PhantomData;

use super::fold::{Fold, Pass, ROWS, Rows, STATES, filled};
use super::registers::{self, HELD};
use super::sums::{BLOCK, Total, double};
use crate::convert::Convert;
use crate::each;
use crate::element::Element;
use crate::level::Lanes;
use crate::memory::block::Block;

/// The sum of the squared distances of floats of type `A` from their mean, or of complex numbers of two such
/// parts.
pub(super) struct Moments<A, const PARTS: usize>(PhantomData<A>);

/// What is known of a group of elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group<const PARTS: usize> {
    count: f64,
    mean: [Total; PARTS],
    squares: Total,
}

impl<const PARTS: usize> Group<PARTS> {
    /// Returns a group of elements, of which the sums of the distances from a point near their mean, and the
    /// sum of the squared distances are known.
    #[inline(always)]
    fn of(count: usize, near: [f64; PARTS], sums: [f64; PARTS], squares: f64) -> Group<PARTS> {
        let count = count as f64;
        let mut mean = [Total::ZERO; PARTS];
        let mut rest = squares;
        for part in 0..PARTS {
            let off = sums[part] / count;
            mean[part].add(near[part]);
            mean[part].add(off);
            rest -= sums[part] * off;
        }
        let mut squares = Total::ZERO;
        // Squares that underflow may leave less than nothing; a NaN stays.
        squares.add(if rest < 0.0 { 0.0 } else { rest });
        Group { count, mean, squares }
    }

    #[inline(always)]
    fn merge(&mut self, other: Group<PARTS>) {
        if self.count == 0.0 {
            *self = other;
            return;
        }
        if other.count == 0.0 {
            return;
        }
        let count = self.count + other.count;
        let share = other.count / count;
        let mut squared = 0.0;
        for part in 0..PARTS {
            let distance = other.mean[part].minus(self.mean[part]);
            self.mean[part].add(distance * share);
            squared += distance * distance;
        }
        self.squares.merge(other.squares);
        self.squares.add(squared * (self.count * share));
        self.count = count;
    }
}

impl<A: Element<Reg: Convert<f64>>, const PARTS: usize> Fold for Moments<A, PARTS> {
    type Item = [A::Repr; PARTS];
    type State = Group<PARTS>;
    type Value = f64;

    fn start() -> Group<PARTS> {
        Group { count: 0.0, mean: [Total::ZERO; PARTS], squares: Total::ZERO }
    }

    #[inline(always)]
    fn run<L: Lanes>(lanes: L, items: &[[A::Repr; PARTS]], _: &Pass, state: &mut Group<PARTS>) {
        let mut room = Block::<{ BLOCK * size_of::<f64>() }>::new();
        let parts = |[even, odd]: [f64; 2]| {
            if PARTS == 1 { [even + odd; PARTS] } else { core::array::from_fn(|part| [even, odd][part]) }
        };
        for items in items.chunks(BLOCK / PARTS) {
            let flat = items.as_flattened();
            let sums = registers::known::<L, A::Repr, HELD, false>(lanes, flat);
            let sums =
                sums.unwrap_or_else(|| registers::plain::<_, HELD>(flat, |x| double::<L, A>(lanes, x)));
            let near = each::map(parts(sums), |sum| sum / items.len() as f64);
            let distances = filled(&mut room, items.len(), [0.0; PARTS]);
            for (i, to) in distances.iter_mut().enumerate() {
                for part in 0..PARTS {
                    to[part] = double::<L, A>(lanes, items[i][part]) - near[part];
                }
            }
            let distances = distances.as_flattened();
            let sums = registers::floats::<L, f64, HELD, false>(lanes, distances);
            let [even, odd] = registers::floats::<L, f64, HELD, true>(lanes, distances);
            state.merge(Group::of(items.len(), near, parts(sums), even + odd));
        }
    }

    #[inline(always)]
    fn rows<L: Lanes>(lanes: L, rows: &Rows<'_, [A::Repr; PARTS]>, _: &Pass, states: &mut [Group<PARTS>]) {
        let columns = states.len();
        #[allow(clippy::large_stack_arrays, reason = "it is not initialised")]
        let mut rooms = [const { Block::<{ STATES / 2 }>::new() }; 3];
        let [near, sums, squares] = &mut rooms;
        for first in (0..rows.len()).step_by(ROWS) {
            let some = first..rows.len().min(first + ROWS);
            let count = some.len();
            let near = filled(near, columns, [0.0; PARTS]);
            let sums = filled(sums, columns, [0.0; PARTS]);
            let squares = filled(squares, columns, 0.0);
            for row in some.clone() {
                each::zip(near.as_flattened_mut(), rows.get(row).as_flattened(), |sum, x| {
                    *sum += double::<L, A>(lanes, *x);
                });
            }
            for near in near.as_flattened_mut() {
                *near /= count as f64;
            }
            for row in some {
                let row = rows.get(row);
                for i in 0..columns {
                    for part in 0..PARTS {
                        let distance = double::<L, A>(lanes, row[i][part]) - near[i][part];
                        sums[i][part] += distance;
                        squares[i] += distance * distance;
                    }
                }
            }
            for (i, state) in states.iter_mut().enumerate() {
                state.merge(Group::of(count, near[i], sums[i], squares[i]));
            }
        }
    }

    fn merge(mut state: Group<PARTS>, other: Group<PARTS>) -> Group<PARTS> {
        state.merge(other);
        state
    }

    fn value(state: Group<PARTS>, _: &Pass) -> f64 {
        state.squares.get()
    }
}
