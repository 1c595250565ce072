//! From what is known after all elements to the elements of the result.

use super::fold::Pass;
use super::{Reducer, Row};
use crate::DType;
use crate::error::call::CallError;
use crate::kernel::cast::CastKernel;
use crate::kernel::registry::Kernels;
use crate::kernel::strided::gather::{Copier, Run};
use crate::level::Level;
use crate::math::Real;
use crate::memory::block::Block;
use crate::memory::slice::is_aligned;
use crate::memory::{Slice, SliceMut};

/// How many states become elements at once.
pub(super) const SOME: usize = 1024;
/// Values, or elements, of so many.
pub(super) type Values = Block<{ SOME * 16 }>;

/// What is done with a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Nothing,
    /// It is divided by how many elements there were.
    Quotient,
    /// The root is taken; of complex numbers, that of the sum of their parts' squares.
    Root,
}

/// How states become elements.
pub(super) struct Finish {
    row: &'static Row,
    pass: Pass,
    after: After,
    count: usize,
    /// The dtype of the values, and what casts them: to what they are computed in further, to the result, and
    /// from there to what is written.
    value: DType,
    double: Option<CastKernel>,
    cast: Option<CastKernel>,
    output: DType,
    last: Option<CastKernel>,
    target: DType,
    size: usize,
    copier: Copier,
}

impl Finish {
    /// # Errors
    ///
    /// This build lacks a cast.
    pub(super) fn find(
        reducer: &Reducer,
        read: DType,
        count: usize,
        pass: &Pass,
    ) -> Result<Finish, CallError> {
        let Reducer { row, reduction, level, kernels, output, target, .. } = *reducer;
        Finish::of(row, reduction.after, (level, kernels), [read, output, target], count, *pass)
    }

    pub(super) fn of(
        row: &'static Row,
        after: After,
        (level, kernels): (Level, &'static Kernels),
        [read, output, target]: [DType; 3],
        count: usize,
        pass: Pass,
    ) -> Result<Finish, CallError> {
        let cast = |from, to| {
            if from == to { Ok(None) } else { CastKernel::find_at(level, kernels, from, to, 0).map(Some) }
        };
        let value = row.value.unwrap_or(read);
        let (double, computed) = match after {
            // What an integer dtype cannot say is divided as a float.
            After::Quotient if value == DType::I64 => (cast(value, DType::F64)?, DType::F64),
            After::Nothing | After::Quotient => (None, value),
            After::Root => (None, DType::F64),
        };
        let size = target.size().ok_or(CallError::NoElements { dtype: target })?;
        Ok(Finish {
            row,
            pass,
            after,
            count,
            value,
            double,
            cast: cast(computed, output)?,
            output,
            last: cast(output, target)?,
            target,
            size,
            copier: Copier::new(size, level),
        })
    }

    /// Writes the elements of `n` states to places that are `stride` bytes apart.
    ///
    /// # Safety
    ///
    /// There are as many states, and room for as many elements of the dtype that is written.
    pub(super) unsafe fn write(
        &self,
        states: *const u8,
        n: usize,
        out: *mut u8,
        stride: isize,
    ) -> Result<(), CallError> {
        for from in (0..n).step_by(SOME) {
            let out = out.wrapping_offset(from.cast_signed() * stride);
            // SAFETY: as the caller promises, of some of them.
            unsafe {
                self.write_some(states.wrapping_add(from * self.row.state), SOME.min(n - from), out, stride)
            }?;
        }
        Ok(())
    }

    /// The same of at most [`SOME`].
    ///
    /// # Safety
    ///
    /// As [`Finish::write`].
    unsafe fn write_some(
        &self,
        states: *const u8,
        n: usize,
        out: *mut u8,
        stride: isize,
    ) -> Result<(), CallError> {
        let mut values = Values::new();
        // SAFETY: there are `n` states, and room for as many values of at most 16 bytes.
        unsafe { (self.row.values)(states, n, &self.pass, values.pointer()) };
        // SAFETY: these are the values, and the caller promises the room.
        unsafe { self.write_values(&mut values, n, out, stride) }
    }

    /// Writes the elements of `n` values, which are at most [`SOME`], to places that are `stride` bytes
    /// apart.
    ///
    /// # Safety
    ///
    /// There are as many values of the row, and room for as many elements of the dtype that is written.
    pub(super) unsafe fn write_values(
        &self,
        values: &mut Values,
        n: usize,
        out: *mut u8,
        stride: isize,
    ) -> Result<(), CallError> {
        let mut second = Values::new();
        let (mut values, mut others) = (values.pointer(), second.pointer());
        let mut dtype = self.value;
        if let Some(double) = &self.double {
            let elements = Slice::of_view(dtype, values, n, true);
            double.call(elements, SliceMut::of_view(DType::F64, others, n, true, false))?;
            (values, others, dtype) = (others, values, DType::F64);
        }
        let parts = if dtype == DType::C128 { 2 * n } else { n };
        if self.after != After::Nothing {
            #[allow(clippy::cast_ptr_alignment, reason = "a block is aligned for every dtype")]
            // SAFETY: what is divided, or of what the root is taken, are as many `f64`, alone or as parts of
            // complex numbers.
            let doubles = unsafe { core::slice::from_raw_parts_mut(values.cast::<f64>(), parts) };
            self.then(doubles, n);
        }
        if self.after == After::Root {
            dtype = DType::F64;
        }
        let aligned = stride == self.size.cast_signed() && is_aligned(self.target, out);
        let casts = [(&self.cast, self.output, self.last.is_none()), (&self.last, self.target, true)];
        for (cast, to, is_last) in casts {
            let Some(cast) = cast else { continue };
            let elements = Slice::of_view(dtype, values, n, true);
            let place = if aligned && is_last { out } else { others };
            cast.call(elements, SliceMut::of_view(to, place, n, true, false))?;
            if aligned && is_last {
                return Ok(());
            }
            (values, others, dtype) = (others, values, to);
        }
        let from = Run { pointer: values.cast_const(), stride: self.size.cast_signed() };
        // SAFETY: there are as many elements, and the caller promises the room.
        unsafe { self.copier.copy(n, from, Run { pointer: out, stride }) };
        Ok(())
    }

    /// What is done with `n` sums, or twice as many parts of them.
    fn then(&self, doubles: &mut [f64], n: usize) {
        match self.after {
            After::Nothing => {}
            // The quotient 0 / 0 is a NaN of either sign.
            After::Quotient if self.count == 0 => doubles.fill(f64::NAN),
            After::Quotient => doubles.iter_mut().for_each(|sum| *sum /= self.count as f64),
            After::Root if doubles.len() == n => doubles.iter_mut().for_each(|sum| *sum = sum.root()),
            After::Root => {
                for i in 0..n {
                    doubles[i] = (doubles[2 * i] + doubles[2 * i + 1]).root();
                }
            }
        }
    }
}
