//! The conversion of states to elements of the result.

use arrayvec::ArrayVec;

use super::fold::Pass;
use super::reducer::{After, Reducer, cast_between, cast_block};
use super::table::Row;
use crate::DType;
use crate::error::call::CallError;
use crate::kernel::cast::CastKernel;
use crate::kernel::copy::{Copier, Run};
use crate::math::Real;
use crate::memory::block::Block;
use crate::memory::slice::{element_size, is_aligned};

/// The number of states that are converted together.
pub(super) const SOME: usize = 1024;
/// Room for as many values or elements.
pub(super) type Values = Block<{ SOME * 16 }>;

/// The conversion of states to elements.
pub(super) struct Finish {
    row: &'static Row,
    pass: Pass,
    after: After,
    count: usize,
    /// The cast of integer sums to `f64`, for a quotient.
    to_double: Option<CastKernel>,
    is_complex: bool,
    /// The casts to the dtype of the result, and to that of `out`.
    casts: ArrayVec<CastKernel, 2>,
    target: DType,
    size: usize,
    copier: Copier,
}

impl Finish {
    /// Looks up the casts from the values of a reduction of `count` elements.
    ///
    /// # Errors
    ///
    /// Returns an error if this build lacks a cast, or if the result has no elements.
    pub(super) fn find(reducer: &Reducer, count: usize, pass: Pass) -> Result<Finish, CallError> {
        let Reducer { row, reduction, level, kernels, output: [output, target], read, .. } = *reducer;
        let (build, value, after) = ((level, kernels), reduction.kind.value(read), reduction.after);
        let to_double = match after {
            After::Quotient if value == DType::I64 => cast_between(build, value, DType::F64)?,
            _ => None,
        };
        let computed = if to_double.is_some() || after == After::Root { DType::F64 } else { value };
        let casts = [cast_between(build, computed, output)?, cast_between(build, output, target)?];
        let size = element_size(target)?;
        Ok(Finish {
            row,
            pass,
            after,
            count,
            to_double,
            is_complex: value == DType::C128,
            casts: casts.into_iter().flatten().collect(),
            target,
            size,
            copier: Copier::new(size, level),
        })
    }

    /// Writes the elements of `n` states, `stride` bytes apart.
    ///
    /// # Safety
    ///
    /// There are as many states, and room for as many elements of the dtype of `out`.
    pub(super) unsafe fn write(
        &self,
        states: *const u8,
        n: usize,
        out: *mut u8,
        stride: isize,
    ) -> Result<(), CallError> {
        let mut values = Values::new();
        for from in (0..n).step_by(SOME) {
            let (n, out) = (SOME.min(n - from), out.wrapping_offset(from.cast_signed() * stride));
            let states = states.wrapping_add(from * self.row.state);
            // SAFETY: there are `n` states, and room for as many values of at most 16 bytes.
            unsafe { (self.row.values)(states, n, &self.pass, values.pointer()) };
            // SAFETY: these are the values, and the caller promises the room.
            unsafe { self.write_values(&mut values, n, out, stride) }?;
        }
        Ok(())
    }

    /// Writes the elements of `n` values, `stride` bytes apart.
    ///
    /// # Safety
    ///
    /// There are as many values, at most [`SOME`], and room for as many elements of the dtype of `out`.
    pub(super) unsafe fn write_values(
        &self,
        values: &mut Values,
        n: usize,
        out: *mut u8,
        stride: isize,
    ) -> Result<(), CallError> {
        let mut second = Values::new();
        let (mut values, mut others) = (values.pointer(), second.pointer());
        if let Some(cast) = &self.to_double {
            cast_block(cast, values, n, others)?;
            core::mem::swap(&mut values, &mut others);
        }
        if self.after != After::Nothing {
            let parts = if self.is_complex { 2 * n } else { n };
            #[allow(clippy::cast_ptr_alignment, reason = "a block is aligned for every dtype")]
            // SAFETY: sums that are divided, or whose root is taken, are `f64`, or complex numbers of two.
            self.compute(unsafe { core::slice::from_raw_parts_mut(values.cast::<f64>(), parts) });
        }
        let in_place = stride == self.size.cast_signed() && is_aligned(self.target, out);
        for (i, cast) in self.casts.iter().enumerate() {
            if in_place && i + 1 == self.casts.len() {
                return cast_block(cast, values, n, out);
            }
            cast_block(cast, values, n, others)?;
            core::mem::swap(&mut values, &mut others);
        }
        let from = Run { pointer: values.cast_const(), stride: self.size.cast_signed() };
        // SAFETY: there are as many elements, and the caller promises the room.
        unsafe { self.copier.copy(n, from, Run { pointer: out, stride }) };
        Ok(())
    }

    /// Computes quotients or roots of sums in place.
    fn compute(&self, sums: &mut [f64]) {
        match self.after {
            After::Nothing => {}
            // The quotient 0 / 0 is a NaN of either sign.
            After::Quotient if self.count == 0 => sums.fill(f64::NAN),
            After::Quotient => sums.iter_mut().for_each(|sum| *sum /= self.count as f64),
            After::Root if !self.is_complex => sums.iter_mut().for_each(|sum| *sum = sum.root()),
            After::Root => {
                for i in 0..sums.len() / 2 {
                    sums[i] = (sums[2 * i] + sums[2 * i + 1]).root();
                }
            }
        }
    }
}
