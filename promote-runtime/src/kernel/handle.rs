//! Kernel handles, which are looked up once and called often.

use core::fmt;

use super::Code;
use super::custom::Dtypes;
use super::entry::Entry;
use super::plan::{Enters, Query, fused};
use super::pointers::Function;
use super::registry::Kernels;
use super::run::{check, run};
use super::stage::Source;
use super::types::Types;
use crate::error::call::{ArgumentRole, CallError};
use crate::level::Level;
use crate::memory::{Argument, ScalarValue, Slice, SliceMut, threads};
use crate::ops::KernelOp;
use crate::{DType, OpTypes};

/// Calls a method with as many inputs as there are, 1 to 4, and `out`; of another number there is none. By
/// reference: moved, they would wait for memory.
macro_rules! by_count {
    ($inputs:expr, $out:expr, $self:ident.$method:ident, $expected:expr) => {
        if let Ok(one) = <&[_; 1]>::try_from($inputs) {
            $self.$method(one, $out)
        } else if let Ok(two) = <&[_; 2]>::try_from($inputs) {
            $self.$method(two, $out)
        } else if let Ok(three) = <&[_; 3]>::try_from($inputs) {
            $self.$method(three, $out)
        } else if let Ok(four) = <&[_; 4]>::try_from($inputs) {
            $self.$method(four, $out)
        } else {
            Err(CallError::Inputs { expected: $expected, found: $inputs.len() })
        }
    };
}
pub(super) use by_count;

/// A handle to the kernel of an op for operands and a result of fixed dtypes.
///
/// It is looked up once, by [`RuleSet::kernel`](crate::RuleSet::kernel) or
/// [`RuleSet::unary_kernel`](crate::RuleSet::unary_kernel), and called often.
///
/// ```
/// use promote::{DType, Argument, Op, SliceMut, Torch};
///
/// let multiply = Torch::new().rule_set().kernel(Op::Multiply, DType::F32, DType::F32)?;
/// let mut x = [1.0_f32, 2.0, 3.0];
/// // `x *= x` and `x *= 0.5`
/// let own = Argument::InPlace(DType::F32);
/// multiply.call(own, own, SliceMut::new(&mut x))?;
/// multiply.call(own, 0.5.into(), SliceMut::new(&mut x))?;
/// assert_eq!(x, [0.5, 2.0, 4.5]);
/// # Ok::<(), promote::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Kernel {
    /// The fused function, or the op in the compute dtype.
    pub(super) raw: Function,
    /// Where the casts of a blocked plan are, the dtypes of a rule set's own, and kernels of the same op;
    /// none of a cast.
    pub(super) home: Option<&'static Kernels>,
    pub(super) types: Types,
    /// Where a fused function comes from.
    pub(super) entry: Option<&'static Entry>,
}

/// Prints the dtypes. The op is not kept: ops that compute alike share functions.
impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, output] = self.dtypes();
        f.debug_struct("Kernel")
            .field("operands", &&[a, b][..self.inputs().min(2)])
            .field("output", &output)
            .finish_non_exhaustive()
    }
}

impl Kernel {
    /// The fused kernel of an entry, at a level that the machine has; `None` where it has no function for the
    /// level.
    #[inline(always)]
    pub(super) fn of(
        kernels: &'static Kernels,
        entry: &'static Entry,
        swap: bool,
        level: Level,
    ) -> Option<Kernel> {
        let types = entry.types().at(level, swap);
        Some(Kernel { raw: entry.raw(level)?, home: Some(kernels), types, entry: Some(entry) })
    }

    /// The dtypes that its codes stand for.
    #[inline(always)]
    pub(super) const fn known(&self) -> Dtypes {
        match self.home {
            Some(kernels) => kernels.customs(),
            None => Dtypes(&[]),
        }
    }

    /// Looks up the kernel for operands of the dtypes `a` and `b`, at the level in use.
    ///
    /// # Errors
    ///
    /// Returns an error if the build has neither a fused kernel nor the parts of a pipeline.
    #[doc(hidden)]
    #[inline]
    pub fn find(
        kernels: &'static Kernels,
        op: KernelOp,
        a: DType,
        b: DType,
        types: OpTypes,
    ) -> Result<Kernel, CallError> {
        // The common case in a few instructions, and all in registers.
        match fused(Level::active(), kernels, op, a, b, types) {
            Some(kernel) => Ok(kernel),
            None => blocked_plan(kernels, op, a, b, types),
        }
    }

    /// Looks up the kernel at a level, or at the best level below it that the machine has.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::find`].
    #[doc(hidden)]
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

    /// Looks up the kernel of an op with extra inputs. `third` is the dtype of the first of
    /// [`Op::extras`](crate::Op::extras) that is not a condition; it is converted as the operands are, unless
    /// it is the compute dtype.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::find`].
    #[doc(hidden)]
    pub fn find_extended(
        level: Level,
        kernels: &'static Kernels,
        op: KernelOp,
        [a, b]: [(DType, Enters); 2],
        third: DType,
        types: OpTypes,
    ) -> Result<Kernel, CallError> {
        Query::new(level.or_below(), kernels, op, a, b, types).with_third(third).find()
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

    /// Returns the dtypes of `a`, `b` and `out`. For an op of one operand, the first two are equal.
    #[inline]
    pub const fn dtypes(&self) -> [DType; 3] {
        let (first, second, known) = (self.types.first(), self.types.second(), self.known());
        let (a, b) = if self.types.swap() { (second, first) } else { (first, second) };
        [known.dtype(a), known.dtype(b), known.dtype(self.types.out())]
    }

    /// Whether it converts operands to a dtype, if that is said, and gives another: standard ones, as those
    /// of kernels that are cached.
    #[inline]
    pub(crate) fn is_for(&self, common: Option<DType>, out: DType) -> bool {
        let known = self.known();
        common.is_none_or(|common| known.is(self.types.common(), common)) && known.is(self.types.out(), out)
    }

    /// Returns true if one loop loads, converts, computes and stores, with no staging buffer in between.
    ///
    /// Other kernels run several loops over blocks that stay in the L1 cache: first casts, then the op, then
    /// a cast of its results. The results are the same, except for the sign and the payload of a NaN.
    #[inline]
    pub const fn is_fused(&self) -> bool {
        !self.types.is_blocked() && !self.raw.is_composed()
    }

    /// Returns true if this build has no kernel for these dtypes, so that each call casts operands and
    /// results itself, around the kernel of the compute dtype.
    #[doc(hidden)]
    #[inline]
    pub const fn is_blocked(&self) -> bool {
        self.types.is_blocked()
    }

    /// Computes `out` from two slices. All three have the same length, which may be 0.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves `out` unchanged, if a dtype is not that of the kernel, if lengths differ,
    /// or if the op refuses a value.
    #[inline(always)]
    pub fn call_slices(&self, a: Slice<'_>, b: Slice<'_>, mut out: SliceMut<'_>) -> Result<(), CallError> {
        let types = self.types;
        // Values are exchanged, and not slices, which then would have to be in memory.
        let (first, second) =
            if types.swap() { (types.second(), types.first()) } else { (types.first(), types.second()) };
        let dtypes = first.is(a.dtype()) & second.is(b.dtype());
        let fits = (types.inputs() == 2) & dtypes & types.out().is(out.dtype()) & !types.is_blocked();
        if fits & out.takes_at_once(&a, &b) {
            let (a, b) = (a.pointer(), b.pointer());
            let pointers = if types.swap() { [b, a] } else { [a, b] };
            // SAFETY: the slices hold as many aligned elements as `out` has room for, of the dtypes that the
            // kernel was found for, checked above; the level was available when it was found; as all are
            // plain, `out` overlaps neither input.
            return check(unsafe { self.raw.call(out.len(), &pointers, out.pointer()) });
        }
        // Made anew, so that these are not in memory on the way above.
        (*self).call_with_care(a.again(), b.again(), out.reborrow())
    }

    /// The same by way of blocks, on threads, or past the caches, where something is wrong or a dtype is a
    /// rule set's own. Apart, so that the way above has its slices in registers.
    #[cold]
    #[inline(never)]
    fn call_with_care(self, a: Slice<'_>, b: Slice<'_>, out: SliceMut<'_>) -> Result<(), CallError> {
        self.call_arrays(&[Argument::Slice(a), Argument::Slice(b)], out)
    }

    /// Computes `out` from two operands: slices of its length, or views, zero-dimensional arrays and numbers,
    /// which broadcast to it.
    ///
    /// Arrays must have the dtypes for which the kernel was found. A number is converted to that dtype, as
    /// [`ScalarValue::from_number`](crate::ScalarValue::from_number) does. [`Argument::InPlace`] is the array
    /// `out`: `kernel.call(Argument::InPlace(dtype), b.into(), out)` is `out op= b`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_slices`].
    #[inline]
    pub fn call(&self, a: Argument<'_>, b: Argument<'_>, out: SliceMut<'_>) -> Result<(), CallError> {
        match (&a, &b) {
            (Argument::Slice(a), Argument::Slice(b)) => self.call_slices(*a, *b, out),
            (Argument::InPlace(dtype), Argument::Slice(b)) if *dtype == out.dtype() => {
                self.call_in_place(*b, out)
            }
            _ => self.call_inputs(&[a, b], out),
        }
    }

    /// `out = out op b`: where nothing has to be looked at, at once.
    #[inline(always)]
    pub(crate) fn call_in_place(&self, b: Slice<'_>, mut out: SliceMut<'_>) -> Result<(), CallError> {
        let (n, types) = (out.len(), self.types);
        let dtypes = types.out().is(out.dtype()) & types.out().is(b.dtype()) & out.is_initialised();
        let plain = b.is_plain() & out.is_plain();
        // Behind the exchange of operands `out` is the second one.
        let replaces = usize::from(types.swap()) < types.replaceable();
        if (types.inputs() == 2) & dtypes & (b.len() == n) & plain & replaces && n < threads::LEAST {
            let pointers = [out.pointer().cast_const(), b.pointer()];
            // SAFETY: both hold `n` aligned elements of the one dtype of the kernel, checked above; the level
            // was available when it was found; as both are plain, `out` does not overlap `b`, and the kernel
            // takes it for its first input.
            return check(unsafe { self.raw.call(n, &pointers, out.pointer()) });
        }
        self.call_arrays(&[Argument::InPlace(out.dtype()), Argument::Slice(b)], out)
    }

    /// Converts the numbers among the inputs to the dtypes of the kernel; `None` if there are none.
    pub(super) fn with_numbers<'a, const N: usize>(
        &self,
        inputs: &[Argument<'a>; N],
    ) -> Result<Option<[Argument<'a>; N]>, CallError> {
        let saturate = match self.entry {
            Some(entry) => entry.op().saturates(),
            None => self.types.is_blocked() && self.types.casts().saturate(),
        };
        // With another number of inputs there is an error anyway.
        if N == self.inputs() { with_numbers(inputs, |i| self.input_dtype(i), saturate) } else { Ok(None) }
    }

    /// Returns the number of inputs of a call: operands and extra inputs.
    #[inline(always)]
    pub const fn inputs(&self) -> usize {
        self.types.inputs()
    }

    /// What an input is called.
    #[cfg(feature = "alloc")]
    pub(crate) fn role(&self, i: usize) -> ArgumentRole {
        self.types.role(i)
    }

    /// Returns the dtype of an input, in the order of [`Kernel::call_inputs`].
    #[inline]
    pub const fn input_dtype(&self, i: usize) -> DType {
        self.known().dtype(self.types.at_call(i))
    }

    /// Computes `out` from all inputs of an op: its operands, then its [extra inputs](crate::Op::extras), the
    /// condition of `where` included.
    ///
    /// Inputs are as for [`Kernel::call`]. A condition is `bool`; extra numbers have the compute dtype.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_slices`], and an error if the number of inputs is not that of the
    /// op.
    #[inline(never)]
    pub fn call_inputs(&self, inputs: &[Argument<'_>], out: SliceMut<'_>) -> Result<(), CallError> {
        by_count!(inputs, out, self.run, self.types.inputs())
    }

    #[inline(always)]
    fn run<const N: usize>(&self, inputs: &[Argument<'_>; N], out: SliceMut<'_>) -> Result<(), CallError> {
        if self.fits(inputs, &out) {
            // SAFETY: the arguments fit.
            return unsafe { self.run_fitting(inputs, out) };
        }
        if has_views(inputs) {
            return self.call_views(inputs, out.into());
        }
        if let Some(inputs) = self.with_numbers(inputs)? {
            return self.call_inputs(&inputs, out);
        }
        Err(self.mismatch(inputs, &out))
    }

    /// Computes `out` from slices, from `out` itself and from zero-dimensional arrays.
    ///
    /// Callers that know what they pass link nothing that views need.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_slices`].
    #[inline(never)]
    pub(crate) fn call_arrays<const N: usize>(
        &self,
        inputs: &[Argument<'_>; N],
        out: SliceMut<'_>,
    ) -> Result<(), CallError> {
        if !self.fits(inputs, &out) {
            return Err(self.mismatch(inputs, &out));
        }
        // SAFETY: the arguments fit.
        unsafe { self.run_fitting(inputs, out) }
    }

    /// Returns true if all arguments are as long as `out` or have no length, and all dtypes are those of the
    /// kernel.
    #[inline(always)]
    fn fits<const N: usize>(&self, inputs: &[Argument<'_>; N], out: &SliceMut<'_>) -> bool {
        let (n, types, known) = (out.len(), self.types, self.known());
        let fits = |i: usize| match &inputs[i] {
            Argument::Slice(slice) => known.is(types.at_call(i), slice.dtype()) && slice.len() == n,
            Argument::ZeroDim(value) => known.is(types.at_call(i), value.dtype()),
            Argument::InPlace(dtype) => {
                known.is(types.at_call(i), *dtype) && *dtype == out.dtype() && out.is_initialised()
            }
            Argument::Array(_) | Argument::Weak(_) | Argument::Number(_) => false,
        };
        types.inputs() == N && known.is(types.out(), out.dtype()) && (0..N).all(fits)
    }

    fn mismatch<const N: usize>(&self, inputs: &[Argument<'_>; N], out: &SliceMut<'_>) -> CallError {
        mismatch(self.types, self.known(), inputs, out.dtype(), Some(out.len()), out.is_initialised())
    }

    /// Computes `out`.
    ///
    /// # Safety
    ///
    /// The arguments fit, as [`Kernel::fits`] says.
    #[inline(always)]
    unsafe fn run_fitting<const N: usize>(
        &self,
        inputs: &[Argument<'_>; N],
        mut out: SliceMut<'_>,
    ) -> Result<(), CallError> {
        let mut sources = [Source::Aligned(core::ptr::null()); N];
        for (source, input) in sources.iter_mut().zip(inputs) {
            *source = Source::of(input, &mut out);
        }
        if self.types.swap() && N > 1 {
            sources.swap(0, 1);
        }
        // SAFETY: the operands are of the dtypes that the kernel was found for, and the slices hold as many
        // elements as `out`, which the caller promises; so does `out`, where it is an operand; the level was
        // available when it was found.
        unsafe { run(self, out.len(), &sources, out.pointer(), out.is_aligned()) }
    }
}

/// Returns true if an input is a view.
pub(super) fn has_views(inputs: &[Argument<'_>]) -> bool {
    inputs.iter().any(|input| matches!(input, Argument::Array(_) | Argument::Weak(_)))
}

/// Converts the numbers among the inputs to the dtypes that a kernel expects; `None` if there are none.
#[cold]
#[inline(never)]
pub(super) fn with_numbers<'a, const N: usize>(
    inputs: &[Argument<'a>; N],
    expected: impl Fn(usize) -> DType,
    saturate: bool,
) -> Result<Option<[Argument<'a>; N]>, CallError> {
    let mut converted = None;
    for (i, input) in inputs.iter().enumerate() {
        if let Argument::Number(number) = *input {
            let value = ScalarValue::from_number_with(number, expected(i), saturate)?;
            converted.get_or_insert(*inputs)[i] = Argument::ZeroDim(value);
        }
    }
    Ok(converted)
}

/// What of the inputs is not as the kernel expects: `n` is the length of all, where they have no shapes; an
/// `out` of the dtype is `initialised` or not.
#[cold]
#[inline(never)]
pub(super) fn mismatch(
    types: Types,
    known: Dtypes,
    inputs: &[Argument<'_>],
    out: DType,
    n: Option<usize>,
    initialised: bool,
) -> CallError {
    let dtype = |role: ArgumentRole, expected: Code, found: DType| {
        (!known.is(expected, found)).then(|| CallError::DType {
            role,
            expected: known.dtype(expected),
            found,
        })
    };
    let check = |(i, input): (usize, &Argument<'_>)| {
        let (role, expected) = (types.role(i), types.at_call(i));
        match input {
            Argument::ZeroDim(value) => dtype(role, expected, value.dtype()),
            Argument::Array(view) | Argument::Weak(view) => dtype(role, expected, view.dtype()),
            Argument::InPlace(found) => dtype(role, expected, *found)
                .or_else(|| dtype(role, expected, out))
                .or_else(|| (!initialised).then_some(CallError::Uninitialised)),
            // It was converted.
            Argument::Number(_) => None,
            Argument::Slice(slice) => dtype(role, expected, slice.dtype()).or_else(|| {
                let expected = n.filter(|n| *n != slice.len())?;
                Some(CallError::Length { role, expected, found: slice.len() })
            }),
        }
    };
    let inputs_differ = CallError::Inputs { expected: types.inputs(), found: inputs.len() };
    if inputs.len() != types.inputs() {
        return inputs_differ;
    }
    dtype(ArgumentRole::Out, types.out(), out)
        .or_else(|| inputs.iter().enumerate().find_map(check))
        // Not reached: this is called where one of them is there.
        .unwrap_or(inputs_differ)
}

#[cold]
#[inline(never)]
fn blocked_plan(
    kernels: &'static Kernels,
    op: KernelOp,
    a: DType,
    b: DType,
    types: OpTypes,
) -> Result<Kernel, CallError> {
    let (a, b) = ((a, Enters::Common), (b, Enters::Common));
    Query::new(Level::active(), kernels, op, a, b, types).blocked()
}
