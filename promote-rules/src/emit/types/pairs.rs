//! Ops that depend on both operands: the rule for each pair, as types.
//!
//! Dtypes with equal rules form a class, so that a few impls replace hundreds. `promote::__private::pairs` is
//! the other half.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{Emit, Refusal, Request, any_type, unlike};
use crate::Compiled;
use crate::model::{Category, ClauseId, DTypeId, Operand};
use crate::tables::OpCell;

impl Emit<'_> {
    /// Returns the rule of an op for each pair of operands.
    pub(super) fn pair_rules(&self, which: usize) -> Vec<PairRule> {
        let Compiled { rules, tables } = self.compiled;
        let operands = || self.operands.iter().map(|typed| typed.operand);
        let setting = self.setting();
        let rule = |(a, b): (Operand, Operand)| {
            let as_it_is = |operand| self.lookup.stored(operand) == operand;
            let planes = tables.settings[setting].ops[which].pairs;
            let plane = planes.map(|pairs| pairs[a.category as usize][b.category as usize]);
            let (i, j) = (a.dtype.index(), b.dtype.index());
            let cell = plane.map(|plane| tables.pairs[plane][i * rules.dtypes.len() + j]);
            if cell.unwrap_or(OpCell::ByCommon) == OpCell::ByCommon && as_it_is(a) && as_it_is(b) {
                return PairRule::ByCommon;
            }
            match self.lookup.op(which, a, Some(b)) {
                OpCell::Resolved { common, compute, output, weak, .. } => {
                    let left =
                        a.category == Category::Array && common == a.dtype && output == a.dtype && !weak;
                    if left && rules.is_register_of(compute, a.dtype) {
                        PairRule::Left
                    } else {
                        PairRule::DTypes([common, compute, output], weak)
                    }
                }
                OpCell::Refused(clause) => PairRule::Refused(Some(clause)),
                OpCell::ByCommon | OpCell::Unreachable => PairRule::Refused(None),
            }
        };
        operands().flat_map(|a| operands().map(move |b| (a, b))).map(rule).collect()
    }

    /// Emits the tables of pairs. A left operand has a row, a type with a parameter for each class of right
    /// operands.
    ///
    /// All tables of a set share the type of rows, so there is one impl for each column. An impl for each
    /// pair would be 1500 impls for PyTorch's set.
    pub(super) fn pair_rows(&mut self) -> TokenStream {
        let p = self.paths.private.clone();
        let row = format_ident!("{}Row", self.compiled.rules.name);
        let class = |number: usize| quote!(#p::pairs::Class<#number>);
        let (n, mut tables) = (self.operands.len(), Vec::new());
        for (pair_rules, marker) in self.pairs.clone() {
            let classes = Classes::new(&pair_rules, n);
            tables.push((marker, classes.map(|rule| self.rule(rule))));
        }
        for (joins, marker) in self.zero_dims.clone() {
            let classes = Classes::new(&joins, n);
            tables.push((marker, classes.map(|join| self.zero_dim_rule(join))));
        }
        let mut out = TokenStream::new();
        let mut columns = 0;
        for (marker, Classes { left, right, rows: lefts }) in tables {
            out.extend(quote!(pub struct #marker;));
            columns = columns.max(lefts.first().map_or(0, Vec::len));
            for ((typed, left), right) in self.operands.iter().zip(left).zip(right) {
                let (ty, pair_rules, right) = (&typed.ty, &lefts[left], class(right));
                out.extend(quote! {
                    impl #p::pairs::OpClass<#marker> for #ty {
                        type Left = #row<#(#pair_rules),*>;
                        type Right = #right;
                    }
                });
            }
        }
        if columns > 0 {
            let pair_rules: Vec<_> = (0..columns).map(|at| format_ident!("H{at}")).collect();
            out.extend(quote! {
                pub struct #row<#(#pair_rules = ()),*>(::core::marker::PhantomData<(#(#pair_rules,)*)>);
            });
            for (at, rule) in pair_rules.iter().enumerate() {
                let class = class(at);
                out.extend(quote! {
                    impl<#(#pair_rules),*> #p::pairs::RowOf<#class> for #row<#(#pair_rules),*> { type Rule = #rule; }
                });
            }
        }
        out
    }

    /// Returns the type of a rule.
    fn rule(&mut self, rule: PairRule) -> TokenStream {
        let p = self.paths.private.clone();
        match rule {
            PairRule::ByCommon => quote!(#p::pairs::ByCommon),
            PairRule::Left => quote!(#p::pairs::Left),
            PairRule::DTypes([common, compute, output], weak) => {
                match (|| Some((self.ty(common)?, self.ty(compute)?, self.result(output, weak)?)))() {
                    Some((common, compute, output)) => quote!(#p::OpDTypes<#common, #compute, #output>),
                    None => self.rule(PairRule::Refused(None)),
                }
            }
            PairRule::Refused(clause) => {
                let promotes = clause.is_some_and(|c| self.compiled.rules.clauses[c].block == "promote");
                let of = if promotes { Request::Promotion } else { Request::Pair };
                let (refused, set) = (self.refusal(clause, of), &self.compiled.rules.name);
                let next = self.refusing.len();
                let refusing = self.refusing.entry((clause, of)).or_insert_with(|| {
                    let name = format_ident!("{set}Refuses{next}");
                    let any = any_type();
                    let [m, a, b] = ["M", "A", "B"].map(|name| unlike(name, set));
                    let declaration = quote! {
                        pub struct #name;
                        impl<#m, #a, #b> #p::pairs::PairRule<#m, #a, #b, #set> for #name where for<'a> &'a (): #refused<#a, #b> {
                            type Common = #any;
                            type Compute = #any;
                            type Output = #any;
                        }
                    };
                    Refusal { name, declaration }
                });
                let name = &refusing.name;
                quote!(#name)
            }
        }
    }
}

/// The rule of an op for a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PairRule {
    /// The common dtype decides.
    ByCommon,
    /// The left operand decides.
    Left,
    /// The common, compute and output dtype of this pair, and whether the result is weak.
    DTypes([DTypeId; 3], bool),
    /// A clause refuses the pair; `None` for operands that cannot occur.
    Refused(Option<ClauseId>),
}

/// The classes of dtypes that have equal rules in a table of pairs.
struct Classes<Rule> {
    /// The class of each dtype as a left operand, and as a right operand.
    left: Vec<usize>,
    right: Vec<usize>,
    /// The rule for each class of left operands with each class of right operands.
    rows: Vec<Vec<Rule>>,
}

impl<Rule: Copy + PartialEq> Classes<Rule> {
    /// Finds the classes of an `n * n` table.
    fn new(pair_rules: &[Rule], n: usize) -> Classes<Rule> {
        let row = |i: usize| (0..n).map(|j| pair_rules[i * n + j]).collect::<Vec<_>>();
        let column = |j: usize| (0..n).map(|i| pair_rules[i * n + j]).collect::<Vec<_>>();
        let (left, lefts) = alike((0..n).map(row));
        let (right, rights) = alike((0..n).map(column));
        let rows = lefts.iter().map(|&i| rights.iter().map(|&j| pair_rules[i * n + j]).collect()).collect();
        Classes { left, right, rows }
    }

    fn map<To>(self, mut to: impl FnMut(Rule) -> To) -> Classes<To> {
        let Classes { left, right, rows } = self;
        let rows = rows.into_iter().map(|row| row.into_iter().map(&mut to).collect()).collect();
        Classes { left, right, rows }
    }
}

/// Returns the class of each item, and the position of an item of each class.
fn alike<T: PartialEq>(items: impl Iterator<Item = T>) -> (Vec<usize>, Vec<usize>) {
    let (mut known, mut first): (Vec<T>, Vec<usize>) = (Vec::new(), Vec::new());
    let classes = items
        .enumerate()
        .map(|(at, item)| {
            known.iter().position(|other| *other == item).unwrap_or_else(|| {
                known.push(item);
                first.push(at);
                known.len() - 1
            })
        })
        .collect();
    (classes, first)
}
