//! Expressions: text in Rust's syntax to steps in the order in which they are computed.

mod named;
mod number;
mod promoted;

use std::ops::Range;
use std::str::FromStr as _;

use proc_macro2::{Span, TokenStream};
use promote::{DType, Extra, Flags, Number, Op, Reduction, RuleSet};
use promote_core::__private::KernelOp;
use promote_rules::diag::Errors;
use promote_rules::expr::without_keywords;
use promote_rules::source::check_bounds;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{BinOp, Expr, UnOp};

use self::named::{Named, axes, boolean, names, real, reduced};
use self::number::{negative, number};
pub use self::promoted::promoted;
use crate::failure::Failure;
use crate::load::Loaded;
use crate::suggest::{near_dtype, near_op};

/// An instruction of a stack machine.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Pushes an array, by its position in [`Expression::names`].
    Name(usize),
    /// Pushes a number.
    Number(Number),
    /// Pops as many inputs as [`Op::inputs`] says, the last one first, and pushes the result.
    Op(Op),
    /// Applies an op of two operands that was written between them, like [`Step::Op`].
    Infix(Op),
    /// Applies an op with flags, and reduces its result if it is a loss.
    Chosen(Op, Flags, Option<Reduction>),
    /// Casts one value.
    Cast(DType),
    /// Reduces or scans one value.
    Reduce(Op, Along),
    /// Applies an op of so many whole arrays, along an axis or the first one.
    Whole(Op, usize, Option<isize>),
}

/// The arguments of a reduction or a scan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Along {
    /// The axes; `None` for all.
    pub axes: Option<Vec<isize>>,
    /// True if a reduction keeps its axes, with the length 1.
    pub keepdims: bool,
    /// The dtype that elements are cast to first.
    pub dtype: Option<DType>,
    /// What `std` and `var` take from the number of elements.
    pub correction: Option<f64>,
}

/// An expression.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expression {
    /// The names in it, each once, in the order of their first use.
    pub names: Vec<String>,
    /// The steps: each finds its operands, and one result is left.
    pub steps: Vec<Step>,
    text: String,
    /// The bytes of the text that each step computes.
    ranges: Vec<Range<usize>>,
}

impl Expression {
    /// Returns the part of the text that a step computes, shortened if it is long.
    pub fn text(&self, step: usize) -> String {
        const SHOWN: usize = 40;
        let text = self.ranges.get(step).and_then(|range| self.text.get(range.clone())).unwrap_or(&self.text);
        match text.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{} ..", text[..end].trim_end()),
            None => text.to_owned(),
        }
    }
}

/// Reads an expression: names, numbers (`3`, `2.5`, `2j`, `true`), parentheses, the operators
/// `+ - * / % & | ^ << >> && || == != < <= > >= !`, calls of the `ops` by their names, and `astype(a, f16)`.
///
/// The parser recurses as deep as the text asks, within [`check_bounds`].
///
/// # Errors
/// Returns an error if the text is not such an expression, or names an op that is not among `ops`.
pub fn parse(text: &str, ops: &[Op]) -> Result<Expression, Failure> {
    parse_under(None, text, ops)
}

/// Reads an expression in which dtypes have the names of a rule set.
///
/// # Errors
/// Returns the errors of [`parse`].
pub fn parse_under(loaded: Option<&Loaded>, text: &str, ops: &[Op]) -> Result<Expression, Failure> {
    let found = Expression { text: text.to_owned(), ..Expression::default() };
    let mut reader = Reader { loaded, ops, found };
    let expr = tree(text)?;
    reader.walk(&expr)?;
    Ok(reader.found)
}

/// Parses an expression in Rust's syntax.
///
/// # Errors
/// Returns an error if the text has another syntax, or is too long or nested too deeply.
fn tree(text: &str) -> Result<Expr, Failure> {
    for (sign, instead) in [("//", "`floor_divide`"), ("/*", "`*` with a space before it")] {
        if let Some(at) = text.find(sign) {
            let message = format!("`{sign}` at column {} begins a comment", column(text, at));
            return Err(Failure::new(message).help(format!("write {instead}; {}", known())));
        }
    }
    let tokens = TokenStream::from_str(text).map_err(|error| {
        Failure::new(format!(
            "the expression cannot be read at column {}: a quote or parenthesis is not closed, or a character is \
             not part of the syntax",
            error.span().start().column + 1
        ))
    })?;
    let mut errors = Errors::default();
    check_bounds(&mut errors, &tokens);
    if let Err(errors) = errors.or(()) {
        let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        return Err(Failure::new(format!("in the expression, {}", messages.join("; "))));
    }
    if tokens.is_empty() {
        return Err(Failure::new("the expression is empty"));
    }
    syn::parse2(without_keywords(tokens.clone())).map_err(|error| {
        // The error has no position of its own: that of the whole text is its beginning.
        if error.to_string().starts_with("unexpected end of input") && error.span().byte_range().is_empty() {
            let end = column(text, text.trim_end().len());
            return Failure::new(format!("the expression ends too early, at column {end}"))
                .help("add an operand there: a name, a number, or a call such as `sqrt(a)`");
        }
        let at = error.span().start().column + 1;
        let help = python_help(&tokens).map_or_else(known, |help| format!("{help}; {}", known()));
        Failure::new(format!("the expression cannot be read at column {at}: {error}")).help(help)
    })
}

/// Returns what to write instead of an operator of Python, if there is one in an expression that cannot be
/// read, or instead of comparisons in a row.
fn python_help(tokens: &TokenStream) -> Option<&'static str> {
    let text = tokens.to_string();
    let words: Vec<&str> = text.split_whitespace().collect();
    let operators = [
        ("@", "write `matmul(a, b)`"),
        ("and", "write `a && b`"),
        ("or", "write `a || b`"),
        ("not", "write `!a`"),
        ("if", "write `where(condition, a, b)`"),
    ];
    let found = operators.into_iter().find(|(operator, _)| words.contains(operator));
    let is_comparison = |word: &&&str| ["<", "<=", ">", ">=", "==", "!="].contains(*word);
    let joined = words.contains(&"&&") || words.contains(&"||");
    let compared = !joined && words.iter().filter(is_comparison).count() > 1;
    found.map(|found| found.1).or_else(|| compared.then_some("write `a < b && b < c` for `a < b < c`"))
}

fn column(text: &str, byte: usize) -> usize {
    text[..byte].chars().count() + 1
}

/// The largest number of signs before an operand. Each is a call over all elements, and a level of recursion.
const MAX_SIGNS: usize = 64;

struct Reader<'a> {
    loaded: Option<&'a Loaded>,
    ops: &'a [Op],
    found: Expression,
}

impl Reader<'_> {
    /// Reads an expression, and returns its bytes in the text.
    fn walk(&mut self, expr: &Expr) -> Result<Range<usize>, Failure> {
        match expr {
            Expr::Paren(inner) => {
                self.walk(&inner.expr)?;
                let parens = inner.paren_token.span;
                Ok(parens.open().byte_range().start..parens.close().byte_range().end)
            }
            Expr::Group(inner) => self.walk(&inner.expr),
            Expr::Lit(literal) => {
                let number = number(&literal.lit)?;
                self.number(number, literal.span(), literal.span().byte_range())
            }
            Expr::Path(path) => self.name(path),
            Expr::Binary(binary) => {
                let op = operator(&binary.op)
                    .ok_or_else(|| at(binary.op.span(), "expressions cannot assign").help(known()))?;
                self.known_op(op, binary.op.span())?;
                let left = self.walk(&binary.left)?;
                let right = self.walk(&binary.right)?;
                Ok(self.step(Step::Infix(op), left.start..right.end))
            }
            Expr::Unary(unary) => self.unary(unary),
            Expr::Call(call) => self.call(call),
            Expr::Assign(assign) => {
                Err(at(assign.eq_token.span(), "`=` is not an operator").help("write `==` to compare"))
            }
            Expr::MethodCall(call) => {
                let op = call.method.unraw();
                Err(at(call.span(), "arrays have no methods, and ops are in no module")
                    .help(format!("call the op by its name alone: `{op}(..)`")))
            }
            Expr::Index(index) => Err(at(index.span(), "elements cannot be selected in an expression")
                .help("write the selected elements to a file of their own first")),
            Expr::Field(field) => Err(at(field.dot_token.span(), "arrays have no attributes")
                .help("write an array with another shape to a file of its own first")),
            other => Err(at(other.span(), "this is not part of an expression over arrays").help(known())),
        }
    }

    fn step(&mut self, step: Step, range: Range<usize>) -> Range<usize> {
        self.found.steps.push(step);
        self.found.ranges.push(range.clone());
        range
    }

    fn name(&mut self, path: &syn::ExprPath) -> Result<Range<usize>, Failure> {
        let Some(ident) = path.path.get_ident() else {
            return Err(at(path.span(), "this is not a name").help(known()));
        };
        let name = ident.unraw().to_string();
        let names = &mut self.found.names;
        let index = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        Ok(self.step(Step::Name(index), ident.span().byte_range()))
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Result<Range<usize>, Failure> {
        let before = self.found.steps.len();
        let (mut depth, mut inner) = (1, &*unary.expr);
        while let Expr::Unary(next) = inner {
            (depth, inner) = (depth + 1, &*next.expr);
        }
        if depth > MAX_SIGNS {
            let message = format!("more than {MAX_SIGNS} signs stand before one operand");
            return Err(at(unary.span(), &message).help("`- -a` is `a`"));
        }
        match unary.op {
            UnOp::Neg(_) => {
                let inner = self.walk(&unary.expr)?;
                let range = unary.op.span().byte_range().start..inner.end;
                if let (Some(&Step::Number(number)), true) =
                    (self.found.steps.last(), self.found.steps.len() == before + 1)
                {
                    self.found.steps.pop();
                    self.found.ranges.pop();
                    return self.number(negative(number), unary.span(), range);
                }
                self.known_op(Op::Negative, unary.span())?;
                Ok(self.step(Step::Op(Op::Negative), range))
            }
            UnOp::Not(_) => {
                self.known_op(Op::BitwiseNot, unary.span())?;
                let inner = self.walk(&unary.expr)?;
                let range = unary.op.span().byte_range().start..inner.end;
                Ok(self.step(Step::Op(Op::BitwiseNot), range))
            }
            UnOp::Deref(_) => {
                Err(at(unary.span(), "`**` is not an operator")
                    .help(format!("write `pow(a, b)`; {}", known())))
            }
            _ => Err(at(unary.span(), "this is not an operator").help(known())),
        }
    }

    fn call(&mut self, call: &syn::ExprCall) -> Result<Range<usize>, Failure> {
        let name = match &*call.func {
            Expr::Path(path) => path.path.get_ident().map(|ident| ident.unraw().to_string()),
            _ => None,
        };
        let Some(name) = name else {
            return Err(at(call.func.span(), "only an op can be called, by its name").help(known()));
        };
        if name == promoted::NAME {
            return Err(at(
                call.func.span(),
                "`promote(..)` returns several arrays, so it cannot be part of an expression",
            )
            .help("write `promote(a, b)` as the whole expression"));
        }
        let range = call.func.span().byte_range().start..call.paren_token.span.close().byte_range().end;
        let of_rules = self.loaded.and_then(|loaded| loaded.find_op(&name));
        if let (Some(Op::Custom(_)), Some(loaded)) = (of_rules, self.loaded) {
            let message = format!("`{name}` has dtypes and no kernel in this command");
            return Err(at(call.func.span(), &message).help(format!(
                "`promote explain {} --op {name} ..` says what it gives",
                loaded.rules.name()
            )));
        }
        let op = of_rules.or_else(|| name.parse().ok()).ok_or_else(|| {
            let ops: Vec<&str> = self.ops.iter().map(|op| op.name()).collect();
            at(call.func.span(), &format!("there is no op `{name}`")).help(near_op(&name, &ops, &known()))
        })?;
        let op = self.scaled(op, call);
        if op == Op::Astype {
            let dtype = self.astype(call)?;
            return Ok(self.step(Step::Cast(dtype), range));
        }
        self.known_op(op, call.func.span())?;
        if RuleSet::is_reduction(op) || RuleSet::is_scan(op) {
            let step = self.reduction(op, call)?;
            return Ok(self.step(step, range));
        }
        if op.takes_whole_arrays() {
            let step = self.whole(op, call)?;
            return Ok(self.step(step, range));
        }
        let mut named = Vec::new();
        let mut given = 0;
        for argument in &call.args {
            match argument {
                Expr::Assign(assign) => named.push(Named::read(op, assign, &named)?),
                _ if !named.is_empty() => {
                    return Err(at(argument.span(), "an argument without a name follows one with a name")
                        .help(format!("name it; {}", names(op))));
                }
                _ => {
                    self.walk(argument)?;
                    given += 1;
                }
            }
        }
        let (most, extras) = (op.inputs(), op.extras());
        // Parameters that are not given by position are given by name, or have a default.
        let missing = extras.get(extras.len() - (most.max(given) - given).min(extras.len())..).unwrap_or(&[]);
        let is_named = |extra: &Extra| named.iter().any(|argument: &Named<'_>| argument.name == extra.name);
        let fills = |extra: &Extra| extra.default.is_some() || is_named(extra);
        if given > most || given + missing.len() < most || !missing.iter().all(fills) {
            let least = most - extras.iter().filter(|extra| extra.default.is_some()).count();
            let expected = if least == most { most.to_string() } else { format!("{least} to {most}") };
            let operands = if most == 1 { "operand" } else { "operands" };
            let failure = at(call.span(), &format!("`{op}` takes {expected} {operands}, not {given}"));
            return Err(if extras.is_empty() { failure } else { failure.help(names(op)) });
        }
        for extra in missing {
            match (named.iter().find(|argument| argument.name == extra.name), extra.default) {
                (Some(argument), _) => {
                    self.walk(argument.value)?;
                }
                (None, default) => {
                    let number = Number::Float(default.unwrap_or(f64::NAN));
                    self.step(Step::Number(number), range.clone());
                }
            }
        }
        let (mut flags, mut reduction) = (Flags::default(), None);
        for Named { name, value } in &named {
            let already =
                extras.iter().any(|extra| extra.name == *name) && !missing.iter().any(|m| m.name == *name);
            if already {
                return Err(at(value.span(), &format!("`{name}` is given twice")));
            }
            if name == "reduction" {
                reduction = reduced(value)?;
            } else if op.flags().iter().any(|flag| flag.name == name) {
                flags.set(name, boolean(name, value)?);
            }
        }
        let plain = (flags, reduction) == (Flags::default(), None);
        let step = if plain { Step::Op(op) } else { Step::Chosen(op, flags, reduction) };
        Ok(self.step(step, range))
    }

    /// Returns the op of a call: `add(a, b, alpha = 2)` is a call of `add_scaled`, if the rule set has it.
    fn scaled(&self, op: Op, call: &syn::ExprCall) -> Op {
        let scaled = match op {
            Op::Add => Op::AddScaled,
            Op::Subtract => Op::SubtractScaled,
            op => return op,
        };
        let is_alpha = |argument: &Expr| match argument {
            Expr::Assign(assign) => matches!(&*assign.left, Expr::Path(path) if path.path.is_ident("alpha")),
            _ => false,
        };
        if self.ops.contains(&scaled) && call.args.iter().any(is_alpha) { scaled } else { op }
    }

    /// Reads the operand of `sum(a, axis = (0, 1), keepdims = true)` or of a scan, and returns the step.
    fn reduction(&mut self, op: Op, call: &syn::ExprCall) -> Result<Step, Failure> {
        let mut arguments = call.args.iter();
        match arguments.next() {
            Some(operand) if !matches!(operand, Expr::Assign(_)) => self.walk(operand)?,
            _ => return Err(at(call.span(), &format!("`{op}` takes 1 operand, not 0")).help(names(op))),
        };
        let (mut named, mut along) = (Vec::new(), Along::default());
        for argument in arguments {
            let Expr::Assign(assign) = argument else {
                let message = format!("`{op}` takes 1 operand; its other arguments have names");
                return Err(at(argument.span(), &message).help(names(op)));
            };
            let argument = Named::read(op, assign, &named)?;
            match argument.name.as_str() {
                "axis" => along.axes = Some(axes(argument.value)?),
                "dtype" => {
                    let help = format!("write `{op}(a, dtype = f32)`");
                    along.dtype = Some(self.dtype(argument.value, &help)?);
                }
                "correction" => along.correction = Some(real(argument.value)?),
                _ => along.keepdims = boolean(&argument.name, argument.value)?,
            }
            named.push(argument);
        }
        Ok(Step::Reduce(op, along))
    }

    /// Reads the operands of `concatenate(a, b, axis = 1)` or `matmul(a, b)`, and returns the step.
    fn whole(&mut self, op: Op, call: &syn::ExprCall) -> Result<Step, Failure> {
        let (mut count, mut axis) = (0, None);
        for argument in &call.args {
            match argument {
                Expr::Assign(assign) => {
                    let argument = Named::read(op, assign, &[])?;
                    let [one] = axes(argument.value)?[..] else {
                        let message = format!("`{op}` joins arrays along one axis");
                        return Err(at(argument.value.span(), &message).help("write `axis = 0`"));
                    };
                    if axis.replace(one).is_some() {
                        return Err(at(assign.left.span(), "`axis` is given twice"));
                    }
                }
                _ if axis.is_some() => {
                    return Err(at(argument.span(), "an argument without a name follows one with a name")
                        .help(format!("name it; {}", names(op))));
                }
                _ => {
                    self.walk(argument)?;
                    count += 1;
                }
            }
        }
        let (least, most) = if op.joins_arrays() { (1, usize::MAX) } else { (2, 2) };
        if !(least..=most).contains(&count) {
            let expected = if op.joins_arrays() { "at least 1 operand" } else { "2 operands" };
            return Err(at(call.span(), &format!("`{op}` takes {expected}, not {count}")));
        }
        Ok(Step::Whole(op, count, axis))
    }

    /// Reads the operand of `astype(a, f16)`, and returns the dtype.
    fn astype(&mut self, call: &syn::ExprCall) -> Result<DType, Failure> {
        let help = "write `astype(a, f16)`";
        let (Some(operand), Some(dtype), 2) = (call.args.first(), call.args.get(1), call.args.len()) else {
            let message = format!("`astype` takes an operand and a dtype, not {} arguments", call.args.len());
            return Err(at(call.span(), &message).help(help));
        };
        self.walk(operand)?;
        self.dtype(dtype, help)
    }

    /// Reads a dtype.
    fn dtype(&self, dtype: &Expr, help: &str) -> Result<DType, Failure> {
        let Some(name) = written(dtype) else {
            return Err(at(dtype.span(), "this is not a dtype").help(help));
        };
        let of_rules = self.loaded.and_then(|loaded| loaded.find_dtype(&name));
        // The rule set may lack the dtype, which is another mistake.
        let standard =
            || name.parse().ok().filter(|_| self.loaded.is_none_or(|loaded| loaded.names.are_ours()));
        of_rules.or_else(standard).ok_or_else(|| {
            let failure = at(dtype.span(), &format!("`{name}` is not a dtype"));
            if let Some(loaded) = self.loaded {
                return loaded.no_dtype(&name, failure.message().to_owned(), &format!("{help}; "));
            }
            let known: Vec<&str> = DType::STANDARD.iter().map(|dtype| dtype.name()).collect();
            failure.help(near_dtype(&name, &known, None, help))
        })
    }

    fn number(&mut self, number: Number, span: Span, range: Range<usize>) -> Result<Range<usize>, Failure> {
        if let Number::Int(int) = number
            && !(i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&int)
        {
            return Err(at(span, &format!("{int} needs more than 64 bits"))
                .help("write it as a float, with `.0` at its end"));
        }
        Ok(self.step(Step::Number(number), range))
    }

    fn known_op(&self, op: Op, span: Span) -> Result<(), Failure> {
        if self.ops.contains(&op) {
            return Ok(());
        }
        Err(if is_computed(op) {
            at(span, &format!("the rule set has no rules for the op `{op}`")).help(known())
        } else {
            at(span, &format!("`{op}` cannot be computed: it has dtypes, and no kernels yet"))
                .help(format!("`promote explain RULES --op {op}` explains its dtypes"))
        })
    }
}

/// Returns a help text about what an expression may contain.
fn known() -> String {
    format!("the operators are `{SIGNS} !`; `promote list RULES` lists the ops")
}

/// The operators between two operands.
const SIGNS: &str = "+ - * / % & | ^ << >> && || == != < <= > >=";

/// Returns the operator of an op, such as `+`.
pub fn sign(op: Op) -> Option<&'static str> {
    match op {
        Op::Negative => Some("-"),
        Op::BitwiseNot => Some("!"),
        _ => SIGNS
            .split(' ')
            .find(|sign| syn::parse_str(sign).ok().and_then(|sign| operator(&sign)) == Some(op)),
    }
}

/// Returns true if expressions can compute an op, under the rule sets that have it.
pub fn is_computed(op: Op) -> bool {
    KernelOp::of(op).is_some()
        || RuleSet::is_reduction(op)
        || RuleSet::is_scan(op)
        || op.takes_whole_arrays()
        || op == Op::Astype
}

/// Returns the name of a dtype: a word, a word with a path as in `torch.half`, or any name in quotes.
fn written(dtype: &Expr) -> Option<String> {
    match dtype {
        Expr::Path(path) => path.path.get_ident().map(|ident| ident.unraw().to_string()),
        Expr::Field(field) => match &field.member {
            syn::Member::Named(name) => Some(format!("{}.{}", written(&field.base)?, name.unraw())),
            syn::Member::Unnamed(_) => None,
        },
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(name), .. }) => Some(name.value()),
        _ => None,
    }
}

fn at(span: Span, message: &str) -> Failure {
    Failure::new(format!("in the expression at column {}: {message}", span.start().column + 1))
}

/// Returns the op of an operator between two operands.
fn operator(op: &BinOp) -> Option<Op> {
    promote_rules::expr::operator(op)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> String {
        let ops: Vec<Op> = Op::STANDARD.iter().copied().filter(|op| is_computed(*op)).collect();
        let expression = match parse(text, &ops) {
            Ok(expression) => expression,
            Err(failure) => return failure.message().to_owned(),
        };
        let step = |step: &Step| match step {
            Step::Name(index) => expression.names[*index].clone(),
            Step::Number(Number::Bool(x)) => x.to_string(),
            Step::Number(Number::Int(x)) => x.to_string(),
            Step::Number(Number::Float(x)) => format!("{x:?}"),
            Step::Number(Number::Complex(re, im)) => format!("{re}+{im}j"),
            Step::Op(op) | Step::Infix(op) => op.name().to_owned(),
            Step::Chosen(op, flags, reduction) => {
                format!("{op}[{} {} {reduction:?}]", flags.log_input, flags.full)
            }
            Step::Cast(dtype) => format!("as {dtype}"),
            Step::Reduce(op, Along { axes, keepdims, dtype: None, correction: None }) => {
                format!("{op}[{axes:?} {keepdims}]")
            }
            Step::Reduce(op, Along { dtype, correction, .. }) => format!("{op}[{dtype:?} {correction:?}]"),
            Step::Whole(op, count, axis) => format!("{op}[{count} {axis:?}]"),
        };
        expression.steps.iter().map(step).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn operators_bind_as_in_rust() {
        assert_eq!(steps("a * b + c"), "a b multiply c add");
        assert_eq!(steps("a + b * c"), "a b c multiply add");
        assert_eq!(steps("a - b - c"), "a b subtract c subtract");
        assert_eq!(steps("a - (b - c)"), "a b c subtract subtract");
        assert_eq!(steps("a + 1 < b * 2"), "a 1 add b 2 multiply less");
        assert_eq!(steps("maximum(a, minimum(a, 2)) >= 1"), "a a 2 minimum maximum 1 greater_equal");
        assert_eq!(steps("-a % 2 & !b"), "a negative 2 remainder b bitwise_not bitwise_and");
        assert_eq!(steps("-(1 + 2)"), "1 2 add negative");
        assert_eq!(
            steps("a < b && b << 2 | 1 != c"),
            "a b less b 2 left_shift 1 bitwise_or c not_equal logical_and"
        );
    }

    #[test]
    fn operators_of_python_are_told_in_ours() {
        let help = |text| {
            let failure = parse(text, Op::STANDARD).expect_err("no expression");
            failure.to_string()
        };
        for (text, expected) in [
            ("a @ b", "write `matmul(a, b)`"),
            ("a and b", "write `a && b`"),
            ("not a", "write `!a`"),
            ("a if b else c", "write `where(condition, a, b)`"),
            ("a < b < c", "write `a < b && b < c`"),
            ("a ** b", "write `pow(a, b)`"),
            ("a.T", "write an array with another shape"),
        ] {
            assert!(help(text).contains(expected), "{text}: {}", help(text));
        }
        // These are names as well.
        assert_eq!(steps("and + not"), "and not add");
    }

    #[test]
    fn parses_numbers_of_each_kind() {
        assert_eq!(steps("-3"), "-3");
        assert_eq!(steps("- -3"), "3");
        assert_eq!(steps("-2.5e3"), "-2500.0");
        assert_eq!(steps("2j + 1.5j - true"), "0+2j 0+1.5j add true subtract");
        assert_eq!(steps("1e2j"), "0+100j");
        assert_eq!(steps("0xff + 1_000"), "255 1000 add");
        assert_eq!(steps("18446744073709551615"), "18446744073709551615");
        assert_eq!(steps("-9223372036854775808"), "-9223372036854775808");
        assert!(steps("18446744073709551616").contains("more than 64 bits"));
        assert!(steps("-9223372036854775809").contains("more than 64 bits"));
        assert!(steps("99999999999999999999999999999999999999999999999").contains("more than 64 bits"));
        assert!(steps("1f32").contains("not a number"));
        assert!(steps("\"1\"").contains("not a number"));
    }

    #[test]
    fn keywords_may_be_names() {
        assert_eq!(steps("in + type"), "in type add");
        assert_eq!(steps("where(a < b, a, 2)"), "a b less a 2 where");
        assert!(steps("wear(a, b, c)").contains("there is no op `wear`"));
    }

    #[test]
    fn reductions_name_their_axes() {
        assert_eq!(steps("sum(a) + max(b, axis = -1)"), "a sum[None false] b max[Some([-1]) false] add");
        assert_eq!(
            steps("mean(a * 2, axis = (0, (1), -2), keepdims = true)"),
            "a 2 multiply mean[Some([0, 1, -2]) true]"
        );
        assert_eq!(steps("any(a, keepdims = false, axis = ())"), "a any[Some([]) false]");
        assert!(steps("sum()").contains("`sum` takes 1 operand, not 0"));
        assert!(steps("sum(axis = 0)").contains("`sum` takes 1 operand, not 0"));
        assert!(
            steps("sum(a, 0)").contains("column 8: `sum` takes 1 operand; its other arguments have names")
        );
        for axis in ["1.0", "b", "- -1", "(0, b)", "true", "99999999999999999999"] {
            assert!(steps(&format!("sum(a, axis = {axis})")).contains("this is not an axis"), "{axis}");
        }
        assert!(steps("sum(a, axis = 0, axis = 1)").contains("`axis` is given twice"));
        assert!(steps("sum(a, keepdims = 1)").contains("`keepdims` is either true or false"));
        assert!(steps("sum(a, dim = 1)").contains("`sum` has no argument `dim`"));
        assert_eq!(steps("cumsum(a, axis = 0)"), "a cumsum[Some([0]) false]");
        assert_eq!(steps("sum(a, dtype = f64)"), "a sum[Some(F64) None]");
        assert_eq!(steps("var(a, correction = -0.5)"), "a var[None Some(-0.5)]");
        assert!(steps("sum(a, dtype = f65)").contains("`f65` is not a dtype"));
        assert!(steps("sum(a, dtype = 64)").contains("column 16: this is not a dtype"));
        assert!(steps("var(a, correction = b)").contains("column 21: this is not a number"));
        assert!(steps("max(a, dtype = f32)").contains("`max` has no argument `dtype`"));
        assert!(steps("cumsum(a, keepdims = true)").contains("`cumsum` has no argument `keepdims`"));
    }

    #[test]
    fn ops_of_whole_arrays_take_an_axis() {
        assert_eq!(steps("matmul(a, b + 1)"), "a b 1 add matmul[2 None]");
        assert_eq!(steps("concatenate(a, b, c, axis = -1)"), "a b c concatenate[3 Some(-1)]");
        assert_eq!(steps("stack(a) + isin(b, c)"), "a stack[1 None] b c isin[2 None] add");
        assert!(steps("dot(a)").contains("`dot` takes 2 operands, not 1"));
        assert!(steps("matmul(a, b, c)").contains("`matmul` takes 2 operands, not 3"));
        assert!(steps("stack(axis = 0)").contains("`stack` takes at least 1 operand, not 0"));
        assert!(steps("stack(a, axis = 0, axis = 1)").contains("`axis` is given twice"));
        assert!(steps("stack(a, axis = 0, b)").contains("follows one with a name"));
        assert!(steps("concatenate(a, b, axis = (0, 1))").contains("along one axis"));
        assert!(steps("matmul(a, b, axis = 0)").contains("`matmul` has no argument `axis`"));
    }

    #[test]
    fn astype_names_its_dtype() {
        assert_eq!(steps("astype(a, f16) + astype(b + 1, bool)"), "a as f16 b 1 add as bool add");
        assert!(steps("astype(a)").contains("takes an operand and a dtype, not 1 arguments"));
        assert!(steps("astype(a, f16, f32)").contains("not 3 arguments"));
        assert!(steps("astype(a, f17)").contains("column 11: `f17` is not a dtype"));
        assert!(steps("astype(a, 16)").contains("column 11: this is not a dtype"));
        assert!(steps("astype(a, dtype = f16)").contains("column 11: this is not a dtype"));
    }

    #[test]
    fn each_step_knows_its_text() {
        let ops = [Op::Add, Op::Negative, Op::Lerp];
        let text = "lerp(-(ä + 2), in, weight = 3) + astype(- 1, f16)";
        let expression = parse(text, &ops).unwrap();
        let texts: Vec<String> = (0..expression.steps.len()).map(|step| expression.text(step)).collect();
        let whole = "lerp(-(ä + 2), in, weight = 3) + astype( ..";
        let call = "lerp(-(ä + 2), in, weight = 3)";
        assert_eq!(texts, ["ä", "2", "ä + 2", "-(ä + 2)", "in", "3", call, "- 1", "astype(- 1, f16)", whole]);
    }

    #[test]
    fn further_inputs_are_positional_or_named() {
        assert_eq!(steps("lerp(a, b, 0.25)"), "a b 0.25 lerp");
        assert_eq!(steps("lerp(a, b, weight = a * 2)"), "a b a 2 multiply lerp");
        assert_eq!(steps("huber_loss(a, b)"), "a b 1.0 huber_loss");
        assert_eq!(steps("huber_loss(a, b, delta = 0.5, reduction = none)"), "a b 0.5 huber_loss");
        assert_eq!(steps("huber_loss(a, b, reduction = mean)"), "a b 1.0 huber_loss[true false Some(Mean)]");
        assert_eq!(
            steps("poisson_nll_loss(a, b, log_input = false, full = true, eps = 1e-3)"),
            "a b 0.001 poisson_nll_loss[false true None]"
        );
        assert_eq!(steps("addcmul(a, b, c)"), "a b c 1.0 addcmul");
        assert_eq!(steps("addcmul(a, b, c, value = 3)"), "a b c 3 addcmul");
        assert_eq!(
            steps("add(a, b, alpha = -2) - subtract(a, b, alpha = 0.5)"),
            "a b -2 add_scaled a b 0.5 subtract_scaled subtract"
        );
        assert_eq!(steps("add(a, b)"), "a b add");
        assert_eq!(steps("mse_loss(a, b, reduction = sum)"), "a b mse_loss[true false Some(Sum)]");
    }

    #[test]
    fn unknown_arguments_list_the_known_ones() {
        let help = |text: &str| {
            let ops = [Op::HuberLoss, Op::Add, Op::Lerp, Op::Addcmul, Op::PoissonNllLoss];
            let failure = parse(text, &ops).unwrap_err();
            failure.to_string()
        };
        let told = help("huber_loss(a, b, beta = 1)");
        assert!(told.contains("column 18: `huber_loss` has no argument `beta`"), "{told}");
        assert!(told.contains("`delta`") && told.contains("`reduction`"), "{told}");
        assert!(help("add(a, b, delta = 1)").contains("`add` has no arguments with names"));
        assert!(help("lerp(a, b)").contains("`lerp` takes 3 operands, not 2"));
        assert!(help("huber_loss(a)").contains("`huber_loss` takes 2 to 3 operands, not 1"));
        assert!(help("huber_loss(a, b, 1, 2)").contains("takes 2 to 3 operands, not 4"));
        assert!(help("huber_loss(a, delta = 1)").contains("takes 2 to 3 operands, not 1"));
        assert!(help("addcmul(a, b, value = 2)").contains("takes 3 to 4 operands, not 2"));
        assert!(help("huber_loss(a, b, 1, delta = 1)").contains("`delta` is given twice"));
        assert!(help("huber_loss(a, b, delta = 1, delta = 1)").contains("`delta` is given twice"));
        assert!(help("huber_loss(a, delta = 1, b)").contains("follows one with a name"));
        assert!(help("huber_loss(a, b, reduction = max)").contains("`none`, `mean` or `sum`"));
        assert!(help("poisson_nll_loss(a, b, full = 1)").contains("`full` is either true or false"));
    }

    #[test]
    fn syntax_errors_have_a_position() {
        assert!(steps("a // b").contains("`//` at column 3 begins a comment"));
        assert!(steps("a ** b").contains("`**` is not an operator"));
        assert!(steps("a += b").contains("column 3: expressions cannot assign"));
        assert!(steps("a = b").contains("`=` is not an operator"));
        assert!(steps("add(a)").contains("`add` takes 2 operands, not 1"));
        assert!(steps("sqrt(a, b)").contains("`sqrt` takes 1 operand, not 2"));
        assert!(steps("where(a, b)").contains("`where` takes 3 operands, not 2"));
        assert!(
            steps("outer(a, a)").contains("`outer` cannot be computed: it has dtypes, and no kernels yet")
        );
        assert!(steps("a.b(c)").contains("arrays have no methods"));
        assert!(steps("a[0]").contains("elements cannot be selected"));
        assert!(steps("a::b").contains("not a name"));
        assert!(steps("a(b)(c)").contains("only an op can be called"));
        assert!(steps("a b").contains("column 3"));
        assert!(steps("a < b < c").contains("cannot be read"));
        assert!(steps("").contains("empty"));
        assert!(steps("image + ").contains("ends too early, at column 8"));
        assert!(steps("a * -").contains("ends too early, at column 6"));
        assert!(steps("(a +)").contains("cannot be read at column 5"));
        assert!(steps("(a").contains("cannot be read at column"));
        assert!(steps("'").contains("cannot be read at column"));
        assert!(steps(&("(".repeat(70) + "a" + &")".repeat(70))).contains("nest deeper than 64"));
        assert!(steps(&"a + ".repeat(30_000)).contains("more than 50000 tokens"));
    }

    #[test]
    fn rejects_ops_that_the_rule_set_lacks() {
        let message = parse("a - b", &[Op::Add]).unwrap_err().message().to_owned();
        assert_eq!(message, "in the expression at column 3: the rule set has no rules for the op `subtract`");
    }
}
