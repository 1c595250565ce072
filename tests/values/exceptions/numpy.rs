//! NumPy.

use promote::Op;

use super::{
    ANGLE, CaseException, Differs, ENDLESS_POWER, EXTREMA, Exception, Exceptions, FUSED, NO_U32, POWER, SIGN,
    ZERO_TO_POWER, ZEROS, complex_steps,
};
use crate::tolerance::parts;

pub(crate) const NUMPY: Exceptions = Exceptions {
    lanes: &[
        ZEROS,
        NO_U32,
        ANGLE,
        Exception {
            name: "NaN in orders and extrema",
            recordings: "pairs",
            reason: "it gives the first operand that has a NaN part, with whatever the other part is, so \
                     that the order shows; ours is NaN in both parts",
            is: |lane| {
                lane.complex() && lane.is(EXTREMA) && parts(lane.ours).iter().all(|part| part.is_nan())
            },
        },
        FUSED,
        Exception {
            name: "sign of zero",
            recordings: "pairs",
            reason: "1 / (0-2i) is 0+0.5i and 1 / (0-2i) as a quotient of two arrays -0+0.5i; ours is the \
                     quotient",
            is: |lane| lane.complex() && lane.is(&[Op::Reciprocal]) && lane.equal_values(),
        },
        ZERO_TO_POWER,
        ENDLESS_POWER,
        POWER,
        SIGN,
        Exception {
            name: "complex infinities and NaN",
            recordings: "pairs",
            reason: "of sin(NaN-inf i), for which Annex G has either",
            is: |lane| {
                let [ours, theirs] = [lane.ours, lane.theirs].map(parts);
                let same = |(x, y): (f64, f64)| x.abs() == y.abs() || x.is_nan() && y.is_nan();
                lane.complex()
                    && lane.is(&[Op::Sin])
                    && !lane.finite()
                    && (0..2).all(|i| same((ours[i], theirs[i])))
            },
        },
        Exception {
            name: "complex functions",
            recordings: "pairs",
            reason: "it takes the absolute value of 1+z, which loses digits near 1",
            is: |lane| lane.complex() && lane.is(&[Op::Log1p]) && lane.finite() && complex_steps(lane, 32.0),
        },
    ],
    cases: &[CaseException {
        op: "reciprocal",
        parts: "left.bool|left.u8|left.i",
        differs: Differs::Result,
        reason: "of integers it is 1 / x cut towards zero, and of 0 whatever the processor leaves; the reference computes it of floats only",
    }],
    left_out: &[("pairs_numpy", "imag", "the rule file does not have the op")],
};

pub(crate) const NUMPY1: Exceptions = Exceptions { lanes: &[], cases: &[], left_out: &[] };
