//! Names: the mentions of a type parameter, its name on each side, and fresh names.

use std::collections::BTreeSet;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::format_ident;
use syn::Lifetime;
use syn::ext::IdentExt as _;

/// One of the three containers of `left + right = out`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    Out,
}

/// The names of a promoted type parameter on the three sides.
#[derive(Clone, Debug)]
pub(super) struct Promoted {
    pub(super) left: Ident,
    pub(super) right: Ident,
    pub(super) out: Ident,
}

impl Promoted {
    pub(super) fn at(&self, side: Side) -> &Ident {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
            Side::Out => &self.out,
        }
    }
}

/// The names that occur in a struct's tokens.
pub(super) struct Taken(BTreeSet<String>);

impl Taken {
    pub(super) fn new(tokens: TokenStream) -> Taken {
        let mut names = BTreeSet::new();
        collect(&mut names, tokens);
        Taken(names)
    }

    /// Returns a name like `name` that does not occur in the struct's tokens, so that it shadows no type
    /// there.
    pub(super) fn fresh(&mut self, wanted: &str) -> Ident {
        let mut name = wanted.to_owned();
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        format_ident!("{name}")
    }

    /// Returns the names of a promoted parameter.
    pub(super) fn promoted(&mut self, left: &Ident) -> Promoted {
        let name = left.unraw();
        let right = self.fresh(&format!("Rhs{name}"));
        Promoted { left: left.clone(), right, out: self.fresh(&format!("Out{name}")) }
    }
}

fn collect(names: &mut BTreeSet<String>, tokens: TokenStream) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                names.insert(ident.unraw().to_string());
            }
            TokenTree::Group(group) => collect(names, group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Replaces each mention of a type parameter for which `by` has a replacement.
pub(super) fn replace(tokens: TokenStream, by: &dyn Fn(&Ident) -> Option<TokenTree>) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    for (i, token) in tokens.iter().enumerate() {
        out.extend([match token {
            TokenTree::Ident(ident) if names_a_type(&tokens, i) => by(ident).unwrap_or_else(|| token.clone()),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace(group.stream(), by));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other.clone(),
        }]);
    }
    out
}

/// Returns true if one of the parameters is mentioned outside of `PhantomData<..>`.
pub(super) fn mentions(tokens: TokenStream, parameter: &Ident) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut i, mut found) = (0, false);
    while i < tokens.len() && !found {
        match &tokens[i] {
            TokenTree::Ident(ident) if ident == "PhantomData" => i = behind_arguments(&tokens, i + 1) - 1,
            TokenTree::Ident(ident) => found = ident == parameter && names_a_type(&tokens, i),
            TokenTree::Group(group) => found = mentions(group.stream(), parameter),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        i += 1;
    }
    found
}

/// Returns true if a lifetime is mentioned.
pub(super) fn mentions_lifetime(tokens: TokenStream, lifetime: &Lifetime) -> bool {
    let mut tick = false;
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => mentions_lifetime(group.stream(), lifetime),
        TokenTree::Ident(ident) => tick && ident == lifetime.ident,
        TokenTree::Punct(punct) => {
            tick = punct.as_char() == '\'';
            false
        }
        TokenTree::Literal(_) => false,
    })
}

/// Returns true if an identifier can be a type parameter: it is no lifetime, no path segment after `::` and
/// no name of an associated type (`Item = ..`).
fn names_a_type(tokens: &[TokenTree], at: usize) -> bool {
    let punct = |i: Option<usize>, wanted: char| match i.and_then(|i| tokens.get(i)) {
        Some(TokenTree::Punct(punct)) => punct.as_char() == wanted,
        _ => false,
    };
    let before = at.checked_sub(1);
    let path = punct(before, ':') && punct(at.checked_sub(2), ':');
    !punct(before, '\'') && !path && !punct(Some(at + 1), '=')
}

/// Returns the position after the generic arguments that begin at `at`, or `at` if none do.
fn behind_arguments(tokens: &[TokenTree], begin: usize) -> usize {
    let (mut depth, mut arrow) = (0_usize, false);
    for (i, token) in tokens.iter().enumerate().skip(begin) {
        let punct = if let TokenTree::Punct(punct) = token { punct.as_char() } else { ' ' };
        match punct {
            '<' => depth += 1,
            '>' if !arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
        arrow = punct == '-';
        if depth == 0 {
            return if i == begin { begin } else { i + 1 };
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentioned(ty: &str) -> bool {
        mentions(ty.parse().expect("tokens"), &format_ident!("T"))
    }

    #[test]
    fn a_parameter_is_mentioned_where_it_stands_for_a_type() {
        for ty in [
            "T",
            "[T; N]",
            "Option<T>",
            "(u8, T)",
            "T::Item",
            "dyn Iterator<Item = T>",
            "(PhantomData<fn() -> T>, T)",
        ] {
            assert!(mentioned(ty), "{ty}");
        }
        for ty in [
            "U",
            "&'T u8",
            "module::T",
            "dyn Trait<T = u8>",
            "PhantomData<T>",
            "PhantomData<fn() -> T>",
            "PhantomData",
        ] {
            assert!(!mentioned(ty), "{ty}");
        }
    }

    #[test]
    fn a_fresh_name_is_nobody_else_s() {
        let mut taken = Taken::new("struct S<T> { a: RhsT, b: r#OutT }".parse().expect("tokens"));
        let names = taken.promoted(&format_ident!("T"));
        assert_eq!((names.right.to_string(), names.out.to_string()), ("RhsT_".into(), "OutT_".into()));
        assert_eq!(taken.fresh("RhsT"), "RhsT__");
    }
}
