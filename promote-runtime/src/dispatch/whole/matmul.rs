//! Products of matrices.

use matrixmultiply::CGemmOption::Standard;
use num_complex::Complex;

use super::{Entered, array, read};
use crate::dispatch::Error;
use crate::dispatch::apply::broadcast;
use crate::element::Element;
use crate::error::call::{ArgumentRole, CallError};
use crate::memory::{Argument, Slice, Tensor, TensorView};
use crate::rule_set::RuleSet;
use crate::{DType, Op, types};

/// The lengths of a product of an `m` by `k` and a `k` by `n` matrix.
#[derive(Clone, Copy)]
struct Lengths {
    m: usize,
    k: usize,
    n: usize,
}

impl RuleSet {
    /// Multiplies matrices, which are the last two axes of the operands. The axes before them broadcast, and
    /// an operand of one axis is a row on the left and a column on the right.
    pub(super) fn matmul(
        &self,
        operands: [&Argument<'_>; 2],
        target: Option<DType>,
    ) -> Result<Tensor, Error> {
        let op = Op::Matmul;
        let shapes = [array(operands[0], op, 0)?, array(operands[1], op, 1)?];
        let [a_shape, b_shape] = shapes.each_ref().map(TensorView::shape);
        let [kind_a, kind_b] = operands.map(Argument::as_array_operand);
        let types = self.types_of_whole(op, [kind_a?, kind_b?], target)?;
        let ((a_batch, m, k), (b_batch, rows, n)) = match (a_shape, b_shape) {
            ([], _) => return Err(Error::Call(CallError::NoArray { op, input: 0 })),
            (_, []) => return Err(Error::Call(CallError::NoArray { op, input: 1 })),
            ([a @ .., m, k], [b @ .., rows, n]) => ((a, Some(*m), *k), (b, *rows, Some(*n))),
            ([k], [b @ .., rows, n]) => ((&[][..], None, *k), (b, *rows, Some(*n))),
            ([a @ .., m, k], [rows]) => ((a, Some(*m), *k), (&[][..], *rows, None)),
            ([k], [rows]) => ((&[][..], None, *k), (&[][..], *rows, None)),
        };
        if k != rows {
            return Err(Error::Call(CallError::Inner { a: k, b: rows }));
        }
        let batch =
            broadcast([a_batch, b_batch].into_iter()).map_err(|[_, from_last, expected, found]| {
                let axes = if n.is_some() { 2 } else { 1 };
                CallError::Shapes { role: ArgumentRole::B, from_last: from_last + axes, expected, found }
            })?;
        let mut shape = batch.clone();
        shape.extend([m, n].into_iter().flatten());
        let lengths = Lengths { m: m.unwrap_or(1), k, n: n.unwrap_or(1) };
        let computed = if types.compute == DType::Bool { DType::U8 } else { types.compute.register() };
        let mut out = Tensor::zeros(computed, &shape)?;
        if !out.is_empty() && k > 0 {
            let found = [self.entered(operands[0], types)?, self.entered(operands[1], types)?];
            let slices = found.each_ref().map(Entered::slice);
            let batches = BatchShapes { batch: &batch, a: a_batch, b: b_batch };
            let is_bool = types.compute == DType::Bool;
            macro_rules! of_dtype {
                ({} bool $bool:tt integer [$($integer:ident)*] float [$($float:ident)*] complex [$($complex:ident)*]) => {
                    match computed {
                        DType::U8 if is_bool => products::<u8>(slices, &mut out, lengths, batches, |a, b, out, lengths| {
                            product(a, b, out, lengths, |sum: u8, x, y| sum | x & y);
                        })?,
                        $(found if found == <types::$integer>::DTYPE => {
                            products::<types::$integer>(slices, &mut out, lengths, batches, |a, b, out, lengths| {
                                product(a, b, out, lengths, |sum: types::$integer, x, y| sum.wrapping_add(x.wrapping_mul(y)));
                            })?;
                        })*
                        $(found if found == <types::$float>::DTYPE => {
                            products(slices, &mut out, lengths, batches, <types::$float as Float>::multiply)?;
                        })*
                        $(found if found == <types::$complex>::DTYPE => {
                            products(slices, &mut out, lengths, batches, <types::$complex as Float>::multiply)?;
                        })*
                        compute => return Err(Error::Call(CallError::NoKernel { op, compute })),
                    }
                };
            }
            promote_core::__register_dtypes! { of_dtype {} }
        }
        if computed == types.output { Ok(out) } else { self.astype(&out.view(), types.output, None) }
    }
}

/// The shapes of the axes before the matrices: of the result, and of both operands.
#[derive(Clone, Copy)]
struct BatchShapes<'s> {
    batch: &'s [usize],
    a: &'s [usize],
    b: &'s [usize],
}

impl BatchShapes<'_> {
    /// Returns the positions of the matrices of both operands that the product at a position is made of.
    fn of(&self, mut position: usize) -> [usize; 2] {
        let mut found = [0; 2];
        let mut steps = [1; 2];
        for (from_last, length) in self.batch.iter().rev().enumerate() {
            let index = position % length;
            position /= length;
            for (which, shape) in [self.a, self.b].into_iter().enumerate() {
                let own = shape.len().checked_sub(from_last + 1).map_or(1, |axis| shape[axis]);
                found[which] += if own == 1 { 0 } else { index * steps[which] };
                steps[which] *= own;
            }
        }
        found
    }
}

/// Computes the product of each pair of matrices. There is at least one, and none is empty.
fn products<T: Element>(
    slices: [Slice<'_>; 2],
    out: &mut Tensor,
    lengths: Lengths,
    batches: BatchShapes<'_>,
    multiply: impl Fn(&[T], &[T], &mut [T], Lengths),
) -> Result<(), CallError> {
    let (a, b) = (read::<T>(slices[0])?, read::<T>(slices[1])?);
    let Lengths { m, k, n } = lengths;
    let mut view = out.view_mut();
    let mut elements = view.as_mut_slice().ok_or(CallError::Uninitialised)?;
    let out = elements.as_mut_slice::<T>().ok_or(CallError::Uninitialised)?;
    for (position, out) in out.chunks_exact_mut(m * n).enumerate() {
        let [i, j] = batches.of(position);
        multiply(&a[i * m * k..][..m * k], &b[j * k * n..][..k * n], out, lengths);
    }
    Ok(())
}

/// Adds the products of integers to `out`, row by row: `step` adds one product to a sum.
fn product<T: Copy>(
    a: &[T],
    b: &[T],
    out: &mut [T],
    Lengths { k, n, .. }: Lengths,
    step: impl Fn(T, T, T) -> T,
) {
    /// The columns that are computed at a time, so that the rows of a block stay in the cache.
    const COLUMNS: usize = 512;
    /// The rows of the right matrix in a block.
    const ROWS: usize = 64;
    for column in (0..n).step_by(COLUMNS) {
        let width = COLUMNS.min(n - column);
        for from in (0..k).step_by(ROWS) {
            let until = (from + ROWS).min(k);
            for (row, sums) in a.chunks_exact(k).zip(out.chunks_exact_mut(n)) {
                let sums = &mut sums[column..column + width];
                for (at, x) in (from..until).zip(&row[from..until]) {
                    let factors = &b[at * n + column..][..width];
                    for (sum, y) in sums.iter_mut().zip(factors) {
                        *sum = step(*sum, *x, *y);
                    }
                }
            }
        }
    }
}

/// Elements whose matrices `matrixmultiply` multiplies.
trait Float: Element {
    /// Multiplies two matrices in row-major order.
    fn multiply(a: &[Self], b: &[Self], out: &mut [Self], lengths: Lengths);
}

macro_rules! floats {
    ($($ty:ty, $gemm:ident, [$($option:ident)*], $one:expr, $zero:expr;)*) => {$(
        impl Float for $ty {
            fn multiply(a: &[$ty], b: &[$ty], out: &mut [$ty], Lengths { m, k, n }: Lengths) {
                assert!(a.len() == m * k && b.len() == k * n && out.len() == m * n, "matrices of these lengths");
                let (across, along) = (k.cast_signed(), n.cast_signed());
                // SAFETY: the matrices have these lengths in row-major order, and `out`, which is borrowed
                // exclusively, overlaps neither. A complex number is two floats, as an array of them is.
                unsafe {
                    matrixmultiply::$gemm(
                        $($option,)*
                        m, k, n, $one, a.as_ptr().cast(), across, 1, b.as_ptr().cast(), along, 1, $zero,
                        out.as_mut_ptr().cast(), along, 1,
                    );
                }
            }
        }
    )*};
}

floats! {
    f32, sgemm, [], 1.0, 0.0;
    f64, dgemm, [], 1.0, 0.0;
    Complex<f32>, cgemm, [Standard Standard], [1.0, 0.0], [0.0, 0.0];
    Complex<f64>, zgemm, [Standard Standard], [1.0, 0.0], [0.0, 0.0];
}
