//! Where a framework gives something else than the kernels, and why we do not copy it; and what has no kernel
//! yet.

use core::f64::consts::{LN_2, PI};
use core::fmt;

use num_complex::Complex;
use promote::ScalarValue;
use promote::{DType, Kind, Number, Op};

use crate::defects;
use crate::functions::FUNCTIONS;
use crate::tolerance::{magnitude, parts, sums_near, unit, units};

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

    /// Whether the recording can know the exact result: of complex numbers not on cuts, where the signs of
    /// zeros decide, nor where a part is not finite.
    pub(crate) fn is_known(&self, compute: DType) -> bool {
        compute.kind() != Kind::Complex
            || [0, 1].iter().all(|i| self.operand(*i).iter().all(|part| part.is_finite() && *part != 0.0))
    }

    /// Whether all that takes part is finite.
    fn finite(&self) -> bool {
        [self.operand(0), self.operand(1), parts(self.theirs)].iter().flatten().all(|part| part.is_finite())
    }

    /// Whether a part of an operand or of a result, or a quotient, is subnormal in `f32` or `f64`, whichever
    /// computes.
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

    /// The exponent z·ln w of a power w^z, z·ln 2 of one of 2; the latter as well of `ldexp`, of the right
    /// operand.
    fn exponent(&self) -> Complex<f64> {
        let [w, z] = [0, 1].map(|i| self.operand(i)).map(|[re, im]| Complex::new(re, im));
        match self.op {
            Op::Exp2 => w * LN_2,
            Op::Ldexp => z * LN_2,
            _ => z * w.ln(),
        }
    }

    /// Whether it is a power of which the exponent, a sum of two numbers for us, has no digits left that say
    /// what the angle is to the last place of a part.
    pub(crate) fn is_of_no_angle(&self) -> bool {
        let exponent = self.exponent();
        let digits = if wide(self.ours.dtype()) { 53 } else { 24 };
        self.complex_power() && exponent.re.abs().max(exponent.im.abs()) > 2.0_f64.powi(104 - digits)
    }

    /// Whether it is an elementary function of a complex number.
    fn complex_function(&self) -> bool {
        self.complex() && (self.is(&FUNCTIONS) || self.op == Op::Sigmoid)
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

/// Whether the parts are `f64`.
fn wide(dtype: DType) -> bool {
    matches!(dtype, DType::F64 | DType::C128)
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
    reason: "of infinities and NaN, of a power that overflows before it is multiplied by the cosine and the sine, and of an angle beyond \
             the digits, it gives what its steps leave; ours has what is left of absolute value and angle",
    is: |lane| {
        let exponent = lane.exponent();
        let most: f64 = if wide(lane.ours.dtype()) { f64::MAX } else { f32::MAX.into() };
        // The factors e^(x ln |w|) and e^(-y·angle) of the power's size, and their product.
        let [w, z] = [0, 1].map(|i| lane.operand(i)).map(|[re, im]| Complex::new(re, im));
        let terms = [exponent.re, z.re * w.norm().ln(), z.im * w.arg()];
        let overflows = terms.iter().any(|term| term.abs() > most.ln() - 1.0);
        let no_angle = exponent.im.abs() * unit(lane.ours.dtype(), 1.0) > 0.5;
        let endless = !lane.finite() || parts(lane.ours).iter().any(|part| !part.is_finite());
        let operands = [0, 1].iter().all(|i| lane.operand(*i).iter().all(|part| part.is_finite()));
        let power = lane.complex_power() || lane.complex() && lane.is(&[Op::Ldexp]);
        power && endless && (!operands || overflows || no_angle)
    },
};

const POWER: Exception = Exception {
    name: "complex powers",
    reason: "the exponent z·ln w is rounded, of which the error becomes one of angle and size, and so is every product of a whole power; \
             ours has more digits in both",
    is: |lane| {
        // An error of some units in the exponent, and as many in the result; of an angle beyond the digits it
        // is the whole result.
        let exponent = lane.exponent();
        let [ours, theirs] = [lane.ours, lane.theirs].map(|x| magnitude(parts(x)));
        let size = ours.max(theirs);
        let units = 4.0 * (1.0 + exponent.re.abs() + exponent.im.abs());
        let bound = (units * unit(lane.ours.dtype(), size)).min(2.0 * size);
        let near = |(x, y): (&f64, &f64)| x == y || (x - y).abs() <= bound;
        (lane.complex_power() || lane.complex() && lane.is(&[Op::Exp2, Op::Ldexp]))
            && parts(lane.ours).iter().zip(&parts(lane.theirs)).all(near)
    },
};

/// Whether it is the logarithm of a sum of powers, with steps that are rounded and an angle of any number of
/// turns.
fn sum_of_powers(lane: &Lane) -> bool {
    let operands = [0, 1].map(|i| lane.operand(i));
    let results = [parts(lane.ours), parts(lane.theirs)];
    let ln_base = if lane.op == Op::Logaddexp2 { LN_2 } else { 1.0 };
    lane.complex() && sums_near(lane.ours.dtype(), ln_base, operands, results)
}

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
            reason: "it multiplies the right operand by 1+0i first, and so the logarithm of a sum and a weight; an infinity times 0 is NaN",
            is: |lane| {
                let sums = [Op::Add, Op::Subtract, Op::L1Loss, Op::PoissonNllLoss, Op::Lerp, Op::Logaddexp];
                lane.complex() && lane.is(&sums) && !lane.finite()
            },
        },
        Exception {
            name: "steps in a narrow dtype",
            reason: "the difference of two c32 is rounded to one before its absolute value is taken",
            is: |lane| {
                let [ours, theirs] = [lane.ours, lane.theirs].map(|x| parts(x)[0]);
                let size = magnitude(lane.operand(0)).max(magnitude(lane.operand(1))).max(ours);
                lane.is(&[Op::L1Loss])
                    && lane.ours.dtype() == DType::F16
                    && (ours - theirs).abs() <= unit(DType::F16, size)
            },
        },
        Exception {
            name: "angles of sums of powers",
            reason: "the imaginary part of the logarithm is that of the greater operand and an angle, and not brought back between -π and π",
            is: |lane| lane.is(&[Op::Logaddexp]) && sum_of_powers(lane),
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
            name: "sign of zero",
            reason: "that of a zero part of a complex operand is lost, so that a branch cut has one side",
            is: |lane| {
                let from = lane.operand(0);
                // Where the sign of a part differs, it is 0, or the operand has a part that says on which
                // side of the cut it lies.
                let minus_zero = from.iter().any(|part| *part == 0.0 && part.is_sign_negative());
                let same = |(x, y): (&f64, &f64)| *x == 0.0 || x.signum() == y.signum() || minus_zero;
                lane.complex_function()
                    && lane.finite()
                    && from.contains(&0.0)
                    && lane.sizes_near(units(lane.op, lane.ours.dtype(), from, from))
                    && parts(lane.ours).iter().zip(&parts(lane.theirs)).all(same)
            },
        },
        Exception {
            name: "functions far from the exact result",
            reason: "`sinh` and `cosh` are made of powers e^(x - ln 2), of which the error grows with x",
            is: |lane| {
                let from = lane.operand(0);
                // The powers are at least 1, whatever the difference is.
                let size = magnitude(parts(lane.theirs)).max(1.0);
                let bound = 4.0 * (1.0 + from[0].abs()) * unit(lane.ours.dtype(), size);
                let near = |(x, y): (&f64, &f64)| (x.abs() - y.abs()).abs() <= bound;
                lane.complex()
                    && lane.is(&[Op::Sinh, Op::Cosh])
                    && lane.finite()
                    && from.contains(&0.0)
                    && parts(lane.ours).iter().zip(&parts(lane.theirs)).all(near)
            },
        },
        Exception {
            name: "angles of sums of powers",
            reason: "the angle is brought back by a rounded π, so that as many digits are lost as it has turns; of a great one, an \
                     infinity or NaN it makes NaN",
            is: |lane| {
                let angle = lane.operand(0)[1].abs().max(lane.operand(1)[1].abs());
                let lost = !lane.finite() || angle * unit(lane.ours.dtype(), 1.0) > 0.5;
                lane.complex() && lane.is(&[Op::Logaddexp, Op::Logaddexp2]) && (lost || sum_of_powers(lane))
            },
        },
        Exception {
            name: "angles of complex numbers",
            reason: "it is -i·ln((x + iy) / √(x² + y²)), step by step: the squares overflow and vanish, a small angle is what is left beside 1, and \
                     where x² + y² lies on the cut the root has either sign",
            is: |lane| {
                let [y, x] = [0, 1].map(|i| lane.operand(i)).map(|[re, im]| Complex::new(re, im));
                let (ours, theirs) = (parts(lane.ours), parts(lane.theirs));
                let size = y.norm().max(x.norm());
                let square = x * x + y * y;
                let (least, most) = if wide(lane.ours.dtype()) { (1e-150, 1e150) } else { (1e-18, 1e18) };
                let bound = 8.0 * unit(lane.ours.dtype(), 1.0) * (1.0 + size * size / square.norm());
                let turns = (ours[0] - theirs[0]) / PI;
                let near =
                    (ours[1] - theirs[1]).abs() <= bound && (turns - turns.round()).abs() * PI <= bound;
                lane.complex() && lane.is(&[Op::Atan2]) && (!(least..most).contains(&size) || near)
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
