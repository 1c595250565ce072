//! Copies of strided elements by their size alone: to a block, from a block, and in tiles of a transpose.

use core::marker::PhantomData;

use crate::level::Level;
use crate::level::doors::{Body, Target, body_doors, tokens};
use crate::level::function::{Pointers, RawKernel, Status, invoke};
use crate::memory::axes::{Odometer, Space};
use crate::memory::block::Block;
use crate::memory::scalar::by_size;

/// Elements along an axis: the first one, and the bytes from one to the next.
#[derive(Clone, Copy)]
pub(crate) struct Run<P> {
    pub(crate) pointer: P,
    pub(crate) stride: isize,
}

impl From<Run<*mut u8>> for Run<*const u8> {
    fn from(run: Run<*mut u8>) -> Self {
        Run { pointer: run.pointer.cast_const(), stride: run.stride }
    }
}

/// The functions that copy elements of one size, at one level.
#[derive(Clone, Copy)]
pub(crate) struct Copier {
    size: usize,
    /// Copies one element to many indices.
    fill: RawKernel,
    run: RawKernel,
    /// Copies every second element, by vector instructions that skip the others.
    seconds: RawKernel,
    tile: RawKernel,
    turn: RawKernel,
}

/// What a function of a level copies: elements from `from` to `to`, in `rows` that begin `row` bytes apart.
struct Job {
    from: Run<*const u8>,
    to: Run<*mut u8>,
    rows: usize,
    row: isize,
}

impl Job {
    /// Calls a function for rows of `n` elements.
    ///
    /// # Safety
    ///
    /// The function is one of a [`Copier`] for this job. There are as many rows of elements in `from`, and
    /// room for all in `to`, which does not overlap them.
    #[inline]
    unsafe fn run(&self, function: RawKernel, n: usize) {
        // SAFETY: the machine has the level, and the job is what the function takes as its only input.
        unsafe { invoke(function, n, &[core::ptr::from_ref(self).cast()], self.to.pointer) };
    }
}

impl Copier {
    /// Returns the copies of elements of 1, 2, 4, 8 or 16 bytes, at a level that the machine has.
    pub(crate) fn new(size: usize, level: Level) -> Copier {
        macro_rules! at_level {
            ($level:expr, $body:ident<$ty:ty>) => {
                const { body_doors::<tokens::Levels, $body<$ty>>() }
                [$level.index()]
            };
        }
        // For strided loads of 4 bytes and more LLVM would make gather instructions, which take half as long
        // again as plain loads.
        let strided = if size < 4 { level } else { Level::BASE };
        // For every second element it makes gather instructions at V4, whatever the size, and at V3 loads of
        // whole vectors.
        let second = if level == Level::V4 { Level::V3 } else { level };
        let copier = by_size!(size, T => Copier {
            size,
            fill: at_level!(level, Copies<T>),
            run: at_level!(strided, Copies<T>),
            seconds: at_level!(second, Copies<T>),
            tile: at_level!(strided, Tiles<T>),
            turn: at_level!(level, Turns<T>),
        });
        #[cfg(target_arch = "x86_64")]
        if size == 4 && level == Level::V4 {
            return Copier { seconds: second_words, ..copier };
        }
        copier
    }

    /// Copies `n` elements.
    ///
    /// # Safety
    ///
    /// There are `n` elements in `from`, and room for as many in `to`; the two do not overlap.
    #[inline]
    pub(crate) unsafe fn copy(&self, n: usize, from: Run<*const u8>, to: Run<*mut u8>) {
        let contiguous = self.size.cast_signed();
        if to.stride == contiguous && from.stride == contiguous {
            // SAFETY: as the caller promises.
            unsafe { core::ptr::copy_nonoverlapping(from.pointer, to.pointer, n * self.size) };
        } else {
            // SAFETY: as the caller promises.
            unsafe { Job { from, to, rows: 1, row: 0 }.run(self.function(from, to), n) };
        }
    }

    #[inline]
    fn function(&self, from: Run<*const u8>, to: Run<*mut u8>) -> RawKernel {
        let size = self.size.cast_signed();
        match from.stride {
            0 => self.fill,
            stride if stride == 2 * size && to.stride == size => self.seconds,
            _ => self.run,
        }
    }

    /// Copies `rows` of `n` elements each, which begin `row` bytes apart, to contiguous memory.
    ///
    /// # Safety
    ///
    /// There are that many rows of elements in `from`, and room for all in `to`, which does not overlap them.
    pub(crate) unsafe fn copy_rows(
        &self,
        [rows, n]: [usize; 2],
        from: Run<*const u8>,
        row: isize,
        to: *mut u8,
    ) {
        let to = Run { pointer: to, stride: self.size.cast_signed() };
        // SAFETY: as the caller promises.
        unsafe { Job { from, to, rows, row }.run(self.function(from, to), n) };
    }

    /// Copies a tile of a matrix, `rows` of `cols` elements, to contiguous rows. `from` is the first row with
    /// the stride from column to column.
    ///
    /// With `by_halves`, a tile of at most [`TURN`] bytes whose columns are contiguous is copied by
    /// [`Turns`]. That is faster for rows of a few elements, and for longer rows of bytes.
    ///
    /// # Safety
    ///
    /// There are that many rows and columns in `from`, `row` bytes from row to row, and room for all in `to`,
    /// which does not overlap them.
    pub(crate) unsafe fn copy_tile(
        &self,
        [rows, cols]: [usize; 2],
        from: Run<*const u8>,
        row: isize,
        to: *mut u8,
        by_halves: bool,
    ) {
        let to = Run { pointer: to, stride: self.size.cast_signed() };
        let small = rows.next_power_of_two() * cols * self.size <= TURN;
        let turns = by_halves && row == self.size.cast_signed() && rows > 1 && cols > 1 && small;
        // SAFETY: as the caller promises.
        unsafe { Job { from, to, rows, row }.run(if turns { self.turn } else { self.tile }, cols) };
    }
}

/// Copies the elements of an input, of `size` bytes, to `out`.
///
/// # Safety
///
/// Every address that the axes lead to holds an element, or has room for one; the two do not overlap.
pub(crate) unsafe fn copy_all(space: &Space<1>, size: usize) {
    let (inner, outer, count) = space.rows();
    let copier = Copier::new(size, Level::active());
    let mut row = Odometer::new(space, outer);
    for _ in 0..count {
        let from = Run { pointer: row.inputs[0], stride: inner.inputs[0] };
        // SAFETY: a row has as many elements, and room for them, as the caller promises.
        unsafe { copier.copy(inner.len, from, Run { pointer: row.out, stride: inner.out }) };
        row.advance(outer);
    }
}

/// Rows of as many elements as the call says, by the [`Job`] that is its one input. Several rows go to
/// contiguous memory.
struct Copies<T>(PhantomData<T>);

#[allow(clippy::cast_ptr_alignment, reason = "the input is a job")]
impl<T: Copy + 'static> Body for Copies<T> {
    #[inline(always)]
    unsafe fn run<L: Target>(_: L, n: usize, inputs: Pointers, _: *mut u8) -> Status {
        // SAFETY: the caller promises one input, which is a job.
        let Job { from, to, rows, row } = unsafe { inputs.first().cast::<Job>().read() };
        let size = size_of::<T>().cast_signed();
        if to.stride != size {
            // SAFETY: as the caller promises.
            unsafe { scatter::<T>(n, from, to) };
            return Status::Done;
        }
        for r in 0..rows {
            let first = from.pointer.wrapping_offset(r.cast_signed() * row);
            let to = to.pointer.cast::<T>().wrapping_add(r * n);
            // SAFETY: as the caller promises, of this row; the stride is the one that is passed on.
            unsafe {
                match from.stride {
                    0 if n == 0 => {}
                    0 => {
                        let value = first.cast::<T>().read_unaligned();
                        (0..n).for_each(|i| to.add(i).write_unaligned(value));
                    }
                    stride if stride == size => first.copy_to_nonoverlapping(to.cast(), n * size_of::<T>()),
                    // LLVM makes vector code for a stride that it knows.
                    stride if stride == -size => gather(n, first, -size, to),
                    stride if stride == 2 * size => gather(n, first, 2 * size, to),
                    stride => gather(n, first, stride, to),
                }
            }
        }
        Status::Done
    }
}

/// Copies every second word of rows to contiguous memory by one permutation of two vectors. The loop of
/// [`Copies`] takes up to 1.4 times as long.
///
/// # Safety
///
/// As the body of [`Copies`], of words with a stride of two words; the machine has AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
#[allow(clippy::cast_ptr_alignment, reason = "the input is a job; vectors need not be aligned")]
unsafe fn second_words(n: usize, job: *const u8, _: *const u8, _: *const *const u8, _: *mut u8) -> Status {
    use core::arch::x86_64::{
        _mm512_loadu_si512, _mm512_permutex2var_epi32, _mm512_setr_epi32, _mm512_storeu_si512,
    };
    /// The words of a vector.
    const LANES: usize = 16;
    // SAFETY: the caller promises one input, which is a job.
    let Job { from, to, rows, row } = unsafe { job.cast::<Job>().read() };
    let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    for r in 0..rows {
        let source = from.pointer.wrapping_offset(r.cast_signed() * row).cast::<u32>();
        let to = to.pointer.cast::<u32>().wrapping_add(r * n);
        let mut i = 0;
        // The word after the last element is not part of the row.
        while i + LANES < n {
            // SAFETY: the row reaches to word `2 * (n - 1)`, after these two vectors, and there is room for
            // `n` words.
            unsafe {
                let first = _mm512_loadu_si512(source.add(2 * i).cast());
                let second = _mm512_loadu_si512(source.add(2 * i + LANES).cast());
                _mm512_storeu_si512(to.add(i).cast(), _mm512_permutex2var_epi32(first, even, second));
            }
            i += LANES;
        }
        for i in i..n {
            // SAFETY: as above; neither need be aligned.
            unsafe { to.add(i).write_unaligned(source.add(2 * i).read_unaligned()) };
        }
    }
    Status::Done
}

/// Tiles of as many columns as the call says, by the [`Job`] that is its one input.
struct Tiles<T>(PhantomData<T>);

#[allow(clippy::cast_ptr_alignment, reason = "the input is a job")]
impl<T: Copy + 'static> Body for Tiles<T> {
    #[inline(always)]
    unsafe fn run<L: Target>(_: L, cols: usize, inputs: Pointers, _: *mut u8) -> Status {
        // SAFETY: the caller promises one input, which is a job. So many columns are read together that 16
        // bytes of a row are written at once.
        unsafe {
            let job = inputs.first().cast::<Job>().read();
            match size_of::<T>() {
                1 => columns::<T, 16>(cols, job),
                2 => columns::<T, 8>(cols, job),
                _ => columns::<T, 4>(cols, job),
            }
        }
        Status::Done
    }
}

/// The most bytes of a tile that is transposed by halves.
pub(crate) const TURN: usize = 8 * 1024;

/// Tiles whose columns are contiguous, by the [`Job`] that is the one input. With columns padded to a power
/// of two they have at most [`TURN`] bytes, and they have more than one row.
///
/// Each step moves every second element to the front. That makes the lowest bit of an element's index the
/// highest one. After as many steps as a row's index has bits, the tile is transposed. A step loads, permutes
/// and stores whole vectors.
struct Turns<T>(PhantomData<T>);

#[allow(clippy::cast_ptr_alignment, reason = "the input is a job")]
impl<T: Copy + 'static> Body for Turns<T> {
    #[inline(always)]
    unsafe fn run<L: Target>(_: L, cols: usize, inputs: Pointers, _: *mut u8) -> Status {
        // SAFETY: the caller promises one input, which is a job.
        let Job { from, to, rows, .. } = unsafe { inputs.first().cast::<Job>().read() };
        let (length, size) = (rows.next_power_of_two(), size_of::<T>());
        debug_assert!(rows > 1 && length * cols * size <= TURN);
        let (mut first, mut second) = (Block::<TURN>::new(), Block::<TURN>::new());
        let (mut place, mut other) = (first.pointer(), second.pointer());
        let mut source = from.pointer;
        if rows != length || from.stride != (rows * size).cast_signed() {
            // SAFETY: as the caller promises; a block has room for all padded columns.
            unsafe { lengthen([cols, rows * size, length * size], from, place) };
            source = place.cast_const();
            (place, other) = (other, place);
        }
        let half = length * cols / 2;
        for _ in 1..length.trailing_zeros() {
            // SAFETY: a block has so many elements, and the other one room for them.
            unsafe { part::<T>([half, half], source, place) };
            source = place.cast_const();
            (place, other) = (other, place);
        }
        // SAFETY: as above; without the padding, these are the elements for which the caller promises room.
        unsafe { part::<T>([half, rows * cols - half], source, to.pointer) };
        Status::Done
    }
}

/// Copies `cols` columns of `bytes` each, which is more than half of `length`, to columns `length` bytes
/// apart.
///
/// # Safety
///
/// There are as many columns in `from`, and room in `to`, which does not overlap them.
#[inline(always)]
unsafe fn lengthen([cols, bytes, length]: [usize; 3], from: Run<*const u8>, to: *mut u8) {
    macro_rules! halves {
        ($($half:literal)*) => {
            match length / 2 {
                $($half => for c in 0..cols {
                    let source = from.pointer.wrapping_offset(c.cast_signed() * from.stride);
                    let place = to.wrapping_add(c * length);
                    let last = bytes - $half;
                    // SAFETY: the column has more bytes than half of its room, at either end.
                    unsafe {
                        core::ptr::copy_nonoverlapping(source, place, $half);
                        core::ptr::copy_nonoverlapping(source.add(last), place.add(last), $half);
                    }
                },)*
                _ => for c in 0..cols {
                    let source = from.pointer.wrapping_offset(c.cast_signed() * from.stride);
                    // SAFETY: the column has so many bytes, and there is room for more.
                    unsafe { core::ptr::copy_nonoverlapping(source, to.wrapping_add(c * length), bytes) };
                },
            }
        };
    }
    halves! { 1 2 4 8 16 32 64 128 }
}

/// Copies `even` elements at even indices to `to`, and after them `odd` elements at odd indices.
///
/// # Safety
///
/// There are so many elements in `from`, and room in `to`, which does not overlap them; `odd` is at most
/// `even`.
#[inline(always)]
unsafe fn part<T: Copy>([even, odd]: [usize; 2], from: *const u8, to: *mut u8) {
    let (from, to) = (from.cast::<T>(), to.cast::<T>());
    for i in 0..odd {
        // SAFETY: as the caller promises; neither need be aligned.
        unsafe {
            to.add(i).write_unaligned(from.add(2 * i).read_unaligned());
            to.add(even + i).write_unaligned(from.add(2 * i + 1).read_unaligned());
        }
    }
    for i in odd..even {
        // SAFETY: as above.
        unsafe { to.add(i).write_unaligned(from.add(2 * i).read_unaligned()) };
    }
}

/// # Safety
///
/// There are `n` elements `stride` bytes apart in `from`, and contiguous room for `n` in `to`; the two do not
/// overlap.
#[inline(always)]
unsafe fn gather<T: Copy>(n: usize, from: *const u8, stride: isize, to: *mut T) {
    for i in 0..n {
        let element = from.wrapping_offset(i.cast_signed() * stride).cast::<T>();
        // SAFETY: as the caller promises, since `i` is less than `n`; neither need be aligned.
        unsafe { to.add(i).write_unaligned(element.read_unaligned()) };
    }
}

/// # Safety
///
/// There are `n` elements in `from` and room for `n` in `to`; the two do not overlap.
#[inline(always)]
unsafe fn scatter<T: Copy>(n: usize, from: Run<*const u8>, to: Run<*mut u8>) {
    for i in 0..n.cast_signed() {
        let (source, place) =
            (from.pointer.wrapping_offset(i * from.stride), to.pointer.wrapping_offset(i * to.stride));
        // SAFETY: `i` is less than `n`, and the caller promises as many elements and as much room; neither
        // need be aligned.
        unsafe { place.cast::<T>().write_unaligned(source.cast::<T>().read_unaligned()) };
    }
}

/// Copies a tile, `TOGETHER` columns at once.
///
/// # Safety
///
/// As [`Copier::copy_tile`].
#[inline(always)]
unsafe fn columns<T: Copy, const TOGETHER: usize>(cols: usize, Job { from, to, rows, row }: Job) {
    let to = to.pointer.cast::<T>();
    let at = |r: usize, c: usize| {
        let place = from.pointer.wrapping_offset(r.cast_signed() * row + c.cast_signed() * from.stride);
        // SAFETY: the caller promises an element there for every row and column; it need not be aligned.
        unsafe { place.cast::<T>().read_unaligned() }
    };
    let whole = cols - cols % TOGETHER;
    for c in (0..whole).step_by(TOGETHER) {
        for r in 0..rows {
            let values: [T; TOGETHER] = core::array::from_fn(|k| at(r, c + k));
            // SAFETY: the caller promises room for `rows` times `cols` elements; it need not be aligned.
            unsafe { to.add(r * cols + c).cast::<[T; TOGETHER]>().write_unaligned(values) };
        }
    }
    for r in 0..rows {
        for c in whole..cols {
            // SAFETY: as above.
            unsafe { to.add(r * cols + c).write_unaligned(at(r, c)) };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn copies_elements_of_every_size_and_stride() {
        const ROOM: usize = 3 * 16 * 150;
        let bytes: Vec<u8> = (0..ROOM).map(|i| (i % 251) as u8).collect();
        let levels = Level::ALL.iter().copied().filter(|level| *level <= Level::best());
        for (level, size) in levels.flat_map(|level| [1, 2, 4, 8, 16].map(|size| (level, size))) {
            let signed = size as isize;
            for (from, to) in
                [(signed, signed), (3 * signed, signed), (-signed, signed), (0, signed), (2 * signed, signed)]
                    .into_iter()
                    .flat_map(|(a, b)| [(a, b), (b, a)])
                    .filter(|(_, to)| *to != 0)
            {
                let n = 149;
                let start = |stride: isize| if stride < 0 { (n - 1) * size } else { 0 };
                let mut found = [255_u8; ROOM];
                // SAFETY: `n` elements with these strides lie within the bytes; the arrays are two.
                unsafe {
                    let source = Run { pointer: bytes.as_ptr().add(start(from)), stride: from };
                    let target = Run { pointer: found.as_mut_ptr().add(start(to)), stride: to };
                    Copier::new(size, level).copy(n, source, target);
                }
                for i in 0..n {
                    let at = |stride: isize| (start(stride) as isize + i as isize * stride) as usize;
                    assert_eq!(found[at(to)..at(to) + size], bytes[at(from)..at(from) + size]);
                }
            }
        }
    }

    #[test]
    fn a_tile_is_a_transpose() {
        let numbers: Vec<u16> = (0..60).collect();
        let mut found = [0_u16; 60];
        // SAFETY: six rows of ten lie side by side in the 60 numbers; there is room for the tile of ten rows
        // of six.
        unsafe {
            let from = Run { pointer: numbers.as_ptr().cast(), stride: 20 };
            Copier::new(2, Level::active()).copy_tile([10, 6], from, 2, found.as_mut_ptr().cast(), true);
        }
        for r in 0..10 {
            for c in 0..6 {
                assert_eq!(found[r * 6 + c], numbers[c * 10 + r]);
            }
        }
    }
}
