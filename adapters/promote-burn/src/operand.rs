//! The operands of a call.

use burn_flex::{Flex, FlexTensor};
use burn_tensor::{Bool, Float, Int, Tensor};
use promote::{Number, Slice, TensorView};

use crate::{Error, MixedKind, promote_dtype};

/// An operand of [`apply`](crate::apply): a tensor of any dtype, kind and rank, or a number.
///
/// Tensors, references to tensors, and Rust's numbers convert to it. A tensor shares its elements with the
/// operand.
///
/// ```
/// use burn_tensor::{Device, Int, Tensor};
/// use promote_burn::Operand;
///
/// let tensor = Tensor::<1, Int>::from_data([1, 2], &Device::flex());
/// let operands: [Operand; 2] = [(&tensor).into(), 2.5.into()];
/// ```
#[derive(Clone, Debug)]
pub struct Operand(pub(crate) Source);

#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// The elements, or the reason why they cannot be reached. A conversion cannot fail, and a call can.
    Tensor(Result<FlexTensor, Error>),
    Number(Number),
}

/// Views the elements of a tensor where they are.
pub(crate) fn view(tensor: &FlexTensor) -> Result<TensorView<'_>, Error> {
    let elements = Slice::from_bytes(promote_dtype(tensor.dtype())?, tensor.bytes())?;
    let layout = tensor.layout();
    Ok(TensorView::strided(elements, layout.shape(), layout.strides(), layout.start_offset())?)
}

impl<const D: usize, K: MixedKind> From<Tensor<D, K>> for Operand {
    fn from(tensor: Tensor<D, K>) -> Self {
        Operand(Source::Tensor(tensor.try_into_primitive::<Flex>().map_err(Error::from)))
    }
}

impl<const D: usize, K: MixedKind> From<&Tensor<D, K>> for Operand {
    fn from(tensor: &Tensor<D, K>) -> Self {
        tensor.clone().into()
    }
}

impl From<Number> for Operand {
    fn from(number: Number) -> Self {
        Operand(Source::Number(number))
    }
}

/// An operand of the methods of [`MixedOps`](crate::MixedOps): a tensor of rank `D`, or a number as an `f64`,
/// an `i64` or a `bool`.
///
/// There is one integer type and one float type, so that literals need no suffix.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand beside a tensor of {D} dimensions",
    label = "tensors of as many dimensions, `f64`, `i64` and `bool` are",
    note = "call `unsqueeze` on a tensor of fewer dimensions, or use `apply`, which takes any rank"
)]
pub trait MixedOperand<const D: usize>: Into<Operand> {
    /// The kind of the operand.
    type Kind: MixedKind;
}

impl<const D: usize, K: MixedKind> MixedOperand<D> for Tensor<D, K> {
    type Kind = K;
}

impl<const D: usize, K: MixedKind> MixedOperand<D> for &Tensor<D, K> {
    type Kind = K;
}

macro_rules! numbers {
    ($($number:ty: $kind:ident)*) => {$(
        impl From<$number> for Operand {
            fn from(number: $number) -> Self {
                Number::from(number).into()
            }
        }

        impl<const D: usize> MixedOperand<D> for $number {
            type Kind = $kind;
        }
    )*};
}

numbers! { f64: Float i64: Int bool: Bool }
