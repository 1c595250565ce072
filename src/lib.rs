//! Dtype promotion and typed kernels, generated from declarative rule files.
//!
//! Array libraries disagree about the dtype of `i32 + f16`. A rule file describes the answers of one system.
//! From it this crate generates types for promotion at compile time, tables for promotion at run time, SIMD
//! kernels for pairs of dtypes, and tests that all of these agree. Rule files for PyTorch, NumPy, JAX and
//! other systems are included, and [`rules!`] compiles your own.
//!
//! # Example
//!
//! A rule set is a type, such as [`Torch`]. Its functions compute single elements and slices of any dtypes:
//!
//! ```
//! use promote::{Promoted, Torch};
//!
//! // PyTorch adds u8 and i8 in i16.
//! let sum: Promoted<u8, i8> = Torch::add(200_u8, -1_i8);
//! assert_eq!(sum, 199_i16);
//! // PyTorch divides integers in its default dtype, f32.
//! assert_eq!(Torch::divide(1_i32, 3_i32), 1.0_f32 / 3.0);
//! ```
//!
//! Both operands are converted to their common dtype with one rounding each, the op computes in its compute
//! dtype, and the result is rounded once. Integers wrap. A pair that the rule set refuses does not compile,
//! and the message gives the reason:
//!
//! ```compile_fail
//! use promote::{Promoted, Torch};
//!
//! // error: `u16` and `i32` do not promote under Torch: unsigned integers other than u8 promote with floats only ..
//! let _: Promoted<u16, i32, Torch> = 0;
//! ```
//!
//! If dtypes are known only at run time, a [`RuleSet`] answers the same questions and computes on tensors,
//! views, slices and numbers:
//!
#![cfg_attr(all(feature = "kernels", feature = "std"), doc = "```")]
#![cfg_attr(not(all(feature = "kernels", feature = "std")), doc = "```ignore")]
//! use promote::{DType, Op, Tensor, Torch};
//!
//! let rules = Torch::new().rule_set();
//! assert_eq!(rules.promote_types(DType::I32, DType::F16)?, DType::F16);
//!
//! let matrix = Tensor::from_vec(vec![1_i8, 2, 3, 4], &[2, 2])?;
//! let product = rules.call(Op::Multiply, &[(&matrix).into(), 2.5.into()])?;
//! assert_eq!((product.dtype(), product.to_string()), (DType::F32, "[[2.5, 5.0], [7.5, 10.0]]".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! | task | items |
//! | --- | --- |
//! | name the type that two types promote to | [`Promoted`], [`Promote`], [`promoted!`]; [`OpOutput`] for ops |
//! | make a container promote and compute | [`derive(Promote)`](derive@Promote) |
//! | write generic arithmetic | [`NumOps`], [`Compute`], [`Rules`], [`mixed!`] |
//! | use numbers without a width, such as Python literals | [`weak`], [`Weak`], [`Number`] |
//! | promote at run time | [`RuleSet`], [`DType`], [`Op`], [`Operand`] |
//! | compute at run time | `RuleSet::call`, `RuleSet::prepare`, `Tensor`, `TensorView`, `Slice`, `Kernel` |
//! | define a rule set | [`rules!`], the [rule language](language), [`agreement!`] |
//! | define a dtype | [`derive(Element)`](derive@Element) |
//! | define an op | [`kernel`](macro@kernel) |
//!
//! The [`guide`] goes from the first derive to custom rule sets and kernels.
//!
//! # Parameters of a rule set
//!
//! Types follow the default parameters of a rule set. At run time a value of its type holds the parameters.
//! Promotion also works in constants:
//!
//! ```
//! use promote::{DType, Number, Operand, Torch, TorchDefaultDtype};
//!
//! const F64S: Torch = Torch::new().with_default_dtype(TorchDefaultDtype::F64);
//! let operands = [Operand::Array(DType::I32), Operand::Number(Number::Float(2.5))];
//! assert_eq!(F64S.result_type(&operands)?.dtype, DType::F64);
//!
//! const SUM: DType = match Torch::new().promote_types(DType::F16, DType::BF16) {
//!     Ok(dtype) => dtype,
//!     Err(_) => panic!("refused"),
//! };
//! assert_eq!(SUM, DType::F32);
//! # Ok::<(), promote::PromoteError>(())
//! ```
//!
//! # Features
//!
//! On by default:
//!
//! - `std`: the environment variable `PROMOTE_SIMD`, which names a SIMD level. This feature enables `alloc`.
//! - `kernels`: kernels, views and calls at run time. Without it there are types, tables and functions of
//!   single values, which build in a fraction of the time.
//! - `mixed-loops`: a loop for each pair of two different dtypes of a cheap op. Without it the build is
//!   shorter, and the operands of such pairs are cast in blocks first, with equal results.
//! - `torch` and `numpy`: the rule sets [`Torch`] and `NumPy`.
//!
//! Off by default:
//!
//! - `array-api`, `datafusion`, `jax`, `jax2020`, `ml-dtypes`, `numpy1`, `oneflow`, `oneflow2021`,
//!   `openvino`, `paddle`, `paddle26`, `polars`, `tensorflow`, `tensorflow-numpy`, `torch-autocast`: one rule
//!   set each; `all-sets` enables all of them.
//! - `alloc`: tensors that own their elements, and copies of operands that overlap the output.
//! - `matmul`: products of matrices. The crate `matrixmultiply` computes those of floats.
//! - `rayon`: large calls run on several threads, with equal results.
//! - `rule-files`: rule files that a program reads while it runs, see the module `rule_file`.
//! - `serde`: dtypes, ops, kinds, levels, numbers, operands and results are serialized by their names, rule
//!   sets by their parameters, and explanations by their clauses.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate self as promote;
#[cfg(feature = "std")]
extern crate std;

/// Derives the element type of a custom dtype.
///
/// Casts are the type's `From` impls, and ops are its operators. Your impls define overflow and rounding. If
/// one of them panics, the panic passes through the call, and some elements of `out` may be written.
///
/// LLVM vectorises the loops if it can. It does not vectorise `as i16` of a float. [`Cast::cast`] has an
/// equal result and is vectorised.
///
/// ```
/// use promote::{Element, Promoted};
///
/// /// Hundredths.
/// #[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
/// #[element(via = i64)]
/// #[repr(transparent)]
/// pub struct Cents(i64);
///
/// impl From<i64> for Cents {
///     fn from(whole: i64) -> Cents {
///         Cents(whole * 100)
///     }
/// }
///
/// impl From<Cents> for i64 {
///     fn from(x: Cents) -> i64 {
///         x.0 / 100
///     }
/// }
///
/// impl std::ops::Add for Cents {
///     type Output = Cents;
///
///     fn add(self, b: Cents) -> Cents {
///         Cents(self.0 + b.0)
///     }
/// }
///
/// mod rules {
///     promote::rules! {
///         rules Money;
///         kinds bool < int < money < float < complex;
///         dtypes bool i32 i64;
///         dtype cents: money 64 = super::Cents;
///         promote { same => a; money, any => a; any, any => join; }
///         op add maximum;
///         op less -> bool;
///     }
/// }
/// use rules::Money;
///
/// # fn main() {
/// let sum: Promoted<Cents, i32, Money> = Money::add(Cents(250), 3_i32);
/// assert_eq!(sum, Cents(550));
/// assert!(Money::less(Cents(299), 3_i64));
/// # }
/// ```
pub use promote_macros::Element;
/// Compiles loops for the rule set of another crate, in the crate that calls the macro.
///
/// `kernels!(static LOOPS = path::Set: op ..; dtype ..);` defines a static [`LoopSet`] for the named ops and
/// dtypes of the rule set. [`RuleSet::with_kernels`] makes a rule set use these loops. The file of a rule set
/// of your own has the statement `kernels op ..: dtype ..;` instead, see the
/// [rule language](language#loops-of-your-own). The macro needs the feature `kernels`.
///
/// Before `static`, attributes, a visibility and the path of `promote` (`crate = path;`) are allowed.
///
/// Typed functions of the set, such as `Torch::add_into`, do not use these loops.
///
/// ```
/// use promote::{DType, Op, SliceMut, Torch};
///
/// promote::kernels! {
///     /// Sums of sensor readings.
///     pub static READINGS = promote::Torch: add; i16 f32
/// }
///
/// let rules = Torch::new().rule_set().with_kernels(&READINGS);
/// let mut out = [0.0_f32; 2];
/// rules.binary(Op::Add, (&[1_i16, 2]).into(), (&[0.5_f32, 0.25]).into(), SliceMut::new(&mut out))?;
/// assert_eq!(out, [1.5, 2.25]);
/// # Ok::<(), promote::Error>(())
/// ```
#[cfg(feature = "kernels")]
pub use promote_macros::kernels;
/// Compiles a rule file, written in the [rule language](language), to a rule set.
///
/// A rule file is a module with this macro call as its only item. The macro emits a type with the name of the
/// rule set, a function for each op, tables for dtypes at run time, and the impls of [`Promote`] and
/// [`OpRule`]. `promote check FILE` checks a rule file without a compiler.
///
/// ```
/// mod rules {
///     promote::rules! {
///         rules First;
///         dtypes bool i32 f32 f64;
///         promote { any, any => join; }
///         op add multiply;
///     }
/// }
///
/// let sum: f64 = rules::First::add(1_i32, 0.5_f32); // f32 does not hold every i32
/// assert_eq!(sum, 1.5);
/// ```
pub use promote_macros::rules;
pub use promote_macros::{agreement, kernel, mixed};
#[cfg(feature = "kernels")]
#[doc(no_inline)]
pub use promote_runtime::pulp;
#[cfg(feature = "kernels")]
pub use promote_runtime::{
    Argument, ArgumentRole, Axes, Call, CallError, CallInto, CastKernel, CustomKernel, Error, Iteration,
    IterationConfig, IterationError, Kernel, LoopSet, ScalarValue, Shape, Slice, SliceMut, TensorView,
    TensorViewMut, ViewError,
};
pub use promote_runtime::{Arithmetic, Floating, Ordered};
pub use promote_runtime::{
    Cast, Casting, Clause, Compute, ConvertTo, CustomDType, CustomOp, DType, Element, Explanation, Extra,
    ExtraKind, Flags, Format, Kind, Level, Number, NumberKind, Numbers, Op, OpRule, OpType, OpTypes, Operand,
    OperandKind, ParseCastingError, ParseDTypeError, ParseLevelError, ParseOpError, PromoteError, Reduce,
    Reduction, ResultType, ResultTypeState, RuleSet, Weak, WeakNumber, WideInteger, ZeroDim, op, weak,
};
#[cfg(all(feature = "kernels", feature = "alloc"))]
pub use promote_runtime::{Tensor, broadcast_shapes};
#[doc(no_inline)]
pub use promote_runtime::{float8, half, num_complex};

mod generic;
pub mod guide;
#[doc = include_str!("../docs/language.md")]
pub mod language {}
mod custom_kernel;
#[cfg(feature = "rule-files")]
pub mod rule_file;
#[cfg(feature = "kernels")]
pub use custom_kernel::CallKernel;
pub use custom_kernel::{ComputeKernel, KernelOutput};
pub use generic::{CastAll, CastCommon, FitsIn, Lossless, NumOps, PromoteAll, Rules};

/// Derives promotion of a container from promotion of its type parameters, and operators on request.
///
/// ```
/// use promote::{Promote, Promoted, weak};
///
/// #[derive(Clone, Copy, Debug, Promote)]
/// #[promote(ops(Add, Neg, AddAssign, PartialEq), weak(Mul))]
/// struct Vec3<T> {
///     x: T,
///     y: T,
///     z: T,
/// }
///
/// let (a, b) = (Vec3 { x: 1, y: 2, z: 3 }, Vec3 { x: 0.5_f32, y: 0.0, z: 0.0 });
/// let sum: Promoted<Vec3<i32>, Vec3<f32>> = a + &b;
/// assert!(sum == Vec3 { x: 1.5_f64, y: 2.0, z: 3.0 });
/// assert!(-a * weak(0.5) == Vec3 { x: -0.5_f32, y: -1.0, z: -1.5 });
/// ```
///
/// The derive emits `impl<T, RhsT, ..> Promote<Vec3<RhsT>, Rules> for Vec3<T> where T: Promote<RhsT, Rules>`
/// with the output `Vec3<Promoted<T, RhsT, Rules>>`, for all rule sets at once. Every type parameter that a
/// field uses is promoted. Lifetimes, constants, and parameters that occur only in `PhantomData` or skipped
/// fields are equal on both sides. The bounds of the struct have to hold on both sides and for the result.
/// Enums and unions are refused.
///
/// # `#[promote(..)]` on the struct
///
/// | argument | meaning |
/// | --- | --- |
/// | `rules(Torch, NumPy)` | promotes under these rule sets only |
/// | `ops(Add, Sub, ..)` | operators between two containers: `Add Sub Mul Div Rem Neg`, `AddAssign` and so on, `PartialEq PartialOrd` |
/// | `ops(rules = NumPy, ..)` | the rule set in which operators compute; by default the only one of `rules(..)`, or [`Torch`] |
/// | `weak(Mul, Div)` | operators between the container and a [`weak`] scalar, on either side: `v * weak(2.0)` |
/// | `weak` | operators with a [`weak`] scalar for all operators of `ops(..)` |
/// | `bound(T: Trait)` | a further bound, on both sides and for the result |
/// | `crate = path` | where this crate lives, by default `::promote` |
///
/// # `#[promote(..)]` on a field
///
/// | argument | meaning |
/// | --- | --- |
/// | `skip` | the field does not take part: it has one type on both sides, operators clone that of the left operand, comparisons ignore it |
/// | `with = function` | operators between two containers compute the field by `function(op, &left, &right)`, where `op` is one of [`op`]; otherwise it is skipped |
/// | `bound(T: Trait)` | a further bound, as on the struct |
///
/// # Operators
///
/// Each operator is an op of the rule set: `Add` is `add`, `Sub` is `subtract`, `Mul` is `multiply`, `Div` is
/// `divide` (under PyTorch and NumPy the quotient of integers is a float), `Rem` is `remainder` (with the
/// sign of the divisor in most systems), `Neg` is `negative`, `==` is `equal`, and `<` is `less`. Each field
/// is computed by the rule set's function for the op: each operand is converted with one rounding, the result
/// is rounded once, and integers wrap. If that function panics, as it does under some rule sets for an
/// integer divided by zero, the operator panics, too.
///
/// A field is a type parameter, an array or a tuple of fields, or another container that has the operator
/// itself, by reference (`&Inner<T>: Add<&Inner<U>>`). Operands may be values or references. `a += b` needs a
/// result of `a`'s type. Fields are compared one after the other. NaN is equal to nothing and has no order:
/// `partial_cmp` returns `None` if the first two fields that are not equal have no order.
///
/// Do not derive the standard library's `PartialEq` in addition to `ops(PartialEq)`: rustc reports two impls
/// (E0119). Remove one of them.
///
/// In generic code the bound for `a + b` is `Torch: Compute<op::Add, (T, U)>, T: Copy, U: Copy`, as for
/// numbers.
pub use promote_macros::Promote;

/// Promotion of a pair of types at compile time.
///
/// [`rules!`] implements it for every pair of a rule set's types. For a refused pair there is an impl under a
/// bound that never holds, so that the compiler's message gives the reason.
///
/// ```
/// use promote::{Promote, Torch};
///
/// fn widest<A: Promote<B, Torch>, B>(_: A, _: B) -> usize {
///     size_of::<A::Output>()
/// }
/// assert_eq!(widest(1_u8, 1_i8), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{Rhs}` do not promote under `{Rules}`",
    label = "`{Rules}` has no rule for these types",
    note = "a rule set knows Rust's numbers, those of `half`, `float8` and `num_complex`, and the types that its file names",
    note = "convert other types first: a reference by `*x`, a text by `x.parse::<f64>()`",
    note = "a container promotes as its elements do with `#[derive(promote::Promote)]`",
    note = "generic code needs a bound for each op that it calls, such as `{Rules}: Compute<op::Add, (A, B)>`"
)]
pub trait Promote<Rhs, Rules = Torch> {
    /// The type of the result.
    type Output;
}

/// The type that a list of types promotes to under a rule set: `promoted!(Torch: u8, i8, f16)`.
///
/// The types are joined in the order in which a run-time call joins arrays, so the answer is also right for
/// rule sets whose promotion is not associative. A single type gives the type in which the rule set stores
/// it. A type may be [`Weak`] or [`ZeroDim`]. For type parameters, use [`PromoteAll`].
///
/// ```
/// use promote::{promoted, NumPy, Torch, Weak};
///
/// let x: promoted!(Torch: u8, i8, f32) = 1.0_f32;
/// // Pair by pair this would be f32, since f16 does not hold every i16.
/// let y: promoted!(NumPy: u8, i8, half::f16) = half::f16::ONE;
/// let z: promoted!(Torch: i32, Weak<f64>) = 1.0_f32;
/// ```
#[macro_export]
macro_rules! promoted {
    ($rules:ty: $($ty:ty),+ $(,)?) => {
        <$crate::__private::zero_dim::Shape<
            { $crate::__private::is_zero_dim(&[$($crate::__private::operand::<$ty>()),+]) },
        > as $crate::__private::zero_dim::Of<
            <$rules as $crate::__private::TypeAt<
                {
                    $crate::__private::join(
                        <$rules>::new().rule_set(),
                        &[$($crate::__private::operand::<$ty>()),+],
                    )
                },
            >>::Type,
        >>::Type
    };
}

/// The type that `A` and `B` promote to under the rule set `R`.
pub type Promoted<A, B, R = Torch> = <A as Promote<B, R>>::Output;

/// The result type of `Op` for arguments of the types `Args`, a tuple, under the rule set `R`.
///
/// For the compiler [`OpOutput`] and [`Promoted`] are unrelated: a generic function that returns
/// `Promoted<A, B>` and calls `Torch::add` needs the bound
/// `Torch: Compute<op::Add, (A, B), Output = Promoted<A, B>>`.
///
/// ```
/// use promote::{OpOutput, Torch, op};
///
/// let less: OpOutput<op::Less, (u8, f32)> = true;
/// // PyTorch takes roots of integers in its default dtype.
/// let root: OpOutput<op::Sqrt, (i32,)> = 2.0_f32.sqrt();
/// let sum: OpOutput<op::Sum, (u8,), Torch> = 300_i64;
/// ```
pub type OpOutput<Op, Args, R = Torch> = <R as OpRule<Op, Args>>::Output;

#[cfg(feature = "array-api")]
#[path = "../rules/array_api.rs"]
mod array_api;
#[cfg(feature = "array-api")]
pub use array_api::ArrayApi;

#[cfg(feature = "datafusion")]
#[path = "../rules/datafusion.rs"]
mod datafusion;
#[cfg(feature = "datafusion")]
pub use datafusion::DataFusion;

#[cfg(feature = "jax")]
#[path = "../rules/jax.rs"]
mod jax;
#[cfg(feature = "jax")]
pub use jax::{Jax, JaxExplicitX64};

#[cfg(feature = "jax2020")]
#[path = "../rules/jax2020.rs"]
mod jax2020;
#[cfg(feature = "jax2020")]
pub use jax2020::{Jax2020, Jax2020ExplicitX64};

#[cfg(feature = "ml-dtypes")]
#[path = "../rules/ml_dtypes.rs"]
mod ml_dtypes;
#[cfg(feature = "ml-dtypes")]
pub use ml_dtypes::MlDtypes;

#[cfg(feature = "numpy")]
#[path = "../rules/numpy.rs"]
mod numpy;
#[cfg(feature = "numpy")]
pub use numpy::NumPy;

#[cfg(feature = "numpy1")]
#[path = "../rules/numpy1.rs"]
mod numpy1;
#[cfg(feature = "numpy1")]
pub use numpy1::NumPy1;

#[cfg(feature = "oneflow")]
#[path = "../rules/oneflow.rs"]
mod oneflow;
#[cfg(feature = "oneflow")]
pub use oneflow::OneFlow;

#[cfg(feature = "oneflow2021")]
#[path = "../rules/oneflow2021.rs"]
mod oneflow2021;
#[cfg(feature = "oneflow2021")]
pub use oneflow2021::OneFlow2021;

#[cfg(feature = "openvino")]
#[path = "../rules/openvino.rs"]
mod openvino;
#[cfg(feature = "openvino")]
pub use openvino::{OpenVino, OpenVinoU64IntegerPromotionTarget};

#[cfg(feature = "paddle")]
#[path = "../rules/paddle.rs"]
mod paddle;
#[cfg(feature = "paddle")]
pub use paddle::{Paddle, PaddleDefaultDtype};

#[cfg(feature = "paddle26")]
#[path = "../rules/paddle26.rs"]
mod paddle26;
#[cfg(feature = "paddle26")]
pub use paddle26::{Paddle26, Paddle26DefaultDtype};

#[cfg(feature = "polars")]
#[path = "../rules/polars.rs"]
mod polars;
#[cfg(feature = "polars")]
pub use polars::Polars;

#[cfg(feature = "tensorflow")]
#[path = "../rules/tensorflow.rs"]
mod tensorflow;
#[cfg(feature = "tensorflow")]
pub use tensorflow::{TensorFlow, TensorFlowMode};

#[cfg(feature = "tensorflow-numpy")]
#[path = "../rules/tensorflow_numpy.rs"]
mod tensorflow_numpy;
#[cfg(feature = "tensorflow-numpy")]
pub use tensorflow_numpy::{TensorFlowNumPy, TensorFlowNumPyMode};

#[cfg(feature = "torch")]
#[path = "../rules/torch.rs"]
mod torch;
#[cfg(feature = "torch")]
pub use torch::{Torch, TorchDefaultDtype};

#[cfg(feature = "torch-autocast")]
#[path = "../rules/torch_autocast.rs"]
mod torch_autocast;
#[cfg(feature = "torch-autocast")]
pub use torch_autocast::{TorchAutocast, TorchAutocastDefaultDtype, TorchAutocastDevice, TorchAutocastDtype};

macro_rules! rule_sets {
    ($($feature:literal $name:ident)*) => {
        /// The names of the bundled rule sets of this build, as features and the command spell them.
        ///
        /// ```
        /// assert!(promote::RULE_SETS.contains(&"torch"));
        /// ```
        pub const RULE_SETS: &[&str] = &[$(
            #[cfg(feature = $feature)]
            $feature,
        )*];

        /// Returns the bundled rule set with this name and its default parameters; `None` if this build has
        /// no such rule set.
        ///
        /// ```
        /// use promote::{DType, rule_set};
        ///
        /// let torch = rule_set("torch").expect("the feature `torch` is on");
        /// assert_eq!(torch.promote_types(DType::I32, DType::F16), Ok(DType::F16));
        /// assert_eq!(rule_set("matlab"), None);
        /// ```
        pub fn rule_set(name: &str) -> Option<RuleSet> {
            match name {
                $(
                    #[cfg(feature = $feature)]
                    $feature => Some($name::new().rule_set()),
                )*
                _ => None,
            }
        }
    };
}

rule_sets! {
    "array-api" ArrayApi
    "datafusion" DataFusion
    "jax" Jax
    "jax2020" Jax2020
    "ml-dtypes" MlDtypes
    "numpy" NumPy
    "numpy1" NumPy1
    "oneflow" OneFlow
    "oneflow2021" OneFlow2021
    "openvino" OpenVino
    "paddle" Paddle
    "paddle26" Paddle26
    "polars" Polars
    "tensorflow" TensorFlow
    "tensorflow-numpy" TensorFlowNumPy
    "torch" Torch
    "torch-autocast" TorchAutocast
}

/// A placeholder for the rule set `Torch`: enable the feature `torch` to use it.
#[cfg(not(feature = "torch"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Torch {}

#[doc(hidden)]
pub mod __private;

/// Runs the README's programs as tests.
#[cfg(all(doctest, feature = "torch", feature = "kernels"))]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// Runs the programs of the porting guide as tests.
#[cfg(all(doctest, feature = "torch", feature = "kernels"))]
#[doc = include_str!("../docs/porting.md")]
pub struct Porting;
