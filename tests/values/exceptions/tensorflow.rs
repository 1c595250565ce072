//! TensorFlow, and its `tf.experimental.numpy`.

use promote::{DType, Kind, Op};

use super::{CaseException, Differs, Exception, Exceptions, FLUSHED, PASSES_OVER_NAN, STEPS_OF_HYPOT};

pub(crate) const TENSORFLOW: Exceptions = Exceptions {
    lanes: &[
        FLUSHED,
        PASSES_OVER_NAN,
        STEPS_OF_HYPOT,
        Exception {
            name: "floats that an integer does not hold",
            recordings: "cases",
            reason: "it looks at the real part only; every other op takes i for true",
            is: |lane| lane.is(&[Op::Astype]) && lane.operands[0].dtype.kind() == Kind::Complex,
        },
        Exception {
            name: "floats that an integer does not hold",
            recordings: "cases",
            reason: "it is 0, as only f16 has it; from every other float what is above 255 becomes 255",
            is: |lane| lane.is(&[Op::Astype]) && lane.operands[0].dtype == DType::F16 && lane.a() == 65504.0,
        },
        Exception {
            name: "order of a reduction",
            recordings: "cases",
            reason: "each step is rounded to the half, in an order of its own",
            is: |lane| lane.is(&[Op::Sum, Op::Mean, Op::Prod]) && lane.half() && lane.within(2.0),
        },
        Exception {
            name: "functions far from the exact result",
            recordings: "cases",
            reason: "the vector loop is one unit off, even of 1",
            is: |lane| lane.is(&[Op::Reciprocal]) && lane.dtype() == DType::F32 && lane.within(1.0),
        },
        Exception {
            name: "steps in a narrow dtype",
            recordings: "cases",
            reason: "a formula of its own, in steps of halves",
            is: |lane| lane.is(&[Op::Sigmoid]) && lane.half() && lane.within(1.0),
        },
    ],
    cases: &[
        CaseException {
            op: "multiply",
            parts: "left.bool right.i32",
            differs: Differs::Result,
            reason: "the rules speak of `*`, which gives bool; tf.math.multiply promotes as the other functions do",
        },
        CaseException {
            op: "divide",
            parts: "left.u8 number:-1",
            differs: Differs::Values,
            reason: "it wraps the number to u8 before it takes floats; ours takes floats of both",
        },
    ],
    left_out: &[],
};
