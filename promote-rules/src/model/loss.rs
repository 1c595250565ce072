//! Losses of conversions.

use super::Format;

/// A part of a value that a conversion can lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Values beyond the largest or below the smallest.
    Range,
    /// Digits: the target keeps fewer than the source has.
    Digits {
        /// The digits of the source.
        from: u32,
        /// The digits of the target.
        to: u32,
    },
    /// The imaginary part.
    Imaginary,
    /// The sign.
    Sign,
    /// Everything but whether the value is zero.
    Magnitude,
}

impl Loss {
    /// Describes the loss as a person would.
    pub fn describe(self) -> String {
        match self {
            Loss::Range => "values out of range".to_owned(),
            Loss::Digits { from, to } => format!("{} of {from} binary digits", from - to),
            Loss::Imaginary => "the imaginary part".to_owned(),
            Loss::Sign => "the sign".to_owned(),
            Loss::Magnitude => "all but whether it is zero".to_owned(),
        }
    }

    /// Returns what a conversion between two formats can lose: nothing if the target holds the source.
    pub fn between(from: Format, to: Format) -> Vec<Loss> {
        if to.holds(from) {
            return Vec::new();
        }
        if to == Format::Bool {
            return vec![Loss::Magnitude];
        }
        let mut losses = Vec::new();
        if matches!(from, Format::Complex { .. }) && !matches!(to, Format::Complex { .. }) {
            losses.push(Loss::Imaginary);
        }
        if from.is_signed() && !to.is_signed() {
            losses.push(Loss::Sign);
        }
        let ((d, x, n), (digits, max, min)) = (from.precision_and_range(), to.precision_and_range());
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
    use crate::model::StandardDType as D;

    #[test]
    fn names_every_loss() {
        let loss = |a: D, b: D| Loss::between(a.format().unwrap(), b.format().unwrap());
        assert_eq!(loss(D::I32, D::F32), [Loss::Digits { from: 31, to: 24 }]);
        assert_eq!(loss(D::F64, D::F16), [Loss::Range, Loss::Digits { from: 53, to: 11 }]);
        assert_eq!(loss(D::C64, D::F32), [Loss::Imaginary]);
        assert_eq!(loss(D::I8, D::U8), [Loss::Sign]);
        assert_eq!(loss(D::U8, D::F32), []);
    }
}
