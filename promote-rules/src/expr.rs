//! Expressions in Rust's syntax whose operators and calls are ops. The macro `mixed!` and the command `eval`
//! use them.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::BinOp;

/// Returns the op of a binary operator.
pub fn operator(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) => "add",
        BinOp::Sub(_) => "subtract",
        BinOp::Mul(_) => "multiply",
        BinOp::Div(_) => "divide",
        BinOp::Rem(_) => "remainder",
        BinOp::BitAnd(_) => "bitwise_and",
        BinOp::BitOr(_) => "bitwise_or",
        BinOp::BitXor(_) => "bitwise_xor",
        BinOp::Shl(_) => "left_shift",
        BinOp::Shr(_) => "right_shift",
        BinOp::And(_) => "logical_and",
        BinOp::Or(_) => "logical_or",
        BinOp::Eq(_) => "equal",
        BinOp::Ne(_) => "not_equal",
        BinOp::Lt(_) => "less",
        BinOp::Le(_) => "less_equal",
        BinOp::Gt(_) => "greater",
        BinOp::Ge(_) => "greater_equal",
        _ => return None,
    })
}

/// Makes `where` an ordinary name, so that it can be an op. Such expressions have no where clauses.
pub fn without_where(tokens: TokenStream) -> TokenStream {
    renamed(tokens, &|name| name == "where")
}

/// Makes all of Rust's keywords ordinary names, so that `in` can name an array.
pub fn without_keywords(tokens: TokenStream) -> TokenStream {
    renamed(tokens, &|name| {
        let fixed = ["true", "false", "self", "Self", "super", "crate", "_"].contains(&name);
        !fixed && !name.starts_with("r#") && syn::parse_str::<Ident>(name).is_err()
    })
}

fn renamed(tokens: TokenStream, raw: &impl Fn(&str) -> bool) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(ident) if raw(&ident.to_string()) => {
                TokenTree::Ident(Ident::new_raw(&ident.to_string(), ident.span()))
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), renamed(group.stream(), raw));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        })
        .collect()
}
