//! Pairs of which an operand is zero-dimensional: tables that `promote::__private::zero_dim` looks up.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{Emit, Refusal, Request, Typed, any_type, marker, unlike};
use crate::model::{Category, ClauseId, DTypeId, Operand};
use crate::tables::Cell;

/// The promotion of a pair of which an operand is zero-dimensional.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Join {
    /// The result has the dtype of the left operand.
    First,
    /// The result has the dtype of the right operand.
    Second,
    /// The result has another dtype, and may be weak.
    To(DTypeId, bool),
    /// A clause refuses the pair; `None` if there is no such pair or no type for its result.
    Refused(Option<ClauseId>),
}

impl Emit<'_> {
    /// Emits the names of the tables. A rule set whose results depend on the values of zero-dimensional
    /// arrays has none.
    pub(super) fn zero_dims(&mut self) -> TokenStream {
        let (p, set) = (self.paths.private.clone(), self.compiled.rules.name.clone());
        let values = &self.compiled.tables.settings[self.setting()].values;
        if values.iter().any(|row| row[Category::ZeroDim as usize].is_some()) {
            return TokenStream::new();
        }
        let tables = [(false, true), (true, false), (true, true)].map(|zero| self.zero_dim_table(zero));
        let [right, left, both] = tables;
        quote!(impl #p::zero_dim::ZeroDims for #set { type Right = #right; type Left = #left; type Both = #both; })
    }

    /// Returns the name of the table in which the left, the right or both operands are zero-dimensional.
    fn zero_dim_table(&mut self, (left, right): (bool, bool)) -> TokenStream {
        // Numbers are never zero-dimensional, and neither are weak results.
        let operand = |typed: &Typed, zero_dim: bool| match typed.operand {
            Operand { dtype, category: Category::Array } if zero_dim => {
                Some(Operand { dtype, category: Category::ZeroDim })
            }
            operand => (!zero_dim).then_some(operand),
        };
        // A number may count as an array, and its type is `Weak` all the same.
        let is_array = |typed: &Typed| typed.number.is_none() && typed.operand.category == Category::Array;
        let mut joins = Vec::new();
        for a in &self.operands {
            for b in &self.operands {
                let (Some(x), Some(y)) = (operand(a, left), operand(b, right)) else {
                    joins.push(Join::Refused(None));
                    continue;
                };
                let join = match self.lookup.promote(x, y) {
                    Cell::Resolved(dtype, false, _) if dtype == x.dtype && is_array(a) => Join::First,
                    Cell::Resolved(dtype, false, _) if dtype == y.dtype && is_array(b) => Join::Second,
                    Cell::Resolved(dtype, weak, _) if self.ty(dtype).is_some() => Join::To(dtype, weak),
                    Cell::Refused(clause) => Join::Refused(Some(clause)),
                    Cell::Resolved(..) | Cell::Unreachable => Join::Refused(None),
                };
                joins.push(join);
            }
        }
        let set = &self.compiled.rules.name;
        let marker = marker(&mut self.zero_dims, joins, &format!("{set}ZeroDims"));
        quote!(#marker)
    }

    /// Returns the type of a rule.
    pub(super) fn zero_dim_rule(&mut self, join: Join) -> TokenStream {
        let p = self.paths.private.clone();
        match join {
            Join::First => quote!(#p::zero_dim::First),
            Join::Second => quote!(#p::zero_dim::Second),
            Join::To(dtype, weak) => match self.result(dtype, weak) {
                Some(ty) => quote!(#p::zero_dim::To<#ty>),
                None => self.zero_dim_rule(Join::Refused(None)),
            },
            Join::Refused(clause) => {
                let (refused, set) = (self.refusal(clause, Request::Promotion), &self.compiled.rules.name);
                let next = self.refusing.len();
                let refusing = self.refusing.entry((clause, Request::ZeroDim)).or_insert_with(|| {
                    let (name, any) = (format_ident!("{set}Refuses{next}"), any_type());
                    let [a, b] = ["A", "B"].map(|name| unlike(name, set));
                    let declaration = quote! {
                        pub struct #name;
                        impl<#a, #b> #p::zero_dim::ZeroDimRule<#a, #b, #set> for #name where for<'a> &'a (): #refused<#a, #b> {
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
