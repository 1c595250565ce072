//! What a dtype can represent, and so which dtype holds which.

/// The values of a dtype. NaN, infinities and the sign of zero are left aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 0 and 1.
    Bool,
    /// Integers: `bits` in all, two's complement if `signed`.
    Int {
        /// Whether there are negative ones.
        signed: bool,
        /// The width.
        bits: u32,
    },
    /// Binary floating point.
    Float {
        /// Digits of the significand, the hidden one included.
        digits: i32,
        /// The exponent of the largest power of two.
        max: i32,
        /// The exponent of the smallest one, subnormals included.
        min: i32,
    },
    /// Two floats; the name of their dtype.
    Complex {
        /// The dtype of the parts.
        part: &'static str,
    },
}

/// What a conversion can lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Values beyond the largest or below the smallest.
    Range,
    /// Digits: of the source's, the target keeps fewer.
    Digits {
        /// Of the source.
        from: i32,
        /// Of the target.
        to: i32,
    },
    /// The imaginary part.
    Imaginary,
    /// The sign.
    Sign,
    /// Everything but whether it is zero.
    Magnitude,
}

impl Loss {
    /// As a person would say it.
    pub fn describe(self) -> String {
        match self {
            Loss::Range => "values out of range".to_owned(),
            Loss::Digits { from, to } => format!("{} of {from} binary digits", from - to),
            Loss::Imaginary => "the imaginary part".to_owned(),
            Loss::Sign => "the sign".to_owned(),
            Loss::Magnitude => "all but whether it is zero".to_owned(),
        }
    }
}

impl Format {
    /// Digits before rounding sets in, and the largest and smallest exponents, of a real format.
    fn reach(self) -> (i32, i32, i32) {
        match self {
            Format::Bool => (1, 0, 0),
            Format::Int { signed: true, bits } => (bits as i32 - 1, bits as i32 - 1, 0),
            Format::Int { signed: false, bits } => (bits as i32, bits as i32 - 1, 0),
            Format::Float { digits, max, min } => (digits, max, min),
            Format::Complex { part } => Format::part(part).reach(),
        }
    }

    /// The format of a complex dtype's parts.
    pub fn part(name: &str) -> Format {
        super::standard(name).map_or(Format::Bool, |(format, _)| format)
    }

    /// Whether this format represents every value of the other.
    pub fn holds(self, other: Format) -> bool {
        match (self, other) {
            (a, b) if a == b => true,
            (Format::Complex { part: a }, Format::Complex { part: b }) => {
                Format::part(a).holds(Format::part(b))
            }
            (Format::Complex { part }, real) => Format::part(part).holds(real),
            (_, Format::Complex { .. })
            | (Format::Bool, _)
            | (Format::Int { .. }, Format::Float { .. })
            | (Format::Int { signed: false, .. }, Format::Int { signed: true, .. }) => false,
            (Format::Int { .. }, _) => self.reach().0 >= other.reach().0,
            (Format::Float { digits, max, min }, _) => {
                let (d, x, n) = other.reach();
                digits >= d && max >= x && min <= n
            }
        }
    }

    /// What may be lost on the way from this format to the other; empty where the other holds this one.
    pub fn losses(self, to: Format) -> Vec<Loss> {
        if to.holds(self) {
            return Vec::new();
        }
        let mut losses = Vec::new();
        if to == Format::Bool {
            return vec![Loss::Magnitude];
        }
        if matches!(self, Format::Complex { .. }) && !matches!(to, Format::Complex { .. }) {
            losses.push(Loss::Imaginary);
        }
        let signed = |f: Format| !matches!(f, Format::Bool | Format::Int { signed: false, .. });
        if signed(self) && !signed(to) {
            losses.push(Loss::Sign);
        }
        let ((d, x, n), (digits, max, min)) = (self.reach(), to.reach());
        if x > max || n < min {
            losses.push(Loss::Range);
        }
        if d > digits {
            losses.push(Loss::Digits { from: d, to: digits });
        }
        losses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::standard;

    fn holds(a: &str, b: &str) -> bool {
        standard(a).unwrap().0.holds(standard(b).unwrap().0)
    }

    #[test]
    fn a_float_holds_the_integers_that_fit_its_significand() {
        assert!(holds("f32", "i16") && holds("f32", "u16") && holds("f16", "u8") && holds("f64", "u32"));
        assert!(
            !holds("f32", "i32") && !holds("f64", "i64") && !holds("bf16", "i16") && !holds("f16", "i16")
        );
    }

    #[test]
    fn neither_half_holds_the_other_and_complex_holds_what_its_parts_hold() {
        assert!(!holds("f16", "bf16") && !holds("bf16", "f16") && holds("f32", "bf16"));
        assert!(holds("c64", "i16") && holds("c128", "c64") && !holds("c64", "f64") && !holds("f64", "c64"));
    }

    #[test]
    fn integers_hold_by_range() {
        assert!(holds("i16", "u8") && holds("u16", "u8") && holds("u8", "bool"));
        assert!(!holds("u16", "i8") && !holds("i8", "u8") && !holds("bool", "u8"));
    }

    #[test]
    fn a_loss_is_named() {
        let loss = |a: &str, b: &str| standard(a).unwrap().0.losses(standard(b).unwrap().0);
        assert_eq!(loss("i32", "f32"), [Loss::Digits { from: 31, to: 24 }]);
        assert_eq!(loss("f64", "f16"), [Loss::Range, Loss::Digits { from: 53, to: 11 }]);
        assert_eq!(loss("c64", "f32"), [Loss::Imaginary]);
        assert_eq!(loss("i8", "u8"), [Loss::Sign]);
        assert_eq!(loss("u8", "f32"), []);
    }
}
