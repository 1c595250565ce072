//! The extras of ops, with several values.

use promote::ScalarValue;
use promote::{DType, Number, Op};
use promote_reference::Options;
use promote_runtime::__private::semantics;

/// An extra argument of an op.
pub(crate) enum Extra {
    /// A condition, which changes from lane to lane.
    Condition,
    /// One number for every lane.
    Number(f64),
    /// An array of these numbers, again and again.
    Array(&'static [f64]),
}

impl Extra {
    pub(crate) fn varies(&self) -> bool {
        !matches!(self, Extra::Number(_))
    }
}

/// One way to call an op.
#[derive(Default)]
pub(crate) struct Variant {
    /// The options of the reference; those of a kernel are [`Variant::semantics`].
    pub(crate) options: Options,
    pub(crate) semantics: u16,
    /// The extras that are not operands.
    pub(crate) extras: Vec<Extra>,
}

impl Variant {
    /// Returns the extras of a lane.
    pub(crate) fn numbers(&self, i: usize) -> Vec<f64> {
        let number = |extra: &Extra| match extra {
            Extra::Condition => f64::from(u8::from(!i.is_multiple_of(3))),
            Extra::Number(x) => *x,
            Extra::Array(all) => all[i % all.len()],
        };
        self.extras.iter().map(number).collect()
    }

    /// Returns the options of the reference for a lane of a kernel whose extras have the dtype `compute`.
    pub(crate) fn options_of(&self, op: Op, i: usize, compute: DType) -> Options {
        let mut options = self.options;
        let Some(number) = self.numbers(i).first().copied() else { return options };
        match op {
            Op::Where => options.condition = number != 0.0,
            // The reference takes the value of an element.
            Op::Lerp => options.weight = value(element(number, compute)),
            Op::BinaryCrossEntropy => options.loss_weight = value(element(number, compute)),
            Op::HuberLoss => options.delta = number,
            Op::SmoothL1Loss => options.beta = number,
            Op::PoissonNllLoss => options.eps = number,
            Op::Addcmul => options.value = number,
            Op::AddScaled | Op::SubtractScaled => options.alpha = number,
            Op::Isclose => (options.rtol, options.atol) = (number, self.numbers(i)[1]),
            Op::Threshold => (options.threshold, options.value) = (number, self.numbers(i)[1]),
            _ => {}
        }
        options
    }
}

fn value(element: ScalarValue) -> f64 {
    match element.number() {
        Some(Number::Float(x) | Number::Complex(x, _)) => x,
        other => unreachable!("a weight is no {other:?}"),
    }
}

/// Returns a number as an element. A condition is true if the number is not 0.
pub(crate) fn element(number: f64, dtype: DType) -> ScalarValue {
    ScalarValue::from_number(Number::Float(number), dtype).expect("a dtype with elements")
}

/// The ways in which an op is called.
pub(crate) fn variants(op: Op) -> Vec<Variant> {
    let numbers = |numbers: &[f64]| -> Vec<Variant> {
        numbers.iter().map(|x| Variant { extras: vec![Extra::Number(*x)], ..Variant::default() }).collect()
    };
    let pairs = |pairs: &[(f64, f64)]| -> Vec<Variant> {
        let variant = |&(x, y): &(f64, f64)| Variant {
            extras: vec![Extra::Number(x), Extra::Number(y)],
            ..Variant::default()
        };
        pairs.iter().map(variant).collect()
    };
    match op {
        Op::Where => vec![Variant { extras: vec![Extra::Condition], ..Variant::default() }],
        Op::Lerp => {
            let array = Extra::Array(&[0.0, 0.25, 0.3, 0.5, 0.7, 1.0, -1.5, 2.5, f64::NAN]);
            let mut all = numbers(&[0.3, 0.75]);
            all.push(Variant { extras: vec![array], ..Variant::default() });
            all
        }
        Op::Addcmul | Op::AddScaled | Op::SubtractScaled => numbers(&[1.0, 3.0]),
        Op::Isclose => pairs(&[(1e-5, 1e-8), (0.25, 0.5), (0.0, 0.0)]),
        Op::Threshold => pairs(&[(0.0, 2.0), (3.0, 0.0)]),
        Op::HuberLoss => numbers(&[1.0, 0.3, 1000.0]),
        Op::SmoothL1Loss => numbers(&[1.0, 0.3, 1000.0, 0.0]),
        Op::BinaryCrossEntropy => {
            let mut all = numbers(&[1.0]);
            let array = Extra::Array(&[1.0, 0.3, -2.0, 0.0, 7.0]);
            all.push(Variant { extras: vec![array], ..Variant::default() });
            all
        }
        Op::PoissonNllLoss => {
            let choices = [(true, false), (true, true), (false, false), (false, true)];
            let variant = |(log_input, full)| {
                let log = if log_input { 0 } else { semantics::LOG_INPUT_FALSE };
                let options = Options { log_input, full, ..Options::default() };
                let bits = log | if full { semantics::FULL_TRUE } else { 0 };
                numbers(&[1e-8, 0.1]).into_iter().map(move |extra| Variant {
                    options,
                    semantics: bits,
                    ..extra
                })
            };
            choices.into_iter().flat_map(variant).collect()
        }
        _ => vec![Variant::default()],
    }
}
