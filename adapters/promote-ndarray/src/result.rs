//! Arrays that calls write: their shape, their memory, and the call.

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use ndarray::{Array, ArrayRef, Dimension, ShapeBuilder};
use promote::{
    Argument, ArgumentRole, Axes, CallError, Element, Error, Op, RuleSet, TensorView, TensorViewMut,
    ViewError,
};

use crate::ToTensorView;
use crate::operand::Part;

/// The largest number of operands.
const MAX_ARGUMENTS: usize = 3;

/// Returns a shape as the type of the shape. There are as many lengths as it has axes.
pub(crate) fn dim<D: Dimension>(lengths: impl ExactSizeIterator<Item = usize>) -> D {
    let mut dim = D::zeros(lengths.len());
    for (axis, len) in lengths.enumerate() {
        dim[axis] = len;
    }
    dim
}

/// Returns the shape that the operands broadcast to.
fn broadcast<D: Dimension>(parts: &[(ArgumentRole, Part<'_>)]) -> Result<D, CallError> {
    let rank = parts.iter().map(|(_, part)| part.shape.len()).max().unwrap_or(0);
    let mut dim: D = dim((0..rank).map(|_| 1));
    for (role, part) in parts {
        for (from_last, found) in part.shape.iter().rev().enumerate() {
            let len = &mut dim[rank - 1 - from_last];
            if *len == 1 {
                *len = *found;
            } else if *found != 1 && found != len {
                let (expected, found) = (*len, *found);
                return Err(CallError::Shapes { role: *role, from_last: from_last + 1, expected, found });
            }
        }
    }
    Ok(dim)
}

/// Returns true if a result of this rank is to be in column-major order: if the operands of its rank are, and
/// not all of them are in row-major order as well.
fn column_major(parts: &[(ArgumentRole, Part<'_>)], rank: usize) -> bool {
    let mut views =
        parts.iter().filter(|(_, part)| part.shape.len() == rank).filter_map(|(_, part)| part.view());
    let rows = |view: &&TensorView<'_>| view.is_contiguous();
    rank > 1 && views.clone().all(is_column_major) && !views.all(|view| rows(&view))
}

fn is_column_major(view: &TensorView<'_>) -> bool {
    let mut next = view.dtype().size().unwrap_or(0).cast_signed();
    view.shape().iter().enumerate().all(|(axis, len)| {
        let stride = next;
        next = next.saturating_mul(len.cast_signed());
        *len == 1 || view.stride(axis) == stride
    })
}

/// Returns an array whose elements are still to be written.
///
/// # Errors
///
/// Returns an error if there is not enough memory.
fn uninit<T, D: Dimension>(dim: D, column_major: bool) -> Result<Array<MaybeUninit<T>, D>, Error> {
    let too_large = Error::View(ViewError::TooLarge);
    let len = dim.size_checked().ok_or(too_large)?;
    let mut memory = Vec::<MaybeUninit<T>>::new();
    let bytes = len.saturating_mul(size_of::<T>());
    memory.try_reserve_exact(len).map_err(|_| CallError::Memory { bytes })?;
    // SAFETY: there is room for `len` elements, which may be uninitialised.
    unsafe { memory.set_len(len) };
    Array::from_shape_vec(dim.set_f(column_major), memory).map_err(|_| too_large)
}

/// Returns a view of an array as the output of a call, with an axis of length 1 if it has none.
fn output<T: Element, D: Dimension>(array: &mut ArrayRef<MaybeUninit<T>, D>) -> TensorViewMut<'_> {
    if array.ndim() > 0 {
        return output_as_is(array);
    }
    let pointer = array.as_mut_ptr().cast::<T>();
    // SAFETY: an array without axes has memory for one element; otherwise as in `output_as_is`.
    unsafe { TensorViewMut::from_ptr(pointer, &[1], &[1]) }.expect("one element is a view")
}

/// Returns a view of an array as the output of a call.
fn output_as_is<T: Element, D: Dimension>(array: &mut ArrayRef<MaybeUninit<T>, D>) -> TensorViewMut<'_> {
    let pointer = array.as_mut_ptr().cast::<T>();
    // SAFETY: the array has memory for a `T` at each index, and is borrowed mutably as long as the view
    // lives; what `shape` and `strides` borrow is not among it. The calls of this module write the elements
    // and do not read them.
    let view = unsafe { TensorViewMut::from_ptr(pointer, array.shape(), array.strides()) };
    view.expect("the elements of an array do not overlap")
}

/// Computes an elementwise op on operands, whose result has the element type `T`.
pub(crate) fn new<T: Element, D: Dimension>(
    rules: RuleSet,
    op: Op,
    parts: &[(ArgumentRole, Part<'_>)],
) -> Result<Array<T, D>, Error> {
    let dim: D = broadcast(parts)?;
    let order = column_major(parts, dim.ndim());
    let mut array = uninit::<T, D>(dim, order)?;
    rules.prepare(op, &arguments(parts)[..parts.len()]).out(output(&mut array)).run()?;
    // SAFETY: the call succeeded, so it has written every element. The array owns no others.
    Ok(unsafe { array.assume_init() })
}

/// Reduces an operand along `axes`, to an array with the shape `dim`.
pub(crate) fn reduced<T: Element, D: Dimension>(
    rules: RuleSet,
    op: Op,
    part: &Part<'_>,
    axes: Axes<'_>,
    dim: D,
) -> Result<Array<T, D>, Error> {
    let mut array = uninit::<T, D>(dim, false)?;
    // An operand without axes is passed with one.
    let counted = part.shape.is_empty();
    let out = if counted { output(&mut array) } else { output_as_is(&mut array) };
    rules.prepare(op, &[part.argument()]).axes(axes).out(out).run()?;
    // SAFETY: as in `new`.
    Ok(unsafe { array.assume_init() })
}

/// Reduces an operand to one element.
pub(crate) fn element<T: Element>(
    rules: RuleSet,
    op: Op,
    parts: &[(ArgumentRole, Part<'_>)],
) -> Result<T, Error> {
    let mut element = MaybeUninit::uninit();
    let out = TensorViewMut::uninit(core::slice::from_mut(&mut element), &[])?;
    rules.prepare(op, &arguments(parts)[..parts.len()]).out(out).run()?;
    // SAFETY: the call succeeded, so it has written the element.
    Ok(unsafe { element.assume_init() })
}

/// Writes the result of an elementwise op into an array.
pub(crate) fn into<T: Element, D: Dimension>(
    rules: RuleSet,
    op: Op,
    parts: &[(ArgumentRole, Part<'_>)],
    out: &mut ArrayRef<T, D>,
) -> Result<(), Error> {
    rules.prepare(op, &arguments(parts)[..parts.len()]).out(target(out)).run()
}

/// Writes the result of an elementwise op into its first operand.
pub(crate) fn in_place<T: Element, D: Dimension>(
    rules: RuleSet,
    op: Op,
    out: &mut ArrayRef<T, D>,
    others: &[(ArgumentRole, Part<'_>)],
) -> Result<(), Error> {
    rules.prepare(op, &arguments(others)[..others.len()]).in_place(target(out)).run()
}

/// Returns a view of an array that a call writes, with an axis of length 1 if it has none.
fn target<T: Element, D: Dimension>(out: &mut ArrayRef<T, D>) -> TensorViewMut<'_> {
    if out.ndim() > 0 {
        return out.to_tensor_view_mut();
    }
    // SAFETY: an array without axes has one element, borrowed mutably as long as the view lives.
    unsafe { TensorViewMut::from_ptr(out.as_mut_ptr(), &[1], &[1]) }.expect("one element is a view")
}

/// Returns the arguments of a call; those after the operands are not used.
fn arguments<'a>(parts: &'a [(ArgumentRole, Part<'_>)]) -> [Argument<'a>; MAX_ARGUMENTS] {
    let mut arguments = [Argument::Number(promote::Number::Bool(false)); MAX_ARGUMENTS];
    for (argument, (_, part)) in arguments.iter_mut().zip(parts) {
        *argument = part.argument();
    }
    arguments
}
