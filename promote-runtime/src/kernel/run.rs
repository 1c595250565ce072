//! Running a plan: the fused kernel in one go, the blocked plan and scalar operands through blocks on the stack.
//!
//! A block has 4 KiB: three of them stay in L1 beside the data, and cost no stack probe worth counting.

use super::error::{CallError, Place};
use super::handle::{CastWords, Types};
use super::registry::{Casts, Kernels};
use super::scalar::ScalarValue;
use super::slice::{Input, SliceMut, SliceRef};
use super::{Code, RawKernel, Status};
use crate::DType;
use crate::level::Level;

const BLOCK: usize = 4096;
type Block = super::block::Block<BLOCK>;

/// A cast of a blocked plan; `None` where there is nothing to cast.
#[inline(always)]
fn cast(casts: &'static Casts, types: Types, from: Code, to: Code) -> Result<Option<RawKernel>, CallError> {
    if from == to {
        return Ok(None);
    }
    let (from, to) = (from.dtype(), to.dtype());
    let raw = casts.raw(from, to, types.casts(), types.level());
    raw.map(Some).ok_or(CallError::NoCast { from, to })
}

/// The casts of an operand: to the common and to the compute dtype, or to the latter at once.
#[inline(always)]
fn steps(
    casts: &'static Casts,
    types: Types,
    code: Code,
    late: bool,
) -> Result<[Option<RawKernel>; 2], CallError> {
    if late {
        return Ok([cast(casts, types, code, types.compute())?, None]);
    }
    Ok([cast(casts, types, code, types.common())?, cast(casts, types, types.common(), types.compute())?])
}

/// Where the elements of an operand come from.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Slice(*const u8),
    Scalar(&'a ScalarValue),
}

impl<'a> Source<'a> {
    pub(super) fn of(input: &'a Input<'_>) -> Self {
        match input {
            Input::Slice(slice) => Source::Slice(slice.pointer()),
            Input::Scalar(value) => Source::Scalar(value),
        }
    }

    /// Where the elements lie; of a scalar, where it does.
    pub(super) const fn pointer(self) -> *const u8 {
        match self {
            Source::Slice(pointer) => pointer,
            Source::Scalar(value) => core::ptr::from_ref(value).cast(),
        }
    }
}

/// What a call is done in: an op that may trap looks at every block before it writes to any.
#[inline(always)]
fn passes(types: Types, out: *mut u8) -> impl Iterator<Item = *mut u8> {
    let looks = types.traps().then_some(core::ptr::null_mut());
    looks.into_iter().chain(core::iter::once(out))
}

/// A fused kernel with scalar operands: each is spread over a block, and the kernel runs block by block.
///
/// # Safety
///
/// The sources stand in the order in which the function wants them and have the dtypes of its inputs: slices of `n` elements, or scalars;
/// `out` has room for `n` results and overlaps no source; the machine has the kernel's level.
#[inline(never)]
pub(super) unsafe fn splat<const N: usize>(
    raw: RawKernel,
    types: Types,
    n: usize,
    sources: [Source<'_>; N],
    out: *mut u8,
) -> Result<(), CallError> {
    let mut blocks = [const { Block::new() }; N];
    let sizes: [usize; N] = core::array::from_fn(|i| types.input(i).size());
    let most = BLOCK >> sizes.iter().fold(0, |zeros, size| core::cmp::max(zeros, size.trailing_zeros()));
    let mut streams = [Stream { pointer: core::ptr::null(), stride: 0 }; N];
    for ((stream, source), (size, block)) in
        streams.iter_mut().zip(sources).zip(sizes.into_iter().zip(&mut blocks))
    {
        // SAFETY: a scalar has the dtype of its operand, which has a type; a block has room for `most` of its elements.
        *stream = unsafe { spread(source, core::cmp::min(n, most), size, block) };
    }
    for out in passes(types, out) {
        let mut done = 0;
        while done < n {
            let m = if n - done < most { n - done } else { most };
            let inputs = streams.map(|stream| stream.at(done));
            let out = if out.is_null() { out } else { out.wrapping_add(done * types.out().size()) };
            // SAFETY: `done + m` is at most `n`, so all inputs have `m` elements there; `out` has room for them, or is null
            // where the op may trap; blocks on the stack overlap nothing.
            check(unsafe { raw(m, inputs.as_ptr(), out) })?;
            done += m;
        }
    }
    Ok(())
}

/// An operand as a function reads it, block after block.
#[derive(Clone, Copy)]
struct Stream {
    pointer: *const u8,
    /// The bytes from one element to the next; 0 where every block is the same.
    stride: usize,
}

impl Stream {
    /// Where the element `i` is, or the block that stands for it.
    #[inline(always)]
    fn at(&self, i: usize) -> *const u8 {
        self.pointer.wrapping_add(i * self.stride)
    }
}

/// The operand itself, or `n` copies of the scalar in `block`.
///
/// # Safety
///
/// A scalar's dtype [has a type](DType::has_type), and the block has room for `n` elements of it.
unsafe fn spread(source: Source<'_>, n: usize, size: usize, block: &mut Block) -> Stream {
    match source {
        Source::Slice(pointer) => Stream { pointer, stride: size },
        Source::Scalar(value) => {
            // SAFETY: as the caller promises; a block is aligned to more than 16 bytes.
            unsafe { value.fill(block.pointer(), n) };
            Stream { pointer: block.pointer(), stride: 0 }
        }
    }
}

/// The blocked plan: casts into blocks, the op in the compute dtype, a cast out. A condition is not cast.
///
/// # Safety
///
/// As [`splat`]; `op` computes in the compute dtype.
#[inline(never)]
pub(super) unsafe fn blocked<const N: usize>(
    op: RawKernel,
    casts: &'static Casts,
    types: Types,
    n: usize,
    sources: [Source<'_>; N],
    out: *mut u8,
) -> Result<(), CallError> {
    let (mut blocks, mut spare) = ([const { Block::new() }; N], Block::new());
    let spare = spare.pointer();
    let blocks: [*mut u8; N] = blocks.each_mut().map(Block::pointer);
    let narrow = cast(casts, types, types.computed(), types.out())?;
    let low = Code::of(DType::I32).ok_or(CallError::NoElements { dtype: DType::I32 })?;
    let [first, second, third] = [types.first(), types.second(), types.input(2)];
    // What an exponent is on its way counts too.
    let between = if types.exponent() { low } else { types.common() };
    let codes =
        [first, second, third, between, types.out(), types.common(), types.compute(), types.computed()];
    // Sizes are powers of two: the greatest has the most zeros.
    let zeros = codes.iter().fold(0, |zeros, code| core::cmp::max(zeros, code.size().trailing_zeros()));
    let most = BLOCK >> zeros;
    let m = core::cmp::min(n, most);
    let nothing = Operand { stream: Stream { pointer: core::ptr::null(), stride: 0 }, casts: [None; 2] };
    let mut operands = [nothing; N];
    for (i, source) in sources.into_iter().enumerate() {
        let code = types.input(i);
        let steps = match i {
            1 if types.exponent() => {
                [cast(casts, types, code, low)?, cast(casts, types, low, types.compute())?]
            }
            0 | 1 => steps(casts, types, code, types.late()[i])?,
            _ if types.chooses() => [None; 2],
            // What already is of the dtype that the op computes in is not rounded to the common one.
            _ => steps(casts, types, code, code == types.compute())?,
        };
        // SAFETY: a scalar has the dtype of its operand, which has a type; the blocks have room for `m` elements of each dtype
        // of the plan.
        operands[i] = unsafe { Operand::new(source, steps, code.size(), m, blocks[i], spare) }?;
    }
    for out in passes(types, out) {
        let mut done = 0;
        while done < n {
            let m = core::cmp::min(n - done, most);
            let mut inputs = [core::ptr::null(); N];
            for i in 0..N {
                // SAFETY: `done + m` is at most `n`, and the blocks have room for `m` elements.
                inputs[i] = unsafe { operands[i].next(done, m, blocks[i], spare) }?;
            }
            if out.is_null() {
                // SAFETY: the inputs have `m` elements of the compute dtype; the op may trap.
                check(unsafe { op(m, inputs.as_ptr(), out) })?;
            } else {
                let out = out.wrapping_add(done * types.out().size());
                let computed = if narrow.is_some() { spare } else { out };
                // SAFETY: the inputs have `m` elements of the compute dtype, and none lies in the spare block any more;
                // `computed` has room for `m` results.
                check(unsafe { op(m, inputs.as_ptr(), computed) })?;
                if let Some(narrow) = narrow {
                    // SAFETY: the spare block has `m` elements of the computed dtype, and `out` has room for `m`.
                    check(unsafe { narrow(m, [spare.cast_const()].as_ptr(), out) })?;
                }
            }
            done += m;
        }
    }
    Ok(())
}

/// An operand of a blocked plan: what is read, and the casts that are still to be made, first to last.
#[derive(Clone, Copy)]
struct Operand {
    stream: Stream,
    casts: [Option<RawKernel>; 2],
}

impl Operand {
    /// A scalar is spread and cast here, once for all blocks.
    ///
    /// # Safety
    ///
    /// A scalar's dtype [has a type](DType::has_type); the blocks have room for `n` elements of each dtype on the way, and
    /// `own` is kept for this operand.
    unsafe fn new(
        source: Source<'_>,
        casts: [Option<RawKernel>; 2],
        size: usize,
        n: usize,
        own: *mut u8,
        spare: *mut u8,
    ) -> Result<Operand, CallError> {
        let value = match source {
            Source::Slice(pointer) => {
                return Ok(Operand { stream: Stream { pointer, stride: size }, casts });
            }
            Source::Scalar(value) => value,
        };
        // The last of the casts, if any, must write to `own`: begin in the block from which that comes out.
        let steps = casts.iter().flatten().count();
        let (mut from, mut to) = if steps == 1 { (spare, own) } else { (own, spare) };
        // SAFETY: the caller promises the dtype and room for `n` elements; blocks are aligned to more than 16 bytes.
        unsafe { value.fill(from, n) };
        for cast in casts.iter().flatten() {
            // SAFETY: `from` has `n` elements of the cast's source, `to` has room for them, and they are two blocks.
            check(unsafe { cast(n, [from.cast_const()].as_ptr(), to) })?;
            (from, to) = (to, from);
        }
        Ok(Operand { stream: Stream { pointer: from, stride: 0 }, casts: [None; 2] })
    }

    /// The elements from `done` on, cast: where they lie, or in `own`.
    ///
    /// # Safety
    ///
    /// There are `m` elements from `done` on, and the blocks have room for them.
    #[inline(always)]
    unsafe fn next(
        &self,
        done: usize,
        m: usize,
        own: *mut u8,
        spare: *mut u8,
    ) -> Result<*const u8, CallError> {
        let source = [self.stream.at(done)];
        match self.casts {
            [None, None] => Ok(source[0]),
            [Some(cast), None] | [None, Some(cast)] => {
                // SAFETY: the source has `m` elements, `own` has room for them; the operand's own block is not its source.
                check(unsafe { cast(m, source.as_ptr(), own) })?;
                Ok(own)
            }
            [Some(first), Some(second)] => {
                // SAFETY: as above, with the spare block, which holds nothing at this time.
                check(unsafe { first(m, source.as_ptr(), spare) })?;
                // SAFETY: as above; they are two blocks.
                check(unsafe { second(m, [spare.cast_const()].as_ptr(), own) })?;
                Ok(own)
            }
        }
    }
}

/// A cast from one dtype to another: found once, called often.
#[derive(Clone, Copy, Debug)]
pub struct CastKernel {
    from: DType,
    to: DType,
    raw: RawKernel,
}

impl CastKernel {
    /// The cast at the level in use, as the [`words`](super::ops::words) for overflow and what is out of range say.
    ///
    /// # Errors
    ///
    /// When this build has no casts, or a dtype has no elements.
    #[inline]
    pub fn find(kernels: &'static Kernels, from: DType, to: DType, words: u16) -> Result<Self, CallError> {
        CastKernel::find_at(Level::active(), kernels, from, to, words)
    }

    /// The cast at a level, or the best available below it.
    ///
    /// # Errors
    ///
    /// As [`CastKernel::find`].
    #[inline]
    pub fn find_at(
        level: Level,
        kernels: &'static Kernels,
        from: DType,
        to: DType,
        words: u16,
    ) -> Result<Self, CallError> {
        let words = CastWords::of(words);
        let raw = kernels.casts().and_then(|casts| casts.raw(from, to, words, level.or_below()));
        Ok(CastKernel { from, to, raw: raw.ok_or(CallError::NoCast { from, to })? })
    }

    /// Casts the elements of `a` to `out`, which has the same length; 0 is fine.
    ///
    /// # Errors
    ///
    /// When a dtype or the length is not the one expected; `out` is then as it was.
    #[inline]
    pub fn call(&self, a: SliceRef<'_>, mut out: SliceMut<'_>) -> Result<(), CallError> {
        if a.dtype() != self.from {
            return Err(CallError::DType { place: Place::A, expected: self.from, found: a.dtype() });
        }
        if out.dtype() != self.to {
            return Err(CallError::DType { place: Place::Out, expected: self.to, found: out.dtype() });
        }
        let n = out.len();
        if a.len() != n {
            return Err(CallError::Length { place: Place::A, expected: n, found: a.len() });
        }
        // SAFETY: both slices hold `n` elements of the cast's dtypes; the level was available when it was found; `out` is
        // borrowed exclusively, so it does not overlap `a`.
        check(unsafe { (self.raw)(n, [a.pointer()].as_ptr(), out.pointer()) })
    }
}

#[inline]
pub(super) fn check(status: Status) -> Result<(), CallError> {
    match status {
        Status::Done => Ok(()),
        Status::DivisionByZero => Err(CallError::DivisionByZero),
        Status::NegativeExponent => Err(CallError::NegativeExponent),
        Status::Probability => Err(CallError::Probability),
    }
}
