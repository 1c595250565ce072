//! PyTorch.

use promote::{DType, Kind, Op};

use super::{
    CaseException, Differs, ENDLESS_FUNCTION, ENDLESS_POWER, Exception, Exceptions, NO_U32, POWER,
    ZERO_TO_POWER, ZEROS, complex_steps, sum_of_powers,
};
use crate::defects::FAR_OFF;
use crate::tolerance::{magnitude, parts, unit};

/// Returns the least integer of a signed dtype.
fn least(dtype: DType) -> f64 {
    -(2.0_f64.powi(dtype.bits() as i32 - 1))
}

pub(crate) const TORCH: Exceptions = Exceptions {
    lanes: &[
        Exception {
            name: "infinities",
            recordings: "pairs cases",
            reason: "its vector loop divides first, and makes NaN of a quotient that overflows; its loop \
                     over the rest, and ours, give the remainder",
            is: |lane| {
                let quotient = lane.operand(0)[0] / lane.operand(1)[0];
                let great = if lane.dtype() == DType::F64 { f64::MAX } else { f32::MAX.into() };
                lane.is(&[Op::Fmod, Op::Remainder])
                    && parts(lane.theirs)[0].is_nan()
                    && quotient.abs() > great
            },
        },
        Exception {
            name: "infinities",
            recordings: "pairs cases",
            reason: "it multiplies the operand before it halves the product, or an infinity by 0",
            is: |lane| lane.is(&[Op::Gelu]) && !parts(lane.theirs)[0].is_finite() && lane.a() > 0.0,
        },
        Exception {
            name: FAR_OFF,
            recordings: "cases",
            reason: "it adds 1 to an error function or a tanh near -1, which leaves no digits; of a half it \
                     makes 0 where the result is small",
            is: |lane| {
                let [ours, theirs] = lane.real();
                let size = lane.a().abs().max(theirs.abs());
                let near = (ours - theirs).abs() <= 4.0 * unit(lane.dtype(), size);
                let halves = lane.half() && (lane.within(1.0) || theirs == 0.0);
                !lane.complex()
                    && (near && lane.is(&[Op::Gelu, Op::GeluTanh, Op::Silu])
                        || halves && lane.is(&[Op::Erf, Op::Gelu]))
            },
        },
        Exception { recordings: "pairs cases", ..ZEROS },
        Exception { recordings: "pairs cases", ..NO_U32 },
        Exception {
            name: "sign of zero",
            recordings: "pairs",
            reason: "it is -0, as nothing less than zero; of every other float it is +0",
            is: |lane| lane.is(&[Op::Abs]) && lane.dtype().bits() == 8 && lane.equal_values(),
        },
        Exception {
            name: "complex infinities and NaN",
            recordings: "pairs cases numbers",
            reason: "it multiplies the right operand by 1+0i first, and so the logarithm of a sum and a \
                     weight; an infinity times 0 is NaN",
            is: |lane| {
                let sums = [Op::Add, Op::Subtract, Op::L1Loss, Op::PoissonNllLoss, Op::Lerp, Op::Logaddexp];
                lane.complex() && lane.is(&sums) && !lane.finite()
            },
        },
        Exception {
            name: "steps in a narrow dtype",
            recordings: "pairs",
            reason: "the difference of two c32 is rounded to one before its absolute value is taken",
            is: |lane| {
                let [ours, theirs] = [lane.ours, lane.theirs].map(|x| parts(x)[0]);
                let size = magnitude(lane.operand(0)).max(magnitude(lane.operand(1))).max(ours);
                lane.is(&[Op::L1Loss])
                    && lane.dtype() == DType::F16
                    && (ours - theirs).abs() <= unit(DType::F16, size)
            },
        },
        Exception {
            name: "steps in a narrow dtype",
            recordings: "pairs",
            reason: "the product of a c32 and `alpha`, which is 3, is rounded to a c32 before it is added",
            is: |lane| {
                let product = 3.0 * magnitude(lane.operand(1));
                let (ours, theirs) = (parts(lane.ours), parts(lane.theirs));
                let size = product.max(magnitude(lane.operand(0))).max(magnitude(theirs));
                let near = (0..2).all(|i| (ours[i] - theirs[i]).abs() <= unit(DType::F16, size));
                lane.is(&[Op::AddScaled, Op::SubtractScaled])
                    && lane.dtype() == DType::C32
                    && (near || product > 65504.0)
            },
        },
        Exception {
            name: "angles of sums of powers",
            recordings: "pairs cases",
            reason: "the imaginary part of the logarithm is that of the greater operand and an angle, and \
                     not brought back between -π and π",
            is: |lane| lane.is(&[Op::Logaddexp]) && sum_of_powers(lane),
        },
        Exception {
            name: "sign of zero",
            recordings: "pairs cases numbers",
            reason: "it negates a complex number by subtracting it from 0+0i, multiplies the right \
                     operand of a sum by 1+0i, scales before it divides, and adds 1 as 1+0i; the sign of \
                     a zero is lost in each",
            is: |lane| {
                let steps =
                    lane.is(&[Op::Add, Op::Subtract, Op::Negative, Op::Divide]) && lane.equal_values();
                lane.complex()
                    && (steps
                        || lane.is(&[Op::Log1p, Op::Sigmoid, Op::Rsqrt, Op::Silu])
                            && lane.finite()
                            && lane.sizes_near(8.0))
            },
        },
        Exception { recordings: "pairs cases", ..ZERO_TO_POWER },
        ENDLESS_POWER,
        Exception {
            recordings: "cases",
            is: |lane| lane.is(&[Op::Ldexp]) && (ENDLESS_POWER.is)(lane),
            ..ENDLESS_POWER
        },
        POWER,
        Exception { recordings: "cases", is: |lane| lane.equal_values() && (POWER.is)(lane), ..POWER },
        ENDLESS_FUNCTION,
        Exception {
            recordings: "cases",
            is: |lane| {
                let known = lane.is(&[Op::Expm1, Op::Sigmoid, Op::Rsqrt, Op::Silu]) || lane.equal_values();
                known && (ENDLESS_FUNCTION.is)(lane)
            },
            ..ENDLESS_FUNCTION
        },
        Exception {
            name: "steps in a narrow dtype",
            recordings: "pairs cases",
            reason: "it is exp(a) - b a, each op in the dtype of its own operands: exp(f16) is an f16, \
                     also beside an f32, and the product of integers wraps; we compute in the common \
                     dtype, as the rules say",
            is: |lane| {
                let [a, b] = lane.operands.map(|operand| operand.dtype);
                (lane.composed || lane.equal_values())
                    && lane.is(&[Op::PoissonNllLoss])
                    && (a != b || a.kind() < Kind::Float)
            },
        },
        Exception {
            name: "steps in a narrow dtype",
            recordings: "pairs cases",
            reason: "it is a pow(2, b), each op in the dtype of its own operands; we compute in the \
                     common dtype, as the rules say",
            is: |lane| {
                let [a, b] = lane.operands.map(|operand| operand.dtype);
                let near = lane.composed || lane.complex() || lane.within(2.0);
                lane.is(&[Op::Ldexp]) && a != b && near
            },
        },
        Exception {
            name: "complex quotients",
            recordings: "pairs",
            reason: "it scales by the greater part, and is some units off; ours is Smith's formula, as \
                     NumPy's",
            is: |lane| lane.is(&[Op::Divide]) && complex_steps(lane, 4.0),
        },
        Exception {
            name: "Python numbers",
            recordings: "cases",
            reason: "it leaves the array as it is; in every other op a number that does not fit wraps",
            is: |lane| {
                let unsigned = lane.dtype().kind() == Kind::Unsigned;
                lane.is(&[Op::ClampMin]) && unsigned && lane.b() < 0.0 && lane.real()[1] == lane.a()
            },
        },
        Exception {
            name: "integers that overflow on the way",
            recordings: "cases",
            reason: "its absolute value wraps to itself, and the sign stays to the end; ours is the \
                     divisor of the true values",
            is: |lane| {
                let one_is_least =
                    lane.operands.iter().any(|operand| operand.parts[0] == least(operand.dtype));
                let [ours, theirs] = lane.real();
                lane.is(&[Op::Gcd]) && one_is_least && ours == -theirs
            },
        },
        Exception {
            name: "integers that overflow on the way",
            recordings: "cases",
            reason: "i8 and i16 lose the sign and then wrap, as ours do; i32 and i64 wrap and then lose \
                     the sign",
            is: |lane| {
                let [ours, theirs] = lane.real();
                let wide = matches!(lane.dtype(), DType::I32 | DType::I64);
                lane.is(&[Op::Lcm]) && wide && ours < 0.0 && ours == -theirs
            },
        },
        Exception {
            name: "order of a reduction",
            recordings: "cases",
            reason: "every step is rounded, so that the order shows: PyTorch's is four accumulators of 16 \
                     lanes, ours from the first to the last",
            is: |lane| lane.composed && lane.is(&[Op::Prod]),
        },
        Exception {
            name: "sign of zero",
            recordings: "cases",
            reason: "`acos` of 0+0i and 1+0i has the imaginary part +0; ours is -0, as the sign of the \
                     operand's zero says",
            is: |lane| lane.complex() && lane.is(&[Op::Acos]) && lane.equal_values(),
        },
    ],
    cases: &[
        CaseException {
            op: "binary_cross_entropy",
            parts: "zero_dim:",
            differs: Differs::Result,
            reason: "it wants both operands of one shape, and rules look at dtypes",
        },
        CaseException {
            op: "l1_loss",
            parts: "left.bool|left.u|left.i",
            differs: Differs::Result,
            reason: "unreduced it takes integers; by default it takes the mean, which does not, and so the rules refuse them",
        },
    ],
    left_out: &[(
        "numbers_torch",
        "reciprocal_times",
        "Python's `number / array`, which PyTorch makes of two ops; the op is `divide`",
    )],
};
