//! OneFlow.

use promote::{DType, Kind, Op};

use super::{Exception, Exceptions, PASSES_OVER_NAN};

pub(crate) const ONEFLOW: Exceptions = Exceptions {
    lanes: &[
        PASSES_OVER_NAN,
        Exception {
            name: "integers that overflow on the way",
            recordings: "cases",
            reason: "they go through f32 and saturate; its products wrap",
            is: |lane| lane.is(&[Op::Add, Op::Subtract]) && lane.integers(),
        },
        Exception {
            name: "sign of zero",
            recordings: "cases",
            reason: "-0 + -0 is +0, but for f32",
            is: |lane| lane.is(&[Op::Add]) && lane.equal_values(),
        },
        Exception {
            name: "Python numbers",
            recordings: "cases",
            reason: "it negates the array first, in the array's own dtype, where it wraps",
            is: |lane| lane.is(&[Op::Subtract]) && lane.number && lane.operands[1].dtype.kind() < Kind::Float,
        },
        Exception {
            name: "Python numbers",
            recordings: "cases",
            reason: "it multiplies by the reciprocal, which is rounded",
            is: |lane| lane.is(&[Op::Divide]) && lane.number && lane.within(1.0),
        },
        Exception {
            name: "integers by zero",
            recordings: "cases",
            reason: "0 / 0 is false; in every other op NaN is true",
            is: |lane| lane.is(&[Op::Divide]) && lane.dtype() == DType::Bool,
        },
        Exception {
            name: "NaN in orders and extrema",
            recordings: "cases",
            reason: "the vector loop of f32 asks whether it is not less",
            is: |lane| {
                let nan = lane.a().is_nan() || lane.b().is_nan();
                lane.is(&[Op::GreaterEqual]) && nan
            },
        },
        Exception {
            name: "NaN in orders and extrema",
            recordings: "cases",
            reason: "a NaN on the right wins, one on the left gives way",
            is: |lane| lane.is(&[Op::Maximum, Op::Minimum, Op::Max]) && lane.real()[0].is_nan(),
        },
    ],
    cases: &[],
    left_out: &[],
};
