//! Named arguments: `huber_loss(a, b, delta = 0.5, reduction = mean)`.

use promote::{ExtraKind, Op, Reduction};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Expr, Lit};

use super::at;
use crate::failure::{Failure, listed};
use crate::suggest::near_and_all;

/// A named argument: `delta = 0.5`.
pub(super) struct Named<'a> {
    pub(super) name: String,
    pub(super) value: &'a Expr,
}

impl<'a> Named<'a> {
    /// Reads a named argument of an op, after others.
    pub(super) fn read(
        op: Op,
        assign: &'a syn::ExprAssign,
        before: &[Named<'_>],
    ) -> Result<Named<'a>, Failure> {
        let name = match &*assign.left {
            Expr::Path(path) => path.path.get_ident().map(|ident| ident.unraw().to_string()),
            _ => None,
        };
        let Some(name) = name else {
            return Err(at(assign.left.span(), "this is not the name of an argument").help(names(op)));
        };
        if !named_arguments(op).any(|known| known == name) {
            let known: Vec<&str> = named_arguments(op).collect();
            let failure = at(assign.left.span(), &format!("`{op}` has no argument `{name}`"));
            return Err(failure.help(near_and_all(&name, &known, &names(op))));
        }
        if before.iter().any(|earlier| earlier.name == name) {
            return Err(at(assign.left.span(), &format!("`{name}` is given twice")));
        }
        Ok(Named { name, value: &assign.right })
    }
}

/// Returns the names of an op's named arguments.
fn named_arguments(op: Op) -> impl Iterator<Item = &'static str> {
    let extras =
        op.extras().iter().filter(|extra| !matches!(extra.kind, ExtraKind::Condition | ExtraKind::Operand));
    let reduction = op.is_loss().then_some("reduction");
    extras
        .map(|extra| extra.name)
        .chain(op.flags().iter().map(|flag| flag.name))
        .chain(reduction)
        .chain(op.info().arguments.iter().copied())
}

/// Returns a sentence with the names of an op's named arguments.
pub(super) fn names(op: Op) -> String {
    let names: Vec<&str> = named_arguments(op).collect();
    if names.is_empty() {
        format!("`{op}` has no arguments with names")
    } else {
        format!("the arguments of `{op}` with names: {}", listed(names.into_iter()))
    }
}

/// Reads the reduction of a loss.
pub(super) fn reduced(value: &Expr) -> Result<Option<Reduction>, Failure> {
    let word = match value {
        Expr::Path(path) => path.path.get_ident().map(|ident| ident.unraw().to_string()),
        _ => None,
    };
    match word.as_deref() {
        Some("none") => Ok(None),
        Some("mean") => Ok(Some(Reduction::Mean)),
        Some("sum") => Ok(Some(Reduction::Sum)),
        _ => Err(at(value.span(), "this is not a reduction").help("write `none`, `mean` or `sum`")),
    }
}

/// Reads one axis, `axis = 0`, or several, `axis = (0, -1)`.
pub(super) fn axes(value: &Expr) -> Result<Vec<isize>, Failure> {
    match value {
        Expr::Tuple(tuple) => tuple.elems.iter().map(axis).collect(),
        _ => Ok(vec![axis(value)?]),
    }
}

fn axis(value: &Expr) -> Result<isize, Failure> {
    let wrong =
        || at(value.span(), "this is not an axis").help("write `axis = 0`, `axis = -1` or `axis = (0, 1)`");
    match value {
        Expr::Paren(inner) => axis(&inner.expr),
        Expr::Lit(syn::ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().map_err(|_| wrong()),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => match &**expr {
            Expr::Lit(_) => axis(expr).map(|axis| -axis).map_err(|_| wrong()),
            _ => Err(wrong()),
        },
        _ => Err(wrong()),
    }
}

/// Reads a real number.
pub(super) fn real(value: &Expr) -> Result<f64, Failure> {
    let wrong = || at(value.span(), "this is not a number").help("write a number such as `1` or `0.5`");
    match value {
        Expr::Paren(inner) => real(&inner.expr),
        Expr::Lit(syn::ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().map_err(|_| wrong()),
        Expr::Lit(syn::ExprLit { lit: Lit::Float(float), .. }) => float.base10_parse().map_err(|_| wrong()),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => match &**expr {
            Expr::Lit(_) => real(expr).map(|number| -number).map_err(|_| wrong()),
            _ => Err(wrong()),
        },
        _ => Err(wrong()),
    }
}

/// Reads the value of a flag.
pub(super) fn boolean(name: &str, value: &Expr) -> Result<bool, Failure> {
    match value {
        Expr::Lit(syn::ExprLit { lit: Lit::Bool(literal), .. }) => Ok(literal.value),
        _ => {
            Err(at(value.span(), &format!("`{name}` is either true or false"))
                .help("write `true` or `false`"))
        }
    }
}
