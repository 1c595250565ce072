//! Resolves ops: their clauses, outputs and options.

use std::collections::BTreeMap;

use proc_macro2::Span;
use syn::Ident;

use super::clauses::{self, Property};
use super::names::{AnyOp, CustomOp, KnownOp, Names};
use crate::bundled::did_you_mean_op;
use crate::diag::Errors;
use crate::model::{Category, Clause, Op, OpInfo, Rules, StandardOp};
use crate::syntax::{self, Item};

/// Declares the custom ops.
pub(super) fn own(errors: &mut Errors, file: &syntax::File, names: &mut Names) {
    for item in &file.items {
        let Item::Op(item) = item else { continue };
        // The parser lets one name stand before a path.
        if let (Some(path), [name]) = (&item.path, &item.names[..]) {
            names.own_op(errors, name, CustomOp::Type(path.clone()));
        }
        if let Some(arity) = item.arity {
            for name in &item.names {
                names.own_op(errors, name, CustomOp::Arity(arity));
            }
        }
    }
}

pub(super) fn ops(errors: &mut Errors, file: &syntax::File, rules: &mut Rules, names: &Names) {
    // The statements of nearer files about each op: its options, and true if they include its output.
    let mut said: BTreeMap<usize, (Vec<Option<usize>>, bool)> = BTreeMap::new();
    for (position, item) in file.items.iter().enumerate() {
        let Item::Op(item) = item else { continue };
        let mut written: Vec<String> = item.names.iter().map(ToString::to_string).collect();
        // A message names the first of many ops.
        if written.len() > SHOWN {
            written.splice(SHOWN.., ["..".to_owned()]);
        }
        let output = item.output.as_ref().and_then(|output| clauses::output(errors, rules, names, output));
        let mut chosen: Vec<(Ident, Ident)> = Vec::new();
        let mut as_array: Vec<(Category, Span)> = Vec::new();
        let mut choose = |errors: &mut Errors, property: &Property<'_>| match property {
            Property::Option(key, value) => chosen.push(((*key).clone(), (*value).clone())),
            Property::AsArray(category) => as_array.extend(array_like(errors, category, &as_array)),
        };
        let label = format!("op {}", written.join(" "));
        // Clauses that several ops share are the same clauses.
        let block = clauses::block(errors, rules, names, &label, &item.items, &mut choose);
        let mut named: Vec<String> = Vec::new();
        let known: Vec<_> = item.names.iter().flat_map(|ident| known(errors, names, ident)).collect();
        for (ident, known) in known {
            if named.contains(&known.name) {
                errors
                    .push(ident.span(), format!("`{}` is named twice", known.name))
                    .help("remove one of the two");
                continue;
            }
            named.push(known.name.clone());
            let at = op(rules, known, ident.span(), (names.layer, position));
            let op = &mut rules.ops[at];
            let known = said.entry(at).or_insert_with(|| (op.chosen.clone(), op.output.is_some()));
            for (key, value) in &chosen {
                semantics(errors, op, (names.layer, &known.0), key, value);
            }
            let new = as_array.iter().filter(|(category, _)| op.counts_as(*category) == *category);
            let new: Vec<_> = new.copied().collect();
            op.as_array.extend(new);
            let ordered = item.ordered;
            op.block.extend(block.iter().cloned().map(|clause| Clause { ordered, ..clause }));
            // The output that a nearer file states holds.
            if let Some(output) = output.as_ref().filter(|_| !known.1)
                && op.output.replace(output.clone()).is_some()
            {
                errors.push(ident.span(), format!("`{ident}` has a second `->`")).help("keep one of the two");
            }
        }
    }
    if rules.clauses.len() > MAX_CLAUSES {
        errors
            .push(rules.name.span(), format!("a rule set has at most {MAX_CLAUSES} clauses"))
            .help("remove clauses, or split the file into two rule sets");
    }
}

/// Returns the category of `category as array`, unless it is none that can count as an array.
fn array_like(errors: &mut Errors, name: &Ident, known: &[(Category, Span)]) -> Option<(Category, Span)> {
    let category = Category::from_name(&name.to_string());
    match category {
        Some(Category::ZeroDim | Category::Weak)
            if known.iter().any(|(known, _)| Some(*known) == category) =>
        {
            errors.twice(name.span(), &name.to_string());
            None
        }
        Some(category @ (Category::ZeroDim | Category::Weak)) => Some((category, name.span())),
        Some(Category::Number) => {
            errors
                .push(name.span(), "a number cannot count as an array: it has no dtype")
                .help("write clauses for numbers, such as `any, number => promote(a, b);`");
            None
        }
        Some(Category::Array) => {
            errors.push(name.span(), "an array counts as an array already").help("remove the line");
            None
        }
        None => {
            errors
                .push(name.span(), format!("unknown category `{name}`"))
                .help("write `zero_dim as array;` or `weak as array;`");
            None
        }
    }
}

/// The number of ops that the label of a declaration names.
const SHOWN: usize = 3;

/// The limit of clauses: tables refer to them by 16 bits.
const MAX_CLAUSES: usize = 10_000;

/// Returns the op with a name, or the ops of a group; reports an unknown name.
fn known<'a>(errors: &mut Errors, names: &Names, ident: &'a Ident) -> Vec<(&'a Ident, KnownOp)> {
    let name = ident.to_string();
    let ops = names.ops_of(&name);
    if ops.is_empty() {
        let known = StandardOp::STANDARD.iter().map(|op| op.name()).chain(names.op_names());
        let own = format!(
            "`op {name} (2);` declares an op of two operands without kernels, and `op {name} = path::to::Type;` one \
             with a kernel"
        );
        let help = match did_you_mean_op(&name, known) {
            Some(near) => format!("{near} {own}"),
            None => format!(
                "the reference of the rule language lists the ops; {own}, `let {name} = add | multiply;` a group of ops"
            ),
        };
        errors.push(ident.span(), format!("unknown op `{name}`")).help(help);
    }
    ops.into_iter().map(|op| (ident, op)).collect()
}

/// Returns the position of an op, which is added at its first mention.
fn op(rules: &mut Rules, KnownOp { name, op }: KnownOp, span: Span, item: (usize, usize)) -> usize {
    if let Some(at) = rules.ops.iter().position(|op| op.name == name) {
        return at;
    }
    let (standard, path, declared) = match op {
        AnyOp::Standard(op) => (Some(op), None, None),
        AnyOp::Custom(CustomOp::Type(path)) => (None, Some(path), None),
        AnyOp::Custom(CustomOp::Arity(arity)) => (None, None, Some(arity)),
    };
    let info = match (standard, declared) {
        (Some(standard), _) => standard.info(),
        (None, Some(arity)) => OpInfo::without_kernels(arity),
        (None, None) => OpInfo::CUSTOM,
    };
    let chosen = vec![None; info.options().count()];
    let (block, as_array, set_here) = (Vec::new(), Vec::new(), Vec::new());
    rules.ops.push(Op {
        name,
        names: Vec::new(),
        path,
        standard,
        declared,
        info,
        output: None,
        block,
        as_array,
        chosen,
        set_here,
        span,
        item,
    });
    rules.ops.len() - 1
}

/// Sets an option of an op. `said` is what nearer files have set.
fn semantics(
    errors: &mut Errors,
    op: &mut Op,
    (layer, said): (usize, &[Option<usize>]),
    key: &Ident,
    value: &Ident,
) {
    let info = op.info;
    let Some((at, option)) = info.options().enumerate().find(|(_, option)| key == option.name) else {
        let known: Vec<&str> = info.options().map(|option| option.name).collect();
        let help = if op.path.is_some() {
            format!("remove the option: the function of `{}` says what it does", op.name)
        } else if known.is_empty() {
            format!("remove the option: `{}` has no options", op.name)
        } else {
            format!("the options of `{}` are {}", op.name, known.join(", "))
        };
        errors.push(key.span(), format!("`{}` has no option `{key}`", op.name)).help(help);
        return;
    };
    match option.values.iter().position(|known| value == known.0) {
        // The options that a nearer file states hold.
        Some(_) if said[at].is_some() => {}
        Some(_) if op.chosen[at].is_some() => errors
            .push(key.span(), format!("the option `{key}` of `{}` is set twice", op.name))
            .help("keep one of the two"),
        Some(chosen) => {
            op.chosen[at] = Some(chosen);
            if layer == 0 {
                op.set_here.push((option.name, key.span()));
            }
        }
        None => {
            errors.push(value.span(), format!("`{value}` is not a value of the option `{key}`")).help(
                format!(
                    "the values are {}",
                    option.values.iter().map(|value| value.0).collect::<Vec<_>>().join(", ")
                ),
            );
        }
    }
}
