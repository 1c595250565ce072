//! Rule sets that build on others, also on those of other crates: a base set is also a macro that passes on
//! its tokens.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use quote::{format_ident, quote};

use crate::source::Source;

/// Emits a call of the base set's macro, which calls back the macro `name` of the facade with the tokens of
/// both.
pub fn ask_for_base(
    krate: Option<&syn::Path>,
    name: &str,
    base: &syn::Path,
    own: &TokenStream,
) -> TokenStream {
    let krate = krate.map_or_else(|| quote!(::promote), |krate| quote!(#krate));
    let name = format_ident!("{name}");
    quote! {
        #base! { [#krate::#name] { #own } }
    }
}

/// Emits the macro of a rule set. It calls back with the tokens of the extension, of this set and of all sets
/// that it builds on.
pub fn hand_on(name: &Ident, chain: &[Source]) -> TokenStream {
    // Exported macros are at the root of the crate, so two sets of one name in two modules need two names.
    let (at, mut hasher) = (name.span().start(), DefaultHasher::new());
    (&chain[0].file, at.line, at.column).hash(&mut hasher);
    let helper = format_ident!("__promote_rules_{name}_{:x}", hasher.finish());
    let (file, own) = (&chain[0].file, at_home(without_crate(without_attributes(chain[0].tokens.clone()))));
    let bases = chain[1..].iter().map(|Source { file, tokens, .. }| quote!({ #file #tokens }));
    quote! {
        #[doc(hidden)]
        #[allow(non_local_definitions, unused_macros)]
        #[macro_export]
        macro_rules! #helper {
            ([$($callback:tt)*] $extension:tt) => {
                $($callback)*! { @chain $extension { #file #own } #(#bases)* }
            };
        }

        #[doc(hidden)]
        #[allow(unused_imports, unreachable_pub)]
        pub use #helper as #name;
    }
}

/// Removes attributes such as `#![no_implicit_prelude]`, which concern the crate of the file only.
fn without_attributes(tokens: TokenStream) -> TokenStream {
    let is_hash = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '#');
    let words: Vec<TokenTree> = tokens.into_iter().collect();
    // `#`, `!` and the brackets.
    let begin = words.chunks(3).take_while(|chunk| is_hash(&chunk[0])).count() * 3;
    words.into_iter().skip(begin).collect()
}

/// Removes `crate = path;`, the path of the facade in the crate of the file only.
fn without_crate(tokens: TokenStream) -> TokenStream {
    let mut words = tokens.clone().into_iter();
    let crate_first = matches!(words.next(), Some(TokenTree::Ident(word)) if word == "crate");
    let assigned = matches!(words.next(), Some(TokenTree::Punct(punct)) if punct.as_char() == '=');
    if !(crate_first && assigned) {
        return tokens;
    }
    words
        .skip_while(|token| !matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';'))
        .skip(1)
        .collect()
}

/// Replaces `crate` by `$crate`: it is the crate of the file, also if another crate builds on the set.
fn at_home(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(ident) if ident == "crate" => {
                vec![TokenTree::Punct(Punct::new('$', Spacing::Alone)), TokenTree::Ident(ident)]
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), at_home(group.stream()));
                inner.set_span(group.span());
                vec![TokenTree::Group(inner)]
            }
            other => vec![other],
        })
        .collect()
}
