//! Mathematical functions of `crate::math`. Those of f16 and bf16 compute in `f32`, those of c64 in c128.

use half::{bf16, f16};
use num_complex::Complex;

use super::steps::{Stepped, Steps};
use super::{
    Abs, Acos, Acosh, Angle, Asin, Asinh, Atan, Atan2, Atanh, BATCH, Binary, Cos, Cosh, Exp, Exp2, Expm1,
    FloatPower, Hypot, Ldexp, Log, Log1p, Log2, Log10, Logaddexp, Logaddexp2, Pow, Sigmoid, Sign, Sin, Sinh,
    Sqrt, Tan, Tanh, Unary, Xlogy,
};
use crate::level::Lanes;
use crate::math::batch::Batch;
use crate::math::{Function, Function2, double, double::complex, single};

/// Functions of one operand of `$ty`, as rows `Op has_fast_path rare each`. `rare` is true if operands
/// outside the fast path are computed one by one. `each` is the fast path in batches, if there is one.
macro_rules! functions {
    ($ty:ident $module:ident; $($op:ident $has_fast_path:literal $rare:literal $($each:ident)?;)*) => {$(
        impl<const SEMANTICS: u16> Unary<$ty> for $op<SEMANTICS> {
            type Out = $ty;
            const HAS_FAST_PATH: bool = $has_fast_path;
            const RARE: bool = $rare;

            #[inline(always)]
            fn in_fast_domain(a: $ty) -> bool {
                $module::$op::in_fast_domain(a)
            }

            #[inline(always)]
            fn fast_path<L: Lanes>(lanes: L, a: $ty) -> $ty {
                $module::$op::fast(lanes, a)
            }

            $(
                const BATCHES: bool = true;

                #[inline(always)]
                fn batch<L: Lanes>(lanes: L, a: [$ty; BATCH]) -> [$ty; BATCH] {
                    $module::$op::$each(lanes, Batch(a)).0
                }
            )?

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, a: $ty) -> $ty {
                $module::$op::general(lanes, a)
            }
        }
    )*};
}

functions! { f32 single;
    Exp true false; Expm1 true false; Exp2 true false; Log true false; Log1p true false; Log2 true false; Log10 true false;
    Sin true false; Cos true false; Tan true false each; Asin false false; Acos false false; Atan true false each; Sinh true false each;
    Cosh true false each; Tanh false false; Asinh true false each; Acosh true false each; Atanh true false each; Sigmoid true false each;
}

functions! { f64 double;
    Exp true false each; Expm1 true false each; Exp2 true false each; Log true false each; Log1p true false each;
    Log2 true false each; Log10 true false each; Sin true true; Cos true true; Tan true true each; Asin false false;
    Acos false false; Atan true false each; Sinh true false each; Cosh true false each; Tanh true false each;
    Asinh true false each; Acosh true false each; Atanh true false each; Sigmoid true false each;
}

/// Functions of one complex number. Those of c64 compute in c128 and round.
macro_rules! complex {
    ($($op:ident)*) => {$(
        impl<const SEMANTICS: u16> Unary<Complex<f64>> for $op<SEMANTICS> {
            type Out = Complex<f64>;
            const HAS_FAST_PATH: bool = true;
            const RARE: bool = true;

            #[inline(always)]
            fn in_fast_domain(a: Complex<f64>) -> bool {
                complex::$op::in_fast_domain(a)
            }

            #[inline(always)]
            fn fast_path<L: Lanes>(lanes: L, a: Complex<f64>) -> Complex<f64> {
                if L::FMA { complex::$op::fast(lanes, a) } else { complex::one::<complex::$op>(a) }
            }

            #[inline(always)]
            fn apply<L: Lanes>(_: L, a: Complex<f64>) -> Complex<f64> {
                complex::one::<complex::$op>(a)
            }
        }

        impl<const SEMANTICS: u16> Unary<Complex<f32>> for $op<SEMANTICS> {
            type Out = Complex<f32>;

            #[inline(always)]
            fn apply<L: Lanes>(_: L, a: Complex<f32>) -> Complex<f32> {
                narrow(complex::one::<complex::$op>(widen(a)))
            }
        }
    )*};
}

complex! {
    Sqrt Sign Exp Expm1 Exp2 Log Log1p Log2 Log10 Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Sigmoid
}

#[inline(always)]
fn widen(z: Complex<f32>) -> Complex<f64> {
    Complex { re: z.re.into(), im: z.im.into() }
}

#[inline(always)]
fn narrow(z: Complex<f64>) -> Complex<f32> {
    Complex { re: z.re as f32, im: z.im as f32 }
}

/// Returns the first operands and the second operands.
#[inline(always)]
fn columns<T: Copy>(pairs: [(T, T); BATCH]) -> ([T; BATCH], [T; BATCH]) {
    let (mut a, mut b) = ([pairs[0].0; BATCH], [pairs[0].1; BATCH]);
    for i in 0..BATCH {
        (a[i], b[i]) = pairs[i];
    }
    (a, b)
}

/// Functions of two operands, as in `functions`. A function may have another name than its op.
macro_rules! functions2 {
    ($ty:ident $module:ident; $($op:ident $function:ident $rare:literal $($each:ident)?;)*) => {$(
        impl<const SEMANTICS: u16> Binary<$ty> for $op<SEMANTICS> {
            type Out = $ty;
            const HAS_FAST_PATH: bool = true;
            const RARE: bool = $rare;
            const KNOWN: bool = <$module::$function as Function2<$ty>>::HAS_TRIVIAL_RESULTS;

            #[inline(always)]
            fn in_fast_domain(a: $ty, b: $ty) -> bool {
                $module::$function::in_fast_domain(a, b)
            }

            #[inline(always)]
            fn fast_path<L: Lanes>(lanes: L, a: $ty, b: $ty) -> $ty {
                $module::$function::fast(lanes, a, b)
            }

            #[inline(always)]
            fn known(a: $ty, b: $ty) -> Option<$ty> {
                $module::$function::trivial_result(a, b)
            }

            $(
                const BATCHES: bool = true;

                #[inline(always)]
                fn batch<L: Lanes>(lanes: L, pairs: [($ty, $ty); BATCH]) -> [$ty; BATCH] {
                    let (a, b) = columns(pairs);
                    $module::$function::$each(lanes, Batch(a), Batch(b)).0
                }
            )?

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, a: $ty, b: $ty) -> $ty {
                $module::$function::general(lanes, a, b)
            }
        }
    )*};
}

functions2! { f32 single;
    Pow Pow false each; FloatPower Pow false each; Atan2 Atan2 false; Hypot Hypot false; Xlogy Xlogy false;
    Logaddexp Logaddexp false; Logaddexp2 Logaddexp2 false;
}

// With batches of `Logaddexp2` its kernel is so long that LLVM leaves it outside of the function that has the
// level's instructions.
functions2! { f64 double;
    Pow Pow false each; FloatPower Pow false each; Atan2 Atan2 false; Hypot Hypot false; Xlogy Xlogy false;
    Logaddexp Logaddexp true each; Logaddexp2 Logaddexp2 true;
}

/// Functions of two complex numbers, as in `complex`. A function may have another name than its op.
macro_rules! complex2 {
    ($($op:ident $function:ident;)*) => {$(
        impl<const SEMANTICS: u16> Binary<Complex<f64>> for $op<SEMANTICS> {
            type Out = Complex<f64>;
            const HAS_FAST_PATH: bool = true;
            const RARE: bool = true;

            #[inline(always)]
            fn in_fast_domain(a: Complex<f64>, b: Complex<f64>) -> bool {
                complex::$function::in_fast_domain(a, b)
            }

            #[inline(always)]
            fn fast_path<L: Lanes>(lanes: L, a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
                if L::FMA {
                    complex::$function::fast(lanes, a, b)
                } else {
                    complex::one_of_two::<complex::$function>(a, b)
                }
            }

            #[inline(always)]
            fn apply<L: Lanes>(_: L, a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
                complex::one_of_two::<complex::$function>(a, b)
            }
        }

        impl<const SEMANTICS: u16> Binary<Complex<f32>> for $op<SEMANTICS> {
            type Out = Complex<f32>;

            #[inline(always)]
            fn apply<L: Lanes>(_: L, a: Complex<f32>, b: Complex<f32>) -> Complex<f32> {
                narrow(complex::one_of_two::<complex::$function>(widen(a), widen(b)))
            }
        }
    )*};
}

complex2! { Pow Pow; FloatPower Pow; Ldexp Ldexp; Logaddexp Logaddexp; Logaddexp2 Logaddexp2; Atan2 Atan2; Hypot Hypot; }

/// Functions of narrow floats, which are one step: the function of `f32`, rounded.
macro_rules! stepped {
    ($($ty:ident)*) => {$(
        stepped! { @unary $ty;
            Exp Expm1 Exp2 Log Log1p Log2 Log10 Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Sigmoid
        }
        stepped! { @binary $ty; Pow FloatPower Atan2 Hypot Logaddexp Logaddexp2 }

        /// The logarithm and the product are two steps.
        impl<const SEMANTICS: u16> Binary<Stepped<$ty>> for Xlogy<SEMANTICS> {
            type Out = Stepped<$ty>;

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, a: Stepped<$ty>, b: Stepped<$ty>) -> Stepped<$ty> {
                let log = <Log as Unary<Stepped<$ty>>>::apply(lanes, b);
                let product = a.times(log);
                let found = if a == Steps::ZERO { Steps::ZERO } else { product };
                if b.is_no_number() { b } else { found }
            }
        }
    )*};
    (@unary $ty:ident; $($op:ident)*) => {$(
        impl<const SEMANTICS: u16> Unary<Stepped<$ty>> for $op<SEMANTICS> {
            type Out = Stepped<$ty>;

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, a: Stepped<$ty>) -> Stepped<$ty> {
                Stepped::rounded(<$op as Unary<f32>>::apply(lanes, a.get()))
            }
        }
    )*};
    (@binary $ty:ident; $($op:ident)*) => {$(
        impl<const SEMANTICS: u16> Binary<Stepped<$ty>> for $op<SEMANTICS> {
            type Out = Stepped<$ty>;

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, a: Stepped<$ty>, b: Stepped<$ty>) -> Stepped<$ty> {
                Stepped::rounded(<$op as Binary<f32>>::apply(lanes, a.get(), b.get()))
            }
        }
    )*};
}

stepped! { f16 bf16 }

/// The absolute value and the angle of a complex number.
macro_rules! polar {
    ($($ty:ident)*) => {$(
        impl<const SEMANTICS: u16> Unary<Complex<$ty>> for Abs<SEMANTICS> {
            type Out = $ty;
            const HAS_FAST_PATH: bool = true;

            #[inline(always)]
            fn in_fast_domain(a: Complex<$ty>) -> bool {
                <Hypot as Binary<$ty>>::in_fast_domain(a.re, a.im)
            }

            #[inline(always)]
            fn fast_path<L: Lanes>(lanes: L, a: Complex<$ty>) -> $ty {
                <Hypot as Binary<$ty>>::fast_path(lanes, a.re, a.im)
            }

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, a: Complex<$ty>) -> $ty {
                <Hypot as Binary<$ty>>::apply(lanes, a.re, a.im)
            }
        }

        impl<const SEMANTICS: u16> Unary<Complex<$ty>> for Angle<SEMANTICS> {
            type Out = $ty;
            const HAS_FAST_PATH: bool = true;

            #[inline(always)]
            fn in_fast_domain(a: Complex<$ty>) -> bool {
                <Atan2 as Binary<$ty>>::in_fast_domain(a.im, a.re)
            }

            #[inline(always)]
            fn fast_path<L: Lanes>(lanes: L, a: Complex<$ty>) -> $ty {
                <Atan2 as Binary<$ty>>::fast_path(lanes, a.im, a.re)
            }

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, a: Complex<$ty>) -> $ty {
                <Atan2 as Binary<$ty>>::apply(lanes, a.im, a.re)
            }
        }
    )*};
}

polar! { f32 f64 }
