//! Where a framework gives something else than the kernels, and why we do not copy it; and what has no kernel yet.

use core::fmt;

use promote::kernel::ScalarValue;
use promote::{DType, Kind, Number, Op};

use crate::defects;
use crate::tolerance::{magnitude, parts, unit};

/// One lane that differs.
#[derive(Clone)]
pub(crate) struct Lane {
    pub(crate) op: Op,
    /// The operands; of an op of one operand the second is the first.
    pub(crate) operands: [ScalarValue; 2],
    pub(crate) ours: ScalarValue,
    pub(crate) theirs: ScalarValue,
}

impl Lane {
    fn is(&self, ops: &[Op]) -> bool {
        ops.contains(&self.op)
    }

    /// The parts of an operand.
    fn operand(&self, i: usize) -> [f64; 2] {
        parts(self.operands[i])
    }

    /// Whether an operand is complex.
    fn complex(&self) -> bool {
        self.operands.iter().any(|operand| operand.dtype().kind() == Kind::Complex)
    }

    /// Whether the recording can know the exact result: of complex numbers not on cuts, where the signs of zeros decide, nor where a part is
    /// not finite.
    pub(crate) fn is_known(&self, compute: DType) -> bool {
        compute.kind() != Kind::Complex
            || [0, 1].iter().all(|i| self.operand(*i).iter().all(|part| part.is_finite() && *part != 0.0))
    }

    /// Whether all that takes part is finite.
    fn finite(&self) -> bool {
        [self.operand(0), self.operand(1), parts(self.theirs)].iter().flatten().all(|part| part.is_finite())
    }

    /// Whether a part of an operand or of a result, or a quotient, is subnormal in `f32` or `f64`, whichever computes.
    pub(crate) fn subnormal(&self) -> bool {
        let small = |dtype: DType, x: f64| {
            let least = if matches!(dtype, DType::F64 | DType::C128) {
                f64::MIN_POSITIVE
            } else {
                f32::MIN_POSITIVE.into()
            };
            x != 0.0 && x.abs() < least
        };
        let [a, b] = self.operands;
        let quotient = self.operand(0)[0] / self.operand(1)[0];
        let divides =
            self.is(&[Op::FloorDivide, Op::Remainder, Op::Fmod]) && small(self.ours.dtype(), quotient);
        divides
            || [a, b, self.ours, self.theirs]
                .iter()
                .any(|x| parts(*x).iter().any(|part| small(x.dtype(), *part)))
    }

    /// Whether it is a power of complex numbers.
    fn complex_power(&self) -> bool {
        self.ours.dtype().kind() == Kind::Complex && self.is(&[Op::Pow, Op::FloatPower])
    }

    /// Whether it is an elementary function of a complex number.
    fn complex_function(&self) -> bool {
        self.complex()
            && self.is(&[
                Op::Sqrt,
                Op::Exp,
                Op::Exp2,
                Op::Expm1,
                Op::Log,
                Op::Log1p,
                Op::Log2,
                Op::Log10,
                Op::Sin,
                Op::Cos,
                Op::Tan,
                Op::Asin,
                Op::Acos,
                Op::Atan,
                Op::Sinh,
                Op::Cosh,
                Op::Tanh,
                Op::Asinh,
                Op::Acosh,
                Op::Atanh,
                Op::Sigmoid,
                Op::Sign,
            ])
    }

    /// Whether the parts of a result, of any signs, lie within so many units of the greater one.
    fn sizes_near(&self, units: f64) -> bool {
        let theirs = parts(self.theirs);
        let bound = units * unit(self.ours.dtype(), magnitude(theirs));
        parts(self.ours).iter().zip(&theirs).all(|(x, y)| (x.abs() - y.abs()).abs() <= bound)
    }

    /// Whether the results differ in the signs of zeros alone.
    fn equal_values(&self) -> bool {
        parts(self.ours).iter().zip(&parts(self.theirs)).all(|(x, y)| x == y || x.is_nan() && y.is_nan())
    }
}

/// The name of the defect in `docs/defects.md`, what the framework does there, and which lanes it excuses.
pub(crate) struct Exception {
    pub(crate) name: &'static str,
    pub(crate) reason: &'static str,
    is: fn(&Lane) -> bool,
}

impl Exception {
    pub(crate) fn excuses(&self, lane: &Lane) -> bool {
        (self.is)(lane)
    }
}

/// What a framework is excused.
pub(crate) struct Framework {
    pub(crate) name: &'static str,
    /// As `docs/defects.md` has it.
    pub(crate) title: &'static str,
    pub(crate) exceptions: &'static [Exception],
}

fn shown(value: ScalarValue) -> String {
    match value.number() {
        Some(Number::Bool(x)) => x.to_string(),
        Some(Number::Int(x)) => x.to_string(),
        _ => defects::shown(value.dtype(), parts(value)),
    }
}

impl Lane {
    /// The call with its operands.
    pub(crate) fn call(&self) -> String {
        let [a, b] = self.operands;
        let mut operands = format!("{} {}", a.dtype(), shown(a));
        if self.op.arity() == 2 {
            operands = format!("{operands}, {} {}", b.dtype(), shown(b));
        }
        match self.op {
            Op::Astype => format!("astype({operands}, {})", self.ours.dtype()),
            op => format!("{op}({operands})"),
        }
    }

    /// As `docs/defects.md` tells it.
    pub(crate) fn example(&self) -> String {
        format!("`{}` is {}, not {}", self.call(), shown(self.theirs), shown(self.ours))
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} is {} {}, theirs {}",
            self.call(),
            self.ours.dtype(),
            shown(self.ours),
            shown(self.theirs)
        )
    }
}

/// Ops that look at more than one element, or have more than two operands.
pub(crate) const NOT_ELEMENTWISE: &str = "concatenate stack addcmul isin dot matmul sum prod mean std var cumsum cumprod max min amax \
    amin any all argmax argmin median nansum norm logsumexp";

/// What has no kernel yet: the dtypes that it would compute in, and the ops. A line too many fails.
pub(crate) const MISSING: &[(&str, &str)] = &[("u8 u16 u32 u64 i8 i16 i32 i64", "reciprocal")];

const EXTREMA: &[Op] = &[Op::ClampMin, Op::Maximum, Op::Minimum, Op::Fmax, Op::Fmin];

const ZEROS: Exception = Exception {
    name: "order of zeros",
    reason: "of +0 and -0 it gives the left or the right one, as op, dtype and place in the array have it; for us +0 is greater than -0, \
             so that the order of the operands does not show",
    is: |lane| lane.is(EXTREMA) && lane.equal_values(),
};

const ANGLE: Exception = Exception {
    name: "sign of zero",
    reason: "it is pi, as atan2(0, -0) is; ours is 0, as PyTorch's, for -0 is not less than 0",
    is: |lane| lane.is(&[Op::Angle]) && !lane.complex() && lane.operand(0)[0] == 0.0,
};

const NO_U32: Exception = Exception {
    name: "floats that an integer does not hold",
    reason: "NaN and -inf give 2^31 from f32 and f64, by the vector loop, and 0 from narrower floats, by the scalar one",
    is: |lane| {
        let narrow =
            matches!(lane.operands[0].dtype(), DType::F16 | DType::F8E4M3FN | DType::F8E5M2 | DType::C32);
        lane.is(&[Op::Astype]) && lane.ours.dtype() == DType::U32 && narrow && !lane.operand(0)[0].is_finite()
    },
};

const FUSED: Exception = Exception {
    name: "complex products",
    reason: "its vector loop fuses one product of each part with the sum, and its loop over the rest does not; ours never fuses, so that \
             every level and every place in the array gives the same",
    is: |lane| {
        let finite = parts(lane.theirs).iter().all(|part| part.is_finite());
        lane.is(&[Op::Multiply, Op::Square]) && lane.complex() && (!finite || complex_steps(lane, 1.0))
    },
};

const ZERO_TO_POWER: Exception = Exception {
    name: "powers of a complex zero",
    reason: "to a positive power it is 0-0i or NaN, to a negative one NaN; ours is 0, or infinity beside NaN, as the \
             absolute value says",
    is: |lane| lane.complex_power() && lane.operand(0) == [0.0, 0.0],
};

const ENDLESS_POWER: Exception = Exception {
    name: "complex powers",
    reason: "where a step is not finite the angle is lost, or a part becomes NaN; ours has what is left of absolute value and angle",
    is: |lane| {
        lane.complex_power() && !(lane.finite() && parts(lane.ours).iter().all(|part| part.is_finite()))
    },
};

const POWER: Exception = Exception {
    name: "complex powers",
    reason: "the exponent z·ln w is rounded, of which the error becomes one of angle and size, and so is every product of a whole power; \
             ours has more digits in both",
    is: |lane| {
        let (power, [w, z]) = (lane.complex_power(), [0, 1].map(|i| lane.operand(i)));
        let exponent = if power { magnitude(z) * (w[0].hypot(w[1]).ln().abs() + 4.0) } else { magnitude(w) };
        let [ours, theirs] = [lane.ours, lane.theirs].map(|x| magnitude(parts(x)));
        let units = 16.0 * (1.0 + exponent);
        let size = ours.max(theirs);
        let bound = (units * unit(lane.ours.dtype(), size)).min(2.0 * size);
        let near = |(x, y): (&f64, &f64)| (x - y).abs() <= bound;
        (power || lane.complex_function() && lane.is(&[Op::Exp2]))
            && parts(lane.ours).iter().zip(&parts(lane.theirs)).all(near)
    },
};

const SIGN: Exception = Exception {
    name: "complex functions",
    reason: "the absolute value is rounded before it divides, to a subnormal even; ours are the nearest",
    is: |lane| lane.complex() && lane.is(&[Op::Sign]) && (lane.subnormal() || complex_steps(lane, 4.0)),
};

const ENDLESS_FUNCTION: Exception = Exception {
    name: "complex infinities and NaN",
    reason: "of infinities and NaN it gives something else than C's Annex G, by which ours and NumPy's go",
    is: |lane| lane.complex_function() && !lane.finite(),
};

/// Whether a complex lane lies near, its steps being fused or rounded in another order.
fn complex_steps(lane: &Lane, units: f64) -> bool {
    let [a, b] = [0, 1].map(|i| magnitude(lane.operand(i)));
    let size = if lane.is(&[Op::Multiply, Op::Square]) { a * b } else { magnitude(parts(lane.theirs)) };
    let off = |(x, y): (f64, f64)| (x - y).abs() <= units * unit(lane.ours.dtype(), size);
    let (ours, theirs) = (parts(lane.ours), parts(lane.theirs));
    lane.complex() && (0..2).all(|i| off((ours[i], theirs[i])))
}

pub(crate) const TORCH: Framework = Framework {
    name: "torch",
    title: "PyTorch",
    exceptions: &[
        Exception {
            name: "infinities",
            reason: "its vector loop divides first, and makes NaN of a quotient that overflows; its loop over the rest, and ours, give the \
                     remainder",
            is: |lane| {
                let quotient = lane.operand(0)[0] / lane.operand(1)[0];
                let great = if lane.ours.dtype() == DType::F64 { f64::MAX } else { f32::MAX.into() };
                lane.is(&[Op::Fmod, Op::Remainder])
                    && parts(lane.theirs)[0].is_nan()
                    && quotient.abs() > great
            },
        },
        ZEROS,
        NO_U32,
        Exception {
            name: "sign of zero",
            reason: "it is -0, as nothing less than zero; of every other float it is +0",
            is: |lane| lane.is(&[Op::Abs]) && lane.ours.dtype().bits() == 8 && lane.equal_values(),
        },
        Exception {
            name: "complex infinities and NaN",
            reason: "it multiplies the right operand by 1+0i first, and an infinity times 0 is NaN",
            is: |lane| lane.complex() && lane.is(&[Op::Add, Op::Subtract]) && !lane.finite(),
        },
        Exception {
            name: "sign of zero",
            reason: "it negates a complex number by subtracting it from 0+0i, multiplies the right operand of a sum by 1+0i, scales before it \
                     divides, and adds 1 as 1+0i; the sign of a zero is lost in each",
            is: |lane| {
                let steps =
                    lane.is(&[Op::Add, Op::Subtract, Op::Negative, Op::Divide]) && lane.equal_values();
                lane.complex()
                    && (steps || lane.is(&[Op::Log1p, Op::Sigmoid]) && lane.finite() && lane.sizes_near(4.0))
            },
        },
        ZERO_TO_POWER,
        ENDLESS_POWER,
        POWER,
        ENDLESS_FUNCTION,
        Exception {
            name: "steps in a narrow dtype",
            reason: "it is exp(a) - b a, each op in the dtype of its own operands: exp(f16) is an f16, also beside an f32, and the product of \
                     integers wraps; we compute in the common dtype, as the rules say",
            is: |lane| {
                let [a, b] = lane.operands.map(|operand| operand.dtype());
                lane.is(&[Op::PoissonNllLoss]) && (a != b || a.kind() < Kind::Float)
            },
        },
        Exception {
            name: "steps in a narrow dtype",
            reason: "it is a pow(2, b), each op in the dtype of its own operands; we compute in the common dtype, as the rules say",
            is: |lane| {
                let [a, b] = lane.operands.map(|operand| operand.dtype());
                lane.is(&[Op::Ldexp]) && a != b
            },
        },
        Exception {
            name: "complex quotients",
            reason: "it scales by the greater part, and is some units off; ours is Smith's formula, as NumPy's",
            is: |lane| lane.is(&[Op::Divide]) && complex_steps(lane, 4.0),
        },
    ],
};

pub(crate) const NUMPY: Framework = Framework {
    name: "numpy",
    title: "NumPy",
    exceptions: &[
        ZEROS,
        NO_U32,
        ANGLE,
        Exception {
            name: "NaN in orders and extrema",
            reason: "it gives the first operand that has a NaN part, with whatever the other part is, so that the order shows; ours is NaN \
                     in both parts",
            is: |lane| {
                lane.complex() && lane.is(EXTREMA) && parts(lane.ours).iter().all(|part| part.is_nan())
            },
        },
        FUSED,
        Exception {
            name: "sign of zero",
            reason: "1 / (0-2i) is 0+0.5i and 1 / (0-2i) as a quotient of two arrays -0+0.5i; ours is the quotient",
            is: |lane| lane.complex() && lane.is(&[Op::Reciprocal]) && lane.equal_values(),
        },
        ZERO_TO_POWER,
        ENDLESS_POWER,
        POWER,
        SIGN,
        Exception {
            name: "complex infinities and NaN",
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
            reason: "it takes the absolute value of 1+z, which loses digits near 1",
            is: |lane| lane.complex() && lane.is(&[Op::Log1p]) && lane.finite() && complex_steps(lane, 32.0),
        },
    ],
};

pub(crate) const JAX: Framework = Framework {
    name: "jax",
    title: "JAX",
    exceptions: &[
        Exception {
            name: "subnormals",
            reason: "its loops take a subnormal for 0 and give 0 for one, in bf16 too; ours keep them, as the formats have them",
            is: Lane::subnormal,
        },
        Exception {
            name: "sign of zero",
            reason: "it is a choice between the other operand and +0: false times -1, an infinity or NaN is +0",
            is: |lane| {
                lane.is(&[Op::Multiply]) && lane.operands.iter().any(|operand| operand.dtype() == DType::Bool)
            },
        },
        Exception {
            name: "integers by zero",
            reason: "the quotient by zero is -1, which is then rounded down as if it were one: 1 // 0 is -2, and 0 // 0 is -1",
            is: |lane| {
                lane.is(&[Op::FloorDivide]) && lane.operand(1)[0] == 0.0 && parts(lane.theirs)[0] == -2.0
            },
        },
        Exception {
            name: "sign of zero",
            reason: "it keeps -0; ours is +0, as NumPy's and PyTorch's",
            is: |lane| lane.is(&[Op::Sign]) && lane.equal_values(),
        },
        ZEROS,
        FUSED,
        ANGLE,
        Exception {
            name: "NaN in orders and extrema",
            reason: "where the real parts differ they alone decide, and a NaN in an imaginary part goes unseen; ours, as NumPy's, is unordered, \
                     and an extremum is NaN",
            is: |lane| {
                let ordered = [Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual];
                let nan = [0, 1].iter().any(|i| lane.operand(*i).iter().any(|part| part.is_nan()));
                lane.complex() && nan && (lane.is(EXTREMA) || lane.is(&ordered))
            },
        },
        Exception {
            name: "complex infinities and NaN",
            reason: "it makes infinities and zeros of some NaN, as C's Annex G; ours, as NumPy's and PyTorch's, is what the formula leaves",
            is: |lane| lane.complex() && lane.is(&[Op::Divide, Op::Reciprocal]) && !lane.finite(),
        },
        Exception {
            name: "complex quotients",
            reason: "it scales by a power of two, and is some units off; ours is Smith's formula, as NumPy's",
            is: |lane| lane.is(&[Op::Divide]) && complex_steps(lane, 4.0),
        },
        Exception {
            name: "sign of zero",
            reason: "it is what the subtraction of the remainder leaves; ours is that of a / b",
            is: |lane| lane.is(&[Op::FloorDivide]) && lane.equal_values(),
        },
        Exception {
            name: "steps in a narrow dtype",
            reason: "the remainder, the difference and its quotient are each rounded to the half, and 3646 // 1.875 is 1943; ours is the \
                     exact quotient, rounded down and then once",
            is: |lane| {
                let (ours, theirs) = (parts(lane.ours)[0], parts(lane.theirs)[0]);
                let half = matches!(lane.ours.dtype(), DType::F16 | DType::BF16);
                lane.is(&[Op::FloorDivide])
                    && half
                    && (ours - theirs).abs() <= unit(lane.ours.dtype(), theirs)
            },
        },
        Exception {
            name: "integers by zero",
            reason: "true by false is 1; every integer by 0 is 0",
            is: |lane| {
                lane.is(&[Op::Fmod]) && lane.operands.iter().all(|operand| operand.dtype() == DType::Bool)
            },
        },
        Exception {
            name: "NaN in orders and extrema",
            reason: "an integer that becomes NaN is compared before it is rounded, and then comes out as NaN; ours gives the other operand, \
                     as for every other NaN",
            is: |lane| {
                lane.is(&[Op::Fmax, Op::Fmin])
                    && lane.ours.dtype() == DType::F8E4M3FN
                    && parts(lane.theirs)[0].is_nan()
            },
        },
        ZERO_TO_POWER,
        ENDLESS_POWER,
        POWER,
        SIGN,
        ENDLESS_FUNCTION,
        Exception {
            name: "complex functions",
            reason: "the sign of a zero part is lost, so that a branch cut has one side; `sinh` and `cosh` are some units off besides",
            is: |lane| {
                let on_axis = lane.operand(0).contains(&0.0);
                lane.complex_function() && lane.finite() && on_axis && lane.sizes_near(512.0)
            },
        },
        Exception {
            name: "steps in a narrow dtype",
            reason: "it puts the new exponent between the bits: of a subnormal number it makes 0, and f8e4m3fn, which has no infinity, gets \
                     what would be one, 256",
            is: |lane| {
                lane.is(&[Op::Ldexp])
                    && matches!(lane.ours.dtype(), DType::F16 | DType::F8E4M3FN | DType::F8E5M2)
            },
        },
    ],
};
