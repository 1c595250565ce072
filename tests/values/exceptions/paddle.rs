//! Paddle.

use promote::{DType, Op};

use super::{CaseException, Differs, Exception, Exceptions, PASSES_OVER_NAN, STEPS_OF_HYPOT};
use crate::tolerance::unit;

pub(crate) const PADDLE: Exceptions = Exceptions {
    lanes: &[
        PASSES_OVER_NAN,
        STEPS_OF_HYPOT,
        Exception {
            name: "subnormals",
            recordings: "cases",
            reason: "of -inf, and of what is below the logarithm of the least normal number, the vector \
                     loop gives a subnormal",
            is: |lane| {
                lane.is(&[Op::Exp, Op::Logaddexp]) && lane.real()[0] == 0.0 && lane.real()[1].abs() < 1e-38
            },
        },
        Exception {
            name: "infinities",
            recordings: "cases",
            reason: "the difference of two of one sign is NaN",
            is: |lane| lane.is(&[Op::Logaddexp]) && lane.a() == lane.b() && lane.real()[1].is_nan(),
        },
        Exception {
            name: "sign of zero",
            recordings: "cases",
            reason: "`-a` and a product with a number are a·n + 0, of which -0 becomes +0",
            is: |lane| lane.is(&[Op::Multiply, Op::Negative]) && lane.equal_values(),
        },
        Exception {
            name: "infinities",
            recordings: "cases",
            reason: "the vector loop gives that of +0 and inf; of two arrays it does not",
            is: |lane| {
                let signless = lane.a() == 0.0 || lane.a().is_infinite();
                lane.is(&[Op::Pow]) && lane.number && signless
            },
        },
        Exception {
            name: "complex infinities and NaN",
            recordings: "cases",
            reason: "it is a product with -1+0i, in which an infinity times 0 is NaN",
            is: |lane| {
                let finite = lane.operand(0).iter().all(|x| x.is_finite());
                lane.is(&[Op::Negative]) && lane.dtype() == DType::C64 && !finite
            },
        },
        Exception {
            name: "steps in a narrow dtype",
            recordings: "cases",
            reason: "it computes in f32 and is then widened, so that the units are those of f32",
            is: |lane| {
                let narrow = 3.0 * unit(DType::F32, lane.real()[0]);
                lane.is(&[Op::Atan2]) && lane.integers() && (lane.real()[0] - lane.real()[1]).abs() <= narrow
            },
        },
        Exception {
            name: "Python numbers",
            recordings: "cases",
            reason: "it is multiplied and wraps; of two arrays it goes through f64",
            is: |lane| lane.is(&[Op::Pow]) && lane.number && lane.integers(),
        },
        Exception {
            name: "infinities",
            recordings: "cases",
            reason: "the vector loop of f32 makes NaN of inf, and +0 of -0 and of subnormals",
            is: |lane| {
                let normal = lane.a().is_normal() && lane.a().abs() >= f32::MIN_POSITIVE.into();
                lane.is(&[Op::Sqrt]) && lane.dtype() == DType::F32 && !normal
            },
        },
        Exception {
            name: "floats that an integer does not hold",
            recordings: "cases",
            reason: "2^31 does not fit, and wraps to the least again; ours takes the greatest",
            is: |lane| lane.is(&[Op::Copysign]) && lane.integers() && lane.real()[1] == lane.a(),
        },
        Exception {
            name: "floats that an integer does not hold",
            recordings: "cases",
            reason: "it goes through f64, so that the greatest becomes the least; floor and ceil do not",
            is: |lane| lane.is(&[Op::Trunc]) && lane.dtype() == DType::I64,
        },
    ],
    cases: &[CaseException {
        op: "divide",
        parts: "left.bool right.bool",
        differs: Differs::Result,
        reason: "it refuses a bool by false, but not an integer by 0",
    }],
    left_out: &[],
};
