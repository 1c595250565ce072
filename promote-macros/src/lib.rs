//! The procedural macros of `promote`, which pass their tokens to the library `promote_rules`.
//!
//! Use them through the facade `promote`, which re-exports and documents them.

#![forbid(unsafe_code)]

use proc_macro::TokenStream;

/// Compiles a rule file to a rule set: a type with promotion, ops, tables and kernels.
#[proc_macro]
pub fn rules(tokens: TokenStream) -> TokenStream {
    promote_rules::expand(tokens.into()).into()
}

/// Compiles loops for a rule set of another crate. The facade documents it.
#[proc_macro]
pub fn kernels(tokens: TokenStream) -> TokenStream {
    promote_rules::kernels(tokens.into()).into()
}

/// Emits the kernels of the bundled rule sets: for each variant, those of the rule file that its
/// `#[rules("path")]` names, relative to the package.
///
/// `#[mixed_loops]` adds the loops of pairs of two dtypes.
///
/// This is a derive because rustc removes variants by `cfg` before it expands a derive.
#[proc_macro_derive(BundledKernels, attributes(rules, mixed_loops))]
pub fn bundled_kernels(tokens: TokenStream) -> TokenStream {
    promote_rules::bundled_kernels(tokens.into()).into()
}

/// Makes a `#[repr(transparent)]` newtype the element type of a custom dtype, which a rule file then names:
/// `dtype q16: fixed 32 = crate::Q16;`. The type has to be `Copy`, and wraps an integer, a float, a complex
/// number or another element.
///
/// The attribute `#[element(..)]` takes these arguments:
///
/// - `name = "q16"` is the dtype's name, by default the type's name in lower case.
/// - `via = f64` is the type through which all casts to and from other dtypes go: `bool`, an integer, `f32`,
///   `f64`, or a complex number of these. The type needs `From<f64>`, and `f64` needs `From` of the type.
///   Without `via` there are no casts, and ops work on the type alone.
/// - `from(Q7, ..)` lists other custom element types that are cast to this one by `From<Q7>`.
/// - `crate = path` is the path of `promote`, by default `::promote`.
#[proc_macro_derive(Element, attributes(element))]
pub fn element(tokens: TokenStream) -> TokenStream {
    promote_rules::element(tokens.into()).into()
}

/// Defines a custom op by a generic function of one element:
/// `#[kernel] fn axpy<T>(alpha: T, x: T, y: T) -> T { alpha * x + y }`.
///
/// The function takes 1 to 4 numbers of its type parameter and returns one. The bound of the parameter
/// decides in which dtypes the body computes, and what it may do:
///
/// - `Arithmetic`, the default: integers, floats and complex numbers are added, subtracted and multiplied.
/// - `Ordered`: integers and floats are also compared.
/// - `Floating`: floats are also divided, and have mathematical functions.
///
/// Literals (`x * 0.5`, `T::of(2.5)`) become the nearest number of the dtype in which the body computes. In
/// an integer dtype they are rounded towards zero.
///
/// # Emitted items
///
/// For a function `axpy` the macro emits:
///
/// - `Axpy`, the op as a type. `Axpy::OP` is its `Op` for calls at run time (`RuleSet::elementwise`,
///   `RuleSet::custom_kernel`).
/// - `AxpyExt`, a trait that every rule set implements. `Torch::axpy(a, x, y)` computes single elements, and
///   `Torch::axpy_into(a, &x, &y, &mut out)` slices and single elements, which are broadcast. Inputs of any
///   types are converted to their common type, the body computes in the compute type, and the result is
///   rounded once. Modules that call `Torch::axpy` import `AxpyExt`.
/// - The function `axpy` itself, which other kernels can call: `axpy(alpha, x, y) * y`.
///
/// The name must not be that of a rule set's own function, such as `sigmoid` or `sum`. Numbers without a
/// width and zero-dimensional operands are arguments of run-time calls only. They are rounded to the common
/// dtype.
///
/// # Dtypes
///
/// The common, compute and output dtype are those of another op: of `add`, or of `divide` for `Floating`
/// bodies, so that integers become floats. `#[kernel(like = maximum)]` names another op.
///
/// With `#[kernel(named)]` the rule file declares the dtypes, by the op's name and its type:
/// `op axpy = crate::Axpy { bool => refuse "bool is not a numeric type"; int => f64; }`. Rule sets that do
/// not declare the op then do not have it.
///
/// Bodies compute in standard dtypes. A kernel accepts operands of a custom dtype if the rule file names a
/// standard dtype to compute in, by `in` or `opmath`.
///
/// # Vectors
///
/// `#[kernel(simd)]` takes a function that computes one vector, written with `promote::pulp`:
/// `fn f<S: pulp::Simd>(simd: S, x: S::f32s, y: S::f32s) -> S::f32s`, or with `S::f64s`. It has 1 to 4
/// inputs, and the dtypes of `divide` unless `like` or `named` says otherwise. The macro emits the loop, its
/// tail, conversions, broadcasting and the choice of the SIMD level. The kernel computes only in the type of
/// its vectors: calls that the rule set computes in another type are refused.
///
/// `mul_add_e` of pulp is not fused at the level `scalar`, which also computes single elements. So its bits
/// may differ between levels, unlike those of all other kernels. `#[kernel(simd)]` needs the feature
/// `kernels`.
///
/// # Other arguments
///
/// `#[kernel(crate = path)]` is the path of `promote`, by default `::promote`.
///
/// # Performance
///
/// A kernel is compiled in the crate that defines it, so it is slow in a build without optimisation.
#[proc_macro_attribute]
pub fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    promote_rules::kernel(arguments.into(), item.into()).into()
}

/// Computes an expression over scalars whose operators are ops of a rule set:
/// `mixed! { Torch => a * x + y / 2 }`.
///
/// Each op converts, computes and rounds as if it were called alone.
///
/// - The operators `+ - * / % & | ^ << >> == != < <= > >= && ||` and the prefixes `-` and `!` (`bitwise_not`)
///   are ops. `&&` and `||` compute both sides.
/// - A call by the name of an op computes it: `maximum(a, b)`, `exp(x)`, `where(c, a, b)`.
/// - `x as T` is a cast with one rounding.
/// - A literal is a number without a width: `2`, `2.5`, `2j`, `true`. With a suffix it has a type: `2.5_f32`.
/// - Everything else is Rust: variables, fields, calls of other functions, blocks. Custom ops are called as
///   functions: `Torch::axpy(a, x, y)`.
///
/// In a generic function the rule set may be a type parameter. `mixed! { crate = path; Torch => .. }` names
/// the path of `promote`, by default `::promote`.
#[proc_macro]
pub fn mixed(tokens: TokenStream) -> TokenStream {
    promote_rules::mixed(tokens.into()).into()
}

/// Derives promotion of a container, and operators on request. The facade documents it.
#[proc_macro_derive(Promote, attributes(promote))]
pub fn promote(tokens: TokenStream) -> TokenStream {
    promote_rules::promote(tokens.into()).into()
}

/// Generates tests that the types, tables and kernels of a rule set agree on every pair and op.
///
/// Write `promote::agreement! { path::to::Set = "path/to/rules.rs" }` in a test target. The path is relative
/// to the package. If the rule set extends others, their files follow, the nearest base first:
/// `{ path::to::Set = "rules.rs", "base.rs" }`. The macro needs the features `std` and `kernels`.
#[proc_macro]
pub fn agreement(tokens: TokenStream) -> TokenStream {
    promote_rules::agreement(tokens.into()).into()
}

/// Emits the impls of `FitsIn` for standard types in the facade.
#[doc(hidden)]
#[proc_macro]
pub fn __fits_in(_: TokenStream) -> TokenStream {
    promote_rules::fits_in().into()
}
