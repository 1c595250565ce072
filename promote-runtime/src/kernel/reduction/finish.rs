//! The conversion of states to elements of the result.

use super::elements::{cast_between, cast_block};
use super::fold::Pass;
use super::reducer::{After, Reducer};
use super::table::Row;
use crate::error::call::CallError;
use crate::kernel::cast::CastKernel;
use crate::kernel::copy::{Copier, Run};
use crate::kernel::registry::Kernels;
use crate::level::Level;
use crate::math::Real;
use crate::memory::block::Block;
use crate::memory::slice::{element_size, is_aligned};
use crate::{DType, Kind};

/// The number of states that are converted together.
pub(super) const MAX_STATES: usize = 1024;
/// Room for as many values or elements.
pub(super) type Values = Block<{ MAX_STATES * 16 }>;

/// The conversion of states to elements.
pub(super) struct Finish {
    row: &'static Row,
    pass: Pass,
    after: After,
    /// The number that sums are divided by.
    divisor: f64,
    kernels: &'static Kernels,
    level: Level,
    /// The dtypes of values, of the integers that a mean of a named dtype divides, of what is computed from
    /// them, of the result and of `out`. Casts between these are found for some values at a time, since
    /// handles are large.
    dtypes: [DType; 5],
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
        let Reducer { row, reduction, level, kernels, output: [output, target], read, correction, .. } =
            *reducer;
        let (value, after) = (reduction.kind.value(read), reduction.after);
        // A sum in an integer dtype wraps before it is divided.
        let summed = if after == After::Quotient && value == DType::I64 && output.kind() < Kind::Float {
            output
        } else {
            value
        };
        let computed = match after {
            After::Quotient if value == DType::I64 => DType::F64,
            After::Root => DType::F64,
            _ => value,
        };
        let divisor = match after {
            // The mean distance of no elements is NaN, whatever the correction.
            After::Variance | After::Deviation if count > 0 => (count as f64 - correction).max(0.0),
            _ => count as f64,
        };
        let dtypes = [value, summed, computed, output, target];
        let size = element_size(target)?;
        let copier = Copier::new(size, level);
        let finish = Finish { row, pass, after, divisor, kernels, level, dtypes, size, copier };
        for to in 1..dtypes.len() {
            finish.cast_to(to)?;
        }
        Ok(finish)
    }

    /// Returns the cast to one of the dtypes from the one before; `None` if they are equal.
    fn cast_to(&self, to: usize) -> Result<Option<CastKernel>, CallError> {
        // The root of the sum of both parts is a real number.
        if to == 2 && self.after == After::Root {
            return Ok(None);
        }
        cast_between((self.level, self.kernels), self.dtypes[to - 1], self.dtypes[to])
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
        for from in (0..n).step_by(MAX_STATES) {
            let (n, out) = (MAX_STATES.min(n - from), out.wrapping_offset(from.cast_signed() * stride));
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
    /// There are as many values, at most [`MAX_STATES`], and room for as many elements of the dtype of `out`.
    pub(super) unsafe fn write_values(
        &self,
        values: &mut Values,
        n: usize,
        out: *mut u8,
        stride: isize,
    ) -> Result<(), CallError> {
        let mut second = Values::new();
        let (mut values, mut others) = (values.pointer(), second.pointer());
        for to in 1..=2 {
            if let Some(cast) = &self.cast_to(to)? {
                cast_block(cast, values, n, others)?;
                core::mem::swap(&mut values, &mut others);
            }
        }
        if self.after != After::Nothing {
            let parts = if self.is_complex() { 2 * n } else { n };
            #[allow(clippy::cast_ptr_alignment, reason = "a block is aligned for every dtype")]
            // SAFETY: sums that are divided, or whose root is taken, are `f64`, or complex numbers of two.
            self.compute(unsafe { core::slice::from_raw_parts_mut(values.cast::<f64>(), parts) });
        }
        let [.., output, target] = self.dtypes;
        let in_place = stride == self.size.cast_signed() && is_aligned(target, out);
        for to in 3..self.dtypes.len() {
            let Some(cast) = self.cast_to(to)? else { continue };
            if in_place && (to == 4 || output == target) {
                return cast_block(&cast, values, n, out);
            }
            cast_block(&cast, values, n, others)?;
            core::mem::swap(&mut values, &mut others);
        }
        let from = Run { pointer: values.cast_const(), stride: self.size.cast_signed() };
        // SAFETY: there are as many elements, and the caller promises the room.
        unsafe { self.copier.copy(n, from, Run { pointer: out, stride }) };
        Ok(())
    }

    fn is_complex(&self) -> bool {
        self.dtypes[0] == DType::C128
    }

    /// Computes quotients or roots of sums in place.
    fn compute(&self, sums: &mut [f64]) {
        match self.after {
            After::Nothing => {}
            After::Quotient | After::Variance | After::Deviation => {
                for sum in sums {
                    // The quotient 0 / 0 is a NaN of either sign.
                    *sum = if *sum == 0.0 && self.divisor == 0.0 { f64::NAN } else { *sum / self.divisor };
                    if self.after == After::Deviation {
                        *sum = sum.root();
                    }
                }
            }
            After::Root if !self.is_complex() => sums.iter_mut().for_each(|sum| *sum = sum.root()),
            After::Root => {
                for i in 0..sums.len() / 2 {
                    sums[i] = (sums[2 * i] + sums[2 * i + 1]).root();
                }
            }
        }
    }
}
