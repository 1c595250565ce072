//! Elements as the functions read them: gathered and cast, a tile at a time; what `out` has to be like.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use promote_core::__private::FloatBits;

use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::cast::CastKernel;
use crate::kernel::copy::{Copier, Run};
use crate::kernel::overlap::Copied;
use crate::kernel::per_level::body;
use crate::kernel::registry::Kernels;
use crate::kernel::{RawKernel, Status};
use crate::level::Level;
use crate::level::doors::{Body, Target, tokens};
use crate::level::function::{Pointers, invoke};
use crate::memory::block::Block;
use crate::memory::operand::Operand;
use crate::memory::{Slice, SliceMut, TensorView, TensorViewMut};
use crate::{DType, each};

/// The number of elements in a tile.
pub(super) const TILE: usize = 1024;
/// Rows of fewer contiguous elements are gathered, and then cast together.
const WIDE: usize = 512;
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

    /// Returns these elements, of a dtype, with 0 for NaN. The level is available.
    pub(super) fn without_nan(self, dtype: DType, level: Level) -> Elements<'a> {
        Elements { skips: Skips::of(dtype, level), ..self }
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
        let contiguous = self.aligned && (n == 1 || stride == size);
        if contiguous && !transposed && rows > 1 && n >= WIDE {
            // SAFETY: as the caller promises, for a row.
            return (0..rows).try_for_each(|i| unsafe {
                self.fetch([1, n], row_of(i), [0, stride], tile.wrapping_add(i * n * self.read_size))
            });
        }
        let is_cast = self.casts.first.is_some();
        let (mut gathered, mut cleared) = (Tile::new(), Tile::new());
        let mut elements = first;
        if !(contiguous && rows == 1 && (is_cast || self.skips.is_some())) {
            let to = if is_cast || self.skips.is_some() { gathered.pointer() } else { tile };
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
            elements = to;
        }
        if let Some(skips) = self.skips {
            let to = if is_cast { cleared.pointer() } else { tile };
            // SAFETY: there are as many aligned elements, contiguous where they lie or copied; there is room
            // for them in a tile, of which nothing else reads.
            unsafe { skips.copy(elements, rows * n, to) };
            elements = to;
        }
        if is_cast { self.casts.call(elements, rows * n, tile) } else { Ok(()) }
    }

    /// Returns how many rows of `n` elements a tile holds, before and after each cast.
    pub(super) const fn rows_at_once(&self, n: usize) -> usize {
        let rows = TILE * 16 / (n * self.widest);
        if rows > 0 { rows } else { 1 }
    }
}

/// How NaN is found in the elements of a dtype, and the function that replaces it.
#[derive(Clone, Copy, Debug)]
struct Skips {
    bits: NanBits,
    /// Copies numbers: see [`WithoutNan`].
    copy: RawKernel,
}

/// The bits of the sign of a number, and of the greatest number that is no NaN.
#[derive(Clone, Copy, Debug)]
struct NanBits {
    sign: u64,
    greatest: u64,
}

impl Skips {
    /// Returns the function for a dtype at an available level; `None` if the dtype has no NaN.
    fn of(dtype: DType, level: Level) -> Option<Skips> {
        let part = dtype.real_dtype().unwrap_or(dtype);
        let FloatBits { sign, greatest, .. } = FloatBits::of(part)?;
        let copy = match (part.size()?, part == dtype) {
            (1, true) => const { body::<tokens::Levels, WithoutNan<u8, 1>>(true) },
            (2, true) => const { body::<tokens::Levels, WithoutNan<u16, 1>>(true) },
            (4, true) => const { body::<tokens::Levels, WithoutNan<u32, 1>>(true) },
            (8, true) => const { body::<tokens::Levels, WithoutNan<u64, 1>>(true) },
            (2, false) => const { body::<tokens::Levels, WithoutNan<u16, 2>>(true) },
            (4, false) => const { body::<tokens::Levels, WithoutNan<u32, 2>>(true) },
            (8, false) => const { body::<tokens::Levels, WithoutNan<u64, 2>>(true) },
            _ => return None,
        };
        Some(Skips { bits: NanBits { sign, greatest }, copy: copy.expect(level) })
    }

    /// Copies `n` elements, with 0 for those of which a part is NaN.
    ///
    /// # Safety
    ///
    /// The machine has the level. There are `n` aligned elements of the dtype, and room for as many at `to`,
    /// which overlaps none of them.
    unsafe fn copy(self, elements: *const u8, n: usize, to: *mut u8) {
        // SAFETY: as the caller promises; the second input are the bits.
        unsafe { invoke(self.copy, n, &[elements, core::ptr::from_ref(&self.bits).cast()], to) };
    }
}

/// Copies `n` elements of `PARTS` numbers, with 0 for those of which a number is NaN. The inputs are the
/// elements and the [`NanBits`].
struct WithoutNan<W, const PARTS: usize>(PhantomData<W>);

macro_rules! without_nan {
    ($($word:ident)*) => {$(
        impl<const PARTS: usize> Body for WithoutNan<$word, PARTS> {
            #[inline(always)]
            unsafe fn run<L: Target>(_: L, n: usize, inputs: Pointers, out: *mut u8) -> Status {
                #[allow(clippy::cast_ptr_alignment, reason = "it is one")]
                // SAFETY: the second input are the bits.
                let bits = unsafe { &*inputs.second().cast::<NanBits>() };
                let (sign, greatest) = (bits.sign as $word, bits.greatest as $word);
                #[allow(clippy::cast_ptr_alignment, reason = "the elements are aligned")]
                // SAFETY: there are `n` aligned elements, of which each is `PARTS` words.
                let from = unsafe { core::slice::from_raw_parts(inputs.first().cast::<[$word; PARTS]>(), n) };
                #[allow(clippy::cast_ptr_alignment, reason = "the elements are aligned")]
                // SAFETY: there is room for as many elements; they overlap nothing else.
                let to = unsafe {
                    core::slice::from_raw_parts_mut(out.cast::<[MaybeUninit<$word>; PARTS]>(), n)
                };
                each::zip(to, from, |to, element| {
                    let is_nan = element.iter().any(|word| word & !sign > greatest);
                    *to = each::map(*element, |word| MaybeUninit::new(if is_nan { 0 } else { word }));
                });
                Status::Done
            }
        }
    )*};
}

without_nan!(u8 u16 u32 u64);

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
