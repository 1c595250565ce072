//! JAX.

use core::f64::consts::PI;

use num_complex::Complex;
use promote::{DType, Op};

use super::{
    ANGLE, ENDLESS_FUNCTION, ENDLESS_POWER, EXTREMA, Exception, Exceptions, FLUSHED, FUSED, POWER, SIGN,
    STEPS_OF_HYPOT, ZERO_TO_POWER, ZEROS, complex_function, complex_steps, sum_of_powers,
};
use crate::tolerance::{magnitude, parts, unit, units};

pub(crate) const JAX: Exceptions = Exceptions {
    lanes: &[
        Exception { recordings: "pairs cases", ..FLUSHED },
        Exception {
            name: "sign of zero",
            recordings: "pairs",
            reason: "it is a choice between the other operand and +0: false times -1, an infinity or NaN \
                     is +0",
            is: |lane| {
                lane.is(&[Op::Multiply]) && lane.operands.iter().any(|operand| operand.dtype == DType::Bool)
            },
        },
        Exception {
            name: "integers by zero",
            recordings: "pairs cases",
            reason: "the quotient by zero is -1, which is then rounded down as if it were one: 1 // 0 is \
                     -2, and 0 // 0 is -1",
            is: |lane| {
                lane.is(&[Op::FloorDivide]) && lane.operand(1)[0] == 0.0 && parts(lane.theirs)[0] == -2.0
            },
        },
        Exception {
            name: "sign of zero",
            recordings: "pairs cases",
            reason: "it keeps -0; ours is +0, as NumPy's and PyTorch's",
            is: |lane| lane.is(&[Op::Sign]) && lane.equal_values(),
        },
        ZEROS,
        FUSED,
        ANGLE,
        Exception {
            name: "NaN in orders and extrema",
            recordings: "pairs",
            reason: "where the real parts differ they alone decide, and a NaN in an imaginary part goes \
                     unseen; ours, as NumPy's, is unordered, and an extremum is NaN",
            is: |lane| {
                let ordered = [Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual];
                let nan = [0, 1].iter().any(|i| lane.operand(*i).iter().any(|part| part.is_nan()));
                lane.complex() && nan && (lane.is(EXTREMA) || lane.is(&ordered))
            },
        },
        Exception {
            name: "complex infinities and NaN",
            recordings: "pairs",
            reason: "it makes infinities and zeros of some NaN, as C's Annex G; ours, as NumPy's and \
                     PyTorch's, is what the formula leaves",
            is: |lane| lane.complex() && lane.is(&[Op::Divide, Op::Reciprocal]) && !lane.finite(),
        },
        Exception {
            name: "complex quotients",
            recordings: "pairs",
            reason: "it scales by a power of two, and is some units off; ours is Smith's formula, as NumPy's",
            is: |lane| lane.is(&[Op::Divide]) && complex_steps(lane, 4.0),
        },
        Exception {
            name: "sign of zero",
            recordings: "pairs cases",
            reason: "it is what the subtraction of the remainder leaves; ours is that of a / b",
            is: |lane| lane.is(&[Op::FloorDivide]) && lane.equal_values(),
        },
        Exception {
            name: "steps in a narrow dtype",
            recordings: "pairs",
            reason: "the remainder, the difference and its quotient are each rounded to the half, and \
                     3646 // 1.875 is 1943; ours is the exact quotient, rounded down and then once",
            is: |lane| {
                let (ours, theirs) = (parts(lane.ours)[0], parts(lane.theirs)[0]);
                let half = matches!(lane.dtype(), DType::F16 | DType::BF16);
                lane.is(&[Op::FloorDivide]) && half && (ours - theirs).abs() <= unit(lane.dtype(), theirs)
            },
        },
        Exception {
            name: "integers by zero",
            recordings: "pairs",
            reason: "true by false is 1; every integer by 0 is 0",
            is: |lane| {
                lane.is(&[Op::Fmod]) && lane.operands.iter().all(|operand| operand.dtype == DType::Bool)
            },
        },
        Exception {
            name: "NaN in orders and extrema",
            recordings: "pairs",
            reason: "an integer that becomes NaN is compared before it is rounded, and then comes out as \
                     NaN; ours gives the other operand, as for every other NaN",
            is: |lane| {
                lane.is(&[Op::Fmax, Op::Fmin])
                    && lane.dtype() == DType::F8E4M3FN
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
            recordings: "pairs",
            reason: "that of a zero part of a complex operand is lost, so that a branch cut has one side",
            is: |lane| {
                let from = lane.operand(0);
                // Where the sign of a part differs, it is 0, or the operand has a part that says on which
                // side of the cut it lies.
                let minus_zero = from.iter().any(|part| *part == 0.0 && part.is_sign_negative());
                let same = |(x, y): (&f64, &f64)| *x == 0.0 || x.signum() == y.signum() || minus_zero;
                complex_function(lane)
                    && lane.finite()
                    && from.contains(&0.0)
                    && lane.sizes_near(units(lane.op, lane.dtype(), from, from))
                    && parts(lane.ours).iter().zip(&parts(lane.theirs)).all(same)
            },
        },
        Exception {
            name: "functions far from the exact result",
            recordings: "pairs",
            reason: "`sinh` and `cosh` are made of powers e^(x - ln 2), of which the error grows with x",
            is: |lane| {
                let from = lane.operand(0);
                // The powers are at least 1, whatever the difference is.
                let size = magnitude(parts(lane.theirs)).max(1.0);
                let bound = 4.0 * (1.0 + from[0].abs()) * unit(lane.dtype(), size);
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
            recordings: "pairs",
            reason: "the angle is brought back by a rounded π, so that as many digits are lost as it has \
                     turns; of a great one, an infinity or NaN it makes NaN",
            is: |lane| {
                let angle = lane.operand(0)[1].abs().max(lane.operand(1)[1].abs());
                let lost = !lane.finite() || angle * unit(lane.dtype(), 1.0) > 0.5;
                lane.complex() && lane.is(&[Op::Logaddexp, Op::Logaddexp2]) && (lost || sum_of_powers(lane))
            },
        },
        Exception {
            name: "angles of complex numbers",
            recordings: "pairs",
            reason: "it is -i·ln((x + iy) / √(x² + y²)), step by step: the squares overflow and vanish, a \
                     small angle is what is left beside 1, and where x² + y² lies on the cut the root has \
                     either sign",
            is: |lane| {
                let [y, x] = [0, 1].map(|i| lane.operand(i)).map(|[re, im]| Complex::new(re, im));
                let (ours, theirs) = (parts(lane.ours), parts(lane.theirs));
                let size = y.norm().max(x.norm());
                let square = x * x + y * y;
                let (least, most) = if lane.wide() { (1e-150, 1e150) } else { (1e-18, 1e18) };
                let bound = 8.0 * unit(lane.dtype(), 1.0) * (1.0 + size * size / square.norm());
                let turns = (ours[0] - theirs[0]) / PI;
                let near =
                    (ours[1] - theirs[1]).abs() <= bound && (turns - turns.round()).abs() * PI <= bound;
                lane.complex() && lane.is(&[Op::Atan2]) && (!(least..most).contains(&size) || near)
            },
        },
        Exception {
            name: "steps in a narrow dtype",
            recordings: "pairs",
            reason: "it puts the new exponent between the bits: of a subnormal number it makes 0, and \
                     f8e4m3fn, which has no infinity, gets what would be one, 256",
            is: |lane| {
                lane.is(&[Op::Ldexp]) && matches!(lane.dtype(), DType::F16 | DType::F8E4M3FN | DType::F8E5M2)
            },
        },
        Exception {
            name: "Python numbers",
            recordings: "cases",
            reason: "it multiplies by the reciprocal, which is rounded",
            is: |lane| lane.is(&[Op::Divide]) && lane.number && lane.within(1.0),
        },
        Exception {
            name: "Python numbers",
            recordings: "cases",
            reason: "a whole one is made of multiplications, each rounded to the half",
            is: |lane| lane.is(&[Op::Pow]) && lane.number && lane.half() && lane.within(1.0),
        },
        Exception {
            name: "order of a reduction",
            recordings: "cases",
            reason: "it adds neighbours first and each sum is rounded; ours goes from the first to the last",
            is: |lane| {
                let [ours, theirs] = lane.real();
                let coarse = unit(lane.dtype(), 16.0);
                lane.is(&[Op::Cumsum]) && lane.half() && (ours - theirs).abs() <= 2.0 * coarse
            },
        },
        Exception {
            name: "functions far from the exact result",
            recordings: "cases",
            reason: "it is made of two powers of e, of which the error in the exponent grows with it",
            is: |lane| !lane.complex() && lane.is(&[Op::Sinh]) && lane.within(20.0),
        },
        Exception {
            name: "steps in a narrow dtype",
            recordings: "cases",
            reason: "some steps are rounded to the half and some are fused",
            is: |lane| lane.is(&[Op::Logaddexp, Op::Logaddexp2]) && lane.half() && lane.within(16.0),
        },
        STEPS_OF_HYPOT,
    ],
    cases: &[],
    left_out: &[("pairs_jax", "imag", "the rule file does not have the op")],
};
