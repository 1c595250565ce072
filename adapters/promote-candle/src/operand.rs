//! The operands of a call.

use candle_core::{Tensor, Var};
use promote::Number;

/// An operand of [`apply`](crate::apply): a tensor or a number.
///
/// Tensors, variables and Rust's numbers convert to it.
///
/// ```
/// use candle_core::{Device, Tensor};
/// use promote_candle::Operand;
/// use promote_candle::promote::Number;
///
/// let tensor = Tensor::new(&[1_u8, 2], &Device::Cpu)?;
/// assert!(matches!(Operand::from(&tensor), Operand::Tensor(_)));
/// assert!(matches!(Operand::from(2.5), Operand::Number(Number::Float(2.5))));
/// # Ok::<(), candle_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// A tensor of any shape, strides and dtype.
    Tensor(&'a Tensor),
    /// A number without a width, as in Python.
    Number(Number),
}

impl<'a> From<&'a Tensor> for Operand<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Operand::Tensor(tensor)
    }
}

impl<'a> From<&'a Var> for Operand<'a> {
    fn from(variable: &'a Var) -> Self {
        Operand::Tensor(variable.as_tensor())
    }
}

/// Implements conversions of numbers.
macro_rules! from_numbers {
    ($($number:ty)*) => {$(
        impl From<$number> for Operand<'_> {
            fn from(number: $number) -> Self {
                Operand::Number(number.into())
            }
        }
    )*};
}

from_numbers! { bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }

impl From<Number> for Operand<'_> {
    fn from(number: Number) -> Self {
        Operand::Number(number)
    }
}
