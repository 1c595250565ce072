//! Resolves `names`: the names that the system has for dtypes and ops.

use std::collections::BTreeMap;

use proc_macro2::Span;

use super::Layer;
use super::names::{Names, unknown};
use crate::diag::Errors;
use crate::model::Rules;
use crate::syntax::{Item, NamesItem, NamesLine};

/// What a line names, by its position in the rule set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    DType(usize),
    Op(usize),
}

impl Named {
    fn own_name(self, rules: &Rules) -> &str {
        match self {
            Named::DType(at) => &rules.dtypes[at].name,
            Named::Op(at) => &rules.ops[at].name,
        }
    }

    fn names(self, rules: &Rules) -> &[String] {
        match self {
            Named::DType(at) => &rules.dtypes[at].names,
            Named::Op(at) => &rules.ops[at].names,
        }
    }

    fn is_op(self) -> bool {
        matches!(self, Named::Op(_))
    }
}

/// Adds the names of all files, the nearest first: the line of a nearer file replaces that of a farther one.
/// `rules` has all dtypes and ops.
pub(super) fn system_names<'a>(
    errors: &mut Errors,
    layers: impl Iterator<Item = (&'a Layer<'a>, &'a Names)>,
    rules: &mut Rules,
) {
    // What each name stands for, with its file and its position. An op and a dtype may have one name.
    let mut known: BTreeMap<(bool, String), (Named, usize, Span)> = BTreeMap::new();
    for (layer, names) in layers {
        let mut blocks = layer.file.items.iter().filter_map(|item| match item {
            Item::Names(block) => Some(block),
            _ => None,
        });
        let Some(NamesItem { lines, .. }) = blocks.next() else { continue };
        for again in blocks {
            errors.push(again.span, "a second `names` block").help("move the lines into one block");
        }
        let mut said: Vec<Named> = Vec::new();
        for line in lines {
            let Some(named) = named(errors, line, rules, names) else { continue };
            if said.contains(&named) {
                errors
                    .push(line.name.span(), format!("`{}` is named twice", line.name))
                    .help("write all of its names in one line");
                continue;
            }
            said.push(named);
            if !named.names(rules).is_empty() {
                continue;
            }
            let mut own = Vec::new();
            for (name, span, is_written) in line.spelled() {
                if !check(errors, &name, span) {
                    continue;
                }
                match known.get(&(named.is_op(), name.clone())) {
                    Some((other, ..)) if *other == named && !is_written => {}
                    // The mistake is that of the nearer file.
                    Some((other, layer, before)) => {
                        let here = *layer == names.layer;
                        twice(errors, rules, if here { span } else { *before }, &name, [*other, named], here);
                    }
                    None => {
                        known.insert((named.is_op(), name.clone()), (named, names.layer, span));
                        own.push(name);
                    }
                }
            }
            match named {
                Named::DType(at) => rules.dtypes[at].names = own,
                Named::Op(at) => rules.ops[at].names = own,
            }
        }
    }
    for ((is_op, name), (named, layer, span)) in &known {
        let own = if *is_op {
            rules.op(name).map(Named::Op)
        } else {
            rules.dtype(name).map(|id| Named::DType(id.index()))
        };
        let Some(own) = own.filter(|own| own != named) else { continue };
        // A dtype with names is shown by the first of them, and its own name may stand for another dtype.
        let is_named = !is_op && !own.names(rules).is_empty();
        if *layer > 0 {
            // An extension need not know the names of its base.
            if let (Named::DType(at), false) = (own, is_named) {
                rules.dtypes[at].names = vec![format!("promote.{name}")];
            }
            continue;
        }
        if is_named {
            continue;
        }
        let other = named.own_name(rules);
        if *is_op {
            errors.push(*span, format!("`{name}` is an op, and no name of `{other}`")).help("leave it out");
        } else {
            errors
                .push(
                    *span,
                    format!("`{name}` is a name of `{other}`, and the dtype `{name}` has no other name"),
                )
                .help(format!("write a line with the names of `{name}`, too"));
        }
    }
}

/// Returns what a line names, and reports an unknown name.
fn named(errors: &mut Errors, line: &NamesLine, rules: &Rules, names: &Names) -> Option<Named> {
    let text = line.name.to_string();
    if let Some(id) = rules.dtype(&text) {
        return Some(Named::DType(id.index()));
    }
    if let Some(at) = rules.op(&text) {
        return Some(Named::Op(at));
    }
    if names.lookup(rules, &text).is_some() || names.ops_of(&text).len() > 1 {
        errors
            .push(line.name.span(), format!("`{text}` is a group"))
            .help("write a line for each of its members");
    } else if names.ops_of(&text).is_empty() {
        let known = rules.dtypes.iter().map(|dtype| &dtype.name).chain(rules.ops.iter().map(|op| &op.name));
        unknown(errors, rules, &line.name, "dtype or op", known.map(String::as_str));
    } else {
        errors
            .push(line.name.span(), format!("the rule set has no op `{text}`"))
            .help(format!("declare it: `op {text};`"));
    }
    None
}

/// Reports a name that two lines have, or one line twice.
fn twice(errors: &mut Errors, rules: &Rules, span: Span, name: &str, named: [Named; 2], here: bool) {
    let [a, b] = named.map(|named| named.own_name(rules));
    if named[0] == named[1] {
        errors.twice(span, name);
        return;
    }
    errors.push(span, format!("`{name}` is a name of both `{a}` and `{b}`")).help(if here {
        "leave it out of one of the two lines".to_owned()
    } else {
        format!("write a line of `{b}` without it, which replaces that of the base")
    });
}

/// Checks that a name can be written on a command line, where `[]` and `*` mark operands and commas separate
/// them.
fn check(errors: &mut Errors, name: &str, span: Span) -> bool {
    let is_sign = |c: char| c == ' ' || c.is_ascii_graphic() && !"*[],\"`\\".contains(c);
    let (message, help) = if name.is_empty() {
        ("a name is empty".to_owned(), "leave it out, or write the name in the quotes")
    } else if name.trim() != name || !name.chars().all(is_sign) {
        let help = "write letters, digits and signs of ASCII: no `*`, `[`, `]`, `,`, quote or backslash, and no \
                    space at an end";
        (format!("`{}` cannot be a name", name.escape_default()), help)
    } else if name.starts_with(|c: char| c.is_ascii_digit() || "+-.(".contains(c)) {
        (format!("`{name}` begins as a number does"), "begin the name with a letter")
    } else if name.parse::<bool>().is_ok() || name.parse::<f64>().is_ok() {
        (format!("`{name}` is a number on a command line"), "leave it out, or write another name")
    } else {
        return true;
    };
    errors.push(span, message).help(help);
    false
}
