//! Elementwise ops and casts on views.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "alloc")]
use super::ViewError;
#[cfg(feature = "alloc")]
use super::tensor::{Tensor, Uninit};
use super::{TensorView, TensorViewMut};
use crate::Casting;
#[cfg(feature = "alloc")]
use crate::DType;
use crate::Op;
use crate::dispatch::{Argument, Error, Target};
#[cfg(feature = "alloc")]
use crate::kernel::Place;
use crate::kernel::user::MOST_INPUTS;
#[cfg(feature = "alloc")]
use crate::kernel::user::PLACES;
use crate::kernel::{CallError, CustomKernel, Input, Kernel};
use crate::op::Flags;
use crate::rule_set::RuleSet;

/// The kernel of a call: of a standard or of a custom op.
pub(super) enum Found<'a> {
    BuiltIn(&'a Kernel),
    User(&'a CustomKernel),
}

impl Found<'_> {
    pub(super) fn call(&self, inputs: &[Input<'_>], out: TensorViewMut<'_>) -> Result<(), CallError> {
        match self {
            Found::BuiltIn(kernel) => kernel.call_views(inputs, out),
            Found::User(kernel) => kernel.call_views(inputs, out),
        }
    }

    /// What an input is called.
    #[cfg(feature = "alloc")]
    fn place(&self, i: usize) -> Place {
        match self {
            Found::BuiltIn(kernel) => kernel.place(i),
            Found::User(_) => PLACES[i],
        }
    }

    #[cfg(feature = "alloc")]
    fn output(&self) -> DType {
        match self {
            Found::BuiltIn(kernel) => kernel.dtypes()[2],
            Found::User(kernel) => kernel.output(),
        }
    }
}

impl RuleSet {
    /// Computes an elementwise op into `out`; see [`Call::out`](super::Call::out).
    pub(super) fn apply_into(
        &self,
        op: Op,
        flags: Flags,
        inputs: &[Argument<'_>],
        out: TensorViewMut<'_>,
    ) -> Result<(), Error> {
        let target = Target::Out(out.dtype());
        self.with_kernel(op, flags, inputs, target, |found, inputs| found.call(inputs, out))
    }

    /// Computes an elementwise op into a new array of the shape to which all inputs broadcast.
    #[cfg(feature = "alloc")]
    pub(super) fn apply(&self, op: Op, flags: Flags, inputs: &[Argument<'_>]) -> Result<Tensor, Error> {
        self.with_kernel(op, flags, inputs, Target::New, |found, inputs| {
            let shape = broadcast_shape(inputs, |i| found.place(i))?;
            let mut out = Uninit::new(found.output(), &shape)?;
            found.call(inputs, out.view_mut())?;
            // SAFETY: a call that succeeds has written all.
            Ok(unsafe { out.written() })
        })
    }

    /// Computes an elementwise op in place; see [`Call::in_place`](super::Call::in_place).
    pub(super) fn apply_in_place(
        &self,
        op: Op,
        flags: Flags,
        out: TensorViewMut<'_>,
        others: &[Argument<'_>],
    ) -> Result<(), Error> {
        let count = others.len() + 1;
        let mut inputs = [Argument::InPlace(out.dtype()); MOST_INPUTS];
        if count > MOST_INPUTS {
            return Err(Error::Call(CallError::Inputs { expected: op.inputs(), found: count }));
        }
        inputs[1..count].copy_from_slice(others);
        let element = out.as_view().and_then(|view| view.zero_dim());
        if let Some(element) = element {
            // The rule set may treat a zero-dimensional operand differently, also by its value.
            inputs[0] = Argument::ZeroDim(element);
        }
        self.with_kernel(op, flags, &inputs[..count], Target::InPlace, |found, inputs| {
            found.call(inputs, out)
        })
    }

    /// Casts the elements of a view to the dtype of `out`, and broadcasts them to its shape.
    ///
    /// The rule set's options of `astype` decide how a float becomes an integer that cannot hold it. With a
    /// level of casting, the rule set must allow the cast at that level.
    ///
    /// # Errors
    /// Returns an error, and leaves `out` unchanged, if the rule set does not have the level or refuses the
    /// cast at it, if `a` does not broadcast, or if this build has no cast.
    pub fn astype_into(
        &self,
        a: &TensorView<'_>,
        casting: Option<Casting>,
        out: TensorViewMut<'_>,
    ) -> Result<(), Error> {
        if let Some(level) = casting {
            self.can_cast(a.dtype(), out.dtype(), level)?;
        }
        Ok(self.cast_kernel(a.dtype(), out.dtype())?.call_views(a, out)?)
    }

    /// Casts the elements of a view to a dtype, as [`RuleSet::astype_into`] does, into a new array.
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::astype_into`], and an error if there is not enough memory.
    #[cfg(feature = "alloc")]
    pub fn astype(
        &self,
        a: &TensorView<'_>,
        dtype: DType,
        casting: Option<Casting>,
    ) -> Result<Tensor, Error> {
        let mut out = Uninit::new(dtype, a.shape())?;
        self.astype_into(a, casting, out.view_mut())?;
        // SAFETY: a call that succeeds has written all.
        Ok(unsafe { out.written() })
    }

    /// Finds the kernel of a call, and calls `call` with it and its inputs.
    pub(super) fn with_kernel<T>(
        &self,
        op: Op,
        flags: Flags,
        inputs: &[Argument<'_>],
        target: Target,
        call: impl FnOnce(Found<'_>, &[Input<'_>]) -> Result<T, CallError>,
    ) -> Result<T, Error> {
        if let Op::Custom(custom) = op {
            return self.with_user_kernel(custom, inputs, target, |kernel, inputs| {
                call(Found::User(kernel), inputs)
            });
        }
        let (kernel, inputs) = self.prepared(op, flags, inputs, target)?;
        Ok(call(Found::BuiltIn(&kernel), inputs.get())?)
    }
}

/// The shape to which all inputs broadcast; of scalars alone, that of one element.
#[cfg(feature = "alloc")]
fn broadcast_shape(inputs: &[Input<'_>], place: impl Fn(usize) -> Place) -> Result<Vec<usize>, CallError> {
    // The last axis comes first.
    let mut lengths = Vec::new();
    for (i, input) in inputs.iter().enumerate() {
        let alone;
        let shape = match input {
            Input::View(view) => view.shape(),
            Input::Slice(slice) => {
                alone = [slice.len()];
                &alone[..]
            }
            Input::Scalar(_) | Input::InPlace => &[],
        };
        broadcast(&mut lengths, shape).map_err(|(from_last, expected, found)| {
            let place = place(i);
            CallError::Shapes { place, from_last, expected, found }
        })?;
    }
    lengths.reverse();
    Ok(lengths)
}

/// Broadcasts `lengths`, of which the last axis comes first, with a shape. Returns the axis from the last one
/// and the two lengths where they differ and neither is 1.
#[cfg(feature = "alloc")]
fn broadcast(lengths: &mut Vec<usize>, shape: &[usize]) -> Result<(), (usize, usize, usize)> {
    for (at, found) in shape.iter().rev().enumerate() {
        match lengths.get_mut(at) {
            None => lengths.push(*found),
            Some(length) if *length == 1 => *length = *found,
            Some(length) if *found == 1 || found == length => {}
            Some(length) => return Err((at + 1, *length, *found)),
        }
    }
    Ok(())
}

/// Returns the shape to which shapes broadcast. Seen from the last axis, each has the result's length or 1;
/// axes that a shape lacks are such of 1.
///
/// # Errors
/// Returns [`ViewError::Shapes`] if two shapes have different lengths along an axis, and neither is 1.
///
/// ```
/// use promote_runtime::broadcast_shapes;
///
/// assert_eq!(broadcast_shapes(&[&[2, 1], &[3]]).unwrap(), [2, 3]);
/// assert!(broadcast_shapes(&[&[2], &[3]]).is_err());
/// ```
#[cfg(feature = "alloc")]
pub fn broadcast_shapes(shapes: &[&[usize]]) -> Result<Vec<usize>, ViewError> {
    let mut lengths = Vec::new();
    for (i, shape) in shapes.iter().enumerate() {
        broadcast(&mut lengths, shape).map_err(|(from_last, expected, found)| ViewError::Shapes {
            shape: i,
            from_last,
            expected,
            found,
        })?;
    }
    lengths.reverse();
    Ok(lengths)
}
