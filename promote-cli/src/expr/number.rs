//! Numbers in expressions, written as in Python.

use proc_macro2::Span;
use promote::Number;
use syn::Lit;

use super::at;
use crate::failure::Failure;

/// Reads a number such as `3`, `2.5`, `2j` or `true`.
pub(super) fn number(literal: &Lit) -> Result<Number, Failure> {
    let bad = |span: Span| {
        at(span, "this is not a number")
            .help("write a number as `3`, `2.5`, `2j` or `true`; it has no dtype of its own")
    };
    match literal {
        Lit::Bool(bool) => Ok(Number::Bool(bool.value)),
        Lit::Int(int) if int.suffix().is_empty() => {
            let digits = int.base10_digits().parse::<i128>();
            digits.map(Number::Int).map_err(|_| {
                at(int.span(), "an integer of more than 64 bits")
                    .help("write it as a float, with `.0` at its end")
            })
        }
        Lit::Int(int) if int.suffix() == "j" => imaginary(int.base10_digits()).ok_or_else(|| bad(int.span())),
        Lit::Float(float) if float.suffix().is_empty() => {
            float.base10_digits().parse().map(Number::Float).map_err(|_| bad(float.span()))
        }
        Lit::Float(float) if float.suffix() == "j" => {
            imaginary(float.base10_digits()).ok_or_else(|| bad(float.span()))
        }
        other => Err(bad(other.span())),
    }
}

/// Reads the digits before a `j`.
fn imaginary(digits: &str) -> Option<Number> {
    Some(Number::Complex(0.0, digits.parse().ok()?))
}

/// Returns the negative of a number, as Python computes it.
pub(super) fn negative(number: Number) -> Number {
    match number {
        Number::Bool(x) => Number::Int(-i128::from(x)),
        Number::Int(x) => Number::Int(-x),
        Number::Float(x) => Number::Float(-x),
        Number::Complex(re, im) => Number::Complex(-re, -im),
    }
}
