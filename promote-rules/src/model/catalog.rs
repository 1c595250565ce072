//! What is common to all systems: the standard dtypes with their formats, and the ops with their words of
//! semantics.
//!
//! No system is in here: which of these a rule set has, and what they do there, its file says.

use super::kernel::{CastsFirst, Extra, Gives, KernelInfo, Opposite, Takes};
use super::{Format, NumberKind};

/// The standard dtypes: name, format, width in bits.
pub const STANDARD: &[(&str, Format, u32)] = &[
    ("bool", Format::Bool, 8),
    ("u8", unsigned(8), 8),
    ("u16", unsigned(16), 16),
    ("u32", unsigned(32), 32),
    ("u64", unsigned(64), 64),
    ("i8", signed(8), 8),
    ("i16", signed(16), 16),
    ("i32", signed(32), 32),
    ("i64", signed(64), 64),
    ("f8e4m3fn", float(4, 8, -9), 8),
    ("f8e5m2", float(3, 15, -16), 8),
    ("f16", float(11, 15, -24), 16),
    ("bf16", float(8, 127, -133), 16),
    ("f32", float(24, 127, -149), 32),
    ("f64", float(53, 1023, -1074), 64),
    ("c32", complex("f16"), 32),
    ("c64", complex("f32"), 64),
    ("c128", complex("f64"), 128),
    ("bc32", complex("bf16"), 32),
    ("f8e4m3", float(4, 7, -9), 8),
    ("f8e3m4", float(5, 3, -6), 8),
    ("f8e4m3fnuz", float(4, 7, -10), 8),
    ("f8e5m2fnuz", float(3, 15, -17), 8),
    ("f8e4m3b11fnuz", float(4, 4, -13), 8),
    ("f8e8m0fnu", float(1, 127, -127), 8),
    ("f6e2m3fn", float(4, 2, -3), 6),
    ("f6e3m2fn", float(3, 4, -4), 6),
    ("f4e2m1fn", float(2, 2, -1), 4),
    // A code, no arithmetic format: it holds itself only.
    ("nf4", float(1, 0, 0), 4),
    ("u1", unsigned(1), 1),
    ("u2", unsigned(2), 2),
    ("u3", unsigned(3), 3),
    ("u4", unsigned(4), 4),
    ("u6", unsigned(6), 6),
    ("i1", signed(1), 1),
    ("i2", signed(2), 2),
    ("i4", signed(4), 4),
];

const fn signed(bits: u32) -> Format {
    Format::Int { signed: true, bits }
}

const fn unsigned(bits: u32) -> Format {
    Format::Int { signed: false, bits }
}

/// `digits` of the significand with the hidden one, exponents of the largest and of the smallest power of
/// two.
const fn float(digits: i32, max: i32, min: i32) -> Format {
    Format::Float { digits, max, min }
}

const fn complex(part: &'static str) -> Format {
    Format::Complex { part }
}

/// How many of [`STANDARD`], its first, have a Rust type.
pub const WITH_TYPE: usize = 18;

/// How many dtypes of its own with a Rust type a rule set has at most: kernels know dtypes by five bits.
pub const OWN_TYPES: usize = 32 - WITH_TYPE;

/// Whether a standard dtype has a Rust type, and so elements and kernels.
pub fn has_type(name: &str) -> bool {
    STANDARD[..WITH_TYPE].iter().any(|row| row.0 == name)
}

/// The dtype in which processors compute with elements of a dtype that has a Rust type.
pub fn register(name: &str) -> &str {
    match name {
        "f8e4m3fn" | "f8e5m2" | "f16" | "bf16" => "f32",
        "c32" => "c64",
        other => other,
    }
}

/// Whether a pair with a dtype is worth a loop of its own. An 8-bit float is not: to convert it takes so long
/// that a call in blocks is as fast, of two such even faster.
pub fn fuses(name: &str) -> bool {
    !matches!(standard(name), Some((Format::Float { .. }, ..=8)))
}

/// The format and the width in bits of a standard dtype.
pub fn standard(name: &str) -> Option<(Format, u32)> {
    STANDARD.iter().find(|row| row.0 == name).map(|row| (row.1, row.2))
}

/// The levels of casting, each allowing more than the one before; and `default`, for systems with a single
/// rule.
pub const CASTINGS: &[&str] = &["no", "equiv", "safe", "same_kind", "unsafe", "default"];

/// An op: its name and the words with which a rule file says what it does where systems differ.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// The canonical name.
    pub name: &'static str,
    /// The number of operands that decide the dtype: 1 or 2; what it takes besides says its kernel.
    pub arity: usize,
    /// The kinds of dtype in which it can be computed.
    pub computes: &'static [NumberKind],
    /// Its kernels; none where there are none yet.
    pub kernel: Option<KernelInfo>,
    /// What a rule file can choose of this op alone, beside what it can of every op: [`OpInfo::choices`] are
    /// all.
    pub semantics: &'static [Semantic],
}

/// A choice that a rule file makes for an op.
#[derive(Debug)]
pub struct Semantic {
    /// The key.
    pub key: &'static str,
    /// The words; the first is the default.
    pub words: &'static [&'static str],
}

/// How a scalar operand enters: rounded to the common dtype, or, if it is the right one, in the dtype in
/// which the op computes.
const SCALAR: Semantic = Semantic { key: "scalar", words: &["rounded", "opmath_right"] };

/// What overflow gives in a float format without infinity.
const OVERFLOW: Semantic = Semantic { key: "overflow", words: &["nan", "saturate"] };

/// What an integer divided by zero is: an error of the whole call, or 0, or the integer of which every bit
/// is 1.
const BY_ZERO: Semantic = Semantic { key: "by_zero", words: &["error", "zero", "ones"] };

/// Whether `divide` is integer division of integers, and how it then rounds the quotient: not at all, down,
/// or towards zero. Quotients of floats are never rounded to whole numbers.
const WHOLE_QUOTIENT: Semantic = Semantic { key: "rounding", words: &["none", "floor", "truncate"] };

/// Whether a quotient is rounded down or towards zero, or that of integers towards zero and that of floats
/// down.
const ROUNDING: Semantic = Semantic { key: "rounding", words: &["floor", "truncate", "truncate_integers"] };

/// Of what a float quotient is rounded down: of the exact one, which is made of the remainder, or of the one
/// that the division has already rounded to the format.
const QUOTIENT: Semantic = Semantic { key: "quotient", words: &["exact", "rounded"] };

/// What a shift by less than 0 or by the width and more is: one that shifts every bit out, or one by the
/// nearest count that is in range.
const COUNT: Semantic = Semantic { key: "count", words: &["any", "clamped"] };

/// Whose sign a remainder of zero has, among floats.
const ZERO_SIGN: Semantic = Semantic { key: "zero_sign", words: &["dividend", "divisor"] };

/// What an integer to a negative power is: the quotient 1 / a^-b rounded towards zero, or an error of the
/// whole call, or that where a number is the exponent only.
const NEGATIVE_EXPONENT: Semantic =
    Semantic { key: "negative_exponent", words: &["truncate", "error", "number_error"] };

/// What a whole exponent scales by: all of it, with one rounding; or its low 32 bits, and that of a float
/// only, while all else is a product with a power of two, which is rounded itself; or such a product always.
const EXPONENT: Semantic = Semantic { key: "exponent", words: &["exact", "wraps", "power"] };

/// What a step function makes of NaN.
const NAN: Semantic = Semantic { key: "nan", words: &["propagate", "zero"] };

/// What an integer dtype takes of a float beyond its range, of infinities and of NaN: its end and 0, or what
/// the conversion of an x86-64 processor leaves; that is an `i32` for one below 32 bits, which keeps its low
/// bits or, clamped, the nearest end.
const OUT_OF_RANGE: Semantic = Semantic { key: "out_of_range", words: &["saturate", "x86", "x86_clamped"] };

/// What becomes of an integer number that the integer dtype which it enters does not hold: its low bits, or
/// an error. Of every op of two operands.
const NUMBER: Semantic = Semantic { key: "number", words: &["wraps", "error"] };

/// The same of a comparison, which has an answer for such a number too: it lies beyond all that the dtype
/// holds.
const COMPARED: Semantic = Semantic { key: "number", words: &["wraps", "error", "exact"] };

/// Whether an input is the logarithm of what is meant. Of a call.
const LOG_INPUT: Semantic = Semantic { key: "log_input", words: &["true", "false"] };

/// Whether a term that only depends on the target is added. Of a call.
const FULL: Semantic = Semantic { key: "full", words: &["false", "true"] };

const fn extra(name: &'static str, takes: Takes) -> Extra {
    Extra { name, takes }
}

const NUMBERS: &[NumberKind] = &[NumberKind::Int, NumberKind::Float, NumberKind::Complex];
const ALL: &[NumberKind] = &[NumberKind::Bool, NumberKind::Int, NumberKind::Float, NumberKind::Complex];
const FIELDS: &[NumberKind] = &[NumberKind::Float, NumberKind::Complex];
const REALS: &[NumberKind] = &[NumberKind::Int, NumberKind::Float];
const ORDERED: &[NumberKind] = &[NumberKind::Bool, NumberKind::Int, NumberKind::Float];
const BITS: &[NumberKind] = &[NumberKind::Bool, NumberKind::Int];
const INTEGERS: &[NumberKind] = &[NumberKind::Int];
const FLOATS: &[NumberKind] = &[NumberKind::Float];

const fn binary(
    name: &'static str,
    computes: &'static [NumberKind],
    semantics: &'static [Semantic],
) -> OpInfo {
    OpInfo { name, arity: 2, computes, kernel: None, semantics }
}

const fn unary(
    name: &'static str,
    computes: &'static [NumberKind],
    semantics: &'static [Semantic],
) -> OpInfo {
    OpInfo { name, arity: 1, computes, kernel: None, semantics }
}

impl OpInfo {
    /// With kernels that compute in dtypes of these kinds.
    const fn kernel(self, kinds: &'static [NumberKind]) -> OpInfo {
        OpInfo { kernel: Some(KernelInfo::of(self.name, kinds)), ..self }
    }

    /// In dtypes of these kinds each pair of dtypes has one loop, since the op costs no more than the
    /// conversion of its operands; it computes in these kinds, if nothing else is said.
    const fn fused(self, kinds: &'static [NumberKind]) -> OpInfo {
        let known = match self.kernel {
            Some(kernel) => kernel,
            None => KernelInfo::of(self.name, kinds),
        };
        self.with(KernelInfo { fused: kinds, ..known })
    }

    const fn with(self, change: KernelInfo) -> OpInfo {
        OpInfo { kernel: Some(change), ..self }
    }

    const fn known(&self) -> KernelInfo {
        match self.kernel {
            Some(kernel) => kernel,
            None => panic!("an op without kernels"),
        }
    }

    /// The operands may be swapped.
    const fn commutes(self) -> OpInfo {
        self.with(KernelInfo { commutes: true, ..self.known() })
    }

    /// Of the pairs only those of one dtype: others are so rare that their operands are cast in blocks first.
    const fn alike(self) -> OpInfo {
        self.with(KernelInfo { alike: true, ..self.known() })
    }

    /// Of these pairs of two dtypes the operands are cast first.
    const fn casts_first(self, casts_first: CastsFirst) -> OpInfo {
        self.with(KernelInfo { casts_first, ..self.known() })
    }

    /// In integers the bits of the result do not depend on their sign.
    const fn signless(self) -> OpInfo {
        self.with(KernelInfo { signless: true, ..self.known() })
    }

    /// The kernels are those of another op, which get the operands swapped.
    const fn mirrors(self, name: &'static str) -> OpInfo {
        self.with(KernelInfo { name, mirrored: true, ..self.known() })
    }

    /// In dtypes of these kinds it holds where another does not, which takes the operands the other way round
    /// if that is said.
    const fn opposite(self, of: &'static str, swaps: bool, kinds: &'static [NumberKind]) -> OpInfo {
        self.with(KernelInfo { opposite: Some(Opposite { of, swaps, kinds }), ..self.known() })
    }

    /// A bool comes out.
    const fn truth(self) -> OpInfo {
        self.with(KernelInfo { gives: Gives::Truth, ..self.known() })
    }

    /// Of a complex number, a real one comes out.
    const fn part(self) -> OpInfo {
        self.with(KernelInfo { gives: Gives::Part, ..self.known() })
    }

    /// Of c64 the kernel is that of c128 with casts around it: of a function so long that it is to be
    /// compiled once.
    const fn wide(self) -> OpInfo {
        self.with(KernelInfo { wide: true, ..self.known() })
    }

    /// [`KernelInfo::in_common_dtype`] is true.
    const fn steps_in_common(self) -> OpInfo {
        self.with(KernelInfo { in_common_dtype: true, ..self.known() })
    }

    /// It has several steps, each of which can be rounded to a narrow float.
    const fn steps(self) -> OpInfo {
        self.with(KernelInfo { steps: true, ..self.known() })
    }
}

impl OpInfo {
    /// It takes this behind its operands, and behind what was said before.
    const fn takes(self, extras: &'static [Extra]) -> OpInfo {
        self.with(KernelInfo { extras, ..self.known() })
    }

    /// Of each choice a call takes one.
    const fn flags(self, flags: &'static [Semantic]) -> OpInfo {
        self.with(KernelInfo { flags, ..self.known() })
    }

    /// Operands of which this holds are an error of the whole call.
    const fn refuses(self, operands: &'static str) -> OpInfo {
        self.with(KernelInfo { refuses: Some(operands), ..self.known() })
    }

    /// It is a loss: it can be reduced to its mean or its sum.
    const fn loss(self) -> OpInfo {
        self.with(KernelInfo { loss: true, ..self.known() })
    }
}

impl OpInfo {
    /// Every op of a user's own: what it does is no business of rule files but for its dtypes, and its
    /// kernels are where it is. No such kernel computes in bool.
    pub const OWN: &'static OpInfo = &unary("", NUMBERS, &[]);
}

/// Every op.
pub const OP_CATALOG: &[OpInfo] = &[
    binary("add", ALL, &[SCALAR, OVERFLOW]).fused(ALL).signless().commutes(),
    binary("subtract", NUMBERS, &[SCALAR, OVERFLOW]).fused(NUMBERS).casts_first(CastsFirst::Rare).signless(),
    binary("multiply", ALL, &[SCALAR, OVERFLOW])
        .fused(ALL)
        .casts_first(CastsFirst::Rare)
        .signless()
        .commutes(),
    binary("divide", FIELDS, &[SCALAR, OVERFLOW, BY_ZERO, WHOLE_QUOTIENT])
        .kernel(NUMBERS)
        .fused(FLOATS)
        .casts_first(CastsFirst::Narrow),
    binary("equal", ALL, &[COMPARED])
        .fused(ALL)
        .signless()
        .commutes()
        .casts_first(CastsFirst::Narrow)
        .truth(),
    binary("not_equal", ALL, &[COMPARED])
        .fused(ALL)
        .signless()
        .commutes()
        .casts_first(CastsFirst::Narrow)
        .truth()
        .opposite("equal", false, ALL),
    binary("less", ALL, &[COMPARED]).kernel(ALL).fused(ORDERED).casts_first(CastsFirst::Narrow).truth(),
    binary("less_equal", ALL, &[COMPARED])
        .kernel(ALL)
        .fused(ORDERED)
        .casts_first(CastsFirst::Narrow)
        .truth()
        .opposite("less", true, BITS),
    binary("greater", ALL, &[COMPARED]).kernel(ALL).fused(ORDERED).truth().mirrors("less"),
    binary("greater_equal", ALL, &[COMPARED]).kernel(ALL).fused(ORDERED).truth().mirrors("less_equal"),
    binary("maximum", ALL, &[]).kernel(ALL).fused(ORDERED).casts_first(CastsFirst::Always).commutes(),
    binary("minimum", ALL, &[]).kernel(ALL).fused(ORDERED).casts_first(CastsFirst::Always).commutes(),
    binary("floor_divide", ALL, &[SCALAR, BY_ZERO, ROUNDING, QUOTIENT]).kernel(REALS).steps(),
    binary("divide_trunc", ALL, &[SCALAR, BY_ZERO]).kernel(REALS).steps(),
    binary("remainder", ALL, &[SCALAR, BY_ZERO, ZERO_SIGN]).kernel(NUMBERS).steps(),
    binary("fmod", ALL, &[SCALAR, BY_ZERO]).kernel(REALS),
    binary("pow", ALL, &[SCALAR, NEGATIVE_EXPONENT, OUT_OF_RANGE]).kernel(ALL).wide(),
    binary("float_power", FIELDS, &[SCALAR]).kernel(FIELDS).wide(),
    binary("fmax", ALL, &[OUT_OF_RANGE]).kernel(ALL).fused(ORDERED).alike().commutes(),
    binary("fmin", ALL, &[OUT_OF_RANGE]).kernel(ALL).fused(ORDERED).alike().commutes(),
    binary("clamp_min", ALL, &[]).fused(ORDERED).commutes(),
    binary("where", ALL, &[]).fused(ALL).alike().signless().takes(&[extra("condition", Takes::Truth)]),
    binary("logical_and", ALL, &[]).kernel(ALL).signless().commutes().truth(),
    binary("logical_or", ALL, &[]).kernel(ALL).signless().commutes().truth(),
    binary("logical_xor", ALL, &[]).kernel(ALL).signless().commutes().truth(),
    binary("bitwise_and", ALL, &[]).fused(BITS).casts_first(CastsFirst::Always).signless().commutes(),
    binary("bitwise_or", ALL, &[]).fused(BITS).casts_first(CastsFirst::Always).signless().commutes(),
    binary("bitwise_xor", ALL, &[]).fused(BITS).casts_first(CastsFirst::Always).signless().commutes(),
    binary("left_shift", ALL, &[COUNT]).kernel(INTEGERS),
    binary("right_shift", ALL, &[COUNT]).kernel(INTEGERS),
    binary("gcd", ALL, &[]).kernel(INTEGERS).commutes(),
    binary("lcm", ALL, &[]).kernel(INTEGERS).commutes(),
    binary("atan2", FIELDS, &[SCALAR]).kernel(FIELDS).wide(),
    binary("hypot", FIELDS, &[SCALAR]).kernel(FIELDS).commutes().wide(),
    binary("copysign", FIELDS, &[SCALAR]).kernel(FLOATS),
    binary("nextafter", FIELDS, &[]).kernel(FLOATS).steps_in_common(),
    binary("heaviside", ALL, &[NAN]).kernel(ORDERED),
    binary("logaddexp", FIELDS, &[]).kernel(FIELDS).commutes().wide(),
    binary("logaddexp2", FIELDS, &[]).kernel(FIELDS).commutes().wide(),
    binary("xlogy", FIELDS, &[SCALAR]).kernel(FLOATS).steps(),
    binary("ldexp", NUMBERS, &[SCALAR, EXPONENT]).kernel(FIELDS).steps().wide(),
    binary("lerp", FIELDS, &[]).kernel(FIELDS).takes(&[extra("weight", Takes::Weight)]),
    binary("addcmul", ALL, &[])
        .kernel(NUMBERS)
        .takes(&[extra("c", Takes::Operand), extra("value", Takes::Number)]),
    binary("l1_loss", NUMBERS, &[]).kernel(NUMBERS).steps().loss().part(),
    binary("mse_loss", FIELDS, &[]).kernel(FIELDS).steps().loss(),
    binary("huber_loss", FIELDS, &[]).kernel(FLOATS).steps().loss().takes(&[extra("delta", Takes::Number)]),
    binary("smooth_l1_loss", FIELDS, &[])
        .kernel(FLOATS)
        .steps()
        .loss()
        .takes(&[extra("beta", Takes::Number)]),
    binary("poisson_nll_loss", NUMBERS, &[])
        .kernel(FIELDS)
        .steps()
        .loss()
        .takes(&[extra("eps", Takes::Number)])
        .flags(&[LOG_INPUT, FULL]),
    binary("binary_cross_entropy", FIELDS, &[])
        .kernel(FLOATS)
        .steps()
        .loss()
        .refuses("an operand is no probability")
        .takes(&[extra("weight", Takes::Weight)]),
    binary("dot", ALL, &[]),
    binary("matmul", ALL, &[]),
    binary("concatenate", ALL, &[]),
    binary("stack", ALL, &[]),
    binary("isin", ALL, &[]),
    unary("negative", ALL, &[]).fused(NUMBERS).signless(),
    unary("abs", ALL, &[]).fused(ALL).part(),
    unary("sign", ALL, &[NAN]).kernel(ALL).fused(ORDERED).wide(),
    unary("square", ALL, &[]).fused(ALL).signless(),
    unary("reciprocal", ALL, &[]).fused(FIELDS),
    unary("sqrt", FIELDS, &[]).kernel(FIELDS).fused(FLOATS).alike().wide(),
    unary("exp", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("expm1", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("exp2", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("log", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("log1p", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("log2", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("log10", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("sin", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("cos", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("tan", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("asin", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("acos", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("atan", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("sinh", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("cosh", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("tanh", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("asinh", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("acosh", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("atanh", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("sigmoid", FIELDS, &[]).kernel(FIELDS).wide(),
    unary("floor", ALL, &[]).fused(ORDERED),
    unary("ceil", ALL, &[]).fused(ORDERED),
    unary("trunc", ALL, &[]).fused(ORDERED),
    unary("round", ALL, &[]).fused(ALL),
    unary("isnan", ALL, &[]).fused(ALL).signless().truth(),
    unary("isinf", ALL, &[]).fused(ALL).signless().truth(),
    unary("isfinite", ALL, &[]).fused(ALL).signless().truth(),
    unary("logical_not", ALL, &[]).fused(ALL).signless().truth(),
    unary("bitwise_not", ALL, &[]).fused(BITS).signless(),
    unary("conj", ALL, &[]).fused(ALL).signless(),
    unary("real", ALL, &[]).fused(ALL).signless().part(),
    unary("imag", ALL, &[]).fused(ALL).part(),
    unary("angle", FIELDS, &[]).kernel(FIELDS).part(),
    unary("astype", ALL, &[OUT_OF_RANGE, OVERFLOW]),
    unary("sum", ALL, &[]),
    unary("prod", ALL, &[]),
    unary("mean", FIELDS, &[]),
    unary("std", FIELDS, &[]),
    unary("var", FIELDS, &[]),
    unary("cumsum", ALL, &[]),
    unary("cumprod", ALL, &[]),
    unary("max", ALL, &[]),
    unary("min", ALL, &[]),
    unary("amax", ALL, &[]),
    unary("amin", ALL, &[]),
    unary("any", ALL, &[]),
    unary("all", ALL, &[]),
    unary("argmax", ALL, &[]),
    unary("argmin", ALL, &[]),
    unary("median", ALL, &[]),
    unary("nansum", ALL, &[]),
    unary("norm", FIELDS, &[]),
    unary("logsumexp", FIELDS, &[]),
];

/// The op of a name.
pub fn op_info(name: &str) -> Option<&'static OpInfo> {
    OP_CATALOG.iter().find(|op| op.name == name)
}

impl OpInfo {
    /// What a rule file can choose; the first word of each is what holds if it says nothing.
    pub fn choices(&self) -> impl Iterator<Item = &'static Semantic> + use<> {
        let own = self.semantics.iter().any(|semantic| semantic.key == NUMBER.key);
        let of_two: &[Semantic] = if self.arity == 2 && !own { &[NUMBER] } else { &[] };
        self.semantics.iter().chain(of_two)
    }

    /// Returns true if its kernels compute in the dtype to which the operands are converted.
    pub fn in_common_dtype(&self) -> bool {
        self.kernel.is_some_and(|kernel| kernel.in_common_dtype)
    }

    /// Whether a bool is what it gives, whatever it computes in.
    pub fn gives_bool(&self) -> bool {
        self.kernel.is_some_and(|kernel| kernel.gives == Gives::Truth)
    }
}
