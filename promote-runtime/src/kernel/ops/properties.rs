//! What is known of an op: what it gives, which other op is the same, and what its kernels wait for.

use core::cmp::Ordering;

use super::{Code, Exponent, Gives, KernelOp, is_discrete, is_integer, words};
use crate::{DType, Kind};

impl KernelOp {
    /// Whether overflow of f8e4m3fn gives the greatest finite value.
    #[inline]
    pub const fn saturates(self) -> bool {
        self.words & words::OVERFLOW_SATURATE != 0
    }

    /// Whether it takes no longer than the memory of large arrays, unless its numbers have a quicker form;
    /// with one operand: of real numbers.
    #[cfg(feature = "kernels")]
    pub(in crate::kernel) const fn waits_for_memory(self) -> bool {
        let of_two = matches!(
            self.code,
            Code::Equal
                | Code::NotEqual
                | Code::Less
                | Code::LessEqual
                | Code::Fmax
                | Code::Fmin
                | Code::Copysign
                | Code::LogicalAnd
                | Code::LogicalOr
                | Code::LogicalXor
                | Code::LeftShift
                | Code::RightShift
        );
        let of_one = matches!(
            self.code,
            Code::Negative
                | Code::Abs
                | Code::Sign
                | Code::Square
                | Code::Reciprocal
                | Code::Floor
                | Code::Ceil
                | Code::Trunc
                | Code::Round
                | Code::Conj
                | Code::Isnan
                | Code::Isinf
                | Code::Isfinite
                | Code::LogicalNot
                | Code::BitwiseNot
        );
        self.replaces() || of_two || of_one
    }

    /// Whether it is one of those whose results often take the place of an operand, and that cost no more
    /// than copying them there.
    #[cfg(feature = "kernels")]
    pub(in crate::kernel) const fn replaces(self) -> bool {
        matches!(
            self.code,
            Code::Add
                | Code::Subtract
                | Code::Multiply
                | Code::Divide
                | Code::Maximum
                | Code::Minimum
                | Code::BitwiseAnd
                | Code::BitwiseOr
                | Code::BitwiseXor
        )
    }

    /// Which of two operands it gives, if it does.
    #[cfg(feature = "kernels")]
    pub(in crate::kernel) const fn extremum(self) -> Option<Ordering> {
        match self.code {
            Code::Maximum => Some(Ordering::Greater),
            Code::Minimum => Some(Ordering::Less),
            _ => None,
        }
    }

    /// The op whose kernels compute this one in `compute`: without the words that change nothing there, so
    /// that rule sets share kernels, and under one name where two ops are the same. `narrow` says whether
    /// f8e4m3fn is among the dtypes of the operands or the result, so that its overflow counts.
    #[must_use]
    pub const fn shared(self, compute: DType, narrow: bool) -> KernelOp {
        let kind = compute.kind();
        let integer = is_integer(compute);
        let real = matches!(kind, Kind::Float);
        let discrete = is_discrete(compute);
        let code = match self.code {
            Code::ClampMin => Code::Maximum,
            Code::Fmax if discrete => Code::Maximum,
            Code::Fmin if discrete => Code::Minimum,
            Code::Divide | Code::DivideTrunc if integer => Code::FloorDivide,
            Code::FloatPower => Code::Pow,
            Code::Real if !matches!(kind, Kind::Complex) => Code::Conj,
            code => code,
        };
        let truncates = match self.code {
            Code::DivideTrunc => integer,
            Code::Divide | Code::FloorDivide if integer => {
                self.words & (words::ROUNDING_TRUNCATE | words::ROUNDING_TRUNCATE_INTEGERS) != 0
            }
            Code::FloorDivide => self.words & words::ROUNDING_TRUNCATE != 0,
            _ => false,
        };
        let mut counted = match code {
            Code::FloorDivide | Code::Remainder | Code::Fmod if integer => {
                words::BY_ZERO_ZERO | words::BY_ZERO_ONES
            }
            Code::FloorDivide if !truncates => words::QUOTIENT_ROUNDED,
            Code::Remainder if real => words::ZERO_SIGN_DIVISOR,
            Code::LeftShift | Code::RightShift => words::COUNT_CLAMPED,
            Code::Pow if matches!(kind, Kind::Signed) => words::NEGATIVE_EXPONENT_ERROR,
            Code::Sign | Code::Heaviside if real => words::NAN_ZERO,
            Code::PoissonNllLoss => words::LOG_INPUT_FALSE | words::FULL_TRUE,
            Code::Ldexp if real => words::EXPONENT_POWER,
            _ => 0,
        };
        if narrow {
            counted |= words::OVERFLOW_SATURATE;
        }
        let truncates = if truncates { words::ROUNDING_TRUNCATE } else { 0 };
        KernelOp { code, words: self.words & counted | truncates, rounds: false }
    }

    /// The op as it is for operands of these dtypes: `ldexp` scales by whole exponents, and multiplies by a
    /// power of two for others, and complex numbers always. With `exponent: wraps` it scales floats by
    /// integers only, and with `exponent: power` it never does.
    #[must_use]
    pub const fn of_operands(self, a: DType, b: DType) -> KernelOp {
        if !matches!(self.code, Code::Ldexp) || self.words & words::EXPONENT_POWER != 0 {
            return self;
        }
        let integer = is_integer(b);
        let scales = if self.words & words::EXPONENT_WRAPS != 0 {
            integer && matches!(a.kind(), Kind::Float)
        } else {
            (integer || matches!(b.kind(), Kind::Bool)) && !matches!(a.kind(), Kind::Complex)
        };
        let other = self.words & !words::EXPONENT_WRAPS;
        KernelOp { words: if scales { self.words } else { other | words::EXPONENT_POWER }, ..self }
    }

    /// The op as it is for an operand of a dtype, converted to a common dtype and computed in another: what
    /// rounds to whole numbers leaves those that are whole. So are integers as floats of a standard dtype; a
    /// complex number has an imaginary part besides.
    #[must_use]
    pub const fn of_operand(self, a: DType, common: DType, compute: DType) -> KernelOp {
        let rounds = matches!(self.code, Code::Floor | Code::Ceil | Code::Trunc | Code::Round);
        let floats = matches!(compute.kind(), Kind::Float) && !matches!(common, DType::Custom(_));
        if rounds && (is_discrete(compute) || is_discrete(a) && floats) {
            KernelOp { code: Code::Conj, ..self }
        } else {
            self
        }
    }

    /// How the right operand enters where [`KernelOp::of_operands`] has it scale: its low 32 bits, or as it
    /// is. None elsewhere.
    pub(crate) const fn exponent(self) -> Option<Exponent> {
        match self.code {
            Code::Ldexp if self.words & words::EXPONENT_POWER != 0 => None,
            Code::Ldexp if self.words & words::EXPONENT_WRAPS != 0 => Some(Exponent::Low),
            Code::Ldexp => Some(Exponent::Whole),
            _ => None,
        }
    }

    /// The op that gives the same with its operands swapped and has kernels where this one has none:
    /// `greater` is `less`, `greater_equal` is `less_equal`.
    #[inline]
    pub const fn mirrored(self) -> Option<KernelOp> {
        let code = match self.code {
            Code::Greater => Code::Less,
            Code::GreaterEqual => Code::LessEqual,
            _ => return None,
        };
        Some(KernelOp { code, ..self })
    }

    /// What a comparison gives of two numbers that compare so; of other ops nothing.
    pub(crate) const fn by_order(self, order: Ordering) -> Option<bool> {
        Some(match self.code {
            Code::Equal => order.is_eq(),
            Code::NotEqual => order.is_ne(),
            Code::Less => order.is_lt(),
            Code::LessEqual => order.is_le(),
            Code::Greater => order.is_gt(),
            Code::GreaterEqual => order.is_ge(),
            _ => return None,
        })
    }

    /// The comparison that gives, of all elements of an integer dtype and the end of it that is nearest to a
    /// number beyond it, what this one gives of the elements and the number, which compare so. Nothing where
    /// this is no comparison.
    #[cfg(feature = "kernels")]
    pub(crate) const fn at_end(self, order: Ordering) -> Option<KernelOp> {
        let Some(truth) = self.by_order(order) else { return None };
        let code = match (order, truth) {
            // Whatever the element is, it is at most the greatest; at least the least.
            (Ordering::Less | Ordering::Equal, true) => Code::LessEqual,
            (Ordering::Less | Ordering::Equal, false) => Code::Greater,
            (Ordering::Greater, true) => Code::GreaterEqual,
            (Ordering::Greater, false) => Code::Less,
        };
        Some(KernelOp { code, ..self })
    }

    /// The register form of the result, for operands of the register form `compute`.
    pub const fn result(self, compute: DType) -> DType {
        match (self.gives(), compute) {
            (Gives::Truth, _) => DType::Bool,
            (Gives::Part, DType::C64) => DType::F32,
            (Gives::Part, DType::C128) => DType::F64,
            _ => compute,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_shared_with_itself() {
        for &op in KernelOp::ALL {
            for &dtype in DType::WITH_TYPE {
                for words in 0..1 << 10 {
                    let shared = op.with_words(words).shared(dtype, true);
                    assert_eq!(shared.shared(dtype, true), shared, "{op} in {dtype}");
                    assert_eq!(shared.result(dtype), op.result(dtype), "{op} in {dtype}");
                }
            }
        }
    }
}
