//! The expected results of conversions and ops, computed naively: values are exact numbers, and rounding is a
//! search.

use std::cmp::Ordering;
use std::sync::LazyLock;

use promote_runtime::__private::kernel::KernelOp;
use promote_runtime::DType;

/// A value of any dtype: exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Bool(bool),
    Int(i128),
    Float(f64),
    Complex(f64, f64),
}

/// A small float format, in the words of its definition.
struct Format {
    exponent: u32,
    mantissa: u32,
    /// Whether there is no infinity, and all ones is the only NaN.
    finite: bool,
}

impl Format {
    const fn of(dtype: DType) -> Option<Format> {
        let (exponent, mantissa, finite) = match dtype {
            DType::F8E4M3FN => (4, 3, true),
            DType::F8E5M2 => (5, 2, false),
            DType::F16 | DType::C32 => (5, 10, false),
            DType::BF16 => (8, 7, false),
            _ => return None,
        };
        Some(Format { exponent, mantissa, finite })
    }

    fn bits(&self) -> u32 {
        1 + self.exponent + self.mantissa
    }

    /// The value of a code without its sign.
    fn magnitude(&self, code: u64) -> f64 {
        let bias = (1 << (self.exponent - 1)) - 1;
        let (field, fraction) = (code >> self.mantissa, code & ((1 << self.mantissa) - 1));
        let special = (1 << self.exponent) - 1;
        let unit = 2.0_f64.powi(-(self.mantissa as i32));
        if self.finite && code == (1 << (self.bits() - 1)) - 1 {
            f64::NAN
        } else if field == special && !self.finite {
            if fraction == 0 { f64::INFINITY } else { f64::NAN }
        } else if field == 0 {
            fraction as f64 * unit * 2.0_f64.powi(1 - bias)
        } else {
            (1.0 + fraction as f64 * unit) * 2.0_f64.powi(field as i32 - bias)
        }
    }

    fn decode(&self, code: u64) -> f64 {
        let sign = 1 << (self.bits() - 1);
        let magnitude = self.magnitude(code & (sign - 1));
        if code & sign != 0 { -magnitude } else { magnitude }
    }

    /// The code of the nearest value, by search in the list of all of them; ties go to the even code.
    fn encode(&self, x: f64, list: &[f64], saturate: bool) -> u64 {
        let sign = if x.is_sign_negative() { 1 << (self.bits() - 1) } else { 0 };
        let greatest = list.len() as u64 - 1;
        let nan = (1 << (self.bits() - 1)) - 1;
        if x.is_nan() {
            return nan | sign;
        }
        let (x, beyond) = (x.abs(), if saturate && self.finite { greatest } else { greatest + 1 });
        // The value that would follow the greatest one.
        let next = list[greatest as usize] + (list[greatest as usize] - list[greatest as usize - 1]);
        let above = list.partition_point(|value| *value < x) as u64;
        let high = if above > greatest { next } else { list[above as usize] };
        if x.is_infinite() {
            return beyond | sign;
        }
        let code = if above == 0 || high == x {
            above
        } else {
            let low = list[above as usize - 1];
            // Exact: both differences are of neighbours, and the products of halves of them.
            match (x - low).partial_cmp(&(high - x)).unwrap() {
                Ordering::Less => above - 1,
                Ordering::Greater => above,
                Ordering::Equal => above - (above & 1),
            }
        };
        (if code > greatest { beyond } else { code }) | sign
    }
}

/// All finite magnitudes of a format, by code.
fn list(dtype: DType) -> &'static [f64] {
    static LISTS: LazyLock<Vec<(DType, Vec<f64>)>> = LazyLock::new(|| {
        let dtypes = [DType::F8E4M3FN, DType::F8E5M2, DType::F16, DType::C32, DType::BF16];
        let list = |dtype| {
            let format = Format::of(dtype).unwrap();
            (0..1 << (format.bits() - 1))
                .map(|code| format.magnitude(code))
                .take_while(|x| x.is_finite())
                .collect()
        };
        dtypes.into_iter().map(|dtype| (dtype, list(dtype))).collect()
    });
    &LISTS.iter().find(|(listed, _)| *listed == dtype).unwrap().1
}

/// The codes of ever greater magnitudes: a walk along the list of values, with no search.
pub(crate) struct Walk {
    list: &'static [f64],
    code: usize,
    /// The code of a magnitude that rounds beyond the greatest value.
    beyond: u64,
}

impl Walk {
    pub(crate) fn new(dtype: DType, saturate: bool) -> Walk {
        let (list, format) = (list(dtype), Format::of(dtype).unwrap());
        let beyond = match (format.finite, saturate) {
            (true, true) => list.len() as u64 - 1,
            (true, false) => u64::MAX,
            (false, _) => list.len() as u64,
        };
        Walk { list, code: 0, beyond }
    }

    /// The code of `x`, which is not below the one before; `u64::MAX` is NaN.
    pub(crate) fn next(&mut self, x: f32) -> u64 {
        if x.is_nan() {
            return u64::MAX;
        }
        let x = f64::from(x);
        while let Some(middle) = self.middle() {
            // Half way up, the even code takes it.
            if x < middle || (x == middle && self.code.is_multiple_of(2)) {
                return self.code as u64;
            }
            self.code += 1;
        }
        self.beyond
    }

    /// Half way from the value of the code to the next one, the value after the greatest included.
    fn middle(&self) -> Option<f64> {
        let low = *self.list.get(self.code)?;
        let high = self.list.get(self.code + 1).copied();
        Some(f64::midpoint(low, high.unwrap_or_else(|| low + (low - self.list[self.code - 1]))))
    }
}

/// The value of an element.
pub(crate) fn decode(dtype: DType, bytes: &[u8]) -> Value {
    let bits = |from: usize, n: usize| {
        let mut word = [0; 8];
        word[..n].copy_from_slice(&bytes[from..from + n]);
        u64::from_le_bytes(word)
    };
    let small = |from: usize, n: usize| Format::of(dtype).unwrap().decode(bits(from, n));
    match dtype {
        DType::Bool => Value::Bool(bytes[0] != 0),
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => Value::Int(bits(0, bytes.len()).into()),
        DType::I8 => Value::Int((bits(0, 1) as i8).into()),
        DType::I16 => Value::Int((bits(0, 2) as i16).into()),
        DType::I32 => Value::Int((bits(0, 4) as i32).into()),
        DType::I64 => Value::Int((bits(0, 8) as i64).into()),
        DType::F32 => Value::Float(f32::from_bits(bits(0, 4) as u32).into()),
        DType::F64 => Value::Float(f64::from_bits(bits(0, 8))),
        DType::C32 => Value::Complex(small(0, 2), small(2, 2)),
        DType::C64 => {
            let part = |from| f32::from_bits(bits(from, 4) as u32).into();
            Value::Complex(part(0), part(4))
        }
        DType::C128 => Value::Complex(f64::from_bits(bits(0, 8)), f64::from_bits(bits(8, 8))),
        _ => Value::Float(small(0, bytes.len())),
    }
}

/// The bytes of an element with the value `value` converted to `to`; `from` is the dtype that it comes from.
pub(crate) fn encode(value: Value, from: DType, to: DType, saturate: bool) -> Vec<u8> {
    let size = to.size().unwrap();
    let real = |x: f64, part: usize| -> Vec<u8> {
        match to {
            DType::F32 | DType::C64 => (x as f32).to_bits().to_le_bytes().to_vec(),
            DType::F64 | DType::C128 => x.to_bits().to_le_bytes().to_vec(),
            _ => Format::of(to).unwrap().encode(x, list(to), saturate).to_le_bytes()[..part].to_vec(),
        }
    };
    // Integers of 32 and 64 bits become small floats by way of f32, as in every framework.
    let number = |value: Value| match value {
        Value::Bool(x) => f64::from(u8::from(x)),
        Value::Int(x) if to == DType::F64 || to == DType::C128 || from.bits() < 32 => x as f64,
        Value::Int(x) => f64::from(x as f32),
        Value::Float(x) | Value::Complex(x, _) => x,
    };
    match to {
        DType::Bool => {
            let truth = match value {
                Value::Bool(x) => x,
                Value::Int(x) => x != 0,
                Value::Float(x) => x != 0.0,
                Value::Complex(re, im) => re != 0.0 || im != 0.0,
            };
            vec![truth.into()]
        }
        DType::U8
        | DType::U16
        | DType::U32
        | DType::U64
        | DType::I8
        | DType::I16
        | DType::I32
        | DType::I64 => {
            let whole = match value {
                Value::Bool(x) => x.into(),
                Value::Int(x) => x,
                Value::Float(x) | Value::Complex(x, _) => {
                    let bits = to.bits();
                    let signed = to.kind() == promote_runtime::Kind::Signed;
                    let (low, high) = if signed {
                        (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
                    } else {
                        (0, (1_i128 << bits) - 1)
                    };
                    // `as` to i128 truncates, saturates far outside, and makes NaN 0.
                    (x as i128).clamp(low, high)
                }
            };
            whole.to_le_bytes()[..size].to_vec()
        }
        DType::C32 | DType::C64 | DType::C128 => {
            let im = if let Value::Complex(_, im) = value { im } else { 0.0 };
            [real(number(value), size / 2), real(im, size / 2)].concat()
        }
        _ => real(number(value), size),
    }
}

/// An element converted.
pub(crate) fn convert(from: DType, bytes: &[u8], to: DType, saturate: bool) -> Vec<u8> {
    encode(decode(from, bytes), from, to, saturate)
}

/// Returns the result of an op in a compute dtype: its dtype and its bytes.
pub(crate) fn operate(op: KernelOp, compute: DType, a: &[u8], b: &[u8]) -> (DType, Vec<u8>) {
    let (x, y) = (decode(compute, a), decode(compute, b));
    let out = op.result(compute);
    if out == DType::Bool && op.result(DType::F32) == DType::Bool {
        return (out, vec![compare(op, x, y).into()]);
    }
    let value = match (x, y) {
        (Value::Bool(x), Value::Bool(y)) => Value::Bool(match op.name() {
            "add" | "maximum" => x || y,
            _ => x && y,
        }),
        (Value::Int(x), Value::Int(y)) => Value::Int(match op.name() {
            "add" => x + y,
            "subtract" => x - y,
            // The product of two u64 has 128 bits; only the lowest 64 count.
            "multiply" => x.wrapping_mul(y),
            "maximum" => x.max(y),
            _ => x.min(y),
        }),
        (Value::Float(x), Value::Float(y)) if compute == DType::F32 => {
            Value::Float(float(op, x, y, |x| f64::from(x as f32)))
        }
        (Value::Float(x), Value::Float(y)) => Value::Float(float(op, x, y, |x| x)),
        (Value::Complex(..), Value::Complex(..)) => return (out, complex(op, compute, x, y)),
        _ => unreachable!("two operands of one dtype"),
    };
    (out, encode(value, compute, out, false))
}

fn compare(op: KernelOp, x: Value, y: Value) -> bool {
    let order = match (x, y) {
        (Value::Bool(x), Value::Bool(y)) => Some(x.cmp(&y)),
        (Value::Int(x), Value::Int(y)) => Some(x.cmp(&y)),
        (Value::Float(x), Value::Float(y)) => x.partial_cmp(&y),
        // By the real part, then by the imaginary one; equal numbers have equal parts, and NaN has no order.
        (Value::Complex(a, b), Value::Complex(c, d)) => {
            let nan = b.is_nan() || d.is_nan();
            a.partial_cmp(&c)
                .and_then(|order| if nan { None } else { b.partial_cmp(&d).map(|then| order.then(then)) })
        }
        (x, y) => (x == y).then_some(Ordering::Equal),
    };
    match op.name() {
        "equal" => order == Some(Ordering::Equal),
        "not_equal" => order != Some(Ordering::Equal),
        "less" => order == Some(Ordering::Less),
        "less_equal" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        "greater" => order == Some(Ordering::Greater),
        _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// Sums, differences, products and quotients of `f32` in `f64` round to `f32` as one operation would.
fn float(op: KernelOp, x: f64, y: f64, round: impl Fn(f64) -> f64) -> f64 {
    let extreme = |positive: bool| {
        if x.is_nan() || y.is_nan() {
            f64::NAN
        } else if x == y {
            if x.is_sign_positive() == positive { x } else { y }
        } else if (x > y) == positive {
            x
        } else {
            y
        }
    };
    match op.name() {
        "add" => round(x + y),
        "subtract" => round(x - y),
        "multiply" => round(x * y),
        "divide" => round(x / y),
        "maximum" => extreme(true),
        _ => extreme(false),
    }
}

fn complex(op: KernelOp, dtype: DType, x: Value, y: Value) -> Vec<u8> {
    let (Value::Complex(a, b), Value::Complex(c, d)) = (x, y) else { unreachable!("both are complex") };
    let single = dtype == DType::C64;
    let r = |x: f64| if single { f64::from(x as f32) } else { x };
    let (re, im) = match op.name() {
        "add" => (r(a + c), r(b + d)),
        "subtract" => (r(a - c), r(b - d)),
        "multiply" => (r(r(a * c) - r(b * d)), r(r(a * d) + r(b * c))),
        name @ ("maximum" | "minimum") => {
            let op = if name == "maximum" {
                KernelOp::new(promote_runtime::Op::Maximum)
            } else {
                KernelOp::new(promote_runtime::Op::Minimum)
            };
            let (re, im) = (float(op, a, c, |x| x), float(op, b, d, |x| x));
            match a.partial_cmp(&c) {
                _ if re.is_nan() || im.is_nan() => (f64::NAN, f64::NAN),
                Some(Ordering::Equal) | None => (re, im),
                Some(order) if (order == Ordering::Greater) == (name == "maximum") => (a, b),
                Some(_) => (c, d),
            }
        }
        // Smith's algorithm as NumPy branches.
        _ if c.abs() >= d.abs() => {
            if c == 0.0 && d == 0.0 {
                (r(a / c.abs()), r(b / c.abs()))
            } else {
                let ratio = r(d / c);
                let scale = r(1.0 / r(c + r(d * ratio)));
                (r(r(a + r(b * ratio)) * scale), r(r(b - r(a * ratio)) * scale))
            }
        }
        _ => {
            let ratio = r(c / d);
            let scale = r(1.0 / r(d + r(c * ratio)));
            (r(r(r(a * ratio) + b) * scale), r(r(r(b * ratio) - a) * scale))
        }
    };
    encode(Value::Complex(re, im), dtype, dtype, false)
}
