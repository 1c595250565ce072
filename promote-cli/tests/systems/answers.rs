//! What a rule set answers, in the words of the data.

use std::collections::BTreeMap;

use promote::{Casting, DType, Kind, Number, Op, Operand, RuleSet};
use promote_cli::bundled;
use promote_cli::load;

/// A bundled rule set, under a choice of its parameters.
pub(crate) struct Rules {
    pub(crate) rules: RuleSet,
    dtypes: BTreeMap<&'static str, DType>,
}

/// As what a dtype in the data enters.
#[derive(Clone, Copy)]
pub(crate) enum As {
    Array,
    ZeroDim,
}

impl Rules {
    /// The rule set of a bundled name.
    pub(crate) fn load(name: &str) -> Rules {
        let compiled = bundled::read(name, &[]).unwrap_or_else(|failure| panic!("{failure}"));
        let rules = load::rule_set(Box::leak(Box::new(compiled)));
        let dtypes = rules.tables().dtypes.iter().map(|dtype| (dtype.name(), *dtype)).collect();
        Rules { rules, dtypes }
    }

    /// Under `param=value;param=value`; `None` where there is no such parameter or value.
    pub(crate) fn under(&self, params: &str) -> Option<Rules> {
        let choose = |rules: RuleSet, param: &str| {
            let (name, value) = param.split_once('=').expect("a parameter and its value");
            rules.with(name, value)
        };
        let mut choices = params.split(';').filter(|param| !param.is_empty());
        let rules = choices.try_fold(self.rules, choose)?;
        Some(Rules { rules, dtypes: self.dtypes.clone() })
    }

    pub(crate) fn dtype(&self, name: &str) -> DType {
        *self.dtypes.get(name).unwrap_or_else(|| panic!("{} has no dtype {name}", self.rules.name()))
    }

    /// An operand: `py_int`, `py_int:300`, `i32*`, `i32`.
    pub(crate) fn operand(&self, word: &str, other: As) -> Operand {
        if let Some(number) = number(word) {
            return Operand::Number(number);
        }
        if let Some(weak) = word.strip_suffix('*') {
            return Operand::Weak(self.dtype(weak));
        }
        match other {
            As::Array => Operand::Array(self.dtype(word)),
            // A 1 was recorded.
            As::ZeroDim => self.zero_dim(word, "1"),
        }
    }

    /// An array without dimensions that holds a value.
    pub(crate) fn zero_dim(&self, dtype: &str, value: &str) -> Operand {
        let dtype = self.dtype(dtype);
        let float = || value.parse().expect("a number");
        let number = match dtype.kind() {
            Kind::Bool => Number::Bool(true),
            Kind::Unsigned | Kind::Signed => Number::Int(value.parse().expect("an integer")),
            Kind::Float => Number::Float(float()),
            Kind::Complex => Number::Complex(float(), 0.0),
            _ => return Operand::ZeroDim(dtype),
        };
        Operand::ZeroDimValue(dtype, number)
    }

    /// The ops of which the rules speak.
    pub(crate) fn ops(&self) -> Vec<Op> {
        self.rules.tables().ops.iter().map(|op| op.op).collect()
    }

    /// The dtype that two dtypes promote to.
    pub(crate) fn promote(&self, a: &str, b: &str) -> Option<String> {
        self.rules.promote_types(self.dtype(a), self.dtype(b)).ok().map(|dtype| dtype.name().to_owned())
    }

    /// What operands promote to, with a star where that is weak.
    pub(crate) fn result(&self, operands: &[Operand]) -> Option<String> {
        let found = self.rules.result_type(operands).ok()?;
        Some(format!("{}{}", found.dtype, if found.weak { "*" } else { "" }))
    }

    /// What comes out of an op.
    pub(crate) fn op(&self, op: Op, operands: &[Operand]) -> Option<String> {
        let found = self.rules.explain(Some(op), operands).ok()?.result;
        Some(format!("{}{}", found.dtype, if found.weak { "*" } else { "" }))
    }

    pub(crate) fn can_cast(&self, level: &str, from: &str, to: &str) -> bool {
        let level: Casting = level.parse().expect("a level of casting");
        self.rules.can_cast(self.dtype(from), self.dtype(to), level).is_ok()
    }

    /// The dtype of the left operand when it has taken the result.
    pub(crate) fn in_place(&self, op: Op, operands: &[Operand]) -> Option<String> {
        self.rules.in_place_types(op, operands).ok().map(|types| types.output.name().to_owned())
    }

    pub(crate) fn stored(&self, name: &str) -> &'static str {
        self.rules.stored(self.dtype(name)).expect("a dtype of the rule set").name()
    }
}

/// A Python number by its kind, or by its value.
pub(crate) fn number(word: &str) -> Option<Number> {
    let (kind, value) = word.split_once(':').unwrap_or((word, ""));
    let float = |text: &str| text.parse::<f64>().unwrap_or_else(|_| panic!("{word} is no number"));
    Some(match (kind, value) {
        ("py_bool", "") => Number::Bool(true),
        ("py_bool", value) => Number::Bool(value == "True"),
        ("py_int", "") => Number::Int(1),
        ("py_int", value) => Number::Int(value.parse().unwrap_or_else(|_| panic!("{word} is no number"))),
        ("py_float", "") => Number::Float(1.0),
        ("py_float", value) => Number::Float(float(value)),
        ("py_complex", "") => Number::Complex(1.0, 1.0),
        ("py_complex", value) => {
            let text = value.trim_matches(['(', ')']).trim_end_matches('j');
            // The sign between the parts is the last one that no exponent has.
            let mut signs = text
                .char_indices()
                .filter(|(at, c)| *at > 0 && matches!(c, '+' | '-') && !text[..*at].ends_with(['e', 'E']));
            match signs.next_back() {
                Some((at, _)) => Number::Complex(float(&text[..at]), float(&text[at..])),
                None => Number::Complex(0.0, float(text)),
            }
        }
        _ => return None,
    })
}
