//! The procedural macros of `promote`: tokens in, `promote_rules`, tokens or `compile_error!` out.
//!
//! Users take them through the facade `promote`, whose documentation says what they do.

#![forbid(unsafe_code)]

use proc_macro::TokenStream;

/// Returns the type, the tables and the impls of a rule set. It is the one item of a rule file.
#[proc_macro]
pub fn rules(tokens: TokenStream) -> TokenStream {
    promote_rules::expand(tokens.into()).into()
}

/// The kernels of the bundled rule sets: for each variant that `cfg` leaves, the rule file that its
/// `#[rules("path")]` names, relative to the package. A derive, since rustc strips `cfg` before it.
#[proc_macro_derive(BundledKernels, attributes(rules))]
pub fn bundled_kernels(tokens: TokenStream) -> TokenStream {
    promote_rules::bundled_kernels(tokens.into()).into()
}

/// Makes a `#[repr(transparent)]` newtype the element type of a dtype of its own, which a rule file then
/// names: `dtype q16: fixed 32 = crate::Q16;`. The type is `Copy`, and wraps an integer, a float, a complex
/// number or another element.
///
/// `#[element(..)]` says the rest:
///
/// - `name = "q16"`: the dtype's name, by default that of the type in lower case;
/// - `via = f64`: by way of which type casts to and from all other dtypes go; `bool`, an integer, `f32`,
///   `f64` or a complex number of these. The type then has `From<f64>`, and `f64` has `From` of the type.
///   Without it there are no casts: only ops on the type alone;
/// - `from(Q7, ..)`: from which other types of such dtypes it is cast by its `From<Q7>`;
/// - `crate = path`: where `promote` lives.
#[proc_macro_derive(Element, attributes(element))]
pub fn element(tokens: TokenStream) -> TokenStream {
    promote_rules::element(tokens.into()).into()
}

/// Makes an op of a function of one lane:
/// `#[kernel] fn axpy<T>(alpha: T, x: T, y: T) -> T { alpha * x + y }`.
///
/// The function is generic over its numbers, takes 1 to 4 of them and gives one. Their one bound says in
/// which dtypes the body computes:
///
/// - `Arithmetic`, or none: integers, floats and complex numbers are added, subtracted, multiplied;
/// - `Ordered`: integers and floats are compared besides;
/// - `Floating`: floats are divided, and have functions.
///
/// Numbers that it writes out (`x * 0.5`, `T::of(2.5)`) become the nearest number of the dtype in which it
/// computes; integers cut them towards zero.
///
/// From `axpy` come
///
/// - `Axpy`, the op as a type: `Axpy::OP` is its `Op` for run-time calls (`RuleSet::elementwise`,
///   `RuleSet::custom_kernel`);
/// - `AxpyExt`, a trait of every rule set: `Torch::axpy(a, x, y)` of elements, and
///   `Torch::axpy_into(a, &x, &y, &mut out)` of slices and of elements that stand for every place. Inputs of
///   any types are converted to their common type, the body computes in the type that the rule set computes
///   in, and the result is rounded once;
/// - `axpy` itself, which bodies of other kernels call: `axpy(alpha, x, y) * y`.
///
/// It may not have the name of a function of rule sets, as `sigmoid` and `sum` are. A number without a width
/// and a zero-dimensional operand enter at run time, as an `Argument` of `elementwise`, rounded to the common
/// dtype whatever op the kernel is like; typed calls take elements and slices.
///
/// Common, compute and result type are those of another op for what all inputs promote to: of `add`, or for
/// `Floating` bodies of `divide` (so that integers become floats); `#[kernel(like = maximum)]` names another.
/// Of `#[kernel(named)]` rule files say them, by the op's name and its type:
/// `op axpy = crate::Axpy { bool => refuse "a truth value is no number"; int => f64; }`; other rule sets then
/// do not know it. `#[kernel(crate = path)]` says where `promote` lives.
///
/// Bodies compute in standard dtypes: on a dtype of one's own where the rule file has that op compute in one
/// of them, by `in` or `opmath`. Another module that calls `Torch::axpy` takes `AxpyExt` in; at run time
/// `RuleSet::kernel` is of the built-in ops, and `RuleSet::custom_kernel` of these.
///
/// A kernel is compiled in the crate where it stands: a build without optimisation makes it slow.
#[proc_macro_attribute]
pub fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    promote_rules::kernel(arguments.into(), item.into()).into()
}

/// An expression over scalars whose operators are ops of a rule set: `mixed! { Torch => a * x + y / 2 }`.
///
/// Each op converts, computes and rounds as if it were called alone. Operators
/// `+ - * / % & | ^ << >> == != < <= > >= && ||` and the signs `-` and `!` (`bitwise_not`) are ops, calls by
/// the name of one too (`maximum(a, b)`, `exp(x)`, `where(c, a, b)`), and `x as T` is a cast with one
/// rounding. `&&` and `||` compute both sides. A literal is a number without a width (`2`, `2.5`, `2j`,
/// `true`); with a suffix it has one (`2.5_f32`). All else is Rust: variables, fields, calls of other
/// functions, blocks. In a generic function the set may be a type parameter. Ops of `#[kernel]` are not
/// called by their names, but as functions: `Torch::axpy(a, x, y)`.
///
/// `mixed! { crate = path; Torch => .. }` says where `promote` lives.
#[proc_macro]
pub fn mixed(tokens: TokenStream) -> TokenStream {
    promote_rules::mixed(tokens.into()).into()
}

/// Promotes a container as its parameters promote, and on request gives it operators. The facade's
/// documentation says how.
#[proc_macro_derive(Promote, attributes(promote))]
pub fn promote(tokens: TokenStream) -> TokenStream {
    promote_rules::promote(tokens.into()).into()
}

/// Tests that types, run-time tables, the rule library's own tables and the kernels of a rule set agree on
/// every pair and op: `promote::agreement! { path::to::Set = "path/to/rules.rs" }`, in a test target. The
/// files of the sets that it builds on follow, the nearest first:
/// `{ path::to::Set = "rules.rs", "base.rs" }`, all of them relative to the package. Needs the features `std`
/// and `kernels`.
#[proc_macro]
pub fn agreement(tokens: TokenStream) -> TokenStream {
    promote_rules::agreement(tokens.into()).into()
}

/// For the facade: which standard types hold every value of which.
#[doc(hidden)]
#[proc_macro]
pub fn __fits_in(_: TokenStream) -> TokenStream {
    promote_rules::fits_in().into()
}
