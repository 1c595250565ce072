//! What ops that look at their two operands make of pairs: how each pair is treated, and classes of dtypes that are treated
//! alike, so that a few impls stand for hundreds. `promote::__private::pairs` is the other half.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{Emit, Of, Refusal, any_types};
use crate::Compiled;
use crate::model::{Category, ClauseId, DTypeId, Operand, register};
use crate::tables::OpCell;

impl Emit<'_> {
    /// How an op treats each pair of operands.
    pub(super) fn pair_hows(&self, which: usize) -> Vec<How> {
        let Compiled { rules, tables } = self.compiled;
        let operands = || self.operands.iter().map(|typed| typed.operand);
        let setting = self.setting();
        let how = |(a, b): (Operand, Operand)| {
            let as_it_is = |operand| tables.made(setting, operand) == operand;
            let planes = tables.settings[setting].ops[which].pairs;
            let plane = planes.map(|pairs| pairs[a.category as usize][b.category as usize]);
            let (i, j) = (a.dtype.index(), b.dtype.index());
            let cell = plane.map(|plane| tables.pairs[plane][i * rules.dtypes.len() + j]);
            if cell.unwrap_or(OpCell::ByCommon) == OpCell::ByCommon && as_it_is(a) && as_it_is(b) {
                return How::ByCommon;
            }
            match tables.op(rules, setting, which, a, b) {
                OpCell::Gives { common, compute, output, weak, .. } => {
                    let left =
                        a.category == Category::Array && common == a.dtype && output == a.dtype && !weak;
                    if left && rules.dtype_name(compute) == register(rules.dtype_name(a.dtype)) {
                        How::Left
                    } else {
                        How::Gives([common, compute, output], weak)
                    }
                }
                OpCell::Refused(clause) => How::Refused(Some(clause)),
                OpCell::ByCommon | OpCell::Unreachable => How::Refused(None),
            }
        };
        operands().flat_map(|a| operands().map(move |b| (a, b))).map(how).collect()
    }

    pub(super) fn pair_rows(&mut self) -> TokenStream {
        let p = self.paths.private.clone();
        let n = self.operands.len();
        let mut out = TokenStream::new();
        for (hows, marker) in self.pairs.clone() {
            out.extend(quote!(pub struct #marker;));
            let types: Vec<TokenStream> = self.operands.iter().map(|typed| typed.ty.clone()).collect();
            if let Some(classes) = Classes::new(&hows, n) {
                for ((ty, left), right) in types.iter().zip(&classes.left).zip(&classes.right) {
                    out.extend(quote! {
                        impl #p::pairs::OpClass<#marker> for #ty {
                            type Left = #p::pairs::Class<#left>;
                            type Right = #p::pairs::Class<#right>;
                        }
                    });
                }
                for (left, right, how) in classes.pairs {
                    let how = self.how(how);
                    out.extend(quote! {
                        impl #p::pairs::ClassPair<#marker, #p::pairs::Class<#right>> for #p::pairs::Class<#left> {
                            type How = #how;
                        }
                    });
                }
                continue;
            }
            for (a, row) in types.iter().zip(hows.chunks(n)) {
                for (b, how) in types.iter().zip(row) {
                    let how = self.how(*how);
                    out.extend(quote!(impl #p::pairs::OpPair<#marker, #b> for #a { type How = #how; }));
                }
            }
        }
        out
    }

    /// The type that says how.
    fn how(&mut self, how: How) -> TokenStream {
        let p = self.paths.private.clone();
        match how {
            How::ByCommon => quote!(#p::pairs::ByCommon),
            How::Left => quote!(#p::pairs::Left),
            How::Gives([common, compute, output], weak) => {
                match (|| Some((self.ty(common)?, self.ty(compute)?, self.result(output, weak)?)))() {
                    Some((common, compute, output)) => quote!(#p::pairs::Gives<#common, #compute, #output>),
                    None => self.how(How::Refused(None)),
                }
            }
            How::Refused(clause) => {
                let promotes = clause.is_some_and(|c| self.compiled.rules.clauses[c].block == "promote");
                let of = if promotes { Of::Promotion } else { Of::Pair };
                let (refused, set) = (self.refusal(clause, of), &self.compiled.rules.name);
                let next = self.refusing.len();
                let refusing = self.refusing.entry((clause, of)).or_insert_with(|| {
                    let name = format_ident!("{set}Refuses{next}");
                    let types = any_types();
                    let declaration = quote! {
                        pub struct #name;
                        impl<M, A, B> #p::pairs::How<M, A, B, #set> for #name where for<'a> &'a (): #refused<A, B> {
                            #types
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

/// How an op treats a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum How {
    /// It looks at what the two promote to.
    ByCommon,
    /// The left operand decides.
    Left,
    /// Common, compute and output dtype of its own, and whether what comes out is weak.
    Gives([DTypeId; 3], bool),
    /// Refused by a clause; without one, of operands that cannot be.
    Refused(Option<ClauseId>),
}

/// The classes into which dtypes fall that a table of pairs treats alike.
pub(super) struct Classes {
    left: Vec<usize>,
    right: Vec<usize>,
    pairs: Vec<(usize, usize, How)>,
}

impl Classes {
    /// The classes of an `n * n` table, where they are fewer than its cells by half.
    pub(super) fn new(hows: &[How], n: usize) -> Option<Classes> {
        let row = |i: usize| (0..n).map(|j| hows[i * n + j]).collect::<Vec<_>>();
        let column = |j: usize| (0..n).map(|i| hows[i * n + j]).collect::<Vec<_>>();
        let (left, lefts) = alike((0..n).map(row));
        let (right, rights) = alike((0..n).map(column));
        if lefts.len() * rights.len() + n > n * n / 2 {
            return None;
        }
        let pairs = (0..lefts.len())
            .flat_map(|i| (0..rights.len()).map(move |j| (i, j)))
            .map(|(i, j)| (i, j, hows[lefts[i] * n + rights[j]]))
            .collect();
        Some(Classes { left, right, pairs })
    }
}

/// The class of each item, and an item of each class.
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
