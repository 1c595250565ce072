#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod dtype;
mod forward;
mod gradient;
mod operand;

use candle_core::{Result, Tensor};
pub use promote;
use promote::{Op, RuleSet, Torch};

pub use crate::dtype::{candle_dtype, promote_dtype};
pub use crate::operand::Operand;

/// Computes an elementwise op on tensors and numbers of any dtypes, by the rules of a rule set.
///
/// Tensors are broadcast to one shape. Operands are read where they are, whatever their strides, and only the
/// result is allocated. The order of operands is that of [`RuleSet::call`]: the condition of [`Op::Where`]
/// comes first, and extra inputs such as a weight come last.
///
/// - **Numbers** have no width, as in Python: a number does not widen a tensor of its own kind. A tensor
///   without axes is a zero-dimensional array of the rule set. Under PyTorch's rules it widens a tensor only
///   if its kind is higher, so an F16 tensor plus an F32 tensor without axes is F16.
/// - **Masks** are U8, as in candle: each comparison results in 0 and 1. A condition has an integer dtype,
///   and is true where it is not 0. Elsewhere the elements of a U8 tensor are numbers.
/// - **Gradients** go through `add`, `subtract`, `multiply`, `divide`, `maximum`, `minimum`, `where`, the
///   base of `pow`, and `negative`, `abs`, `square`, `reciprocal`, `sqrt`, `exp`, `log`, `sin`, `cos`, `tanh`
///   and `sigmoid`. A gradient has the dtype and the shape of its operand. `backward` returns an error if it
///   reaches another op, unless the results of that op are integers.
///
/// # Errors
///
/// Returns an error if the rule set refuses the dtypes, if the shapes do not broadcast, if no operand is a
/// tensor or more than three are, if a tensor is not on the CPU, or if candle does not have the dtype of the
/// result.
///
/// # Examples
///
/// ```
/// use candle_core::{DType, Device, Tensor};
/// use promote_candle::apply;
/// use promote_candle::promote::{NumPy, Op, Torch};
///
/// let pixels = Tensor::new(&[10_u8, 250], &Device::Cpu)?;
/// let halves = Tensor::new(&[0.5_f32, 2.0], &Device::Cpu)?.to_dtype(DType::F16)?;
/// let numbers = Tensor::new(&[1_i64, 2], &Device::Cpu)?;
///
/// // PyTorch and NumPy differ in the dtype of i64 + f16.
/// let (torch, numpy) = (Torch::new().rule_set(), NumPy::new().rule_set());
/// assert_eq!(apply(torch, Op::Add, &[(&numbers).into(), (&halves).into()])?.dtype(), DType::F16);
/// assert_eq!(apply(numpy, Op::Add, &[(&numbers).into(), (&halves).into()])?.dtype(), DType::F64);
///
/// // Functions, numbers, and masks.
/// assert_eq!(apply(torch, Op::Sqrt, &[(&pixels).into()])?.dtype(), DType::F32);
/// let mask = apply(torch, Op::Greater, &[(&pixels).into(), 100.into()])?;
/// let dimmed = apply(torch, Op::Where, &[(&mask).into(), (&halves).into(), (&pixels).into()])?;
/// assert_eq!(dimmed.to_dtype(DType::F32)?.to_vec1::<f32>()?, [10.0, 2.0]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn apply(rules: RuleSet, op: Op, operands: &[Operand<'_>]) -> Result<Tensor> {
    forward::apply(rules, op, operands)
}

/// Declares the methods for ops of two operands.
macro_rules! mixed_ops {
    ($($(#[doc = $doc:literal])* $name:ident $op:ident)*) => {
        /// Arithmetic and comparisons of candle tensors of different dtypes, by the rules of PyTorch.
        ///
        /// The names are those of candle's own methods after `mixed_`. Each method broadcasts, as candle's
        /// `broadcast_add` does. The other operand is a tensor or a number. [`apply`] computes other ops, and
        /// takes other rule sets; it also says which operands and gradients there are.
        ///
        /// # Errors
        ///
        /// Each method returns the errors of [`apply`].
        ///
        /// # Examples
        ///
        /// ```
        /// use candle_core::{DType, Device, Tensor};
        /// use promote_candle::MixedOps;
        ///
        /// let halves = Tensor::new(&[0.5_f32, 1.5], &Device::Cpu)?.to_dtype(DType::F16)?;
        /// let column = Tensor::new(&[[10_i64], [20]], &Device::Cpu)?;
        ///
        /// let sum = halves.mixed_add(&column)?;
        /// assert_eq!((sum.dtype(), sum.dims()), (DType::F16, &[2, 2][..]));
        /// assert_eq!(halves.mixed_mul(2.0)?.dtype(), DType::F16);
        /// assert_eq!(halves.mixed_lt(1)?.to_vec1::<u8>()?, [1, 0]);
        /// # Ok::<(), candle_core::Error>(())
        /// ```
        pub trait MixedOps {
            $(
                $(#[doc = $doc])*
                #[allow(clippy::missing_errors_doc, reason = "the trait has the section")]
                fn $name<'a>(&self, other: impl Into<Operand<'a>>) -> Result<Tensor>;
            )*

            /// Takes elements of `on_true` where this mask is not 0, and of `on_false` elsewhere.
            ///
            /// The result has the dtype to which the two promote.
            #[allow(clippy::missing_errors_doc, reason = "the trait has the section")]
            fn mixed_where_cond<'a, 'b>(
                &self,
                on_true: impl Into<Operand<'a>>,
                on_false: impl Into<Operand<'b>>,
            ) -> Result<Tensor>;
        }

        impl MixedOps for Tensor {
            $(
                fn $name<'a>(&self, other: impl Into<Operand<'a>>) -> Result<Tensor> {
                    apply(torch(), Op::$op, &[self.into(), other.into()])
                }
            )*

            fn mixed_where_cond<'a, 'b>(
                &self,
                on_true: impl Into<Operand<'a>>,
                on_false: impl Into<Operand<'b>>,
            ) -> Result<Tensor> {
                apply(torch(), Op::Where, &[self.into(), on_true.into(), on_false.into()])
            }
        }
    };
}

mixed_ops! {
    /// Adds. Integers wrap on overflow.
    mixed_add Add
    /// Subtracts. Integers wrap on overflow.
    mixed_sub Subtract
    /// Multiplies. Integers wrap on overflow.
    mixed_mul Multiply
    /// Divides. The quotient of integers is F32, as PyTorch's is; candle's `div` truncates it.
    mixed_div Divide
    /// Raises the elements to a power.
    mixed_pow Pow
    /// Returns the greater of two elements, or NaN if one is NaN.
    mixed_maximum Maximum
    /// Returns the smaller of two elements, or NaN if one is NaN.
    mixed_minimum Minimum
    /// Returns a U8 mask: 1 where the elements are equal.
    mixed_eq Equal
    /// Returns a U8 mask: 1 where the elements differ.
    mixed_ne NotEqual
    /// Returns a U8 mask: 1 where this element is less than the other one.
    mixed_lt Less
    /// Returns a U8 mask: 1 where this element is at most the other one.
    mixed_le LessEqual
    /// Returns a U8 mask: 1 where this element is greater than the other one.
    mixed_gt Greater
    /// Returns a U8 mask: 1 where this element is at least the other one.
    mixed_ge GreaterEqual
}

/// Returns the rules of [`MixedOps`].
fn torch() -> RuleSet {
    Torch::new().rule_set()
}
