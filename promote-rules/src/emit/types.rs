//! Promotion and ops at the type level, for the dtypes that have a Rust type.
//!
//! The result types of ops are factored, so that few impls suffice. An op whose result has the common dtype
//! is one impl over all pairs. An op of one operand, or one that depends on the common dtype only, has a row
//! for each dtype. An op that depends on both operands has a table of pairs (`pairs`). Ops share equal rows.

mod pairs;
mod zero_dims;

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use pairs::PairRule;
use zero_dims::Join;

use super::paths::{Paths, standard_type};
use crate::Compiled;
use crate::data::Lookup;
use crate::model::pascal;
use crate::model::{Category, ClauseId, DTypeId, NumberKind, Op, Operand, Rules, StandardDType};
use crate::tables::{Cell, OpCell};
use promote_core::ExtraKind;

pub(super) fn impls(compiled: &Compiled, lookup: &Lookup<'_>, outside: &Paths) -> TokenStream {
    let (rules, private, paths) = (&compiled.rules, &outside.private, &Paths::short());
    let typed: Vec<_> = rules.ids().filter_map(|id| Some((id, paths.ty(rules, id)?))).collect();
    let (operands, weak) = operands(compiled, lookup, paths, &typed);
    let mut emit = Emit {
        compiled,
        lookup,
        paths,
        weak,
        operands,
        typed,
        refusals: BTreeMap::new(),
        refusing: BTreeMap::new(),
        maps: BTreeMap::new(),
        pairs: BTreeMap::new(),
        zero_dims: BTreeMap::new(),
    };
    let (promote, zero_dims) = (emit.promote(), emit.zero_dims());
    let with_type = (0..rules.ops.len()).filter(|op| rules.ops[*op].declared.is_none());
    let ops: TokenStream = with_type.map(|op| emit.op(op)).collect();
    let (maps, pairs) = (emit.map_rows(), emit.pair_rows());
    let (generic, aliases) = (emit.generic(), emit.aliases());
    let declarations = emit.refusals.values().chain(emit.refusing.values());
    let refusals: TokenStream = declarations.map(|refusal| refusal.declaration.clone()).collect();
    quote! {
        // One block, so that no helper name leaves it.
        #[allow(non_camel_case_types, clippy::all, clippy::pedantic)]
        const _: () = { use #private as __p; #aliases #refusals #promote #zero_dims #ops #maps #pairs #generic };
    }
}

struct Emit<'a> {
    compiled: &'a Compiled,
    lookup: &'a Lookup<'a>,
    paths: &'a Paths,
    /// The dtypes that have a Rust type.
    typed: Vec<(DTypeId, TokenStream)>,
    /// The types of operands: arrays of `typed`, then numbers without a width and weak results.
    operands: Vec<Typed>,
    /// The dtypes of weak results.
    weak: Vec<(DTypeId, TokenStream)>,
    /// The marker trait of each refusing clause, and without a clause, of results that have no Rust type.
    refusals: BTreeMap<(Option<ClauseId>, Request), Refusal>,
    /// The type by which each clause refuses pairs.
    refusing: BTreeMap<(Option<ClauseId>, Request), Refusal>,
    /// The marker type of each map that ops share.
    maps: BTreeMap<Vec<OpCell>, Ident>,
    /// The marker type of each table of pairs that ops share.
    pairs: BTreeMap<Vec<PairRule>, Ident>,
    /// The marker type of each table of pairs of which an operand is zero-dimensional.
    zero_dims: BTreeMap<Vec<Join>, Ident>,
}

/// The kind of request that a clause refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Request {
    /// The promotion of two operands.
    Promotion,
    /// An op of two operands.
    Pair,
    /// An op of one operand, or an op that depends on the common dtype only.
    Common,
    /// The promotion of two operands of which one is zero-dimensional.
    ZeroDim,
}

struct Refusal {
    name: Ident,
    declaration: TokenStream,
}

/// The type of an operand of a typed function.
#[derive(Clone)]
pub(super) struct Typed {
    pub(super) operand: Operand,
    pub(super) ty: TokenStream,
    /// The kind, if the operand is a number without a width.
    pub(super) number: Option<NumberKind>,
}

/// Returns the types of operands, and the dtypes of weak results.
///
/// A number has the type `Weak` of its kind, whatever dtype the rule set gives it. If values decide, numbers
/// have no type.
pub(super) fn operands(
    compiled: &Compiled,
    lookup: &Lookup<'_>,
    paths: &Paths,
    typed: &[(DTypeId, TokenStream)],
) -> (Vec<Typed>, Vec<(DTypeId, TokenStream)>) {
    let Compiled { rules, tables } = compiled;
    let p = &paths.private;
    let at = tables.default_setting(rules);
    let setting = &tables.settings[at];
    let by_value = |category: Category| setting.values.iter().any(|row| row[category as usize].is_some());
    let kinds = NumberKind::ALL
        .into_iter()
        .zip([StandardDType::Bool, StandardDType::I64, StandardDType::F64, StandardDType::C128])
        .zip(&setting.numbers);
    let numbers = kinds.filter_map(|((kind, ty), cell)| {
        let operand = cell.operand().filter(|operand| !by_value(operand.category))?;
        let ty = standard_type(p, ty);
        Some(Typed { operand, ty: quote!(#p::Weak<#ty>), number: Some(kind) })
    });
    let array = |(id, ty): &(DTypeId, TokenStream)| Typed {
        operand: Operand { dtype: *id, category: Category::Array },
        ty: ty.clone(),
        number: None,
    };
    let mut operands: Vec<_> = typed.iter().map(array).chain(numbers).collect();
    let mut weak: Vec<(DTypeId, TokenStream)> = Vec::new();
    // The result of weak operands may be weak in turn, so this is repeated until no dtype is added.
    loop {
        let pairs = operands.iter().flat_map(|a| operands.iter().map(move |b| (a.operand, b.operand)));
        let given: Vec<DTypeId> = pairs
            .filter_map(|(a, b)| match lookup.promote(a, b) {
                Cell::Resolved(dtype, true, _) => Some(dtype),
                _ => None,
            })
            .collect();
        let new =
            |(id, _): &&(DTypeId, TokenStream)| given.contains(id) && weak.iter().all(|known| known.0 != *id);
        let Some((id, ty)) = typed.iter().find(new) else {
            return (operands, weak);
        };
        weak.push((*id, ty.clone()));
        let ty = quote!(#p::Weak<#ty>);
        if operands.iter().all(|known| known.ty.to_string() != ty.to_string()) {
            operands.push(Typed {
                operand: Operand { dtype: *id, category: Category::Weak },
                ty,
                number: None,
            });
        }
    }
}

/// Returns a name for a type parameter: `name`, unless the rule set is called so.
fn unlike(name: &str, set: &Ident) -> Ident {
    if set == name { format_ident!("__{name}") } else { format_ident!("{name}") }
}

impl Emit<'_> {
    fn setting(&self) -> usize {
        self.compiled.tables.default_setting(&self.compiled.rules)
    }

    fn ty(&self, id: DTypeId) -> Option<TokenStream> {
        self.typed.iter().find(|typed| typed.0 == id).map(|typed| typed.1.clone())
    }

    /// Emits `impl Promote<B, Set> for A` for every pair except two numbers.
    fn promote(&mut self) -> TokenStream {
        let (p, set) = (self.paths.private.clone(), self.compiled.rules.name.clone());
        let mut out = TokenStream::new();
        let operands = self.operands.clone();
        for Typed { operand: i, ty: a, .. } in &operands {
            let mut partners = 0;
            for Typed { operand: j, ty: b, .. } in &operands {
                if i.category == Category::Number && j.category == Category::Number {
                    out.extend(quote! {
                        #[doc(hidden)]
                        impl #p::Promote<#b, #set> for #a where for<'a> &'a (): #p::TwoNumbers<#a, #b> { type Output = #a; }
                    });
                    continue;
                }
                let cell = self.lookup.promote(*i, *j);
                let found = match cell {
                    Cell::Resolved(dtype, weak, _) => self.result(dtype, weak).ok_or(None),
                    Cell::Refused(clause) => Err(Some(clause)),
                    Cell::Unreachable => Err(None),
                };
                out.extend(match found {
                    Ok(ty) => {
                        partners += 1;
                        quote!(impl #p::Promote<#b, #set> for #a { type Output = #ty; })
                    }
                    Err(clause) => {
                        let refused = self.refusal(clause, Request::Promotion);
                        quote! {
                            #[doc(hidden)]
                            impl #p::Promote<#b, #set> for #a where for<'a> &'a (): #refused<#a, #b> { type Output = #a; }
                        }
                    }
                });
            }
            for partner in no_partners(&p, partners) {
                out.extend(
                    quote!(#[doc(hidden)] impl #p::Promote<#partner, #set> for #a { type Output = #a; }),
                );
            }
        }
        out
    }

    /// Emits what generic code needs: the rule set's data, its types by position, and the types that hold its
    /// own.
    fn generic(&self) -> TokenStream {
        let (p, rules) = (&self.paths.private, &self.compiled.rules);
        let set = &rules.name;
        let way = if rules.by_kind { quote!(ByKind) } else { quote!(InOrder) };
        let kinds = self.typed.iter().filter(|_| rules.by_kind).map(|(_, ty)| {
            let kind = quote!(#p::lists::kind(<#ty as #p::Element>::DTYPE));
            quote!(impl #p::lists::OfKind<#set> for #ty { type Kind = #p::lists::Kind<{ #kind }>; })
        });
        let count = rules.dtypes.len();
        let weak = self.weak.iter().map(|(id, ty)| (id.index() + count, quote!(#p::Weak<#ty>)));
        let impls = self.typed.iter().map(|(id, ty)| (id.index(), ty.clone())).chain(weak);
        let impls = impls.map(|(index, ty)| quote!(impl #p::TypeAt<#index> for #set { type Type = #ty; }));
        let own = |id: DTypeId| rules.dtypes[id.index()].path.is_some();
        let pairs = self.typed.iter().flat_map(|a| self.typed.iter().map(move |b| (a, b)));
        let fits = pairs
            .filter(|(a, b)| (own(a.0) || own(b.0)) && (a.0 == b.0 || rules.holds[b.0.index()].contains(a.0)))
            .map(|((_, a), (_, b))| quote!(impl #p::FitsIn<#b, #set> for #a {}));
        quote! {
            impl #p::Rules for #set {
                #[inline]
                fn data() -> #p::RuleSet {
                    Self::new().rule_set()
                }
            }
            impl #p::lists::Joins for #set {
                type Way = #p::lists::#way;
            }
            #(#kinds)*
            #(#impls)*
            #(#fits)*
        }
    }

    /// Returns the type of a result.
    fn result(&self, dtype: DTypeId, weak: bool) -> Option<TokenStream> {
        let (p, ty) = (&self.paths.private, self.ty(dtype)?);
        Some(if weak { quote!(#p::Weak<#ty>) } else { ty })
    }

    /// Returns the marker trait of a refusing clause. Nothing implements it, so that rustc reports a bound on
    /// it with the clause's reason.
    fn refusal(&mut self, clause: Option<ClauseId>, of: Request) -> Ident {
        let rules = &self.compiled.rules;
        let set = &rules.name;
        let taken: Vec<String> = self.refusals.values().map(|refusal| refusal.name.to_string()).collect();
        let refusal = self.refusals.entry((clause, of)).or_insert_with(|| {
            let (name, reason, position) = match clause {
                Some(clause) => {
                    let info = &rules.clauses[clause];
                    let line = info.span.start().line;
                    let reason =
                        info.refusal.as_ref().map_or(String::new(), |refusal| refusal.reason.clone());
                    (refusal_name(rules, clause), reason, format!("{}:{line}", rules.file_of(clause)))
                }
                None => (
                    format!("no_rust_type_in_{set}"),
                    "the dtype they give has no Rust type: ask at run time".to_owned(),
                    rules.files[0].clone(),
                ),
            };
            // A number distinguishes clauses of the same text.
            let numbered = (2..).map(|n| format!("{name}_{n}"));
            let mut names = core::iter::once(name.clone()).chain(numbered);
            let name = names.find(|name| !taken.contains(name)).unwrap_or(name);
            let name = format_ident!("{name}");
            let reason = literal(&reason);
            let message = match of {
                Request::Promotion | Request::ZeroDim => {
                    format!("`{{A}}` and `{{B}}` do not promote under {set}: {reason}")
                }
                Request::Pair => format!("{set} refuses this op for `{{A}}` and `{{B}}`: {reason}"),
                Request::Common => format!("{set} refuses this op for `{{A}}`: {reason}"),
            };
            let label = format!("refused by {}", literal(&position));
            let operands = if of == Request::Common { quote!(A) } else { quote!(A, B) };
            let told = (!rules.bare)
                .then(|| quote!(#[diagnostic::on_unimplemented(message = #message, label = #label)]));
            let declaration = quote! {
                #told
                pub trait #name<#operands> {}
            };
            Refusal { name, declaration }
        });
        refusal.name.clone()
    }

    /// Emits names for the types that the impls of ops repeat: the common dtype of a pair, its row in a map,
    /// and its rule in a table of pairs.
    fn aliases(&self) -> TokenStream {
        let [a, b, table] = self.type_parameters();
        let (p, set) = (&self.paths.private, &self.compiled.rules.name);
        quote! {
            type __Common<#a, #b> = <#a as #p::Promote<#b, #set>>::Output;
            type __Row<#table, #a, #b> = <#table as #p::OpMap<__Common<#a, #b>>>::Row;
            type __Rule<#table, #a, #b> = <<#a as #p::pairs::OpClass<#table>>::Left as #p::pairs::RowOf<
                <#b as #p::pairs::OpClass<#table>>::Right
            >>::Rule;
        }
    }

    /// Emits the impl of an op for its operands, over rows that it may share with other ops, and one for all
    /// its arguments if it has extra inputs.
    fn op(&mut self, which: usize) -> TokenStream {
        let operands = self.operands(which);
        let arguments = self.arguments(&self.compiled.rules.ops[which]);
        quote!(#operands #arguments)
    }

    /// Returns names for the type parameters of an impl, which the rule set itself does not have.
    fn type_parameters(&self) -> [Ident; 3] {
        let set = &self.compiled.rules.name;
        ["A", "B", "C"].map(|name| unlike(name, set))
    }

    /// Emits the impl for all arguments of an op with extra inputs. Its dtypes are those of pairs of its
    /// operands.
    fn arguments(&self, op: &Op) -> Option<TokenStream> {
        let [left_type, right_type, third_type] = self.type_parameters();
        let (p, set) = (&self.paths.private, &self.compiled.rules.name);
        let ty = self.paths.op(op);
        let extras = op.info.kernel.filter(|_| op.standard.is_some())?.extras;
        let pair = quote!(#p::OpRule<#ty, (#left_type, #right_type)>);
        let (operands, arguments, rule, bound) = match extras.first()?.kind {
            ExtraKind::Condition => (
                quote!(#left_type, #right_type),
                quote!((::core::primitive::bool, #left_type, #right_type)),
                pair.clone(),
                quote!(#set: #pair),
            ),
            ExtraKind::Operand => {
                let count = extras.len() - 1;
                let rule = quote!(#p::OpRule<#ty, (<#set as #pair>::Output, #third_type)>);
                (
                    quote!(#left_type, #right_type, #third_type),
                    quote!((#left_type, #right_type, #third_type, #p::Numbers<#count>)),
                    rule.clone(),
                    quote!(#set: #pair + #rule),
                )
            }
            _ if op.info.arity == 1 => {
                let count = extras.len();
                let rule = quote!(#p::OpRule<#ty, (#left_type,)>);
                (
                    quote!(#left_type),
                    quote!((#left_type, #p::Numbers<#count>)),
                    rule.clone(),
                    quote!(#set: #rule),
                )
            }
            _ => {
                let count = extras.len();
                (
                    quote!(#left_type, #right_type),
                    quote!((#left_type, #right_type, #p::Numbers<#count>)),
                    pair.clone(),
                    quote!(#set: #pair),
                )
            }
        };
        Some(quote! {
            #[doc(hidden)]
            impl<#operands> #p::OpRule<#ty, #arguments> for #set
            where
                #bound,
            {
                type Common = <#set as #rule>::Common;
                type Compute = <#set as #rule>::Compute;
                type Output = <#set as #rule>::Output;
            }
        })
    }

    fn operands(&mut self, which: usize) -> TokenStream {
        let [left_type, right_type, _] = self.type_parameters();
        let Compiled { rules, tables } = self.compiled;
        let (p, set) = (&self.paths.private, &rules.name);
        let op = &rules.ops[which];
        let ty = self.paths.op(op);
        let kernel = self.paths.kernel(op).map(|kernel| {
            let scalar = op_constant(p, op, ("right_scalar", "rounded"), "RIGHT_SCALAR", "RightScalar");
            let number = op_constant(p, op, ("number", "wraps"), "NUMBER", "NumberOverflow");
            quote!(#[doc(hidden)] impl #p::OpKernel<#ty> for #set { type Kernel = #kernel; #scalar #number })
        });
        let index = &tables.settings[self.setting()].ops[which];
        let array = |dtype| Operand { dtype, category: Category::Array };
        // Promotion ignores the stored dtype of arrays; tables of pairs respect it.
        let changed = tables.settings[self.setting()].stored.is_some();
        let pairs =
            ((index.pairs.is_some() || changed) && op.info.arity == 2).then(|| self.pair_rules(which));
        let cells: Vec<OpCell> = self
            .typed
            .iter()
            .map(|(id, _)| match op.info.arity {
                1 => self.lookup.op(which, array(*id), None),
                _ => tables.maps[index.maps[Category::Array as usize]][id.index()],
            })
            .collect();
        let of_weak = || {
            let map = &tables.maps[index.maps[Category::Weak as usize]];
            self.weak.iter().map(|(id, _)| map[id.index()]).collect::<Vec<_>>()
        };
        let cells = [cells, of_weak()].concat();
        if let Some(pair_rules) = pairs {
            let (map, set_name) = (marker(&mut self.maps, cells, &format!("{set}Map")), set.to_string());
            let pairs = marker(&mut self.pairs, pair_rules.clone(), &format!("{set_name}Pairs"));
            let class = quote!(#p::pairs::OpClass<#pairs>);
            let rule = quote!(__Rule<#pairs, #left_type, #right_type>);
            let row = quote!(#p::pairs::PairRule<#map, #left_type, #right_type, #set>);
            return quote! {
                #kernel
                #[doc(hidden)]
                impl<#left_type, #right_type> #p::OpRule<#ty, (#left_type, #right_type)> for #set
                where
                    #left_type: #class,
                    #right_type: #class,
                    <#left_type as #class>::Left: #p::pairs::RowOf<<#right_type as #class>::Right>,
                    #rule: #row,
                {
                    type Common = <#rule as #row>::Common;
                    type Compute = <#rule as #row>::Compute;
                    type Output = <#rule as #row>::Output;
                }
            };
        }
        if op.info.arity == 1 {
            let marker = marker(&mut self.maps, cells, &format!("{set}Map"));
            let row = quote!(<#marker as #p::OpMap<#left_type>>::Row);
            return quote! {
                #kernel
                #[doc(hidden)]
                impl<#left_type> #p::OpRule<#ty, (#left_type,)> for #set where #marker: #p::OpMap<#left_type> {
                    type Common = <#row as #p::OpRow>::Common;
                    type Compute = <#row as #p::OpRow>::Compute;
                    type Output = <#row as #p::OpRow>::Output;
                }
            };
        }
        if let Some(output) = self.uniform(op, &cells) {
            return quote! {
                #kernel
                #[doc(hidden)]
                impl<#left_type, #right_type> #p::OpRule<#ty, (#left_type, #right_type)> for #set
                where
                    #left_type: #p::Promote<#right_type, #set>,
                    __Common<#left_type, #right_type>: #p::Element,
                {
                    type Common = __Common<#left_type, #right_type>;
                    type Compute = <__Common<#left_type, #right_type> as #p::Element>::Reg;
                    type Output = #output;
                }
            };
        }
        let marker = marker(&mut self.maps, cells, &format!("{set}Map"));
        let row = quote!(__Row<#marker, #left_type, #right_type>);
        quote! {
            #kernel
            #[doc(hidden)]
            impl<#left_type, #right_type> #p::OpRule<#ty, (#left_type, #right_type)> for #set
            where
                #left_type: #p::Promote<#right_type, #set>,
                #marker: #p::OpMap<__Common<#left_type, #right_type>>,
            {
                type Common = <#row as #p::OpRow>::Common;
                type Compute = <#row as #p::OpRow>::Compute;
                type Output = <#row as #p::OpRow>::Output;
            }
        }
    }

    /// Returns the output type of an op whose result has the common dtype, or a fixed one, for every pair;
    /// `None` for other ops.
    fn uniform(&self, op: &Op, cells: &[OpCell]) -> Option<TokenStream> {
        let [left_type, right_type, _] = self.type_parameters();
        let rules = &self.compiled.rules;
        if !self.weak.is_empty() {
            return None;
        }
        let mut fixed = None;
        for (cell, (id, _)) in cells.iter().zip(&self.typed) {
            let OpCell::Resolved { common, compute, output, .. } = *cell else {
                return None;
            };
            if common != *id || !rules.is_register_of(compute, common) {
                return None;
            }
            if op.info.gives_bool() {
                fixed = Some(self.ty(output)?);
            } else if output != common {
                return None;
            }
        }
        Some(fixed.unwrap_or_else(|| quote!(__Common<#left_type, #right_type>)))
    }

    fn map_rows(&mut self) -> TokenStream {
        let mut out = TokenStream::new();
        for (cells, marker) in self.maps.clone() {
            out.extend(quote!(pub struct #marker;));
            // The rows of weak results come after those of arrays.
            let p = &self.paths.private;
            let weak = self.weak.iter().map(|(_, ty)| quote!(#p::Weak<#ty>));
            let types: Vec<TokenStream> = self.typed.iter().map(|(_, ty)| ty.clone()).chain(weak).collect();
            let accepted = cells.iter().find_map(|cell| self.row_types(*cell).ok());
            for (cell, ty) in cells.into_iter().zip(types) {
                out.extend(self.map_row(cell, &marker, &ty, accepted.as_ref()));
            }
        }
        out
    }

    /// Emits a row of a map: an impl with three types, or for a refused dtype an impl under a bound that
    /// never holds. That impl computes in the types of an accepted row, so that rustc reports only the
    /// refusal.
    fn map_row(
        &mut self,
        cell: OpCell,
        marker: &Ident,
        ty: &TokenStream,
        accepted: Option<&[TokenStream; 3]>,
    ) -> TokenStream {
        let p = self.paths.private.clone();
        match self.row_types(cell) {
            Ok(types) => quote! {
                impl #p::OpMap<#ty> for #marker { type Row = #p::OpDTypes<#(#types),*>; }
            },
            Err(clause) => {
                let refused = self.refusal(clause, Request::Common);
                let any = any_type();
                let [common, compute] = accepted
                    .map_or([any.clone(), any.clone()], |[common, compute, _]| {
                        [common.clone(), compute.clone()]
                    });
                let types = [common, compute, any];
                quote!(impl #p::OpMap<#ty> for #marker where for<'a> &'a (): #refused<#ty> { type Row = #p::OpDTypes<#(#types),*>; })
            }
        }
    }

    /// Returns the common, the compute and the output type of a cell, or the clause that refuses.
    fn row_types(&self, cell: OpCell) -> Result<[TokenStream; 3], Option<ClauseId>> {
        match cell {
            OpCell::Resolved { common, compute, output, weak, .. } => {
                (|| Some([self.ty(common)?, self.ty(compute)?, self.result(output, weak)?]))().ok_or(None)
            }
            OpCell::Refused(clause) => Err(Some(clause)),
            OpCell::ByCommon | OpCell::Unreachable => Err(None),
        }
    }
}

/// Returns a type in which most ops compute, so that rustc reports only the refusal.
fn any_type() -> TokenStream {
    quote!(::core::primitive::f32)
}

/// Emits the constant of an option that the run time reads, unless the value is the default.
fn op_constant(
    p: &TokenStream,
    op: &Op,
    (key, default): (&str, &str),
    constant: &str,
    ty: &str,
) -> Option<TokenStream> {
    let value = op.option(key).filter(|value| *value != default)?;
    let [constant, ty, value] = [constant, ty, &pascal(value)].map(|name| format_ident!("{name}"));
    Some(quote!(const #constant: #p::semantics::#ty = #p::semantics::#ty::#value;))
}

/// Escapes a text for rustc's diagnostic attributes.
fn literal(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// Returns a readable name for the marker trait of a clause: rustc shows it in a note.
fn refusal_name(rules: &Rules, clause: ClauseId) -> String {
    let info = &rules.clauses[clause];
    let patterns = info.text.split("=>").next().unwrap_or_default();
    let written = format!("{} {patterns}", info.block.replace("..", "and_others"));
    let words =
        written.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    format!("{}_refuses_{}", rules.name, words.collect::<Vec<_>>().join("_"))
}

/// Partners that nobody has. Where a type has only one partner, rustc takes any other for a mismatch with
/// that one and never comes to say why it is refused; where it has none, it does not say that either.
fn no_partners(private: &TokenStream, partners: usize) -> impl Iterator<Item = TokenStream> {
    (partners..2).map(move |which| quote!(#private::NoPartner<#which>))
}

/// The marker type of a table that ops share.
fn marker<T: Ord>(known: &mut BTreeMap<Vec<T>, Ident>, cells: Vec<T>, prefix: &str) -> Ident {
    let next = known.len();
    known.entry(cells).or_insert_with(|| format_ident!("{prefix}{next}")).clone()
}
