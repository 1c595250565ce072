//! Ops on arrays, as functions of rule sets.

use ndarray::{Array, ArrayRef, Axis, DimMax, Dimension, IxDyn, RemoveAxis};
use promote::{ArgumentRole, CallError, Element, Error, OpOutput, OpRule, OpType, Rules, op};

use crate::operand::{NdArgs, NdOperand};
use crate::{Nd, result};

/// The result of `Op` on the operands `Args`, a tuple, under the rule set `R`: an array with the shape that
/// they broadcast to.
pub type NdResult<R, Op, Args> = Result<Array<NdElement<R, Op, Args>, <Args as NdArgs>::Dim>, Error>;

/// The result of the reduction `Op` of the operand `A` along axes, under the rule set `R`: an array with a
/// shape of the type `D`.
pub type NdReduced<R, Op, A, D> = Result<Array<NdElement<R, Op, (A,)>, D>, Error>;

/// The element type of the result of `Op` on the operands `Args`, a tuple, under the rule set `R`.
pub type NdElement<R, Op, Args> = OpOutput<Op, <Args as NdArgs>::Elems, R>;

/// A function for an op of one operand, of two, or in place; a reduction.
macro_rules! functions {
    (unary $($name:ident $op:ident $does:literal)*) => {$(
        #[doc = concat!($does, ": [`NdOps::compute_nd`] with [`op::", stringify!($op), "`].")]
        ///
        /// # Errors
        ///
        /// Returns the errors of [`NdOps::compute_nd`].
        fn $name<A>(a: A) -> NdResult<Self, op::$op, (A,)>
        where
            A: NdOperand,
            Self: OpRule<op::$op, (A::Elem,)>,
        {
            Self::compute_nd(op::$op, (a,))
        }
    )*};
    (binary $($name:ident $op:ident $does:literal)*) => {$(
        #[doc = concat!($does, ": [`NdOps::compute_nd`] with [`op::", stringify!($op), "`].")]
        ///
        /// # Errors
        ///
        /// Returns the errors of [`NdOps::compute_nd`].
        fn $name<A, B>(a: A, b: B) -> NdResult<Self, op::$op, (A, B)>
        where
            A: NdOperand<Dim: DimMax<B::Dim>>,
            B: NdOperand,
            Self: OpRule<op::$op, (A::Elem, B::Elem)>,
        {
            Self::compute_nd(op::$op, (a, b))
        }
    )*};
    (assign $($name:ident $op:ident $does:literal)*) => {$(
        #[doc = concat!($does, ": [`NdOps::compute_assign_nd`] with [`op::", stringify!($op), "`].")]
        ///
        /// # Errors
        ///
        /// Returns the errors of [`NdOps::compute_assign_nd`].
        fn $name<A, D, B>(a: &mut ArrayRef<A, D>, b: B) -> Result<(), Error>
        where
            A: Element,
            D: Dimension,
            B: NdOperand,
            Self: OpRule<op::$op, (A, B::Elem)>,
        {
            Self::compute_assign_nd(op::$op, a, b)
        }
    )*};
    (reduction $($name:ident $along:ident $op:ident $does:literal)*) => {$(
        #[doc = concat!($does, " of all elements: [`NdOps::reduce_nd`] with [`op::", stringify!($op), "`].")]
        ///
        /// # Errors
        ///
        /// Returns the errors of [`NdOps::reduce_nd`].
        fn $name<A>(a: A) -> Result<NdElement<Self, op::$op, (A,)>, Error>
        where
            A: NdOperand,
            Self: OpRule<op::$op, (A::Elem,)>,
        {
            Self::reduce_nd(op::$op, a)
        }

        #[doc = concat!($does, " along an axis: [`NdOps::reduce_axis_nd`] with [`op::", stringify!($op), "`].")]
        ///
        /// # Errors
        ///
        /// Returns the errors of [`NdOps::reduce_axis_nd`].
        fn $along<A>(
            a: A,
            axis: Axis,
        ) -> NdReduced<Self, op::$op, A, <A::Dim as Dimension>::Smaller>
        where
            A: NdOperand<Dim: RemoveAxis>,
            Self: OpRule<op::$op, (A::Elem,)>,
        {
            Self::reduce_axis_nd(op::$op, a, axis)
        }
    )*};
}

/// Ops on arrays under a rule set. Every rule set implements this trait, bundled ones and your own.
///
/// A pair of element types that the rule set refuses does not compile:
///
/// ```compile_fail
/// use promote_ndarray::ndarray::array;
/// use promote_ndarray::prelude::*;
/// use promote_ndarray::promote::Torch;
///
/// // error: unsigned integers other than u8 promote with floats only: cast one first
/// let _ = Torch::add_nd(&array![1_u16], &array![1_i32]);
/// ```
///
/// Generic code needs one bound for each op:
///
/// ```
/// use promote_ndarray::NdOps;
/// use promote_ndarray::ndarray::{Array1, array};
/// use promote_ndarray::promote::{Element, Error, OpOutput, OpRule, Rules, Torch, op};
///
/// fn scaled<R, A, B>(a: &Array1<A>, b: &Array1<B>) -> Result<Array1<OpOutput<op::Multiply, (A, B), R>>, Error>
/// where
///     R: Rules + OpRule<op::Multiply, (A, B)>,
///     A: Element,
///     B: Element,
/// {
///     R::multiply_nd(a, b)
/// }
/// assert_eq!(scaled::<Torch, _, _>(&array![1_u8, 2], &array![-1_i8, 1])?, array![-1_i16, 2]);
/// # Ok::<(), Error>(())
/// ```
pub trait NdOps: Rules {
    /// Computes an elementwise op on operands, which are broadcast to one shape. `args` is a tuple of
    /// [operands](NdOperand).
    ///
    /// Each operand is converted to the common type, the op computes in its compute type, and the result is
    /// rounded once. Integers wrap.
    ///
    /// # Errors
    ///
    /// Returns an error if the operands do not broadcast, if the op refuses a value (a zero divisor under
    /// some rule sets), if this build has no kernel, or if there is not enough memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote_ndarray::NdOps;
    /// use promote_ndarray::ndarray::{Array2, array};
    /// use promote_ndarray::promote::{Torch, op, weak};
    ///
    /// let (a, b) = (array![[1_i8, 2], [3, 4]], array![0.5_f32, 0.25]);
    /// let angle: Array2<f32> = Torch::compute_nd(op::Atan2, (&a, &b))?;
    /// assert_eq!(angle[[0, 1]], 2.0_f32.atan2(0.25));
    ///
    /// let error = Torch::compute_nd(op::Add, (&a, &array![1.0_f32, 2.0, 3.0])).unwrap_err();
    /// assert!(error.to_string().starts_with("operand `b` has length 3 along axis -1"));
    /// # Ok::<(), promote_ndarray::promote::Error>(())
    /// ```
    fn compute_nd<Op, Args>(op: Op, args: Args) -> NdResult<Self, Op, Args>
    where
        Op: OpType,
        Args: NdArgs,
        Self: OpRule<Op, Args::Elems>,
    {
        let _ = op;
        args.with(|parts| result::new(Self::data(), Op::OP, parts))
    }

    /// Computes an elementwise op on operands, and writes the result into `out`, which has the shape that
    /// they broadcast to.
    ///
    /// The element type of `out` is that of the result, or one to which the rule set lets a result be cast.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`NdOps::compute_nd`], and an error if the shape differs or the cast is refused.
    /// `out` is then unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote_ndarray::NdOps;
    /// use promote_ndarray::ndarray::array;
    /// use promote_ndarray::promote::{Torch, op};
    ///
    /// let mut out = array![0.0_f64, 0.0];
    /// Torch::compute_into_nd(op::Add, (&array![1_u8, 2], &array![0.5_f32, 0.5]), &mut out)?;
    /// assert_eq!(out, array![1.5, 2.5]);
    /// # Ok::<(), promote_ndarray::promote::Error>(())
    /// ```
    fn compute_into_nd<Op, Args, T, D>(op: Op, args: Args, out: &mut ArrayRef<T, D>) -> Result<(), Error>
    where
        Op: OpType,
        Args: NdArgs,
        T: Element,
        D: Dimension,
        Self: OpRule<Op, Args::Elems>,
    {
        let _ = op;
        args.with(|parts| result::into(Self::data(), Op::OP, parts, out))
    }

    /// Computes an op of two operands in place, as in `a += b`. `b` broadcasts to the shape of `a`.
    ///
    /// The result is cast to the element type of `a`, if the rule set allows this cast. A rule set of your
    /// own names the casts by `inplace`, and refuses ops in place without it.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`NdOps::compute_nd`], and an error if the cast is refused. `a` is then
    /// unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote_ndarray::NdOps;
    /// use promote_ndarray::ndarray::array;
    /// use promote_ndarray::promote::{Torch, weak};
    ///
    /// let mut a = array![[1_i16, 2], [3, 4]];
    /// Torch::add_assign_nd(&mut a.column_mut(0), &array![10_u8, 20])?;
    /// Torch::multiply_assign_nd(&mut a, weak(2))?;
    /// assert_eq!(a, array![[22, 4], [46, 8]]);
    /// // PyTorch does not store floats as integers.
    /// assert!(Torch::add_assign_nd(&mut a, weak(0.5)).is_err());
    /// # Ok::<(), promote_ndarray::promote::Error>(())
    /// ```
    fn compute_assign_nd<Op, A, D, B>(op: Op, a: &mut ArrayRef<A, D>, b: B) -> Result<(), Error>
    where
        Op: OpType,
        A: Element,
        D: Dimension,
        B: NdOperand,
        Self: OpRule<Op, (A, B::Elem)>,
    {
        let _ = op;
        result::in_place(Self::data(), Op::OP, a, &[(ArgumentRole::B, b.part())])
    }

    /// Computes an op of one operand in place.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`NdOps::compute_assign_nd`].
    ///
    /// # Examples
    ///
    /// ```
    /// use promote_ndarray::NdOps;
    /// use promote_ndarray::ndarray::array;
    /// use promote_ndarray::promote::{Torch, half::bf16, op};
    ///
    /// let mut a = array![bf16::from_f32(4.0), bf16::from_f32(9.0)];
    /// Torch::compute_in_place_nd(op::Sqrt, &mut a)?;
    /// assert_eq!(a, array![bf16::from_f32(2.0), bf16::from_f32(3.0)]);
    /// # Ok::<(), promote_ndarray::promote::Error>(())
    /// ```
    fn compute_in_place_nd<Op, A, D>(op: Op, a: &mut ArrayRef<A, D>) -> Result<(), Error>
    where
        Op: OpType,
        A: Element,
        D: Dimension,
        Self: OpRule<Op, (A,)>,
    {
        let _ = op;
        result::in_place(Self::data(), Op::OP, a, &[])
    }

    /// Reduces all elements to one.
    ///
    /// [`Call::axes`](promote::Call::axes) says how each reduction computes.
    ///
    /// # Errors
    ///
    /// Returns an error if `op` is not a reduction, if an extremum is taken over no elements, or if this
    /// build has no kernel.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote_ndarray::NdOps;
    /// use promote_ndarray::ndarray::array;
    /// use promote_ndarray::promote::{Torch, op};
    ///
    /// let a = array![[200_u8, 100], [3, 4]];
    /// let sum: i64 = Torch::reduce_nd(op::Sum, &a)?; // PyTorch adds integers in i64
    /// assert_eq!(sum, 307);
    /// # Ok::<(), promote_ndarray::promote::Error>(())
    /// ```
    fn reduce_nd<Op, A>(op: Op, a: A) -> Result<NdElement<Self, Op, (A,)>, Error>
    where
        Op: OpType,
        A: NdOperand,
        Self: OpRule<Op, (A::Elem,)>,
    {
        let _ = op;
        (a,).with(|parts| result::element(Self::data(), Op::OP, parts))
    }

    /// Reduces along an axis, which the result lacks.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`NdOps::reduce_nd`], and an error if there is no such axis.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote_ndarray::NdOps;
    /// use promote_ndarray::ndarray::{Axis, array};
    /// use promote_ndarray::promote::{Torch, op};
    ///
    /// let a = array![[200_u8, 100], [3, 4]];
    /// assert_eq!(Torch::reduce_axis_nd(op::Sum, &a, Axis(0))?, array![203_i64, 104]);
    /// assert_eq!(Torch::reduce_axis_nd(op::Argmax, &a, Axis(1))?, array![0_i64, 1]);
    /// # Ok::<(), promote_ndarray::promote::Error>(())
    /// ```
    fn reduce_axis_nd<Op, A>(
        op: Op,
        a: A,
        axis: Axis,
    ) -> NdReduced<Self, Op, A, <A::Dim as Dimension>::Smaller>
    where
        Op: OpType,
        A: NdOperand<Dim: RemoveAxis>,
        Self: OpRule<Op, (A::Elem,)>,
    {
        let _ = op;
        let (part, axis) = (a.part(), axis.index());
        let (shape, signed) = (part.shape, axis.cast_signed());
        if axis >= shape.len() {
            return Err(CallError::NoAxis { axis: signed, rank: shape.len() }.into());
        }
        let kept = |at: usize| shape[if at < axis { at } else { at + 1 }];
        let dim = result::dim((0..shape.len() - 1).map(kept));
        result::reduced(Self::data(), Op::OP, &part, signed.into(), dim)
    }

    /// Reduces along several axes, which the result lacks. A negative axis counts from the last, which is -1.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`NdOps::reduce_axis_nd`], and an error if an axis is named twice.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote_ndarray::NdOps;
    /// use promote_ndarray::ndarray::{Array, array};
    /// use promote_ndarray::promote::{Torch, op};
    ///
    /// let images = Array::from_elem((2, 3, 4, 4), 0.5_f32);
    /// let means = Torch::reduce_axes_nd(op::Mean, &images, &[0, -2, -1])?;
    /// assert_eq!(means, array![0.5_f32, 0.5, 0.5].into_dyn());
    /// # Ok::<(), promote_ndarray::promote::Error>(())
    /// ```
    fn reduce_axes_nd<Op, A>(op: Op, a: A, axes: &[isize]) -> NdReduced<Self, Op, A, IxDyn>
    where
        Op: OpType,
        A: NdOperand,
        Self: OpRule<Op, (A::Elem,)>,
    {
        let _ = op;
        let part = a.part();
        let rank = part.shape.len();
        let mut kept = IxDyn::zeros(rank);
        for axis in axes {
            let at = if *axis < 0 { axis.wrapping_add(rank.cast_signed()) } else { *axis };
            match usize::try_from(at).ok().filter(|at| *at < rank) {
                Some(at) if kept[at] == 0 => kept[at] = 1,
                Some(axis) => return Err(CallError::AxisTwice { axis }.into()),
                None => return Err(CallError::NoAxis { axis: *axis, rank }.into()),
            }
        }
        let lengths = part.shape.iter().enumerate().filter(|(axis, _)| kept[*axis] == 0).map(|(_, len)| *len);
        let lengths = lengths.collect::<alloc::vec::Vec<_>>();
        result::reduced(Self::data(), Op::OP, &part, axes.into(), result::dim(lengths.into_iter()))
    }

    /// Returns the dot product of two vectors.
    ///
    /// # Errors
    ///
    /// Returns an error if the vectors differ in length, or if this build has no kernel.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote_ndarray::NdOps;
    /// use promote_ndarray::ndarray::array;
    /// use promote_ndarray::promote::Torch;
    ///
    /// assert_eq!(Torch::dot_nd(&array![1.5_f32, 2.0], &array![2.0_f32, 4.0])?, 11.0);
    /// # Ok::<(), promote_ndarray::promote::Error>(())
    /// ```
    fn dot_nd<A, B>(a: A, b: B) -> Result<NdElement<Self, op::Dot, (A, B)>, Error>
    where
        A: NdOperand<Dim: DimMax<B::Dim>>,
        B: NdOperand,
        Self: OpRule<op::Dot, (A::Elem, B::Elem)>,
    {
        (a, b).with(|parts| result::element(Self::data(), promote::Op::Dot, parts))
    }

    /// Chooses elements of `a` where the condition is true, and of `b` elsewhere: [`NdOps::compute_nd`] with
    /// [`op::Where`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`NdOps::compute_nd`].
    ///
    /// # Examples
    ///
    /// ```
    /// use promote_ndarray::NdOps;
    /// use promote_ndarray::ndarray::array;
    /// use promote_ndarray::promote::{Torch, weak};
    ///
    /// let (a, b) = (array![[1_u8, 200], [3, 4]], array![-1_i8, -2]);
    /// let large = Torch::greater_nd(&a, weak(100))?;
    /// assert_eq!(Torch::where_nd(&large, &a, &b)?, array![[-1_i16, 200], [-1, -2]]);
    /// # Ok::<(), promote_ndarray::promote::Error>(())
    /// ```
    fn where_nd<C, A, B>(condition: C, a: A, b: B) -> NdResult<Self, op::Where, (C, A, B)>
    where
        C: NdOperand<Elem = bool, Dim: DimMax<A::Dim, Output: DimMax<B::Dim>>>,
        A: NdOperand,
        B: NdOperand,
        Self: OpRule<op::Where, (bool, A::Elem, B::Elem)>,
    {
        Self::compute_nd(op::Where, (condition, a, b))
    }

    /// Wraps an operand, so that operators compute under this rule set.
    ///
    /// ```
    /// use promote_ndarray::NdOps;
    /// use promote_ndarray::ndarray::array;
    /// use promote_ndarray::promote::{Torch, weak};
    ///
    /// let (a, b) = (array![[1_i8, 2], [3, 4]], array![0.5_f32, 0.25]);
    /// let y = Torch::nd(&a) * &b + weak(1.0);
    /// assert_eq!(y.into_inner(), array![[1.5_f32, 1.5], [2.5, 2.0]]);
    /// ```
    fn nd<A: NdOperand>(operand: A) -> Nd<Self, A> {
        Nd::new(operand)
    }

    functions! { binary
        add_nd Add "Adds"
        subtract_nd Subtract "Subtracts"
        multiply_nd Multiply "Multiplies"
        divide_nd Divide "Divides"
        floor_divide_nd FloorDivide "Divides, and rounds down"
        remainder_nd Remainder "Returns the remainder"
        pow_nd Pow "Raises to a power"
        maximum_nd Maximum "Returns the greater elements"
        minimum_nd Minimum "Returns the smaller elements"
        equal_nd Equal "Tests `a == b`"
        not_equal_nd NotEqual "Tests `a != b`"
        less_nd Less "Tests `a < b`"
        less_equal_nd LessEqual "Tests `a <= b`"
        greater_nd Greater "Tests `a > b`"
        greater_equal_nd GreaterEqual "Tests `a >= b`"
        logical_and_nd LogicalAnd "Tests that both elements are true"
        logical_or_nd LogicalOr "Tests that an element is true"
        logical_xor_nd LogicalXor "Tests that one element is true, and the other is not"
        bitwise_and_nd BitwiseAnd "Computes `a & b`"
        bitwise_or_nd BitwiseOr "Computes `a | b`"
        bitwise_xor_nd BitwiseXor "Computes `a ^ b`"
    }

    functions! { unary
        negative_nd Negative "Negates"
        abs_nd Abs "Returns magnitudes"
        square_nd Square "Squares"
        sqrt_nd Sqrt "Returns square roots"
        exp_nd Exp "Returns exponentials"
        log_nd Log "Returns natural logarithms"
        sin_nd Sin "Returns sines"
        cos_nd Cos "Returns cosines"
        tanh_nd Tanh "Returns hyperbolic tangents"
        floor_nd Floor "Rounds down"
        ceil_nd Ceil "Rounds up"
        round_nd Round "Rounds to the nearest integer, ties to even"
        logical_not_nd LogicalNot "Tests that an element is not true"
    }

    functions! { assign
        add_assign_nd Add "Adds in place"
        subtract_assign_nd Subtract "Subtracts in place"
        multiply_assign_nd Multiply "Multiplies in place"
        divide_assign_nd Divide "Divides in place"
        maximum_assign_nd Maximum "Keeps the greater elements in place"
        minimum_assign_nd Minimum "Keeps the smaller elements in place"
    }

    functions! { reduction
        sum_nd sum_axis_nd Sum "Returns the sum"
        prod_nd prod_axis_nd Prod "Returns the product"
        mean_nd mean_axis_nd Mean "Returns the mean"
        max_nd max_axis_nd Max "Returns the maximum"
        min_nd min_axis_nd Min "Returns the minimum"
        argmax_nd argmax_axis_nd Argmax "Returns the position of the first maximum"
        argmin_nd argmin_axis_nd Argmin "Returns the position of the first minimum"
        any_nd any_axis_nd Any "Tests whether one is true"
        all_nd all_axis_nd All "Tests whether each is true"
    }
}

impl<R: Rules> NdOps for R {}
