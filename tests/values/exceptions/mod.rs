//! Named exceptions: lanes and cases in which a system gives something else, each with the reason.
//!
//! An exception names the defect under which `docs/defects.md` lists it, and is as narrow as it can be told
//! from the operands. Exceptions are not accepted where the exact result is known.

mod jax;
mod numpy;
mod oneflow;
mod paddle;
mod tensorflow;
mod torch;

use core::f64::consts::LN_2;
use std::collections::BTreeSet;

use num_complex::Complex;
use promote::{DType, Op};

pub(crate) use self::jax::JAX;
pub(crate) use self::numpy::{NUMPY, NUMPY1};
pub(crate) use self::oneflow::ONEFLOW;
pub(crate) use self::paddle::PADDLE;
pub(crate) use self::tensorflow::TENSORFLOW;
pub(crate) use self::torch::TORCH;
use crate::lane::Lane;
use crate::tolerance::{magnitude, parts, sums_near, unit};

/// A reason for which lanes differ.
pub(crate) struct Exception {
    /// The name of the defect in `docs/defects.md`.
    pub(crate) name: &'static str,
    /// The recordings that it holds for, by the first words of their files: `pairs`, `cases`, `numbers`. It
    /// has to excuse lanes of each.
    pub(crate) recordings: &'static str,
    /// The behaviour of the system.
    pub(crate) reason: &'static str,
    /// Returns true for the lanes that are excused.
    pub(crate) is: fn(&Lane) -> bool,
}

/// The part of a case that an exception accepts as different.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Differs {
    /// Only one side has a result, or the dtypes differ.
    Result,
    /// The elements of the results.
    Values,
}

/// A reason for which whole cases differ.
pub(crate) struct CaseException {
    pub(crate) op: &'static str,
    /// Words of which the case contains one, separated by `|`.
    pub(crate) parts: &'static str,
    pub(crate) differs: Differs,
    /// The behaviour of the system.
    pub(crate) reason: &'static str,
}

/// The exceptions of a system.
pub(crate) struct Exceptions {
    /// Lanes. The first exception that applies counts.
    pub(crate) lanes: &'static [Exception],
    /// Whole cases. The first exception that applies counts.
    pub(crate) cases: &'static [CaseException],
    /// Ops of a file that are not compared: the file, the op, the reason.
    pub(crate) left_out: &'static [(&'static str, &'static str, &'static str)],
}

/// The exceptions of `ml_dtypes`, which has none.
pub(crate) const ML_DTYPES: Exceptions = Exceptions { lanes: &[], cases: &[], left_out: &[] };

/// Ops without a kernel, each behind the dtypes that it would compute in.
const MISSING: &[(&str, &str)] = &[("u8 u16 u32 u64 i8 i16 i32 i64", "reciprocal")];

/// Returns the ops and dtypes that have no kernel. A kernel that is missing without being listed is an error,
/// and so is a listed one that exists.
pub(crate) fn kernels_missing() -> BTreeSet<(&'static str, &'static str)> {
    let pairs = |(dtypes, op): &(&'static str, &'static str)| {
        let op = *op;
        dtypes.split(' ').map(move |dtype| (op, dtype)).collect::<Vec<_>>()
    };
    MISSING.iter().flat_map(pairs).collect()
}

const EXTREMA: &[Op] = &[Op::Relu, Op::ClampMin, Op::Clamp, Op::Maximum, Op::Minimum, Op::Fmax, Op::Fmin];

/// The elementary functions that NumPy has of complex numbers.
const FUNCTIONS: &[Op] = &crate::complex::FUNCTIONS;

/// Returns true for a function of complex numbers.
fn complex_function(lane: &Lane) -> bool {
    const OTHERS: &[Op] = &[Op::Sigmoid, Op::Rsqrt, Op::Silu, Op::Softplus, Op::GeluTanh];
    lane.complex() && (lane.is(FUNCTIONS) || lane.is(OTHERS))
}

const ZEROS: Exception = Exception {
    name: "order of zeros",
    recordings: "pairs",
    reason: "of +0 and -0 it gives the left or the right one, as op, dtype and position in the array \
             have it; for us +0 is greater than -0, so that the order of the operands does not show",
    is: |lane| lane.is(EXTREMA) && lane.equal_values(),
};

const ANGLE: Exception = Exception {
    name: "sign of zero",
    recordings: "pairs",
    reason: "it is pi, as atan2(0, -0) is; ours is 0, as PyTorch's, for -0 is not less than 0",
    is: |lane| lane.is(&[Op::Angle]) && !lane.complex() && lane.operand(0)[0] == 0.0,
};

const NO_U32: Exception = Exception {
    name: "floats that an integer does not hold",
    recordings: "pairs",
    reason: "NaN and -inf give 2^31 from f32 and f64, by the vector loop, and 0 from narrower floats, by \
             the scalar one",
    is: |lane| {
        let narrow =
            matches!(lane.operands[0].dtype, DType::F16 | DType::F8E4M3FN | DType::F8E5M2 | DType::C32);
        lane.is(&[Op::Astype]) && lane.dtype() == DType::U32 && narrow && !lane.operand(0)[0].is_finite()
    },
};

const FUSED: Exception = Exception {
    name: "complex products",
    recordings: "pairs",
    reason: "its vector loop fuses one product of each part with the sum, and its loop over the rest does \
             not; ours never fuses, so that every level and every position in the array gives the same",
    is: |lane| {
        let finite = parts(lane.theirs).iter().all(|part| part.is_finite());
        lane.is(&[Op::Multiply, Op::Square]) && lane.complex() && (!finite || complex_steps(lane, 1.0))
    },
};

const ZERO_TO_POWER: Exception = Exception {
    name: "powers of a complex zero",
    recordings: "pairs",
    reason: "to a positive power it is 0-0i or NaN, to a negative one NaN; ours is 0, or infinity beside \
             NaN, as the absolute value says",
    is: |lane| lane.complex_power() && lane.operand(0) == [0.0, 0.0],
};

const ENDLESS_POWER: Exception = Exception {
    name: "complex powers",
    recordings: "pairs",
    reason: "of infinities and NaN, of a power that overflows before it is multiplied by the cosine and \
             the sine, and of an angle beyond the digits, it gives what its steps leave; ours has what is \
             left of absolute value and angle",
    is: |lane| {
        let exponent = lane.exponent();
        let most: f64 = if lane.wide() { f64::MAX } else { f32::MAX.into() };
        // The factors e^(x ln |w|) and e^(-y·angle) of the power's size, and their product.
        let [w, z] = [0, 1].map(|i| lane.operand(i)).map(|[re, im]| Complex::new(re, im));
        let terms = [exponent.re, z.re * w.norm().ln(), z.im * w.arg()];
        let overflows = terms.iter().any(|term| term.abs() > most.ln() - 1.0);
        let no_angle = exponent.im.abs() * unit(lane.dtype(), 1.0) > 0.5;
        let endless = !lane.finite() || parts(lane.ours).iter().any(|part| !part.is_finite());
        let operands = [0, 1].iter().all(|i| lane.operand(*i).iter().all(|part| part.is_finite()));
        let power = lane.complex_power() || lane.complex() && lane.is(&[Op::Ldexp]);
        power && endless && (!operands || overflows || no_angle)
    },
};

const POWER: Exception = Exception {
    name: "complex powers",
    recordings: "pairs",
    reason: "the exponent z·ln w is rounded, of which the error becomes one of angle and size, and so is \
             every product of a whole power; ours has more digits in both",
    is: |lane| {
        // An error of some units in the exponent, and as many in the result; of an angle beyond the digits it
        // is the whole result.
        let exponent = lane.exponent();
        let [ours, theirs] = [lane.ours, lane.theirs].map(|x| magnitude(parts(x)));
        let size = ours.max(theirs);
        let units = 4.0 * (1.0 + exponent.re.abs() + exponent.im.abs());
        let bound = (units * unit(lane.dtype(), size)).min(2.0 * size);
        let near = |(x, y): (&f64, &f64)| x == y || (x - y).abs() <= bound;
        (lane.complex_power() || lane.complex() && lane.is(&[Op::Exp2, Op::Ldexp]))
            && parts(lane.ours).iter().zip(&parts(lane.theirs)).all(near)
    },
};

const SIGN: Exception = Exception {
    name: "complex functions",
    recordings: "pairs",
    reason: "the absolute value is rounded before it divides, to a subnormal even; ours are the nearest",
    is: |lane| lane.complex() && lane.is(&[Op::Sign]) && (lane.subnormal() || complex_steps(lane, 4.0)),
};

const ENDLESS_FUNCTION: Exception = Exception {
    name: "complex infinities and NaN",
    recordings: "pairs",
    reason: "of infinities and NaN it gives something else than C's Annex G, by which ours and NumPy's go",
    is: |lane| complex_function(lane) && !lane.finite(),
};

const FLUSHED: Exception = Exception {
    name: "subnormals",
    recordings: "cases",
    reason: "its loops take a subnormal for 0 and give 0 for one, in bf16 too; ours keep them, as the \
             formats have them",
    is: Lane::subnormal,
};

const PASSES_OVER_NAN: Exception = Exception {
    name: "NaN in orders and extrema",
    recordings: "cases",
    reason: "they pass over NaN; ours name the first one, as in NumPy, JAX and PyTorch",
    is: |lane| lane.is(&[Op::Argmax, Op::Argmin]),
};

const STEPS_OF_HYPOT: Exception = Exception {
    name: "hypot by squares",
    recordings: "cases",
    reason: "it is the root of a·a + b·b, each step rounded to the dtype: it overflows, wraps, and gives \
             NaN beside an infinity",
    is: |lane| {
        let [ours, theirs] = lane.real();
        // Three steps of the coarsest format, bf16.
        let near = (ours - theirs).abs() <= 3.0 * 2.0_f64.powi(-8) * ours.abs();
        lane.is(&[Op::Hypot]) && (near || !theirs.is_finite() || lane.integers() || lane.subnormal())
    },
};

/// Returns true for the logarithm of a sum of powers, with rounded steps and an angle of any number of turns.
fn sum_of_powers(lane: &Lane) -> bool {
    let operands = [0, 1].map(|i| lane.operand(i));
    let results = [parts(lane.ours), parts(lane.theirs)];
    let ln_base = if lane.op == Op::Logaddexp2 { LN_2 } else { 1.0 };
    lane.complex() && sums_near(lane.dtype(), ln_base, operands, results)
}

/// Returns true if a complex lane is at most this many units off, as steps that are fused or rounded in
/// another order leave it.
fn complex_steps(lane: &Lane, units: f64) -> bool {
    let [a, b] = [0, 1].map(|i| magnitude(lane.operand(i)));
    let size = if lane.is(&[Op::Multiply, Op::Square]) { a * b } else { magnitude(parts(lane.theirs)) };
    let off = |(x, y): (f64, f64)| (x - y).abs() <= units * unit(lane.dtype(), size);
    let (ours, theirs) = (parts(lane.ours), parts(lane.theirs));
    lane.complex() && (0..2).all(|i| off((ours[i], theirs[i])))
}
