//! Custom dtypes: the casts of their elements, and the kernels that a rule set has for them.
//!
//! An op has a kernel for operands of the dtype alone. Other operands are cast in blocks, through the
//! standard dtype that [`CastVia`] names, so a dtype needs two casts and not one for each other dtype.

pub(super) mod probe;

use super::RawKernel;
use super::casts::{CastTo, is_8_bit_float};
use super::per_level::PerLevel;
use super::signature::{DTypeCode, KernelSignature};
use crate::convert::{ConvertTo, Nan};
use crate::custom::{CastVia, CustomElement, ViaOf, dtype};
use crate::element::{Element, check_layout};
use crate::level::Level;
use crate::level::doors::Levels;
use crate::ops::KernelOp;
use crate::table::is_dtype;
use crate::{CustomDType, DType, OpTypes};

/// The casts of a custom dtype.
#[derive(Debug)]
pub struct CustomCasts {
    /// The standard dtype that casts go through, the cast to it and the cast from it.
    via: Option<(DType, PerLevel, PerLevel)>,
    /// The direct casts from other custom dtypes.
    from: &'static [CustomCast],
    bits: usize,
    align: usize,
}

/// The cast from one custom dtype to another.
#[derive(Debug)]
pub struct CustomCast {
    from: DType,
    raw: PerLevel,
    /// The size and the alignment of the type that it is cast to.
    bits: usize,
    align: usize,
}

impl CustomCast {
    /// Creates the cast from `A` to `C`.
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
    /// Creates the casts of `T` through its [`CastVia::Via`], and from other types to it.
    ///
    /// # Panics
    ///
    /// Panics if one of these casts is to another type. In a `static` that is a compile error.
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

    /// Creates the casts from other types to `T` alone.
    ///
    /// # Panics
    ///
    /// Panics if one of these casts is to another type. In a `static` that is a compile error.
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

    /// Returns true if the casts are for a type of this size and alignment.
    pub(crate) const fn are_of(&self, bits: usize, align: usize) -> bool {
        self.bits == bits && self.align == align
    }

    /// Returns the standard dtype that casts go through.
    pub(crate) const fn via(&self) -> Option<DType> {
        match self.via {
            Some((via, ..)) => Some(via),
            None => None,
        }
    }

    /// Returns the standard dtype that casts go through, and the cast to it.
    pub(super) fn to_via(&'static self, level: Level) -> Option<(DType, RawKernel)> {
        let (via, to, _) = self.via.as_ref()?;
        Some((*via, to.at(level)?))
    }

    /// Returns the standard dtype that casts go through, and the cast from it.
    pub(super) fn of_via(&'static self, level: Level) -> Option<(DType, RawKernel)> {
        let (via, _, of) = self.via.as_ref()?;
        Some((*via, of.at(level)?))
    }

    /// Returns the direct cast from another custom dtype.
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

/// Returns the casts of a custom dtype, if it has any. They are for a type of its size and alignment.
pub(crate) fn casts(dtype: &CustomDType) -> Option<&'static CustomCasts> {
    let casts = dtype.casts()?.downcast_ref::<CustomCasts>();
    casts.filter(|casts| casts.are_of(dtype.bits() as usize, dtype.align()))
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

/// The kernel of an op on a custom dtype.
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

    /// Returns the function for `level`, which the caller must know the machine has.
    #[inline]
    pub(super) const fn raw(&self, level: Level) -> Option<RawKernel> {
        self.raw.at(level)
    }
}

/// The signature of a kernel whose dtypes depend on the rule set.
const UNTYPED: KernelSignature = KernelSignature::of([DTypeCode::BOOL; 2], [DTypeCode::BOOL; 3]);

/// The kernels that a rule set has for one custom dtype.
#[derive(Debug)]
pub struct CustomKernels {
    dtype: &'static CustomDType,
    /// The cast to itself.
    copy: PerLevel,
    entries: &'static [Option<CustomEntry>],
    /// The index of the entry of each op; [`NOWHERE`] if there is none.
    indices: [u8; KernelOp::COUNT],
}

impl CustomKernels {
    /// Creates the kernels of `M`.
    ///
    /// # Panics
    ///
    /// Panics if the dtype of `M` is a standard one, or if an element does not have 1, 2, 4, 8 or 16 bytes.
    /// In a `static` that is a compile error.
    pub const fn new<S: Levels, M: CustomElement>(entries: &'static [Option<CustomEntry>]) -> CustomKernels {
        check_layout::<M>();
        let size = size_of::<M>();
        assert!(size.is_power_of_two() && size <= 16, "an element has 1, 2, 4, 8 or 16 bytes");
        let DType::Custom(dtype) = M::DTYPE else {
            panic!("a standard dtype");
        };
        assert!(entries.len() < NOWHERE as usize, "there are fewer ops");
        let mut indices = [NOWHERE; KernelOp::COUNT];
        let mut i = 0;
        while i < entries.len() {
            if let Some(entry) = &entries[i] {
                indices[entry.op.index()] = i as u8;
            }
            i += 1;
        }
        CustomKernels { dtype, copy: CastTo::<M, M, Nan>::functions::<S>(true), entries, indices }
    }

    #[inline]
    pub(super) const fn dtype(&self) -> &'static CustomDType {
        self.dtype
    }

    #[inline]
    pub(super) const fn copy(&self, level: Level) -> Option<RawKernel> {
        self.copy.at(level)
    }

    /// Returns the kernel of an op with exactly these semantics.
    #[inline]
    pub(super) fn find(&self, op: KernelOp) -> Option<&'static CustomEntry> {
        let entry = self.entries.get(self.indices[op.index()] as usize)?.as_ref()?;
        (entry.op.rank() == op.rank() && entry.dtype == DType::Custom(self.dtype)).then_some(entry)
    }

    /// Returns the ops that have kernels.
    pub fn ops(&self) -> impl Iterator<Item = KernelOp> + use<> {
        self.entries.iter().flatten().map(|entry| entry.op)
    }
}

const NOWHERE: u8 = u8::MAX;

/// The dtypes that codes stand for: the standard ones that have elements, and the custom ones of a rule
/// set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dtypes(pub(super) &'static [CustomKernels]);

impl Dtypes {
    /// Returns the code of a dtype; `None` if it has no elements or is not among the custom ones.
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

    /// Returns the signature of a function of operands of two dtypes; `None` if a dtype is neither a standard
    /// one nor among the custom ones, or has no elements.
    pub(super) const fn signature(
        self,
        first: DType,
        second: DType,
        types: OpTypes,
    ) -> Option<KernelSignature> {
        match (
            self.code_by_name(first),
            self.code_by_name(second),
            self.code_by_name(types.common),
            self.code_by_name(types.compute),
            self.code_by_name(types.output),
        ) {
            (Some(first), Some(second), Some(common), Some(compute), Some(output)) => {
                Some(KernelSignature::of([first, second], [common, compute, output]))
            }
            _ => None,
        }
    }

    /// Returns the dtype of a code.
    pub(super) const fn dtype(self, code: DTypeCode) -> DType {
        match code.custom_index() {
            Some(at) => DType::Custom(self.0[at].dtype),
            None => code.standard(),
        }
    }

    /// Returns true if a code is that of a dtype.
    #[inline(always)]
    pub(super) fn is(self, code: DTypeCode, dtype: DType) -> bool {
        code.is(dtype) || code.custom_index().is_some() && self.dtype(code) == dtype
    }

    /// Returns the size of an element in bytes: a power of two from 1 to 16.
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
            None if is_8_bit_float(code.standard()) => 4,
            _ => self.size(code),
        };
        size(code).max(via.map_or(1, size))
    }
}
