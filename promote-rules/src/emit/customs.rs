//! The kernels of a rule set: those of the build, and those of its custom dtypes that have a Rust type.
//!
//! The emitted code probes for a kernel of each op in each custom dtype that the file computes it in. Whether
//! there is one depends on the traits of the type, which only rustc knows.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::loop_set;
use super::paths::Paths;
use crate::{Compiled, data};
use promote_core::__private::ResultForm;

use crate::model::DTypeId;
use crate::tables::OpCell;

/// Emits `impl KernelSource`.
pub(super) fn source(compiled: &Compiled, lookup: &data::Lookup<'_>, paths: &Paths) -> TokenStream {
    let (rules, p) = (&compiled.rules, &paths.private);
    let set = &rules.name;
    let customs: Vec<_> = rules.ids().filter_map(|id| custom(compiled, id)).collect();
    let loops = loop_set::loops(compiled, lookup, &rules.loops, &quote!(::core::option::Option::None));
    if customs.is_empty() && loops.is_none() {
        return quote! {
            #p::if_kernels! {
                #[doc(hidden)]
                impl #p::KernelSource for #set {
                    const KERNELS: &'static #p::Kernels = #p::KERNELS;
                }
            }
        };
    }
    let with_loops = loops.as_ref().map(|_| quote!(.with_loops(&LOOPS)));
    let with_customs = (!customs.is_empty()).then(|| {
        let count = customs.len();
        quote! {
            use __p::Absent as _;
            __p::levels! { mod __tokens }
            static OF_CUSTOMS: [__p::CustomKernels; #count] = [#(#customs),*];
            const CUSTOMS: &[__p::CustomKernels] = &OF_CUSTOMS;
        }
    });
    let customs = (!customs.is_empty()).then(|| quote!(.with_customs(CUSTOMS)));
    quote! {
        #p::if_kernels! {
            const _: () = {
                use #p as __p;
                #with_customs
                #loops
                static KERNELS: __p::Kernels = __p::KERNELS #customs #with_loops;
                #[doc(hidden)]
                impl __p::KernelSource for #set {
                    const KERNELS: &'static __p::Kernels = &KERNELS;
                }
            };
        }
    }
}

/// Emits the kernels of a custom dtype that has a Rust type.
fn custom(compiled: &Compiled, id: DTypeId) -> Option<TokenStream> {
    let Compiled { rules, .. } = compiled;
    let (dtype, paths) = (&rules.dtypes[id.index()], Paths::short());
    let ty = dtype.path.as_ref()?;
    let p = &paths.private;
    let entries = rules.ops.iter().enumerate().filter_map(|(which, op)| {
        let kernel = op.info.kernel.filter(|_| computed_in(compiled, which).contains(&id))?;
        let key = paths.kernel(op)?;
        let constant = match (op.info.arity, kernel.result) {
            _ if kernel.chooses() => quote!(CHOSEN),
            _ if !kernel.extras.is_empty() => return None,
            (1, ResultForm::Bool) => quote!(UNARY_TRUTH),
            (1, _) => quote!(UNARY),
            (_, ResultForm::Bool) => quote!(BINARY_TRUTH),
            _ => quote!(BINARY),
        };
        Some(quote!(#p::Probe::<__tokens::Levels, #key, #ty>::#constant))
    });
    let entries = quote!(#(#entries),*);
    Some(quote_spanned!(dtype.span => #p::CustomKernels::new::<__tokens::Levels, #ty>(&[#entries])))
}

/// Returns the dtypes in which the file computes an op, under any setting.
fn computed_in(compiled: &Compiled, which: usize) -> BTreeSet<DTypeId> {
    let tables = &compiled.tables;
    let indices = || tables.settings.iter().map(|setting| &setting.ops[which]);
    let maps = indices().flat_map(|index| index.maps);
    let pairs: BTreeSet<usize> = indices().filter_map(|index| index.pairs).flatten().flatten().collect();
    let planes = maps.collect::<BTreeSet<_>>().into_iter().map(|map| &tables.maps[map]);
    let cells = planes.chain(pairs.into_iter().map(|pair| &tables.pairs[pair])).flatten();
    cells
        .filter_map(|cell| match cell {
            OpCell::Resolved { compute, .. } => Some(*compute),
            _ => None,
        })
        .collect()
}
