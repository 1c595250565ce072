//! A small set of kernels, written as the macros emit them.

#![allow(unreachable_pub, reason = "the macros emit for a crate that exports")]

use promote_runtime::__private::kernel::{Entry, Kernels, Registry, ops as k, ops::KernelType};

pub type F8 = float8::F8E4M3;
pub type E5 = float8::F8E5M2;
pub type F16 = half::f16;
pub type BF16 = half::bf16;
pub type C32 = num_complex::Complex<half::f16>;
pub type C64 = num_complex::Complex<f32>;
pub type C128 = num_complex::Complex<f64>;

/// One op: rows `same M => O` and `fused A B -> C => O`, in the order of the dtypes.
macro_rules! op {
    ($module:ident $op:ty; $($form:ident $($ty:ident)* $(-> $common:ident)? => $out:ident;)*) => {
        pub mod $module {
            use super::*;
            promote_runtime::__levels! {}
            pub static REGISTRY: Registry =
                Registry::new(<$op as KernelType>::OP, &[$(&op!(@row $form $op, $($ty)* $($common)?, $out)),*]);
            const _: () = REGISTRY.check();
        }
    };
    (@row same $op:ty, $m:ident, $out:ident) => { Entry::same::<Levels, $op, $m, $out>() };
    (@row fused $op:ty, $a:ident $b:ident $c:ident, $out:ident) => { Entry::fused::<Levels, $op, $a, $b, $c, $out>(&[]) };
}

op! { add k::Add;
    same bool => bool;
    fused bool u8 -> u8 => u8;
    fused bool F16 -> F16 => F16;
    same u8 => u8;
    fused u8 i32 -> i32 => i32;
    fused u8 f32 -> f32 => f32;
    same u16 => u16;
    same u32 => u32;
    same u64 => u64;
    fused u64 i64 -> f64 => f64;
    fused u64 F16 -> F16 => F16;
    fused u64 f64 -> f64 => f64;
    same i8 => i8;
    fused i8 f32 -> f32 => f32;
    same i16 => i16;
    same i32 => i32;
    fused i32 F8 -> F8 => F8;
    fused i32 E5 -> E5 => E5;
    fused i32 BF16 -> BF16 => BF16;
    fused i32 C64 -> C64 => C64;
    same i64 => i64;
    fused i64 f32 -> f32 => f32;
    fused F8 F8 -> F8 => F8;
    fused E5 E5 -> E5 => E5;
    fused F16 F16 -> F16 => F16;
    fused F16 BF16 -> f32 => f32;
    fused F16 f32 -> f32 => f32;
    fused F16 C32 -> C32 => C32;
    fused BF16 BF16 -> BF16 => BF16;
    same f32 => f32;
    fused f32 f64 -> f64 => f64;
    same f64 => f64;
    fused f64 C32 -> C32 => C32;
    fused f64 C64 -> C128 => C128;
    same C64 => C64;
    same C128 => C128;
}

op! { add_saturating k::Add<{ promote_runtime::__private::semantics::OVERFLOW_SATURATE }>;
    fused i32 F8 -> F8 => F8;
    fused F8 F8 -> F8 => F8;
}

op! { subtract k::Subtract;
    same u8 => u8;
    fused u8 F16 -> F16 => F16;
    same i8 => i8;
    same i32 => i32;
    fused i32 F16 -> F16 => F16;
    same i64 => i64;
    fused f32 i8 -> f32 => f32;
    same f32 => f32;
    same f64 => f64;
    same C64 => C64;
    same C128 => C128;
}

op! { multiply k::Multiply;
    same bool => bool;
    same u8 => u8;
    same i32 => i32;
    fused F16 F16 -> F16 => F16;
    same f32 => f32;
    same f64 => f64;
    fused C32 C32 -> C32 => C32;
    same C64 => C64;
    same C128 => C128;
}

op! { divide k::Divide;
    fused i8 f32 -> f32 => f32;
    fused i32 i32 -> f32 => f32;
    fused i32 i32 -> f64 => f64;
    fused BF16 BF16 -> BF16 => BF16;
    same f32 => f32;
    same f64 => f64;
    same C64 => C64;
    same C128 => C128;
}

op! { equal k::Equal;
    same bool => bool;
    same u8 => bool;
    same i64 => bool;
    fused i64 f32 -> f32 => bool;
    same f32 => bool;
    same f64 => bool;
    same C64 => bool;
    same C128 => bool;
}

op! { not_equal k::NotEqual;
    same bool => bool;
    same f32 => bool;
    same f64 => bool;
    same C64 => bool;
    same C128 => bool;
}

op! { less k::Less;
    same bool => bool;
    same u8 => bool;
    fused i8 f32 -> f32 => bool;
    same i64 => bool;
    fused F16 F16 -> F16 => bool;
    fused f32 i8 -> f32 => bool;
    same f32 => bool;
    same f64 => bool;
    same C64 => bool;
    same C128 => bool;
}

op! { less_equal k::LessEqual;
    same bool => bool;
    same f32 => bool;
    same f64 => bool;
    same C64 => bool;
    same C128 => bool;
}

op! { maximum k::Maximum;
    same bool => bool;
    fused i8 f32 -> f32 => f32;
    same i64 => i64;
    fused F16 F16 -> F16 => F16;
    fused F16 f32 -> f32 => f32;
    same f32 => f32;
    same f64 => f64;
    same C64 => C64;
    same C128 => C128;
}

op! { minimum k::Minimum;
    same bool => bool;
    same f32 => f32;
    same f64 => f64;
    same C64 => C64;
    same C128 => C128;
}

op! { floor_divide k::FloorDivide;
    same i32 => i32;
}

promote_runtime::__casts! {}

pub static KERNELS: Kernels = Kernels::new(
    &[
        &add::REGISTRY,
        &add_saturating::REGISTRY,
        &subtract::REGISTRY,
        &multiply::REGISTRY,
        &divide::REGISTRY,
        &equal::REGISTRY,
        &not_equal::REGISTRY,
        &less::REGISTRY,
        &less_equal::REGISTRY,
        &maximum::REGISTRY,
        &minimum::REGISTRY,
    ],
    Some(&casts::CASTS),
);

/// The kernels of an op that refuses operands.
pub static DIVISION: Kernels = Kernels::new(&[&floor_divide::REGISTRY], Some(&casts::CASTS));
