//! A rule set that answers in the words of the recorded data.

use std::collections::BTreeMap;

use promote::{Casting, DType, Kind, Number, Op, Operand, PromoteError, ResultType, RuleSet};

use crate::score::LACKS;

/// A bundled rule set, under a choice of its parameters.
pub(crate) struct Rules {
    rules: RuleSet,
    dtypes: BTreeMap<&'static str, DType>,
}

/// The category of the operand that a recorded dtype stands for.
#[derive(Clone, Copy)]
pub(crate) enum As {
    Array,
    ZeroDim,
}

impl Rules {
    /// Returns a bundled rule set by its name, under its default parameters.
    pub(crate) fn load(name: &str) -> Rules {
        let rules = promote::rule_set(name).unwrap_or_else(|| panic!("there is no rule set `{name}`"));
        let dtypes = rules.tables().dtypes.iter().map(|dtype| (dtype.name(), *dtype)).collect();
        Rules { rules, dtypes }
    }

    /// Returns the rule set under `param=value;param=value`; `None` if it has no such parameter or value.
    pub(crate) fn under(&self, params: &str) -> Option<Rules> {
        let choose = |rules: RuleSet, param: &str| {
            let (name, value) = param.split_once('=').expect("a parameter and its value");
            rules.with(name, value)
        };
        let mut choices = params.split(';').filter(|param| !param.is_empty());
        let rules = choices.try_fold(self.rules, choose)?;
        Some(Rules { rules, dtypes: self.dtypes.clone() })
    }

    /// Returns the names of the rule set's dtypes.
    pub(crate) fn dtypes(&self) -> impl Iterator<Item = &'static str> {
        self.dtypes.keys().copied()
    }

    fn dtype(&self, name: &str) -> DType {
        *self.dtypes.get(name).unwrap_or_else(|| panic!("{} has no dtype {name}", self.rules.name()))
    }

    /// Returns an operand: `py_int`, `py_int:300`, `i32*` (weak) or `i32`, which is of the category
    /// `category`.
    pub(crate) fn operand(&self, word: &str, category: As) -> Operand {
        if let Some(number) = number(word) {
            return Operand::Number(number);
        }
        if let Some(weak) = word.strip_suffix('*') {
            return Operand::Weak(self.dtype(weak));
        }
        match category {
            As::Array => Operand::Array(self.dtype(word)),
            // Zero-dimensional arrays were recorded with the value 1.
            As::ZeroDim => self.zero_dim(word, "1"),
        }
    }

    /// Returns a zero-dimensional array that holds a value.
    pub(crate) fn zero_dim(&self, dtype: &str, value: &str) -> Operand {
        let dtype = self.dtype(dtype);
        let float = || value.parse().expect("a number");
        let number = match dtype.kind() {
            Kind::Bool => Number::Bool(true),
            Kind::Unsigned | Kind::Signed => Number::Int(value.parse().expect("an integer")),
            Kind::Float => Number::Float(float()),
            Kind::Complex => Number::Complex(float(), 0.0),
            _ => return Operand::ZeroDim(dtype, None),
        };
        Operand::ZeroDim(dtype, Some(number))
    }

    /// Returns the ops that the rule set has.
    pub(crate) fn ops(&self) -> Vec<Op> {
        self.rules.tables().ops.iter().map(|op| op.op).collect()
    }

    /// Returns the dtype that two dtypes promote to.
    pub(crate) fn promote(&self, a: &str, b: &str) -> Option<String> {
        let found = self.rules.promote_types(self.dtype(a), self.dtype(b));
        word(found.map(|dtype| ResultType { dtype, weak: false }))
    }

    /// Returns the dtype that operands promote to, with a star if it is weak.
    pub(crate) fn result(&self, operands: &[Operand]) -> Option<String> {
        word(self.rules.result_type(operands))
    }

    /// Returns the dtype that an array, a zero-dimensional array and a number promote to. `-` is a missing
    /// operand.
    ///
    /// # Panics
    /// Panics if the dtype depends on the order of the operands.
    pub(crate) fn result_of_up_to_three(&self, array: &str, zero_dim: &str, number: &str) -> Option<String> {
        let words = [(array, As::Array), (zero_dim, As::ZeroDim), (number, As::Array)];
        let given = words.into_iter().filter(|(word, _)| *word != "-");
        let mut operands: Vec<Operand> = given.map(|(word, category)| self.operand(word, category)).collect();
        let found = self.result(&operands);
        let mut state = self.rules.result_type_state();
        let added = operands.iter().try_for_each(|operand| state.add(*operand));
        let step_by_step = added.and_then(|()| state.result()).map_err(|error| error.to_string());
        let at_once = self.rules.result_type(&operands).map_err(|error| error.to_string());
        assert_eq!(step_by_step, at_once, "{array}, {zero_dim}, {number}, step by step");
        operands.reverse();
        assert_eq!(found, self.result(&operands), "{array}, {zero_dim}, {number}, and in reverse");
        found
    }

    /// Returns the dtype of an op's result, with a star if it is weak.
    pub(crate) fn op(&self, op: Op, operands: &[Operand]) -> Option<String> {
        word(self.rules.explain(Some(op), operands).map(|found| found.result))
    }

    pub(crate) fn can_cast(&self, level: &str, from: &str, to: &str) -> bool {
        let level: Casting = level.parse().expect("a level of casting");
        self.rules.can_cast(self.dtype(from), self.dtype(to), level).is_ok()
    }

    /// Returns the dtype of the left operand after it has taken the result.
    pub(crate) fn in_place(&self, op: Op, operands: &[Operand]) -> Option<String> {
        self.rules.in_place_types(op, operands).ok().map(|types| types.output.name().to_owned())
    }

    /// Returns true if an array of the dtype `out` can take the result of an op.
    pub(crate) fn takes_out(&self, op: Op, operands: &[Operand], out: &str) -> bool {
        self.rules.out_types(op, operands, self.dtype(out)).is_ok()
    }

    pub(crate) fn stored(&self, name: &str) -> &'static str {
        self.rules.stored_dtype(self.dtype(name)).expect("a dtype of the rule set").name()
    }
}

/// Returns an answer in the words of the recorded data; `None` if the rules refuse.
fn word(found: Result<ResultType, PromoteError>) -> Option<String> {
    match found {
        Ok(found) => Some(format!("{}{}", found.dtype, if found.weak { "*" } else { "" })),
        Err(error) => error.is_unanswered().then(|| LACKS.to_owned()),
    }
}

/// Returns a Python number by its kind, `py_int`, or by its value, `py_int:300`; `None` for other words.
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
            // The parts are separated by the last sign that does not belong to an exponent.
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
