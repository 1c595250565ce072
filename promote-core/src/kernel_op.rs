//! Ops as kernels know them: an op together with the semantics that a rule file chooses.

use core::cmp::Ordering;
use core::fmt;

use crate::op::{ResultForm, WITH_KERNELS};
use crate::semantics as s;
use crate::{DType, Kind, Op};

/// An op that has kernels, together with its semantics. Kernels are looked up by their `KernelOp` and dtypes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KernelOp {
    /// A position in [`Op::STANDARD`], below [`KernelOp::COUNT`].
    index: u8,
    /// The bits of [`semantics`](crate::semantics).
    bits: u16,
    /// True if a result is rounded to the common dtype before it is cast to the output dtype.
    rounds: bool,
}

/// The bits of `negative: exact`.
const SIGNED: u16 = s::SIGNED_LEFT | s::SIGNED_RIGHT;

const fn is_integer(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Unsigned | Kind::Signed)
}

const fn is_discrete(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Bool) || is_integer(dtype)
}

impl KernelOp {
    /// The number of ops that have kernels: one more than the greatest index.
    pub const COUNT: usize = WITH_KERNELS;

    /// Returns every op that has kernels, with its default semantics.
    pub fn all() -> impl Iterator<Item = KernelOp> {
        Op::STANDARD[..WITH_KERNELS].iter().map(|op| KernelOp::new(*op))
    }

    /// Creates an op with its default semantics.
    ///
    /// # Panics
    ///
    /// Panics if the op has no kernels. In a `const` that is a compile error.
    #[inline]
    pub const fn new(op: Op) -> KernelOp {
        match KernelOp::of(op) {
            Some(op) => op,
            None => panic!("this op has no kernels"),
        }
    }

    /// Creates an op with its default semantics; `None` if it has no kernels.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote_core::__private::KernelOp;
    /// use promote::Op;
    ///
    /// assert_eq!(KernelOp::of(Op::Add).map(KernelOp::op), Some(Op::Add));
    /// assert_eq!(KernelOp::of(Op::Concatenate), None);
    /// ```
    #[inline]
    pub const fn of(op: Op) -> Option<KernelOp> {
        let index = op.index();
        if index < WITH_KERNELS {
            Some(KernelOp { index: index as u8, bits: 0, rounds: false })
        } else {
            None
        }
    }

    /// Returns the op without its semantics.
    #[inline]
    pub const fn op(self) -> Op {
        Op::STANDARD[self.index as usize]
    }

    /// Returns the position in [`Op::STANDARD`].
    #[inline]
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// Returns the name of the op, without its semantics.
    pub const fn name(self) -> &'static str {
        self.op().name()
    }

    /// Returns the number of operands that decide the dtype: 1 or 2.
    #[inline]
    pub const fn arity(self) -> usize {
        self.op().arity()
    }

    /// Returns true if the operands may be swapped.
    #[inline]
    pub const fn commutes(self) -> bool {
        match &self.op().info().kernel {
            Some(kernel) => kernel.commutes,
            None => false,
        }
    }

    /// Returns the bits of the [`semantics`](crate::semantics).
    #[inline]
    pub const fn semantics(self) -> u16 {
        self.bits
    }

    /// Returns this op with other semantics.
    #[must_use]
    #[inline]
    pub const fn with_semantics(self, bits: u16) -> KernelOp {
        KernelOp { bits, ..self }
    }

    const fn with_op(self, op: Op) -> KernelOp {
        KernelOp { index: op.index() as u8, ..self }
    }

    /// Returns this op with results that are rounded to the common dtype, before they are cast to the output
    /// dtype, or not.
    ///
    /// That makes a difference if the op computes in a wider dtype than the common one, and the output dtype
    /// is not the common one.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn rounding_first(self, rounds: bool) -> KernelOp {
        KernelOp { rounds, ..self }
    }

    /// Returns true if results are rounded to the common dtype first.
    #[doc(hidden)]
    #[inline]
    pub const fn rounds_first(self) -> bool {
        self.rounds
    }

    /// Returns the sort key of the op in registries.
    #[doc(hidden)]
    #[inline]
    pub const fn rank(self) -> u32 {
        (self.index as u32) << 16 | self.bits as u32
    }

    /// Returns true if results that overflow f8e4m3fn become the greatest finite value.
    #[inline]
    pub const fn saturates(self) -> bool {
        self.bits & s::OVERFLOW_SATURATE != 0
    }

    /// Returns true if there is a kernel with these semantics in a dtype in which the op has kernels.
    ///
    /// `full: true` adds a term for targets above 1, and complex numbers have no order.
    pub const fn is_computed_in(self, compute: DType) -> bool {
        !(matches!(compute.kind(), Kind::Complex) && self.bits & s::FULL_TRUE != 0)
    }

    /// Returns the op with equal results that never fails; `None` if this op never fails itself. Only integer
    /// dtypes have operands for which an op fails.
    pub const fn lenient(self, compute: DType) -> Option<KernelOp> {
        let bits = match self.op() {
            _ if !is_integer(compute) => return None,
            Op::FloorDivide | Op::Remainder | Op::Fmod
                if self.bits & (s::BY_ZERO_ZERO | s::BY_ZERO_ONES) == 0 =>
            {
                self.bits | s::BY_ZERO_ZERO
            }
            Op::Pow if self.bits & s::NEGATIVE_EXPONENT_ERROR != 0 => self.bits & !s::NEGATIVE_EXPONENT_ERROR,
            _ => return None,
        };
        Some(KernelOp { bits, ..self })
    }

    /// Returns the op whose kernels compute this one in `compute`, so that rule sets share kernels.
    ///
    /// It lacks the semantics that change nothing in that dtype, and has one name for ops that are equal
    /// there. `narrow` says whether an operand or the result is f8e4m3fn, whose overflow is an option.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote_core::__private::KernelOp;
    /// use promote::{DType, Op};
    ///
    /// let clamp = KernelOp::new(Op::ClampMin).canonical(DType::F32, false);
    /// assert_eq!(clamp, KernelOp::new(Op::Maximum));
    /// ```
    #[must_use]
    pub const fn canonical(self, compute: DType, narrow: bool) -> KernelOp {
        let kind = compute.kind();
        let integer = is_integer(compute);
        let real = matches!(kind, Kind::Float);
        let discrete = is_discrete(compute);
        let op = match self.op() {
            Op::ClampMin => Op::Maximum,
            Op::Fmax if discrete => Op::Maximum,
            Op::Fmin if discrete => Op::Minimum,
            Op::Divide | Op::DivideTrunc if integer => Op::FloorDivide,
            Op::FloatPower => Op::Pow,
            Op::Real | Op::Positive if !matches!(kind, Kind::Complex) => Op::Conj,
            op => op,
        };
        let truncates = match self.op() {
            Op::DivideTrunc => integer,
            Op::Divide | Op::FloorDivide if integer => {
                self.bits & (s::ROUNDING_TRUNCATE | s::ROUNDING_TRUNCATE_INTEGERS) != 0
            }
            Op::FloorDivide => self.bits & s::ROUNDING_TRUNCATE != 0,
            _ => false,
        };
        let mut counted = match op {
            Op::FloorDivide | Op::Remainder | Op::Fmod if integer => s::BY_ZERO_ZERO | s::BY_ZERO_ONES,
            Op::FloorDivide if !truncates => s::QUOTIENT_ROUNDED,
            Op::Remainder if real && self.bits & s::QUOTIENT_ROUNDED != 0 => s::QUOTIENT_ROUNDED,
            Op::Remainder if real => s::ZERO_SIGN_DIVISOR,
            Op::LeftShift | Op::RightShift => s::COUNT_CLAMPED | s::COUNT_WRAPS,
            Op::Pow if matches!(kind, Kind::Signed) => s::NEGATIVE_EXPONENT_ERROR,
            Op::Sign | Op::Heaviside if real => s::NAN_ZERO,
            _ if self.is_comparison() && real => s::NAN_GREATEST,
            _ if self.is_comparison() && matches!(kind, Kind::Unsigned) => SIGNED,
            Op::PoissonNllLoss => s::LOG_INPUT_FALSE | s::FULL_TRUE,
            Op::Ldexp if real => s::EXPONENT_POWER,
            _ => 0,
        };
        if narrow {
            counted |= s::OVERFLOW_SATURATE;
        }
        let truncates = if truncates { s::ROUNDING_TRUNCATE } else { 0 };
        let bits = self.bits & counted | truncates;
        // A number that equals a negative one after that has wrapped around is as large, whichever it is.
        let equates = matches!(op, Op::Equal | Op::NotEqual) && counted & SIGNED != 0 && bits & SIGNED != 0;
        KernelOp::new(op).with_semantics(if equates { s::SIGNED_LEFT } else { bits })
    }

    const fn is_comparison(self) -> bool {
        self.compares(Ordering::Equal).is_some()
    }

    /// Returns a comparison with the semantics that it has in `common` for operands of these dtypes. Other
    /// ops are returned as they are.
    ///
    /// With `negative: exact` a comparison in an unsigned dtype looks at the sign of operands that have one.
    #[must_use]
    pub const fn for_signs(self, a: DType, b: DType, common: DType) -> KernelOp {
        if !self.is_comparison() {
            return self;
        }
        let unsigned = matches!(common.kind(), Kind::Unsigned);
        let mut bits = self.bits;
        if !unsigned || !matches!(a.kind(), Kind::Signed) {
            bits &= !s::SIGNED_LEFT;
        }
        if !unsigned || !matches!(b.kind(), Kind::Signed) {
            bits &= !s::SIGNED_RIGHT;
        }
        KernelOp { bits, ..self }
    }

    /// Returns true for a comparison in `common` that looks at the sign of operands that have one; see
    /// [`KernelOp::for_signs`].
    #[must_use]
    pub const fn looks_at_signs(self, common: DType) -> bool {
        self.is_comparison() && self.for_signs(DType::I64, DType::I64, common).bits & SIGNED != 0
    }

    /// Returns the op with the semantics that it has in `common` for operands of these dtypes.
    ///
    /// `ldexp` scales real numbers by integer exponents, and multiplies by a power of two otherwise. With
    /// `exponent: wraps` it scales floats by integers only, and with `exponent: power` it always multiplies.
    /// For comparisons see [`KernelOp::for_signs`].
    #[must_use]
    pub const fn for_operands(self, a: DType, b: DType, common: DType) -> KernelOp {
        if !matches!(self.op(), Op::Ldexp) {
            return self.for_signs(a, b, common);
        }
        if self.bits & s::EXPONENT_POWER != 0 {
            return self;
        }
        let integer = is_integer(b);
        let scales = if self.bits & s::EXPONENT_WRAPS != 0 {
            integer && matches!(a.kind(), Kind::Float)
        } else {
            (integer || matches!(b.kind(), Kind::Bool)) && !matches!(a.kind(), Kind::Complex)
        };
        let other = self.bits & !s::EXPONENT_WRAPS;
        KernelOp { bits: if scales { self.bits } else { other | s::EXPONENT_POWER }, ..self }
    }

    /// Returns the op that computes this one for an operand of the dtype `a`.
    ///
    /// Ops that round to an integer return integer operands as they are, also if these are computed as floats
    /// of a standard dtype. Complex numbers are excluded, because their conversion adds an imaginary part.
    #[must_use]
    pub const fn for_operand(self, a: DType, common: DType, compute: DType) -> KernelOp {
        let rounds = matches!(self.op(), Op::Floor | Op::Ceil | Op::Trunc | Op::Round);
        let floats = matches!(compute.kind(), Kind::Float) && !matches!(common, DType::Custom(_));
        if rounds && (is_discrete(compute) || is_discrete(a) && floats) {
            self.with_op(Op::Conj)
        } else {
            self
        }
    }

    /// Returns the op whose kernels compute this one when the operands are swapped: `less` for `greater`,
    /// `less_equal` for `greater_equal`.
    #[inline]
    pub const fn swapped(self) -> Option<KernelOp> {
        match &self.op().info().kernel {
            Some(kernel) => match kernel.swapped_of {
                Some(op) => {
                    let mut bits = self.bits & !SIGNED;
                    if self.bits & s::SIGNED_LEFT != 0 {
                        bits |= s::SIGNED_RIGHT;
                    }
                    if self.bits & s::SIGNED_RIGHT != 0 {
                        bits |= s::SIGNED_LEFT;
                    }
                    Some(self.with_op(op).with_semantics(bits))
                }
                None => None,
            },
            None => None,
        }
    }

    /// Returns the result of a comparison for operands in this order; `None` for other ops.
    ///
    /// ```
    /// use core::cmp::Ordering;
    /// # use promote_core as promote;
    /// use promote_core::__private::KernelOp;
    /// use promote::Op;
    ///
    /// assert_eq!(KernelOp::new(Op::Less).compares(Ordering::Less), Some(true));
    /// assert_eq!(KernelOp::new(Op::Add).compares(Ordering::Less), None);
    /// ```
    pub const fn compares(self, order: Ordering) -> Option<bool> {
        Some(match self.op() {
            Op::Equal => order.is_eq(),
            Op::NotEqual => order.is_ne(),
            Op::Less => order.is_lt(),
            Op::LessEqual => order.is_le(),
            Op::Greater => order.is_gt(),
            Op::GreaterEqual => order.is_ge(),
            _ => return None,
        })
    }

    /// Returns a comparison with the nearest end of an integer dtype that has the results of this comparison
    /// with a number out of the dtype's range; `None` for other ops.
    ///
    /// `order` is the order of any element and the number.
    pub const fn at_nearest_end(self, order: Ordering) -> Option<KernelOp> {
        let Some(result) = self.compares(order) else { return None };
        let op = match (order, result) {
            // Every element is at most the greatest value, and at least the least.
            (Ordering::Less | Ordering::Equal, true) => Op::LessEqual,
            (Ordering::Less | Ordering::Equal, false) => Op::Greater,
            (Ordering::Greater, true) => Op::GreaterEqual,
            (Ordering::Greater, false) => Op::Less,
        };
        Some(self.with_op(op))
    }

    /// Returns the register form of the result, for operands of the register form `compute`.
    pub const fn result(self, compute: DType) -> DType {
        let Some(kernel) = &self.op().info().kernel else { return compute };
        match (kernel.result, compute.real_dtype()) {
            (ResultForm::Bool, _) => DType::Bool,
            (ResultForm::Part, Some(part)) => part,
            _ => compute,
        }
    }
}

impl fmt::Display for KernelOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for name in s::names(self.bits) {
            f.write_str(".")?;
            for letter in name.chars() {
                write!(f, "{}", letter.to_ascii_lowercase())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_ops_are_their_own_canonical_form() {
        for op in KernelOp::all() {
            for &dtype in DType::WITH_TYPE {
                for bits in 0..1 << 10 {
                    let canonical = op.with_semantics(bits).canonical(dtype, true);
                    assert_eq!(canonical.canonical(dtype, true), canonical, "{op} in {dtype}");
                    assert_eq!(canonical.result(dtype), op.result(dtype), "{op} in {dtype}");
                }
            }
        }
    }
}
