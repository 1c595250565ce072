//! `promote(a, b)`: no op, but all of an expression, whose operands become outputs of their own.

use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprCall};

use super::{at, tree};
use crate::failure::Failure;

/// The name with which promotion is called.
pub(super) const NAME: &str = "promote";

/// Returns the names of the operands if the expression is a call of `promote`.
///
/// # Errors
/// There are no operands, or one of them is not a name that stands there once.
pub fn promoted(text: &str) -> Result<Option<Vec<String>>, Failure> {
    // What is no expression at all, `parse` says, with what can be written instead.
    let call = match tree(text, String::new) {
        Ok(Expr::Call(call)) if is_promote(&call) => call,
        _ => return Ok(None),
    };
    let mut names: Vec<String> = Vec::new();
    for operand in &call.args {
        let name = match operand {
            Expr::Path(path) => path.path.get_ident().map(|ident| ident.unraw().to_string()),
            _ => None,
        };
        let Some(name) = name else {
            return Err(at(
                operand.span(),
                "an operand of `promote` is the name of an array, under which it is written",
            )
            .help("compute the operand by a call of its own, and give the file that comes out a name"));
        };
        if names.contains(&name) {
            return Err(at(
                operand.span(),
                &format!("`{name}` is an operand twice, and would be written twice"),
            )
            .help("name each array once; its own dtype counts once as well"));
        }
        names.push(name);
    }
    if names.is_empty() {
        return Err(at(call.span(), "`promote` has no operands").help("write `promote(a, b)`"));
    }
    Ok(Some(names))
}

/// Whether a call is one of `promote`.
fn is_promote(call: &ExprCall) -> bool {
    matches!(&*call.func, Expr::Path(path) if path.path.get_ident().is_some_and(|ident| ident.unraw() == NAME))
}
