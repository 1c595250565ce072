//! Where a framework gives something else than the reference, and why: it contradicts itself, or it follows
//! its vector loop, of which no rule set could speak.

use promote::{DType, Kind, Op};

use crate::defects;
use crate::tolerance::unit;

/// One lane that differs.
pub(crate) struct Lane {
    pub(crate) op: Op,
    /// The operands; of an op of one operand the second is the first.
    pub(crate) operands: [(DType, [f64; 2]); 2],
    /// Whether one of them is a number.
    pub(crate) number: bool,
    /// What comes out, as dtype.
    pub(crate) dtype: DType,
    pub(crate) ours: [f64; 2],
    pub(crate) theirs: [f64; 2],
}

impl Lane {
    /// As `docs/defects.md` tells it.
    pub(crate) fn example(&self, case: &str) -> String {
        defects::example(self.op, case, self.operands, self.dtype, [self.ours, self.theirs])
    }

    fn is(&self, ops: &[Op]) -> bool {
        ops.contains(&self.op)
    }

    fn a(&self) -> f64 {
        self.operands[0].1[0]
    }

    fn b(&self) -> f64 {
        self.operands[1].1[0]
    }

    fn integers(&self) -> bool {
        self.operands.iter().all(|operand| operand.0.kind() < Kind::Float)
    }

    fn half(&self) -> bool {
        matches!(self.dtype, DType::F16 | DType::BF16)
    }

    /// Whether both results are zeros, of whatever sign.
    fn zeros(&self) -> bool {
        self.ours == [0.0, 0.0] && self.theirs == [0.0, 0.0]
    }

    /// Whether the results lie at most this many units apart.
    fn within(&self, units: f64) -> bool {
        (self.ours[0] - self.theirs[0]).abs() <= units * unit(self.dtype, self.theirs[0])
    }

    /// Whether an operand, the result or the quotient is subnormal in the format that computes, which is
    /// `f32` for halves.
    fn subnormal(&self) -> bool {
        let small = |dtype: DType, x: f64| {
            let least = if matches!(dtype, DType::F64 | DType::C128) {
                f64::MIN_POSITIVE
            } else {
                f32::MIN_POSITIVE.into()
            };
            x != 0.0 && x.abs() < least
        };
        let divides = self.is(&[Op::FloorDivide, Op::Remainder, Op::Fmod]);
        self.operands.iter().any(|(dtype, x)| small(*dtype, x[0]) || small(*dtype, x[1]))
            || small(self.dtype, self.ours[0])
            || divides && small(self.dtype, self.a() / self.b())
    }
}

/// The name of the defect in `docs/defects.md`, what the framework does there, and which lanes it excuses.
pub(crate) type Exception = (&'static str, &'static str, fn(&Lane) -> bool);

/// What a framework is excused.
pub(crate) struct Framework {
    pub(crate) lanes: &'static [Exception],
    /// Whole cases: ops, what the text contains (parts separated by `|`), the reason.
    pub(crate) cases: &'static [(&'static str, &'static str, &'static str)],
}

const FLUSHED: Exception = (
    "subnormals",
    "its loops take a subnormal for 0, and give 0 for one; ours keep them, as the formats have them",
    Lane::subnormal,
);

const PASSES_OVER_NAN: Exception = (
    "NaN in orders and extrema",
    "they pass over NaN; ours name the first one, as in NumPy, JAX and PyTorch",
    |lane| lane.is(&[Op::Argmax, Op::Argmin]),
);

const STEPS_OF_HYPOT: Exception = (
    "hypot by squares",
    "it is the root of a·a + b·b, each step rounded to the dtype: it overflows, wraps, and gives NaN beside an infinity",
    |lane| {
        let (ours, theirs) = (lane.ours[0], lane.theirs[0]);
        // Three steps of the coarsest format, bf16.
        let near = (ours - theirs).abs() <= 3.0 * 2.0_f64.powi(-8) * ours.abs();
        lane.is(&[Op::Hypot]) && (near || !theirs.is_finite() || lane.integers() || lane.subnormal())
    },
);

pub(crate) const NUMPY: Framework = Framework {
    lanes: &[],
    cases: &[(
        "reciprocal",
        "left.bool|left.u8|left.i",
        "of integers it is 1 / x cut towards zero, and of 0 whatever the processor leaves; the reference takes floats",
    )],
};

pub(crate) const JAX: Framework = Framework {
    lanes: &[
        FLUSHED,
        (
            "integers by zero",
            "the quotient by zero is -1, which is then rounded down as if it were one: 1 // 0 is -2, 0 // 0 is -1",
            |lane| {
                lane.is(&[Op::FloorDivide]) && lane.integers() && lane.b() == 0.0 && lane.theirs[0] == -2.0
            },
        ),
        ("Python numbers", "it multiplies by the reciprocal, which is rounded", |lane| {
            lane.is(&[Op::Divide]) && lane.number && lane.within(1.0)
        }),
        (
            "sign of zero",
            "it is what the subtraction of the remainder leaves; ours is that of a / b",
            |lane| lane.is(&[Op::FloorDivide]) && lane.zeros(),
        ),
        ("sign of zero", "it keeps -0; ours is +0, as of NumPy and PyTorch", |lane| {
            lane.is(&[Op::Sign]) && lane.zeros()
        }),
        ("Python numbers", "a whole one is made of multiplications, each rounded to the half", |lane| {
            lane.is(&[Op::Pow]) && lane.number && lane.half() && lane.within(1.0)
        }),
        (
            "order of a reduction",
            "it adds neighbours first and each sum is rounded; ours goes from the first to the last",
            |lane| {
                let coarse = unit(lane.dtype, 16.0);
                lane.is(&[Op::Cumsum]) && lane.half() && (lane.ours[0] - lane.theirs[0]).abs() <= 2.0 * coarse
            },
        ),
        (
            "functions far from the exact result",
            "it is made of two powers of e, of which the error in the exponent grows with it",
            |lane| lane.is(&[Op::Sinh]) && lane.within(20.0),
        ),
        ("steps in a narrow dtype", "some steps are rounded to the half and some are fused", |lane| {
            lane.is(&[Op::Logaddexp, Op::Logaddexp2]) && lane.half() && lane.within(16.0)
        }),
        STEPS_OF_HYPOT,
    ],
    cases: &[],
};

pub(crate) const TENSORFLOW: Framework = Framework {
    lanes: &[
        FLUSHED,
        PASSES_OVER_NAN,
        STEPS_OF_HYPOT,
        (
            "floats that an integer does not hold",
            "it looks at the real part only; every other op takes i for true",
            |lane| lane.is(&[Op::Astype]) && lane.operands[0].0.kind() == Kind::Complex,
        ),
        (
            "floats that an integer does not hold",
            "it is 0, as only f16 has it; from every other float what is above 255 becomes 255",
            |lane| lane.is(&[Op::Astype]) && lane.operands[0].0 == DType::F16 && lane.a() == 65504.0,
        ),
        ("order of a reduction", "each step is rounded to the half, in an order of its own", |lane| {
            lane.is(&[Op::Sum, Op::Mean, Op::Prod]) && lane.half() && lane.within(2.0)
        }),
        ("functions far from the exact result", "the vector loop is one unit off, even of 1", |lane| {
            lane.is(&[Op::Reciprocal]) && lane.dtype == DType::F32 && lane.within(1.0)
        }),
        ("steps in a narrow dtype", "a formula of its own, in steps of halves", |lane| {
            lane.is(&[Op::Sigmoid]) && lane.half() && lane.within(1.0)
        }),
    ],
    cases: &[
        (
            "multiply",
            "left.bool right.i32",
            "the rules speak of `*`, which gives bool; tf.math.multiply promotes as the other functions do",
        ),
        (
            "divide",
            "left.u8 number:-1",
            "it wraps the number to u8 before it takes floats; ours takes floats of both",
        ),
    ],
};

pub(crate) const PADDLE: Framework = Framework {
    lanes: &[
        PASSES_OVER_NAN,
        STEPS_OF_HYPOT,
        (
            "subnormals",
            "of -inf, and of what is below the logarithm of the least normal number, the vector loop gives a subnormal",
            |lane| lane.is(&[Op::Exp, Op::Logaddexp]) && lane.ours[0] == 0.0 && lane.theirs[0].abs() < 1e-38,
        ),
        ("infinities", "the difference of two of one sign is NaN", |lane| {
            lane.is(&[Op::Logaddexp]) && lane.a() == lane.b() && lane.theirs[0].is_nan()
        }),
        ("sign of zero", "`-a` and a product with a number are a·n + 0, of which -0 becomes +0", |lane| {
            lane.is(&[Op::Multiply, Op::Negative])
                && lane.ours.iter().zip(&lane.theirs).all(|(x, y)| x == y || x.is_nan() && y.is_nan())
        }),
        ("infinities", "the vector loop gives that of +0 and inf; of two arrays it does not", |lane| {
            let signless = lane.a() == 0.0 || lane.a().is_infinite();
            lane.is(&[Op::Pow]) && lane.number && signless
        }),
        (
            "complex infinities and NaN",
            "it is a product with -1+0i, in which an infinity times 0 is NaN",
            |lane| {
                let finite = lane.operands[0].1.iter().all(|x| x.is_finite());
                lane.is(&[Op::Negative]) && lane.dtype == DType::C64 && !finite
            },
        ),
        (
            "steps in a narrow dtype",
            "it computes in f32 and is then widened, so that the units are those of f32",
            |lane| {
                let narrow = 3.0 * unit(DType::F32, lane.ours[0]);
                lane.is(&[Op::Atan2]) && lane.integers() && (lane.ours[0] - lane.theirs[0]).abs() <= narrow
            },
        ),
        ("Python numbers", "it is multiplied and wraps; of two arrays it goes through f64", |lane| {
            lane.is(&[Op::Pow]) && lane.number && lane.integers()
        }),
        ("infinities", "the vector loop of f32 makes NaN of inf, and +0 of -0 and of subnormals", |lane| {
            let normal = lane.a().is_normal() && lane.a().abs() >= f32::MIN_POSITIVE.into();
            lane.is(&[Op::Sqrt]) && lane.dtype == DType::F32 && !normal
        }),
        (
            "floats that an integer does not hold",
            "2^31 does not fit, and wraps to the least again; ours takes the greatest",
            |lane| lane.is(&[Op::Copysign]) && lane.integers() && lane.theirs[0] == lane.a(),
        ),
        (
            "floats that an integer does not hold",
            "it goes through f64, so that the greatest becomes the least; floor and ceil do not",
            |lane| lane.is(&[Op::Trunc]) && lane.dtype == DType::I64,
        ),
    ],
    cases: &[("divide", "left.bool right.bool", "it refuses a bool by false, but not an integer by 0")],
};

pub(crate) const ONEFLOW: Framework = Framework {
    lanes: &[
        PASSES_OVER_NAN,
        (
            "integers that overflow on the way",
            "they go through f32 and saturate; its products wrap",
            |lane| lane.is(&[Op::Add, Op::Subtract]) && lane.integers(),
        ),
        ("sign of zero", "-0 + -0 is +0, but for f32", |lane| lane.is(&[Op::Add]) && lane.zeros()),
        ("Python numbers", "it negates the array first, in the array's own dtype, where it wraps", |lane| {
            lane.is(&[Op::Subtract]) && lane.number && lane.operands[1].0.kind() < Kind::Float
        }),
        ("Python numbers", "it multiplies by the reciprocal, which is rounded", |lane| {
            lane.is(&[Op::Divide]) && lane.number && lane.within(1.0)
        }),
        ("integers by zero", "0 / 0 is false; in every other op NaN is true", |lane| {
            lane.is(&[Op::Divide]) && lane.dtype == DType::Bool
        }),
        ("NaN in orders and extrema", "the vector loop of f32 asks whether it is not less", |lane| {
            let nan = lane.a().is_nan() || lane.b().is_nan();
            lane.is(&[Op::GreaterEqual]) && nan
        }),
        ("NaN in orders and extrema", "a NaN on the right wins, one on the left gives way", |lane| {
            lane.is(&[Op::Maximum, Op::Minimum, Op::Max]) && lane.ours[0].is_nan()
        }),
    ],
    cases: &[],
};
