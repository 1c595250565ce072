//! The names that stand for sets of dtypes, and for ops.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use syn::Ident;

use super::{is_reserved, near};
use crate::diag::{Errors, did_you_mean};
use crate::model::{DTypeSet, Format, Rules, StandardOp};
use crate::resolve::dtypes::is_standard;
use crate::syntax::{File, Item, ReasonItem, Set};

/// Groups and `let`s, and which names are taken.
///
/// Each file has its own: it knows the names of the files that it builds on, and may give them another
/// meaning for itself.
#[derive(Clone, Default)]
pub(super) struct Names {
    /// The file whose clauses are being read: a position in [`Rules::files`].
    pub(super) layer: usize,
    /// The dtypes of that file and of those that it builds on: among them its `join` chooses.
    pub(super) scope: DTypeSet,
    groups: BTreeMap<String, DTypeSet>,
    op_groups: BTreeMap<String, Vec<KnownOp>>,
    /// The custom ops of that file and of those that it builds on.
    own_ops: BTreeMap<String, CustomOp>,
    /// The ops without kernels that every file knows, with their arity.
    prelude_ops: BTreeMap<String, usize>,
    /// The texts of the reasons, of that file and of those that it builds on.
    reasons: BTreeMap<String, String>,
    /// The reasons that a clause of that file gives.
    given_reasons: RefCell<BTreeSet<String>>,
    /// The names that this file itself declares.
    own: BTreeSet<String>,
}

/// An op with a name.
#[derive(Clone)]
pub(super) struct KnownOp {
    pub(super) name: String,
    pub(super) op: AnyOp,
}

/// A standard or a custom op.
#[derive(Clone)]
pub(super) enum AnyOp {
    Standard(StandardOp),
    Custom(CustomOp),
}

/// A custom op.
#[derive(Clone)]
pub(super) enum CustomOp {
    /// The type of an op that has kernels.
    Type(syn::Path),
    /// The number of operands of an op that has none.
    Arity(usize),
}

/// Returns true if a name is one of a standard op.
fn is_op(name: &str) -> bool {
    name.parse::<StandardOp>().is_ok()
}

fn reasons_of(file: &File) -> impl Iterator<Item = &ReasonItem> {
    file.items.iter().filter_map(|item| match item {
        Item::Reason(item) => Some(item),
        _ => None,
    })
}

/// Groups of ops that all systems share, and ops without kernels.
const PRELUDE: &str = include_str!("../prelude.rules");

/// Returns the ops without kernels that every file knows, with the number of their operands.
pub fn ops_without_kernels() -> impl Iterator<Item = (&'static str, usize)> {
    let declared = PRELUDE.lines().filter_map(|line| {
        let (ops, arity) = line.strip_prefix("op ")?.strip_suffix(");")?.split_once(" (")?;
        Some((ops, arity.parse().ok()?))
    });
    declared.flat_map(|(ops, arity)| ops.split(' ').map(move |op| (op, arity)))
}

impl Names {
    /// Returns the names of the prelude.
    pub(super) fn with_prelude() -> Names {
        let mut names = Names::default();
        // The list of names is read as `let`s: a parser for each expansion would cost more than the
        // list.
        for declaration in PRELUDE.lines().map(|line| line.trim_end_matches(';')) {
            if let Some((name, ops)) = declaration.strip_prefix("let ").and_then(|set| set.split_once(" = "))
            {
                let ops = ops.split(" | ").flat_map(|op| names.ops_of(op)).collect();
                names.op_groups.insert(name.to_owned(), ops);
            }
        }
        names.prelude_ops.extend(ops_without_kernels().map(|(op, arity)| (op.to_owned(), arity)));
        names
    }

    /// Returns the ops of a group, or the one with the name; none if there is no such op.
    pub(super) fn ops_of(&self, name: &str) -> Vec<KnownOp> {
        if let Some(ops) = self.op_groups.get(name) {
            return ops.clone();
        }
        let known = match self.own_ops.get(name) {
            Some(custom) => Some(AnyOp::Custom(custom.clone())),
            None => match self.prelude_ops.get(name) {
                Some(arity) => Some(AnyOp::Custom(CustomOp::Arity(*arity))),
                None => name.parse().ok().map(AnyOp::Standard),
            },
        };
        known.into_iter().map(|op| KnownOp { name: name.to_owned(), op }).collect()
    }

    /// Returns the names of groups of ops, of custom ops, and of those without kernels.
    pub(super) fn op_names(&self) -> impl Iterator<Item = &str> {
        self.op_groups.keys().chain(self.own_ops.keys()).chain(self.prelude_ops.keys()).map(String::as_str)
    }

    /// Declares a custom op.
    pub(super) fn own_op(&mut self, errors: &mut Errors, name: &Ident, op: CustomOp) {
        let text = name.to_string();
        let arity = match (&op, self.own_ops.get(&text)) {
            (CustomOp::Arity(_), Some(CustomOp::Arity(known))) => Some(*known),
            (CustomOp::Arity(_), None) => self.prelude_ops.get(&text).copied(),
            _ => None,
        };
        if is_op(&text) {
            errors
                .push(name.span(), format!("`{text}` is a standard op"))
                .help(format!("write `op {text} ..` for its dtypes, or give the custom op another name"));
        } else if let (CustomOp::Arity(arity), Some(known)) = (&op, arity) {
            // The op may be declared again.
            if *arity != known {
                errors
                    .push(name.span(), format!("`{text}` takes {known} operands elsewhere, and {arity} here"))
                    .help(format!("write `op {text} ({known})`, or give the op another name"));
            }
        } else if self.own_ops.contains_key(&text) {
            errors
                .push(name.span(), format!("`{text}` is declared twice"))
                .help("write `= path` once; further declarations of the op add clauses");
        } else {
            if is_reserved(&text) || self.op_groups.contains_key(&text) || !self.own.insert(text.clone()) {
                errors
                    .push(name.span(), format!("the name `{text}` is already taken"))
                    .help("give the op another name");
            }
            self.own_ops.insert(text, op);
        }
    }

    /// Returns true if a set is one of ops: each name is an op's, and at least one is not a dtype's as well,
    /// as `any` is.
    pub(super) fn are_ops(&self, rules: &Rules, set: &Set) -> bool {
        let mut names = set.names.iter().map(ToString::to_string);
        names.clone().all(|name| !self.ops_of(&name).is_empty())
            && !names.all(|name| self.lookup(rules, &name).is_some())
    }

    /// Declares a group of ops; one of the prelude may be declared anew.
    pub(super) fn op_group(&mut self, errors: &mut Errors, name: &Ident, set: &Set) {
        let text = name.to_string();
        if is_reserved(&text) || is_op(&text) || self.own_ops.contains_key(&text) {
            errors
                .push(name.span(), format!("the name `{text}` is already taken"))
                .help("give the group another name");
        } else if !self.own.insert(text.clone()) {
            errors
                .push(name.span(), format!("`{text}` is declared twice"))
                .help("give the group another name");
        } else {
            let mut ops: Vec<KnownOp> = Vec::new();
            for op in set.names.iter().flat_map(|name| self.ops_of(&name.to_string())) {
                if ops.iter().all(|known| known.name != op.name) {
                    ops.push(op);
                }
            }
            self.groups.remove(&text);
            self.op_groups.insert(text, ops);
        }
    }

    /// Returns the names that an extension of this file begins with.
    pub(super) fn of_extension(&self) -> Names {
        Names { own: BTreeSet::new(), given_reasons: RefCell::default(), ..self.clone() }
    }

    /// Declares the reasons of a file. It may give a reason of its base another text for itself.
    pub(super) fn declare_reasons(&mut self, errors: &mut Errors, file: &File) {
        let mut own = BTreeSet::new();
        for item in reasons_of(file) {
            let text = item.name.to_string();
            if !own.insert(text.clone()) {
                errors
                    .push(item.name.span(), format!("the reason `{text}` is declared twice"))
                    .help("give the reason another name");
            }
            self.reasons.insert(text, item.text.value());
        }
    }

    /// Returns the text of a reason, and records that a clause gives it.
    pub(super) fn reason(&self, errors: &mut Errors, name: &Ident) -> Option<String> {
        let text = name.to_string();
        let found = self.reasons.get(&text).cloned();
        if found.is_none() {
            let near = did_you_mean(&text, self.reasons.keys().map(String::as_str));
            errors.push(name.span(), format!("unknown reason `{text}`")).help(near.unwrap_or_else(|| {
                format!("declare it: `reason {text} = \"..\";`, or write the text itself: `refuse \"..\"`")
            }));
        }
        self.given_reasons.borrow_mut().insert(text);
        found
    }

    /// Reports the reasons of a file that no clause of it gives.
    pub(super) fn unused_reasons(&self, errors: &mut Errors, file: &File) {
        let given = self.given_reasons.borrow();
        for item in reasons_of(file).filter(|item| !given.contains(&item.name.to_string())) {
            errors
                .push(item.name.span(), format!("no clause gives the reason `{}`", item.name))
                .help(format!("remove the reason, or refuse with it: `refuse {}`", item.name));
        }
    }

    /// Records that a name is a dtype's.
    pub(super) fn reserve(&mut self, name: &str) {
        self.groups.remove(name);
        self.own.insert(name.to_owned());
    }

    pub(super) fn is_taken(&self, name: &str) -> bool {
        is_reserved(name) || self.own.contains(name)
    }

    /// Declares a group.
    pub(super) fn group(&mut self, errors: &mut Errors, rules: &Rules, name: &Ident, set: DTypeSet) {
        let text = name.to_string();
        if is_reserved(&text) {
            errors
                .push(name.span(), format!("`{text}` is a word of the rule language"))
                .help("give the group another name");
        } else if rules.dtype(&text).is_some() || !self.own.insert(text.clone()) {
            errors
                .push(name.span(), format!("`{text}` is declared twice"))
                .help("give the group another name");
        } else {
            self.op_groups.remove(&text);
            self.groups.insert(text, set);
        }
    }

    /// Returns the dtypes that a name stands for.
    pub(super) fn lookup(&self, rules: &Rules, name: &str) -> Option<DTypeSet> {
        let signed = |wanted: bool| {
            let is = |f: Option<Format>| matches!(f, Some(Format::Int { signed, .. }) if signed == wanted);
            rules.ids().filter(|id| is(rules.dtypes[id.index()].format())).collect()
        };
        match name {
            "any" => return Some(rules.all()),
            "unsigned" => return Some(signed(false)),
            "signed" => return Some(signed(true)),
            _ => {}
        }
        if let Some(set) = self.groups.get(name) {
            return Some(*set);
        }
        if let Some(id) = rules.dtype(name) {
            return Some(core::iter::once(id).collect());
        }
        rules.kinds.iter().position(|kind| kind == name).map(|kind| rules.of_kind(kind))
    }

    /// The dtypes of a written set.
    pub(super) fn set(&self, errors: &mut Errors, rules: &Rules, set: &Set) -> DTypeSet {
        set.names.iter().fold(DTypeSet::default(), |all, name| all.or(self.one(errors, rules, name)))
    }

    /// Returns the dtypes of one name, and reports an unknown one.
    pub(super) fn one(&self, errors: &mut Errors, rules: &Rules, name: &Ident) -> DTypeSet {
        let text = name.to_string();
        if let Some(set) = self.lookup(rules, &text) {
            return set;
        }
        if self.ops_of(&text).is_empty() {
            let known = self.known(rules).chain(["same", "no_higher"]);
            unknown(errors, rules, name, "dtype or group", known);
        } else {
            errors
                .push(name.span(), format!("expected dtypes, and `{text}` is an op or a group of ops"))
                .help("make one group of dtypes and another one of ops");
        }
        DTypeSet::default()
    }

    /// Returns every name that stands for dtypes.
    pub(super) fn known<'a>(&'a self, rules: &'a Rules) -> impl Iterator<Item = &'a str> {
        let fixed = ["any", "unsigned", "signed"].into_iter();
        let kinds = rules.kinds.iter().map(String::as_str);
        let dtypes = rules.dtypes.iter().map(|dtype| dtype.name.as_str());
        fixed.chain(kinds).chain(dtypes).chain(self.groups.keys().map(String::as_str))
    }
}

/// Says that a name is unknown, and which known one is near, or that it is a dtype which the file does not
/// list.
pub(super) fn unknown<'a>(
    errors: &mut Errors,
    rules: &Rules,
    name: &Ident,
    what: &str,
    known: impl Iterator<Item = &'a str>,
) {
    let text = name.to_string();
    if is_unlisted(rules, &text) {
        unlisted(errors, name);
        return;
    }
    let help = abbreviated(&text).map(str::to_owned);
    let help = help.or_else(|| near::of_rule_set(rules, &text, known)).unwrap_or_else(|| {
        let dtype = near::declaration(&text);
        format!("declare it: a dtype by {dtype}, a group by `let {text} = ..;`, a parameter by `param {text}: .. = ..;`")
    });
    errors.push(name.span(), format!("unknown {what} `{text}`")).help(help);
}

/// Returns the word to write instead of a letter that abbreviates it.
fn abbreviated(name: &str) -> Option<&'static str> {
    match name {
        "c" => Some("write `common` for the dtype that the operands promote to"),
        "r" => Some("write `result` for the result of promotion, or for the dtype that an op converts to"),
        _ => None,
    }
}

/// Returns true for a standard dtype that the rule set does not list.
pub(super) fn is_unlisted(rules: &Rules, name: &str) -> bool {
    is_standard(name) && rules.dtype(name).is_none()
}

/// Says that the rule set does not list a standard dtype.
pub(super) fn unlisted(errors: &mut Errors, name: &Ident) {
    errors
        .push(name.span(), format!("this rule set has no dtype `{name}`"))
        .help(format!("add it to a `dtypes` line: `dtypes {name};`"));
}
