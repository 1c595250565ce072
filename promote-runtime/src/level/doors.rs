//! The token types of a module with kernels, and the functions (doors) through which pointers enter them.
//!
//! Every module with kernels has token types of its own, made by [`__levels!`](crate::__levels). rustc
//! compiles a generic function in the codegen unit of its type, so the modules spread over codegen units.

use core::mem::MaybeUninit;

use super::function::{Pointers, RawKernel, Status};
use super::tokens::PulpToken;
use super::{Lanes, Level};

/// A kernel that writes its results in a loop.
pub trait Loop: 'static {
    /// A result in memory.
    type To: Copy;

    /// Writes every element of `out`.
    ///
    /// # Safety
    ///
    /// There are as many inputs as the loop has. Each points to aligned, initialised elements of the type
    /// that the loop reads, as many as `out` has, or one that is broadcast.
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<Self::To>]);
}

/// A kernel that does more than a [`Loop`], for every level.
pub trait Body: 'static {
    /// Computes `n` elements.
    ///
    /// # Safety
    ///
    /// - there are as many inputs as the body has;
    /// - each points to `n` elements of its dtype, aligned and initialised, and `out` to room for `n` of the
    ///   output's;
    /// - `out` overlaps none of the inputs; it may be null if the op may trap.
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: Pointers, out: *mut u8) -> Status;
}

/// A token type with its doors.
///
/// # Safety
///
/// As [`Lanes`]. `enter` and `enter_body` run the loop or the body with the instructions of [`Lanes::LEVEL`],
/// and need no others. Each machine that has the level has that of [`Target::Lanewise`], too.
pub unsafe trait Target: Lanes<Shared: PulpToken> {
    /// The token for code that computes lane by lane.
    type Lanewise: Target;

    /// Runs a loop: a [`RawKernel`](super::function::RawKernel).
    ///
    /// # Safety
    ///
    /// The machine has the level [`Lanes::LEVEL`]. As [`Loop::fill`] for `n` elements; `out` points to
    /// aligned room for `n` results, which overlaps no input that the loop reads. A loop that computes in
    /// place reads its first input through `out`.
    unsafe fn enter<P: Loop>(
        n: usize,
        first: *const u8,
        second: *const u8,
        more: *const *const u8,
        out: *mut u8,
    ) -> Status;

    /// Runs a body: a [`RawKernel`](super::function::RawKernel).
    ///
    /// # Safety
    ///
    /// The machine has the level [`Lanes::LEVEL`]. As [`Body::run`].
    unsafe fn enter_body<B: Body>(
        n: usize,
        first: *const u8,
        second: *const u8,
        more: *const *const u8,
        out: *mut u8,
    ) -> Status;
}

macro_rules! bundle {
    ({} $($doc:literal $name:ident $text:literal rare $rare:ident $features:tt)*) => {
        /// The token types of one module, one for each level.
        ///
        /// A token of another level is a compile error as soon as kernels are made of it:
        ///
        /// ```compile_fail,E0080
        /// # #![allow(missing_docs)]
        /// mod tokens {
        ///     promote_runtime::__levels! {}
        /// }
        /// struct Swapped;
        /// impl promote_runtime::__private::kernel::Levels for Swapped {
        ///     type Scalar = tokens::Scalar;
        ///     type V3 = tokens::V4;
        ///     type V4 = tokens::V4;
        /// }
        /// use promote_runtime::__private::kernel::{Entry, ops};
        /// static ENTRY: Entry = Entry::same::<Swapped, ops::Add<0>, f32, f32>();
        /// # fn main() {}
        /// ```
        pub trait Levels: 'static {
            /// For [`Level::BASE`].
            type Scalar: Target;
            $(
                #[doc = $doc]
                #[cfg(target_arch = "x86_64")]
                type $name: Target;
            )*
        }

        /// Stops the compilation if a token of the bundle is that of another level.
        #[inline(always)]
        pub(crate) const fn check_levels<S: Levels>() {
            const {
                assert!(S::Scalar::LEVEL as u8 == Level::BASE as u8, "`Scalar` is no token of `Level::BASE`");
                $(
                    #[cfg(target_arch = "x86_64")]
                    assert!(
                        S::$name::LEVEL as u8 == Level::$name as u8,
                        concat!("`", stringify!($name), "` is no token of its level")
                    );
                )*
            }
        }

        /// Returns the doors of a loop, in the order of [`Level::ALL`].
        pub(crate) const fn loop_doors<S: Levels, P: Loop>() -> [RawKernel; LEVELS] {
            check_levels::<S>();
            [
                <S::Scalar as Target>::enter::<P>,
                $(
                    #[cfg(target_arch = "x86_64")]
                    <S::$name as Target>::enter::<P>,
                )*
            ]
        }

        /// Returns the doors of a body, in the order of [`Level::ALL`].
        pub(crate) const fn body_doors<S: Levels, B: Body>() -> [RawKernel; LEVELS] {
            check_levels::<S>();
            [
                <S::Scalar as Target>::enter_body::<B>,
                $(
                    #[cfg(target_arch = "x86_64")]
                    <S::$name as Target>::enter_body::<B>,
                )*
            ]
        }

        /// The tokens that all modules share: those of `level`, with doors.
        #[allow(dead_code, reason = "not every machine needs all of them")]
        pub mod tokens {
            #[cfg(target_arch = "x86_64")]
            pub use crate::level::tokens::{$($name),*};

            crate::__levels! { @all shared }
        }
    };
}

/// The number of levels of this compile target.
pub(crate) const LEVELS: usize = Level::ALL.len();

crate::__level_rows! { bundle {} }

/// Defines the token types `Scalar`, `V3`, `V4` and their bundle `Levels` in the module where it is called.
///
/// Each wraps the token that all modules share, which pulp detects. Levels and instructions are the rows of
/// [`__level_rows!`](crate::__level_rows). The doors do not use pulp's `vectorize`, which passes pointers as
/// integers, so that LLVM interleaves loops less.
#[doc(hidden)]
#[macro_export]
macro_rules! __levels {
    (mod $module:ident) => {
        mod $module {
            $crate::__levels! {}
        }
    };
    () => {
        $crate::__levels! { @all own }
    };
    (@all $tokens:ident) => {
        $crate::__levels! { @wrap Scalar Scalar, $crate::__private::Scalar, [], $crate::__private::Scalar }
        $crate::__level_rows! { $crate::__levels { $tokens } }
    };
    (
        { $tokens:ident }
        $($doc:literal $name:ident $text:literal rare $rare:ident [$($field:ident $feature:tt,)*])*
    ) => {
        $(
            #[cfg(target_arch = "x86_64")]
            $crate::__levels! { @$tokens $name $rare [$(#[target_feature(enable = $feature)])*] }
        )*

        /// The token types of this module.
        #[doc(hidden)]
        pub struct Levels;

        impl $crate::__private::kernel::Levels for Levels {
            type Scalar = Scalar;
            $(
                #[cfg(target_arch = "x86_64")]
                type $name = $name;
            )*
        }
    };
    (@shared $name:ident $rare:ident $features:tt) => {
        $crate::__levels! {
            @doors $name $rare $features
            // SAFETY: the caller promises that the machine has the level.
            unsafe { <$name>::new_unchecked() }
        }
    };
    (@own $name:ident $rare:ident $features:tt) => {
        $crate::__levels! {
            @wrap $name $rare, $crate::__private::tokens::$name, $features,
            // SAFETY: the caller promises that the machine has the level.
            unsafe { <$crate::__private::tokens::$name>::new_unchecked() }
        }
    };
    (@wrap $name:ident $rare:ident, $shared:ty, $features:tt, $made:expr) => {
        #[doc(hidden)]
        #[derive(Clone, Copy)]
        pub struct $name($shared);

        // SAFETY: a value of the type holds one of the shared token, whose level it is.
        unsafe impl $crate::__private::Lanes for $name {
            type Shared = $shared;
            const LEVEL: $crate::Level = <$shared as $crate::__private::Lanes>::LEVEL;

            #[inline(always)]
            fn shared(self) -> $shared {
                self.0
            }
        }

        $crate::__levels! { @doors $name $rare $features $name($made) }
    };
    // The door itself calls the loop: rustc inlines nothing into a function with target features, so anything
    // in between would be one more function for each kernel.
    (@doors $name:ident $rare:ident [$($attribute:tt)*] $lanes:expr) => {
        // SAFETY: the doors run the loop or the body with all the features of the token's level.
        unsafe impl $crate::__private::kernel::Target for $name {
            type Lanewise = $rare;

            $($attribute)*
            unsafe fn enter<P: $crate::__private::kernel::Loop>(
                n: ::core::primitive::usize,
                first: *const ::core::primitive::u8,
                second: *const ::core::primitive::u8,
                more: *const *const ::core::primitive::u8,
                out: *mut ::core::primitive::u8,
            ) -> $crate::__private::kernel::Status {
                let lanes = $lanes;
                let inputs = $crate::__private::kernel::Pointers::new(first, second, more);
                // SAFETY: the caller promises room for `n` results, which need not be initialised and overlap
                // no input, and what the loop asks for.
                unsafe { P::fill(lanes, inputs, ::core::slice::from_raw_parts_mut(out.cast(), n)) };
                $crate::__private::kernel::Status::Done
            }

            $($attribute)*
            unsafe fn enter_body<B: $crate::__private::kernel::Body>(
                n: ::core::primitive::usize,
                first: *const ::core::primitive::u8,
                second: *const ::core::primitive::u8,
                more: *const *const ::core::primitive::u8,
                out: *mut ::core::primitive::u8,
            ) -> $crate::__private::kernel::Status {
                let lanes = $lanes;
                let inputs = $crate::__private::kernel::Pointers::new(first, second, more);
                // SAFETY: the caller promises what the body asks for.
                unsafe { B::run(lanes, n, inputs, out) }
            }
        }
    };
}
