//! Dtype promotion and typed kernels from one declarative rule file.
//!
//! A rule file says how dtypes promote and what ops do with them. From it come types, run-time tables, SIMD
//! kernels and the tests that all of these agree.
//!
//! # Types
//!
//! A rule set is a type, [`Torch`] by default. [`Promoted<A, B>`](Promoted) is the type of what two types
//! promote to, and the rule set's functions compute in it: both operands are converted to the common dtype
//! with one rounding each, the op computes in its compute dtype, and the result is rounded once. Integers
//! wrap.
//!
//! ```
//! use promote::{Promoted, Torch};
//!
//! let sum: Promoted<u8, i8> = Torch::add(200_u8, -1_i8);
//! assert_eq!(sum, 199_i16);
//! let quotient = Torch::divide(1_i32, 3_i32); // PyTorch divides integers in its default dtype
//! assert_eq!(quotient, 1.0_f32 / 3.0);
//! ```
//!
//! A pair that the rule set refuses does not compile, and the message says why:
//!
//! ```compile_fail
//! use promote::{Promoted, Torch};
//! let _: Promoted<u16, i32, Torch> = 0; // `u16` and `i32` do not promote under Torch: unsigned integers other than u8 ..
//! ```
//!
//! # Run time
//!
//! [`RuleSet`] is a rule set as data: [`promote_types`](RuleSet::promote_types),
//! [`result_type`](RuleSet::result_type) for arrays, zero-dimensional arrays and numbers together,
//! [`op_types`](RuleSet::op_types), [`explain`](RuleSet::explain); and with the feature `kernels`, `unary`,
//! `binary` and `where_`, which compute, and `kernel`, a handle to call often.
//!
//! ```
//! use promote::{DType, Number, Operand, Torch, TorchDefaultDtype};
//!
//! const F64S: Torch = Torch::new().with_default_dtype(TorchDefaultDtype::F64);
//! let operands = [Operand::Array(DType::I32), Operand::Number(Number::Float(2.5))];
//! assert_eq!(F64S.result_type(&operands)?.dtype, DType::F64);
//!
//! // In constants, too.
//! const SUM: DType = match Torch::new().promote_types(DType::F16, DType::BF16) {
//!     Ok(dtype) => dtype,
//!     Err(_) => panic!("refused"),
//! };
//! assert_eq!(SUM, DType::F32);
//! # Ok::<(), promote::PromoteError>(())
//! ```
//!
//! # Rules and dtypes of your own
//!
//! `#[derive(Element)]` makes a newtype the element type of a custom dtype, with casts and ops by its own
//! traits. [`rules!`] makes a rule set of its text, which is in the [rule language](language);
//! [`agreement!`] makes the tests that its surfaces agree. The README shows a whole one.
//!
//! # Features
//!
//! By default: `std` (feature detection, the environment variable `PROMOTE_SIMD`), `kernels` (kernels and
//! dispatch), `torch` and `numpy`. The other rule sets have a feature each: `array-api`, `jax`, `jax2020`,
//! `ml-dtypes`, `numpy1`, `oneflow`, `oneflow2021`, `openvino`, `paddle`, `paddle26`, `tensorflow`,
//! `tensorflow-numpy`; `all-sets` is all of them. `alloc` (with `std`): arrays that own their elements, and
//! operands that overlap the result in no order; `rayon`: long calls on several threads, with the same
//! results. Without `kernels` neither pulp nor a kernel is compiled.
#![no_std]

extern crate self as promote;
#[cfg(feature = "std")]
extern crate std;

/// Derives the element type of a custom dtype.
///
/// Casts are the type's `From`, ops are its operators; what overflow and rounding are, these say. A panic in
/// one of them goes through the call, and leaves `out` with some elements written. What LLVM makes vector
/// code of is vector code; of `as i16` of a float it makes none, and of [`Cast::cast`], which gives the same,
/// it does.
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
/// Defines a rule set in the [rule language](language).
///
/// The macro is the one item of a module. It makes a type of the rule set's name, with a function for each op,
/// tables for dtypes at run time, and the impls by which [`Promoted`] and [`Compute`] know the rule set.
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
pub use promote_runtime::{
    Argument, Axes, Call, CallError, CallInto, CastKernel, CustomKernel, Error, Input, Iteration,
    IterationConfig, IterationError, Kernel, Place, ScalarValue, Shape, Slice, SliceMut, TensorView,
    TensorViewMut, ViewError,
};
pub use promote_runtime::{Arithmetic, Floating, Ordered};
pub use promote_runtime::{
    Cast, Casting, Compute, ConvertTo, CustomDType, CustomOp, DType, Element, Explanation, Extra, ExtraKind,
    Flags, Format, Kind, Level, Number, NumberKind, Numbers, Op, OpRule, OpType, OpTypes, Operand,
    OperandKind, PromoteError, Reduce, Reduction, ResultType, RuleSet, UnknownCasting, UnknownDType,
    UnknownLevel, UnknownOp, Weak, WeakNumber, WideInteger, op, weak,
};
#[cfg(all(feature = "kernels", feature = "alloc"))]
pub use promote_runtime::{Tensor, broadcast_shapes};
#[doc(no_inline)]
pub use promote_runtime::{float8, half, num_complex};

mod generic;
pub mod guide;
#[doc = include_str!("../docs/language.md")]
pub mod language {}
mod user_kernel;
pub use generic::{CastAll, CastCommon, FitsIn, Lossless, NumOps, PromoteAll, Rules};
#[cfg(feature = "kernels")]
pub use user_kernel::CallKernel;
pub use user_kernel::{ComputeKernel, KernelOutput};

/// Promotes a container as its type parameters promote, and on request gives it operators between containers
/// of different ones.
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
/// The derive makes `impl<T, RhsT, ..> Promote<Vec3<RhsT>, Rules> for Vec3<T> where T: Promote<RhsT, Rules>`
/// with the output `Vec3<Promoted<T, RhsT, Rules>>`, for all rule sets at once. A type parameter that a field
/// uses, however deep in it, is promoted; lifetimes, constants and parameters that stand in `PhantomData` or
/// in skipped fields only are the same on both sides. The bounds of the struct have to hold on both sides and
/// for what comes out. Enums and unions are refused.
///
/// # `#[promote(..)]` on the struct
///
/// | word | meaning |
/// | --- | --- |
/// | `rules(Torch, NumPy)` | for these rule sets alone |
/// | `ops(Add, Sub, ..)` | operators between two containers: `Add Sub Mul Div Rem Neg`, `AddAssign` and so on, `PartialEq PartialOrd` |
/// | `ops(rules = NumPy, ..)` | the rule set in which operators compute; else the only one of `rules(..)`, or [`Torch`] |
/// | `weak(Mul, Div)` | operators between the container and a [`weak`] scalar, on either side: `v * weak(2.0)` |
/// | `weak` | the same for those of `ops(..)` |
/// | `bound(T: Trait)` | a further bound, on both sides and for what comes out |
/// | `crate = path` | where this crate lives, by default `::promote` |
///
/// # `#[promote(..)]` on a field
///
/// | word | meaning |
/// | --- | --- |
/// | `skip` | it takes no part: it has one type on both sides, operators clone the left operand's, comparisons leave it out |
/// | `with = function` | operators between two containers compute it by `function(op, &left, &right)`, where `op` is one of [`op`]; all else treats it as skipped |
/// | `bound(T: Trait)` | as on the struct |
///
/// # Operators
///
/// Each stands for an op of the rule set: `Add` for `add`, `Sub` for `subtract`, `Mul` for `multiply`, `Div`
/// for `divide` (PyTorch and NumPy give a float for integers), `Rem` for `remainder` (with the sign of the
/// divisor, where systems have it so), `Neg` for `negative`, `==` for `equal`, `<` for `less`. A field
/// computes as the rule set's own function would: each operand is converted with one rounding, the result is
/// rounded once, integers wrap. Where that function panics (a whole number divided by zero under some rule
/// sets), the operator does.
///
/// A field is a type parameter, an array or a tuple of such things, or another container, which then has the
/// operator itself, by reference (`&Inner<T>: Add<&Inner<U>>`). The operands may be values or references.
/// `a += b` asks that the result is of `a`'s type. Equality and order go from field to field; NaN is equal to
/// nothing and has no order, so that `partial_cmp` is `None` where it decides. Do not derive the standard
/// library's `PartialEq` beside ours: both say what two containers of one type are.
///
/// In generic code the bound of `a + b` is `Torch: Compute<op::Add, (T, U)>, T: Copy, U: Copy`, as for numbers.
pub use promote_macros::Promote;

/// What the operands of a pair promote to, at compile time.
///
/// [`rules!`] implements it for every pair of a rule set's types. For a pair that the rule set refuses there
/// is an implementation that never applies: it puts the reason into the compiler's message.
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
    label = "no rule of `{Rules}` speaks of these types",
    note = "a rule set knows the standard types and those that its file names; it is there with its cargo feature, such as `torch`",
    note = "a container promotes as its elements do with `#[derive(promote::Promote)]`"
)]
pub trait Promote<Rhs, Rules = Torch> {
    /// The type of the result.
    type Output;
}

/// The type that a list of types promotes to under a rule set: `promoted!(Torch: u8, i8, f16)`.
///
/// They are joined as arrays of these types are at run time, so that the answer is right under rule sets
/// whose promotion is not associative, too. Of one type, it is that type as the rule set stores it. A type
/// may be [`Weak`]. Of type parameters, see [`PromoteAll`].
///
/// ```
/// use promote::{promoted, Jax, NumPy, Torch, Weak};
///
/// let x: promoted!(Torch: u8, i8, f32) = 1.0_f32;
/// let y: promoted!(NumPy: u8, i8, half::f16) = half::f16::ONE; // pair by pair it would be an f32: no f16 holds an i16
/// let z: promoted!(Torch: i32, Weak<f64>) = 1.0_f32;
/// ```
#[macro_export]
macro_rules! promoted {
    ($rules:ty: $($ty:ty),+ $(,)?) => {
        <$rules as $crate::__private::TypeAt<
            {
                $crate::__private::join(
                    <$rules>::new().rule_set(),
                    &[$($crate::__private::operand::<$ty>()),+],
                )
            },
        >>::Type
    };
}

/// The type that `A` and `B` promote to under the rule set `R`.
pub type Promoted<A, B, R = Torch> = <A as Promote<B, R>>::Output;

/// The type that `Op` gives for arguments of the types `Args`, a tuple, under the rule set `R`.
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

macro_rules! rule_sets {
    ($($feature:literal $name:ident)*) => {
        /// The names of the bundled rule sets of this build: those of their features and of the command.
        pub const RULE_SETS: &[&str] = &[$(
            #[cfg(feature = $feature)]
            $feature,
        )*];

        /// Returns the bundled rule set with a name, under its default parameters; `None` if this build has
        /// none.
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
    "tensorflow" TensorFlow
    "tensorflow-numpy" TensorFlowNumPy
    "torch" Torch
}

/// The rule set `Torch`: enable the feature `torch` for what it says.
#[cfg(not(feature = "torch"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Torch {}

#[doc(hidden)]
pub mod __private;

/// The README's programs are tests.
#[cfg(all(doctest, feature = "torch", feature = "kernels"))]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// So is that of the tables for who comes from other iterators.
#[cfg(all(doctest, feature = "torch", feature = "kernels"))]
#[doc = include_str!("../docs/porting.md")]
pub struct Porting;
