//! Losses, element by element. Every step is rounded to the format.

use std::f64::consts::TAU;

use promote_runtime::Op;

use crate::format::Format;
use crate::real::{greater, option};
use crate::{Error, Options, Trap};

/// Computes a loss of two real numbers; `None` for other ops.
pub(crate) fn real(op: Op, format: Format, a: f64, b: f64, options: &Options) -> Result<Option<f64>, Error> {
    let distance = format.subtract(a, b).abs();
    Ok(Some(match op {
        Op::L1Loss => distance,
        Op::MseLoss => format.multiply(distance, distance),
        Op::HuberLoss => huber(format, distance, options.delta),
        Op::SmoothL1Loss => smooth_l1(format, distance, options.beta),
        Op::PoissonNllLoss => poisson_nll(format, a, b, options),
        Op::BinaryCrossEntropy if ![a, b].iter().all(|x| (0.0..=1.0).contains(x)) => {
            return Err(Error::Trap(Trap::Probability));
        }
        Op::BinaryCrossEntropy => {
            format.multiply(cross_entropy(format, a, b), format.round(options.loss_weight))
        }
        _ => return Ok(None),
    }))
}

/// Computes d² / 2 up to delta, and a line of that slope beyond it.
fn huber(format: Format, distance: f64, delta: f64) -> f64 {
    let delta = format.round(delta);
    if distance < delta {
        format.multiply(format.multiply(0.5, distance), distance)
    } else {
        format.multiply(delta, format.subtract(distance, format.multiply(0.5, delta)))
    }
}

/// Computes d² / (2 beta) up to beta, and a line of slope 1 beyond it.
fn smooth_l1(format: Format, distance: f64, beta: f64) -> f64 {
    let beta = format.round(beta);
    if distance < beta {
        format.divide(format.multiply(format.multiply(0.5, distance), distance), beta)
    } else {
        format.subtract(distance, format.multiply(0.5, beta))
    }
}

/// Computes exp(a) - b a, or a - b log(a + eps) if `a` is not a logarithm, and adds Stirling's formula for
/// log(b!) on request.
fn poisson_nll(format: Format, a: f64, b: f64, options: &Options) -> f64 {
    let loss = if options.log_input {
        format.subtract(format.elementary(Op::Exp, a), format.multiply(b, a))
    } else {
        let log = format.elementary(Op::Log, format.add(a, format.round(options.eps)));
        format.subtract(a, format.multiply(b, log))
    };
    // The formula is left out for targets of at most 1.
    if !options.full || b <= 1.0 || b.is_nan() {
        return loss;
    }
    let power = format.subtract(format.multiply(b, format.elementary(Op::Log, b)), b);
    // A number beside an array: it is not rounded to a half.
    let circle = format.elementary(Op::Log, format.multiply(option(format, TAU), b));
    format.add(loss, format.add(power, format.multiply(0.5, circle)))
}

/// Computes -(b log a + (1 - b) log(1 - a)), with each logarithm at least -100.
fn cross_entropy(format: Format, a: f64, b: f64) -> f64 {
    let log = greater(format.elementary(Op::Log, a), -100.0);
    let other = greater(format.elementary(Op::Log1p, -a), -100.0);
    format.subtract(format.multiply(format.subtract(b, 1.0), other), format.multiply(b, log))
}
