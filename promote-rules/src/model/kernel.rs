//! Which kernels an op has, and which of them a rule set's words ask for.

use super::catalog::{Semantic, standard};
use super::{NumberKind, Op, OpInfo, register};

/// The kernels of an op.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct KernelInfo {
    /// The op whose kernels compute it.
    pub name: &'static str,
    /// Whether they get the operands swapped.
    pub mirrored: bool,
    /// Whether the operands may be swapped.
    pub commutes: bool,
    /// The op of which a comparison is the opposite, where that is so: loops of both for two dtypes would do
    /// the same twice.
    pub opposite: Option<Opposite>,
    /// The kinds of dtype in which they compute.
    pub kinds: &'static [NumberKind],
    /// In which form the result comes out.
    pub gives: Gives,
    /// The kinds of dtype in which each pair of dtypes that a rule set computes has a kernel of its own: a
    /// loop, if nothing else is said below.
    pub fused: &'static [NumberKind],
    /// Whether that is so only where both operands are of their common dtype.
    pub alike: bool,
    /// Which pairs of two dtypes have no loop of their own.
    pub casts_first: CastsFirst,
    /// Whether in integers it is the same op for signed and unsigned ones, since it computes with their bits.
    pub signless: bool,
    /// Whether it has several steps, so that rounding each of them to a narrow float is something else than
    /// rounding the result.
    pub steps: bool,
    /// True if the kernels compute in the dtype to which the operands are converted (`r`), even if `opmath`
    /// names a wider one.
    ///
    /// So does `nextafter`, whose result depends on which values the common dtype has: the f32 after 1.0
    /// would be rounded back to 1.0 in bf16.
    pub in_common_dtype: bool,
    /// Whether the kernel of c64 is that of c128 with casts around it.
    pub wide: bool,
    /// What they take beside the operands.
    pub extras: &'static [Extra],
    /// What a call chooses, and no file.
    pub flags: &'static [Semantic],
    /// Whether it is a loss, of which there are a mean and a sum.
    pub loss: bool,
    /// Which operands are an error of the whole call under every rule set, as documentation has it; none
    /// where no word of a rule file says so.
    pub refuses: Option<&'static str>,
}

/// Of which pairs of two dtypes the operands are cast to the common one first, a part in L1 at a time: each
/// takes those of the ones before it, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CastsFirst {
    /// Those of which an operand is rounded to f16: that takes longer in a loop of the pair's own.
    Rounded,
    /// Those of two integers whose common dtype is a third one, of complex numbers and something else than
    /// f32 and f64, or of something that is rounded to bf16: they are rare.
    Rare,
    /// Those of a narrow float or a bool and something else: they are rare.
    Narrow,
    /// All: they are rare.
    Always,
}

/// Of which comparison one is the opposite.
#[derive(Clone, Copy, Debug)]
pub struct Opposite {
    /// Its name.
    pub of: &'static str,
    /// Whether it takes the operands the other way round.
    pub swaps: bool,
    /// The kinds of dtype of which that is so: no NaN is less than a number, nor the other way round.
    pub kinds: &'static [NumberKind],
}

/// An input that an op takes beside the operands that decide its dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extra {
    /// The name of the parameter.
    pub name: &'static str,
    /// What is taken.
    pub takes: Takes,
}

/// What an op takes as an [`Extra`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A bool for each place.
    Truth,
    /// An operand that is converted as the others are.
    Operand,
    /// An array or a number of the dtype that the op computes in.
    Weight,
    /// A number of that dtype.
    Number,
}

/// What comes out of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// What it computes in.
    Same,
    /// A bool.
    Truth,
    /// What it computes in, or the real dtype of the parts where that is complex.
    Part,
}

impl KernelInfo {
    pub(super) const fn of(name: &'static str, kinds: &'static [NumberKind]) -> KernelInfo {
        let gives = Gives::Same;
        KernelInfo {
            name,
            mirrored: false,
            commutes: false,
            opposite: None,
            kinds,
            gives,
            fused: &[],
            alike: false,
            casts_first: CastsFirst::Rounded,
            signless: false,
            steps: false,
            in_common_dtype: false,
            wide: false,
            extras: &[],
            flags: &[],
            loss: false,
            refuses: None,
        }
    }

    /// Whether operands that are computed in a standard dtype have a kernel of their own; `alike`: operands
    /// of their common dtype.
    pub fn is_fused(&self, compute: &str, alike: bool) -> bool {
        self.fused.contains(&NumberKind::of_standard(compute)) && (alike || !self.alike)
    }

    /// Whether the operands of two standard dtypes are cast to their common one before.
    pub fn casts_first(&self, operands: [&str; 2], common: &str) -> bool {
        let kind = NumberKind::of_standard;
        let rounds = operands.iter().any(|name| match (standard(common), standard(name)) {
            (Some((common, _)), Some((operand, _))) => !common.holds(operand),
            _ => false,
        });
        let narrow = operands.iter().any(|name| register(name) != *name);
        let kinds = operands.map(kind);
        let whole = kinds.map(|kind| matches!(kind, NumberKind::Bool | NumberKind::Int));
        let least = match kind(common) {
            NumberKind::Float if common == "f16" && rounds => CastsFirst::Rounded,
            NumberKind::Float if common == "bf16" && rounds => CastsFirst::Rare,
            NumberKind::Complex if narrow || whole.contains(&true) => CastsFirst::Rare,
            _ if whole == [true; 2] && !operands.contains(&common) => CastsFirst::Rare,
            _ if narrow || kinds.contains(&NumberKind::Bool) => CastsFirst::Narrow,
            _ => CastsFirst::Always,
        };
        operands[0] != operands[1] && self.casts_first >= least
    }

    /// The standard dtype whose kernel, with casts around it, is that of this one.
    pub fn widened(&self, name: &str) -> Option<&'static str> {
        (self.wide && name == "c64").then_some("c128")
    }

    /// Whether they choose between the operands by a condition, and compute nothing.
    pub fn chooses(&self) -> bool {
        self.extras.iter().any(|extra| extra.takes == Takes::Truth)
    }

    /// The dtype that comes out of a kernel that computes in a standard dtype.
    pub fn result(&self, compute: &'static str) -> &'static str {
        match (self.gives, compute) {
            (Gives::Truth, _) => "bool",
            (Gives::Part, "c64") => "f32",
            (Gives::Part, "c128") => "f64",
            _ => compute,
        }
    }

    /// Whether they compute in a standard dtype; in a narrow float that means that each step is rounded to
    /// it.
    pub fn is_computed_in(&self, compute: &str) -> bool {
        let rounded = register(compute) != compute;
        let rounds = self.in_common_dtype || self.steps && matches!(compute, "f16" | "bf16");
        self.kinds.contains(&NumberKind::of_standard(compute)) && (!rounded || rounds)
    }
}

/// The words and the flags that change what a kernel or a cast computes, as a key and a word: each is the bit
/// of its position. Every first word of a choice is no bit.
pub const KERNEL_WORDS: &[(&str, &str)] = &[
    ("overflow", "saturate"),
    ("by_zero", "zero"),
    ("by_zero", "ones"),
    ("rounding", "truncate"),
    ("rounding", "truncate_integers"),
    ("quotient", "rounded"),
    ("count", "clamped"),
    ("zero_sign", "divisor"),
    ("negative_exponent", "error"),
    ("nan", "zero"),
    ("out_of_range", "x86"),
    ("out_of_range", "x86_clamped"),
    ("log_input", "false"),
    ("full", "true"),
    ("exponent", "wraps"),
    ("exponent", "power"),
];

/// The bit of a word; 0 where it is about something else.
fn bit(key: &str, word: &str) -> u16 {
    KERNEL_WORDS.iter().position(|known| *known == (key, word)).map_or(0, |at| 1 << at)
}

/// The bits of the words of these keys.
fn bits(keys: &[&str]) -> u16 {
    KERNEL_WORDS.iter().filter(|(key, _)| keys.contains(key)).map(|(key, word)| bit(key, word)).sum()
}

/// An op of which there are kernels, with its words as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KernelKey {
    /// The name of the op.
    pub name: &'static str,
    /// Its words.
    pub words: u16,
}

impl KernelKey {
    /// The words as key and word.
    pub fn words(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        (0..KERNEL_WORDS.len()).filter(move |at| self.words & 1 << at != 0).map(|at| KERNEL_WORDS[at])
    }

    /// Whether there is a kernel with these words in a standard dtype in which the op has some: Stirling's
    /// formula is one for numbers above 1, and complex numbers have no order.
    pub fn is_computed_in(self, compute: &str) -> bool {
        let complex = NumberKind::of_standard(compute) == NumberKind::Complex;
        !(complex && self.words & bit("full", "true") != 0)
    }

    /// The same with a word for what this one refuses in an integer dtype: it gives the same of all else.
    pub fn lenient(self, compute: &str) -> Option<KernelKey> {
        let refuses = bit("negative_exponent", "error");
        let words = match self.name {
            _ if NumberKind::of_standard(compute) != NumberKind::Int => return None,
            "floor_divide" | "remainder" | "fmod" if self.words & bits(&["by_zero"]) == 0 => {
                self.words | bit("by_zero", "zero")
            }
            "pow" if self.words & refuses != 0 => self.words & !refuses,
            _ => return None,
        };
        Some(KernelKey { words, ..self })
    }

    /// The op as it is for an operand of a standard dtype, computed in another: what rounds to whole numbers
    /// leaves those that are whole. So are integers as floats; a complex number has an imaginary part
    /// besides.
    #[must_use]
    pub fn of_operand(self, dtype: &str, compute: &str) -> KernelKey {
        let discrete =
            |dtype: &str| matches!(NumberKind::of_standard(dtype), NumberKind::Bool | NumberKind::Int);
        let floats = NumberKind::of_standard(compute) == NumberKind::Float;
        match self.name {
            "floor" | "ceil" | "trunc" | "round" if discrete(compute) || discrete(dtype) && floats => {
                KernelKey { name: "conj", ..self }
            }
            _ => self,
        }
    }

    /// The op whose kernels compute this one in a standard dtype: without the words that change nothing
    /// there, so that rule sets share kernels, and under one name where two ops are the same. No loop is
    /// emitted for 8-bit floats ([`fuses`](super::fuses)), so that their overflow never counts.
    #[must_use]
    pub fn shared(self, compute: &str) -> KernelKey {
        let kind = NumberKind::of_standard(compute);
        let (integer, real) = (kind == NumberKind::Int, kind == NumberKind::Float);
        let discrete = integer || kind == NumberKind::Bool;
        let name = match self.name {
            "clamp_min" => "maximum",
            "fmax" if discrete => "maximum",
            "fmin" if discrete => "minimum",
            "divide" | "divide_trunc" if integer => "floor_divide",
            "float_power" => "pow",
            "real" if kind != NumberKind::Complex => "conj",
            name => name,
        };
        let cut = bit("rounding", "truncate");
        let truncates = match self.name {
            "divide_trunc" => integer,
            "divide" | "floor_divide" if integer => self.words & bits(&["rounding"]) != 0,
            "floor_divide" => self.words & cut != 0,
            _ => false,
        };
        let counted = match name {
            "floor_divide" | "remainder" | "fmod" if integer => bits(&["by_zero"]),
            "floor_divide" if !truncates => bits(&["quotient"]),
            "remainder" if real => bits(&["zero_sign"]),
            "left_shift" | "right_shift" => bits(&["count"]),
            "pow" if integer && compute.starts_with('i') => bits(&["negative_exponent"]),
            "sign" | "heaviside" if real => bits(&["nan"]),
            "poisson_nll_loss" => bits(&["log_input", "full"]),
            "ldexp" if real => bit("exponent", "power"),
            _ => 0,
        };
        KernelKey { name, words: self.words & counted | if truncates { cut } else { 0 } }
    }
}

impl Op {
    /// Whether it has a meaning in dtypes of a kind: a quotient of integers has one if the file says how it
    /// is rounded.
    pub fn computes(&self, kind: NumberKind) -> bool {
        let rounds = || self.word("rounding").is_some_and(|word| word != "none");
        self.info.computes.contains(&kind) || kind == NumberKind::Int && rounds()
    }

    /// The op as kernels know it, if it has any; a mirrored one under its own name.
    pub fn kernel_key(&self) -> Option<KernelKey> {
        self.info.kernel?;
        Some(KernelKey { name: self.info.name, words: self.words().map(|(key, word)| bit(key, word)).sum() })
    }
}

impl OpInfo {
    /// Whether there are kernels that compute it in a standard dtype.
    pub fn is_computed_in(&self, compute: &str) -> bool {
        self.kernel.is_some_and(|kernel| kernel.is_computed_in(compute))
    }

    /// The op with every choice of words that a rule file and a call can make.
    pub fn kernel_keys(&self) -> Vec<KernelKey> {
        let mut keys = vec![KernelKey { name: self.name, words: 0 }];
        let flags = self.kernel.map_or(&[][..], |kernel| kernel.flags);
        for semantic in self.semantics.iter().chain(flags) {
            keys = keys
                .iter()
                .flat_map(|key| {
                    let words = semantic.words.iter().map(|word| key.words | bit(semantic.key, word));
                    words.map(|words| KernelKey { words, ..*key })
                })
                .collect();
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}
