//! Medians: the elements of an output are copied, and the one in the middle is selected.
//!
//! Elements are read as `f64`, as 64-bit integers, or as complex numbers, which hold those of every dtype in
//! their order.

use core::cmp::Ordering;
use core::mem::MaybeUninit;

use super::axes::{ALONE, Along, SplitAxes, each, last};
use super::elements::{Casts, Elements, TILE, Tile, apart, cast_between, cast_block, fits};
use super::reducer::{Request, read_as};
use super::table::FoldKind;
use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::cast::CastKernel;
use crate::kernel::copy::{Copier, Run};
use crate::kernel::overlap::Copied;
use crate::kernel::registry::Kernels;
use crate::level::Level;
use crate::memory::block::Block;
use crate::memory::slice::element_size;
use crate::memory::{TensorView, TensorViewMut, threads};
use crate::{DType, Kind, Op};

/// The functions of the medians of elements of one dtype.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selector {
    level: Level,
    kernels: &'static Kernels,
    casts: Casts,
    /// True if the median of an even number of elements is the lower one of the two in the middle.
    lower: bool,
    /// The dtype that is read, of the result, and of `out`.
    dtypes: [DType; 3],
}

impl Selector {
    /// Returns true if the op is the median.
    pub(crate) const fn selects(op: Op) -> bool {
        matches!(op, Op::Median)
    }

    /// Returns the dtype of `out`.
    #[cfg(feature = "alloc")]
    pub(crate) const fn target(&self) -> DType {
        self.dtypes[2]
    }

    /// Looks up the casts of a median at an available level. With `lower`, the median of an even number of
    /// elements is the lower one of the two in the middle, and otherwise their mean.
    ///
    /// # Errors
    ///
    /// Returns an error if this build lacks a cast, or if a dtype has no elements.
    pub(crate) fn find(
        kernels: &'static Kernels,
        level: Level,
        request: &Request,
        lower: bool,
    ) -> Result<Selector, CallError> {
        let Request { from, types, target, .. } = *request;
        element_size(from)?;
        let rounded = read_as(FoldKind::Extremum, from, types);
        let read = match rounded.kind() {
            Kind::Complex => DType::C128,
            Kind::Float => DType::F64,
            _ if !lower => DType::F64,
            Kind::Unsigned => DType::U64,
            _ => DType::I64,
        };
        let at = (level, kernels);
        let casts = request.casts(at, rounded, read)?;
        for [from, to] in [[read, types.output], [types.output, target]] {
            cast_between(at, from, to)?;
        }
        Ok(Selector { level, kernels, casts, lower, dtypes: [read, types.output, target] })
    }

    /// Writes the medians of elements along the axes for which `along` returns true. `out` has the other
    /// axes, or all axes, those that are reduced of length 1.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` has another dtype or another shape, if there are no elements and the result
    /// is no float, if `out` overlaps the elements and they cannot be copied, or if there is not enough
    /// memory for a copy of the elements of one output. `out` is unchanged then.
    pub(crate) fn call(
        &self,
        a: &TensorView<'_>,
        along: &dyn Fn(usize) -> bool,
        mut out: TensorViewMut<'_>,
    ) -> Result<(), CallError> {
        let ([read, output, target], found) = (self.dtypes, out.dtype());
        if target != found {
            return Err(CallError::DType { role: ArgumentRole::Out, expected: target, found });
        }
        fits(a, along, &out)?;
        let mut copy = Copied::NONE;
        let a = &apart(a, &out, &mut copy)?;
        if out.is_empty() {
            return Ok(());
        }
        let (pointer, keepdims) = (out.pointer(), out.rank() == a.rank());
        let axes = SplitAxes::new(a, along, (pointer, out.layout()), Along::Reduced { keepdims });
        // Axes without elements, of which there may be any number, are not among them.
        let count = (0..a.rank()).filter(|axis| along(*axis)).map(|axis| a.shape()[axis]).product();
        if count == 0 && !matches!(output.kind(), Kind::Float | Kind::Complex) {
            return Err(CallError::Empty { op: Op::Median });
        }
        let at = (self.level, self.kernels);
        let medians = Medians {
            elements: Elements::new(a, read, &self.casts, self.level),
            lower: self.lower,
            casts: [cast_between(at, read, output)?, cast_between(at, output, target)?],
            copier: Copier::new(element_size(target)?, self.level),
            target,
            axes,
            count,
        };
        // SAFETY: the views are valid, `a` does not overlap `out`, and the shape of `out` fits; elements are
        // read as the type.
        unsafe {
            match read {
                DType::C128 => medians.run::<[f64; 2]>(),
                DType::U64 => medians.run::<u64>(),
                DType::I64 => medians.run::<i64>(),
                _ => medians.run::<f64>(),
            }
        }
    }
}

/// The medians of the elements of a view.
struct Medians<'a> {
    elements: Elements<'a>,
    lower: bool,
    casts: [Option<CastKernel>; 2],
    copier: Copier,
    target: DType,
    axes: SplitAxes,
    /// The number of elements for each output.
    count: usize,
}

impl Medians<'_> {
    /// Computes all outputs.
    ///
    /// # Safety
    ///
    /// The axes lead to elements of the operand, which are read as `T`, and to room for those of the result,
    /// which nothing else accesses.
    unsafe fn run<T: Ordered>(&self) -> Result<(), CallError> {
        /// The number of outputs that are written together.
        const SOME_OUTPUTS: usize = 64;
        let lane = last(&self.axes.kept);
        let units = self.axes.units(SOME_OUTPUTS);
        let unit = |u: usize, memory: &mut [MaybeUninit<T>]| {
            let (a, out, n) = units.get(u);
            let mut room = Block::<{ SOME_OUTPUTS * 16 }>::new();
            let medians = room.pointer();
            for i in 0..n {
                let first = a.wrapping_offset(i.cast_signed() * lane.from);
                // SAFETY: as the caller promises.
                let median = unsafe { self.median::<T>(first, memory) }?;
                // SAFETY: there is room for as many medians.
                unsafe { medians.cast::<T>().add(i).write(median) };
            }
            // SAFETY: there are `n` medians, and, as the caller promises, room for as many elements.
            unsafe { self.write(medians, n, out, lane.to) }
        };
        let some = |from: usize, len: usize| {
            let mut few = Block::<{ FEW * 16 }>::new();
            if self.count <= FEW {
                return (from..from + len).try_for_each(|u| unit(u, few.room()));
            }
            #[cfg(feature = "alloc")]
            {
                let mut memory = crate::memory::allocation::room_for::<MaybeUninit<T>>(self.count)?;
                memory.resize(self.count, MaybeUninit::uninit());
                (from..from + len).try_for_each(|u| unit(u, &mut memory))
            }
            #[cfg(not(feature = "alloc"))]
            Err(CallError::Memory { bytes: self.count.saturating_mul(size_of::<T>()) })
        };
        let (elements, size) = (self.count.max(1).saturating_mul(SOME_OUTPUTS), self.elements.size);
        // SAFETY: units write to elements of their own.
        unsafe { threads::each_unit(units.len(), elements, size, true, |len| len, some) }
    }

    /// Returns the median of the elements for one output, the first of which is at `first`.
    ///
    /// # Safety
    ///
    /// As [`Medians::run`]; there is room for the elements of an output.
    unsafe fn median<T: Ordered>(
        &self,
        first: *const u8,
        memory: &mut [MaybeUninit<T>],
    ) -> Result<T, CallError> {
        if self.count == 0 {
            return Ok(T::NAN);
        }
        let (inner, outer) = self.axes.along.split_last().unwrap_or((&ALONE, &[]));
        let (start, mut done) = (memory.as_mut_ptr(), 0);
        each(outer, first, 0, &mut |first, _| {
            for from in (0..inner.len).step_by(TILE) {
                let n = TILE.min(inner.len - from);
                let first = first.wrapping_offset(from.cast_signed() * inner.from);
                let to = start.wrapping_add(done + from).cast::<u8>();
                // SAFETY: as the caller promises; `to` has room for these elements.
                unsafe { self.elements.fetch([1, n], first, [0, inner.from], to) }?;
            }
            done += inner.len;
            Ok(())
        })?;
        // SAFETY: all elements have been written.
        let values = unsafe { core::slice::from_raw_parts_mut(start.cast::<T>(), self.count) };
        if values.iter().any(T::is_nan) {
            return Ok(T::NAN);
        }
        let (low, upper) = ((self.count - 1) / 2, self.count / 2);
        if self.lower || low == upper {
            return Ok(*values.select_nth_unstable_by(low, T::order).1);
        }
        let (below, upper, _) = values.select_nth_unstable_by(upper, T::order);
        let lower = below.iter().copied().reduce(|a, b| if T::order(&b, &a).is_gt() { b } else { a });
        Ok(T::mean(lower.unwrap_or(*upper), *upper))
    }

    /// Casts `n` medians, and writes them `stride` bytes apart.
    ///
    /// # Safety
    ///
    /// There are as many, and room for as many elements of the dtype of `out`.
    unsafe fn write(
        &self,
        mut values: *mut u8,
        n: usize,
        out: *mut u8,
        stride: isize,
    ) -> Result<(), CallError> {
        let mut second = Tile::new();
        let mut third = Tile::new();
        for (cast, to) in self.casts.iter().zip([&mut second, &mut third]) {
            if let Some(cast) = cast {
                cast_block(cast, values, n, to.pointer())?;
                values = to.pointer();
            }
        }
        let size = element_size(self.target)?.cast_signed();
        let from = Run { pointer: values.cast_const(), stride: size };
        // SAFETY: there are as many elements, and the caller promises the room.
        unsafe { self.copier.copy(n, from, Run { pointer: out, stride }) };
        Ok(())
    }
}

/// The number of elements that are selected from without an allocation.
const FEW: usize = 1024;

/// A number that is read.
trait Ordered: Copy {
    /// The median of numbers of which one is NaN. Integers have none.
    const NAN: Self;

    fn order(a: &Self, b: &Self) -> Ordering;

    fn is_nan(&self) -> bool;

    /// Returns the mean of two numbers; integers are read as `f64` for it.
    fn mean(a: Self, b: Self) -> Self;
}

impl Ordered for f64 {
    const NAN: f64 = f64::NAN;

    fn order(a: &f64, b: &f64) -> Ordering {
        a.total_cmp(b)
    }

    fn is_nan(&self) -> bool {
        f64::is_nan(*self)
    }

    #[allow(clippy::manual_midpoint, reason = "NumPy's sum overflows, and so does this one")]
    fn mean(a: f64, b: f64) -> f64 {
        (a + b) / 2.0
    }
}

impl Ordered for [f64; 2] {
    const NAN: [f64; 2] = [f64::NAN; 2];

    fn order(a: &[f64; 2], b: &[f64; 2]) -> Ordering {
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
    }

    fn is_nan(&self) -> bool {
        self[0].is_nan() || self[1].is_nan()
    }

    fn mean(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
        [f64::mean(a[0], b[0]), f64::mean(a[1], b[1])]
    }
}

macro_rules! whole {
    ($($ty:ident)*) => {$(
        impl Ordered for $ty {
            const NAN: $ty = 0;

            fn order(a: &$ty, b: &$ty) -> Ordering {
                a.cmp(b)
            }

            fn is_nan(&self) -> bool {
                false
            }

            fn mean(a: $ty, _: $ty) -> $ty {
                a
            }
        }
    )*};
}

whole!(i64 u64);
