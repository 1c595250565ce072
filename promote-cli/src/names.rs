//! The names by which a command reads and shows dtypes: those of `promote`, and those that the system of a
//! rule set has.

use std::borrow::Cow;
use std::io::Write as _;

use promote::{CustomDType, DType, Op, OperandKind, PromoteError, RuleSet};
use promote_rules::model::{self, DTypeId};

use crate::failure::{Failure, listed};
use crate::load::{BaseArgs, FileArgs, Loaded};
use crate::suggest::near_dtype;
use crate::terminal;

/// The option `--names`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct NamesArgs {
    /// Read and show dtypes by the names that the system of this rule set has for them
    #[arg(long, value_name = "RULES")]
    names: Option<String>,
}

impl NamesArgs {
    /// Loads the rule set whose names are used.
    ///
    /// # Errors
    /// Returns an error if there is no such rule set, if its file has mistakes, or if it has no names.
    pub(crate) fn load(&self, base: &BaseArgs) -> Result<Names, Failure> {
        let Some(name) = &self.names else { return Ok(Names::default()) };
        let none = NamesArgs::default();
        let rules =
            FileArgs::new(name, base, &none).load(&[]).map_err(|failure| failure.of("`--names`"))?.rules;
        if rules.tables().names.is_empty() {
            let help = "add them to its rule file: `names { f16: \"half\"; }`";
            return Err(Failure::new(format!("{} has no names of dtypes", rules.name())).help(help));
        }
        Ok(Names { system: Some(rules) })
    }

    /// Returns the option as words of a command line.
    pub(crate) fn words(&self) -> String {
        self.names.as_ref().map_or_else(String::new, |rules| format!(" --names {rules}"))
    }
}

/// The names in use: those of a system, or those of `promote`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names {
    system: Option<RuleSet>,
}

/// Stands before a name of `promote` that means another dtype among the names in use.
const OURS: &str = "promote.";

/// Returns the dtype of a rule set with a name of `promote`. Custom dtypes of two rule sets can only share
/// their names.
fn ours(rules: &RuleSet, name: &str) -> Option<DType> {
    rules.dtypes().iter().copied().find(|dtype| dtype.name() == name)
}

impl Names {
    /// Returns true for the names of `promote`.
    pub(crate) fn are_ours(self) -> bool {
        self.system.is_none()
    }

    /// Returns the name by which a dtype is shown.
    pub(crate) fn show(self, dtype: DType) -> Cow<'static, str> {
        let name = dtype.name();
        let Some(system) = self.system else { return name.into() };
        match ours(&system, name) {
            Some(known) => system.name_of(known).into(),
            // The system has another dtype of this name.
            None if system.dtype_named(name).is_some() => format!("{OURS}{name}").into(),
            None => name.into(),
        }
    }

    /// Returns the name of a result: that of the dtype, with a star if it is weak.
    pub(crate) fn show_result(self, dtype: DType, weak: bool) -> String {
        format!("{}{}", self.show(dtype), if weak { "*" } else { "" })
    }

    /// Returns an error whose message shows dtypes by these names.
    pub(crate) fn show_error(self, mut error: PromoteError) -> PromoteError {
        // An error has dtypes, and no names. Each becomes one that has the name.
        let show = |dtype: &mut DType| {
            let name = self.show(*dtype);
            if name != dtype.name() {
                let named = CustomDType::new(String::leak(name.into_owned()), dtype.bits(), dtype.align());
                *dtype = DType::Custom(Box::leak(Box::new(named)));
            }
        };
        let show_operand = |operand: &mut OperandKind| match operand {
            OperandKind::Array(dtype)
            | OperandKind::ZeroDim(dtype)
            | OperandKind::PromotedNumber(dtype)
            | OperandKind::Weak(dtype) => show(dtype),
            _ => {}
        };
        match &mut error {
            PromoteError::UnknownDType { dtype, .. } | PromoteError::NumberDoesNotFit { dtype, .. } => {
                show(dtype);
            }
            PromoteError::Refused { operands: (a, b), .. } => {
                show_operand(a);
                b.iter_mut().for_each(show_operand);
            }
            PromoteError::Undefined { operand, .. } => show_operand(operand),
            _ => {}
        }
        error
    }

    /// Returns a value of a parameter as it is shown: a dtype by its name.
    pub(crate) fn show_value(self, rules: &RuleSet, value: &'static str) -> Cow<'static, str> {
        ours(rules, value).map_or(value.into(), |dtype| self.show(dtype))
    }
}

impl Loaded {
    /// Returns the dtype of the rule set with a name, if there is one.
    ///
    /// Without `--names`, a name of `promote` is read first, and a note tells if the system of the rule set
    /// has another dtype of this name. A name of `promote` that the rule set lacks is never read as another
    /// dtype.
    pub(crate) fn find_dtype(&self, name: &str) -> Option<DType> {
        if let Some(ours) = name.strip_prefix(OURS).and_then(|name| ours(&self.rules, name)) {
            return Some(ours);
        }
        let Some(system) = self.names.system else {
            let Some(dtype) = ours(&self.rules, name) else {
                return self.rules.dtype_named(name).filter(|_| name.parse::<DType>().is_err());
            };
            self.note_other(dtype);
            return Some(dtype);
        };
        let shown = self.rules.dtypes().iter().find(|dtype| self.names.show(**dtype) == name);
        shown.copied().or_else(|| ours(&self.rules, system.dtype_named(name)?.name()))
    }

    /// Returns the value of a parameter that a text means: a dtype by its name, or a word.
    pub(crate) fn find_value(&self, values: &'static [&'static str], text: &str) -> Option<&'static str> {
        let is_dtype = |value: &&'static str| ours(&self.rules, value).is_some();
        let read = values.iter().any(is_dtype).then(|| self.find_dtype(text)).flatten().map(DType::name);
        let is_meant =
            |value: &&'static str| if is_dtype(value) { read == Some(*value) } else { text == *value };
        values.iter().copied().find(is_meant)
    }

    /// Returns the dtype of another rule set as this one has it, if it does.
    pub(crate) fn same_dtype(&self, dtype: DType) -> Option<DType> {
        let found = ours(&self.rules, dtype.name())?;
        self.note_other(found);
        Some(found)
    }

    /// Returns the op of the rule set with a name, or with one that the system has for it.
    pub(crate) fn find_op(&self, name: &str) -> Option<Op> {
        let rules = &self.compiled.rules;
        let named = |op: &model::Op| op.names.iter().any(|known| known == name);
        let at = rules.op(name).or_else(|| rules.ops.iter().position(named))?;
        Some(self.rules.tables().ops[at].op)
    }

    /// Tells once on standard error if the system of the rule set has another dtype of the name of this one.
    fn note_other(&self, dtype: DType) {
        let other = self.rules.dtype_named(dtype.name()).filter(|other| *other != dtype);
        let Some(other) = other.filter(|_| self.names.are_ours()) else { return };
        let mut noted = self.noted.borrow_mut();
        if noted.contains(&dtype) {
            return;
        }
        noted.push(dtype);
        let (rules, shown) = (self.rules.name(), self.rules.name_of(dtype));
        let note = format!(
            "`{dtype}` is {shown} here; the `{dtype}` of {rules} is {}: `--names {}` reads it so",
            self.rules.name_of(other),
            self.said
        );
        // A failed write to standard error can be reported nowhere.
        let _ = writeln!(std::io::stderr(), "note: {}", terminal::line(&note));
    }

    /// Returns the name by which a dtype is shown.
    pub(crate) fn show(&self, dtype: DType) -> Cow<'static, str> {
        self.names.show(dtype)
    }

    /// Returns the name by which a dtype of the model is shown.
    pub(crate) fn show_id(&self, id: DTypeId) -> Cow<'static, str> {
        self.show(self.rules.dtypes()[id.index()])
    }

    /// Returns the error that no dtype of the rule set has a name. `message` says what the name was read as,
    /// and `help` what to write in general. A mark behind the name, such as `[]`, is kept.
    pub(crate) fn no_dtype(&self, name: &str, message: String, help: &str) -> Failure {
        let bare = name.trim_end_matches("[]").trim_end_matches('*');
        if self.names.are_ours()
            && let Some(dtype) = self.rules.dtype_named(bare)
        {
            let (rules, said) = (self.rules.name(), &self.said);
            let help = format!("the `{bare}` of {rules} is `{dtype}`: `--names {said}` reads it so");
            return Failure::new(message).help(help);
        }
        let known: Vec<Cow<'_, str>> = self.rules.dtypes().iter().map(|dtype| self.show(*dtype)).collect();
        let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
        let all = format!("{help}the dtypes: {}", listed(known.iter().copied()));
        let meant = ours(&self.rules, bare).map(|dtype| self.show(dtype));
        Failure::new(message).help(near_dtype(name, &known, meant.as_deref(), &all))
    }
}
