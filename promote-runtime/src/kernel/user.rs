//! Kernels of a user's own: one body over up to four inputs, compiled for each dtype in which it computes, and, for types that the caller
//! knows, in one loop with all conversions.

use core::marker::PhantomData;

use super::body::input;
use super::chain::Chains;
use super::error::{CallError, Place};
use super::handle::{CastWords, Types, has_views};
use super::loops::{Reads, work};
use super::ops::KernelType;
use super::plan::Enters;
use super::registry::{Kernels, LEVELS, every};
use super::run::{Plan, apart, check, run};
use super::slice::{Input, SliceMut, by_count};
use super::stage::{BLOCK, Sink, Source};
use super::target::Levels;
use super::{Code, RawKernel, threads};
use crate::DType;
use crate::convert::{Convert, ConvertTo, Nan};
use crate::element::{Element, Register};
use crate::lanes::{KernelBody, enter};
use crate::level::Level;
use crate::op::{CustomOp, Op, OpTypes, narrowed};

/// The most inputs that a kernel takes.
pub const MOST_INPUTS: usize = 4;

/// What the inputs are called in errors.
pub(crate) const PLACES: [Place; MOST_INPUTS] = [Place::A, Place::B, Place::Third, Place::Fourth];

/// A kernel of a user's op, in one of the dtypes in which it computes.
#[derive(Debug)]
pub struct UserEntry {
    compute: DType,
    inputs: usize,
    raw: [RawKernel; LEVELS],
}

impl UserEntry {
    /// The body `K` of `N` inputs in the register form `M`, for every level.
    pub const fn new<S: Levels, K: KernelBody<M, N>, M: Register, const N: usize>() -> UserEntry {
        const { assert!(N >= 1 && N <= MOST_INPUTS, "a kernel takes 1 to 4 inputs") };
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
    unsafe fn operands(inputs: *const *const u8) -> Self::Operands {
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

/// What a typed call of a user's kernel takes for an input: a slice, or one element that stands for every place.
///
/// # Safety
///
/// - [`KernelInput::pointer`] points to [`KernelInput::len`] elements of `Item`, initialised and aligned, or to one if there is no length, as long as `self` is
///   borrowed; nobody writes to them meanwhile, so that no `out` which is borrowed exclusively overlaps them;
/// - the length is the same whenever it is asked;
/// - the reader is [`One`] where there is no length, and [`Each`] where there is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no input of a kernel",
    label = "give a slice, `&x[..]`, or one element",
    note = "an element is of a standard type or of one that derives `Element`; `usize`, `isize` and `char` are none: convert them first"
)]
pub unsafe trait KernelInput: Copy {
    /// The type of the elements.
    type Item: Element;
    /// How they are read.
    #[doc(hidden)]
    type Reader: Reader<Item = Self::Item>;

    /// Where they lie.
    fn pointer(&self) -> *const u8;

    /// How many there are; none of one that stands for every place.
    fn len(&self) -> Option<usize>;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }
}

// SAFETY: a slice points to its elements.
unsafe impl<T: Element> KernelInput for &[T] {
    type Item = T;
    type Reader = Each<T>;

    #[inline]
    fn pointer(&self) -> *const u8 {
        self.as_ptr().cast()
    }

    #[inline]
    fn len(&self) -> Option<usize> {
        Some((**self).len())
    }
}

// SAFETY: an array points to its elements.
unsafe impl<T: Element, const N: usize> KernelInput for &[T; N] {
    type Item = T;
    type Reader = Each<T>;

    #[inline]
    fn pointer(&self) -> *const u8 {
        self.as_ptr().cast()
    }

    #[inline]
    fn len(&self) -> Option<usize> {
        Some(N)
    }
}

// `Element` is not what a caller wants of a `Vec`.
#[diagnostic::do_not_recommend]
// SAFETY: a reference points to one element.
unsafe impl<T: Element> KernelInput for T {
    type Item = T;
    type Reader = One<T>;

    #[inline]
    fn pointer(&self) -> *const u8 {
        core::ptr::from_ref(self).cast()
    }

    #[inline]
    fn len(&self) -> Option<usize> {
        None
    }
}

/// Which element of an input stands for a place: [`Each`] and [`One`] alone say it.
pub trait Reader: closed::Reader + 'static {
    /// The type of the elements.
    type Item: Element;

    /// The element of place `i`: at most `i`.
    fn at(i: usize) -> usize;
}

mod closed {
    /// Nobody else can name it.
    pub trait Reader {}
    impl<T> Reader for super::Each<T> {}
    impl<T> Reader for super::One<T> {}
}

/// Each place has its own.
#[derive(Debug)]
pub struct Each<T>(PhantomData<T>);

/// All places have the same.
#[derive(Debug)]
pub struct One<T>(PhantomData<T>);

impl<T: Element> Reader for Each<T> {
    type Item = T;

    #[inline(always)]
    fn at(i: usize) -> usize {
        i
    }
}

impl<T: Element> Reader for One<T> {
    type Item = T;

    #[inline(always)]
    fn at(_: usize) -> usize {
        0
    }
}

/// `K` on inputs that `I` reads, each converted to `X` and computed in `M`, stored as `O`; casts are those of the op `Words`.
struct Fused<K, I, X, M, O, Words>(PhantomData<(K, I, X, M, O, Words)>);

/// Calls a user's kernel on typed inputs, in one loop.
pub trait CallFused<K, X, M, O, Words> {
    /// Computes every place of `out`.
    ///
    /// # Errors
    /// The length of an input is not that of `out`.
    fn call_fused<S: Levels>(self, out: &mut [O]) -> Result<(), CallError>;
}

macro_rules! fused {
    ($count:literal: $($ty:ident $i:tt)*) => {
        impl<K, X, M, O, Words, $($ty),*> Reads for Fused<K, ($($ty,)*), X, M, O, Words>
        where
            K: 'static, X: 'static, M: 'static, O: 'static, Words: 'static,
            $($ty: Reader,)*
        {
            type Operands = ($(*const <$ty::Item as Element>::Repr,)*);

            #[inline(always)]
            unsafe fn operands(inputs: *const *const u8) -> Self::Operands {
                // SAFETY: the caller promises as many inputs.
                unsafe { ($(input::<$ty::Item>(inputs, $i),)*) }
            }
        }

        work! {
            [K, X, M, O, Words, $($ty),*] Fused<K, ($($ty,)*), X, M, O, Words> where [
                K: KernelBody<M, $count>,
                X: Element<Reg: Convert<M>>,
                M: Register + Convert<O::Reg>,
                O: Element,
                Words: KernelType,
                $($ty: Reader<Item: ConvertTo<X>>,)*
            ], O, Words::Overflow,
            at<L>(lanes, operands, i) {
                let inputs = [$({
                    // SAFETY: the caller promises more than `i` elements, or one where the reader is `One`; neither reader asks for one behind that.
                    let repr = unsafe { operands.$i.add($ty::at(i)).read() };
                    enter::<L, Words::Overflow, $ty::Item, X, M>(lanes, repr)
                },)*];
                narrowed::<Words, M, O>(K::eval(lanes, inputs))
            }
        }

        impl<K, X, M, O, Words, $($ty),*> CallFused<K, X, M, O, Words> for ($($ty,)*)
        where
            K: KernelBody<M, $count>,
            X: Element<Reg: Convert<M>>,
            M: Register + Convert<O::Reg>,
            O: Element,
            Words: KernelType,
            $($ty: KernelInput<Item: ConvertTo<X>>,)*
        {
            fn call_fused<S: Levels>(self, out: &mut [O]) -> Result<(), CallError> {
                let n = out.len();
                $(
                    if let Some(found) = self.$i.len()
                        && found != n
                    {
                        return Err(CallError::Length { place: PLACES[$i], expected: n, found });
                    }
                )*
                let raw = const { every::<S, Fused<K, ($($ty::Reader,)*), X, M, O, Words>>() }[Level::active().place()];
                let sizes = [$(if self.$i.len().is_some() { size_of::<$ty::Item>() } else { 0 }),*];
                let inputs: [*const u8; $count] = [$(self.$i.pointer()),*];
                debug_assert!(true $(&& inputs[$i].cast::<$ty::Item>().is_aligned())*, "an input that breaks its contract");
                let out: *mut u8 = out.as_mut_ptr().cast();
                let bytes = sizes.iter().sum::<usize>() + size_of::<O>();
                let part = |from: usize, n: usize| {
                    let pointers: [*const u8; $count] =
                        core::array::from_fn(|i| inputs[i].wrapping_add(from * sizes[i]));
                    let out = out.wrapping_add(from * size_of::<O>());
                    // SAFETY: `out` has `n` places from `from` on, every input as many elements of its type there, or one that is read again and
                    // again; `out` is borrowed exclusively and overlaps none; the level in use is one that the machine has.
                    check(unsafe { raw(n, pointers.as_ptr(), out) })
                };
                // SAFETY: parts that do not overlap are written by one thread each, and all else is only read.
                unsafe { threads::each_part(n, bytes, false, part) }
            }
        }
    };
}

fused! { 1: A 0 }
fused! { 2: A 0 B 1 }
fused! { 3: A 0 B 1 C 2 }
fused! { 4: A 0 B 1 C 2 D 3 }

/// A user's kernel for inputs of fixed dtypes: found once, called often.
///
/// Its inputs are cast in blocks to the dtype in which it computes, and its results from there.
#[derive(Clone, Copy, Debug)]
pub struct UserKernel {
    op: &'static CustomOp,
    raw: RawKernel,
    home: &'static Kernels,
    /// The level, and how elements are cast.
    words: Types,
    /// Those of the inputs, as many as the op takes.
    inputs: [Code; MOST_INPUTS],
    common: Code,
    compute: Code,
    out: Code,
    /// The casts, unless none is needed.
    chains: Chains,
    /// Whether none is.
    direct: bool,
}

impl UserKernel {
    /// The kernel at the level in use, for inputs of these dtypes, as many as the op takes. What it computes is rounded to `result` before it is cast to the
    /// output.
    ///
    /// # Errors
    ///
    /// The op takes another number of inputs, does not compute in the dtype, or there is no cast.
    pub(crate) fn find(
        kernels: &'static Kernels,
        op: &'static CustomOp,
        words: u16,
        types: OpTypes,
        result: DType,
        dtypes: &[DType],
    ) -> Result<UserKernel, CallError> {
        let (known, level, arity) = (kernels.customs(), Level::active(), Op::Custom(op).arity());
        if dtypes.len() != arity || arity > MOST_INPUTS {
            return Err(CallError::Inputs { expected: arity, found: dtypes.len() });
        }
        let missing = CallError::NoBody { op: Op::Custom(op), compute: types.compute };
        let entry = op.kernels().iter().find(|entry| entry.compute == types.compute).ok_or(missing)?;
        let code = |dtype| known.code(dtype).ok_or(CallError::NoElements { dtype });
        let mut inputs = [code(types.compute)?; MOST_INPUTS];
        for (input, dtype) in inputs.iter_mut().zip(dtypes) {
            *input = code(*dtype)?;
        }
        let words =
            Types::NONE.at(level, false).blocked(CastWords::of(words), Enters::Common, Enters::Common);
        let (common, compute, out) = (code(types.common)?, code(types.compute)?, code(types.output)?);
        let result = code(result)?;
        let mut found = UserKernel {
            op,
            raw: entry.raw[level.place()],
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

    /// Whether it is one of this op at this level.
    #[cfg(feature = "alloc")]
    pub(super) fn is_of(&self, op: &'static CustomOp, level: Level) -> bool {
        core::ptr::eq(self.op, op) && self.words.level() == level
    }

    /// Fills in the casts of the inputs, as many as there are, and of the results.
    fn find_casts(&mut self, arity: usize, result: Code) -> Result<(), CallError> {
        let UserKernel { home, words, inputs, common, compute, out, .. } = *self;
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
        self.chains.most = BLOCK / greatest;
        Ok(())
    }

    /// The dtype of what comes out.
    pub const fn output(&self) -> DType {
        self.home.customs().dtype(self.out)
    }

    /// Computes `out` from the inputs: slices of its length, which may be 0, and scalars that stand for every place, each of the dtype for which the
    /// kernel was found.
    ///
    /// # Errors
    ///
    /// When a dtype or a length is not the one expected; `out` is then as it was.
    pub fn call(&self, inputs: &[Input<'_>], out: SliceMut<'_>) -> Result<(), CallError> {
        // Where they lie, as the casts are.
        by_count!(inputs, out, self.run, Op::Custom(self.op).arity())
    }

    fn run<const N: usize>(&self, inputs: &[Input<'_>; N], mut out: SliceMut<'_>) -> Result<(), CallError> {
        if has_views(inputs) {
            return self.call_views(inputs, out.into());
        }
        let n = out.len();
        self.check(inputs, out.dtype(), out.is_initialised())?;
        for (place, input) in PLACES.into_iter().zip(inputs) {
            match input {
                Input::Slice(slice) if slice.len() != n => {
                    return Err(CallError::Length { place, expected: n, found: slice.len() });
                }
                _ => {}
            }
        }
        let mut sources = [Source::Aligned(core::ptr::null()); N];
        for (source, input) in sources.iter_mut().zip(inputs) {
            *source = Source::of(input, &mut out);
        }
        if out.is_plain() && inputs.iter().all(Input::is_plain) {
            let sink = Sink::new(out.pointer(), self.home.customs().size(self.out), false);
            // SAFETY: as below; what is plain is aligned and overlaps nothing.
            return unsafe { apart(self, n, &sources, sink) };
        }
        // SAFETY: the sources have the dtypes for which the kernel was found, and are scalars or as long as `out`, checked above; so has `out`, where
        // it is an operand; there are as many as the op takes, and `CustomOp::with_kernels` takes bodies of no other number; the level was available
        // when it was found.
        unsafe { run(self, n, &sources, out.pointer(), out.is_aligned()) }
    }

    /// How many inputs the op takes.
    pub(super) const fn arity(&self) -> usize {
        Op::Custom(self.op).arity()
    }

    /// Whether inputs and an `out`, which may hold elements, have the dtypes for which the kernel was found.
    pub(super) fn check(&self, inputs: &[Input<'_>], out: DType, initialised: bool) -> Result<(), CallError> {
        let (known, expected) = (self.home.customs(), self.arity());
        if inputs.len() != expected {
            return Err(CallError::Inputs { expected, found: inputs.len() });
        }
        let fits = |place, code, found| {
            if known.is(code, found) {
                Ok(())
            } else {
                Err(CallError::DType { place, expected: known.dtype(code), found })
            }
        };
        for (i, input) in inputs.iter().enumerate() {
            fits(PLACES[i], self.inputs[i], input.dtype().unwrap_or(out))?;
            if matches!(input, Input::InPlace) && !initialised {
                return Err(CallError::Uninitialised);
            }
        }
        fits(Place::Out, self.out, out)
    }
}

impl<const N: usize> Plan<N> for UserKernel {
    #[inline(always)]
    fn raw(&self) -> RawKernel {
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
