//! Kernels of a user's own: one body over up to four inputs, compiled for each dtype in which it computes,
//! and, for types that the caller knows (`typed`), in one loop with all conversions.

pub(crate) mod typed;

use core::fmt;
use core::marker::PhantomData;

use super::Code;
use super::body::input;
use super::by_level::{LEVELS, every};
use super::chain::Chains;
use super::handle::{has_views, with_numbers};
use super::loops::{Reads, work};
use super::plan::Enters;
use super::pointers::{Function, Pointers};
use super::registry::Kernels;
use super::run::{Plan, apart, destination, run};
use super::stage::{BLOCK, Source};
use super::target::Levels;
use super::types::{CastWords, Types};
use crate::DType;
use crate::convert::Nan;
use crate::element::Register;
use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::handle::by_count;
use crate::lanes::KernelBody;
use crate::level::Level;
use crate::memory::{Argument, SliceMut};
use crate::{CustomOp, Op, OpTypes};

/// The most inputs that a kernel takes.
pub const MAX_INPUTS: usize = 4;

/// What the inputs are called in errors.
pub(crate) const ROLES: [ArgumentRole; MAX_INPUTS] =
    [ArgumentRole::A, ArgumentRole::B, ArgumentRole::Third, ArgumentRole::Fourth];

/// A kernel of a user's op, in one of the dtypes in which it computes.
#[derive(Debug)]
pub struct UserEntry {
    compute: DType,
    inputs: usize,
    raw: [Function; LEVELS],
}

/// The kernels of a custom op; none if it has only a name.
pub(crate) fn entries(op: &CustomOp) -> &'static [UserEntry] {
    op.kernels().and_then(|kernels| kernels.downcast_ref::<&[UserEntry]>()).copied().unwrap_or_default()
}

/// For emitted code: an op with kernels, one for each dtype that it computes in.
///
/// # Panics
///
/// Panics if a kernel has another number of inputs. In a `static` that is a compile error.
#[doc(hidden)]
#[must_use]
pub const fn with_kernels(op: CustomOp, kernels: &'static &'static [UserEntry]) -> CustomOp {
    let mut i = 0;
    while i < kernels.len() {
        assert!(kernels[i].inputs() == op.arity(), "a kernel of another number of inputs");
        i += 1;
    }
    op.with_kernels(kernels)
}

impl UserEntry {
    /// The body `K` of `N` inputs in the register form `M`, for every level.
    pub const fn new<S: Levels, K: KernelBody<M, N>, M: Register, const N: usize>() -> UserEntry {
        const { assert!(N >= 1 && N <= MAX_INPUTS, "a kernel takes 1 to 4 inputs") };
        UserEntry { compute: M::DTYPE, inputs: N, raw: every::<S, Same<K, M, N>>() }
    }

    /// How many inputs the body takes.
    pub(crate) const fn inputs(&self) -> usize {
        self.inputs
    }
}

/// `K` on `N` inputs that are all of the register form `M`.
struct Same<K, M, const N: usize>(PhantomData<(K, M)>);

impl<K: 'static, M: Register, const N: usize> Reads for Same<K, M, N> {
    type Operands = [*const M::Repr; N];

    #[inline(always)]
    unsafe fn operands(inputs: Pointers) -> Self::Operands {
        // SAFETY: the caller promises `N` inputs.
        let operands = core::array::from_fn(|i| unsafe { input::<M>(inputs, i) });
        debug_assert!(operands.iter().all(|operand| operand.is_aligned()));
        operands
    }
}

work! {
    [K: KernelBody<M, N>, M: Register, const N: usize] Same<K, M, N> where [], M, Nan,
    at<L>(lanes, operands, i) {
        // SAFETY: the caller promises more than `i` elements of each.
        let inputs = operands.map(|operand| M::load(lanes, unsafe { operand.add(i).read() }));
        K::eval(lanes, inputs)
    }
}

impl fmt::Debug for CustomKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomKernel")
            .field("op", &self.op.name())
            .field("output", &self.output())
            .finish_non_exhaustive()
    }
}

/// A handle to the kernel of a custom op for inputs and a result of fixed dtypes.
///
/// It is looked up once, by [`RuleSet::custom_kernel`](crate::RuleSet::custom_kernel), and called often.
/// Inputs are cast in blocks to the dtype that it computes in, and results are cast from there.
#[derive(Clone, Copy)]
pub struct CustomKernel {
    op: &'static CustomOp,
    raw: Function,
    home: &'static Kernels,
    /// The level, and how elements are cast.
    words: Types,
    /// Those of the inputs, as many as the op takes.
    inputs: [Code; MAX_INPUTS],
    common: Code,
    compute: Code,
    out: Code,
    /// The casts, unless none is needed.
    chains: Chains,
    /// Whether none is.
    direct: bool,
}

impl CustomKernel {
    /// The kernel at an available level, for inputs of these dtypes, as many as the op takes. What it
    /// computes is rounded to `result` before it is cast to the output.
    ///
    /// # Errors
    ///
    /// The op takes another number of inputs, does not compute in the dtype, or there is no cast.
    pub(crate) fn find(
        kernels: &'static Kernels,
        level: Level,
        op: &'static CustomOp,
        words: u16,
        types: OpTypes,
        result: DType,
        dtypes: &[DType],
    ) -> Result<CustomKernel, CallError> {
        let (known, arity) = (kernels.customs(), Op::Custom(op).arity());
        if dtypes.len() != arity || arity > MAX_INPUTS {
            return Err(CallError::Inputs { expected: arity, found: dtypes.len() });
        }
        let missing = CallError::NoBody { op: Op::Custom(op), compute: types.compute };
        let entry = entries(op).iter().find(|entry| entry.compute == types.compute).ok_or(missing)?;
        let code = |dtype| known.code(dtype).ok_or(CallError::NoElements { dtype });
        let mut inputs = [code(types.compute)?; MAX_INPUTS];
        for (input, dtype) in inputs.iter_mut().zip(dtypes) {
            *input = code(*dtype)?;
        }
        let words =
            Types::NONE.at(level, false).blocked(CastWords::of(words), Enters::Common, Enters::Common);
        let (common, compute, out) = (code(types.common)?, code(types.compute)?, code(types.output)?);
        let result = code(result)?;
        let mut found = CustomKernel {
            op,
            raw: entry.raw[level.index()],
            home: kernels,
            words,
            inputs,
            common,
            compute,
            out,
            chains: Chains::EMPTY,
            direct: inputs.iter().chain([&common, &result, &out]).all(|code| *code == compute),
        };
        if !found.direct {
            found.find_casts(arity, result)?;
        }
        Ok(found)
    }

    /// Whether it is one of this op at this level, for inputs of the dtypes of these, none of which is `out`.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(super) fn is_of(&self, op: &'static CustomOp, level: Level, inputs: &[Argument<'_>]) -> bool {
        if !core::ptr::eq(self.op, op) || self.words.level() != level || inputs.len() != self.arity() {
            return false;
        }
        let known = self.home.customs();
        for (code, input) in self.inputs.iter().zip(inputs) {
            if !input.dtype().is_some_and(|dtype| known.is(*code, dtype)) {
                return false;
            }
        }
        true
    }

    /// Fills in the casts of the inputs, as many as there are, and of the results.
    fn find_casts(&mut self, arity: usize, result: Code) -> Result<(), CallError> {
        let CustomKernel { home, words, inputs, common, compute, out, .. } = *self;
        let known = home.customs();
        let mut greatest = known.greatest_size(common).max(known.greatest_size(compute));
        greatest = greatest.max(known.greatest_size(out)).max(known.greatest_size(result));
        for (chain, from) in self.chains.inputs[..arity].iter_mut().zip(inputs) {
            chain.add(home, words, from, common)?;
            chain.add(home, words, common, compute)?;
            greatest = greatest.max(known.greatest_size(from));
        }
        self.chains.out.add(home, words, compute, result)?;
        self.chains.out.add(home, words, result, out)?;
        // All inputs that are cast fill together what one would, since with the arrays that is to stay in an
        // L1 of 32 KiB.
        let cast = self.chains.inputs[..arity].iter().filter(|chain| chain.len() > 0).count();
        self.chains.most = BLOCK / greatest / cast.max(1).next_power_of_two();
        Ok(())
    }

    /// Returns the dtype of the result.
    pub const fn output(&self) -> DType {
        self.home.customs().dtype(self.out)
    }

    /// Computes `out` from the inputs: slices of its length, which may be 0, zero-dimensional arrays and
    /// numbers. All but numbers have the dtypes for which the kernel was found; a number is converted.
    ///
    /// # Errors
    ///
    /// When a dtype or a length is not the one expected; `out` is then as it was.
    pub fn call(&self, inputs: &[Argument<'_>], mut out: SliceMut<'_>) -> Result<(), CallError> {
        self.call_to(inputs, &mut out)
    }

    /// As [`CustomKernel::call`]. All by reference, as the casts are: what is moved just after it was written
    /// waits for memory.
    #[inline]
    pub(crate) fn call_to(&self, inputs: &[Argument<'_>], out: &mut SliceMut<'_>) -> Result<(), CallError> {
        by_count!(inputs, out, self.run, Op::Custom(self.op).arity())
    }

    fn run<const N: usize>(
        &self,
        inputs: &[Argument<'_>; N],
        out: &mut SliceMut<'_>,
    ) -> Result<(), CallError> {
        if has_views(inputs) {
            return self.call_views(inputs, out.reborrow().into());
        }
        if let Some(inputs) = self.with_numbers(inputs)? {
            return self.run(&inputs, out);
        }
        let n = out.len();
        self.check(inputs, out.dtype(), out.is_initialised())?;
        for (role, input) in ROLES.into_iter().zip(inputs) {
            match input {
                Argument::Slice(slice) if slice.len() != n => {
                    return Err(CallError::Length { role, expected: n, found: slice.len() });
                }
                _ => {}
            }
        }
        let mut sources = [Source::Aligned(core::ptr::null()); N];
        for (source, input) in sources.iter_mut().zip(inputs) {
            *source = Source::of(input, out);
        }
        if out.is_plain() && inputs.iter().all(Argument::is_plain) {
            let sink = destination(self, n, &sources, out.pointer(), true);
            // SAFETY: as below; what is plain is aligned and overlaps nothing.
            return unsafe { apart(self, n, &sources, sink) };
        }
        // SAFETY: the sources have the dtypes for which the kernel was found, and are scalars or as long as
        // `out`, checked above; so has `out`, where it is an operand; there are as many as the op takes, and
        // `CustomOp::with_kernels` takes bodies of no other number; the level was available when it was
        // found.
        unsafe { run(self, n, &sources, out.pointer(), out.is_aligned()) }
    }

    /// How many inputs the op takes.
    pub(super) const fn arity(&self) -> usize {
        Op::Custom(self.op).arity()
    }

    /// Converts the numbers among the inputs to the dtypes of the kernel; `None` if there are none.
    pub(super) fn with_numbers<'a, const N: usize>(
        &self,
        inputs: &[Argument<'a>; N],
    ) -> Result<Option<[Argument<'a>; N]>, CallError> {
        with_numbers(inputs, |i| self.home.customs().dtype(self.inputs[i]), self.words.casts().saturate())
    }

    /// Whether inputs and an `out`, which may hold elements, have the dtypes for which the kernel was found.
    pub(super) fn check(
        &self,
        inputs: &[Argument<'_>],
        out: DType,
        initialised: bool,
    ) -> Result<(), CallError> {
        let (known, expected) = (self.home.customs(), self.arity());
        if inputs.len() != expected {
            return Err(CallError::Inputs { expected, found: inputs.len() });
        }
        let fits = |role, code, found| {
            if known.is(code, found) {
                Ok(())
            } else {
                Err(CallError::DType { role, expected: known.dtype(code), found })
            }
        };
        for (i, input) in inputs.iter().enumerate() {
            fits(ROLES[i], self.inputs[i], input.dtype().unwrap_or(out))?;
            if let Argument::InPlace(dtype) = *input {
                if dtype != out {
                    return Err(CallError::DType { role: ROLES[i], expected: out, found: dtype });
                }
                if !initialised {
                    return Err(CallError::Uninitialised);
                }
            }
        }
        fits(ArgumentRole::Out, self.out, out)
    }
}

impl<const N: usize> Plan<N> for CustomKernel {
    #[inline(always)]
    fn raw(&self) -> Function {
        self.raw
    }

    #[inline(always)]
    fn home(&self) -> Option<&'static Kernels> {
        if self.direct { None } else { Some(self.home) }
    }

    #[inline(always)]
    fn traps(&self) -> bool {
        false
    }

    #[inline(always)]
    fn casts_results(&self) -> bool {
        self.chains.out.len() > 0
    }

    #[inline(always)]
    fn replaceable(&self) -> usize {
        0
    }

    #[inline(always)]
    fn streams(&self) -> bool {
        // What a body computes may take longer than the memory.
        false
    }

    #[inline(always)]
    fn size(&self, i: usize) -> usize {
        self.home.customs().size(self.inputs[i])
    }

    #[inline(always)]
    fn out_size(&self) -> usize {
        self.home.customs().size(self.out)
    }

    #[inline(always)]
    fn with_chains(
        &self,
        _: &Kernels,
        call: impl FnOnce(&Chains) -> Result<(), CallError>,
    ) -> Result<(), CallError> {
        call(&self.chains)
    }
}
