//! Resolves a file as written to the model: names become ids.
//!
//! After this point no name is unknown, no dtype, group or parameter is declared twice, and every clause of
//! every block has an id.

mod clauses;
mod dtypes;
mod guards;
mod kernels;
mod names;
mod near;
mod ops;
mod system_names;

pub use names::ops_without_kernels;

use proc_macro2::Span;
use syn::Ident;

use crate::diag::{Errors, did_you_mean};
use crate::model::{
    Cast, Casting, Category, Clause, InPlace, Law, LawKind, NumberKind, Output, Param, Rules, Value, Var,
};
use crate::syntax::{self, BlockName, Item};
use clauses::Property;
use names::{Names, is_unlisted};

/// A rule file, and its name in messages.
#[derive(Clone, Copy)]
pub(crate) struct Layer<'a> {
    pub(crate) file: &'a syntax::File,
    pub(crate) path: &'a str,
}

/// Looks every name up. The first layer is the file itself, the next the one it builds on, and so on: dtypes,
/// groups and parameters of all of them are known in each, and clauses of a nearer file stand before those of
/// a farther one.
pub(crate) fn resolve(errors: &mut Errors, layers: &[Layer<'_>]) -> Option<Rules> {
    let own = layers.first()?.file;
    let mut rules = Rules {
        name: own.name.clone()?,
        krate: own.krate.clone(),
        bare: own.bare,
        base: own.base.clone(),
        files: layers.iter().map(|layer| layer.path.to_owned()).collect(),
        dtypes: Vec::new(),
        kinds: dtypes::kinds(errors, layers),
        holds: Vec::new(),
        params: Vec::new(),
        clauses: Vec::new(),
        weak: false,
        numbers: Vec::new(),
        stored: Vec::new(),
        promote: Vec::new(),
        order: Vec::new(),
        ranks: [0; 4],
        order_span: Span::call_site(),
        yields: Vec::new(),
        check: Vec::new(),
        opmath: Vec::new(),
        casts: Vec::new(),
        inplace: None,
        by_kind: false,
        ops: Vec::new(),
        loops: Vec::new(),
        laws: Vec::new(),
    };
    // The names of each file, the farthest first.
    let mut all_names: Vec<Names> = Vec::new();
    for (at, layer) in layers.iter().enumerate().rev() {
        let mut names = all_names.last().map_or_else(Names::with_prelude, Names::of_extension);
        names.layer = at;
        dtypes::dtypes(errors, layer.file, &mut rules, &mut names);
        ops::own(errors, layer.file, &mut names);
        names.declare_reasons(errors, layer.file);
        lets(errors, layer.file, &rules, &mut names);
        // Values of a base's parameters are words and dtypes of the base.
        params(errors, layer.file, &mut rules, &names);
        settings(errors, layer.file, &mut rules);
        names.scope = rules.all();
        all_names.push(names);
    }
    if rules.dtypes.is_empty() {
        if errors.is_empty() {
            errors
                .push(rules.name.span(), "the rule set has no dtypes")
                .help("list them: `dtypes bool i32 f32;`");
        }
        return None;
    }
    dtypes::formats(&mut rules);
    for (layer, names) in layers.iter().rev().zip(&all_names) {
        dtypes::holds(errors, layer.file, &mut rules, names);
    }
    for (layer, names) in layers.iter().zip(all_names.iter().rev()) {
        blocks(errors, layer.file, &mut rules, names);
        casts(errors, layer.file, &mut rules, names);
        ops::ops(errors, layer.file, &mut rules, names);
        laws(errors, layer.file, &mut rules);
        // A base is checked where it is compiled itself.
        if names.layer == 0 {
            names.unused_reasons(errors, layer.file);
        }
    }
    // A statement may name ops of a base, which are known by now.
    for (layer, names) in layers.iter().zip(all_names.iter().rev()) {
        kernels::requests(errors, layer.file, &mut rules, names);
    }
    system_names::system_names(errors, layers.iter().zip(all_names.iter().rev()), &mut rules);
    if rules.promote.is_empty() && errors.is_empty() {
        errors
            .push(rules.name.span(), "the rule set has no `promote` block")
            .help("write `promote { any, any => join; }` for the least dtype that holds both");
    }
    inplace(errors, layers, &mut rules);
    fold(errors, layers, &mut rules);
    rules.ranks = Category::ALL.map(|category| rank(&rules.order, category));
    rules.weak = rules.order.contains(&Category::Weak) || gives_weak(&rules);
    Some(rules)
}

/// Returns the rank of a category in the order of `yield`; 0 is the highest. A category that the order does
/// not name has the rank of its nearest.
fn rank(order: &[Category], category: Category) -> u8 {
    let nearest: &[Category] = match category {
        Category::Weak => &[Category::Weak, Category::Number, Category::ZeroDim],
        Category::Number => &[Category::Number, Category::Weak, Category::ZeroDim],
        Category::ZeroDim => &[Category::ZeroDim],
        Category::Array => &[],
    };
    nearest.iter().find_map(|near| order.iter().position(|named| named == near)).map_or(0, |rank| rank as u8)
}

/// Applies `= path { param = value }`: other defaults.
fn settings(errors: &mut Errors, file: &syntax::File, rules: &mut Rules) {
    for (i, (ident, written)) in file.settings.iter().enumerate() {
        if file.settings[..i].iter().any(|(before, _)| before == ident) {
            errors.push(ident.span(), format!("`{ident}` is set twice")).help("keep one of the two");
        }
        let wanted = value(rules, &written.to_string());
        let known: Vec<String> = rules.params.iter().map(|param| param.name.clone()).collect();
        let texts =
            |param: &Param| param.values.iter().map(|value| rules.value_text(value)).collect::<Vec<_>>();
        let values = rules.params.iter().find(|param| ident == &param.name).map(texts).unwrap_or_default();
        let Some(param) = rules.params.iter_mut().find(|param| ident == &param.name) else {
            let help = did_you_mean(&ident.to_string(), known.iter().map(String::as_str));
            errors
                .push(ident.span(), format!("unknown parameter `{ident}`"))
                .help(help.unwrap_or_else(|| format!("the parameters are {}", known.join(", "))));
            continue;
        };
        if let Some(at) = param.values.iter().position(|value| *value == wanted) {
            param.default = at;
        } else {
            let values = values.join(", ");
            errors
                .push(written.span(), format!("`{written}` is not a value of the parameter `{ident}`"))
                .help(format!("the values are {values}"));
        }
    }
}

fn lets(errors: &mut Errors, file: &syntax::File, rules: &Rules, names: &mut Names) {
    for item in &file.items {
        let Item::Let(item) = item else { continue };
        if names.are_ops(rules, &item.set) {
            names.op_group(errors, &item.name, &item.set);
        } else {
            let set = names.set(errors, rules, &item.set);
            names.group(errors, rules, &item.name, set);
        }
    }
}

fn params(errors: &mut Errors, file: &syntax::File, rules: &mut Rules, names: &Names) {
    for item in &file.items {
        let Item::Param(item) = item else { continue };
        let name = item.name.to_string();
        if is_reserved(&name) {
            errors
                .push(item.name.span(), format!("`{name}` is a word of the rule language"))
                .help("give the parameter another name");
            continue;
        }
        if names.is_taken(&name) || rules.params.iter().any(|p| p.name == name) {
            errors
                .push(item.name.span(), format!("`{name}` is declared twice"))
                .help("give the parameter another name");
            continue;
        }
        let values = values(rules, names, &item.values);
        for value in item
            .values
            .names
            .iter()
            .filter(|value| *value != "bool" && is_unlisted(rules, &value.to_string()))
        {
            names::unlisted(errors, value);
        }
        let wanted = value(rules, &item.default.to_string());
        let Some(default) = values.iter().position(|v| *v == wanted) else {
            errors
                .push(
                    item.default.span(),
                    format!("`{}` is not a value of the parameter `{name}`", item.default),
                )
                .help("write one of the values before the `=`");
            continue;
        };
        rules.params.push(Param { name, values, default, span: item.name.span() });
    }
}

/// `bool` is true and false, `any` every dtype, a group its dtypes; the rest are dtypes and words.
fn values(rules: &Rules, names: &Names, set: &syntax::Set) -> Vec<Value> {
    let words: Vec<String> = set.names.iter().map(ToString::to_string).collect();
    if words == ["bool"] {
        return vec![Value::Bool(true), Value::Bool(false)];
    }
    words
        .iter()
        .flat_map(|word| match names.lookup(rules, word) {
            Some(set) => set.iter().map(Value::DType).collect(),
            None => vec![Value::Word(word.clone())],
        })
        .collect()
}

fn value(rules: &Rules, word: &str) -> Value {
    match word {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => rules.dtype(word).map_or_else(|| Value::Word(word.to_owned()), Value::DType),
    }
}

fn blocks(errors: &mut Errors, file: &syntax::File, rules: &mut Rules, names: &Names) {
    let mut seen: Vec<&str> = Vec::new();
    let mut once = |errors: &mut Errors, name: &'static str, span: Span| {
        if seen.contains(&name) {
            errors.push(span, format!("a second `{name}` block")).help("move the clauses into one block");
        }
        seen.push(name);
    };
    for item in &file.items {
        match item {
            Item::Block(block) => {
                let label = match block.name {
                    BlockName::Numbers => "numbers",
                    BlockName::Stored => "stored",
                    BlockName::Promote => "promote",
                    BlockName::Check => "check",
                    BlockName::Opmath => "opmath",
                };
                once(errors, label, block.span);
                if block.name == BlockName::Numbers {
                    clauses::numbers(errors, rules, names, &block.items);
                    continue;
                }
                let more = clauses::block(errors, rules, names, label, &block.items, &mut no_properties);
                match block.name {
                    BlockName::Numbers => {}
                    BlockName::Stored => rules.stored.extend(more),
                    BlockName::Promote => rules.promote.extend(more),
                    BlockName::Check => rules.check.extend(more),
                    BlockName::Opmath => rules.opmath.extend(more),
                }
            }
            Item::Yield(block) => {
                once(errors, "yield", block.span);
                order(errors, rules, &block.order, block.span);
                if let Some(span) = block.by_kind {
                    let clause = clauses::by_kind(rules, names, span);
                    rules.yields.push(clause);
                }
                let more = clauses::block(errors, rules, names, "yield", &block.items, &mut no_properties);
                rules.yields.extend(more);
            }
            _ => {}
        }
    }
}

fn casts(errors: &mut Errors, file: &syntax::File, rules: &mut Rules, names: &Names) {
    let mut seen = Vec::new();
    for item in &file.items {
        let Item::Cast(ident, items) = item else { continue };
        let Some(level) = casting(errors, ident, None) else { continue };
        if seen.contains(&level) {
            errors
                .push(ident.span(), format!("a second `cast {ident}`"))
                .help("move the clauses into one block");
            continue;
        }
        seen.push(level);
        let label = format!("cast {ident}");
        let more = clauses::block(errors, rules, names, &label, items, &mut no_properties);
        match rules.casts.iter_mut().find(|cast| cast.level == level) {
            Some(cast) => cast.block.extend(more),
            None => rules.casts.push(Cast { level, block: more, span: ident.span() }),
        }
    }
}

/// Resolves `fold`: the order in which several operands are joined, if any of the files says it.
fn fold(errors: &mut Errors, layers: &[Layer<'_>], rules: &mut Rules) {
    for layer in layers {
        let ways = layer.file.items.iter().filter_map(|item| match item {
            Item::Fold(way) => Some(way),
            _ => None,
        });
        for (at, way) in ways.enumerate() {
            if way != "by_kind" {
                errors.push(way.span(), format!("operands cannot be folded `{way}`")).help(
                    "write `fold by_kind;`, or leave it out: then operands are joined in the order in which they stand",
                );
            } else if at > 0 {
                errors.push(way.span(), "a second `fold`").help("keep one of the two");
            }
            rules.by_kind = true;
        }
    }
}

/// Resolves `inplace`, which the nearest file decides.
fn inplace(errors: &mut Errors, layers: &[Layer<'_>], rules: &mut Rules) {
    for layer in layers {
        let mut levels = layer.file.items.iter().filter_map(|item| match item {
            Item::Inplace(ident) => Some(ident),
            _ => None,
        });
        let Some(ident) = levels.next() else { continue };
        if let Some(again) = levels.next() {
            errors.push(again.span(), "a second `inplace`").help("keep one of the two");
        }
        if ident == "result" {
            rules.inplace = Some(InPlace::Result);
            return;
        }
        let Some(level) = casting(errors, ident, Some("result")) else { return };
        rules.inplace = rules.casts.iter().position(|cast| cast.level == level).map(InPlace::Cast);
        if rules.inplace.is_none() {
            errors.push(ident.span(), format!("there is no `cast {ident}`")).help(format!(
                "declare it: `cast {ident} {{ any, any if kind(a) > kind(b) => refuse \"reason\"; }}`"
            ));
        }
        return;
    }
}

/// Finds the casting level with a name; `other` is a word that could stand here instead.
fn casting(errors: &mut Errors, ident: &Ident, other: Option<&str>) -> Option<Casting> {
    let name = ident.to_string();
    let level = name.parse().ok();
    if level.is_none() {
        let levels: Vec<&str> = Casting::ALL.iter().map(|level| level.name()).collect();
        let near = did_you_mean(&name, levels.iter().copied().chain(other));
        let near = near.map(|near| format!("{near} ")).unwrap_or_default();
        let other = other.map(|other| format!("; or `{other}`")).unwrap_or_default();
        errors
            .push(ident.span(), format!("unknown level of casting `{ident}`"))
            .help(format!("{near}the levels are {}{other}", levels.join(", ")));
    }
    level
}

fn order(errors: &mut Errors, rules: &mut Rules, order: &[Category], span: Span) {
    // Numbers and weak operands are both below zero-dimensional arrays; which of them is higher, the file
    // says.
    let falls = order.windows(2).all(|two| two[0] < two[1] || two == [Category::Weak, Category::Number]);
    let repeats = order.iter().enumerate().any(|(i, c)| order[..i].contains(c));
    if order.len() < 2 || !falls || repeats || order[0] != Category::Array {
        errors
            .push(span, "`yield` orders two or more categories, from `array` down")
            .help("their order is array > zero_dim > number > weak, or weak > number: write `yield array > zero_dim > number { .. }` or `yield array > weak { .. }`");
    }
    if rules.order.is_empty() {
        rules.order = order.to_vec();
        rules.order_span = span;
    } else if !keeps(&rules.order, order) {
        // A nearer file has ordered them already, and the clauses of this one rely on theirs.
        errors
            .push(rules.order_span, "the order of `yield` does not keep the order of the base rule set")
            .help("keep the categories of the base in their order, and put further categories between them");
    }
}

fn no_properties(errors: &mut Errors, property: &Property<'_>) {
    let (what, form) = match property {
        Property::Option(key, _) => (format!("the option `{key}`"), format!("{key}: ..;")),
        Property::AsArray(category) => (format!("`{category} as array`"), format!("{category} as array;")),
    };
    errors
        .push(property.span(), format!("{what} stands in the block of an op"))
        .help(format!("write `op .. {{ {form} }}`"));
}

/// Returns true if one list contains another in its order.
pub(super) fn keeps<T: PartialEq>(all: &[T], some: &[T]) -> bool {
    let mut rest = all.iter();
    some.iter().all(|wanted| rest.any(|found| found == wanted))
}

fn laws(errors: &mut Errors, file: &syntax::File, rules: &mut Rules) {
    // The statement of a nearer file about a law holds.
    let said: Vec<LawKind> = rules.laws.iter().map(|law| law.kind).collect();
    for item in &file.items {
        let Item::Law(item) = item else { continue };
        let kind = match item.name.to_string().as_str() {
            "commutative" => LawKind::Commutative,
            "associative" => LawKind::Associative,
            other => {
                errors
                    .push(item.name.span(), format!("unknown law `{other}`"))
                    .help("the laws are commutative and associative");
                continue;
            }
        };
        if said.contains(&kind) {
            continue;
        }
        if rules.laws.iter().any(|law| law.kind == kind) {
            errors
                .push(item.name.span(), format!("the law `{}` is stated twice", item.name))
                .help("remove one of the two");
            continue;
        }
        if !item.holds && item.reason.is_none() {
            errors
                .push(item.name.span(), format!("`law not {}` needs a reason", item.name))
                .help(format!("write `law not {} \"reason\";`", item.name));
        }
        let reason = item.reason.as_ref().map(syn::LitStr::value);
        rules.laws.push(Law { kind, holds: item.holds, reason, span: item.name.span() });
    }
}

/// Returns true if a clause gives a weak result.
fn gives_weak(rules: &Rules) -> bool {
    let blocks = [&rules.promote, &rules.yields].into_iter().chain(rules.ops.iter().map(|op| &op.block));
    let outputs = blocks.flatten().flat_map(Clause::outputs);
    let numbers = rules.numbers.iter().map(|clause| &clause.result);
    let ops = rules.ops.iter().filter_map(|op| op.output.as_ref());
    outputs.chain(numbers).chain(ops).any(|output| matches!(output, Output::Strength(Category::Weak, _)))
}

/// Returns true for a word of the language, which no group or parameter can have as its name.
fn is_reserved(name: &str) -> bool {
    NumberKind::from_name(name).is_some()
        || Category::from_name(name).is_some()
        || Var::from_name(name).is_some()
        || RESERVED.contains(&name)
}

/// Words other than categories, kinds and operands that can occur in place of a name.
const RESERVED: [&str; 19] = [
    "any",
    "unsigned",
    "signed",
    "same",
    "no_higher",
    "join",
    "above",
    "first_of",
    "stepwise",
    "or",
    "refuse",
    "lacks",
    "when",
    "if",
    "in",
    "array",
    "weak",
    "true",
    "false",
];
