//! Shape and strides: which bytes the elements of a view lie in.

use arrayvec::ArrayVec;

use super::error::ViewError;

/// How many axes of more than one element a shape has at most: with one more, an index could not count its
/// elements.
pub(crate) const MOST_AXES: usize = usize::BITS as usize;

/// The lengths of axes.
#[derive(Clone, Copy, Debug)]
enum Dims<'a> {
    /// Of elements side by side, whose length alone is known.
    One(usize),
    Many(&'a [usize]),
}

/// Shape and strides of a view, checked: the number of elements and the distance between any two in bytes are
/// at most `isize::MAX`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<'a> {
    dims: Dims<'a>,
    /// `None` if the elements lie side by side, the last index running fastest.
    strides: Option<Strides<'a>>,
    len: usize,
    /// Of one element, in bytes.
    size: usize,
}

/// The distances from one element to the next, along each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strides<'a> {
    units: &'a [isize],
    /// The bytes of one unit.
    unit: usize,
}

impl<'a> Strides<'a> {
    /// Strides in bytes.
    pub(crate) const fn bytes(strides: &'a [isize]) -> Strides<'a> {
        Strides { units: strides, unit: 1 }
    }

    /// Strides in elements of `size` bytes.
    pub(crate) const fn elements(strides: &'a [isize], size: usize) -> Strides<'a> {
        Strides { units: strides, unit: size }
    }

    /// The bytes from one element to the next along an axis. [`Layout::strided`] checks that those of axes
    /// of more than one element do not overflow; along the others there is no next element.
    #[inline]
    const fn get(self, axis: usize) -> isize {
        self.units[axis].wrapping_mul(self.unit.cast_signed())
    }

    /// Whether no stride along an axis of more than one element overflows.
    fn fit(self, shape: &[usize]) -> bool {
        let fits = |stride: &isize| stride.checked_mul(self.unit.cast_signed()).is_some();
        shape.iter().zip(self.units).all(|(len, stride)| *len < 2 || fits(stride))
    }
}

/// Which bytes elements lie in, seen from the one whose indices are all 0: from `first` to before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) first: isize,
    pub(crate) end: isize,
}

impl<'a> Layout<'a> {
    /// `len` elements of `size` bytes side by side, which lie in one allocation.
    #[inline]
    pub(crate) const fn line(len: usize, size: usize) -> Layout<'a> {
        Layout { dims: Dims::One(len), strides: None, len, size }
    }

    /// Elements of `size` bytes side by side, the last index running fastest.
    pub(crate) fn contiguous(shape: &'a [usize], size: usize) -> Result<Layout<'a>, ViewError> {
        let len = count(shape, size)?;
        Ok(Layout { dims: Dims::Many(shape), strides: None, len, size })
    }

    /// Elements of `size` bytes with `strides` from one to the next along each axis.
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
        let found = Layout { dims: Dims::Many(shape), strides: Some(strides), len, size };
        found.checked_extent().ok_or(ViewError::TooLarge)?;
        Ok(if found.lies_side_by_side() { Layout { strides: None, ..found } } else { found })
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
        self.size
    }

    /// Whether elements lie side by side, the last index running fastest.
    #[inline]
    pub(crate) const fn is_contiguous(&self) -> bool {
        self.strides.is_none()
    }

    /// Whether both have the same shape and lie side by side, so that equal positions have equal indices.
    #[inline]
    pub(crate) fn is_parallel_to(&self, other: &Layout<'_>) -> bool {
        self.is_contiguous()
            && other.is_contiguous()
            && self.len == other.len
            && self.shape() == other.shape()
    }

    /// The same shape of elements side by side.
    #[cfg(feature = "alloc")]
    pub(crate) const fn side_by_side(&self) -> Layout<'a> {
        Layout { strides: None, ..*self }
    }

    /// The same elements, which lie side by side, with a shape of as many.
    #[cfg(feature = "alloc")]
    pub(crate) fn shaped<'b>(&self, shape: &'b [usize]) -> Layout<'b> {
        debug_assert!(self.strides.is_none() && shape.iter().product::<usize>() == self.len);
        Layout { dims: Dims::Many(shape), strides: None, ..*self }
    }

    /// The bytes from one element to the next along each axis, the last axis first.
    pub(crate) fn strides_from_last(&self) -> impl Iterator<Item = isize> + '_ {
        let mut next = self.size;
        self.shape().iter().enumerate().rev().map(move |(axis, len)| {
            let stride = next;
            // Only of no elements can it be more than addresses count: then 0, so that no index leads beyond
            // what they do.
            next = next.checked_mul(*len).filter(|next| isize::try_from(*next).is_ok()).unwrap_or(0);
            self.strides.map_or(stride.cast_signed(), |strides| strides.get(axis))
        })
    }

    /// The bytes from one element to the next along an axis that there is.
    pub(crate) fn stride(&self, axis: usize) -> isize {
        match self.strides {
            Some(strides) => strides.get(axis),
            None => self.strides_from_last().nth(self.shape().len() - 1 - axis).unwrap_or(0),
        }
    }

    /// The bytes from the first element to the one of these indices; `None` where there is no such.
    pub(crate) fn offset(&self, index: &[usize]) -> Option<isize> {
        let shape = self.shape();
        if index.len() != shape.len() || index.iter().zip(shape).any(|(at, len)| at >= len) {
            return None;
        }
        let parts = index.iter().rev().zip(self.strides_from_last());
        // Within the extent, which is checked, neither a product nor a sum overflows.
        Some(parts.map(|(at, stride)| at.cast_signed() * stride).sum())
    }

    /// Which bytes the elements lie in; without elements, none.
    pub(crate) fn extent(&self) -> Extent {
        // A layout is checked when it is made, and a contiguous one lies in an allocation.
        self.checked_extent().unwrap_or(Extent { first: 0, end: 0 })
    }

    fn checked_extent(&self) -> Option<Extent> {
        if self.len == 0 {
            return Some(Extent { first: 0, end: 0 });
        }
        let (mut first, mut end) = (0_isize, isize::try_from(self.size).ok()?);
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

    fn lies_side_by_side(&self) -> bool {
        let natural = Layout { strides: None, ..*self };
        let axes = self.shape().iter().rev().zip(self.strides_from_last().zip(natural.strides_from_last()));
        // Along an axis of one element no stride is ever taken.
        self.len == 0 || axes.into_iter().all(|(len, (stride, natural))| *len == 1 || stride == natural)
    }

    /// Whether every element is at a multiple of `align` from the first one.
    pub(crate) fn keeps_alignment(&self, align: usize) -> bool {
        self.strides.is_none()
            || self
                .shape()
                .iter()
                .rev()
                .zip(self.strides_from_last())
                .all(|(len, stride)| *len == 1 || stride.unsigned_abs().is_multiple_of(align))
    }

    /// Whether elements fill the bytes between the lowest and the highest, each of them once, in any order.
    pub(crate) fn is_dense(&self) -> bool {
        let Extent { first, end } = self.extent();
        // Of elements that share their bytes there may be more than addresses count.
        self.len.checked_mul(self.size) == Some((end - first).cast_unsigned()) && !self.overlaps_itself()
    }

    /// Whether two elements share a byte, or it would take long to find out.
    ///
    /// Two elements do when their indices differ by some d with |Σ dᵢ·strideᵢ| < size. That is searched for
    /// axis by axis, the greatest stride first: what the smaller strides can reach leaves few dᵢ, and of
    /// every usual layout 0 alone.
    pub(crate) fn overlaps_itself(&self) -> bool {
        /// How many sums are tried at most.
        const PATIENCE: usize = 10_000;
        if self.strides.is_none() || self.len == 0 {
            return false;
        }
        let mut axes = ArrayVec::<Step, MOST_AXES>::new();
        for (len, stride) in self.shape().iter().rev().zip(self.strides_from_last()) {
            if *len > 1 {
                // There are at most as many of them as there is room for, or they could not be counted.
                axes.push(Step { most: (len - 1) as i128, stride: stride.unsigned_abs() as i128, reach: 0 });
            }
        }
        axes.sort_unstable_by_key(|axis| core::cmp::Reverse(axis.stride));
        let mut reach = 0;
        for axis in axes.iter_mut().rev() {
            axis.reach = reach;
            reach += axis.most * axis.stride;
        }
        let mut patience = PATIENCE;
        meets(&axes, 0, self.size as i128, false, &mut patience)
    }
}

/// An axis as seen by [`Layout::overlaps_itself`].
struct Step {
    /// By how much two indices differ at most.
    most: i128,
    stride: i128,
    /// How far the axes behind this one lead together.
    reach: i128,
}

/// Whether the axes can bring `sum` to less than `size` away from 0, by indices that differ somewhere.
fn meets(axes: &[Step], sum: i128, size: i128, differ: bool, patience: &mut usize) -> bool {
    let Some((axis, others)) = axes.split_first() else { return differ && sum.abs() < size };
    if axis.stride == 0 {
        return true;
    }
    let near = axis.reach + size - 1;
    // Those d for which |sum + d·stride| is at most `near`.
    let least =
        (-near - sum).div_euclid(axis.stride) + i128::from((-near - sum).rem_euclid(axis.stride) != 0);
    let most = (near - sum).div_euclid(axis.stride);
    // Of a difference and its negative one will do.
    let least = if differ { least.max(-axis.most) } else { least.max(0) };
    for d in least..=most.min(axis.most) {
        if *patience == 0 {
            return true;
        }
        *patience -= 1;
        if meets(others, sum + d * axis.stride, size, differ || d != 0, patience) {
            return true;
        }
    }
    false
}

/// How many elements a shape has.
///
/// # Errors
///
/// They, or their bytes, are more than `isize::MAX`, axes of length 0 aside.
fn count(shape: &[usize], size: usize) -> Result<usize, ViewError> {
    let mut most = size.max(1);
    for len in shape.iter().filter(|len| **len > 0) {
        most = most
            .checked_mul(*len)
            .filter(|most| isize::try_from(*most).is_ok())
            .ok_or(ViewError::TooLarge)?;
    }
    // No longer than the product above.
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
    fn extents_reach_from_the_lowest_byte_to_behind_the_highest() {
        strided(&[3, 4], &[16, 4], 4, |layout| assert_eq!(layout.extent(), Extent { first: 0, end: 48 }));
        strided(&[3, 4], &[-16, 4], 4, |layout| assert_eq!(layout.extent(), Extent { first: -32, end: 16 }));
        strided(&[3, 4], &[0, 0], 4, |layout| assert_eq!(layout.extent(), Extent { first: 0, end: 4 }));
        strided(&[], &[], 8, |layout| assert_eq!(layout.extent(), Extent { first: 0, end: 8 }));
        strided(&[0, 4], &[1000, 4], 4, |layout| assert_eq!(layout.extent(), Extent { first: 0, end: 0 }));
    }

    #[test]
    fn what_cannot_be_addressed_is_refused() {
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
    fn elements_side_by_side_are_seen_as_such() {
        strided(&[2, 1, 3], &[12, -77, 4], 4, |layout| assert!(layout.is_contiguous()));
        strided(&[2, 3], &[4, 8], 4, |layout| assert!(!layout.is_contiguous()));
        strided(&[2, 3], &[-4, 8], 4, |layout| assert!(layout.is_dense()));
        strided(&[isize::MAX as usize], &[0], 8, |layout| assert!(!layout.is_dense()));
        assert_eq!(Layout::contiguous(&[2, 3, 4], 2).unwrap().stride(0), 24);
    }

    #[test]
    fn of_no_elements_no_stride_leads_beyond_what_addresses_count() {
        let shape = [0, 3, 1 << 60];
        for layout in
            [Layout::strided(&shape, Strides::bytes(&[8; 3]), 8).unwrap(), Layout::line(0, 8).shaped(&shape)]
        {
            let strides = layout.strides_from_last().zip(shape.iter().rev());
            // To the last place along each axis.
            assert!(
                strides.into_iter().all(|(stride, len)| (*len as isize - 1).checked_mul(stride).is_some())
            );
        }
    }

    #[test]
    fn a_view_that_aliases_itself_is_found_as_by_counting_bytes() {
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
