//! How a rule set builds on another, of whichever crate: the other one is also a macro that hands its tokens
//! on.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use quote::{format_ident, quote};

use crate::source::Source;

/// A call of the macro of the rule set that this one builds on; it comes back with the tokens of both.
pub fn ask_for_base(krate: Option<&syn::Path>, base: &syn::Path, own: &TokenStream) -> TokenStream {
    let krate = krate.map_or_else(|| quote!(::promote), |krate| quote!(#krate));
    quote! {
        #base! { [#krate::rules] { #own } }
    }
}

/// The macro of a rule set: calls back with the extension's tokens and those of this set and of all that it
/// builds on.
pub fn hand_on(name: &Ident, chain: &[Source]) -> TokenStream {
    // Exported macros live at the crate's root: two sets of one name in two modules need two.
    let (at, mut place) = (name.span().start(), DefaultHasher::new());
    (&chain[0].file, at.line, at.column).hash(&mut place);
    let helper = format_ident!("__promote_rules_{name}_{:x}", place.finish());
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

/// `#![no_implicit_prelude]` says how this file's crate is compiled.
fn without_attributes(tokens: TokenStream) -> TokenStream {
    let is_hash = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '#');
    let words: Vec<TokenTree> = tokens.into_iter().collect();
    // `#`, `!` and the brackets.
    let begin = words.chunks(3).take_while(|chunk| is_hash(&chunk[0])).count() * 3;
    words.into_iter().skip(begin).collect()
}

/// `crate = path;` says where the facade lives for this file's crate: nobody else's business.
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

/// `crate::` in a rule file is the crate of that file, also where another crate builds on it.
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
