//! Loops over arrays and slices that are inlined in every build.
//!
//! A kernel becomes vector code only if all of it is inlined. `zip`, `fill` and `map` of the standard library
//! are generic functions without `#[inline]`: they are compiled in one codegen unit of the crate, and called
//! from all others.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]
#![allow(clippy::needless_range_loop, reason = "these loops replace iterators")]

/// Applies `f` to each item of an array that is not empty.
#[inline(always)]
pub(crate) fn map<T: Copy, U: Copy, const N: usize>(items: [T; N], f: impl Fn(T) -> U + Copy) -> [U; N] {
    const { assert!(N > 0) };
    let mut all = [f(items[0]); N];
    for i in 1..N {
        all[i] = f(items[i]);
    }
    all
}

/// Sets every item to `value`.
#[cfg(feature = "kernels")]
#[inline(always)]
pub(crate) fn fill<T: Copy>(items: &mut [T], value: T) {
    for item in items {
        *item = value;
    }
}

/// Calls `f` with the items of two slices at equal positions, up to the shorter length.
#[inline(always)]
pub(crate) fn zip<T, U>(outputs: &mut [T], items: &[U], mut f: impl FnMut(&mut T, &U)) {
    let n = if outputs.len() < items.len() { outputs.len() } else { items.len() };
    let (outputs, items) = (&mut outputs[..n], &items[..n]);
    for i in 0..n {
        f(&mut outputs[i], &items[i]);
    }
}

/// Evaluates `value = step` for `i` from `n - 1` down to 0, written out: `falling!(n; value = first, i =>
/// step)`. `n` is a constant of at most 16.
///
/// A loop over the terms of a polynomial is unrolled by LLVM only if its body is short, and a loop with
/// another loop in it is not vectorised. A function with a closure would be compiled once for each of
/// hundreds of kernels.
macro_rules! falling {
    ($n:expr; $value:ident = $first:expr, $i:ident => $step:expr) => {{
        const { assert!($n <= 16, "more steps than are written out") };
        let mut $value = $first;
        falling!(@steps [$n] $value $i ($step) 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
        $value
    }};
    (@steps [$n:expr] $value:ident $i:ident ($step:expr) $($at:literal)*) => {$(
        if const { $n > $at } {
            // In steps that are left out, rustc would still report an index out of bounds.
            let $i: usize = const { if $n > $at { $at } else { 0 } };
            $value = $step;
        }
    )*};
}
pub(crate) use falling;
