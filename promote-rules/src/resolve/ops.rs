//! Ops: their clauses, outputs and words.

use std::collections::BTreeMap;

use proc_macro2::Span;
use syn::Ident;

use super::clauses;
use super::names::Names;
use crate::diag::{Errors, did_you_mean};
use crate::model::{Clause, OP_CATALOG, Op, OpInfo, Rules, op_info};
use crate::syntax::{self, Item};

pub(super) fn ops(errors: &mut Errors, file: &syntax::File, rules: &mut Rules, names: &Names) {
    // What nearer files said of each op: its words, and whether its output.
    let mut said: BTreeMap<usize, (Vec<Option<usize>>, bool)> = BTreeMap::new();
    for item in &file.items {
        let Item::Op(item) = item else { continue };
        let mut written: Vec<String> = item.names.iter().map(ToString::to_string).collect();
        // Of many ops the first stand for all.
        if written.len() > SHOWN {
            written.splice(SHOWN.., ["..".to_owned()]);
        }
        let output = item.output.as_ref().and_then(|output| clauses::output(errors, rules, names, output));
        let mut chosen: Vec<(Ident, Ident)> = Vec::new();
        let mut choose = |_: &mut Errors, key: &Ident, word: &Ident| chosen.push((key.clone(), word.clone()));
        let label = format!("op {}", written.join(" "));
        // Clauses that several ops share are the same clauses.
        let block = clauses::block(errors, rules, names, &label, &item.items, &mut choose);
        let mut named: Vec<&str> = Vec::new();
        let infos: Vec<_> = item.names.iter().flat_map(|ident| infos(errors, names, ident)).collect();
        for (ident, info) in infos {
            if named.contains(&info.name) {
                errors.push(ident.span(), format!("`{}` is named twice", info.name)).help("once is enough");
                continue;
            }
            named.push(info.name);
            let at = op(rules, info, ident.span());
            let op = &mut rules.ops[at];
            let known = said.entry(at).or_insert_with(|| (op.words.clone(), op.output.is_some()));
            for (key, word) in &chosen {
                semantics(errors, op, &known.0, key, word);
            }
            let ordered = item.ordered;
            op.block.extend(block.iter().cloned().map(|clause| Clause { ordered, ..clause }));
            // What a nearer file says of the output holds.
            if let Some(output) = output.as_ref().filter(|_| !known.1)
                && op.output.replace(output.clone()).is_some()
            {
                errors
                    .push(ident.span(), format!("a second `->` for `{ident}`"))
                    .help("what comes out of an op stands once");
            }
        }
    }
    if rules.clauses.len() > MAX_CLAUSES {
        errors.push(rules.name.span(), format!("a rule set has at most {MAX_CLAUSES} clauses"));
    }
}

/// How many ops of an item are named where its clauses are shown.
const SHOWN: usize = 3;

/// Clauses are known by 16 bits in the tables.
const MAX_CLAUSES: usize = 10_000;

/// The ops that a name stands for: one, or those of a group.
fn infos<'a>(errors: &mut Errors, names: &Names, ident: &'a Ident) -> Vec<(&'a Ident, &'static OpInfo)> {
    let name = ident.to_string();
    let infos = match (names.op_names(&name), op_info(&name)) {
        (Some(ops), _) => ops.to_vec(),
        (None, Some(info)) => vec![info],
        (None, None) => {
            let known = OP_CATALOG.iter().map(|op| op.name).chain(names.op_groups());
            let help = did_you_mean(&name, known).unwrap_or_else(|| {
                "the reference of the rule language lists the ops; `let name = add | multiply;` makes a group of some".to_owned()
            });
            errors.push(ident.span(), format!("unknown op `{name}`")).help(help);
            Vec::new()
        }
    };
    infos.into_iter().map(|info| (ident, info)).collect()
}

/// The place of an op, made at its first mention.
fn op(rules: &mut Rules, info: &'static OpInfo, span: Span) -> usize {
    if let Some(at) = rules.ops.iter().position(|op| op.info.name == info.name) {
        return at;
    }
    let words = vec![None; info.choices().count()];
    rules.ops.push(Op { info, output: None, block: Vec::new(), words, span });
    rules.ops.len() - 1
}

fn semantics(errors: &mut Errors, op: &mut Op, said: &[Option<usize>], key: &Ident, word: &Ident) {
    let info = op.info;
    let Some((at, choice)) = info.choices().enumerate().find(|(_, choice)| key == choice.key) else {
        let known: Vec<&str> = info.choices().map(|choice| choice.key).collect();
        let help = if known.is_empty() {
            format!("every system agrees what `{}` does: remove this", info.name)
        } else {
            format!("the choices of `{}` are {}", info.name, known.join(", "))
        };
        errors.push(key.span(), format!("`{}` has no choice `{key}`", info.name)).help(help);
        return;
    };
    match choice.words.iter().position(|known| word == known) {
        // What a nearer file says holds.
        Some(_) if said[at].is_some() => {}
        Some(_) if op.words[at].is_some() => errors
            .push(key.span(), format!("`{key}` of `{}` is chosen twice", info.name))
            .help("keep one of the two"),
        Some(chosen) => op.words[at] = Some(chosen),
        None => errors
            .push(word.span(), format!("`{word}` is no word for `{key}`"))
            .help(format!("the words are {}", choice.words.join(", "))),
    }
}
