//! Elements as the functions read them: gathered and cast, a tile at a time; what `out` has to be like.

use promote_core::__private::FloatBits;

use crate::DType;
use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::cast::CastKernel;
use crate::kernel::copy::{Copier, Run};
use crate::kernel::overlap::Copied;
use crate::kernel::registry::Kernels;
use crate::level::Level;
use crate::memory::block::Block;
use crate::memory::operand::Operand;
use crate::memory::{Slice, SliceMut, TensorView, TensorViewMut};

/// The number of elements in a tile.
pub(super) const TILE: usize = 1024;
/// Elements that are gathered or cast.
pub(super) type Tile = Block<{ TILE * 16 }>;

/// The casts of elements, one after another: none, the first, or both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Casts {
    pub(super) first: Option<CastKernel>,
    second: Option<CastKernel>,
}

impl Casts {
    pub(super) const NONE: Casts = Casts { first: None, second: None };

    pub(super) const fn from(first: Option<CastKernel>) -> Casts {
        Casts { first, second: None }
    }

    /// Looks up the cast between two dtypes.
    pub(super) fn between(at: (Level, &'static Kernels), from: DType, to: DType) -> Result<Casts, CallError> {
        cast_between(at, from, to).map(Casts::from)
    }

    /// Adds a cast to another dtype.
    pub(super) fn and_then(
        self,
        at: (Level, &'static Kernels),
        from: DType,
        to: DType,
    ) -> Result<Casts, CallError> {
        let Some(next) = cast_between(at, from, to)? else { return Ok(self) };
        Ok(match self {
            Casts { first: None, .. } => Casts { first: Some(next), second: None },
            Casts { first, second: None } => Casts { first, second: Some(next) },
            // A dtype that the call names is the one that elements are rounded to, so there is no third.
            Casts { second: Some(_), .. } => return Err(CallError::NoCast { from, to }),
        })
    }

    /// Casts `n` contiguous, aligned elements, of which a tile has room in each dtype.
    pub(super) fn call(&self, from: *const u8, n: usize, to: *mut u8) -> Result<(), CallError> {
        match self {
            Casts { first: Some(first), second: Some(second) } => {
                let mut between = Tile::new();
                cast_block(first, from, n, between.pointer())?;
                cast_block(second, between.pointer(), n, to)
            }
            Casts { first: Some(first), .. } => cast_block(first, from, n, to),
            Casts { first: None, .. } => Ok(()),
        }
    }
}

/// Returns the cast between two dtypes; `None` if they are equal.
pub(super) fn cast_between(
    (level, kernels): (Level, &'static Kernels),
    from: DType,
    to: DType,
) -> Result<Option<CastKernel>, CallError> {
    if from == to { Ok(None) } else { CastKernel::find_at(level, kernels, from, to, 0).map(Some) }
}

/// Casts `n` contiguous, aligned elements.
pub(super) fn cast_block(cast: &CastKernel, from: *const u8, n: usize, to: *mut u8) -> Result<(), CallError> {
    let [source, _, target] = cast.dtypes();
    cast.call(Slice::from_parts(source, from, n, true), SliceMut::from_parts(target, to, n, true, false))
}

/// The elements of an operand, as the functions read them.
#[derive(Clone, Copy)]
pub(super) struct Elements<'a> {
    pub(super) size: usize,
    /// The size of the elements that the functions read.
    pub(super) read_size: usize,
    casts: &'a Casts,
    /// The size of the widest elements before, between and after the casts.
    widest: usize,
    copier: Copier,
    aligned: bool,
    /// How NaN is found, if it counts as 0.
    skips: Option<Skips>,
}

impl<'a> Elements<'a> {
    pub(super) fn new(view: &TensorView<'_>, read: DType, casts: &'a Casts, level: Level) -> Elements<'a> {
        let size = view.layout().size();
        let copier = Copier::new(size, level);
        let read_size = read.size().unwrap_or(size);
        let between = casts.first.as_ref().and_then(|cast| cast.dtypes()[2].size()).unwrap_or(size);
        let widest = size.max(read_size).max(between);
        Elements { size, read_size, casts, widest, copier, aligned: view.is_aligned(), skips: None }
    }

    /// Returns these elements, of a dtype, with 0 for NaN.
    pub(super) fn without_nan(self, dtype: DType) -> Elements<'a> {
        Elements { skips: Skips::of(dtype), ..self }
    }

    /// Returns true if elements at this stride can be read in place.
    pub(super) fn is_direct(&self, stride: isize) -> bool {
        let is_plain = self.casts.first.is_none() && self.skips.is_none();
        is_plain && self.aligned && stride == self.size.cast_signed()
    }

    /// Copies `rows` rows of `n` elements into `tile`, cast. The strides are those from row to row, and from
    /// one element of a row to the next.
    ///
    /// # Safety
    ///
    /// There are as many elements. Together they have at most the bytes of a tile, before and after the cast.
    pub(super) unsafe fn fetch(
        &self,
        [rows, n]: [usize; 2],
        first: *const u8,
        [row, stride]: [isize; 2],
        tile: *mut u8,
    ) -> Result<(), CallError> {
        let size = self.size.cast_signed();
        let transposed = rows > 1 && row == size;
        let row_of = |i: usize| first.wrapping_offset(i.cast_signed() * row);
        let is_cast = self.casts.first.is_some();
        if is_cast && self.skips.is_none() && !transposed && self.aligned && stride == size {
            return (0..rows)
                .try_for_each(|i| self.casts.call(row_of(i), n, tile.wrapping_add(i * n * self.read_size)));
        }
        let mut room = Tile::new();
        let to = if is_cast { room.pointer() } else { tile };
        if transposed {
            // SAFETY: as the caller promises.
            unsafe { self.copier.copy_tile([rows, n], Run { pointer: first, stride }, row, to, true) };
        } else {
            for i in 0..rows {
                let to = Run { pointer: to.wrapping_add(i * n * self.size), stride: size };
                // SAFETY: as the caller promises.
                unsafe { self.copier.copy(n, Run { pointer: row_of(i), stride }, to) };
            }
        }
        if let Some(skips) = self.skips {
            // SAFETY: these elements have been copied; they are aligned, as a tile is.
            unsafe { skips.clear(to, rows * n) };
        }
        if is_cast { self.casts.call(to, rows * n, tile) } else { Ok(()) }
    }

    /// Returns how many rows of `n` elements a tile holds, before and after each cast.
    pub(super) const fn rows_at_once(&self, n: usize) -> usize {
        let rows = TILE * 16 / (n * self.widest);
        if rows > 0 { rows } else { 1 }
    }
}

/// The bits by which a NaN is found in the elements of a dtype.
#[derive(Clone, Copy, Debug)]
struct Skips {
    size: usize,
    /// The parts of an element.
    parts: usize,
    sign: u64,
    greatest: u64,
}

impl Skips {
    /// Returns the bits of a dtype; `None` if it has no NaN.
    fn of(dtype: DType) -> Option<Skips> {
        let part = dtype.real_dtype().unwrap_or(dtype);
        let FloatBits { sign, greatest, .. } = FloatBits::of(part)?;
        Some(Skips { size: part.size()?, parts: if part == dtype { 1 } else { 2 }, sign, greatest })
    }

    /// Replaces elements by 0 if a part of them is NaN.
    ///
    /// # Safety
    ///
    /// There are `n` aligned elements, which nothing else accesses.
    unsafe fn clear(self, elements: *mut u8, n: usize) {
        macro_rules! words {
            ($($size:literal $word:ty),*) => {
                match self.size {
                    $($size => {
                        let (sign, greatest) = (self.sign as $word, self.greatest as $word);
                        #[allow(clippy::cast_ptr_alignment, reason = "the caller promises aligned elements")]
                        // SAFETY: as the caller promises.
                        let words = unsafe {
                            core::slice::from_raw_parts_mut(elements.cast::<$word>(), n * self.parts)
                        };
                        let is_nan = |word: $word| word & !sign > greatest;
                        if self.parts == 1 {
                            for word in words {
                                *word = if is_nan(*word) { 0 } else { *word };
                            }
                        } else {
                            let (pairs, _) = words.as_chunks_mut::<2>();
                            for pair in pairs {
                                if is_nan(pair[0]) || is_nan(pair[1]) {
                                    *pair = [0; 2];
                                }
                            }
                        }
                    })*
                    _ => {}
                }
            };
        }
        words!(1 u8, 2 u16, 4 u32, 8 u64);
    }
}

/// Returns the elements, or if `out` overlaps them, a copy of them in `copy`, which has to live as long.
///
/// # Errors
///
/// Returns an error if they cannot be copied.
pub(super) fn apart<'a>(
    a: &TensorView<'a>,
    out: &TensorViewMut<'_>,
    copy: &'a mut Copied,
) -> Result<TensorView<'a>, CallError> {
    let own = Operand::view(a);
    if !own.overlaps(out) {
        return Ok(*a);
    }
    // SAFETY: a view has all of its elements, and nothing writes to them before the copy is made; the copy is
    // aligned, and lives as long as the view.
    Ok(unsafe { a.moved_to(copy.take(&own)?.pointer) })
}

/// Checks that `out` has the shape of the result.
pub(super) fn fits(
    a: &TensorView<'_>,
    along: &dyn Fn(usize) -> bool,
    out: &TensorViewMut<'_>,
) -> Result<(), CallError> {
    let kept = (0..a.rank()).filter(|axis| !along(*axis)).count();
    let keepdims = out.rank() == a.rank();
    if !keepdims && out.rank() != kept {
        return Err(CallError::Rank { role: ArgumentRole::Out, expected: kept, found: out.rank() });
    }
    let lengths = a.shape().iter().enumerate();
    let expected = lengths.filter(|(axis, _)| keepdims || !along(*axis));
    for (axis, ((source, len), found)) in expected.zip(out.shape()).enumerate() {
        let expected = if along(source) { 1 } else { *len };
        if *found != expected {
            return Err(CallError::OutShape { axis, expected, found: *found });
        }
    }
    Ok(())
}
