//! Elementwise ops and casts on views.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "alloc")]
use crate::DType;
use crate::dispatch::extras::Inputs;
use crate::dispatch::{Error, Options, Target};
use crate::error::call::CallError;
#[cfg(feature = "alloc")]
use crate::kernel::DispatchCache;
use crate::kernel::{Kernel, MAX_INPUTS};
#[cfg(feature = "alloc")]
use crate::level::Level;
use crate::memory::Argument;
#[cfg(feature = "alloc")]
use crate::memory::{Tensor, Uninit, ViewError};
use crate::memory::{TensorView, TensorViewMut};
use crate::rule_set::RuleSet;
use crate::{Casting, Op};

impl RuleSet {
    /// Computes an elementwise op into an array that `out` makes, of the shape to which all inputs broadcast.
    #[cfg(feature = "alloc")]
    pub(super) fn apply<'o, E: From<Error>>(
        &self,
        op: Op,
        options: Options,
        inputs: &[Argument<'_>],
        out: impl FnOnce(DType, &[usize]) -> Result<TensorViewMut<'o>, E>,
    ) -> Result<(), E> {
        self.with_kernel(op, options, inputs, Target::New, |kernel, inputs| {
            let shape = broadcast(inputs.iter().map(Argument::shape));
            let shape = shape.map_err(|[input, from_last, expected, found]| {
                let role = kernel.role(input);
                CallError::Shapes { role, from_last, expected, found }
            })?;
            Ok(match out(kernel.dtypes()[2], &shape) {
                Ok(out) => {
                    kernel.call_views(inputs, out)?;
                    Ok(())
                }
                Err(error) => Err(error),
            })
        })?
    }

    /// Computes an elementwise op in place; see [`Call::in_place`](super::Call::in_place).
    pub(super) fn apply_in_place(
        &self,
        op: Op,
        options: Options,
        out: TensorViewMut<'_>,
        others: &[Argument<'_>],
    ) -> Result<(), Error> {
        let count = others.len() + 1;
        let mut inputs = [Argument::of_out(&out); MAX_INPUTS];
        if count > MAX_INPUTS {
            return Err(Error::Call(CallError::Inputs { expected: op.inputs(), found: count }));
        }
        inputs[1..count].copy_from_slice(others);
        self.with_kernel(op, options, &inputs[..count], Target::InPlace, |kernel, inputs| {
            kernel.call_views(inputs, out)
        })
    }

    /// Casts the elements of a view to the dtype of `out`, and broadcasts them to its shape.
    ///
    /// Integers wrap, and floats are rounded to nearest even. The rule set's options of `astype` decide what
    /// a float becomes that an integer dtype cannot hold. Without a casting level, every cast is allowed.
    ///
    /// # Errors
    /// Returns an error, and leaves `out` unchanged, if the rule set does not have the level or refuses the
    /// cast at it, if `a` does not broadcast, or if this build has no cast.
    ///
    /// ```
    /// use promote::{TensorView, TensorViewMut, Torch};
    ///
    /// let mut rows = [0_i16; 4];
    /// let out = TensorViewMut::new(&mut rows[..], &[2, 2])?;
    /// Torch::new().rule_set().astype_into(&TensorView::new(&[1.5_f32, -2.5], &[2])?, None, out)?;
    /// assert_eq!(rows, [1, -2, 1, -2]);
    /// # Ok::<(), promote::Error>(())
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{Casting, DType, NumPy, TensorView};
    ///
    /// let rules = NumPy::new().rule_set();
    /// let floats = TensorView::from(&[1.5_f64, -2.75][..]);
    /// assert_eq!(rules.astype(&floats, DType::I8, None)?.to_string(), "[1, -2]");
    /// assert!(rules.astype(&floats, DType::I8, Some(Casting::Safe)).is_err());
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn astype(
        &self,
        a: &TensorView<'_>,
        dtype: DType,
        casting: Option<Casting>,
    ) -> Result<Tensor, Error> {
        let mut out = Uninit::new(dtype, a.shape())?;
        self.astype_into(a, casting, out.view_mut())?;
        // SAFETY: a call that succeeds has written every element.
        Ok(unsafe { out.written() })
    }

    /// Finds the kernel of a call, and calls `call` with it and its inputs.
    pub(super) fn with_kernel<T>(
        &self,
        op: Op,
        options: Options,
        inputs: &[Argument<'_>],
        target: Target,
        call: impl FnOnce(&Kernel, &[Argument<'_>]) -> Result<T, CallError>,
    ) -> Result<T, Error> {
        if let Op::Custom(custom) = op {
            return self.with_custom_kernel(custom, options.level, inputs, target, call);
        }
        if let Some(kernel) = self.kernel_of_arrays(op, options, inputs, target) {
            // The arguments are the inputs, and are copied nowhere.
            return Ok(call(&kernel, inputs)?);
        }
        if let Some((kernel, inputs)) = self.kernel_with_number(op, options, inputs, target) {
            return Ok(call(&kernel, &inputs)?);
        }
        #[cfg(feature = "alloc")]
        if let Some(cache) = self.cache
            && let Some(arrays) = RuleSet::arrays_with_extras(op, options, inputs, target)
        {
            return self.with_extras(cache, op, (inputs, &arrays), target, call);
        }
        let mut converted = Inputs::new();
        let kernel = self.prepared(op, options, inputs, target, &mut converted)?;
        Ok(call(&kernel, &converted)?)
    }

    /// Finds the kernel of an op with extra inputs on arrays alone, and calls `call` with it. `arrays` are
    /// those `given`, in the order of the kernel. The kernel that the op has for their dtypes is cached.
    #[cfg(feature = "alloc")]
    fn with_extras<T>(
        &self,
        cache: &'static DispatchCache,
        op: Op,
        (given, arrays): (&[Argument<'_>], &[Argument<'_>]),
        target: Target,
        call: impl FnOnce(&Kernel, &[Argument<'_>]) -> Result<T, CallError>,
    ) -> Result<T, Error> {
        let dtypes = arrays.iter().filter_map(Argument::dtype);
        let cached = cache.other(Level::active(), op, &dtypes);
        if let Some(kernel) = cached.filter(|kernel| self.is_for(target, given, kernel)) {
            return Ok(call(kernel, arrays)?);
        }
        let mut converted = Inputs::new();
        let kernel = self.prepared(op, Options::DEFAULT, given, target, &mut converted)?;
        // A kernel for another `out` is not the one that other calls look for.
        if cached.is_none() && self.types_of_call(op, given)?.output == kernel.dtypes()[2] {
            cache.put_other(op, &dtypes, kernel);
        }
        Ok(call(&kernel, &converted)?)
    }
}

/// Returns the shape to which several shapes broadcast.
///
/// # Errors
///
/// If a shape does not fit those before it, returns four numbers: the index of the shape, the axis counted
/// from the last one, the length of the shapes before along that axis, and the length of the shape.
#[cfg(feature = "alloc")]
pub(super) fn broadcast<'s>(shapes: impl Iterator<Item = &'s [usize]>) -> Result<Vec<usize>, [usize; 4]> {
    // From the last axis to the first.
    let mut lengths = Vec::new();
    for (i, shape) in shapes.enumerate() {
        for (at, found) in shape.iter().rev().enumerate() {
            match lengths.get_mut(at) {
                None => lengths.push(*found),
                Some(length) if *length == 1 => *length = *found,
                Some(length) if *found == 1 || found == length => {}
                Some(length) => return Err([i, at + 1, *length, *found]),
            }
        }
    }
    lengths.reverse();
    Ok(lengths)
}

/// Returns the shape to which several shapes broadcast.
///
/// Counted from the last axis, each shape has the length of the result or 1. Missing axes count as 1.
///
/// # Errors
/// Returns [`ViewError::Shapes`] if two shapes have different lengths along an axis, and neither is 1.
///
/// ```
/// use promote::broadcast_shapes;
///
/// assert_eq!(broadcast_shapes(&[&[2, 1], &[3]]).unwrap(), [2, 3]);
/// assert!(broadcast_shapes(&[&[2], &[3]]).is_err());
/// ```
#[cfg(feature = "alloc")]
pub fn broadcast_shapes(shapes: &[&[usize]]) -> Result<Vec<usize>, ViewError> {
    broadcast(shapes.iter().copied()).map_err(|[shape, from_last, expected, found]| ViewError::Shapes {
        shape,
        from_last,
        expected,
        found,
    })
}
