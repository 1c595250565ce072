//! Operators: a wrapper that carries the rule set.

use core::fmt;
use core::marker::PhantomData;
use core::ops::{
    Add, AddAssign, Deref, DerefMut, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

use ndarray::{Array, ArrayBase, DataMut, DimMax, Dimension};
use promote::{Element, OpOutput, OpRule, Rules, Weak, op};

use crate::operand::Part;
use crate::{NdOperand, NdOps};

/// An operand with a rule set, in whose dtypes operators compute: `Torch::nd(&a) + &b`.
///
/// The result of an operator is an array in this wrapper, so that expressions go on. Other operands are
/// references to arrays, views, wrapped operands, and numbers written with [`weak`](promote::weak). A number
/// may also stand on the left.
///
/// Each operator is a call, which allocates its result. `%` is the op `remainder`, which has the sign of the
/// divisor in most rule sets. `a += b` computes in place, see [`NdOps::compute_assign_nd`].
///
/// # Panics
///
/// Operators panic where [`NdOps::compute_nd`] returns an error: if shapes do not broadcast, for example. The
/// functions of [`NdOps`] return the error instead.
///
/// # Examples
///
/// ```
/// use promote_ndarray::NdOps;
/// use promote_ndarray::ndarray::array;
/// use promote_ndarray::promote::{NumPy, Torch, weak};
///
/// let (a, b) = (array![[1_i32, 2], [3, 4]], array![0.5_f32, 0.25]);
/// let torch = weak(2) * Torch::nd(&a) - &b;
/// assert_eq!(*torch, array![[1.5_f32, 3.75], [5.5, 7.75]]);
/// // NumPy promotes i32 and f32 to f64.
/// let numpy = weak(2) * NumPy::nd(&a) - &b;
/// assert_eq!(numpy.into_inner(), array![[1.5_f64, 3.75], [5.5, 7.75]]);
/// ```
pub struct Nd<R, A> {
    operand: A,
    rules: PhantomData<fn() -> R>,
}

impl<R, A> Nd<R, A> {
    /// Wraps an operand; [`NdOps::nd`] is shorter.
    pub const fn new(operand: A) -> Self {
        Nd { operand, rules: PhantomData }
    }

    /// Returns the operand, such as the array that is the result of an operator.
    pub fn into_inner(self) -> A {
        self.operand
    }
}

impl<R, A> Deref for Nd<R, A> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.operand
    }
}

impl<R, A> DerefMut for Nd<R, A> {
    fn deref_mut(&mut self) -> &mut A {
        &mut self.operand
    }
}

impl<R, A: Clone> Clone for Nd<R, A> {
    fn clone(&self) -> Self {
        Nd::new(self.operand.clone())
    }
}

impl<R, A: Copy> Copy for Nd<R, A> {}

impl<R, A: fmt::Debug> fmt::Debug for Nd<R, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.operand.fmt(f)
    }
}

impl<R, A: fmt::Display> fmt::Display for Nd<R, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.operand.fmt(f)
    }
}

impl<R, A: NdOperand> NdOperand for Nd<R, A> {
    type Elem = A::Elem;
    type Dim = A::Dim;

    fn part(&self) -> Part<'_> {
        self.operand.part()
    }
}

/// The array that an operator returns, in its wrapper.
type Output<R, Op, A, B> = Nd<
    R,
    Array<
        OpOutput<Op, (<A as NdOperand>::Elem, <B as NdOperand>::Elem), R>,
        <<A as NdOperand>::Dim as DimMax<<B as NdOperand>::Dim>>::Output,
    >,
>;

macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $op:ident)*) => {$(
        impl<R, A, B> $trait<B> for Nd<R, A>
        where
            R: Rules + OpRule<op::$op, (A::Elem, B::Elem)>,
            A: NdOperand<Dim: DimMax<B::Dim>>,
            B: NdOperand,
        {
            type Output = Output<R, op::$op, A, B>;

            #[track_caller]
            fn $method(self, b: B) -> Self::Output {
                Nd::new(done(stringify!($method), R::compute_nd(op::$op, (self.operand, b))))
            }
        }

        impl<R, A, B> $trait<B> for &Nd<R, A>
        where
            R: Rules + OpRule<op::$op, (A::Elem, B::Elem)>,
            A: NdOperand<Dim: DimMax<B::Dim>>,
            B: NdOperand,
        {
            type Output = Output<R, op::$op, A, B>;

            #[track_caller]
            fn $method(self, b: B) -> Self::Output {
                Nd::new(done(stringify!($method), R::compute_nd(op::$op, (&self.operand, b))))
            }
        }

        impl<R, T, A> $trait<Nd<R, A>> for Weak<T>
        where
            R: Rules + OpRule<op::$op, (Weak<T>, A::Elem)>,
            Weak<T>: NdOperand<Elem = Weak<T>, Dim: DimMax<A::Dim>>,
            A: NdOperand,
        {
            type Output = Output<R, op::$op, Weak<T>, A>;

            #[track_caller]
            fn $method(self, b: Nd<R, A>) -> Self::Output {
                Nd::new(done(stringify!($method), R::compute_nd(op::$op, (self, b.operand))))
            }
        }

        impl<R, T, S, D, B> $assign<B> for Nd<R, ArrayBase<S, D>>
        where
            R: Rules + OpRule<op::$op, (T, B::Elem)>,
            T: Element,
            S: DataMut<Elem = T>,
            D: Dimension,
            B: NdOperand,
        {
            #[track_caller]
            fn $assign_method(&mut self, b: B) {
                done(stringify!($assign_method), R::compute_assign_nd(op::$op, &mut self.operand, b));
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign Add
    Sub sub SubAssign sub_assign Subtract
    Mul mul MulAssign mul_assign Multiply
    Div div DivAssign div_assign Divide
    Rem rem RemAssign rem_assign Remainder
}

impl<R, A> Neg for Nd<R, A>
where
    R: Rules + OpRule<op::Negative, (A::Elem,)>,
    A: NdOperand,
{
    type Output = Nd<R, Array<OpOutput<op::Negative, (A::Elem,), R>, A::Dim>>;

    #[track_caller]
    fn neg(self) -> Self::Output {
        Nd::new(done("neg", R::negative_nd(self.operand)))
    }
}

/// Returns the result of an operator, or panics with the error.
#[track_caller]
fn done<T>(operator: &str, result: Result<T, promote::Error>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!(
            "`{operator}` of arrays: {error}; or call the function of `NdOps`, which returns this error"
        ),
    }
}
