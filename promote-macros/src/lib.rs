//! The procedural macros of `promote`: tokens in, `promote_rules`, tokens or `compile_error!` out.
//!
//! Users take them through the facade `promote`, whose documentation says what they do.

#![forbid(unsafe_code)]

use proc_macro::TokenStream;

/// A rule set: its type, its tables, its impls. The one item of a rule file.
#[proc_macro]
pub fn rules(tokens: TokenStream) -> TokenStream {
    promote_rules::expand(tokens.into()).into()
}

/// The kernels of the facade's bundled rule sets: for each variant that `cfg` leaves, the rule file that its
/// `#[rules("path")]` names, relative to the package. A derive, since rustc strips `cfg` before it.
#[proc_macro_derive(BundledKernels, attributes(rules))]
pub fn bundled_kernels(tokens: TokenStream) -> TokenStream {
    promote_rules::bundled_kernels(tokens.into()).into()
}

/// Makes a `#[repr(transparent)]` newtype the element type of a dtype of its own, which a rule file then names:
/// `dtype q16: fixed 32 = crate::Q16;`. `#[element(name = "q16")]` names the dtype, by default as the type in lower case;
/// `#[element(crate = path)]` says where `promote` lives.
#[proc_macro_derive(Element, attributes(element))]
pub fn element(tokens: TokenStream) -> TokenStream {
    promote_rules::element(tokens.into()).into()
}

/// An op of your own from the function of one lane: `#[kernel] fn axpy<T>(alpha: T, x: T, y: T) -> T { alpha * x + y }`.
#[proc_macro_attribute]
pub fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    promote_rules::kernel(arguments.into(), item.into()).into()
}

/// An expression over scalars whose operators are ops of a rule set: `mixed! { Torch => a * x + y / 2 }`.
///
/// Each op converts, computes and rounds as if it were called alone. Operators `+ - * / % & | ^ << >> == != < <= > >= && ||` and the signs
/// `-` and `!` (`bitwise_not`) are ops, calls by the name of one too (`maximum(a, b)`, `exp(x)`, `where(c, a, b)`), and `x as T` is a cast with one
/// rounding. `&&` and `||` compute both sides. A literal is a number without a width (`2`, `2.5`, `2j`, `true`); with a suffix it has one
/// (`2.5_f32`). All else is Rust: variables, fields, calls of other functions, blocks. In a generic function the set may be a type
/// parameter.
///
/// `mixed! { crate = path; Torch => .. }` says where `promote` lives.
#[proc_macro]
pub fn mixed(tokens: TokenStream) -> TokenStream {
    promote_rules::mixed(tokens.into()).into()
}

/// Promotes a container as its parameters promote, and on request gives it operators. The facade's documentation says how.
#[proc_macro_derive(Promote, attributes(promote))]
pub fn promote(tokens: TokenStream) -> TokenStream {
    promote_rules::promote(tokens.into()).into()
}

/// Tests that types, run-time tables, the rule library's own tables and the kernels of a rule set agree on every pair
/// and op: `promote::agreement! { path::to::Set = "path/to/rules.rs" }`, in a test target.
#[proc_macro]
pub fn agreement(tokens: TokenStream) -> TokenStream {
    promote_rules::agreement(tokens.into()).into()
}
