//! Losses before reduction, in which every step is rounded.

use core::f64::consts::TAU;

use half::{bf16, f16};
use num_complex::Complex;

use super::arithmetic::{LaneArith, RoundedLane};
use super::complex::multiply;
use super::real::greater;
use super::{
    Abs, BinaryCrossEntropy, Exp, HuberLoss, L1Loss, Log, Log1p, MseLoss, OpLane, PoissonNllLoss,
    SmoothL1Loss, Trap,
};
use crate::level::Lanes;
use crate::semantics::{FULL_TRUE, LOG_INPUT_FALSE};

macro_rules! losses {
    ($($ty:ty)*) => {$(
        rows! { $ty;
            L1Loss |a, b| a.minus(b).size();
            MseLoss |a, b| {
                let distance = a.minus(b);
                distance.times(distance)
            };
        }
        rows_with! { $ty;
            HuberLoss [_lanes, _semantics] |a, b, delta| huber(a.minus(b).size(), delta);
            SmoothL1Loss [_lanes, _semantics] |a, b, beta| smooth_l1(a.minus(b).size(), beta);
            PoissonNllLoss [lanes, semantics] |a, b, eps| poisson_nll(lanes, semantics, a, b, eps);
        }

        impl<const SEMANTICS: u16> OpLane<$ty, [$ty; 3]> for BinaryCrossEntropy<SEMANTICS> {
            type Out = $ty;
            const TRAP: Option<Trap> = Some(Trap::Probability);

            #[inline(always)]
            fn traps([a, b, _]: [$ty; 3]) -> bool {
                !(is_probability(a) & is_probability(b))
            }

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, [a, b, weight]: [$ty; 3]) -> $ty {
                cross_entropy(lanes, a, b).times(weight)
            }
        }
    )*};
}

losses! { f32 f64 RoundedLane<f16> RoundedLane<bf16> }

macro_rules! complex {
    ($($ty:ident)*) => {$(
        impl<const SEMANTICS: u16> OpLane<Complex<$ty>> for L1Loss<SEMANTICS> {
            type Out = $ty;

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, (a, b): (Complex<$ty>, Complex<$ty>)) -> $ty {
                <Abs as OpLane<Complex<$ty>, (Complex<$ty>,)>>::apply(lanes, (a - b,))
            }
        }

        rows! { Complex<$ty>;
            MseLoss |a, b| multiply(a - b, a - b);
        }

        rows_with! { Complex<$ty>;
            PoissonNllLoss [lanes, semantics] |a, b, eps| complex_poisson_nll(lanes, semantics, a, b, eps);
        }
    )*};
}

complex! { f32 f64 }

/// Lanes with logarithms and exponentials.
trait Elementary: LaneArith {
    fn exp<L: Lanes>(self, lanes: L) -> Self;
    fn log<L: Lanes>(self, lanes: L) -> Self;
    fn log1p<L: Lanes>(self, lanes: L) -> Self;
}

impl<T: LaneArith> Elementary for T
where
    Exp: OpLane<T, (T,), Out = T>,
    Log: OpLane<T, (T,), Out = T>,
    Log1p: OpLane<T, (T,), Out = T>,
{
    #[inline(always)]
    fn exp<L: Lanes>(self, lanes: L) -> T {
        <Exp as OpLane<T, (T,)>>::apply(lanes, (self,))
    }

    #[inline(always)]
    fn log<L: Lanes>(self, lanes: L) -> T {
        <Log as OpLane<T, (T,)>>::apply(lanes, (self,))
    }

    #[inline(always)]
    fn log1p<L: Lanes>(self, lanes: L) -> T {
        <Log1p as OpLane<T, (T,)>>::apply(lanes, (self,))
    }
}

/// Returns d² / 2 below delta, then a line of slope delta; NaN is on the line.
#[inline(always)]
fn huber<T: LaneArith>(distance: T, delta: T) -> T {
    let square = T::HALF.times(distance).times(distance);
    let line = delta.times(distance.minus(T::HALF.times(delta)));
    if distance < delta { square } else { line }
}

/// Returns d² / (2 beta) below beta, then a line of slope 1; NaN is on the line.
#[inline(always)]
fn smooth_l1<T: LaneArith>(distance: T, beta: T) -> T {
    let square = T::HALF.times(distance).times(distance).over(beta);
    let line = distance.minus(T::HALF.times(beta));
    if distance < beta { square } else { line }
}

/// Returns exp(a) - b a, or a - b log(a + eps) if `a` is not a logarithm. Adds Stirling's formula for log(b!)
/// if the semantics include it.
#[inline(always)]
fn poisson_nll<L: Lanes, T: Elementary>(lanes: L, semantics: u16, a: T, b: T, eps: T) -> T {
    let loss = if semantics & LOG_INPUT_FALSE == 0 {
        a.exp(lanes).minus(b.times(a))
    } else {
        a.minus(b.times(a.plus(eps).log(lanes)))
    };
    if semantics & FULL_TRUE == 0 {
        return loss;
    }
    let power = b.times(b.log(lanes)).minus(b);
    let circle = b.scaled(TAU).log(lanes);
    let full = loss.plus(power.plus(T::HALF.times(circle)));
    // Of 1 and less, and of NaN, the formula is left out.
    if b > T::ONE { full } else { loss }
}

/// Returns the loss of complex numbers, or NaN with Stirling's formula, which holds for real numbers above 1.
#[inline(always)]
fn complex_poisson_nll<L: Lanes, T: LaneArith>(
    lanes: L,
    semantics: u16,
    a: Complex<T>,
    b: Complex<T>,
    eps: Complex<T>,
) -> Complex<T>
where
    Exp: OpLane<Complex<T>, (Complex<T>,), Out = Complex<T>>,
    Log: OpLane<Complex<T>, (Complex<T>,), Out = Complex<T>>,
{
    let minus = |a: Complex<T>, b: Complex<T>| Complex { re: a.re.minus(b.re), im: a.im.minus(b.im) };
    let plus = |a: Complex<T>, b: Complex<T>| Complex { re: a.re.plus(b.re), im: a.im.plus(b.im) };
    if semantics & FULL_TRUE != 0 {
        Complex { re: T::NAN, im: T::NAN }
    } else if semantics & LOG_INPUT_FALSE == 0 {
        minus(<Exp as OpLane<Complex<T>, (Complex<T>,)>>::apply(lanes, (a,)), multiply(b, a))
    } else {
        minus(a, multiply(b, <Log as OpLane<Complex<T>, (Complex<T>,)>>::apply(lanes, (plus(a, eps),))))
    }
}

/// Returns (b - 1) log(1 - a) - b log a, with each logarithm at least -100.
#[inline(always)]
fn cross_entropy<L: Lanes, T: Elementary>(lanes: L, a: T, b: T) -> T {
    let least = T::of(-100.0);
    let log = greater(a.log(lanes), least);
    let other = greater(a.negated().log1p(lanes), least);
    b.minus(T::ONE).times(other).minus(b.times(log))
}

#[inline(always)]
fn is_probability<T: LaneArith>(x: T) -> bool {
    (x >= T::ZERO) & (x <= T::ONE)
}
