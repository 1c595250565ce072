//! `promote(a, b)`: a whole expression that returns an array for each of its operands.

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
/// Returns an error if there are no operands, or if one of them is not a name, or is named twice.
pub fn promoted(text: &str) -> Result<Option<Vec<String>>, Failure> {
    // `parse` reports texts that are not expressions.
    let call = match tree(text) {
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
            .help("name each array once: a second time changes nothing"));
        }
        names.push(name);
    }
    if names.is_empty() {
        return Err(at(call.span(), "`promote` has no operands").help("write `promote(a, b)`"));
    }
    Ok(Some(names))
}

/// Returns true for a call of `promote`.
fn is_promote(call: &ExprCall) -> bool {
    matches!(&*call.func, Expr::Path(path) if path.path.get_ident().is_some_and(|ident| ident.unraw() == NAME))
}
