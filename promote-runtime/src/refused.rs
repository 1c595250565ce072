//! Compile errors for types that look like elements but are not: `usize`, `char`, 128-bit integers,
//! references.
//!
//! These types implement [`Element`] under a bound that never holds. rustc then reports that bound, whose
//! message says what to write, instead of a list of the types that are elements.

use crate::formats::narrow::Overflow;
use crate::level::Lanes;
use crate::op::typed::{OpDTypes, OpMap};
use crate::{DType, Element};

/// A bound that never holds. The traits that have it as a supertrait say why `T` is not an element.
///
/// # Safety
///
/// It must have no impl. An impl for `&()` would make `T` an element with the memory of an `f32`.
pub unsafe trait NotAnElement<T: ?Sized> {}

/// A bound that never holds: its message says that the width of `T` depends on the machine.
#[diagnostic::on_unimplemented(
    message = "`{T}` is not a dtype: its width depends on the machine",
    label = "convert it first: to `u64`, `i64` or another type that is wide enough"
)]
pub trait NoWidthOfItsOwn<T>: NotAnElement<T> {}

/// A bound that never holds: its message says that `T` is not a dtype.
#[diagnostic::on_unimplemented(
    message = "`{T}` is not a dtype of any rule set",
    label = "convert it first: `char` to `u32`, a 128-bit integer to `i64`, `u64` or `f64`"
)]
pub trait NoDType<T>: NotAnElement<T> {}

/// A bound that never holds: its message says that `&T` is a reference.
#[diagnostic::on_unimplemented(
    message = "`&{T}` is a reference, and promotion takes values",
    label = "dereference it: `*x`"
)]
pub trait Reference<T: ?Sized + 'static>: NotAnElement<&'static T> {}

/// Passes the types of Rust that look like elements to a macro, references aside: integers whose width
/// depends on the machine, integers that are too wide, and others.
///
/// `__refused_types!(path::callback { arguments })` calls `path::callback! { { arguments } machine [types]
/// wide [types] other [types] }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __refused_types {
    ($($callback:ident)::+ { $($arguments:tt)* }) => {
        $($callback)::+! {
            { $($arguments)* } machine [usize isize] wide [i128 u128] other [char]
        }
    };
}

macro_rules! refused {
    ({} machine [$($machine:ident)*] wide [$($wide:ident)*] other [$($other:ident)*]) => {
        refused! {
            $([] $machine, NoWidthOfItsOwn<$machine>;)*
            $([] $wide, NoDType<$wide>;)*
            $([] $other, NoDType<$other>;)*
            [T: ?Sized + Sync,] &'static T, Reference<T>;
        }
    };
    ($([$($generics:tt)*] $ty:ty, $why:path;)*) => {$(
        // SAFETY: the bound never holds, since its supertrait `NotAnElement` has no impl. So the type is
        // never an element.
        #[doc(hidden)]
        unsafe impl<$($generics)*> Element for $ty
        where
            for<'x> &'x (): $why,
        {
            const DTYPE: DType = DType::F32;
            type Repr = f32;
            type Reg = f32;
            type Itself = f32;

            fn from_repr(_: f32) -> Self {
                unreachable!()
            }

            fn to_repr(self) -> f32 {
                unreachable!()
            }

            fn load<L: Lanes>(_: L, _: f32) -> f32 {
                unreachable!()
            }

            fn store<L: Lanes, W: Overflow>(_: L, _: f32) -> f32 {
                unreachable!()
            }
        }

        // Ops of one operand ask for a row of the type, and report the same bound.
        #[doc(hidden)]
        impl<$($generics)* __Map> OpMap<$ty> for __Map
        where
            for<'x> &'x (): $why,
        {
            type Row = OpDTypes<f32, f32, f32>;
        }
    )*};
}

__refused_types! { refused {} }
