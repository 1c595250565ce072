//! Resolves conditions, and checks that both sides of a comparison have one type.

use proc_macro2::Span;
use syn::Ident;

use super::names::{Names, unknown};
use crate::diag::{Errors, did_you_mean};
use crate::model::{Guard, Int, Rules, Term, Value, Var};
use crate::syntax::{self, Comparison, GuardKind};

/// A condition as meant, or `None` after a mistake.
pub(super) fn guard(
    errors: &mut Errors,
    rules: &Rules,
    names: &Names,
    written: &syntax::Guard,
) -> Option<Guard> {
    let both = |errors: &mut Errors, a: &syntax::Guard, b: &syntax::Guard| {
        let (a, b) = (guard(errors, rules, names, a), guard(errors, rules, names, b));
        Some((Box::new(a?), Box::new(b?)))
    };
    match &written.kind {
        GuardKind::Not(inner) => Some(Guard::Not(Box::new(guard(errors, rules, names, inner)?))),
        GuardKind::And(a, b) => both(errors, a, b).map(|(a, b)| Guard::And(a, b)),
        GuardKind::Or(a, b) => both(errors, a, b).map(|(a, b)| Guard::Or(a, b)),
        GuardKind::Compare(operator, a, b) => compare(errors, rules, names, *operator, a, b),
        GuardKind::In(a, set) => match value(errors, rules, names, a)? {
            Typed::DType(term) => Some(Guard::In(term, names.set(errors, rules, set))),
            other => wrong(errors, rules, names, a.span, &other, "a dtype"),
        },
        _ => match value(errors, rules, names, written)? {
            Typed::Bool(guard) => Some(guard),
            other => wrong(errors, rules, names, written.span, &other, "a condition"),
        },
    }
}

/// A term with its type.
enum Typed {
    Bool(Guard),
    Int(Int),
    DType(Term),
    /// A parameter, whose values may be dtypes as well.
    Param(usize),
    /// A word that is nothing but a parameter's value.
    Word(Ident),
}

fn wrong<T>(
    errors: &mut Errors,
    rules: &Rules,
    names: &Names,
    span: Span,
    found: &Typed,
    wanted: &str,
) -> Option<T> {
    let found = match found {
        Typed::Bool(_) => "a condition",
        Typed::Int(_) => "a number",
        Typed::DType(_) => "a dtype",
        Typed::Param(_) => "a parameter",
        Typed::Word(word) => return unknown_word(errors, rules, names, word),
    };
    let help = match wanted {
        "a condition" => "compare two dtypes or numbers, `a == f32` or `bits(a) < 32`, or ask `a in float`",
        "a dtype" => "name a dtype, `a`, `b` or `common`, or write `promote(a, b)`",
        "a number" => "write a number, `kind(a)` or `bits(a)`",
        _ => "write a comparison such as `bits(a) < 32`, `a == f32` or `mode == safe`",
    };
    errors.push(span, format!("expected {wanted}, found {found}")).help(help);
    None
}

fn unknown_word<T>(errors: &mut Errors, rules: &Rules, names: &Names, word: &Ident) -> Option<T> {
    let text = word.to_string();
    if names.lookup(rules, &text).is_some() {
        errors
            .push(word.span(), format!("`{text}` is a set of dtypes, and cannot be compared"))
            .help(format!("ask whether a dtype is among them: `a in {text}`"));
        return None;
    }
    let params = rules.params.iter().map(|param| param.name.as_str());
    let known = FUNCTIONS.into_iter().chain(Var::ALL.map(Var::name)).chain(names.known(rules)).chain(params);
    unknown(errors, rules, word, "name in a condition", known);
    None
}

/// The functions of conditions.
const FUNCTIONS: [&str; 4] = ["kind", "bits", "holds", "promote"];

fn value(errors: &mut Errors, rules: &Rules, names: &Names, written: &syntax::Guard) -> Option<Typed> {
    match &written.kind {
        GuardKind::Number(n) => Some(Typed::Int(Int::Number(*n))),
        GuardKind::Times(a, b) => {
            let (a, b) = (int(errors, rules, names, a), int(errors, rules, names, b));
            Some(Typed::Int(Int::Times(Box::new(a?), Box::new(b?))))
        }
        GuardKind::Name(name) => Some(named(rules, name)),
        GuardKind::Call(function, arguments) => call(errors, rules, names, function, arguments),
        _ => {
            errors
                .push(written.span, "a condition cannot be compared")
                .help("join conditions by `&&` and `||`");
            None
        }
    }
}

fn named(rules: &Rules, name: &Ident) -> Typed {
    let text = name.to_string();
    if let Some(var) = Var::from_name(&text) {
        return Typed::DType(Term::Var(var));
    }
    if let Some(param) = rules.params.iter().position(|p| p.name == text) {
        return match rules.params[param].values[0] {
            Value::Bool(_) => Typed::Bool(Guard::Param(param)),
            _ => Typed::Param(param),
        };
    }
    match rules.dtype(&text) {
        Some(id) => Typed::DType(Term::Const(id)),
        None => Typed::Word(name.clone()),
    }
}

fn call(
    errors: &mut Errors,
    rules: &Rules,
    names: &Names,
    function: &Ident,
    arguments: &[syntax::Guard],
) -> Option<Typed> {
    let name = function.to_string();
    let wanted = match name.as_str() {
        "kind" | "bits" => 1,
        "holds" | "promote" => 2,
        _ => {
            errors.push(function.span(), format!("unknown function `{name}`")).help(
                did_you_mean(&name, FUNCTIONS).unwrap_or_else(|| {
                    "a condition can ask `kind(a)`, `bits(a)`, `holds(a, b)` and `promote(a, b)`".to_owned()
                }),
            );
            return None;
        }
    };
    if arguments.len() != wanted {
        let (what, form) = if wanted == 1 { ("one dtype", "(a)") } else { ("two dtypes", "(a, b)") };
        errors
            .push(function.span(), format!("`{name}` takes {what}, not {}", arguments.len()))
            .help(format!("write `{name}{form}`"));
        return None;
    }
    let mut terms = arguments.iter().map(|argument| match value(errors, rules, names, argument)? {
        Typed::DType(term) => Some(term),
        Typed::Param(param) => Some(Term::Param(param)),
        other => wrong(errors, rules, names, argument.span, &other, "a dtype"),
    });
    let first = terms.next()??;
    Some(match name.as_str() {
        "kind" => Typed::Int(Int::Kind(first)),
        "bits" => Typed::Int(Int::Bits(first)),
        "holds" => Typed::Bool(Guard::Holds(first, terms.next()??)),
        _ => Typed::DType(Term::Promote(Box::new(first), Box::new(terms.next()??))),
    })
}

fn int(errors: &mut Errors, rules: &Rules, names: &Names, written: &syntax::Guard) -> Option<Int> {
    match value(errors, rules, names, written)? {
        Typed::Int(int) => Some(int),
        other => wrong(errors, rules, names, written.span, &other, "a number"),
    }
}

fn compare(
    errors: &mut Errors,
    rules: &Rules,
    names: &Names,
    operator: Comparison,
    left: &syntax::Guard,
    right: &syntax::Guard,
) -> Option<Guard> {
    let not = |guard| Guard::Not(Box::new(guard));
    let (a, b) = (value(errors, rules, names, left), value(errors, rules, names, right));
    let equal = match (a?, b?) {
        (Typed::Int(a), Typed::Int(b)) => {
            return Some(match operator {
                Comparison::Equal => Guard::SameInt(a, b),
                Comparison::NotEqual => not(Guard::SameInt(a, b)),
                Comparison::Less => Guard::Less(a, b),
                Comparison::LessEqual => not(Guard::Less(b, a)),
                Comparison::Greater => Guard::Less(b, a),
                Comparison::GreaterEqual => not(Guard::Less(a, b)),
            });
        }
        (Typed::DType(a), Typed::DType(b)) => Guard::SameDType(a, b),
        (Typed::Param(p), Typed::DType(b)) | (Typed::DType(b), Typed::Param(p)) => {
            Guard::SameDType(Term::Param(p), b)
        }
        (Typed::Param(p), Typed::Word(word)) | (Typed::Word(word), Typed::Param(p)) => {
            let param = &rules.params[p];
            let text = word.to_string();
            if let Some(at) = param.values.iter().position(|v| *v == Value::Word(text.clone())) {
                Guard::ParamIs(p, at)
            } else {
                let values: Vec<String> = param.values.iter().map(|value| rules.value_text(value)).collect();
                errors
                    .push(word.span(), format!("`{text}` is not a value of the parameter `{}`", param.name))
                    .help(format!("the values are {}", values.join(", ")));
                return None;
            }
        }
        (Typed::Word(word), _) | (_, Typed::Word(word)) => return unknown_word(errors, rules, names, &word),
        (found, _) => {
            return wrong(
                errors,
                rules,
                names,
                right.span,
                &found,
                "two numbers, two dtypes, or a parameter and its value",
            );
        }
    };
    match operator {
        Comparison::Equal => Some(equal),
        Comparison::NotEqual => Some(not(equal)),
        _ => {
            errors
                .push(left.span, "dtypes and parameters have no order")
                .help("compare by `==` and `!=`, or compare `kind(a)` and `bits(a)`");
            None
        }
    }
}
