//! Kernels of the dtypes of a user's own: which a rule set has, and how elements are cast.
//!
//! An op has a kernel for the dtype alone: other operands are cast in blocks, each by way of the standard
//! dtype that [`CastVia`] names. So a dtype has two casts, and not one for each other dtype.

use core::marker::PhantomData;

use super::RawKernel;
use super::casts::CastTo;
use super::entry::{Binary, Entry};
use super::loops::Select;
use super::per_level::{PerLevel, plain};
use super::signature::{DTypeCode, KernelSignature};
use crate::convert::{ConvertTo, Nan};
use crate::custom::{CastVia, CustomElement, ViaOf, dtype};
use crate::element::{Element, Register, check_layout};
use crate::level::Level;
use crate::level::doors::Levels;
use crate::ops::{KernelOp, KernelType, OpLane};
use crate::table::is_dtype;
use crate::{CustomDType, DType, Kind};

/// The casts of a type of a user's own.
#[derive(Debug)]
pub struct CustomCasts {
    /// The standard dtype by way of which it is cast, the cast to it and the one from it.
    via: Option<(DType, PerLevel, PerLevel)>,
    /// From other types of a user's own.
    from: &'static [CustomCast],
    bits: usize,
    align: usize,
}

/// The cast from one type of a user's own to another.
#[derive(Debug)]
pub struct CustomCast {
    from: DType,
    raw: PerLevel,
    /// The size and the alignment of what it gives.
    bits: usize,
    align: usize,
}

impl CustomCast {
    /// The cast from `A` to `C`.
    pub const fn new<S: Levels, A: CustomElement + ConvertTo<C>, C: CustomElement>() -> CustomCast {
        CustomCast {
            from: A::DTYPE,
            raw: CastTo::<A, C, Nan>::functions::<S>(true),
            bits: 8 * size_of::<C>(),
            align: align_of::<C>(),
        }
    }
}

impl CustomCasts {
    /// The casts of `T` by way of its [`CastVia::Via`], and from other types to it.
    ///
    /// # Panics
    ///
    /// When one of these gives another type; in a `static` that is a compile error.
    pub const fn new<S: Levels, T>(from: &'static [CustomCast]) -> CustomCasts
    where
        T: CastVia + ConvertTo<ViaOf<T>>,
        ViaOf<T>: ConvertTo<T>,
    {
        let via = <ViaOf<T> as Element>::DTYPE;
        let (to, of) = (
            CastTo::<T, ViaOf<T>, Nan>::functions::<S>(true),
            CastTo::<ViaOf<T>, T, Nan>::functions::<S>(true),
        );
        CustomCasts::checked::<T>(Some((via, to, of)), from)
    }

    /// The casts from other types to `T` alone.
    ///
    /// # Panics
    ///
    /// As [`CustomCasts::new`].
    pub const fn from<T: CustomElement>(from: &'static [CustomCast]) -> CustomCasts {
        CustomCasts::checked::<T>(None, from)
    }

    const fn checked<T>(
        via: Option<(DType, PerLevel, PerLevel)>,
        from: &'static [CustomCast],
    ) -> CustomCasts {
        let (size, align) = (size_of::<T>(), align_of::<T>());
        assert!(
            size.is_power_of_two() && size <= 16 && align <= 16,
            "an element of casts has 1, 2, 4, 8 or 16 bytes"
        );
        let casts = CustomCasts { via, from, bits: 8 * size, align };
        let mut i = 0;
        while i < from.len() {
            assert!(casts.are_of(from[i].bits, from[i].align), "a cast to another type");
            i += 1;
        }
        casts
    }

    /// Whether they are those of a type of this size and alignment.
    pub(crate) const fn are_of(&self, bits: usize, align: usize) -> bool {
        self.bits == bits && self.align == align
    }

    /// The standard dtype by way of which casts go.
    pub(crate) const fn via(&self) -> Option<DType> {
        match self.via {
            Some((via, ..)) => Some(via),
            None => None,
        }
    }

    /// That dtype and the cast to it.
    pub(super) fn to_via(&'static self, level: Level) -> Option<(DType, RawKernel)> {
        let (via, to, _) = self.via.as_ref()?;
        Some((*via, to.at(level)?))
    }

    /// That dtype and the cast from it.
    pub(super) fn of_via(&'static self, level: Level) -> Option<(DType, RawKernel)> {
        let (via, _, of) = self.via.as_ref()?;
        Some((*via, of.at(level)?))
    }

    /// The cast from another type of a user's own.
    pub(super) fn direct(&'static self, from: DType, level: Level) -> Option<RawKernel> {
        self.from.iter().find(|cast| cast.from == from)?.raw.at(level)
    }
}

/// For emitted code: returns the dtype of an element type, with its casts.
///
/// # Panics
///
/// Panics if the casts belong to a type of another size or alignment. In a `static` that is a compile error.
#[doc(hidden)]
pub const fn dtype_with_casts<T: Element>(name: &'static str, casts: &'static CustomCasts) -> CustomDType {
    let dtype = dtype::<T>(name);
    assert!(casts.are_of(dtype.bits() as usize, dtype.align()), "casts of another type");
    dtype.with_casts(casts)
}

/// Returns the casts of a custom dtype, if it has any.
pub(crate) fn casts(dtype: &CustomDType) -> Option<&'static CustomCasts> {
    dtype.casts()?.downcast_ref()
}

/// Defines the `static __DTYPE` of an element type: its name, the type, the type that casts go through, if
/// any, and the types from which there are direct casts.
#[doc(hidden)]
#[macro_export]
macro_rules! __custom_dtype {
    ($name:literal, $ty:ty, [], []) => {
        static __DTYPE: $crate::CustomDType = $crate::__private::custom::dtype::<$ty>($name);
    };
    ($name:literal, $ty:ty, [], [$($from:ty),+]) => {
        $crate::__custom_dtype! { @casts $name, $ty, from, [$ty], [$($from),+] }
    };
    ($name:literal, $ty:ty, [$via:ty], [$($from:ty),*]) => {
        $crate::__custom_dtype! { @casts $name, $ty, new, [__tokens::Levels, $ty], [$($from),*] }
    };
    (@casts $name:literal, $ty:ty, $new:ident, [$($parameter:ty),*], [$($from:ty),*]) => {
        static __DTYPE: $crate::CustomDType = {
            $crate::__levels! { mod __tokens }
            static __CASTS: $crate::__private::kernel::CustomCasts = $crate::__private::kernel::CustomCasts::$new::<$($parameter),*>(
                &[$($crate::__private::kernel::CustomCast::new::<__tokens::Levels, $from, $ty>()),*],
            );
            $crate::__private::kernel::dtype_with_casts::<$ty>($name, &__CASTS)
        };
    };
}

/// The kernel of an op on a dtype of a user's own.
#[derive(Debug)]
pub struct CustomEntry {
    op: KernelOp,
    dtype: DType,
    /// The number of inputs, whether the op traps, and whether it takes a condition; the dtypes stand for
    /// nothing, because their codes depend on the rule set.
    signature: KernelSignature,
    raw: PerLevel,
}

impl CustomEntry {
    #[inline]
    pub(super) const fn signature(&self) -> &KernelSignature {
        &self.signature
    }

    /// The function for `level`, which the caller must know the machine has.
    #[inline]
    pub(super) const fn raw(&self, level: Level) -> Option<RawKernel> {
        self.raw.at(level)
    }
}

const UNTYPED: KernelSignature = KernelSignature::of([DTypeCode::BOOL; 2], [DTypeCode::BOOL; 3]);

/// The kernel of the op `K` on `M`, where the traits of `M` are those that the op takes: the constants here
/// are found before those of [`Absent`], if they are there. So a rule set has what kernels there can be, and
/// no macro need know which traits a type has.
#[derive(Debug)]
pub struct Probe<S, K, M>(PhantomData<(S, K, M)>);

/// What [`Probe`] has where it has nothing.
pub trait Absent {
    /// The kernel of two operands.
    const BINARY: Option<CustomEntry> = None;
    /// The kernel of two operands that gives a bool.
    const BINARY_TRUTH: Option<CustomEntry> = None;
    /// The kernel of one operand.
    const UNARY: Option<CustomEntry> = None;
    /// The kernel of one operand that gives a bool.
    const UNARY_TRUTH: Option<CustomEntry> = None;
}

impl<T> Absent for T {}

impl<S: Levels, K: KernelType, M: CustomElement> Probe<S, K, M> {
    /// The kernel that chooses between two operands.
    pub const CHOSEN: Option<CustomEntry> =
        Some(Self::entry(UNTYPED.choosing(), plain::<S, Select<K, M, M, M>>(true)));

    const fn entry(signature: KernelSignature, raw: PerLevel) -> CustomEntry {
        CustomEntry { op: K::OP.canonical(M::DTYPE, false), dtype: M::DTYPE, signature, raw }
    }

    const fn binary<O: Register>() -> CustomEntry
    where
        K: KernelType + OpLane<M, Out = O>,
    {
        let result = K::OP.result(M::DTYPE);
        assert!(matches!(result, DType::Bool) == matches!(O::DTYPE, DType::Bool), "the result of another op");
        Self::entry(
            KernelSignature { traps: K::TRAP.is_some(), ..UNTYPED },
            Binary::<K, M, M, M, O>::functions::<S>(true),
        )
    }

    const fn unary<O: Register>() -> CustomEntry
    where
        K: KernelType + OpLane<M, (M,), Out = O>,
    {
        let result = K::OP.result(M::DTYPE);
        assert!(matches!(result, DType::Bool) == matches!(O::DTYPE, DType::Bool), "the result of another op");
        Self::entry(KernelSignature { count: 1, ..UNTYPED }, Entry::loops_of_one::<S, K, M, M, O>(true))
    }
}

impl<S: Levels, K: KernelType + OpLane<M, Out = M>, M: CustomElement> Probe<S, K, M> {
    /// The kernel of two operands.
    pub const BINARY: Option<CustomEntry> = Some(Self::binary::<M>());
}

impl<S: Levels, K: KernelType + OpLane<M, Out = bool>, M: CustomElement> Probe<S, K, M> {
    /// The kernel of two operands that gives a bool.
    pub const BINARY_TRUTH: Option<CustomEntry> = Some(Self::binary::<bool>());
}

impl<S: Levels, K: KernelType + OpLane<M, (M,), Out = M>, M: CustomElement> Probe<S, K, M> {
    /// The kernel of one operand.
    pub const UNARY: Option<CustomEntry> = Some(Self::unary::<M>());
}

impl<S: Levels, K: KernelType + OpLane<M, (M,), Out = bool>, M: CustomElement> Probe<S, K, M> {
    /// The kernel of one operand that gives a bool.
    pub const UNARY_TRUTH: Option<CustomEntry> = Some(Self::unary::<bool>());
}

/// The kernels that a rule set has for one dtype of a user's own.
#[derive(Debug)]
pub struct CustomKernels {
    dtype: &'static CustomDType,
    /// The cast to itself.
    copy: PerLevel,
    entries: &'static [Option<CustomEntry>],
    /// The place of the entry of each op; past the end where there is none.
    places: [u8; KernelOp::COUNT],
}

impl CustomKernels {
    /// The kernels of `M`.
    ///
    /// # Panics
    ///
    /// When `M` is no type of a dtype of its own, or its elements are not of 1, 2, 4, 8 or 16 bytes; in a
    /// `static` that is a compile error.
    pub const fn new<S: Levels, M: CustomElement>(entries: &'static [Option<CustomEntry>]) -> CustomKernels {
        check_layout::<M>();
        let size = size_of::<M>();
        assert!(size.is_power_of_two() && size <= 16, "an element has 1, 2, 4, 8 or 16 bytes");
        let DType::Custom(dtype) = M::DTYPE else {
            panic!("a standard dtype");
        };
        assert!(entries.len() < NOWHERE as usize, "there are fewer ops");
        let mut places = [NOWHERE; KernelOp::COUNT];
        let mut i = 0;
        while i < entries.len() {
            if let Some(entry) = &entries[i] {
                places[entry.op.index()] = i as u8;
            }
            i += 1;
        }
        CustomKernels { dtype, copy: CastTo::<M, M, Nan>::functions::<S>(true), entries, places }
    }

    #[inline]
    pub(super) const fn dtype(&self) -> &'static CustomDType {
        self.dtype
    }

    #[inline]
    pub(super) const fn copy(&self, level: Level) -> Option<RawKernel> {
        self.copy.at(level)
    }

    /// The entry of exactly this op.
    #[inline]
    pub(super) fn find(&self, op: KernelOp) -> Option<&'static CustomEntry> {
        let entry = self.entries.get(self.places[op.index()] as usize)?.as_ref()?;
        (entry.op.rank() == op.rank() && entry.dtype == DType::Custom(self.dtype)).then_some(entry)
    }

    /// The ops that have kernels.
    pub fn ops(&self) -> impl Iterator<Item = KernelOp> + use<> {
        self.entries.iter().flatten().map(|entry| entry.op)
    }
}

const NOWHERE: u8 = u8::MAX;

/// The dtypes of a plan: the standard ones that have elements, and those of a rule set's own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dtypes(pub(super) &'static [CustomKernels]);

impl Dtypes {
    pub(super) fn code(self, dtype: DType) -> Option<DTypeCode> {
        let DType::Custom(custom) = dtype else {
            return DTypeCode::of(dtype);
        };
        let at = self.0.iter().position(|own| core::ptr::eq(own.dtype, custom))?;
        Some(DTypeCode::custom(at))
    }

    /// Returns the code of a dtype, found by the name, size and alignment of custom ones: constants cannot
    /// compare addresses. No two dtypes of a rule set have one name.
    pub(super) const fn code_by_name(self, dtype: DType) -> Option<DTypeCode> {
        if !matches!(dtype, DType::Custom(_)) {
            return DTypeCode::of(dtype);
        }
        let mut at = 0;
        while at < self.0.len() {
            let own = DType::Custom(self.0[at].dtype);
            if own.align() == dtype.align() && is_dtype(own, dtype.name(), dtype.bits()) {
                return Some(DTypeCode::custom(at));
            }
            at += 1;
        }
        None
    }

    pub(super) const fn dtype(self, code: DTypeCode) -> DType {
        match code.custom_index() {
            Some(at) => DType::Custom(self.0[at].dtype),
            None => code.standard(),
        }
    }

    /// Whether a code is that of a dtype.
    #[inline(always)]
    pub(super) fn is(self, code: DTypeCode, dtype: DType) -> bool {
        code.is(dtype) || code.custom_index().is_some() && self.dtype(code) == dtype
    }

    /// The size of an element in bytes: a power of two from 1 to 16.
    #[inline]
    pub(super) const fn size(self, code: DTypeCode) -> usize {
        match code.custom_index() {
            // Checked when the kernels were put together.
            Some(at) => self.0[at].dtype.bits() as usize / 8,
            None => code.standard_size(),
        }
    }

    /// Returns the greatest size of an element on the way to or from a dtype.
    pub(super) fn greatest_size(self, code: DTypeCode) -> usize {
        let via = code.custom_index().and_then(|at| casts(self.0[at].dtype)?.via()).and_then(DTypeCode::of);
        let size = |code: DTypeCode| match code.custom_index() {
            // An 8-bit float is cast through f32.
            None if code.standard_size() == 1 && matches!(code.standard().kind(), Kind::Float) => 4,
            _ => self.size(code),
        };
        size(code).max(via.map_or(1, size))
    }
}
