//! Ops of this crate's own: each body is written once.

use dtypes::{Floating, Ordered, kernel};

/// `alpha · x + y`
#[kernel(crate = dtypes)]
pub fn axpy<T>(alpha: T, x: T, y: T) -> T {
    alpha * x + y
}

/// `x` where it lies between the two ends, else the end beside it.
#[kernel(crate = dtypes, like = maximum)]
pub fn clip<T: Ordered>(x: T, low: T, high: T) -> T {
    x.maximum(low).minimum(high)
}

/// The positive part, and a tenth of the negative one.
#[kernel(crate = dtypes)]
pub fn leaky<T: Floating>(x: T) -> T {
    T::select(x > T::of(0.0), x, x * 0.1)
}

/// The root of the mean of squares.
#[kernel(crate = dtypes)]
pub fn root_mean_square<T: Floating>(a: T, b: T) -> T {
    ((a * a + b * b) * 0.5).sqrt()
}

/// The point between two others, a part `t` of the way. The rule file says its dtypes.
#[kernel(crate = dtypes, named)]
pub fn blend<T: Floating>(a: T, b: T, t: T) -> T {
    a + (b - a) * t
}
