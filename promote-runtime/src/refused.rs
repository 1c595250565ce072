//! Compile errors for types that look like elements but are not: `usize`, `char`, 128-bit integers,
//! references.
//!
//! These types implement [`Element`] under a bound that never holds. rustc then reports that bound, whose
//! message says what to write, instead of a list of the types that are elements.

use crate::formats::narrow::Overflow;
use crate::level::Lanes;
use crate::op::typed::{OpDTypes, OpMap};
use crate::{DType, Element};

/// A bound that never holds: its message says that `T` is not an element.
///
/// # Safety
///
/// It must have no impl. An impl for `&()` would make `T` an element with the memory of an `f32`.
#[diagnostic::on_unimplemented(
    message = "`{T}` is no element of any dtype",
    label = "convert it first: `usize` to `u64`, `char` to `u32`, a reference with `*`",
    note = "a newtype becomes an element with `#[derive(Element)]`"
)]
pub unsafe trait NotAnElement<T: ?Sized> {}

macro_rules! refused {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        // SAFETY: the bound never holds, since `NotAnElement` has no impl. So the type is never an element.
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generics)*> Element for $ty
        where
            for<'x> &'x (): NotAnElement<$ty>,
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
            for<'x> &'x (): NotAnElement<$ty>,
        {
            type Row = OpDTypes<f32, f32, f32>;
        }
    )*};
}

refused! {
    [] usize;
    [] isize;
    [] char;
    [] i128;
    [] u128;
    [T: ?Sized + Sync,] &'static T;
}
