//! `promote explain SET --op NAME` without operands: an op as a rule set defines it.

use promote::{DType, ExtraKind, Op, Operand, PromoteError, RuleSet};
use promote_core::__private::table::Clause;
use promote_core::NumberKind;
use promote_rules::model;
use serde_json::{Map, Value, json};

use super::{Reason, reason};
use crate::answer::Answer;
use crate::columns::aligned;
use crate::expr;
use crate::failure::Failure;
use crate::list::pairs_of;
use crate::load::Loaded;
use crate::operands;
use crate::table::{self, Note};

/// A rule set's definition of an op.
pub(super) struct Definition<'a> {
    loaded: &'a Loaded,
    op: Op,
    model: &'a model::Op,
    /// The clauses of the op, in the order in which they are tried.
    clauses: Vec<OpClause>,
    /// The dtypes of the op for operands of one dtype, for each dtype of the rule set.
    dtypes: Vec<(DType, Result<Types, Refusal>)>,
    /// The number of pairs of arrays; for an op of one operand, the number of dtypes.
    combinations: usize,
    /// The refused ones among them, by reason.
    refused: Vec<Note>,
}

/// A clause of an op.
struct OpClause {
    clause: Reason,
    /// The reason of a refusal.
    refuses: Option<&'static str>,
    /// True if it looks at both operands, and not at their common dtype.
    sees_operands: bool,
}

/// The dtypes of an op for some operands.
struct Types {
    common: DType,
    compute: DType,
    output: DType,
    has_kernel: bool,
    /// True if a clause of the op decided.
    by_clause: bool,
}

/// Why an op refuses operands.
struct Refusal {
    reason: String,
    position: Option<(&'static str, u32)>,
}

impl<'a> Definition<'a> {
    /// Looks up an op by its name.
    ///
    /// # Errors
    /// Returns an error if the rule set has no op of this name.
    pub(super) fn new(loaded: &'a Loaded, name: &str) -> Result<Definition<'a>, Failure> {
        let op = operands::op(loaded, name)?;
        let missing = || Failure::new(format!("{} has no rules for the op `{name}`", loaded.rules.name()));
        let model =
            loaded.compiled.rules.ops.iter().find(|model| model.name == op.name()).ok_or_else(missing)?;
        let known = loaded.rules.tables().clauses;
        let clause = |clause: &model::Clause| {
            let known = known.get(clause.id)?;
            let sees_operands = clause.sees_operands();
            Some(OpClause { clause: reason(known), refuses: known.reason, sees_operands })
        };
        let all = loaded.rules.tables().dtypes;
        let dtypes = all.iter().map(|dtype| (*dtype, types(loaded, op, model, *dtype))).collect();
        let matrices = table::matrices(loaded, Some(op), all, false);
        let first = &matrices[..1];
        Ok(Definition {
            loaded,
            op,
            model,
            clauses: model.block.iter().filter_map(clause).collect(),
            dtypes,
            combinations: first.iter().flat_map(|matrix| &matrix.rows).map(|(_, cells)| cells.len()).sum(),
            refused: Note::of(first),
        })
    }

    /// Returns true if kernels compute the op in this program, in some dtypes at least.
    fn has_kernels(&self) -> bool {
        self.dtypes.iter().any(|(_, types)| types.as_ref().is_ok_and(|types| types.has_kernel))
    }

    /// The kinds of dtype in which kernels compute the op.
    fn kernel_kinds(&self) -> Vec<&'static str> {
        let computes = |kind: &NumberKind| {
            let computed = self.dtypes.iter().filter_map(|(_, types)| types.as_ref().ok());
            computed
                .filter(|types| types.has_kernel)
                .any(|types| NumberKind::of(types.compute) == Some(*kind))
        };
        NumberKind::ALL.iter().filter(|kind| computes(kind)).map(|kind| kind.name()).collect()
    }

    /// The file and the line of the first declaration of the op.
    fn position(&self) -> (&str, usize) {
        let files = &self.loaded.compiled.rules.files;
        let file = files.get(self.model.item.0).map_or("", String::as_str);
        (file, self.model.span.start().line)
    }

    /// The rule set's own file, and not one that it builds on.
    fn own_file(&self) -> &str {
        self.loaded.compiled.rules.files.first().map_or("", String::as_str)
    }

    /// The line of the rule set's own file that chooses the value of an option.
    fn set_at(&self, option: &str) -> Option<usize> {
        let set = self.model.set_here.iter().find(|(name, _)| *name == option);
        set.map(|(_, span)| span.start().line)
    }

    /// The clauses of `opmath`, if a dtype is computed in another one by them.
    fn opmath(&self) -> Vec<Reason> {
        let rules = &self.loaded.compiled.rules;
        let other = self.dtypes.iter().filter_map(|(_, types)| types.as_ref().ok());
        if !other.into_iter().any(|types| types.compute != types.common) {
            return Vec::new();
        }
        let known = self.loaded.rules.tables().clauses;
        rules.opmath.iter().filter_map(|clause| known.get(clause.id)).map(reason).collect()
    }

    /// Returns the definition as text for a person.
    pub(super) fn as_text(&self) -> Answer {
        let (file, line) = self.position();
        let title = format!("{}: `{}`{}", self.loaded.rules.name(), self.op, operands::setting(self.loaded));
        let mut lines = vec![title.clone()];
        lines.push(format!("  {}, declared in {file}:{line}", self.sentence()));
        lines.extend(self.inputs().map(|(name, sentence, _)| format!("  `{name}` is {sentence}")));
        lines.push(format!("  {}", self.kernels()));
        if let Some(pairs) = self.loops() {
            lines.push(format!(
                "  the crate of the rule set compiles loops for {}",
                pairs_of(self.loaded, &pairs)
            ));
        }

        lines.extend([String::new(), "Clauses, in the order in which they are tried".to_owned()]);
        for OpClause { clause, sees_operands, .. } in &self.clauses {
            let sees = match (self.op.arity(), sees_operands) {
                (1, _) => "",
                (_, true) => "operands: ",
                (_, false) => "common dtype: ",
            };
            lines.push(format!("  {sees}{}", placed(clause)));
        }
        let decided = self.dtypes.iter().filter_map(|(_, types)| types.as_ref().ok());
        if decided.into_iter().any(|types| !types.by_clause) {
            let otherwise = if self.clauses.is_empty() { "no clause decides" } else { "otherwise" };
            let becomes = if self.op.arity() == 1 {
                "the operand keeps its dtype"
            } else {
                "the operands become the dtype that they promote to"
            };
            lines.push(format!("  {otherwise}: {becomes}"));
        }
        let opmath = self.opmath();
        if !opmath.is_empty() {
            lines.extend([String::new(), "Clauses that choose the compute dtype".to_owned()]);
            lines.extend(opmath.iter().map(|clause| format!("  {}", placed(clause))));
        }

        let heading = match self.op.arity() {
            1 => "Dtypes",
            2 => "Dtypes, for two operands of one dtype",
            _ => "Dtypes, for operands of one dtype",
        };
        lines.extend([String::new(), heading.to_owned()]);
        lines.extend(aligned(&self.rows(), 1));

        let options: Vec<_> = self.options().collect();
        if !options.is_empty() {
            lines.extend([String::new(), "Options".to_owned()]);
            let mut rows = vec![["option", "value", "choices", "set in"].map(str::to_owned).to_vec()];
            rows.extend(options.iter().map(|(name, value, values)| {
                let default = |(at, value): (usize, &&str)| match at {
                    0 => format!("{value} (default)"),
                    _ => (*value).to_owned(),
                };
                let choices: Vec<String> = values.iter().enumerate().map(default).collect();
                let position = self.set_at(name).map(|line| format!("{}:{line}", self.own_file()));
                vec![
                    (*name).to_owned(),
                    (*value).to_owned(),
                    choices.join(", "),
                    position.unwrap_or_default(),
                ]
            }));
            if rows.iter().skip(1).all(|row| row[3].is_empty()) {
                for row in &mut rows {
                    row.truncate(3);
                }
            }
            lines.extend(aligned(&rows, 2));
        }

        if !self.refused.is_empty() {
            let refused: usize = self.refused.iter().map(|note| note.operands().len()).sum();
            let what = if operands::takes_one(self.op) { "dtypes" } else { "pairs of dtypes" };
            lines.extend([String::new(), format!("Refused: {refused} of {} {what}", self.combinations)]);
            lines.extend(self.refused.iter().map(|note| format!("  {}", note.text())));
        }
        Answer::new(title, lines.join("\n") + "\n")
    }

    /// Returns the definition for a program.
    pub(super) fn as_json(&self) -> Value {
        let (file, line) = self.position();
        let params: Map<String, Value> = operands::params(self.loaded)
            .into_iter()
            .map(|(name, value)| (name.to_owned(), json!(value)))
            .collect();
        let clauses = self.clauses.iter().map(|OpClause { clause, refuses, sees_operands }| {
            let sees = if *sees_operands { "operands" } else { "common" };
            let mut json = as_json(clause);
            json["sees"] = json!(sees);
            json["refuses"] = json!(refuses);
            json
        });
        let inputs = self
            .inputs()
            .map(|(name, sentence, default)| json!({ "name": name, "takes": sentence, "default": default }));
        let options = self.options().map(|(name, value, values)| {
            json!({ "name": name, "value": value, "default": values.first(), "values": values })
        });
        let dtypes = self.dtypes.iter().map(|(dtype, types)| match types {
            Ok(types) => json!({
                "dtype": self.loaded.show(*dtype),
                "common": self.loaded.show(types.common),
                "compute": self.loaded.show(types.compute),
                "output": self.loaded.show(types.output),
                "kernel": types.has_kernel,
            }),
            Err(Refusal { reason, position }) => json!({
                "dtype": self.loaded.show(*dtype),
                "refused": reason,
                "file": position.map(|position| position.0),
                "line": position.map(|position| position.1),
            }),
        });
        let refused =
            self.refused.iter().map(|note| json!({ "reason": note.reason(), "operands": note.operands() }));
        json!({
            "rules": self.loaded.rules.name(),
            "op": self.op.name(),
            "params": params,
            "call": call(self.op),
            "operator": expr::sign(self.op),
            "operands": (self.op.arity() > 0).then(|| self.op.arity()),
            "file": file,
            "line": line,
            "inputs": inputs.collect::<Vec<_>>(),
            "clauses": clauses.collect::<Vec<_>>(),
            "opmath": self.opmath().iter().map(as_json).collect::<Vec<_>>(),
            "options": options.collect::<Vec<_>>(),
            "dtypes": dtypes.collect::<Vec<_>>(),
            "refused": refused.collect::<Vec<_>>(),
            "kernels": self.kernel_kinds(),
            "loops": self.loops().unwrap_or_default().iter().map(|pair| pair.map(|id| self.loaded.show_id(id))).collect::<Vec<_>>(),
        })
    }

    /// Returns one sentence about what the op is.
    fn sentence(&self) -> String {
        if let Op::Custom(custom) = self.op {
            return match (custom.has_kernels(), custom.arity()) {
                (true, _) => "a custom op of this rule file".to_owned(),
                (false, 1) => format!("an op of one operand, `{}`", call(self.op)),
                (false, arity) => format!("an op of {arity} operands, `{}`", call(self.op)),
            };
        }
        let what = match self.op {
            op if RuleSet::is_reduction(op) => "a reduction of one array",
            op if op.joins_arrays() => "an op that joins any number of arrays",
            op if op.takes_whole_arrays() => "an op of two whole arrays",
            op if RuleSet::is_scan(op) => "a scan of one array along an axis",
            op if op.is_loss() => "a loss of two arrays",
            op if op.info().gives_bool() && op.arity() == 2 => "a predicate of two operands",
            op if op.info().gives_bool() => "a predicate of one operand",
            op if op.arity() == 2 => "an op of two operands",
            _ => "an op of one operand",
        };
        match expr::sign(self.op) {
            Some(sign) if self.op.arity() == 1 => format!("{what}, `{}` or `{sign}a`", call(self.op)),
            Some(sign) => format!("{what}, `{}` or `a {sign} b`", call(self.op)),
            None => format!("{what}, `{}`", call(self.op)),
        }
    }

    /// The inputs beside the operands: name, description, default.
    fn inputs(&self) -> impl Iterator<Item = (&'static str, &'static str, Option<f64>)> {
        self.op.extras().iter().map(|extra| {
            let takes = match extra.kind {
                ExtraKind::Condition => "a condition: a bool for each element, or one for all",
                ExtraKind::Operand => "an operand, which counts for the common dtype",
                ExtraKind::Weight => "an array or a number, in the dtype of the computation",
                ExtraKind::Number => "a number",
                ExtraKind::NonNegative => "a number of at least 0",
                ExtraKind::Positive => "a number above 0",
                ExtraKind::Factor => "a number, rounded to the common dtype",
                _ => "an input",
            };
            (extra.name, takes, extra.default)
        })
    }

    /// Returns one sentence about the kernels of the op.
    fn kernels(&self) -> String {
        let always = match self.op.info().kernel.as_ref().and_then(|kernel| kernel.refuses) {
            Some(refuses) => format!("; a call fails if {refuses}"),
            None => String::new(),
        };
        match self.op {
            Op::Custom(custom) if custom.has_kernels() => {
                "computed by the program that defines it".to_owned()
            }
            _ if self.has_kernels() => {
                format!("computed in dtypes of kind {}{always}", self.kernel_kinds().join(", "))
            }
            _ => "not computed: the rule set gives its dtypes only".to_owned(),
        }
    }

    /// The pairs of dtypes for which the crate of the rule set compiles loops, if there are any.
    fn loops(&self) -> Option<Vec<[model::DTypeId; 2]>> {
        let op = self.loaded.compiled.rules.ops.iter().position(|op| op.name == self.model.name)?;
        self.loaded.compiled.loops().into_iter().find(|(which, _)| *which == op).map(|(_, pairs)| pairs)
    }

    /// The options of the op: name, value, all values with the default first.
    fn options(&self) -> impl Iterator<Item = (&'static str, &'static str, Vec<&'static str>)> {
        let all = self.model.info.options();
        all.zip(self.model.options())
            .map(|(option, (name, value))| (name, value, option.values.iter().map(|value| value.0).collect()))
    }

    /// The table of dtypes: those of one kind with like answers share a row.
    fn rows(&self) -> Vec<Vec<String>> {
        let heading = ["kind", "dtypes", "converted to", "computed in", "result", "kernel"];
        let mut rows: Vec<Vec<String>> = vec![heading.map(str::to_owned).to_vec()];
        let model = &self.loaded.compiled.rules;
        let computed = self.dtypes.iter().filter_map(|(_, types)| types.as_ref().ok());
        let mut outputs = computed.map(|types| types.output);
        // If all operands have one result, its name says more than that it is the operand's own.
        let first = outputs.next();
        let has_one_result = outputs.all(|output| Some(output) == first);
        for ((dtype, types), declared) in self.dtypes.iter().zip(&model.dtypes) {
            let kind = model.kinds.get(declared.kind).cloned().unwrap_or_default();
            let show = |dtype: DType| self.loaded.show(dtype).into_owned();
            let or_same = |other: DType| if other == *dtype { "same".to_owned() } else { show(other) };
            let answer = match types {
                Ok(types) => vec![
                    or_same(types.common),
                    or_same(types.compute),
                    if has_one_result { show(types.output) } else { or_same(types.output) },
                    if types.has_kernel { "yes" } else { "-" }.to_owned(),
                ],
                Err(_) => vec!["refused".to_owned(), String::new(), String::new(), String::new()],
            };
            match rows.iter_mut().skip(1).find(|row| row[0] == kind && row[2..] == answer) {
                Some(row) => {
                    row[1].push(' ');
                    row[1].push_str(&show(*dtype));
                }
                None => rows.push([vec![kind, show(*dtype)], answer].concat()),
            }
        }
        // In the order of kinds, and of the dtypes of each as they are declared.
        let order = |row: &Vec<String>| model.kinds.iter().position(|kind| *kind == row[0]);
        rows[1..].sort_by_key(order);
        rows
    }
}

/// Returns the dtypes of an op for operands of one dtype.
fn types(loaded: &Loaded, op: Op, model: &model::Op, dtype: DType) -> Result<Types, Refusal> {
    let count = if operands::takes_one(op) { 1 } else { op.arity() };
    let operands = vec![Operand::Array(dtype); count];
    let explained = loaded.rules.explain(Some(op), &operands).map_err(|error| match error {
        PromoteError::Refused { reason, file, line, .. } => {
            Refusal { reason: reason.to_owned(), position: Some((file, line)) }
        }
        other => Refusal { reason: loaded.names.show_error(other).to_string(), position: None },
    })?;
    let types = explained.types.ok_or_else(|| Refusal { reason: String::new(), position: None })?;
    let known = loaded.rules.tables().clauses;
    let own: Vec<&Clause<'_>> = model.block.iter().filter_map(|clause| known.get(clause.id)).collect();
    let by_clause = explained.clauses().any(|clause| own.iter().any(|own| std::ptr::eq(*own, clause)));
    let (common, compute, output) = (types.common, types.compute, types.output);
    let has_kernel = expr::is_computed(op)
        && (op.info().kernel.is_none() || op.info().is_computed_in(compute))
        && [dtype, common, compute, output].into_iter().all(DType::has_type);
    Ok(Types { common, compute, output, has_kernel, by_clause })
}

/// Returns a call of an op, as expressions write it.
pub(crate) fn call(op: Op) -> String {
    let is_condition = |kind: ExtraKind| kind == ExtraKind::Condition;
    let extra = |extra: &promote::Extra| match extra.default {
        Some(default) => format!("{} = {default:?}", extra.name),
        None => extra.name.to_owned(),
    };
    let extras = op.extras().iter();
    let conditions = extras.clone().filter(|extra| is_condition(extra.kind)).map(extra);
    let others = extras.filter(|extra| !is_condition(extra.kind)).map(extra);
    let operands = ["a", "b", "c", "d"].into_iter().take(op.arity()).map(str::to_owned);
    let flags = op.flags().iter().map(|flag| format!("{} = {}", flag.name, flag.values[0].0));
    let reduction = op.is_loss().then(|| "reduction = none".to_owned());
    let cast = (op == Op::Astype).then(|| "dtype".to_owned());
    let axes = op.info().arguments.iter().map(|argument| match *argument {
        "keepdims" => "keepdims = false".to_owned(),
        "axis" if op.joins_arrays() => "axis = 0".to_owned(),
        other => format!("{other} = .."),
    });
    let inputs: Vec<String> = conditions
        .chain(operands)
        .chain(others)
        .chain(flags)
        .chain(reduction)
        .chain(cast)
        .chain(axes)
        .collect();
    let inputs = if matches!(op, Op::Custom(custom) if custom.arity() == 0) {
        "..".to_owned()
    } else {
        inputs.join(", ")
    };
    format!("{op}({inputs})")
}

fn placed(Reason { rule, block, file, line }: &Reason) -> String {
    format!("`{rule}` in `{block}` ({file}:{line})")
}

fn as_json(Reason { rule, block, file, line }: &Reason) -> Value {
    json!({ "rule": rule, "block": block, "file": file, "line": line })
}
