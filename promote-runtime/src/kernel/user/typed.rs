//! Kernels of custom ops on types that the caller knows: one loop with all conversions.

use core::marker::PhantomData;

use super::ROLES;
use crate::convert::{Convert, ConvertTo};
use crate::element::{Element, Register};
use crate::error::call::CallError;
use crate::kernel::adaptors::InOpmath;
use crate::kernel::fused::check;
use crate::kernel::map::{Each, InRegister, Map, One, Reader};
use crate::kernel::per_level::PerLevel;
use crate::lanes::ScalarInput;
use crate::level::Level;
use crate::level::doors::Levels;
use crate::level::function::invoke;
use crate::memory::threads;
use crate::ops::{KernelType, OpLane};

/// An input of a typed call of a custom kernel: a slice, or one element that is broadcast.
///
/// # Safety
///
/// - While `self` is borrowed, [`KernelInput::pointer`] points to [`KernelInput::len`] elements of `Item`, or
///   to one if there is no length. They are initialised and aligned, and nothing writes to them, so no `out`
///   that is borrowed exclusively overlaps them.
/// - Each call of [`KernelInput::len`] returns the same length.
/// - The reader is [`One`] if there is no length, and [`Each`] otherwise.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no input of a kernel",
    label = "give a slice, `&x[..]`, or one element",
    note = "an element is of a standard type or of one that derives `Element`; `usize`, `isize` and `char` are none: convert them first"
)]
pub unsafe trait KernelInput: Copy {
    /// The type of the elements.
    type Item: Element;
    /// How the elements are read.
    #[doc(hidden)]
    type Reader: Reader<Item = Self::Item>;

    /// Returns the address of the first element.
    fn pointer(&self) -> *const u8;

    /// Returns the number of elements; `None` for one that is broadcast.
    fn len(&self) -> Option<usize>;

    /// Returns true if there are no elements.
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

// SAFETY: as for the slice that the vector dereferences to.
#[cfg(feature = "alloc")]
unsafe impl<T: Element> KernelInput for &alloc::vec::Vec<T> {
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

// `ScalarInput` is not what a caller wants of a `Vec`. The item is `T`, found where `T` is one alone: nothing
// is asked of a `Vec` as an item.
#[diagnostic::do_not_recommend]
// SAFETY: a reference points to one element, of the type itself.
unsafe impl<T: ScalarInput<Item = T> + Element> KernelInput for T {
    type Item = T::Item;
    type Reader = One<T::Item>;

    #[inline]
    fn pointer(&self) -> *const u8 {
        core::ptr::from_ref(self).cast()
    }

    #[inline]
    fn len(&self) -> Option<usize> {
        None
    }
}

/// The body `K` of one lane.
#[derive(Debug)]
pub struct PerLane<K>(PhantomData<K>);

/// Calls a custom kernel on typed inputs, in one loop. `K` is a body of one lane or of vectors.
pub trait CallFused<K, X, M, O, Semantics> {
    /// Computes every element of `out`.
    ///
    /// # Errors
    /// Returns an error if the length of an input is not that of `out`.
    fn call_fused<S: Levels>(self, out: &mut [O]) -> Result<(), CallError>;
}

/// Calls a loop on inputs. An input is its address, its number of elements unless it is a single element, and
/// the size of an element.
///
/// # Errors
///
/// Returns an error if the length of an input is not that of `out`.
///
/// # Safety
///
/// The functions take `N` inputs with elements of these sizes and give `O`; each input has so many elements,
/// initialised and aligned, or one, which the function broadcasts; none overlaps `out`.
pub(super) unsafe fn call_loop<O: Element, const N: usize>(
    raw: &PerLevel,
    inputs: [(*const u8, Option<usize>, usize); N],
    out: &mut [O],
) -> Result<(), CallError> {
    let n = out.len();
    for ((_, len, _), role) in inputs.into_iter().zip(ROLES) {
        if let Some(found) = len
            && found != n
        {
            return Err(CallError::Length { role, expected: n, found });
        }
    }
    let raw = raw.expect(Level::active());
    let sizes = inputs.map(|(_, len, size)| if len.is_some() { size } else { 0 });
    let inputs = inputs.map(|(pointer, ..)| pointer);
    let out: *mut u8 = out.as_mut_ptr().cast();
    let bytes = sizes.iter().sum::<usize>() + size_of::<O>();
    let part = |from: usize, n: usize| {
        let pointers: [*const u8; N] = core::array::from_fn(|i| inputs[i].wrapping_add(from * sizes[i]));
        let out = out.wrapping_add(from * size_of::<O>());
        // SAFETY: `out` has `n` elements from `from` on, every input as many elements of its type there, or
        // one that is broadcast; `out` is borrowed exclusively and overlaps none; the level in use is one
        // that the machine has.
        check(unsafe { invoke(raw, n, &pointers, out) })
    };
    // SAFETY: parts that do not overlap are written by one thread each, and all else is only read.
    unsafe { threads::each_part(n, bytes, false, part) }
}

macro_rules! fused {
    ($count:literal: $($ty:ident $i:tt)*) => {
        impl<K, X, M, O, Semantics, $($ty),*> CallFused<PerLane<K>, X, M, O, Semantics> for ($($ty,)*)
        where
            K: OpLane<M, [M; $count], Out = M>,
            X: Element<Reg: Convert<M>>,
            M: Register + Convert<O::Reg>,
            O: Element,
            Semantics: KernelType,
            $($ty: KernelInput<Item: ConvertTo<X>>,)*
        {
            fn call_fused<S: Levels>(self, out: &mut [O]) -> Result<(), CallError> {
                let raw = const {
                    &Map::<
                        InOpmath<K, M, O, Semantics>,
                        ($($ty::Reader,)*),
                        InRegister<X, Semantics::Overflow>,
                        O,
                    >::functions::<S>(true)
                };
                // SAFETY: the functions take inputs of these types and give `O`; a `KernelInput` points to as
                // many elements as it says, or to one, which its reader broadcasts.
                unsafe { call_loop(raw, [$((self.$i.pointer(), self.$i.len(), size_of::<$ty::Item>())),*], out) }
            }
        }
    };
}

fused! { 1: A 0 }
fused! { 2: A 0 B 1 }
fused! { 3: A 0 B 1 C 2 }
fused! { 4: A 0 B 1 C 2 D 3 }
