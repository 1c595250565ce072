//! Dtypes, their kinds, and which holds which.

use syn::Ident;

use super::names::Names;
use super::{Layer, is_reserved, keeps, near};
use crate::diag::{Errors, did_you_mean};
use crate::model::{DType, DTypeId, DTypeSet, NumberKind, Rules, StandardDType};
use crate::syntax::{self, Item};

/// The kinds, lowest first, where a file names no others. Unsigned and signed integers are one kind.
const KINDS: [&str; 4] = ["bool", "int", "float", "complex"];

/// The kinds that the nearest file orders.
pub(super) fn kinds(errors: &mut Errors, layers: &[Layer<'_>]) -> Vec<String> {
    let of = |file: &syntax::File| {
        let orders = file.items.iter().filter_map(|item| match item {
            Item::Kinds(names, span) => Some((names.clone(), *span)),
            _ => None,
        });
        orders.collect::<Vec<_>>()
    };
    let mut orders = layers.iter().map(|layer| of(layer.file)).filter(|orders| !orders.is_empty());
    let Some(written) = orders.next() else { return KINDS.map(str::to_owned).to_vec() };
    for base in orders.flatten() {
        if !keeps(&written[0].0, &base.0) {
            errors
                .push(written[0].1, "the `kinds` line does not keep the order of the base rule set")
                .help("keep the kinds of the base in their order, and put further kinds between them");
        }
    }
    let mut written = written.into_iter();
    let Some((names, span)) = written.next() else { return Vec::new() };
    for (_, again) in written {
        errors.push(again, "the kinds are ordered twice").help("keep one `kinds` line");
    }
    let kinds: Vec<String> = names.iter().map(ToString::to_string).collect();
    for (i, name) in names.iter().enumerate() {
        let text = &kinds[i];
        let taken =
            is_reserved(text) && !KINDS.contains(&text.as_str()) || is_standard(text) && text != "bool";
        if taken || kinds[..i].contains(text) {
            errors
                .push(name.span(), format!("the name `{text}` is already taken"))
                .help("give the kind another name");
        }
    }
    let standard: Vec<&str> = kinds.iter().map(String::as_str).filter(|kind| KINDS.contains(kind)).collect();
    if standard != KINDS {
        errors
            .push(span, "the standard kinds keep their order")
            .help("write `kinds bool < int < float < complex;`, with custom kinds between them");
    }
    kinds
}

pub(super) fn dtypes(errors: &mut Errors, file: &syntax::File, rules: &mut Rules, names: &mut Names) {
    for item in &file.items {
        match item {
            Item::DTypes(group, list) => {
                let ids =
                    list.iter().filter_map(|ident| standard_dtype(errors, rules, names, ident)).collect();
                if let Some(group) = group {
                    names.group(errors, rules, group, ids);
                }
            }
            Item::DType(own) => own_dtype(errors, rules, names, own),
            _ => {}
        }
    }
}

fn standard_dtype(
    errors: &mut Errors,
    rules: &mut Rules,
    names: &mut Names,
    ident: &Ident,
) -> Option<DTypeId> {
    let name = ident.to_string();
    let Ok(standard) = name.parse::<StandardDType>() else {
        errors.push(ident.span(), format!("`{name}` is not a standard dtype")).help(near::standard(&name));
        return None;
    };
    let kind = NumberKind::of(standard).map_or("", NumberKind::name);
    let kind = rules.kinds.iter().position(|k| k == kind).unwrap_or(0);
    let dtype = DType {
        name,
        kind,
        bits: standard.bits(),
        standard: Some(standard),
        names: Vec::new(),
        path: None,
        layer: names.layer,
        span: ident.span(),
    };
    add_dtype(errors, rules, names, dtype)
}

/// Returns true if a name is one of a standard dtype.
pub(super) fn is_standard(name: &str) -> bool {
    name.parse::<StandardDType>().is_ok()
}

fn own_dtype(errors: &mut Errors, rules: &mut Rules, names: &mut Names, own: &syntax::DTypeItem) {
    let kind = own.kind.to_string();
    let Some(kind) = rules.kinds.iter().position(|k| *k == kind) else {
        let help = did_you_mean(&kind, rules.kinds.iter().map(String::as_str)).unwrap_or_else(|| {
            let kinds = rules.kinds.join(", ");
            format!(
                "the kinds are {kinds}; declare a custom kind: `kinds bool < int < {kind} < float < complex;`"
            )
        });
        errors.push(own.kind.span(), format!("unknown kind `{kind}`")).help(help);
        return;
    };
    let Ok(bits @ 1..=1024) = own.bits.base10_parse::<u32>() else {
        errors
            .push(own.bits.span(), format!("a dtype has 1 to 1024 bits, not {}", own.bits))
            .help("write the width in bits: `dtype money: int 64;`");
        return;
    };
    let name = own.name.to_string();
    if is_standard(&name) {
        errors
            .push(own.name.span(), format!("`{name}` is a standard dtype"))
            .help(format!("write `dtypes {name};`, or give the custom dtype another name"));
        return;
    }
    if is_reserved(&name) || names.is_taken(&name) {
        errors
            .push(own.name.span(), format!("the name `{name}` is already taken"))
            .help("give the dtype another name");
        return;
    }
    let dtype = DType {
        name,
        kind,
        bits,
        standard: None,
        names: Vec::new(),
        path: own.path.clone(),
        layer: names.layer,
        span: own.name.span(),
    };
    add_dtype(errors, rules, names, dtype);
}

fn add_dtype(errors: &mut Errors, rules: &mut Rules, names: &mut Names, dtype: DType) -> Option<DTypeId> {
    if rules.dtypes.len() == DTypeId::MAX {
        errors
            .push(dtype.span, format!("a rule set has at most {} dtypes", DTypeId::MAX))
            .help("remove dtypes, or split the file into two rule sets");
        return None;
    }
    if dtype.path.is_some()
        && rules.dtypes.iter().filter(|known| known.path.is_some()).count() == StandardDType::MAX_CUSTOM
    {
        errors
            .push(
                dtype.span,
                format!(
                    "a rule set has at most {} custom dtypes with a Rust type",
                    StandardDType::MAX_CUSTOM
                ),
            )
            .help("leave the type out of dtypes that are needed in tables only: `dtype money: int 64;`");
        return None;
    }
    if rules.dtype(&dtype.name).is_some() {
        errors
            .push(dtype.span, format!("`{}` is declared twice", dtype.name))
            .help("remove one of the two; `let group = i32 | f32;` makes a group of declared dtypes");
        return None;
    }
    let id = DTypeId::new(rules.dtypes.len());
    names.reserve(&dtype.name);
    rules.dtypes.push(dtype);
    Some(id)
}

/// Computes which dtype holds which from their formats.
pub(super) fn formats(rules: &mut Rules) {
    rules.holds = rules
        .dtypes
        .iter()
        .enumerate()
        .map(|(i, a)| {
            let held = |j: usize, b: &DType| match (a.standard, b.standard) {
                (Some(a), Some(b)) => a.holds(b),
                // A custom dtype holds itself, and what the file says.
                _ => i == j,
            };
            let ids = rules.dtypes.iter().enumerate().filter(|(j, b)| held(*j, b));
            ids.map(|(j, _)| DTypeId::new(j)).collect()
        })
        .collect();
}

/// Applies the `holds` and `lacks` lines of a file.
pub(super) fn holds(errors: &mut Errors, file: &syntax::File, rules: &mut Rules, names: &Names) {
    for item in &file.items {
        let Item::Holds(item) = item else { continue };
        let (holders, held) = (names.set(errors, rules, &item.holders), names.set(errors, rules, &item.held));
        for holder in holders.iter() {
            let mut itself = DTypeSet::default();
            itself.insert(holder);
            let set = &mut rules.holds[holder.index()];
            *set = if item.adds { set.or(held) } else { set.without(held.without(itself)) };
        }
    }
}
