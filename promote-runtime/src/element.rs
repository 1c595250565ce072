//! Elements: the Rust types of dtypes, their form in memory and their form in registers.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only if all of it is inlined")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use half::f16;
use num_complex::Complex;

use crate::DType;
use crate::Number;
use crate::each;
use crate::formats::half as half_forms;
use crate::formats::narrow::{Binary16, Brain16, E4M3, E5M2, Nan, Narrow, Overflow};
use crate::level::Lanes;

/// A type whose values are the elements of arrays.
///
/// The standard dtypes have `bool`, Rust's integers and floats, `half::f16`, `half::bf16`, `float8::F8E4M3`,
/// `float8::F8E5M2`, and `num_complex::Complex` of `f16`, `f32` and `f64`. `#[derive(Element)]` makes a
/// newtype the element type of a custom dtype.
///
/// ```
/// use promote::{DType, Element};
///
/// fn dtype_of<T: Element>(_: &[T]) -> DType {
///     T::DTYPE
/// }
/// assert_eq!(dtype_of(&[1.0_f32]), DType::F32);
/// ```
///
/// # Safety
///
/// - `Self` and [`Element::Repr`] have the size of [`Element::DTYPE`] and equal alignments, which divide that
///   of the dtype; all their bytes are always initialised, so there is no padding;
/// - every bit pattern is a valid `Repr`;
/// - every bit pattern is a valid `Self`, unless the dtype is [`DType::Bool`], for which the bytes 0 and 1
///   are valid;
/// - [`Element::to_repr`], [`Element::store`] and [`Element::store_block`] return or write the bytes of a
///   valid `Self`: for [`DType::Bool`], 0 or 1;
/// - an overridden [`Element::store_block`] writes every element of `out`, if `regs` and `out` have one
///   length;
/// - any two element types of one dtype are interchangeable in memory: they have the same alignment, and what
///   is written as the one may be read as the other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element of any dtype",
    label = "no dtype is known for this type",
    note = "generic code needs a bound for each op, and its result is an `OpOutput`: `Torch: Compute<op::Add, (A, B)>`",
    note = "a result that is `Promoted` is part of the bound: `Torch: Compute<op::Add, (A, B), Output = Promoted<A, B>>`",
    note = "a newtype becomes an element with `#[derive(Element)]`"
)]
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The dtype.
    const DTYPE: DType;

    /// A proof of the type's layout, written by `#[derive(Element)]`. An impl by hand promises the layout by
    /// `unsafe impl`, and keeps this default.
    #[doc(hidden)]
    const LAYOUT: ElementLayout<Self> = ElementLayout(PhantomData);

    /// The form in memory: `u8` for `bool`, because any byte other than 0 is true there; otherwise the type
    /// itself.
    type Repr: Copy + Send + Sync + 'static;

    /// The form in registers: `f32` for 16-bit and 8-bit floats, `Complex<f32>` for c32, otherwise the type
    /// itself.
    type Reg: Register;

    /// The type itself. rustc does not check bounds on it for a type that is not an element, and so reports
    /// only once that the type is not an element.
    #[doc(hidden)]
    type Itself: Element<Reg = Self::Reg>;

    /// True if the register form represents more values than the type.
    #[doc(hidden)]
    const NARROW: bool = false;

    /// True for [`Weak`](crate::Weak) types: numbers without a width, and weak results.
    const WEAK: bool = false;

    /// True if [`Element::store_block`] is much faster than [`Element::store`] in a loop.
    #[doc(hidden)]
    const STORE_IN_BLOCKS: bool = false;

    /// Converts from the form in memory.
    fn from_repr(repr: Self::Repr) -> Self;

    /// Converts to the form in memory.
    fn to_repr(self) -> Self::Repr;

    /// Returns the number without a width of a [`Weak`](crate::Weak) element; `None` for other elements.
    #[inline]
    fn number(self) -> Option<Number> {
        None
    }

    /// Converts from the form in memory to the register form, exactly.
    #[doc(hidden)]
    fn load<L: Lanes>(lanes: L, repr: Self::Repr) -> Self::Reg;

    /// Converts from the register form to the form in memory, rounding once to nearest even.
    #[doc(hidden)]
    fn store<L: Lanes, W: Overflow>(lanes: L, reg: Self::Reg) -> Self::Repr;

    /// Rounds to the nearest value of this type, ties to even, and returns it in the register form: a store
    /// and a load.
    #[doc(hidden)]
    #[inline(always)]
    fn quantise<W: Overflow>(reg: Self::Reg) -> Self::Reg {
        reg
    }

    /// Stores a slice of elements; `regs` and `out` have the same length.
    #[doc(hidden)]
    #[inline(always)]
    fn store_block<L: Lanes, W: Overflow>(lanes: L, regs: &[Self::Reg], out: &mut [MaybeUninit<Self::Repr>]) {
        each::zip(out, regs, |out, reg| {
            out.write(Self::store::<L, W>(lanes, *reg));
        });
    }
}

/// A proof that `T` has the memory layout of an element.
///
/// [`ElementLayout::wraps`] makes one for a type with a single field, after comparing sizes and alignments.
/// It does not check that its function takes `T` apart: `#[derive(Element)]` writes a function with an
/// exhaustive pattern. Since [`Element::LAYOUT`] names this type, a macro that implements [`Element`] cannot
/// do so without one, whatever the paths in its input resolve to.
#[derive(Debug)]
pub struct ElementLayout<T>(PhantomData<fn(T) -> T>);

impl<T: Element> ElementLayout<T> {
    /// Returns the layout of a type with one field. The argument is a function that returns the field.
    ///
    /// Every bit pattern is a value of `F`, which has no padding. A type of the size and alignment of `F`,
    /// whose only field is an `F`, has neither padding nor invalid bit patterns.
    ///
    /// # Panics
    ///
    /// Panics if size or alignment of `T` differ from those of its field or its dtype. In a `const` that is a
    /// compile error.
    pub const fn wraps<F: AnyBits>(_: fn(T) -> F) -> ElementLayout<T> {
        assert!(size_of::<T>() == size_of::<F>(), "an element has the size of its field");
        assert!(align_of::<T>() == align_of::<F>(), "an element has the alignment of its field");
        let DType::Custom(dtype) = T::DTYPE else {
            panic!("the dtype of a newtype is a custom one");
        };
        assert!(dtype.bits() as usize == 8 * size_of::<T>(), "an element has the size of its dtype");
        assert!(dtype.align() == align_of::<T>(), "an element has the alignment of its dtype");
        ElementLayout(PhantomData)
    }
}

/// An element type that `#[derive(Element)]` can wrap: every bit pattern is a value.
#[diagnostic::on_unimplemented(
    message = "an element cannot wrap `{Self}`",
    label = "not every bit pattern is a value of this type, or it is not an element",
    note = "wrap an integer, a float or a complex number of floats, or another type with `#[derive(Element)]`"
)]
pub trait AnyBits: Element<Repr = Self> {}

#[diagnostic::do_not_recommend]
impl<T: Element<Repr = T>> AnyBits for T {}

/// Fails to compile if an element type breaks the first point of its safety contract, as far as sizes and
/// alignments show.
#[cfg(feature = "kernels")]
#[inline(always)]
pub(crate) const fn check_layout<T: Element>() {
    const {
        let _ = T::LAYOUT;
        let (size, align) = (size_of::<T>(), align_of::<T>());
        assert!(
            size == size_of::<T::Repr>() && align == align_of::<T::Repr>(),
            "an element has the layout of its `Repr`"
        );
        assert!(
            matches!(T::DTYPE.size(), Some(expected) if expected == size),
            "an element has the size of its dtype"
        );
        let expected = T::DTYPE.align();
        assert!(
            expected > 0 && expected.is_multiple_of(align),
            "the alignment of an element divides that of its dtype"
        );
    }
}

/// A type that is its own register form.
pub trait Register: Element<Reg = Self> {}

impl<T: Element<Reg = T>> Register for T {}

/// Implements [`Element`] for a type, which becomes the form in memory by `$to` and is made of it by `$from`.
macro_rules! element {
    // A type that is its own register form.
    ($ty:ty => $dtype:ident, $repr:ty, |$memory:ident| $from:expr, |$value:ident| $to:expr) => {
        element! { $ty => $dtype, $repr, Self, |$memory| $from, |$value| $to,
            #[inline(always)]
            fn load<L: Lanes>(_: L, $memory: $repr) -> Self {
                $from
            }

            #[inline(always)]
            fn store<L: Lanes, W: Overflow>(_: L, $value: Self) -> $repr {
                $to
            }
        }
    };
    (
        $ty:ty => $dtype:ident, $repr:ty, $reg:ty, |$memory:ident| $from:expr, |$value:ident| $to:expr,
        $($rest:tt)*
    ) => {
        // SAFETY: the type has the size and the alignment of its `DType`, or half of the alignment on some
        // 32-bit machines, and no padding. Every bit pattern is valid, or of `bool` 0 and 1, which are all
        // that `$to` makes of one, so other element types may share its memory. `narrow_block`, by which
        // `store_block` is overridden, writes as many elements as the shorter slice has.
        unsafe impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
            type Repr = $repr;
            type Reg = $reg;
            type Itself = Self;

            #[inline(always)]
            fn from_repr($memory: $repr) -> Self {
                $from
            }

            #[inline(always)]
            fn to_repr(self) -> $repr {
                let $value = self;
                $to
            }

            $($rest)*
        }
    };
}

macro_rules! registers {
    (
        {}
        typed [
            bool $bool:tt
            integer [$($integer:ident $integer_ty:ident $integer_row:tt)*]
            narrow_float $narrow_float:tt
            float [$($float:ident $float_ty:ident $float_row:tt)*]
            narrow_complex $narrow_complex:tt
            complex $complex:tt
        ]
        untyped $untyped:tt
    ) => {
        registers! { $($integer_ty => $integer)* $($float_ty => $float)* }
    };
    ($($ty:ty => $dtype:ident)*) => {
        $(element! { $ty => $dtype, Self, |repr| repr, |reg| reg })*
    };
}

// Integers and floats are Rust's of these names.
promote_core::__dtypes! { registers {} }
registers! { Complex<f32> => C64 Complex<f64> => C128 }
element! { bool => Bool, u8, |repr| repr != 0, |reg| reg as u8 }

// Types that are not Rust's own have the name of their dtype's variant for `types`. Documentation prints an
// alias by its own name, so those of other crates are imported.
pub(crate) type C32 = Complex<f16>;
pub(crate) type C64 = Complex<f32>;
pub(crate) type C128 = Complex<f64>;
pub use float8::{F8E4M3 as F8E4M3FN, F8E5M2};
pub use half::{bf16 as BF16, f16 as F16};

/// Implements [`Element`] for floats by their formats: one for loads, and one for stores.
macro_rules! narrow {
    ($($ty:ty => $dtype:ident, $bits:ident, $load:ty, $store:ty;)*) => {$(
        element! { $ty => $dtype, Self, f32, |repr| repr, |x| x,
            const NARROW: bool = true;

            #[inline(always)]
            fn load<L: Lanes>(_: L, repr: Self) -> f32 {
                <$load>::decode(repr.to_bits() as u32)
            }

            #[inline(always)]
            fn store<L: Lanes, W: Overflow>(_: L, reg: f32) -> Self {
                Self::from_bits(<$store>::encode(reg) as $bits)
            }

            #[inline(always)]
            fn quantise<W: Overflow>(reg: f32) -> f32 {
                <$store>::quantise(reg)
            }
        }
    )*};
}

narrow! {
    half::bf16 => BF16, u16, Brain16, Brain16;
    float8::F8E4M3 => F8E4M3FN, u8, E4M3<Nan>, E4M3<W>;
    float8::F8E5M2 => F8E5M2, u8, E5M2, E5M2;
}

element! { half::f16 => F16, Self, f32, |repr| repr, |x| x,
    const NARROW: bool = true;
    const STORE_IN_BLOCKS: bool = true;

    #[inline(always)]
    fn load<L: Lanes>(lanes: L, repr: Self) -> f32 {
        half_forms::widen(lanes, repr)
    }

    #[inline(always)]
    fn store<L: Lanes, W: Overflow>(_: L, reg: f32) -> Self {
        half_forms::narrow(reg)
    }

    #[inline(always)]
    fn quantise<W: Overflow>(reg: f32) -> f32 {
        Binary16::quantise(reg)
    }

    #[inline(always)]
    fn store_block<L: Lanes, W: Overflow>(lanes: L, regs: &[f32], out: &mut [MaybeUninit<Self>]) {
        half_forms::narrow_block(lanes, regs, out);
    }
}

element! { Complex<f16> => C32, Self, Complex<f32>, |repr| repr, |x| x,
    const NARROW: bool = true;
    const STORE_IN_BLOCKS: bool = true;

    #[inline(always)]
    fn load<L: Lanes>(lanes: L, repr: Self) -> Complex<f32> {
        Complex { re: half_forms::widen(lanes, repr.re), im: half_forms::widen(lanes, repr.im) }
    }

    #[inline(always)]
    fn store<L: Lanes, W: Overflow>(_: L, reg: Complex<f32>) -> Self {
        Complex { re: half_forms::narrow(reg.re), im: half_forms::narrow(reg.im) }
    }

    #[inline(always)]
    fn quantise<W: Overflow>(reg: Complex<f32>) -> Complex<f32> {
        Complex { re: Binary16::quantise(reg.re), im: Binary16::quantise(reg.im) }
    }

    #[inline(always)]
    fn store_block<L: Lanes, W: Overflow>(lanes: L, regs: &[Complex<f32>], out: &mut [MaybeUninit<Self>]) {
        let parts = regs.len().min(out.len()) * 2;
        // SAFETY: `Complex` is `repr(C)` with two parts of one type, so a slice of it is a slice of twice as
        // many parts.
        let regs = unsafe { core::slice::from_raw_parts(regs.as_ptr().cast::<f32>(), parts) };
        // SAFETY: as above; the parts may be uninitialised, too.
        let out = unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr().cast::<MaybeUninit<f16>>(), parts) };
        half_forms::narrow_block(lanes, regs, out);
    }
}
