//! One lane that differs from the recorded one.

use core::f64::consts::LN_2;
use core::fmt;

use num_complex::Complex;
use promote::{DType, Kind, Number, Op, ScalarValue};
use promote_reference::Value;

use crate::recorded::{Case, looks_at_all};
use crate::tolerance::{magnitude, parts, unit};

/// An operand of a lane. A number counts as one of the common dtype.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) dtype: DType,
    pub(crate) parts: [f64; 2],
    /// `None` for numbers.
    element: Option<ScalarValue>,
}

impl Seen {
    pub(crate) fn new(value: Value, common: DType) -> Seen {
        let parts_of = |number| match number {
            Number::Complex(re, im) => [re, im],
            Number::Float(x) => [x, 0.0],
            Number::Int(x) => [x as f64, 0.0],
            Number::Bool(x) => [f64::from(u8::from(x)), 0.0],
        };
        match value {
            Value::Array(element) | Value::ZeroDim(element) => {
                Seen { dtype: element.dtype(), parts: parts(element), element: Some(element) }
            }
            Value::Number(number) => Seen { dtype: common, parts: parts_of(number), element: None },
        }
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.element {
            Some(element) => f.write_str(&shown(element)),
            None => f.write_str(&shown_parts(self.dtype, self.parts)),
        }
    }
}

/// One lane that differs.
#[derive(Clone)]
pub(crate) struct Lane {
    pub(crate) op: Op,
    /// The case as it was recorded: operands and options.
    pub(crate) text: String,
    /// The operands. If the op has one operand, it is both.
    pub(crate) operands: [Seen; 2],
    /// True if an operand is a number.
    pub(crate) number: bool,
    pub(crate) ours: ScalarValue,
    pub(crate) theirs: ScalarValue,
    /// True if the recorded value is that of other ops, of which PyTorch makes this one (`composed.rs`).
    pub(crate) composed: bool,
}

impl Lane {
    pub(crate) fn is(&self, ops: &[Op]) -> bool {
        ops.contains(&self.op)
    }

    /// Returns the parts of an operand.
    pub(crate) fn operand(&self, i: usize) -> [f64; 2] {
        self.operands[i].parts
    }

    /// Returns the dtype of the result.
    pub(crate) fn dtype(&self) -> DType {
        self.ours.dtype()
    }

    /// Returns the real part of the left operand.
    pub(crate) fn a(&self) -> f64 {
        self.operands[0].parts[0]
    }

    /// Returns the real part of the right operand.
    pub(crate) fn b(&self) -> f64 {
        self.operands[1].parts[0]
    }

    /// Returns our real part and the recorded one.
    pub(crate) fn real(&self) -> [f64; 2] {
        [parts(self.ours)[0], parts(self.theirs)[0]]
    }

    pub(crate) fn complex(&self) -> bool {
        self.operands.iter().any(|operand| operand.dtype.kind() == Kind::Complex)
    }

    pub(crate) fn integers(&self) -> bool {
        self.operands.iter().all(|operand| operand.dtype.kind() < Kind::Float)
    }

    pub(crate) fn half(&self) -> bool {
        matches!(self.dtype(), DType::F16 | DType::BF16)
    }

    /// Returns true if the parts are `f64`.
    pub(crate) fn wide(&self) -> bool {
        wide(self.dtype())
    }

    /// Returns true if a recording can know the exact result of a function of complex numbers: not on cuts,
    /// where the signs of zeros decide, and not if a part is not finite.
    pub(crate) fn is_known(&self, compute: DType) -> bool {
        compute.kind() != Kind::Complex
            || self.operands.iter().flat_map(|operand| operand.parts).all(|x| x.is_finite() && x != 0.0)
    }

    /// Returns true if the operands and the recorded result are finite.
    pub(crate) fn finite(&self) -> bool {
        let [a, b] = self.operands;
        [a.parts, b.parts, parts(self.theirs)].iter().flatten().all(|part| part.is_finite())
    }

    /// Returns true if a part of an operand or of a result, or a quotient, is subnormal in the format that
    /// computes: `f64`, or `f32` for all narrower floats.
    pub(crate) fn subnormal(&self) -> bool {
        let small = |dtype: DType, x: f64| {
            let least = if wide(dtype) { f64::MIN_POSITIVE } else { f32::MIN_POSITIVE.into() };
            x != 0.0 && x.abs() < least
        };
        let divides = self.is(&[Op::FloorDivide, Op::Remainder, Op::Fmod]);
        let of = |dtype, [re, im]: [f64; 2]| small(dtype, re) || small(dtype, im);
        divides && small(self.dtype(), self.a() / self.b())
            || self.operands.iter().any(|operand| of(operand.dtype, operand.parts))
            || [self.ours, self.theirs].iter().any(|result| of(self.dtype(), parts(*result)))
    }

    pub(crate) fn complex_power(&self) -> bool {
        self.dtype().kind() == Kind::Complex && self.is(&[Op::Pow, Op::FloatPower])
    }

    /// Returns the exponent of e in a power: z·ln w for w^z, and z·ln 2 for a power of 2.
    pub(crate) fn exponent(&self) -> Complex<f64> {
        let [w, z] = self.operands.map(|operand| Complex::new(operand.parts[0], operand.parts[1]));
        match self.op {
            Op::Exp2 => w * LN_2,
            Op::GeluTanh => (w + w * w * w * 0.044_715) * 1.6,
            Op::Ldexp => z * LN_2,
            _ => z * w.ln(),
        }
    }

    /// Returns true for powers whose exponent, which is computed here as the sum of two floats, has no digits
    /// left for the last digit of the angle.
    pub(crate) fn has_undetermined_angle(&self) -> bool {
        let exponent = self.exponent();
        let digits = if self.wide() { 53 } else { 24 };
        let gelu = self.complex() && self.op == Op::GeluTanh;
        let most = if gelu { 51 } else { 104 - digits };
        (gelu || self.complex_power()) && exponent.re.abs().max(exponent.im.abs()) > 2.0_f64.powi(most)
    }

    /// Returns true if the results are real and at most this many units apart.
    pub(crate) fn within(&self, units: f64) -> bool {
        let [ours, theirs] = self.real();
        (ours - theirs).abs() <= units * unit(self.dtype(), theirs)
    }

    /// Returns true if the parts of the results, of any signs, are at most this many units of the greater
    /// part apart.
    pub(crate) fn sizes_near(&self, units: f64) -> bool {
        let theirs = parts(self.theirs);
        let bound = units * unit(self.dtype(), magnitude(theirs));
        parts(self.ours).iter().zip(&theirs).all(|(x, y)| (x.abs() - y.abs()).abs() <= bound)
    }

    /// Returns true if the results differ in the signs of zeros only.
    pub(crate) fn equal_values(&self) -> bool {
        parts(self.ours).iter().zip(&parts(self.theirs)).all(|(x, y)| x == y || x.is_nan() && y.is_nan())
    }

    /// Writes the lane as `docs/defects.md` shows it.
    pub(crate) fn example(&self) -> String {
        format!("`{}` is {}, not {}", self.call(), shown(self.theirs), shown(self.ours))
    }

    /// Writes the call with its operands.
    pub(crate) fn call(&self) -> String {
        if looks_at_all(self.op) {
            return format!("{}({})", self.op, self.text);
        }
        let [a, b] = self.operands;
        let options: Vec<&str> = self.text.split(' ').filter(|word| word.contains('=')).collect();
        let operand = |seen: Seen| match seen.element {
            Some(element) => format!("{} {}", element.dtype(), shown(element)),
            None => format!("number {seen}"),
        };
        let mut given = operand(a);
        if self.op.arity() == 2 {
            given = format!("{given}, {}", operand(b));
        }
        for option in options {
            match option.split_once('=') {
                Some(("to", dtype)) => given = format!("{given}, {dtype}"),
                Some(("condition" | "reduction" | "weight", _)) => {}
                _ => given = format!("{given}, {option}"),
            }
        }
        format!("{}({given})", self.op)
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (call, dtype) = (self.call(), self.dtype());
        write!(f, "{call} is {dtype} {}, recorded {}", shown(self.ours), shown(self.theirs))
    }
}

fn wide(dtype: DType) -> bool {
    matches!(dtype, DType::F64 | DType::C128)
}

/// Returns the case's operands at a lane, as exceptions see them.
pub(crate) fn operands(case: &Case, i: usize, common: DType) -> [Seen; 2] {
    let see = |at: usize| Seen::new(case.inputs[at].lane(i), common);
    [see(0), see(case.inputs.len() - 1)]
}

fn shown(value: ScalarValue) -> String {
    match value.number() {
        Some(Number::Bool(x)) => x.to_string(),
        Some(Number::Int(x)) => x.to_string(),
        _ => shown_parts(value.dtype(), parts(value)),
    }
}

/// Writes a number with as many digits as tell the elements of a dtype apart.
fn shown_parts(dtype: DType, [re, im]: [f64; 2]) -> String {
    let part = |x: f64| {
        let text = if wide(dtype) { format!("{x:?}") } else { format!("{:?}", x as f32) };
        text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
    };
    match dtype.kind() {
        Kind::Complex => {
            let sign = if im.is_sign_negative() && !im.is_nan() { '-' } else { '+' };
            format!("{}{sign}{}i", part(re), part(im.abs()))
        }
        Kind::Float => part(re),
        _ => format!("{re}"),
    }
}
