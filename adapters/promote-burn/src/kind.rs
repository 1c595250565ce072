//! The kinds of burn's tensors, and how a rule set decides that of a result.

use burn_flex::{Flex, FlexTensor};
use burn_tensor::kind::{Basic, TensorKind};
use burn_tensor::{BackendPrimitive, Bool, Float, Int};
use promote::half::{bf16, f16};
use promote::{Element, OpRule, Torch};

/// A kind of tensor: [`Float`], [`Int`] or [`Bool`].
///
/// burn knows the kind of a tensor at compile time, and its dtype at run time.
pub trait MixedKind: Basic + TensorKind + BackendPrimitive<Flex, Primitive = FlexTensor> {
    /// An element type of this kind, which stands for the kind where a [`KindRule`] asks the rule set.
    type Element: ElementKind;
}

/// An element type, which has a kind.
pub trait ElementKind: Element {
    /// The kind of tensors with such elements.
    type Kind: MixedKind;
}

macro_rules! kinds {
    ($($kind:ident $chosen:ty: $($element:ty)*;)*) => {$(
        impl MixedKind for $kind {
            type Element = $chosen;
        }

        $(
            impl ElementKind for $element {
                type Kind = $kind;
            }
        )*
    )*};
}

kinds! {
    Float f32: f16 bf16 f32 f64;
    Int i64: u8 u16 u32 u64 i8 i16 i32 i64;
    Bool bool: bool;
}

/// The kind of the result of `Op` under PyTorch's rules. It is implemented for the tuple of the element types
/// that stand for the kinds of the operands.
///
/// ```
/// use burn_tensor::{Float, Int};
/// use promote_burn::{KindRule, MixedKind, promote::op};
///
/// /// Compiles if `Op` of two integer tensors is a tensor of the kind `K`.
/// fn of_integers<Op, K: MixedKind>()
/// where
///     (i64, i64): KindRule<Op, Kind = K>,
/// {
/// }
/// of_integers::<op::Add, Int>();
/// of_integers::<op::Divide, Float>();
/// ```
pub trait KindRule<Op> {
    /// The kind of the result.
    type Kind: MixedKind;
}

// One parameter for all operands: with a bound on `Torch` and projections of two kinds in place of it, rustc
// does not find the bounds of a generic method.
impl<Op, Args, Output: ElementKind> KindRule<Op> for Args
where
    Torch: OpRule<Op, Args, Output = Output>,
{
    type Kind = Output::Kind;
}
