//! What ops that look at their two operands make of pairs: how each pair is treated, and classes of dtypes
//! that are treated alike, so that a few impls stand for hundreds. `promote::__private::pairs` is the other
//! half.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{Emit, Of, Refusal, any_type};
use crate::Compiled;
use crate::model::{Category, ClauseId, DTypeId, Operand};
use crate::tables::OpCell;

impl Emit<'_> {
    /// How an op treats each pair of operands.
    pub(super) fn pair_hows(&self, which: usize) -> Vec<How> {
        let Compiled { rules, tables } = self.compiled;
        let operands = || self.operands.iter().map(|typed| typed.operand);
        let setting = self.setting();
        let how = |(a, b): (Operand, Operand)| {
            let as_it_is = |operand| self.lookup.stored(operand) == operand;
            let planes = tables.settings[setting].ops[which].pairs;
            let plane = planes.map(|pairs| pairs[a.category as usize][b.category as usize]);
            let (i, j) = (a.dtype.index(), b.dtype.index());
            let cell = plane.map(|plane| tables.pairs[plane][i * rules.dtypes.len() + j]);
            if cell.unwrap_or(OpCell::ByCommon) == OpCell::ByCommon && as_it_is(a) && as_it_is(b) {
                return How::ByCommon;
            }
            match self.lookup.op(which, a, Some(b)) {
                OpCell::Gives { common, compute, output, weak, .. } => {
                    let left =
                        a.category == Category::Array && common == a.dtype && output == a.dtype && !weak;
                    if left && rules.is_register_of(compute, a.dtype) {
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

    /// The tables of pairs: a left operand has its row, a type whose parameters say how each class of right
    /// operands is treated.
    ///
    /// All tables of a set have one type of rows, of which an impl a column takes a parameter; with an impl a
    /// pair PyTorch's set had 1500.
    pub(super) fn pair_rows(&mut self) -> TokenStream {
        let p = self.paths.private.clone();
        let row = format_ident!("{}Row", self.compiled.rules.name);
        let class = |number: usize| quote!(#p::pairs::Class<#number>);
        let mut out = TokenStream::new();
        let mut columns = 0;
        for (hows, marker) in self.pairs.clone() {
            out.extend(quote!(pub struct #marker;));
            let Classes { left, right, rows } = Classes::new(&hows, self.operands.len());
            let mut lefts = Vec::new();
            for row in rows {
                columns = columns.max(row.len());
                lefts.push(row.into_iter().map(|how| self.how(how)).collect::<Vec<_>>());
            }
            for ((typed, left), right) in self.operands.iter().zip(left).zip(right) {
                let (ty, hows, right) = (&typed.ty, &lefts[left], class(right));
                out.extend(quote! {
                    impl #p::pairs::OpClass<#marker> for #ty {
                        type Left = #row<#(#hows),*>;
                        type Right = #right;
                    }
                });
            }
        }
        if columns > 0 {
            let hows: Vec<_> = (0..columns).map(|at| format_ident!("H{at}")).collect();
            out.extend(quote! {
                pub struct #row<#(#hows = ()),*>(::core::marker::PhantomData<(#(#hows,)*)>);
            });
            for (at, how) in hows.iter().enumerate() {
                let class = class(at);
                out.extend(quote! {
                    impl<#(#hows),*> #p::pairs::RowOf<#class> for #row<#(#hows),*> { type How = #how; }
                });
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
                    Some((common, compute, output)) => quote!(#p::OpDTypes<#common, #compute, #output>),
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
                    let any = any_type();
                    let declaration = quote! {
                        pub struct #name;
                        impl<M, A, B> #p::pairs::How<M, A, B, #set> for #name where for<'a> &'a (): #refused<A, B> {
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
struct Classes {
    /// The class of each dtype as a left operand, and as a right one.
    left: Vec<usize>,
    right: Vec<usize>,
    /// Of each class of left operands how it is treated with each class of right ones.
    rows: Vec<Vec<How>>,
}

impl Classes {
    /// The classes of an `n * n` table.
    fn new(hows: &[How], n: usize) -> Classes {
        let row = |i: usize| (0..n).map(|j| hows[i * n + j]).collect::<Vec<_>>();
        let column = |j: usize| (0..n).map(|i| hows[i * n + j]).collect::<Vec<_>>();
        let (left, lefts) = alike((0..n).map(row));
        let (right, rights) = alike((0..n).map(column));
        let rows = lefts.iter().map(|&i| rights.iter().map(|&j| hows[i * n + j]).collect()).collect();
        Classes { left, right, rows }
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
