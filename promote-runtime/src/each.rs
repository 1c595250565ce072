//! Loops over arrays and slices that are inlined in every build.
//!
//! A kernel is vector code only where all of it is inlined, and of the standard library `zip` and `fill` of
//! slices, `map` of arrays and the order of arrays need not be: as generic functions without `#[inline]` they
//! are compiled in one unit of the crate, and calls in all others.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]
#![allow(clippy::needless_range_loop, reason = "these are the loops that stand for iterators")]

/// What `f` makes of each item, of which there is one at least.
#[inline(always)]
pub(crate) fn map<T: Copy, U: Copy, const N: usize>(items: [T; N], f: impl Fn(T) -> U + Copy) -> [U; N] {
    const { assert!(N > 0) };
    let mut all = [f(items[0]); N];
    for i in 1..N {
        all[i] = f(items[i]);
    }
    all
}

/// Puts `value` into every place.
#[cfg(feature = "kernels")]
#[inline(always)]
pub(crate) fn fill<T: Copy>(places: &mut [T], value: T) {
    for place in places {
        *place = value;
    }
}

/// Calls `f` for each place and the item beside it, as far as both go.
#[inline(always)]
pub(crate) fn zip<T, U>(places: &mut [T], items: &[U], mut f: impl FnMut(&mut T, &U)) {
    let n = if places.len() < items.len() { places.len() } else { items.len() };
    let (places, items) = (&mut places[..n], &items[..n]);
    for i in 0..n {
        f(&mut places[i], &items[i]);
    }
}

/// `falling!(n; value = first, i => step)`: `step` of `value` and of `n - 1` as `i`, of what comes of it and
/// `n - 2`, down to 0; `n` is a constant, 16 at most.
///
/// There is no loop: LLVM unrolls one that goes over the terms of a polynomial only where its body is short,
/// and makes no vectors of a loop with another one in it. And no function, which hundreds of kernels would
/// have for themselves, each with a closure for its steps.
macro_rules! falling {
    ($n:expr; $value:ident = $first:expr, $i:ident => $step:expr) => {{
        const { assert!($n <= 16, "more steps than are written out") };
        let mut $value = $first;
        falling!(@steps [$n] $value $i ($step) 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
        $value
    }};
    (@steps [$n:expr] $value:ident $i:ident ($step:expr) $($at:literal)*) => {$(
        if const { $n > $at } {
            // Where there is no such step, rustc would still see an item behind the last.
            let $i: usize = const { if $n > $at { $at } else { 0 } };
            $value = $step;
        }
    )*};
}
pub(crate) use falling;
