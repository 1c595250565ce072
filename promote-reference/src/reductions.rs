//! Reductions and scans, from the first element to the last, with every step rounded to the format.

use num_complex::Complex;
use promote_runtime::{DType, Kind, Number, Op};

use crate::format::{F32, F64, Format};
use crate::real::greater;
use crate::semantics::Semantics;
use crate::value::{is_true, whole, wrap};
use crate::{Error, complex, elementary};

type C = Complex<f64>;

/// Reduces elements of the compute dtype to one number, or scans them to as many numbers.
pub(crate) fn reduce(
    op: Op,
    dtype: DType,
    elements: &[Number],
    semantics: Semantics,
) -> Result<Vec<Number>, Error> {
    match op {
        Op::Any => return Ok(vec![Number::Bool(elements.iter().any(|x| is_true(*x)))]),
        Op::All => return Ok(vec![Number::Bool(elements.iter().all(|x| is_true(*x)))]),
        Op::Max | Op::Min | Op::Amax | Op::Amin | Op::Argmax | Op::Argmin | Op::Median
            if elements.is_empty() =>
        {
            return Err(Error::Empty { op });
        }
        _ => {}
    }
    let format = Format::of(dtype);
    let found = match (dtype.kind(), format) {
        (Kind::Float, Some(format)) => {
            reals(op, format, &elements.iter().map(|x| real(*x)).collect::<Vec<_>>(), semantics)
        }
        (Kind::Complex, Some(format)) => {
            complexes(op, format, &elements.iter().map(|x| pair(*x)).collect::<Vec<_>>(), semantics)
        }
        _ => integers(op, dtype, &elements.iter().map(|x| whole(*x)).collect::<Vec<_>>()),
    };
    found.ok_or(Error::NotEvaluated { op, dtype })
}

/// Computes the dot product of two rows.
pub(crate) fn dot(dtype: DType, a: &[Number], b: &[Number]) -> Number {
    let pairs = a.iter().zip(b);
    match (dtype.kind(), Format::of(dtype)) {
        (Kind::Float, Some(f)) => {
            Number::Float(pairs.fold(0.0, |sum, (a, b)| f.add(sum, f.multiply(real(*a), real(*b)))))
        }
        (Kind::Complex, Some(f)) => number(
            pairs.fold(ZERO, |sum, (a, b)| complex::add(f, sum, complex::multiply(f, pair(*a), pair(*b)))),
        ),
        _ => Number::Int(
            pairs.fold(0, |sum, (a, b)| wrap(whole(*a).wrapping_mul(whole(*b)).wrapping_add(sum), dtype)),
        ),
    }
}

const ZERO: C = C::new(0.0, 0.0);

fn real(number: Number) -> f64 {
    match number {
        Number::Float(x) | Number::Complex(x, _) => x,
        other => whole(other) as f64,
    }
}

fn pair(number: Number) -> C {
    match number {
        Number::Complex(re, im) => C::new(re, im),
        other => C::new(real(other), 0.0),
    }
}

fn number(z: C) -> Number {
    Number::Complex(z.re, z.im)
}

/// Returns the state after each element.
fn scan<T: Copy>(elements: &[T], start: T, step: impl Fn(T, T) -> T) -> Vec<T> {
    let mut now = start;
    elements
        .iter()
        .map(|x| {
            now = step(now, *x);
            now
        })
        .collect()
}

/// Returns the state after the last element.
fn fold<T: Copy>(elements: &[T], start: T, step: impl Fn(T, T) -> T) -> T {
    scan(elements, start, step).last().copied().unwrap_or(start)
}

/// Returns the position of the first extreme element.
fn first<T: Copy>(elements: &[T], beats: impl Fn(T, T) -> bool) -> usize {
    let better = |best: usize, (i, x): (usize, &T)| if beats(*x, elements[best]) { i } else { best };
    elements.iter().enumerate().fold(0, better)
}

fn integers(op: Op, dtype: DType, x: &[i128]) -> Option<Vec<Number>> {
    let add = |a, b| wrap(a + b, dtype);
    let multiply = |a: i128, b| wrap(a.wrapping_mul(b), dtype);
    let one = match op {
        Op::Sum | Op::Nansum => fold(x, 0, add),
        Op::Prod => fold(x, 1, multiply),
        Op::Cumsum => return Some(scan(x, 0, add).into_iter().map(Number::Int).collect()),
        Op::Cumprod => return Some(scan(x, 1, multiply).into_iter().map(Number::Int).collect()),
        Op::Max | Op::Amax => x[first(x, |a, b| a > b)],
        Op::Min | Op::Amin => x[first(x, |a, b| a < b)],
        Op::Argmax => first(x, |a, b| a > b) as i128,
        Op::Argmin => first(x, |a, b| a < b) as i128,
        Op::Median => {
            let mut sorted = x.to_vec();
            sorted.sort_unstable();
            sorted[(x.len() - 1) / 2]
        }
        _ => return None,
    };
    Some(vec![Number::Int(one)])
}

fn reals(op: Op, format: Format, x: &[f64], semantics: Semantics) -> Option<Vec<Number>> {
    let Semantics { corrected, lower_middle, .. } = semantics;
    let add = |a, b| format.add(a, b);
    let multiply = |a, b| format.multiply(a, b);
    // The first NaN beats everything.
    let above = |a: f64, b: f64| !b.is_nan() && (a.is_nan() || a > b);
    let below = |a: f64, b: f64| !b.is_nan() && (a.is_nan() || a < b);
    let one = match op {
        Op::Sum => fold(x, 0.0, add),
        Op::Prod => fold(x, 1.0, multiply),
        Op::Cumsum => return Some(scan(x, 0.0, add).into_iter().map(Number::Float).collect()),
        Op::Cumprod => return Some(scan(x, 1.0, multiply).into_iter().map(Number::Float).collect()),
        Op::Nansum => fold(x, 0.0, |sum, x| if x.is_nan() { sum } else { add(sum, x) }),
        Op::Mean => mean(format, x),
        Op::Var => variance(format, x, corrected),
        Op::Std => format.round(variance(format, x, corrected).sqrt()),
        Op::Norm => format.round(fold(x, 0.0, |sum, x| add(sum, multiply(x, x))).sqrt()),
        Op::Max | Op::Amax => fold(x, f64::NEG_INFINITY, greater),
        Op::Min | Op::Amin => -fold(x, f64::NEG_INFINITY, |least, x| greater(least, -x)),
        Op::Argmax => return Some(vec![Number::Int(first(x, above) as i128)]),
        Op::Argmin => return Some(vec![Number::Int(first(x, below) as i128)]),
        Op::Median if x.iter().any(|x| x.is_nan()) => f64::NAN,
        Op::Median => {
            let mut sorted = x.to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            let (lower, upper) = (sorted[(x.len() - 1) / 2], sorted[x.len() / 2]);
            if lower_middle || x.len() % 2 == 1 {
                lower
            } else {
                format.divide(format.add(lower, upper), 2.0)
            }
        }
        Op::Logsumexp => log_sum_exp(format, x),
        _ => return None,
    };
    Some(vec![Number::Float(one)])
}

fn mean(format: Format, x: &[f64]) -> f64 {
    format.divide(fold(x, 0.0, |a, b| format.add(a, b)), format.whole(x.len() as i128))
}

/// Computes the sum of squared distances from the mean, divided by the count, less one if it is corrected.
fn variance(format: Format, x: &[f64], corrected: bool) -> f64 {
    let mean = mean(format, x);
    let square = |distance| format.multiply(distance, distance);
    let sum = fold(x, 0.0, |sum, x| format.add(sum, square(format.subtract(x, mean))));
    format.divide(sum, divisor(format, x.len(), corrected))
}

/// Returns the number that divides a sum of squares.
fn divisor(format: Format, n: usize, corrected: bool) -> f64 {
    if n == 0 { f64::NAN } else { format.whole(n as i128 - i128::from(corrected)) }
}

/// Computes the powers relative to the greatest element, so that none overflows.
fn log_sum_exp(format: Format, x: &[f64]) -> f64 {
    let greatest = fold(x, f64::NEG_INFINITY, greater);
    // The distance of two infinities would be NaN.
    let origin = if greatest.is_infinite() { 0.0 } else { greatest };
    let power = |x| format.elementary(Op::Exp, format.subtract(x, origin));
    // The sum is one step: below `f32` it would lose the small powers.
    let wide = if format == F64 { F64 } else { F32 };
    let sum = fold(x, 0.0, |sum, x| wide.add(sum, power(x)));
    format.add(format.elementary(Op::Log, format.round(sum)), origin)
}

fn complexes(op: Op, format: Format, x: &[C], semantics: Semantics) -> Option<Vec<Number>> {
    let add = |a, b| complex::add(format, a, b);
    let multiply = |a, b| complex::multiply(format, a, b);
    let one = C::new(1.0, 0.0);
    let count = |n: usize| format.whole(n as i128);
    let mean = || {
        let sum = fold(x, ZERO, add);
        C::new(format.divide(sum.re, count(x.len())), format.divide(sum.im, count(x.len())))
    };
    // The sum of the squared absolute values.
    let squares = |x: &[C]| {
        let square = |z: C| format.add(format.multiply(z.re, z.re), format.multiply(z.im, z.im));
        x.iter().fold(0.0, |sum, z| format.add(sum, square(*z)))
    };
    let variance = || {
        let mean = mean();
        let distances: Vec<C> = x.iter().map(|z| complex::subtract(format, *z, mean)).collect();
        format.divide(squares(&distances), divisor(format, x.len(), semantics.corrected))
    };
    Some(vec![match op {
        Op::Sum => number(fold(x, ZERO, add)),
        Op::Nansum => {
            number(fold(x, ZERO, |sum, z| if z.re.is_nan() || z.im.is_nan() { sum } else { add(sum, z) }))
        }
        Op::Prod => number(fold(x, one, multiply)),
        Op::Cumsum => return Some(scan(x, ZERO, add).into_iter().map(number).collect()),
        Op::Cumprod => return Some(scan(x, one, multiply).into_iter().map(number).collect()),
        Op::Mean => number(mean()),
        Op::Var => Number::Float(variance()),
        Op::Std => Number::Float(format.round(variance().sqrt())),
        Op::Norm => Number::Float(format.round(squares(x).sqrt())),
        Op::Logsumexp => {
            let power = |z| elementary::complex(Op::Exp, z).unwrap_or(ZERO);
            let sum = x.iter().fold(ZERO, |sum, z| add(sum, power(*z)));
            number(elementary::complex(Op::Log, sum)?)
        }
        _ => return None,
    }])
}
