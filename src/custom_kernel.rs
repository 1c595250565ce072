//! Custom kernels on types. The code that `#[kernel]` emits calls these traits.

use promote_runtime::__private::Register;
use promote_runtime::__private::convert::Convert;
use promote_runtime::__private::kernel::ops::{KernelType, OpLane};
#[cfg(feature = "kernels")]
use promote_runtime::__private::kernel::{CallError, CallFused, KernelInput, Levels};
use promote_runtime::__private::lanes::{ScalarInput, enter_scalar, eval_scalars};
use promote_runtime::{ConvertTo, Element};

use crate::PromoteAll;

/// The dtypes of a custom kernel under the rule set `R` for inputs that promote to `C`.
pub trait KernelRule<R, C> {
    /// The type that all inputs are converted to.
    type Common: Element;
    /// The type that the body computes in.
    type Compute: Element;
    /// The type of the result.
    type Output: Element;
    /// The op whose semantics the casts of inputs and results follow.
    type Semantics: KernelType;
}

/// A custom kernel on single elements of the types `Inputs` under the rule set `R`.
#[diagnostic::on_unimplemented(
    message = "the kernel `{Self}` does not compute on `{Inputs}` under `{R}`",
    label = "these types do not promote, or the body does not compute in their common dtype"
)]
pub trait ComputeKernel<R, Inputs> {
    /// The type of the result.
    type Output;

    /// Converts the inputs, computes, and rounds the result once.
    fn compute(inputs: Inputs) -> Self::Output;
}

/// The result type of the custom kernel `K` for single elements of the types `Inputs` under the rule set `R`.
pub type KernelOutput<K, R, Inputs> = <K as ComputeKernel<R, Inputs>>::Output;

/// The SIMD levels for which a custom kernel is compiled.
#[cfg(feature = "kernels")]
pub trait KernelLevels {
    /// The level tokens.
    type Levels: Levels;
    /// The body, `PerLane` or `Vectors` of the kernel.
    type Body;
}

/// A custom kernel on slices and on single elements, which are broadcast, under the rule set `R`.
#[cfg(feature = "kernels")]
#[diagnostic::on_unimplemented(
    message = "the kernel `{Self}` does not compute on `{Inputs}` under `{R}`",
    label = "these are not slices or elements that promote, or the body does not compute in their common dtype"
)]
pub trait CallKernel<R, Inputs> {
    /// The type of the results.
    type Output;

    /// Computes every element of `out`.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves `out` unchanged, if the length of a slice differs from that of `out`.
    fn call(inputs: Inputs, out: &mut [Self::Output]) -> Result<(), CallError>;
}

macro_rules! inputs {
    ($count:literal: $($ty:ident $i:tt)*) => {
        impl<K, R, Joined, $($ty),*> ComputeKernel<R, ($($ty,)*)> for K
        where
            $($ty: ScalarInput<Item: ConvertTo<K::Common>>,)*
            ($($ty::Item,)*): PromoteAll<R, Output = Joined>,
            K: KernelRule<R, Joined> + OpLane<K::Compute, [K::Compute; $count], Out = K::Compute>,
            <K::Common as Element>::Reg: Convert<K::Compute>,
            K::Compute: Register + Convert<<K::Output as Element>::Reg>,
        {
            type Output = K::Output;

            #[inline]
            fn compute(inputs: ($($ty,)*)) -> K::Output {
                let inputs = [$(enter_scalar::<<K::Semantics as KernelType>::Overflow, $ty::Item, K::Common, K::Compute>(inputs.$i.item())),*];
                eval_scalars::<K, K::Compute, K::Output, K::Semantics, $count>(inputs)
            }
        }

        #[cfg(feature = "kernels")]
        impl<K, R, Joined, $($ty),*> CallKernel<R, ($($ty,)*)> for K
        where
            $($ty: KernelInput,)*
            ($($ty::Item,)*): PromoteAll<R, Output = Joined>,
            K: KernelRule<R, Joined> + KernelLevels,
            ($($ty,)*): CallFused<K::Body, K::Common, K::Compute, K::Output, K::Semantics>,
        {
            type Output = K::Output;

            #[inline]
            fn call(inputs: ($($ty,)*), out: &mut [K::Output]) -> Result<(), CallError> {
                inputs.call_fused::<K::Levels>(out)
            }
        }
    };
}

inputs! { 1: A 0 }
inputs! { 2: A 0 B 1 }
inputs! { 3: A 0 B 1 C 2 }
inputs! { 4: A 0 B 1 C 2 D 3 }

/// Emits the bodies of a kernel, one for each register form in which numbers of its bound are computed, and
/// the op as a type.
#[doc(hidden)]
#[macro_export]
macro_rules! __bodies {
    (
        { arithmetic $($rest:tt)* }
        bool $bool:tt integer [$($integer:ident)*] float [$($float:ident)*] complex [$($complex:ident)*]
    ) => {
        $crate::__bodies! { @in [$($integer)* $($float)* $($complex)*] $($rest)* }
    };
    (
        { ordered $($rest:tt)* }
        bool $bool:tt integer [$($integer:ident)*] float [$($float:ident)*] complex $complex:tt
    ) => {
        $crate::__bodies! { @in [$($integer)* $($float)*] $($rest)* }
    };
    (
        { floating $($rest:tt)* }
        bool $bool:tt integer $integer:tt float $floats:tt complex $complex:tt
    ) => {
        $crate::__bodies! { @in $floats $($rest)* }
    };
    (@in [$($ty:ident)*] $op:ident $count:literal $body:ident $name:literal $like:expr) => {
        $(
            impl __p::ops::OpLane<__p::t::$ty, [__p::t::$ty; $count]> for $op {
                type Out = __p::t::$ty;

                #[inline(always)]
                fn apply<L: __p::Lanes>(lanes: L, inputs: [__p::t::$ty; $count]) -> __p::t::$ty {
                    $body(inputs.map(|input| __p::lanes::Num::new(lanes, input))).get()
                }
            }
        )*

        __p::if_kernels! {
            impl __p::KernelLevels for $op {
                type Levels = __levels::Levels;
                type Body = __p::PerLane<$op>;
            }
        }

        impl __p::OpType for $op {
            const OP: __p::Op = {
                static CUSTOM: __p::CustomOp = __p::with_bodies! {
                    __p::CustomOp::new($name, $count, $like),
                    &[$(__p::UserEntry::new::<__levels::Levels, $op, __p::t::$ty, $count>()),*]
                };
                __p::Op::Custom(&CUSTOM)
            };
        }
    };
    ($bound:ident $($rest:tt)*) => {
        $crate::__private::register_dtypes! { $crate::__bodies { $bound $($rest)* } }
    };
}

/// Emits the parts of a `#[kernel(simd)]` other than its
/// [`SimdBody`](promote_runtime::__private::kernel::SimdBody): the op as a type, its kernels, and the lane of
/// single elements.
#[cfg(feature = "kernels")]
#[doc(hidden)]
#[macro_export]
macro_rules! __simd_body {
    ($op:ident $number:ident $count:literal $name:literal $like:expr) => {
        impl __p::ops::OpLane<__p::t::$number, [__p::t::$number; $count]> for $op {
            type Out = __p::t::$number;

            #[inline(always)]
            fn apply<L: __p::Lanes>(_: L, inputs: [__p::t::$number; $count]) -> __p::t::$number {
                <$op as __p::SimdBody<__p::t::$number, $count>>::eval(__p::pulp::Scalar, inputs)
            }
        }

        impl __p::KernelLevels for $op {
            type Levels = __levels::Levels;
            type Body = __p::Vectors<$op>;
        }

        impl __p::OpType for $op {
            const OP: __p::Op = {
                static CUSTOM: __p::CustomOp = __p::with_bodies! {
                    __p::CustomOp::new($name, $count, $like),
                    &[__p::UserEntry::simd::<__levels::Levels, $op, __p::t::$number, $count>()]
                };
                __p::Op::Custom(&CUSTOM)
            };
        }
    };
}
