//! Properties of an op that every rule set shares, and of its kernels: what a row of the catalogue says.

use core::cmp::Ordering;

use super::Op;
use crate::semantics::{NUMBER, SemanticOption};
use crate::{DType, NumberKind};

/// An input of an op besides its one or two operands, such as the weight of `lerp`. It takes no part in
/// promotion, unless its kind is [`ExtraKind::Operand`].
///
/// In a call a condition comes before the operands, and every other extra input after them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extra {
    /// The name of the parameter, as PyTorch has it.
    pub name: &'static str,
    /// The values that are accepted.
    pub kind: ExtraKind,
    /// The value if the call leaves it out; `None` if it is required.
    pub default: Option<f64>,
}

/// The kind of value that an [`Extra`] accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtraKind {
    /// A bool for each element, or one bool for all.
    Condition,
    /// A further operand, which is promoted and converted like the others.
    Operand,
    /// A number, or an array of the common or the compute dtype. It is converted to the compute dtype.
    Weight,
    /// One number, rounded once to the compute dtype.
    Number,
    /// One number that is at least 0.
    NonNegative,
    /// One number above 0.
    Positive,
    /// One number that multiplies an operand, rounded once to the common dtype.
    ///
    /// Its kind is at most that of the common dtype, and it is a bool only if the common dtype is `bool`. It
    /// fits the common dtype; a negative factor of unsigned integers wraps.
    Factor,
}

impl ExtraKind {
    /// Returns true if one number is accepted, whatever its range.
    pub const fn is_number(self) -> bool {
        matches!(self, ExtraKind::Number | ExtraKind::NonNegative | ExtraKind::Positive | ExtraKind::Factor)
    }

    /// Returns an error text if the number is out of range.
    ///
    /// ```
    /// # use promote_core::ExtraKind;
    /// assert_eq!(ExtraKind::NonNegative.range_error(0.0), None);
    /// assert_eq!(ExtraKind::Positive.range_error(f64::NAN), Some("is not above 0"));
    /// ```
    pub fn range_error(self, x: f64) -> Option<&'static str> {
        match self {
            ExtraKind::NonNegative if x.is_nan() || x < 0.0 => Some("is not at least 0"),
            ExtraKind::Positive if x.is_nan() || x <= 0.0 => Some("is not above 0"),
            _ => None,
        }
    }
}

/// The properties of an op that every rule set shares.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// The number of operands, 1 or 2. Further inputs are in [`KernelInfo::extras`].
    pub arity: usize,
    /// The kinds of dtype in which the op can be computed.
    pub computes: &'static [NumberKind],
    /// The options of this op alone. [`OpInfo::options`] returns those that every op has, too.
    pub semantics: &'static [SemanticOption],
    /// The kernels; `None` if there are none.
    pub kernel: Option<KernelInfo>,
    /// The further arguments of a call that reduces, scans or joins arrays.
    pub arguments: &'static [&'static str],
}

/// The properties of an op's kernels.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "the properties are independent of each other")]
pub struct KernelInfo {
    /// The kinds of dtype in which the kernels compute.
    pub kinds: &'static [NumberKind],
    /// The form of the result.
    pub result: ResultForm,
    /// True if the operands may be swapped.
    pub commutes: bool,
    /// The op whose kernels compute this one when the operands are swapped: `less` for `greater`.
    pub swapped_of: Option<Op>,
    /// `Greater` if the op returns the greater of its operands, `Less` if it returns the lesser one; `None`
    /// for other ops.
    pub extremum: Option<Ordering>,
    /// The kinds of dtype in which each pair of dtypes of a rule set has a loop of its own, unless there is a
    /// [`PipelineReason`](super::PipelineReason) for the pair.
    pub fused: &'static [NumberKind],
    /// True if signed and unsigned integers share kernels, because the bits of the result are equal.
    pub sign_agnostic: bool,
    /// True if the op has several steps, so that rounding each step to a narrow float differs from rounding
    /// the result once.
    pub steps: bool,
    /// True if the kernels compute in the common dtype even if `opmath` names a wider one.
    ///
    /// The result of `nextafter` depends on the values that the common dtype has: the f32 after 1.0 would be
    /// rounded back to 1.0 in bf16.
    pub in_common_dtype: bool,
    /// True if the kernel of c64 casts to c128 and back. Such functions are long, and compiled once.
    pub via_c128: bool,
    /// The inputs that take no part in promotion.
    pub extras: &'static [Extra],
    /// The options that a call chooses, not a rule file.
    pub flags: &'static [SemanticOption],
    /// True if the op is a loss, which can be reduced to its mean or its sum.
    pub loss: bool,
    /// True if calls on large arrays wait for memory, unless the dtype has a fast path. Ops of one operand
    /// wait for memory only on real numbers.
    pub memory_bound: bool,
    /// True if there are loops that write the result over the first operand, and loops in which the second
    /// operand is one element. The op is often called in this way, and costs no more than a copy.
    pub in_place: bool,
    /// What the op computes, for documentation, if its name does not say it.
    pub formula: Option<&'static str>,
    /// A phrase for documentation that names the operands which make a call fail under every rule set, such
    /// as "an operand is not a probability"; `None` if only an option makes calls fail.
    pub refuses: Option<&'static str>,
}

/// The dtype of an op's result, relative to the dtype that it computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultForm {
    /// The compute dtype.
    Compute,
    /// `bool`.
    Bool,
    /// The compute dtype, or that of its parts if it is complex.
    Part,
}

pub(super) const NUMBERS: &[NumberKind] = &[NumberKind::Int, NumberKind::Float, NumberKind::Complex];
pub(super) const ALL: &[NumberKind] = &NumberKind::ALL;
pub(super) const FIELDS: &[NumberKind] = &[NumberKind::Float, NumberKind::Complex];
pub(super) const REALS: &[NumberKind] = &[NumberKind::Int, NumberKind::Float];
pub(super) const ORDERED: &[NumberKind] = &[NumberKind::Bool, NumberKind::Int, NumberKind::Float];
pub(super) const BITS: &[NumberKind] = &[NumberKind::Bool, NumberKind::Int];
pub(super) const INTEGERS: &[NumberKind] = &[NumberKind::Int];
pub(super) const FLOATS: &[NumberKind] = &[NumberKind::Float];

pub(super) const fn binary(computes: &'static [NumberKind], semantics: &'static [SemanticOption]) -> OpInfo {
    OpInfo { arity: 2, computes, semantics, kernel: None, arguments: &[] }
}

pub(super) const fn unary(computes: &'static [NumberKind], semantics: &'static [SemanticOption]) -> OpInfo {
    OpInfo { arity: 1, computes, semantics, kernel: None, arguments: &[] }
}

/// The arguments of reductions: of all of them, of sums and products, and of the spread around a mean.
pub(super) const REDUCES: &[&str] = &["axis", "keepdims"];
pub(super) const SUMS: &[&str] = &["axis", "keepdims", "dtype"];
pub(super) const SPREAD: &[&str] = &["axis", "keepdims", "correction"];
/// The arguments of scans.
pub(super) const SCANS: &[&str] = &["axis", "dtype"];
/// The arguments of ops that join arrays.
pub(super) const JOINS: &[&str] = &["axis"];

pub(super) const fn number(name: &'static str, kind: ExtraKind, default: f64) -> Extra {
    Extra { name, kind, default: Some(default) }
}

pub(super) const fn given(name: &'static str, kind: ExtraKind) -> Extra {
    Extra { name, kind, default: None }
}

impl OpInfo {
    /// The properties of every custom op: it computes in all kinds but bool, and has no options.
    pub const CUSTOM: &'static OpInfo = &unary(NUMBERS, &[]);

    /// Returns the properties of an op without kernels, which has dtypes of all kinds. With more than two
    /// operands, it has the properties of an op of two, which its clauses see in turn.
    pub const fn without_kernels(arity: usize) -> &'static OpInfo {
        const OF_ONE: &OpInfo = &unary(&NumberKind::ALL, &[]);
        const OF_TWO: &OpInfo = &binary(&NumberKind::ALL, &[]);
        if arity == 1 { OF_ONE } else { OF_TWO }
    }

    const fn kernel_info(&self) -> KernelInfo {
        match self.kernel {
            Some(kernel) => kernel,
            None => panic!("an op without kernels"),
        }
    }

    /// Names the arguments of a call that reduces or scans an array.
    pub(super) const fn arguments(self, arguments: &'static [&'static str]) -> OpInfo {
        OpInfo { arguments, ..self }
    }

    const fn with(self, change: KernelInfo) -> OpInfo {
        OpInfo { kernel: Some(change), ..self }
    }

    /// Adds kernels that compute in dtypes of these kinds.
    pub(super) const fn kernel(self, kinds: &'static [NumberKind]) -> OpInfo {
        self.with(KernelInfo {
            kinds,
            result: ResultForm::Compute,
            commutes: false,
            swapped_of: None,
            extremum: None,
            fused: &[],
            sign_agnostic: false,
            steps: false,
            in_common_dtype: false,
            via_c128: false,
            extras: &[],
            flags: &[],
            loss: false,
            memory_bound: false,
            in_place: false,
            formula: None,
            refuses: None,
        })
    }

    /// Adds a loop for each pair of dtypes that is computed in these kinds, because the op costs no more than
    /// the conversion of its operands. Without [`OpInfo::kernel`] these are the kinds of the kernels, too.
    pub(super) const fn fused(self, kinds: &'static [NumberKind]) -> OpInfo {
        let info = if self.kernel.is_some() { self } else { self.kernel(kinds) };
        info.with(KernelInfo { fused: kinds, ..info.kernel_info() })
    }

    /// Declares that the operands may be swapped.
    pub(super) const fn commutes(self) -> OpInfo {
        self.with(KernelInfo { commutes: true, ..self.kernel_info() })
    }

    /// Declares that the op returns the greater or the lesser one of its operands.
    pub(super) const fn extremum(self, order: Ordering) -> OpInfo {
        self.with(KernelInfo { extremum: Some(order), ..self.kernel_info() })
    }

    /// Declares that the bits of an integer result do not depend on the sign of the dtype.
    pub(super) const fn sign_agnostic(self) -> OpInfo {
        self.with(KernelInfo { sign_agnostic: true, ..self.kernel_info() })
    }

    /// Uses the kernels of another op with the operands swapped.
    pub(super) const fn swapped_of(self, op: Op) -> OpInfo {
        self.with(KernelInfo { swapped_of: Some(op), ..self.kernel_info() })
    }

    /// Declares that the result is `bool`.
    pub(super) const fn predicate(self) -> OpInfo {
        self.with(KernelInfo { result: ResultForm::Bool, ..self.kernel_info() })
    }

    /// Declares that the result of complex operands is real.
    pub(super) const fn part(self) -> OpInfo {
        self.with(KernelInfo { result: ResultForm::Part, ..self.kernel_info() })
    }

    /// Computes c64 by the kernel of c128, so that a long function is compiled once.
    pub(super) const fn via_c128(self) -> OpInfo {
        self.with(KernelInfo { via_c128: true, ..self.kernel_info() })
    }

    /// Makes kernels compute in the common dtype.
    pub(super) const fn in_common_dtype_only(self) -> OpInfo {
        self.with(KernelInfo { in_common_dtype: true, ..self.kernel_info() })
    }

    /// Declares that the op has several steps, each of which can be rounded to a narrow float.
    pub(super) const fn steps(self) -> OpInfo {
        self.with(KernelInfo { steps: true, ..self.kernel_info() })
    }

    /// Adds inputs that take no part in promotion.
    pub(super) const fn extras(self, extras: &'static [Extra]) -> OpInfo {
        self.with(KernelInfo { extras, ..self.kernel_info() })
    }

    /// Adds options that a call chooses.
    pub(super) const fn flags(self, flags: &'static [SemanticOption]) -> OpInfo {
        self.with(KernelInfo { flags, ..self.kernel_info() })
    }

    /// Declares that calls on large arrays wait for memory.
    pub(super) const fn memory_bound(self) -> OpInfo {
        self.with(KernelInfo { memory_bound: true, ..self.kernel_info() })
    }

    /// Adds loops that compute in place, and loops whose second operand is one element. Such ops are bound by
    /// memory.
    pub(super) const fn in_place(self) -> OpInfo {
        self.with(KernelInfo { in_place: true, memory_bound: true, ..self.kernel_info() })
    }

    /// States what the op computes, for documentation.
    pub(super) const fn formula(self, formula: &'static str) -> OpInfo {
        self.with(KernelInfo { formula: Some(formula), ..self.kernel_info() })
    }

    /// Names the operands that make a call fail.
    pub(super) const fn refuses(self, operands: &'static str) -> OpInfo {
        self.with(KernelInfo { refuses: Some(operands), ..self.kernel_info() })
    }

    /// Declares that the op is a loss, which can be reduced to its mean or its sum.
    pub(super) const fn loss(self) -> OpInfo {
        self.with(KernelInfo { loss: true, ..self.kernel_info() })
    }
}

impl OpInfo {
    /// Returns the options that a rule file can choose for the op.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::Op;
    ///
    /// let names: Vec<_> = Op::Remainder.info().options().map(|option| option.name).collect();
    /// assert_eq!(names, ["right_scalar", "by_zero", "zero_sign", "quotient", "number"]);
    /// ```
    pub fn options(&self) -> impl Iterator<Item = &'static SemanticOption> + use<> {
        const OF_TWO: &[SemanticOption] = &[NUMBER];
        let own = self.semantics.iter().any(|option| option.name == NUMBER.name);
        let of_two = if self.arity == 2 && !own { OF_TWO } else { &[] };
        self.semantics.iter().chain(of_two)
    }

    /// Returns true if the kernels compute in the common dtype even if `opmath` names a wider one.
    pub fn in_common_dtype(&self) -> bool {
        self.kernel.is_some_and(|kernel| kernel.in_common_dtype)
    }

    /// Returns true if the result is `bool` whatever dtype the op computes in.
    pub fn gives_bool(&self) -> bool {
        self.kernel.is_some_and(|kernel| kernel.result == ResultForm::Bool)
    }

    /// Returns true if there are kernels that compute in the dtype `compute`.
    pub fn is_computed_in(&self, compute: DType) -> bool {
        self.kernel.is_some_and(|kernel| kernel.is_computed_in(compute))
    }
}

fn has(kinds: &[NumberKind], dtype: DType) -> bool {
    NumberKind::of(dtype).is_some_and(|kind| kinds.contains(&kind))
}

impl KernelInfo {
    /// Returns true if pairs that are computed in `compute` have loops of their own, apart from those with a
    /// [`PipelineReason`].
    pub fn is_fused(&self, compute: DType) -> bool {
        has(self.fused, compute)
    }

    /// Returns the wider dtype by whose kernel this dtype is computed, if there is one.
    pub fn widened(&self, dtype: DType) -> Option<DType> {
        (self.via_c128 && dtype == DType::C64).then_some(DType::C128)
    }

    /// Returns true if the kernels only choose between the operands by a condition.
    pub fn chooses(&self) -> bool {
        self.extras.iter().any(|extra| extra.kind == ExtraKind::Condition)
    }

    /// Returns true if the kernels compute in the dtype `compute`. In a narrow float, each step is rounded.
    pub fn is_computed_in(&self, compute: DType) -> bool {
        let rounded = compute.register() != compute;
        let rounds = self.in_common_dtype || self.steps && matches!(compute, DType::F16 | DType::BF16);
        has(self.kinds, compute) && (!rounded || rounds)
    }
}
