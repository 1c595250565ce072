//! Checks at compile time that each op of the catalogue has a lane in each dtype that its row promises.

use core::marker::PhantomData;

use promote_core::NumberKind;

#[allow(clippy::wildcard_imports, reason = "all ops of the catalogue")]
use super::*;
use crate::types;
use crate::{DType, Element, Op};

/// Tells by its constant if `K` has a lane of the arguments `Args` in the register form `M`.
struct Probe<K, M, Args>(PhantomData<(K, M, Args)>);

/// The constant for types without the inherent constant of [`Probe`].
trait Absent {
    const LANE: bool = false;
}

impl<T> Absent for T {}

impl<K: OpLane<M, Args>, M, Args> Probe<K, M, Args> {
    const LANE: bool = true;
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
                lanes!(@has $op $ty 1) || lanes!(@has $op $ty 2) || lanes!(@has $op $ty 3) || lanes!(@has $op $ty 4)
                    || !is_promised(Op::$op, DType::$dtype),
                concat!(
                    "`", stringify!($name), "` has no lane for `", stringify!($ty), "`, although its row in ",
                    "promote-core/src/op.rs says that it computes there: write the lane in ",
                    "promote-runtime/src/ops/"
                )
            );)*)*
        };
    };
    (@has $op:ident $ty:ident 1) => { lanes!(@has $op, <types::$ty as Element>::Reg, (Reg,)) };
    (@has $op:ident $ty:ident 2) => { lanes!(@has $op, <types::$ty as Element>::Reg, (Reg, Reg)) };
    (@has $op:ident $ty:ident 3) => { lanes!(@has $op, <types::$ty as Element>::Reg, [Reg; 3]) };
    (@has $op:ident $ty:ident 4) => { lanes!(@has $op, <types::$ty as Element>::Reg, [Reg; 4]) };
    (@has $op:ident, $reg:ty, $args:ty) => {{
        type Reg = $reg;
        Probe::<$op, Reg, $args>::LANE
    }};
}

promote_core::__ops! { ops {} }
