//! Measures two loops in turn, so that the ratio of their times is reliable on a shared machine.
//!
//! Most harnesses measure one function after the other. On a shared machine the ratio of two such figures
//! varies more than the differences that are of interest. Here rounds of both functions alternate, each long
//! enough for the clock, and the medians of the rounds count.
//!
//! ```
//! let a = [1_u64; 1000];
//! let both = promote_measure::paired(|| assert_eq!(a.iter().sum::<u64>(), 1000), || assert_eq!(a.len(), 1000));
//! println!("{:.1} ns against {:.1} ns, {:.2} of it", both.ours, both.theirs, both.ratio);
//! ```

#[cfg(feature = "allocations")]
mod allocations;

use std::hint::black_box;
use std::time::Instant;

#[cfg(feature = "allocations")]
pub use allocations::{Allocations, allocations};

/// The times of two loops for one call in nanoseconds, and the median of the rounds' ratios.
#[derive(Clone, Copy, Debug)]
pub struct Paired {
    /// The nanoseconds for a call of the first function.
    pub ours: f64,
    /// The nanoseconds for a call of the second function.
    pub theirs: f64,
    /// The ratio `theirs / ours`: above 1 the first function is faster.
    pub ratio: f64,
}

/// Elements from an address whose last twelve bits are `at`.
#[derive(Debug)]
pub struct Placed<T> {
    room: Vec<T>,
    at: usize,
    n: usize,
}

impl<T: Copy> Placed<T> {
    /// Creates `n` copies of `value`.
    pub fn new(value: T, n: usize, at: usize) -> Placed<T> {
        Placed { room: vec![value; n + 4096 / size_of::<T>()], at, n }
    }

    /// Returns the elements.
    pub fn elements(&mut self) -> &mut [T] {
        let address = self.room.as_ptr().addr();
        let skip = (self.at + 4096 - address % 4096) % 4096 / size_of::<T>();
        &mut self.room[skip..skip + self.n]
    }
}

const ROUNDS: usize = 41;
const NANOSECONDS_A_ROUND: f64 = 2e6;

/// Measures two functions in turn, for about a fifth of a second if a call is short.
///
/// The pointer to a function's captures is hidden from the compiler, so captured references and lengths need
/// no `black_box`, each of which would cost a short call a store and a load.
pub fn paired(mut ours: impl FnMut(), mut theirs: impl FnMut()) -> Paired {
    let calls = calls_a_round(&mut ours).min(calls_a_round(&mut theirs));
    let mut rounds = Vec::with_capacity(ROUNDS);
    for round in 0..ROUNDS {
        // The function that goes first alternates, too.
        let (a, b) = if round % 2 == 0 {
            let a = time(&mut ours, calls);
            (a, time(&mut theirs, calls))
        } else {
            let b = time(&mut theirs, calls);
            (time(&mut ours, calls), b)
        };
        rounds.push((a, b));
    }
    Paired {
        ours: median(rounds.iter().map(|round| round.0)),
        theirs: median(rounds.iter().map(|round| round.1)),
        ratio: median(rounds.iter().map(|round| round.1 / round.0)),
    }
}

fn calls_a_round(f: &mut impl FnMut()) -> usize {
    time(f, 1);
    let once = time(f, 3).max(1.0);
    (NANOSECONDS_A_ROUND / once).ceil() as usize
}

/// Returns the nanoseconds for one call.
fn time(f: &mut impl FnMut(), calls: usize) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(&mut *f)();
    }
    start.elapsed().as_secs_f64() * 1e9 / calls as f64
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns the processor's name, where Linux tells it.
pub fn processor() -> String {
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = about.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or("unknown processor", |(_, name)| name.trim()).to_owned()
}
