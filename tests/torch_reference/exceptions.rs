//! Where PyTorch does not agree with itself, or does what no other system does: each with its reason, and as
//! narrow as it can be told from the operands. The reference has the meaning that is the same for every
//! dtype.

use promote::{DType, Kind, Op};

use crate::defects;
use crate::tolerance::sums_near;

/// One lane that differs.
pub(crate) struct Lane {
    pub(crate) op: Op,
    /// The operands; of an op of one operand the second is the first.
    pub(crate) operands: [(DType, [f64; 2]); 2],
    /// What comes out, as dtype.
    pub(crate) dtype: DType,
    pub(crate) ours: [f64; 2],
    pub(crate) theirs: [f64; 2],
    /// Whether PyTorch's value is what other ops give, of which it makes this one (`composed.rs`).
    pub(crate) composed: bool,
}

impl Lane {
    /// As `docs/defects.md` tells it.
    pub(crate) fn example(&self, case: &str) -> String {
        defects::example(self.op, case, self.operands, self.dtype, [self.ours, self.theirs])
    }

    fn is(&self, ops: &[Op]) -> bool {
        ops.contains(&self.op)
    }

    fn complex(&self) -> bool {
        self.operands.iter().any(|operand| operand.0.kind() == Kind::Complex)
    }

    fn a(&self) -> f64 {
        self.operands[0].1[0]
    }

    fn b(&self) -> f64 {
        self.operands[1].1[0]
    }
}

/// The name of the defect in `docs/defects.md`, what the framework does there, and which lanes it excuses.
pub(crate) type Exception = (&'static str, &'static str, fn(&Lane) -> bool);

fn finite(parts: [f64; 2]) -> bool {
    parts.iter().all(|x| x.is_finite())
}

/// The least integer of a signed dtype.
fn least(dtype: DType) -> f64 {
    -(2.0_f64.powi(dtype.bits() as i32 - 1))
}

/// Every exception. One that excuses nothing is out of date.
pub(crate) const EXCEPTIONS: &[Exception] = &[
    (
        "infinities",
        "PyTorch's vector loop divides first, and makes NaN of a quotient that overflows; its loop over the rest, and we, give the \
         remainder",
        |lane| {
            let quotient = lane.a() / lane.b();
            let great = if lane.dtype == DType::F64 { f64::MAX } else { f32::MAX.into() };
            lane.is(&[Op::Fmod, Op::Remainder]) && lane.theirs[0].is_nan() && quotient.abs() > great
        },
    ),
    (
        "order of zeros",
        "of +0 and -0 PyTorch gives the left or the right one as dtype, op and place in the array have it; for us +0 is greater",
        |lane| {
            let ops = [Op::Maximum, Op::Minimum, Op::Fmax, Op::Fmin, Op::ClampMin];
            lane.is(&ops) && lane.ours[0] == 0.0 && lane.theirs[0] == 0.0
        },
    ),
    (
        "Python numbers",
        "it leaves the array as it is; in every other op a number that does not fit wraps",
        |lane| {
            let unsigned = lane.dtype.kind() == Kind::Unsigned;
            lane.is(&[Op::ClampMin]) && unsigned && lane.b() < 0.0 && lane.theirs[0] == lane.a()
        },
    ),
    (
        "integers that overflow on the way",
        "its absolute value wraps to itself, and the sign stays to the end; ours is the divisor of the true values",
        |lane| {
            let one_is_least = lane.operands.iter().any(|(dtype, x)| x[0] == least(*dtype));
            lane.is(&[Op::Gcd]) && one_is_least && lane.ours[0] == -lane.theirs[0]
        },
    ),
    (
        "integers that overflow on the way",
        "i8 and i16 lose the sign and then wrap, as ours do; i32 and i64 wrap and then lose the sign",
        |lane| {
            lane.is(&[Op::Lcm])
                && matches!(lane.dtype, DType::I32 | DType::I64)
                && lane.ours[0] < 0.0
                && lane.ours[0] == -lane.theirs[0]
        },
    ),
    (
        "floats that an integer does not hold",
        "NaN and -inf give 2^31 from every other float, and 0 from f16, which takes PyTorch's scalar loop",
        |lane| {
            let (from, x) = lane.operands[0];
            lane.is(&[Op::Astype]) && lane.dtype == DType::U32 && from == DType::F16 && !finite(x)
        },
    ),
    (
        "complex infinities and NaN",
        "its steps multiply infinity by 0 and divide it by infinity, which is NaN; ours is what the function tends to",
        |lane| {
            let far = lane.a().abs() > 80.0 || lane.a().is_nan();
            let nan = |parts: [f64; 2]| parts.iter().filter(|x| x.is_nan()).count();
            let lost = nan(lane.theirs) > nan(lane.ours);
            lane.is(&[Op::Expm1, Op::Sigmoid]) && lane.complex() && far && lost
        },
    ),
    (
        "steps in a narrow dtype",
        "it is exp(a) - b a, each op in the dtype of its own operands: exp(f16) is an f16, also beside an f32, and the product of \
         integers wraps; we compute in the common dtype, as the rules say",
        |lane| {
            let [(a, _), (b, _)] = lane.operands;
            lane.composed && lane.is(&[Op::PoissonNllLoss]) && (a != b || a.kind() < Kind::Float)
        },
    ),
    (
        "steps in a narrow dtype",
        "it is a pow(2, b), each op in the dtype of its own operands; we compute in the common dtype, as the rules say",
        |lane| lane.composed && lane.is(&[Op::Ldexp]) && !lane.complex(),
    ),
    (
        "order of a reduction",
        "every step is rounded, so that the order shows: PyTorch's is four accumulators of 16 lanes, ours from the first to the last",
        |lane| lane.composed && lane.is(&[Op::Prod]),
    ),
    ("powers of a complex zero", "PyTorch's complex one is NaN, its real one 1; ours is 1", |lane| {
        let zeros = lane.operands.iter().all(|operand| operand.1 == [0.0, 0.0]);
        lane.complex() && lane.is(&[Op::Pow, Op::FloatPower]) && zeros
    }),
    (
        "complex infinities and NaN",
        "PyTorch multiplies the right operand by 1+0i or the weight, and an infinity times 0 is NaN",
        |lane| {
            let ops = [Op::Add, Op::Subtract, Op::Lerp, Op::PoissonNllLoss];
            let all = finite(lane.operands[0].1) && finite(lane.operands[1].1) && finite(lane.theirs);
            let known = lane.composed && lane.is(&ops) || lane.is(&[Op::Logaddexp]);
            known && lane.complex() && !all
        },
    ),
    (
        "complex infinities and NaN",
        "in ldexp: which parts become NaN follows from the order of PyTorch's operations",
        |lane| lane.complex() && lane.is(&[Op::Ldexp]) && !finite(lane.operands[1].1),
    ),
    (
        "angles of sums of powers",
        "the imaginary part of the logarithm is that of the greater operand and an angle, and not brought back between -π and π",
        |lane| {
            let operands = lane.operands.map(|operand| operand.1);
            lane.complex()
                && lane.is(&[Op::Logaddexp])
                && sums_near(lane.dtype, 1.0, operands, [lane.ours, lane.theirs])
        },
    ),
    (
        "sign of zero",
        "PyTorch negates a complex number by subtracting it from 0, and its other functions lose signs of zeros too; we keep them",
        |lane| {
            lane.complex()
                && lane.ours.iter().zip(&lane.theirs).all(|(x, y)| x == y || x.is_nan() && y.is_nan())
        },
    ),
];

/// Whole cases that differ in whether there is a result: op, what its text contains, reason.
pub(crate) const CASES: &[(&str, &str, &str)] = &[
    ("binary_cross_entropy", "zero_dim:", "it wants both operands of one shape, and rules look at dtypes"),
    (
        "l1_loss",
        "left.",
        "unreduced it takes integers; by default it takes the mean, which does not, and so the rules refuse them",
    ),
];
