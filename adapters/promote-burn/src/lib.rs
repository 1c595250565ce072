#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod call;
mod dtype;
mod error;
mod kind;
mod operand;

#[doc(no_inline)]
pub use burn_tensor;
use burn_tensor::{Bool, DType, Tensor};
#[doc(no_inline)]
pub use promote;
use promote::{Casting, Op, RuleSet, Torch, op};

pub use crate::dtype::{burn_dtype, promote_dtype};
pub use crate::error::Error;
pub use crate::kind::{ElementKind, KindRule, MixedKind};
pub use crate::operand::{MixedOperand, Operand};

/// The result of `Op` under PyTorch's rules on operands for which the element types `Args` stand: a tensor of
/// rank `D`.
pub type MixedResult<const D: usize, Op, Args> = Result<Tensor<D, <Args as KindRule<Op>>::Kind>, Error>;

/// The element type that stands for a kind.
type Of<K> = <K as MixedKind>::Element;

/// Computes an elementwise op on tensors and numbers of any dtypes, by the rules of a rule set.
///
/// Tensors are broadcast to one shape; they may have different ranks. Operands are read where they are,
/// whatever their strides, and only the result is allocated. The order of operands is that of
/// [`RuleSet::call`]: the condition of [`Op::Where`] comes first, and extra inputs such as a weight come
/// last.
///
/// The caller states the rank and the kind of the result by its type, since only the rule set knows them.
/// A number has no width, as in Python: it does not widen a tensor of its own kind. A tensor of one element
/// is a tensor like any other, because burn has no tensors without dimensions.
///
/// # Errors
///
/// Returns an error if the rule set refuses the dtypes, if the shapes do not broadcast, if no operand is a
/// tensor, if a tensor is not on the Flex backend or is tracked by autodiff, if the op is a reduction, or if
/// the result is of another kind or rank than stated.
///
/// # Examples
///
/// ```
/// use burn_tensor::{Bool, DType, Device, Int, Tensor};
/// use promote_burn::apply;
/// use promote_burn::promote::{NumPy, Op, Torch};
///
/// let device = Device::flex();
/// let numbers = Tensor::<1, Int>::from_data([1, 2], (&device, DType::I64));
/// let halves = Tensor::<1>::from_data([0.5, 2.0], (&device, DType::F16));
///
/// // PyTorch and NumPy differ in the dtype of i64 + f16.
/// let (torch, numpy) = (Torch::new().rule_set(), NumPy::new().rule_set());
/// let operands = [(&numbers).into(), (&halves).into()];
/// let sum: Tensor<1> = apply(torch, Op::Add, &operands)?;
/// assert_eq!(sum.dtype(), DType::F16);
/// let sum: Tensor<1> = apply(numpy, Op::Add, &operands)?;
/// assert_eq!(sum.dtype(), DType::F64);
///
/// // Functions, numbers, and masks.
/// let root: Tensor<1> = apply(torch, Op::Sqrt, &[(&numbers).into()])?;
/// assert_eq!(root.dtype(), DType::F32);
/// let mask: Tensor<1, Bool> = apply(torch, Op::Greater, &[(&halves).into(), 1.into()])?;
/// let chosen: Tensor<1> = apply(torch, Op::Where, &[mask.into(), (&halves).into(), (&numbers).into()])?;
/// assert_eq!(chosen.try_into_vec_as::<f32>().ok(), Some(vec![1.0, 2.0]));
/// # Ok::<(), promote_burn::Error>(())
/// ```
pub fn apply<const D: usize, K: MixedKind>(
    rules: RuleSet,
    op: Op,
    operands: &[Operand],
) -> Result<Tensor<D, K>, Error> {
    call::apply(rules, op, operands)
}

/// Casts a tensor to a dtype of any kind, as the rule set allows at a level of casting.
///
/// Integers wrap, floats are rounded to nearest even, and the rule set decides what a float becomes that an
/// integer dtype cannot hold. Without a level, every cast is allowed. burn's own `cast` has no levels, and
/// does not cast to booleans.
///
/// # Errors
///
/// Returns an error if the rule set does not have the level or refuses the cast, if the tensor is not on the
/// Flex backend or is tracked by autodiff, or if the result is of another kind or rank than stated.
///
/// # Examples
///
/// ```
/// use burn_tensor::{DType, Device, Int, Tensor};
/// use promote_burn::cast;
/// use promote_burn::promote::{Casting, NumPy};
///
/// let rules = NumPy::new().rule_set();
/// let floats = Tensor::<1>::from_data([1.5, -2.75], &Device::flex());
/// let integers: Tensor<1, Int> = cast(rules, &floats, DType::I8, None)?;
/// assert_eq!(integers.try_into_vec_as::<i8>().ok(), Some(vec![1, -2]));
/// assert!(cast::<1, Int>(rules, &floats, DType::I8, Some(Casting::SameKind)).is_err());
/// # Ok::<(), promote_burn::Error>(())
/// ```
pub fn cast<const D: usize, K: MixedKind>(
    rules: RuleSet,
    tensor: impl Into<Operand>,
    dtype: DType,
    casting: Option<Casting>,
) -> Result<Tensor<D, K>, Error> {
    call::cast(rules, tensor.into(), dtype, casting)
}

/// Declares the methods for ops of two operands.
macro_rules! mixed_ops {
    ($($(#[doc = $doc:literal])* $name:ident $op:ident)*) => {
        /// Arithmetic and comparisons of burn tensors of different dtypes and kinds, by the rules of PyTorch.
        ///
        /// The names are those of burn's own methods after `mixed_`. The other operand is a tensor of the
        /// same rank, which is broadcast, or a number. [`apply`] computes other ops, takes other rule sets,
        /// and says which operands there are.
        ///
        /// The kind of a result is known at compile time. A pair of kinds that PyTorch refuses does not
        /// compile:
        ///
        /// ```compile_fail
        /// use burn_tensor::{Bool, Device, Tensor};
        /// use promote_burn::MixedOps;
        ///
        /// let mask = Tensor::<1, Bool>::from_data([true], &Device::flex());
        /// // error: a bool cannot be subtracted: use `logical_xor`
        /// let _ = mask.mixed_sub(&mask);
        /// ```
        ///
        /// # Errors
        ///
        /// Each method returns the errors of [`apply`].
        ///
        /// # Examples
        ///
        /// ```
        /// use burn_tensor::{Bool, DType, Device, Int, Tensor};
        /// use promote_burn::MixedOps;
        ///
        /// let halves = Tensor::<2>::from_data([[0.5, 1.5]], (&Device::flex(), DType::F16));
        /// let column = Tensor::<2, Int>::from_data([[10], [20]], (&Device::flex(), DType::I64));
        ///
        /// let sum: Tensor<2> = halves.mixed_add(&column)?;
        /// assert_eq!((sum.dtype(), sum.dims()), (DType::F16, [2, 2]));
        /// let doubled: Tensor<2, Int> = column.mixed_mul(2)?;
        /// let halved: Tensor<2> = column.mixed_mul(0.5)?;
        /// let mask: Tensor<2, Bool> = doubled.mixed_greater(&halves)?;
        /// # let _ = (halved, mask);
        /// # Ok::<(), promote_burn::Error>(())
        /// ```
        pub trait MixedOps<const D: usize> {
            /// The kind of the tensor.
            type Kind: MixedKind;

            $(
                $(#[doc = $doc])*
                #[allow(clippy::missing_errors_doc, reason = "the trait has the section")]
                fn $name<B: MixedOperand<D>>(
                    &self,
                    other: B,
                ) -> MixedResult<D, op::$op, (Of<Self::Kind>, Of<B::Kind>)>
                where
                    (Of<Self::Kind>, Of<B::Kind>): KindRule<op::$op>;
            )*

            /// Takes elements of `value` where the mask is true, and of this tensor elsewhere.
            ///
            /// The result has the dtype to which the two promote.
            #[allow(clippy::missing_errors_doc, reason = "the trait has the section")]
            fn mixed_mask_where<B: MixedOperand<D>>(
                &self,
                mask: &Tensor<D, Bool>,
                value: B,
            ) -> MixedResult<D, op::Where, (bool, Of<B::Kind>, Of<Self::Kind>)>
            where
                (bool, Of<B::Kind>, Of<Self::Kind>): KindRule<op::Where>;
        }

        impl<const D: usize, K: MixedKind> MixedOps<D> for Tensor<D, K> {
            type Kind = K;

            $(
                fn $name<B: MixedOperand<D>>(
                    &self,
                    other: B,
                ) -> MixedResult<D, op::$op, (Of<K>, Of<B::Kind>)>
                where
                    (Of<K>, Of<B::Kind>): KindRule<op::$op>,
                {
                    apply(torch(), Op::$op, &[self.into(), other.into()])
                }
            )*

            fn mixed_mask_where<B: MixedOperand<D>>(
                &self,
                mask: &Tensor<D, Bool>,
                value: B,
            ) -> MixedResult<D, op::Where, (bool, Of<B::Kind>, Of<K>)>
            where
                (bool, Of<B::Kind>, Of<K>): KindRule<op::Where>,
            {
                apply(torch(), Op::Where, &[mask.into(), value.into(), self.into()])
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
    /// Divides. The quotient of integers is F32, as PyTorch's is; burn's `div` truncates it.
    mixed_div Divide
    /// Returns the remainder of a division that rounds down, which has the sign of the divisor.
    mixed_remainder Remainder
    /// Raises the elements to a power.
    mixed_pow Pow
    /// Returns the greater of two elements, or NaN if one is NaN.
    mixed_max_pair Maximum
    /// Returns the smaller of two elements, or NaN if one is NaN.
    mixed_min_pair Minimum
    /// Returns a mask: true where the elements are equal.
    mixed_equal Equal
    /// Returns a mask: true where the elements differ.
    mixed_not_equal NotEqual
    /// Returns a mask: true where this element is less than the other one.
    mixed_lower Less
    /// Returns a mask: true where this element is at most the other one.
    mixed_lower_equal LessEqual
    /// Returns a mask: true where this element is greater than the other one.
    mixed_greater Greater
    /// Returns a mask: true where this element is at least the other one.
    mixed_greater_equal GreaterEqual
}

/// Returns the rules of [`MixedOps`].
fn torch() -> RuleSet {
    Torch::new().rule_set()
}
