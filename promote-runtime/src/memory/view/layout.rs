//! Layouts: shape and strides, validated, and which bytes the elements of a view occupy.

use arrayvec::ArrayVec;

use crate::memory::view::error::ViewError;

/// The largest number of axes longer than 1 in a shape: with one more, the number of elements would overflow.
pub(crate) const MAX_AXES: usize = usize::BITS as usize;

/// The lengths of the axes.
#[derive(Clone, Copy, Debug)]
enum Dims<'a> {
    /// One axis, whose length is stored here because no shape was borrowed.
    One(usize),
    Many(&'a [usize]),
}

/// Shape and strides of a view. The number of elements, and the distance in bytes between any two of them,
/// are at most `isize::MAX`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<'a> {
    dims: Dims<'a>,
    /// `None` if the elements are contiguous in row-major order.
    strides: Option<&'a [isize]>,
    len: usize,
    /// The bytes of one unit of the strides.
    unit: u8,
    /// The size of an element in bytes, at most 16.
    size: u8,
}

/// The strides of the axes, in bytes or in elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strides<'a> {
    units: &'a [isize],
    /// The bytes of one unit.
    unit: u8,
}

impl<'a> Strides<'a> {
    /// Strides in bytes.
    pub(crate) const fn bytes(strides: &'a [isize]) -> Strides<'a> {
        Strides { units: strides, unit: 1 }
    }

    /// Strides in elements of `size` bytes.
    pub(crate) const fn elements(strides: &'a [isize], size: usize) -> Strides<'a> {
        Strides { units: strides, unit: size as u8 }
    }

    /// Returns true if no stride of an axis longer than 1 overflows.
    fn fit(self, shape: &[usize]) -> bool {
        let fits = |stride: &isize| stride.checked_mul(self.unit as isize).is_some();
        shape.iter().zip(self.units).all(|(len, stride)| *len < 2 || fits(stride))
    }
}

/// The range of bytes that the elements occupy, relative to the element whose indices are all 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) first: isize,
    pub(crate) end: isize,
}

impl<'a> Layout<'a> {
    /// Returns the layout of `len` contiguous elements of `size` bytes along one axis.
    #[inline]
    pub(crate) const fn line(len: usize, size: usize) -> Layout<'a> {
        Layout { dims: Dims::One(len), strides: None, len, unit: 1, size: size as u8 }
    }

    /// Returns the row-major layout of a shape.
    pub(crate) fn contiguous(shape: &'a [usize], size: usize) -> Result<Layout<'a>, ViewError> {
        let len = count(shape, size)?;
        Ok(Layout { dims: Dims::Many(shape), strides: None, len, unit: 1, size: size as u8 })
    }

    /// Returns the layout of a shape with strides, which is checked.
    pub(crate) fn strided(
        shape: &'a [usize],
        strides: Strides<'a>,
        size: usize,
    ) -> Result<Layout<'a>, ViewError> {
        if shape.len() != strides.units.len() {
            return Err(ViewError::Rank { shape: shape.len(), strides: strides.units.len() });
        }
        let len = count(shape, 1)?;
        if !strides.fit(shape) {
            return Err(ViewError::TooLarge);
        }
        let Strides { units, unit } = strides;
        let found = Layout { dims: Dims::Many(shape), strides: Some(units), len, unit, size: size as u8 };
        found.checked_extent().ok_or(ViewError::TooLarge)?;
        Ok(if found.has_row_major_strides() { Layout { strides: None, ..found } } else { found })
    }

    pub(crate) fn shape(&self) -> &[usize] {
        match &self.dims {
            Dims::One(len) => core::slice::from_ref(len),
            Dims::Many(shape) => shape,
        }
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) const fn size(&self) -> usize {
        self.size as usize
    }

    /// Returns true if the elements are contiguous in row-major order.
    #[inline]
    pub(crate) const fn is_contiguous(&self) -> bool {
        self.strides.is_none()
    }

    /// Returns true if both layouts are contiguous and have one shape, so that equal positions have equal
    /// indices.
    #[inline]
    pub(crate) fn is_parallel_to(&self, other: &Layout<'_>) -> bool {
        self.is_contiguous()
            && other.is_contiguous()
            && self.len == other.len
            && self.shape() == other.shape()
    }

    /// Returns the contiguous layout of this shape.
    pub(crate) const fn compacted(&self) -> Layout<'a> {
        Layout { strides: None, ..*self }
    }

    /// Returns the layout of the elements, which are contiguous, with another shape of as many elements.
    pub(crate) fn shaped<'b>(&self, shape: &'b [usize]) -> Layout<'b> {
        debug_assert!(self.strides.is_none() && shape.iter().product::<usize>() == self.len);
        Layout { dims: Dims::Many(shape), strides: None, ..*self }
    }

    /// Returns the strides in bytes, from the last axis to the first.
    pub(crate) fn strides_from_last(&self) -> impl Iterator<Item = isize> + '_ {
        let mut next = self.size();
        self.shape().iter().enumerate().rev().map(move |(axis, len)| {
            let stride = next;
            // This overflows only if there are no elements. The stride is then 0, so that no offset
            // overflows.
            next = next.checked_mul(*len).filter(|next| isize::try_from(*next).is_ok()).unwrap_or(0);
            self.given_stride(axis).unwrap_or(stride.cast_signed())
        })
    }

    /// Returns the stride of an existing axis in bytes.
    pub(crate) fn stride(&self, axis: usize) -> isize {
        match self.given_stride(axis) {
            Some(stride) => stride,
            None => self.strides_from_last().nth(self.shape().len() - 1 - axis).unwrap_or(0),
        }
    }

    /// Returns the stride of an axis in bytes, unless the elements are contiguous. [`Layout::strided`] checks
    /// that it does not overflow for axes longer than 1; other strides are never used.
    #[inline]
    fn given_stride(&self, axis: usize) -> Option<isize> {
        Some(self.strides?[axis].wrapping_mul(self.unit as isize))
    }

    /// Returns the offset in bytes of the element at an index; `None` if it is out of bounds.
    pub(crate) fn offset(&self, index: &[usize]) -> Option<isize> {
        let shape = self.shape();
        if index.len() != shape.len() || index.iter().zip(shape).any(|(at, len)| at >= len) {
            return None;
        }
        let parts = index.iter().rev().zip(self.strides_from_last());
        // The extent was checked, so neither a product nor a sum overflows.
        Some(parts.map(|(at, stride)| at.cast_signed() * stride).sum())
    }

    /// Returns the range of bytes that the elements occupy, which is empty if there are none.
    pub(crate) fn extent(&self) -> Extent {
        // A strided layout was checked when it was made, and a contiguous one is within an allocation.
        self.checked_extent().unwrap_or(Extent { first: 0, end: 0 })
    }

    fn checked_extent(&self) -> Option<Extent> {
        if self.len == 0 {
            return Some(Extent { first: 0, end: 0 });
        }
        let (mut first, mut end) = (0_isize, self.size as isize);
        for (len, stride) in self.shape().iter().rev().zip(self.strides_from_last()) {
            let span = isize::try_from(len - 1).ok()?.checked_mul(stride)?;
            if span < 0 {
                first = first.checked_add(span)?;
            } else {
                end = end.checked_add(span)?;
            }
        }
        end.checked_sub(first)?;
        Some(Extent { first, end })
    }

    fn has_row_major_strides(&self) -> bool {
        let natural = Layout { strides: None, ..*self };
        let axes = self.shape().iter().rev().zip(self.strides_from_last().zip(natural.strides_from_last()));
        // The stride of an axis of length 1 is never used.
        self.len == 0 || axes.into_iter().all(|(len, (stride, natural))| *len == 1 || stride == natural)
    }

    /// Returns true if the distance between any two elements is a multiple of `align`.
    pub(crate) fn keeps_alignment(&self, align: usize) -> bool {
        self.strides.is_none()
            || self
                .shape()
                .iter()
                .rev()
                .zip(self.strides_from_last())
                .all(|(len, stride)| *len == 1 || stride.unsigned_abs().is_multiple_of(align))
    }

    /// Returns true if the elements fill all bytes between the lowest and the highest one exactly once, in
    /// any order.
    pub(crate) fn is_dense(&self) -> bool {
        let Extent { first, end } = self.extent();
        // The product can overflow if elements overlap.
        self.len.checked_mul(self.size()) == Some((end - first).cast_unsigned()) && !self.overlaps_itself()
    }

    /// Returns true if two elements overlap, or if the search for such elements takes too long.
    ///
    /// Two elements overlap if their indices differ by some d with |Σ dᵢ·strideᵢ| < size. The search goes
    /// from the largest stride to the smallest. What the smaller strides can make up for leaves few
    /// candidates for each dᵢ, and only 0 in every usual layout.
    pub(crate) fn overlaps_itself(&self) -> bool {
        /// The largest number of sums to try.
        const MAX_TRIES: usize = 10_000;
        if self.strides.is_none() || self.len == 0 {
            return false;
        }
        let mut axes = ArrayVec::<Step, MAX_AXES>::new();
        for (len, stride) in self.shape().iter().rev().zip(self.strides_from_last()) {
            if *len > 1 {
                // `count` has checked that there are at most `MAX_AXES` of these.
                axes.push(Step { most: (len - 1) as i128, stride: stride.unsigned_abs() as i128, reach: 0 });
            }
        }
        axes.sort_unstable_by_key(|axis| core::cmp::Reverse(axis.stride));
        let mut reach = 0;
        for axis in axes.iter_mut().rev() {
            axis.reach = reach;
            reach += axis.most * axis.stride;
        }
        let mut tries = MAX_TRIES;
        overlap(&axes, 0, i128::from(self.size), false, &mut tries)
    }
}

/// An axis in the search of [`Layout::overlaps_itself`].
struct Step {
    /// The largest difference of two indices.
    most: i128,
    stride: i128,
    /// The largest distance in bytes that the axes with smaller strides cover together.
    reach: i128,
}

/// Returns true if the axes can bring `sum` to less than `size` away from 0, by indices of which at least one
/// pair differs, or if `tries` runs out.
fn overlap(axes: &[Step], sum: i128, size: i128, differ: bool, tries: &mut usize) -> bool {
    let Some((axis, others)) = axes.split_first() else { return differ && sum.abs() < size };
    if axis.stride == 0 {
        return true;
    }
    let near = axis.reach + size - 1;
    // The range of d in which |sum + d·stride| is at most `near`.
    let least =
        (-near - sum).div_euclid(axis.stride) + i128::from((-near - sum).rem_euclid(axis.stride) != 0);
    let most = (near - sum).div_euclid(axis.stride);
    // A difference and its negative lead to the same pair of elements, so one of them is tried.
    let least = if differ { least.max(-axis.most) } else { least.max(0) };
    for d in least..=most.min(axis.most) {
        if *tries == 0 {
            return true;
        }
        *tries -= 1;
        if overlap(others, sum + d * axis.stride, size, differ || d != 0, tries) {
            return true;
        }
    }
    false
}

/// Returns the number of elements of a shape.
///
/// # Errors
///
/// Returns an error if the product of the lengths other than 0, in elements or in bytes, exceeds
/// `isize::MAX`.
fn count(shape: &[usize], size: usize) -> Result<usize, ViewError> {
    let mut most = size.max(1);
    for len in shape.iter().filter(|len| **len > 0) {
        most = most
            .checked_mul(*len)
            .filter(|most| isize::try_from(*most).is_ok())
            .ok_or(ViewError::TooLarge)?;
    }
    // At most the product above, so this does not overflow.
    Ok(shape.iter().product())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::vec::Vec;

    use super::*;

    fn strided(shape: &[usize], strides: &[isize], size: usize, check: impl Fn(Layout<'_>)) {
        check(Layout::strided(shape, Strides::bytes(strides), size).unwrap());
    }

    #[test]
    fn extent_spans_the_lowest_to_the_highest_byte() {
        strided(&[3, 4], &[16, 4], 4, |layout| assert_eq!(layout.extent(), Extent { first: 0, end: 48 }));
        strided(&[3, 4], &[-16, 4], 4, |layout| assert_eq!(layout.extent(), Extent { first: -32, end: 16 }));
        strided(&[3, 4], &[0, 0], 4, |layout| assert_eq!(layout.extent(), Extent { first: 0, end: 4 }));
        strided(&[], &[], 8, |layout| assert_eq!(layout.extent(), Extent { first: 0, end: 8 }));
        strided(&[0, 4], &[1000, 4], 4, |layout| assert_eq!(layout.extent(), Extent { first: 0, end: 0 }));
    }

    #[test]
    fn rejects_layouts_larger_than_the_address_space() {
        let great = isize::MAX as usize;
        assert_eq!(Layout::contiguous(&[great, 2], 1).unwrap_err(), ViewError::TooLarge);
        assert_eq!(Layout::contiguous(&[0, great, 2], 1).unwrap_err(), ViewError::TooLarge);
        assert_eq!(Layout::contiguous(&[great], 2).unwrap_err(), ViewError::TooLarge);
        assert_eq!(Layout::strided(&[3], Strides::bytes(&[isize::MAX]), 1).unwrap_err(), ViewError::TooLarge);
        assert_eq!(
            Layout::strided(&[2, 2], Strides::bytes(&[isize::MAX, isize::MIN + 1]), 1).unwrap_err(),
            ViewError::TooLarge
        );
        assert_eq!(
            Layout::strided(&[3], Strides::bytes(&[]), 1).unwrap_err(),
            ViewError::Rank { shape: 1, strides: 0 }
        );
    }

    #[test]
    fn recognises_contiguous_and_dense_layouts() {
        strided(&[2, 1, 3], &[12, -77, 4], 4, |layout| assert!(layout.is_contiguous()));
        strided(&[2, 3], &[4, 8], 4, |layout| assert!(!layout.is_contiguous()));
        strided(&[2, 3], &[-4, 8], 4, |layout| assert!(layout.is_dense()));
        strided(&[isize::MAX as usize], &[0], 8, |layout| assert!(!layout.is_dense()));
        assert_eq!(Layout::contiguous(&[2, 3, 4], 2).unwrap().stride(0), 24);
    }

    #[test]
    fn strides_of_empty_layouts_do_not_overflow() {
        let shape = [0, 3, 1 << 60];
        for layout in
            [Layout::strided(&shape, Strides::bytes(&[8; 3]), 8).unwrap(), Layout::line(0, 8).shaped(&shape)]
        {
            let strides = layout.strides_from_last().zip(shape.iter().rev());
            // The offset of the last index along each axis.
            assert!(
                strides.into_iter().all(|(stride, len)| (*len as isize - 1).checked_mul(stride).is_some())
            );
        }
    }

    #[test]
    fn self_overlap_equals_a_count_of_bytes() {
        // Every layout of two and three short axes with small strides.
        let numbers = &[-5, -3, -2, 0, 1, 2, 3, 4, 6, 7];
        for size in [1, 2, 4] {
            for shape in [[1, 2, 3], [2, 2, 2], [3, 2, 4], [1, 3, 3]] {
                for (a, b, c) in numbers
                    .iter()
                    .flat_map(|a| numbers.iter().flat_map(move |b| numbers.iter().map(move |c| (*a, *b, *c))))
                {
                    let mut bytes = BTreeSet::new();
                    let mut offsets = Vec::new();
                    for i in 0..shape[0] * shape[1] * shape[2] {
                        let at = [i / (shape[1] * shape[2]), i / shape[2] % shape[1], i % shape[2]];
                        offsets.push(at[0] as isize * a + at[1] as isize * b + at[2] as isize * c);
                    }
                    let all_new =
                        offsets.iter().all(|first| (0..size as isize).all(|byte| bytes.insert(first + byte)));
                    strided(&shape, &[a, b, c], size, |layout| {
                        assert_eq!(layout.overlaps_itself(), !all_new, "{shape:?} {:?} {size}", [a, b, c]);
                    });
                }
            }
        }
    }
}
