//! From dtypes to a kernel handle: the fused kernel where the build has it, else the blocked plan. Both give the same bits.

use super::RawKernel;
use super::error::{CallError, Place};
use super::ops::KernelOp;
use super::registry::{Casts, Kernels};
use super::run::{Blocked, Run, check};
use super::slice::{Input, SliceMut, SliceRef};
use crate::DType;
use crate::level::Level;
use crate::op::OpTypes;

/// As what an operand enters an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enters {
    /// Rounded to the common dtype first.
    Common,
    /// Converted to the compute dtype at once, as a scalar operand of `PyTorch`'s multiply and divide is.
    Compute,
}

/// A kernel for operands and a result of fixed dtypes: found once, called often.
///
/// ```
/// # use promote_runtime::{kernel::{Kernel, Kernels, KernelOp, CallError}, op::OpTypes, DType};
/// # static KERNELS: Kernels = Kernels::EMPTY;
/// let found = Kernel::find(&KERNELS, KernelOp::ADD, DType::I8, DType::F32, OpTypes::uniform(DType::F32));
/// assert!(matches!(found, Err(CallError::NoKernel { .. })));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    a: DType,
    b: DType,
    out: DType,
    /// Whether the function wants `b` first.
    swap: bool,
    run: Run,
}

impl Kernel {
    /// The kernel for arrays (or scalars) of the dtypes `a` and `b` at the level in use.
    ///
    /// # Errors
    ///
    /// When the build holds neither the fused kernel nor all parts of the blocked plan.
    #[inline]
    pub fn find(
        kernels: &'static Kernels,
        op: KernelOp,
        a: DType,
        b: DType,
        types: OpTypes,
    ) -> Result<Kernel, CallError> {
        // The common case, in a few instructions; all else is the query's.
        let OpTypes {
            common,
            compute,
            output,
        } = types;
        let level = Level::active();
        if compute.index() == common.register().index()
            && let Some(registry) = kernels.registry(op.for_dtypes(common, output))
            && let Some((entry, swap)) = registry.find(a, b, common, output)
            && let Some(raw) = entry.raw(level)
        {
            return Ok(Kernel {
                a,
                b,
                out: output,
                swap,
                run: Run::Fused(raw),
            });
        }
        Query::new(
            level,
            kernels,
            op,
            (a, Enters::Common),
            (b, Enters::Common),
            types,
        )
        .find()
    }

    /// The kernel at a level (or the best available below it) for operands that enter as said.
    ///
    /// # Errors
    ///
    /// As [`Kernel::find`].
    pub fn find_at(
        level: Level,
        kernels: &'static Kernels,
        op: KernelOp,
        a: (DType, Enters),
        b: (DType, Enters),
        types: OpTypes,
    ) -> Result<Kernel, CallError> {
        Query::new(level.or_below(), kernels, op, a, b, types).find()
    }

    /// The kernel that casts, computes in blocks and casts, although there may be a fused one: for tests.
    ///
    /// # Errors
    ///
    /// When the build does not hold all its parts.
    #[doc(hidden)]
    pub fn find_blocked(
        level: Level,
        kernels: &'static Kernels,
        op: KernelOp,
        a: (DType, Enters),
        b: (DType, Enters),
        types: OpTypes,
    ) -> Result<Kernel, CallError> {
        Query::new(level.or_below(), kernels, op, a, b, types).blocked()
    }

    /// The dtypes of `a`, `b` and `out`.
    #[inline]
    pub const fn dtypes(&self) -> [DType; 3] {
        [self.a, self.b, self.out]
    }

    /// Whether one loop does all, without blocks between.
    #[inline]
    pub const fn is_fused(&self) -> bool {
        matches!(self.run, Run::Fused(_))
    }

    /// Computes `out` from two slices; all three have the same length, which may be 0.
    ///
    /// # Errors
    ///
    /// When a dtype or a length is not the one expected, or the op refuses a value; `out` is then as it was.
    #[inline(always)]
    pub fn call_slices(
        &self,
        a: SliceRef<'_>,
        b: SliceRef<'_>,
        mut out: SliceMut<'_>,
    ) -> Result<(), CallError> {
        let n = out.len();
        let dtypes = (a.dtype() == self.a) & (b.dtype() == self.b) & (out.dtype() == self.out);
        let Run::Fused(raw) = self.run else { return self.call_inputs(&a.into(), &b.into(), out) };
        if !(dtypes & (a.len() == n) & (b.len() == n)) {
            return self.call_inputs(&a.into(), &b.into(), out);
        }
        let (first, second) = if self.swap { (&b, &a) } else { (&a, &b) };
        let pointers = [first.pointer(), second.pointer()];
        // SAFETY: the slices hold `n` elements of the dtypes that the kernel was found for, checked above; the level
        // was available when it was found; `out` is borrowed exclusively, so it overlaps neither input.
        check(unsafe { raw(n, pointers.as_ptr(), out.pointer()) })
    }

    /// Computes `out` from two operands, each a slice of its length or a scalar that stands for every place.
    ///
    /// Two scalars are legal: every element of `out` then gets the same value. A scalar has the dtype for which
    /// the kernel was found; [`Number::to_element`](crate::Number::to_element) and
    /// [`ScalarValue::cast`](super::ScalarValue::cast) make it so.
    ///
    /// # Errors
    ///
    /// As [`Kernel::call_slices`].
    #[inline]
    pub fn call(&self, a: Input<'_>, b: Input<'_>, out: SliceMut<'_>) -> Result<(), CallError> {
        match (&a, &b) {
            (Input::Slice(a), Input::Slice(b)) => self.call_slices(*a, *b, out),
            _ => self.call_inputs(&a, &b, out),
        }
    }

    /// All that is not the common case: blocks, scalars, errors.
    #[inline(never)]
    fn call_inputs(&self, a: &Input<'_>, b: &Input<'_>, mut out: SliceMut<'_>) -> Result<(), CallError> {
        let n = out.len();
        let fits = |input: &Input<'_>, dtype: DType| match input {
            Input::Slice(slice) => slice.dtype() == dtype && slice.len() == n,
            Input::Scalar(value) => value.dtype() == dtype,
        };
        if !(fits(a, self.a) && fits(b, self.b) && out.dtype() == self.out) {
            return Err(self.mismatch(a, b, &out));
        }
        let (first, second) = if self.swap { (b, a) } else { (a, b) };
        // SAFETY: the operands are of the dtypes that the kernel was found for, and the slices hold `n` elements, checked above; the
        // level was available when it was found; `out` is borrowed exclusively, so it overlaps neither input.
        unsafe { self.run.inputs(n, first, second, (out.pointer(), self.out)) }
    }

    /// What of the operands is not as the kernel expects.
    #[cold]
    fn mismatch(&self, a: &Input<'_>, b: &Input<'_>, out: &SliceMut<'_>) -> CallError {
        if out.dtype() != self.out {
            return CallError::DType {
                place: Place::Out,
                expected: self.out,
                found: out.dtype(),
            };
        }
        let check = |input: &Input<'_>, expected: DType, place: Place| match input {
            Input::Slice(slice) if slice.dtype() != expected => Some(CallError::DType {
                place,
                expected,
                found: slice.dtype(),
            }),
            Input::Slice(slice) if slice.len() != out.len() => Some(CallError::Length {
                place,
                expected: out.len(),
                found: slice.len(),
            }),
            Input::Scalar(value) if value.dtype() != expected => Some(CallError::DType {
                place,
                expected,
                found: value.dtype(),
            }),
            _ => None,
        };
        let b_error = CallError::Length {
            place: Place::B,
            expected: out.len(),
            found: out.len(),
        };
        check(a, self.a, Place::A)
            .or_else(|| check(b, self.b, Place::B))
            .unwrap_or(b_error)
    }
}

/// What a kernel is searched for.
struct Query {
    level: Level,
    kernels: &'static Kernels,
    /// One that has kernels: a mirrored op stands here as its mirror image.
    op: KernelOp,
    /// Whether it is the mirror image.
    mirrored: bool,
    a: (DType, Enters),
    b: (DType, Enters),
    types: OpTypes,
}

impl Query {
    #[inline]
    fn new(
        level: Level,
        kernels: &'static Kernels,
        op: KernelOp,
        a: (DType, Enters),
        b: (DType, Enters),
        types: OpTypes,
    ) -> Query {
        let (op, mirrored) = op.mirrored().map_or((op, false), |op| (op, true));
        Query {
            level,
            kernels,
            op,
            mirrored,
            a,
            b,
            types,
        }
    }

    #[inline(never)]
    fn find(&self) -> Result<Kernel, CallError> {
        match self.fused() {
            Some((raw, swap)) => Ok(self.kernel(swap, Run::Fused(raw))),
            None => self.blocked(),
        }
    }

    #[inline]
    fn kernel(&self, swap: bool, run: Run) -> Kernel {
        Kernel {
            a: self.a.0,
            b: self.b.0,
            out: self.types.output,
            swap,
            run,
        }
    }

    /// The function of a fused kernel, and whether it wants `b` first.
    #[inline]
    fn fused(&self) -> Option<(RawKernel, bool)> {
        let OpTypes {
            common,
            compute,
            output,
        } = self.types;
        if compute != common.register() {
            return None;
        }
        // Where an operand enters in the compute dtype, a kernel that converts to it does the same, if the
        // other operand has the common dtype already: its values are values of the compute dtype.
        let enters = |(dtype, enters): (DType, Enters)| enters == Enters::Common && dtype != common;
        let common = match (self.a.1, self.b.1) {
            (Enters::Common, Enters::Common) => common,
            _ if enters(self.a) || enters(self.b) => return None,
            _ => compute,
        };
        let registry = self.kernels.registry(self.op.for_dtypes(common, output))?;
        let (a, b) = if self.mirrored {
            (self.b.0, self.a.0)
        } else {
            (self.a.0, self.b.0)
        };
        let (entry, swap) = registry.find(a, b, common, output)?;
        Some((entry.raw(self.level)?, swap != self.mirrored))
    }

    /// Casts into blocks, the kernel of the compute dtype, a cast out.
    #[cold]
    #[inline(never)]
    fn blocked(&self) -> Result<Kernel, CallError> {
        let OpTypes {
            common,
            compute,
            output,
        } = self.types;
        let computed = self.op.result(compute);
        let missing = CallError::NoKernel { op: self.op, compute };
        let casts = self.kernels.casts().ok_or(missing)?;
        // The register forms know no f8, so that these kernels are those without the word for its overflow.
        let registry = self.kernels.registry(self.op.overflowing()).ok_or(missing)?;
        let entry = registry
            .find(compute, compute, compute, computed)
            .ok_or(missing)?;
        let op = entry.0.raw(self.level).ok_or(missing)?;
        let steps = |(dtype, enters): (DType, Enters)| -> Result<[Option<RawKernel>; 2], CallError> {
            match enters {
                Enters::Common => Ok([
                    self.cast(casts, dtype, common)?,
                    self.cast(casts, common, compute)?,
                ]),
                Enters::Compute => Ok([self.cast(casts, dtype, compute)?, None]),
            }
        };
        let [a, b] = if self.mirrored {
            [self.b, self.a]
        } else {
            [self.a, self.b]
        };
        let dtypes = [a.0, b.0, common, compute, computed, output];
        let blocked = Blocked::new(
            steps(a)?,
            steps(b)?,
            op,
            self.cast(casts, computed, output)?,
            dtypes,
        );
        Ok(self.kernel(self.mirrored, Run::Blocked(blocked)))
    }

    /// The cast, or nothing where there is nothing to cast.
    fn cast(&self, casts: &'static Casts, from: DType, to: DType) -> Result<Option<RawKernel>, CallError> {
        if from == to {
            return Ok(None);
        }
        let raw = casts.raw(from, to, self.op.saturates(), self.level);
        raw.map(Some).ok_or(CallError::NoCast { from, to })
    }
}
