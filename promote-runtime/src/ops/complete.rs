//! Checks at compile time that each op of the catalogue has a lane in each dtype that its row promises.

use core::marker::PhantomData;

use promote_core::NumberKind;

#[allow(clippy::wildcard_imports, reason = "all ops of the catalogue")]
use super::*;
use crate::types;
use crate::{DType, Element, Op};

/// Tells by its constants if `K` has a lane in the register form `M`.
struct Probe<K, M>(PhantomData<(K, M)>);

/// The constants for types without the inherent constants of [`Probe`].
trait Absent {
    const UNARY: bool = false;
    const BINARY: bool = false;
    const EXTENDED_BY_ONE: bool = false;
    const EXTENDED_BY_TWO: bool = false;
}

impl<T> Absent for T {}

impl<K: Unary<M>, M> Probe<K, M> {
    const UNARY: bool = true;
}

impl<K: Binary<M>, M> Probe<K, M> {
    const BINARY: bool = true;
}

impl<K: Extended<M, 1>, M> Probe<K, M> {
    const EXTENDED_BY_ONE: bool = true;
}

impl<K: Extended<M, 2>, M> Probe<K, M> {
    const EXTENDED_BY_TWO: bool = true;
}

/// Returns true if the op's row says that kernels compute in the dtype itself.
const fn is_promised(op: Op, dtype: DType) -> bool {
    let (Some(kernel), Some(kind)) = (&op.info().kernel, NumberKind::of(dtype)) else { return false };
    let widened = kernel.via_c128 && matches!(dtype, DType::C64);
    if widened || dtype.register().index() != dtype.index() {
        return false;
    }
    let mut i = 0;
    while i < kernel.kinds.len() {
        if kernel.kinds[i] as u8 == kind as u8 {
            return true;
        }
        i += 1;
    }
    false
}

macro_rules! ops {
    ({} kernels [$($op:ident $name:ident { $info:expr })*] $($rest:tt)*) => {
        $(ops! { @op $op $name })*
    };
    // A choice between operands has no lane.
    (@op Where $name:ident) => {};
    (@op $op:ident $name:ident) => {
        promote_core::__dtypes! { lanes { $op $name } }
    };
}

macro_rules! lanes {
    (
        { $op:ident $name:ident }
        typed [$($group:ident [$($dtype:ident $ty:ident $row:tt)*])*]
        $($rest:tt)*
    ) => {
        const _: () = {
            $($(assert!(
                Probe::<$op, <types::$ty as Element>::Reg>::UNARY
                    || Probe::<$op, <types::$ty as Element>::Reg>::BINARY
                    || Probe::<$op, <types::$ty as Element>::Reg>::EXTENDED_BY_ONE
                    || Probe::<$op, <types::$ty as Element>::Reg>::EXTENDED_BY_TWO
                    || !is_promised(Op::$op, DType::$dtype),
                concat!(
                    "`", stringify!($name), "` has no lane for `", stringify!($ty), "`, although its row in ",
                    "promote-core/src/op.rs says that it computes there: write the lane in ",
                    "promote-runtime/src/ops/"
                )
            );)*)*
        };
    };
}

promote_core::__ops! { ops {} }
