//! Mistakes in the body of a kernel that rustc would report as a missing trait of the standard library.
//!
//! Only certain mistakes are reported. An operand counts as a number of the kernel if it is an input, a local
//! made of such numbers, or the result of operators on them. Everything else is left to rustc.

use proc_macro2::Span;
use promote_core::__private::{BINARY_METHODS, op_of_rust_method};
use quote::ToTokens as _;
use syn::spanned::Spanned as _;
use syn::{BinOp, Block, Expr, Ident, ItemFn, Lit, Local, Pat, Stmt, UnOp};

use crate::diag::Errors;

/// Checks the body of a function with these inputs, whose numbers have this bound.
pub(super) fn check(errors: &mut Errors, function: &ItemFn, number: &Ident, inputs: &[&Ident], bound: &str) {
    let numbers = inputs.iter().map(|&input| input.clone()).collect();
    let mut body =
        Body { errors, number, numbers, ordered: bound != "Arithmetic", divides: bound == "Floating" };
    body.block(&function.block);
    body.ends_in_number(&function.block);
}

struct Body<'a> {
    errors: &'a mut Errors,
    /// The type parameter.
    number: &'a Ident,
    /// The names of the numbers that are in scope.
    numbers: Vec<Ident>,
    ordered: bool,
    divides: bool,
}

impl Body<'_> {
    fn block(&mut self, block: &Block) {
        let outside = self.numbers.clone();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Local(local) => self.local(local),
                Stmt::Expr(expr, _) => self.expr(expr),
                Stmt::Item(_) | Stmt::Macro(_) => {}
            }
        }
        self.numbers = outside;
    }

    /// Adds a local: it shadows variables of its names, and is a number if its value is one.
    fn local(&mut self, local: &Local) {
        let made = local.init.as_ref().is_some_and(|init| {
            self.expr(&init.expr);
            self.is_number(&init.expr)
        });
        hide(&mut self.numbers, local.pat.to_token_stream());
        if let (true, Pat::Ident(pat)) = (made, &local.pat) {
            self.numbers.push(pat.ident.clone());
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Binary(binary) => {
                self.expr(&binary.left);
                self.expr(&binary.right);
                self.binary(&binary.left, &binary.op, &binary.right);
            }
            Expr::Unary(unary) => {
                self.expr(&unary.expr);
                if matches!(unary.op, UnOp::Not(_)) && self.is_number(&unary.expr) {
                    self.no_operator(unary.op.span(), "!");
                }
            }
            Expr::Paren(inner) => self.expr(&inner.expr),
            Expr::Group(inner) => self.expr(&inner.expr),
            Expr::Call(call) => {
                call.args.iter().for_each(|arg| self.expr(arg));
                if self.is_of_number(&call.func, "select") {
                    call.args.iter().skip(1).for_each(|arg| self.wants_number(arg));
                }
            }
            Expr::MethodCall(call) => {
                self.expr(&call.receiver);
                call.args.iter().for_each(|arg| self.expr(arg));
                let renamed = op_of_rust_method(&call.method.to_string());
                if let Some(op) = renamed.filter(|_| self.is_number(&call.receiver)) {
                    self.errors
                        .push(
                            call.method.span(),
                            format!("a kernel's numbers have no method `{}`", call.method),
                        )
                        .help(format!("write `{op}`"));
                }
                if self.is_number(&call.receiver) && BINARY_METHODS.iter().any(|name| call.method == name) {
                    call.args.iter().for_each(|arg| self.wants_number(arg));
                }
            }
            Expr::If(choice) if !matches!(&*choice.cond, Expr::Let(_)) => {
                self.expr(&choice.cond);
                self.block(&choice.then_branch);
                if let Some((_, other)) = &choice.else_branch {
                    self.expr(other);
                }
            }
            Expr::Block(block) => self.block(&block.block),
            Expr::Return(value) => {
                if let Some(value) = &value.expr {
                    self.expr(value);
                    self.wants_number(value);
                }
            }
            _ => {}
        }
    }

    fn binary(&mut self, left: &Expr, op: &BinOp, right: &Expr) {
        let span = op.span();
        if is_literal(left) && self.is_number(right) && is_arithmetic(op) {
            let (text, op) = (left.to_token_stream(), op.to_token_stream());
            self.errors
                .push(left.span(), "a literal cannot stand on the left of a kernel's number")
                .help(format!("write `{}::of({text}) {op} ..`, or the number first", self.number));
        }
        if !self.is_number(left) {
            return;
        }
        match op {
            BinOp::Div(_) if !self.divides => {
                self.errors
                    .push(span, "`/` needs floats, and the kernel may compute in integers")
                    .help(format!("bound its numbers by floats: `{}: Floating`", self.number));
            }
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) if !self.ordered => {
                self.errors
                    .push(span, "the kernel may compute in complex numbers, which have no order")
                    .help(format!("bound its numbers: `{}: Ordered`, or `Floating`", self.number));
            }
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_) => {
                self.wants_number(right);
            }
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) => {
                if let Some(Lit::Int(literal)) = literal(right)
                    && literal.suffix().is_empty()
                {
                    self.errors
                        .push(literal.span(), "a literal beside a kernel's number is an `f64`")
                        .help(format!("write `{}.0`", literal.base10_digits()));
                }
            }
            other => {
                let text = other.to_token_stream().to_string();
                self.no_operator(span, &text);
            }
        }
    }

    fn no_operator(&mut self, span: Span, op: &str) {
        self.errors.push(span, format!("a kernel's numbers have no operator `{op}`")).help(
            "they have `+ - *`, `/` if they are `Floating`, and the methods of `Arithmetic`, `Ordered` and `Floating`",
        );
    }

    /// Reports a literal where a number of the kernel's dtype is needed.
    fn wants_number(&mut self, expr: &Expr) {
        match expr {
            _ if is_literal(expr) => {
                let text = expr.to_token_stream().to_string().replace(' ', "");
                self.errors
                    .push(expr.span(), "a literal is not a number of the kernel's type")
                    .help(format!("make it one: `{}::of({text})`", self.number));
            }
            Expr::Paren(inner) => self.wants_number(&inner.expr),
            Expr::Block(block) => self.ends_in_number(&block.block),
            Expr::If(choice) => {
                self.ends_in_number(&choice.then_branch);
                if let Some((_, other)) = &choice.else_branch {
                    self.wants_number(other);
                }
            }
            _ => {}
        }
    }

    fn ends_in_number(&mut self, block: &Block) {
        if let Some(Stmt::Expr(value, None)) = block.stmts.last() {
            self.wants_number(value);
        }
    }

    fn is_number(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| self.numbers.contains(name)),
            Expr::Paren(inner) => self.is_number(&inner.expr),
            Expr::Group(inner) => self.is_number(&inner.expr),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && self.is_number(&unary.expr),
            Expr::Binary(binary) => is_arithmetic(&binary.op) && self.is_number(&binary.left),
            Expr::Call(call) => {
                self.is_of_number(&call.func, "of") || self.is_of_number(&call.func, "select")
            }
            _ => false,
        }
    }

    /// Returns true if the expression is `T::name`.
    fn is_of_number(&self, function: &Expr, name: &str) -> bool {
        let Expr::Path(path) = function else { return false };
        let segments: Vec<_> = path.path.segments.iter().map(|segment| &segment.ident).collect();
        path.qself.is_none() && matches!(segments[..], [ty, method] if ty == self.number && method == name)
    }
}

fn is_arithmetic(op: &BinOp) -> bool {
    matches!(op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_))
}

/// Returns true for a literal number, or the negative of one.
fn literal(expr: &Expr) -> Option<&Lit> {
    match expr {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_) | Lit::Float(_)).then_some(&literal.lit),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => literal(&unary.expr),
        _ => None,
    }
}

fn is_literal(expr: &Expr) -> bool {
    literal(expr).is_some()
}

/// Removes the names of a pattern from scope.
fn hide(numbers: &mut Vec<Ident>, pattern: proc_macro2::TokenStream) {
    for token in pattern {
        match token {
            proc_macro2::TokenTree::Ident(name) => numbers.retain(|number| *number != name),
            proc_macro2::TokenTree::Group(group) => hide(numbers, group.stream()),
            _ => {}
        }
    }
}
