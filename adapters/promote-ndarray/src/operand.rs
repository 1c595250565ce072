//! Operands: arrays of any layout, and numbers without a width.

use ndarray::{ArrayBase, ArrayRef, Data, DimMax, Dimension, Ix0};
use promote::{Argument, ArgumentRole, Element, Number, TensorView, Weak};

use crate::ToTensorView;

/// An operand of an op: an array or an array view of any layout, or a number without a width.
///
/// References to operands are operands, too.
///
/// ```
/// use promote_ndarray::ndarray::array;
/// use promote_ndarray::prelude::*;
/// use promote_ndarray::promote::{Torch, weak};
///
/// let a = array![[1_i8, 2], [3, 4]];
/// assert_eq!(Torch::add_nd(&a, a.t())?, array![[2_i8, 5], [5, 8]]);
/// assert_eq!(Torch::multiply_nd(&a, weak(0.5))?, array![[0.5_f32, 1.0], [1.5, 2.0]]);
/// # Ok::<(), promote_ndarray::promote::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand of an op on arrays",
    label = "arrays, array views and numbers without a width are",
    note = "write `weak(2.5)` for a number, or `arr0(x)` for an element with a dtype"
)]
pub trait NdOperand {
    /// The element type. That of a number is [`Weak`].
    type Elem: Element;
    /// The type of the shape. A number has no axes.
    type Dim: Dimension;

    /// Returns what a call takes.
    #[doc(hidden)]
    fn part(&self) -> Part<'_>;
}

/// An operand in the form from which a call takes it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Part<'a> {
    /// The shape of the operand.
    pub(crate) shape: &'a [usize],
    kind: Kind<'a>,
}

#[derive(Debug)]
enum Kind<'a> {
    Array(TensorView<'a>),
    /// Elements of a weak type, for rule sets that have weak arrays.
    Weak(TensorView<'a>),
    Number(Number),
}

impl<'a> Part<'a> {
    fn array<T: Element, D: Dimension>(array: &'a ArrayRef<T, D>) -> Part<'a> {
        let view = counted(array);
        Part { shape: array.shape(), kind: if T::WEAK { Kind::Weak(view) } else { Kind::Array(view) } }
    }

    /// Returns the argument of a call.
    pub(crate) fn argument(&self) -> Argument<'_> {
        match &self.kind {
            Kind::Array(view) => Argument::Array(view),
            Kind::Weak(view) => Argument::Weak(view),
            Kind::Number(number) => Argument::Number(*number),
        }
    }

    /// Returns the elements; `None` for a number.
    pub(crate) fn view(&self) -> Option<&TensorView<'a>> {
        match &self.kind {
            Kind::Array(view) | Kind::Weak(view) => Some(view),
            Kind::Number(_) => None,
        }
    }
}

/// Returns a view of an array, with an axis of length 1 if it has none: it then counts as other arrays do.
fn counted<T: Element, D: Dimension>(array: &ArrayRef<T, D>) -> TensorView<'_> {
    if array.ndim() > 0 {
        return array.to_tensor_view();
    }
    // SAFETY: an array without axes has one element, which is borrowed as long as `array` is.
    unsafe { TensorView::from_ptr(array.as_ptr(), &[1], &[1]) }.expect("one element is a view")
}

impl<T: Element, S: Data<Elem = T>, D: Dimension> NdOperand for ArrayBase<S, D> {
    type Elem = T;
    type Dim = D;

    fn part(&self) -> Part<'_> {
        Part::array(self)
    }
}

impl<T: Element, D: Dimension> NdOperand for ArrayRef<T, D> {
    type Elem = T;
    type Dim = D;

    fn part(&self) -> Part<'_> {
        Part::array(self)
    }
}

impl<T: Copy> NdOperand for Weak<T>
where
    Weak<T>: Element,
{
    type Elem = Weak<T>;
    type Dim = Ix0;

    fn part(&self) -> Part<'_> {
        let number = self.number().expect("an element of a weak type is a number");
        Part { shape: &[], kind: Kind::Number(number) }
    }
}

impl<A: NdOperand + ?Sized> NdOperand for &A {
    type Elem = A::Elem;
    type Dim = A::Dim;

    fn part(&self) -> Part<'_> {
        A::part(self)
    }
}

/// The operands of an op: a tuple of one to three [`NdOperand`]s. Those of `where` begin with the condition.
pub trait NdArgs {
    /// The tuple of the element types, by which [`OpRule`](promote::OpRule) knows the op.
    type Elems;
    /// The type of the shape that all operands broadcast to.
    type Dim: Dimension;

    /// Passes the operands to a function, with their names in errors.
    #[doc(hidden)]
    fn with<T>(&self, call: impl FnOnce(&[(ArgumentRole, Part<'_>)]) -> T) -> T;
}

impl<A: NdOperand> NdArgs for (A,) {
    type Elems = (A::Elem,);
    type Dim = A::Dim;

    fn with<T>(&self, call: impl FnOnce(&[(ArgumentRole, Part<'_>)]) -> T) -> T {
        call(&[(ArgumentRole::A, self.0.part())])
    }
}

impl<A, B> NdArgs for (A, B)
where
    A: NdOperand<Dim: DimMax<B::Dim>>,
    B: NdOperand,
{
    type Elems = (A::Elem, B::Elem);
    type Dim = <A::Dim as DimMax<B::Dim>>::Output;

    fn with<T>(&self, call: impl FnOnce(&[(ArgumentRole, Part<'_>)]) -> T) -> T {
        call(&[(ArgumentRole::A, self.0.part()), (ArgumentRole::B, self.1.part())])
    }
}

impl<C, A, B> NdArgs for (C, A, B)
where
    C: NdOperand<Dim: DimMax<A::Dim, Output: DimMax<B::Dim>>>,
    A: NdOperand,
    B: NdOperand,
{
    type Elems = (C::Elem, A::Elem, B::Elem);
    type Dim = <<C::Dim as DimMax<A::Dim>>::Output as DimMax<B::Dim>>::Output;

    fn with<T>(&self, call: impl FnOnce(&[(ArgumentRole, Part<'_>)]) -> T) -> T {
        call(&[
            (ArgumentRole::Condition, self.0.part()),
            (ArgumentRole::A, self.1.part()),
            (ArgumentRole::B, self.2.part()),
        ])
    }
}
