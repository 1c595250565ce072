//! `mixed! { Torch => a * x + y / 2 }`: operators and calls become ops of a rule set, each rounding as if
//! called alone.
//!
//! Each op that is an operand of another becomes a `let` statement. Nested calls would be shorter, but the
//! time that rustc takes to check their types grows with the square of their depth.

use proc_macro2::{Ident, Span, TokenStream};
use promote_core::{Extra, ExtraKind};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Expr, Lit, Token, UnOp};

use super::at;
use crate::diag::Errors;
use crate::expr::{operator, without_where};
use crate::model::StandardOp;

/// Emits the expression in Rust, or its mistakes.
pub fn mixed(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parse = |input: ParseStream<'_>| {
        let mut krate = None;
        if input.peek(Token![crate]) && input.peek2(Token![=]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            krate = Some(syn::Path::parse_mod_style(input)?);
            input.parse::<Token![;]>()?;
        }
        let set: syn::Type = input.parse()?;
        input.parse::<Token![=>]>()?;
        Ok((krate, set, input.parse::<Expr>()?))
    };
    let (found, set) = match parse.parse2(without_where(tokens)) {
        Ok((krate, set, expr)) => {
            let krate = krate.map_or_else(|| quote!(::promote), |krate| quote!(#krate));
            let set = quote!(#set);
            let mut walk = Walk { errors: &mut errors, krate, set: set.clone(), bindings: Vec::new() };
            let (result, bindings) = (walk.value(&expr).tokens, walk.bindings);
            // One op alone needs no block.
            let found = if bindings.is_empty() { result } else { quote!({ #(#bindings)* #result }) };
            (found, Some(set))
        }
        Err(error) => {
            errors
                .push(error.span(), format!("expected an expression over scalars: {error}"))
                .help("write the rule set, `=>` and an expression: `mixed! { Torch => a * x + y / 2 }`");
            (TokenStream::new(), None)
        }
    };
    match errors.or(found) {
        Ok(found) => found,
        Err(errors) => {
            let errors = errors.to_compile_errors();
            // No further errors: the rule set is used, and the result fits any type.
            let used = set.map(|set| quote!(let _: ::core::marker::PhantomData<#set>;));
            quote!({ #errors #used ::core::unreachable!() })
        }
    }
}

/// A part of the expression.
struct Value {
    tokens: TokenStream,
    part: Part,
}

/// The kind of a part of the expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A literal.
    Number,
    /// A Rust expression.
    Rust,
    /// A call that computes an op or a cast.
    Call,
    /// A variable that one of [`Walk::bindings`] makes.
    Bound,
}

impl Value {
    fn rust(tokens: TokenStream) -> Value {
        Value { tokens, part: Part::Rust }
    }

    fn is_number(&self) -> bool {
        self.part == Part::Number
    }
}

struct Walk<'a> {
    errors: &'a mut Errors,
    krate: TokenStream,
    set: TokenStream,
    /// The statements that compute operands, in the order in which they are written.
    bindings: Vec<TokenStream>,
}

impl Walk<'_> {
    fn value(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Paren(inner) => self.value(&inner.expr),
            Expr::Group(inner) => self.value(&inner.expr),
            Expr::Lit(literal) => self.literal(&literal.lit, false),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Cast(cast) => {
                let (krate, ty) = (self.krate.clone(), &cast.ty);
                let inner = self.operand(&mut [], &cast.expr).tokens;
                let tokens = quote_spanned!(cast.as_token.span=> #krate::Cast::<#ty>::cast(#inner));
                Value { tokens, part: Part::Call }
            }
            Expr::Call(call) => self.call(call),
            other => Value::rust(quote!(#other)),
        }
    }

    /// Emits an operand, bound to a variable if an op computes it. If that adds a statement, the operands
    /// `before` are bound too, because they are evaluated first.
    fn operand(&mut self, before: &mut [Value], expr: &Expr) -> Value {
        let start = self.bindings.len();
        let mut value = self.value(expr);
        if value.part == Part::Call {
            let end = self.bindings.len();
            self.bind(end, &mut value);
        }
        if self.bindings.len() > start {
            let unbound = before.iter_mut().filter(|value| value.part == Part::Rust);
            for (at, value) in unbound.enumerate() {
                self.bind(start + at, value);
            }
        }
        value
    }

    /// Binds a value to a variable, by a statement at this position.
    fn bind(&mut self, at: usize, value: &mut Value) {
        let span = value.tokens.clone().into_iter().next().map_or_else(Span::call_site, |first| first.span());
        // With this hygiene the name neither refers to nor shadows a variable of the user's.
        let name =
            Ident::new(&format!("operand_{}", self.bindings.len()), Span::mixed_site().located_at(span));
        let tokens = core::mem::replace(&mut value.tokens, quote!(#name));
        value.part = Part::Bound;
        self.bindings.insert(at, quote!(let #name = #tokens;));
    }

    /// Emits a chain of operators. Left operands are visited in a loop, so that a long chain needs no deep
    /// stack.
    fn binary(&mut self, binary: &syn::ExprBinary) -> Value {
        let mut chain = vec![binary];
        while let Some(Expr::Binary(left)) = chain.last().map(|binary| &*binary.left) {
            chain.push(left);
        }
        let first = chain.last().map_or(&*binary.left, |last| &*last.left);
        let mut left = self.value(first);
        for binary in chain.into_iter().rev() {
            let Some(op) = operator(&binary.op).and_then(|name| name.parse().ok()) else {
                self.errors
                    .push(binary.op.span(), "`mixed!` cannot assign")
                    .help("assign what `mixed!` gives: `x = mixed! { .. };`");
                return Value::rust(TokenStream::new());
            };
            if left.part == Part::Call {
                let end = self.bindings.len();
                self.bind(end, &mut left);
            }
            let mut before = [left];
            let right = self.operand(&mut before, &binary.right);
            let [before] = before;
            if before.is_number() && right.is_number() {
                self.two_numbers(binary.op.span());
            }
            left = self.op(op, binary.op.span(), [before, right]);
        }
        left
    }

    /// Emits a literal: a number without a width, unless it has a Rust suffix.
    fn literal(&mut self, literal: &Lit, negative: bool) -> Value {
        let krate = &self.krate;
        let sign = negative.then(|| quote!(-));
        let imaginary = |digits: &str| {
            let im: f64 = digits.parse().ok()?;
            let im = if negative { -im } else { im };
            Some(quote!(#krate::__private::t::c128 { re: 0.0, im: #im }))
        };
        let number = match literal {
            Lit::Int(int) if int.suffix() == "j" => imaginary(int.base10_digits()),
            Lit::Float(float) if float.suffix() == "j" => imaginary(float.base10_digits()),
            Lit::Int(int) if int.suffix().is_empty() => {
                let most = if negative { 1 << 63 } else { (1 << 63) - 1 };
                if int.base10_parse::<u64>().map_or(true, |x| x > most) {
                    self.errors
                        .push(int.span(), "an integer beyond the range of `i64`")
                        .help("write it as a float, with `.0` at its end, or give it a type: `.._u64`");
                }
                Some(quote!(#sign #int as ::core::primitive::i64))
            }
            Lit::Float(float) if float.suffix().is_empty() => {
                Some(quote!(#sign #float as ::core::primitive::f64))
            }
            Lit::Bool(bool) if !negative => Some(quote!(#bool)),
            _ => None,
        };
        match number {
            Some(number) => {
                let tokens = quote_spanned!(literal.span()=> #krate::weak(#number));
                Value { tokens, part: Part::Number }
            }
            None => Value::rust(quote!(#sign #literal)),
        }
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Value {
        let op = match (&unary.op, &*unary.expr) {
            (UnOp::Neg(_), Expr::Lit(literal)) => return self.literal(&literal.lit, true),
            (UnOp::Neg(_), _) => Some(StandardOp::Negative),
            (UnOp::Not(_), _) => Some(StandardOp::BitwiseNot),
            _ => None,
        };
        let Some(op) = op else {
            return Value::rust(quote!(#unary));
        };
        let inner = self.operand(&mut [], &unary.expr);
        if inner.is_number() {
            self.two_numbers(unary.op.span());
        }
        self.op(op, unary.op.span(), [inner])
    }

    /// Emits a call of an op by its name. Any other call is left as it is.
    fn call(&mut self, call: &syn::ExprCall) -> Value {
        let name = match &*call.func {
            Expr::Path(path) => path.path.get_ident().map(|ident| ident.unraw().to_string()),
            _ => None,
        };
        let op = name.and_then(|name| name.parse::<StandardOp>().ok());
        let Some((op, kernel)) = op.and_then(|op| Some((op, op.info().kernel?))) else {
            return Value::rust(quote!(#call));
        };
        let extras = kernel.extras;
        let before = extras.iter().filter(|extra| extra.kind == ExtraKind::Condition).count();
        let joined = extras.iter().filter(|extra| extra.kind == ExtraKind::Operand).count();
        let flags = (!kernel.flags.is_empty()).then_some("flags");
        let names: Vec<&str> = extras.iter().map(|extra| extra.name).chain(flags).collect();
        let count = op.arity() + names.len();
        if call.args.len() != count {
            let among = if names.is_empty() {
                String::new()
            } else {
                format!(", {} among them", names.join(" and "))
            };
            self.errors.push(call.span(), format!("`{}` takes {count} operands{among}", op.name()));
        }
        let operands = before..before + op.arity() + joined;
        let mut values: Vec<Value> = Vec::with_capacity(count);
        for (i, arg) in call.args.iter().enumerate() {
            // Arguments after the operands are plain Rust numbers, and a literal condition is a Rust `bool`.
            let is_bool = i < before && matches!(arg, Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Bool(_)));
            let value = if i < operands.end && !is_bool {
                self.operand(&mut values, arg)
            } else {
                Value::rust(quote!(#arg))
            };
            values.push(value);
        }
        if values.len() >= operands.end && values[operands].iter().all(Value::is_number) {
            self.two_numbers(call.span());
        }
        self.op(op, call.func.span(), values)
    }

    fn op(&mut self, op: StandardOp, span: Span, values: impl IntoIterator<Item = Value>) -> Value {
        // Errors about the operands are reported at the operator.
        let (krate, set) = (&self.krate, at(span, self.set.clone()));
        let values: Vec<TokenStream> = values.into_iter().map(|value| value.tokens).collect();
        let ty = format_ident!("{}", op.variant());
        let extras = op.info().kernel.map_or(&[][..], |kernel| kernel.extras);
        let operand = |extra: &&Extra| matches!(extra.kind, ExtraKind::Condition | ExtraKind::Operand);
        let operands = (op.arity() + extras.iter().filter(operand).count()).min(values.len());
        let (operands, numbers) = values.split_at(operands);
        let (numbers, flags) =
            numbers.split_at((extras.len() + op.arity() - operands.len()).min(numbers.len()));
        let joins = extras.iter().any(|extra| extra.kind == ExtraKind::Operand);
        let numbers = (joins || !numbers.is_empty()).then(|| {
            let flags = flags.iter().map(|flags| quote!(.with_flags(#flags)));
            quote!(#krate::Numbers::new([#(#numbers),*]) #(#flags)*)
        });
        // The op is named as a type, too: with a bound for one other op in scope, rustc would infer that one.
        let apply = Ident::new("apply", span);
        let tokens = quote_spanned!(span=>
            <#set as #krate::Rules>::#apply::<#krate::op::#ty, _>(#krate::op::#ty, (#(#operands,)* #numbers))
        );
        Value { tokens, part: Part::Call }
    }

    fn two_numbers(&mut self, span: Span) {
        self.errors
            .push(span, "no operand has a dtype: all of them are literals")
            .help("compute them in Rust first, `weak(2.0 * 3.5)`, or give one a type: `2.0_f32`");
    }
}
