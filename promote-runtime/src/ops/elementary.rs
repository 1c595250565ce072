//! Mathematical functions of `crate::math`. Those of f16 and bf16 compute in `f32`, those of c64 in c128.

use half::{bf16, f16};
use num_complex::Complex;

use super::arithmetic::{LaneArith, RoundedLane};
use super::complex::{divide, multiply};
use super::{
    Abs, Acos, Acosh, Angle, Asin, Asinh, Atan, Atan2, Atanh, BATCH, Cbrt, Cos, Cosh, Erf, Erfc, Exp, Exp2,
    Expm1, FastPath, FloatPower, Gelu, GeluTanh, Hypot, Ldexp, Log, Log1p, Log2, Log10, Logaddexp,
    Logaddexp2, OpLane, Pow, Rsqrt, Sigmoid, Sign, Silu, Sin, Sinh, Softplus, Sqrt, Tan, Tanh, Xlogy,
};
use crate::level::Lanes;
use crate::math::batch::Batch;
use crate::math::registers::{LANES, Tabled};
use crate::math::{Function, Function2, double, double::complex, single};

/// Functions of one operand of `$ty`, as rows `Op exists slow_lanes each`, the [`FastPath`]; `each` is the
/// function of a batch, if there is one.
macro_rules! functions {
    ($ty:ident $module:ident; $($op:ident $exists:literal $slow_lanes:literal $($each:ident)?;)*) => {$(
        impl<const SEMANTICS: u16> OpLane<$ty, ($ty,)> for $op<SEMANTICS> {
            type Out = $ty;
            const FAST_PATH: FastPath = FastPath {
                slow_lanes: $slow_lanes,
                batches: !stringify!($($each)?).is_empty(),
                ..FastPath::when($exists)
            };

            #[inline(always)]
            fn in_fast_domain((a,): ($ty,)) -> bool {
                $module::$op::in_fast_domain(a)
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, (a,): ($ty,)) -> $ty {
                $module::$op::fast(lanes, a)
            }

            $(
                #[inline(always)]
                fn fast_batch<L: Lanes>(lanes: L, [(a,), (b,), (c,), (d,)]: [($ty,); BATCH]) -> [$ty; BATCH] {
                    $module::$op::$each(lanes, Batch([a, b, c, d])).0
                }
            )?

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, (a,): ($ty,)) -> $ty {
                $module::$op::general(lanes, a)
            }
        }
    )*};
}

/// Functions of `$ty` with tables, which compute in `$real`, as rows `Op slow_lanes`.
macro_rules! tabled {
    ($ty:ident $module:ident in $real:ident $args:tt; $($op:ident $slow_lanes:literal;)*) => {
        $(tabled! { @op $ty $module $real $args $op $slow_lanes })*
    };
    (@op $ty:ident $module:ident $real:ident ($($arg:ident: $n:tt),+) $op:ident $slow_lanes:literal) => {
        impl<const SEMANTICS: u16> OpLane<$ty, ($(tabled!(@lane $arg $ty),)+)> for $op<SEMANTICS> {
            type Out = $ty;
            const FAST_PATH: FastPath =
                FastPath { slow_lanes: $slow_lanes, tables: true, checked_after: true, ..FastPath::when(true) };

            #[inline(always)]
            fn in_fast_domain(args: ($(tabled!(@lane $arg $ty),)+)) -> bool {
                $module::$op::in_fast_domain($(args.$n),+)
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, args: ($(tabled!(@lane $arg $ty),)+)) -> $ty {
                $module::$op::fast(lanes, $(args.$n),+)
            }

            #[inline(always)]
            fn row<const FAST: bool, L: Lanes>(
                lanes: L,
                args: impl Fn(usize) -> ($(tabled!(@lane $arg $ty),)+),
            ) -> ([$ty; LANES], bool) {
                $(let mut $arg = [0.0; LANES];)+
                for k in 0..LANES {
                    let args = args(k);
                    $($arg[k] = args.$n as $real;)+
                }
                let (result, all) = $module::$op::row::<FAST, L>(lanes, [$($arg),+]);
                let mut row = [0.0; LANES];
                for k in 0..LANES {
                    row[k] = result[k] as $ty;
                }
                (row, all)
            }

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, args: ($(tabled!(@lane $arg $ty),)+)) -> $ty {
                $module::$op::general(lanes, $(args.$n),+)
            }
        }
    };
    (@lane $arg:ident $ty:ident) => { $ty };
}

tabled! { f64 double in f64 (x: 0);
    Exp false; Exp2 false; Log false; Log1p false; Log2 false; Log10 false; Sin true; Cos true; Tan true;
    Sinh false; Cosh false; Sigmoid false; Atan false; Asin false; Acos false; Softplus false;
}
tabled! { f64 double in f64 (a: 0, b: 1); Logaddexp true; Logaddexp2 true; }
tabled! { f32 single in f64 (x: 0); Softplus false; }
tabled! { f32 single in f32 (x: 0); Log false; Log2 false; Log10 false; Tanh false; Atan false; Asinh false;
    Acosh false;
}
tabled! { f32 single in f64 (a: 0, b: 1); Logaddexp true; Logaddexp2 true; }

functions! { f32 single;
    Exp true false; Expm1 true false; Exp2 true false; Log1p true false;
    Sin true false; Cos true false; Tan true false each; Asin false false; Acos false false; Sinh true false;
    Cosh true false; Atanh true false each; Sigmoid true false each;
    Cbrt false false; Erf false false; Erfc false false; Gelu false false; GeluTanh false false; Silu false false;
}

functions! { f64 double;
    Expm1 true false each;
    Tanh true false each;
    Asinh true false each; Acosh true false each; Atanh true false each;
    Cbrt false false; Erf false false; Erfc false false; Gelu false false; GeluTanh false false; Silu false false;
}

impl<const SEMANTICS: u16> OpLane<f64, (f64,)> for Sqrt<SEMANTICS> {
    type Out = f64;
    const FAST_PATH: FastPath = FastPath { batches: true, for_slow_roots: true, ..FastPath::when(true) };

    #[inline(always)]
    fn in_fast_domain((a,): (f64,)) -> bool {
        double::Sqrt::in_fast_domain(a)
    }

    #[inline(always)]
    fn fast_batch<L: Lanes>(lanes: L, [(a,), (b,), (c,), (d,)]: [(f64,); BATCH]) -> [f64; BATCH] {
        double::Sqrt::four(lanes, [a, b, c, d])
    }

    #[inline(always)]
    fn apply<L: Lanes>(_: L, (a,): (f64,)) -> f64 {
        a.root()
    }
}

/// Functions of one complex number. Those of c64 compute in c128 and round.
macro_rules! complex {
    ($($op:ident)*) => {$(
        impl<const SEMANTICS: u16> OpLane<Complex<f64>, (Complex<f64>,)> for $op<SEMANTICS> {
            type Out = Complex<f64>;
            const FAST_PATH: FastPath = FastPath { slow_lanes: true, ..FastPath::when(true) };

            #[inline(always)]
            fn in_fast_domain((a,): (Complex<f64>,)) -> bool {
                complex::$op::in_fast_domain(a)
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, (a,): (Complex<f64>,)) -> Complex<f64> {
                if L::FMA { complex::$op::fast(lanes, a) } else { complex::one::<complex::$op>(a) }
            }

            #[inline(always)]
            fn apply<L: Lanes>(_: L, (a,): (Complex<f64>,)) -> Complex<f64> {
                complex::one::<complex::$op>(a)
            }
        }

        impl<const SEMANTICS: u16> OpLane<Complex<f32>, (Complex<f32>,)> for $op<SEMANTICS> {
            type Out = Complex<f32>;

            #[inline(always)]
            fn apply<L: Lanes>(_: L, (a,): (Complex<f32>,)) -> Complex<f32> {
                narrow(complex::one::<complex::$op>(widen(a)))
            }
        }
    )*};
}

complex! {
    Sqrt Sign Exp Expm1 Exp2 Log Log1p Log2 Log10 Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Sigmoid
}

/// Functions of one complex number that are composed of others.
macro_rules! composed {
    ($($op:ident $function:ident;)*) => {$(
        impl<const SEMANTICS: u16> OpLane<Complex<f64>, (Complex<f64>,)> for $op<SEMANTICS> {
            type Out = Complex<f64>;

            #[inline(always)]
            fn apply<L: Lanes>(_: L, (a,): (Complex<f64>,)) -> Complex<f64> {
                $function(a)
            }
        }

        impl<const SEMANTICS: u16> OpLane<Complex<f32>, (Complex<f32>,)> for $op<SEMANTICS> {
            type Out = Complex<f32>;

            #[inline(always)]
            fn apply<L: Lanes>(_: L, (a,): (Complex<f32>,)) -> Complex<f32> {
                narrow($function(widen(a)))
            }
        }
    )*};
}

composed! { Rsqrt rsqrt; Silu silu; Softplus softplus; GeluTanh gelu_tanh; }

#[inline(always)]
fn rsqrt(z: Complex<f64>) -> Complex<f64> {
    divide(Complex { re: 1.0, im: 0.0 }, complex::one::<complex::Sqrt>(z))
}

#[inline(always)]
fn silu(z: Complex<f64>) -> Complex<f64> {
    multiply(z, complex::one::<complex::Sigmoid>(z))
}

#[inline(always)]
fn softplus(z: Complex<f64>) -> Complex<f64> {
    complex::one_of_two::<complex::Logaddexp>(z, Complex { re: 0.0, im: 0.0 })
}

/// `z · sigmoid(2v)`, which is `z / 2 · (1 + tanh v)`.
#[inline(always)]
fn gelu_tanh(z: Complex<f64>) -> Complex<f64> {
    const TWICE: f64 = 1.595_769_121_605_730_8;
    let cube = multiply(multiply(z, z), z);
    let twice =
        Complex { re: TWICE * (z.re + 0.044_715 * cube.re), im: TWICE * (z.im + 0.044_715 * cube.im) };
    multiply(z, complex::one::<complex::Sigmoid>(twice))
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
    ($ty:ident $module:ident; $($op:ident $function:ident $slow_lanes:literal $($each:ident)?;)*) => {$(
        impl<const SEMANTICS: u16> OpLane<$ty> for $op<SEMANTICS> {
            type Out = $ty;
            const FAST_PATH: FastPath = FastPath {
                slow_lanes: $slow_lanes,
                batches: !stringify!($($each)?).is_empty(),
                trivial_results: <$module::$function as Function2<$ty>>::HAS_TRIVIAL_RESULTS,
                ..FastPath::when(true)
            };

            #[inline(always)]
            fn in_fast_domain((a, b): ($ty, $ty)) -> bool {
                $module::$function::in_fast_domain(a, b)
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, (a, b): ($ty, $ty)) -> $ty {
                $module::$function::fast(lanes, a, b)
            }

            #[inline(always)]
            fn trivial_result((a, b): ($ty, $ty)) -> Option<$ty> {
                $module::$function::trivial_result(a, b)
            }

            $(
                #[inline(always)]
                fn fast_batch<L: Lanes>(lanes: L, pairs: [($ty, $ty); BATCH]) -> [$ty; BATCH] {
                    let (a, b) = columns(pairs);
                    $module::$function::$each(lanes, Batch(a), Batch(b)).0
                }
            )?

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, (a, b): ($ty, $ty)) -> $ty {
                $module::$function::general(lanes, a, b)
            }
        }
    )*};
}

functions2! { f32 single;
    Pow Pow false each; FloatPower Pow false each; Atan2 Atan2 false; Hypot Hypot false; Xlogy Xlogy false;
}

functions2! { f64 double;
    Pow Pow false each; FloatPower Pow false each; Atan2 Atan2 false; Hypot Hypot false each; Xlogy Xlogy false;
}

/// Functions of two complex numbers, as in `complex`. A function may have another name than its op.
macro_rules! complex2 {
    ($($op:ident $function:ident;)*) => {$(
        impl<const SEMANTICS: u16> OpLane<Complex<f64>> for $op<SEMANTICS> {
            type Out = Complex<f64>;
            const FAST_PATH: FastPath = FastPath { slow_lanes: true, ..FastPath::when(true) };

            #[inline(always)]
            fn in_fast_domain((a, b): (Complex<f64>, Complex<f64>)) -> bool {
                complex::$function::in_fast_domain(a, b)
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, (a, b): (Complex<f64>, Complex<f64>)) -> Complex<f64> {
                if L::FMA {
                    complex::$function::fast(lanes, a, b)
                } else {
                    complex::one_of_two::<complex::$function>(a, b)
                }
            }

            #[inline(always)]
            fn apply<L: Lanes>(_: L, (a, b): (Complex<f64>, Complex<f64>)) -> Complex<f64> {
                complex::one_of_two::<complex::$function>(a, b)
            }
        }

        impl<const SEMANTICS: u16> OpLane<Complex<f32>> for $op<SEMANTICS> {
            type Out = Complex<f32>;

            #[inline(always)]
            fn apply<L: Lanes>(_: L, (a, b): (Complex<f32>, Complex<f32>)) -> Complex<f32> {
                narrow(complex::one_of_two::<complex::$function>(widen(a), widen(b)))
            }
        }
    )*};
}

complex2! { Pow Pow; FloatPower Pow; Ldexp Ldexp; Logaddexp Logaddexp; Logaddexp2 Logaddexp2; Atan2 Atan2; Hypot Hypot; }

/// Functions of narrow floats, which are one step: the function of `f32`, rounded.
macro_rules! rounded {
    ($($ty:ident)*) => {$(
        rounded! { @unary $ty;
            Exp Expm1 Exp2 Log Log1p Log2 Log10 Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Sigmoid
            Cbrt Erf Erfc Gelu GeluTanh Silu Softplus
        }
        rounded! { @binary $ty; Pow FloatPower Atan2 Hypot Logaddexp Logaddexp2 }

        /// The logarithm and the product are two steps.
        impl<const SEMANTICS: u16> OpLane<RoundedLane<$ty>> for Xlogy<SEMANTICS> {
            type Out = RoundedLane<$ty>;

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, (a, b): (RoundedLane<$ty>, RoundedLane<$ty>)) -> RoundedLane<$ty> {
                let log = <Log as OpLane<RoundedLane<$ty>, (RoundedLane<$ty>,)>>::apply(lanes, (b,));
                let product = a.times(log);
                let found = if a == LaneArith::ZERO { LaneArith::ZERO } else { product };
                if b.is_no_number() { b } else { found }
            }
        }
    )*};
    (@unary $ty:ident; $($op:ident)*) => {$(
        impl<const SEMANTICS: u16> OpLane<RoundedLane<$ty>, (RoundedLane<$ty>,)> for $op<SEMANTICS> {
            type Out = RoundedLane<$ty>;

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, (a,): (RoundedLane<$ty>,)) -> RoundedLane<$ty> {
                RoundedLane::rounded(<$op as OpLane<f32, (f32,)>>::apply(lanes, (a.get(),)))
            }
        }
    )*};
    (@binary $ty:ident; $($op:ident)*) => {$(
        impl<const SEMANTICS: u16> OpLane<RoundedLane<$ty>> for $op<SEMANTICS> {
            type Out = RoundedLane<$ty>;

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, (a, b): (RoundedLane<$ty>, RoundedLane<$ty>)) -> RoundedLane<$ty> {
                RoundedLane::rounded(<$op as OpLane<f32>>::apply(lanes, (a.get(), b.get())))
            }
        }
    )*};
}

rounded! { f16 bf16 }

/// The absolute value and the angle of a complex number.
macro_rules! polar {
    ($($ty:ident)*) => {$(
        impl<const SEMANTICS: u16> OpLane<Complex<$ty>, (Complex<$ty>,)> for Abs<SEMANTICS> {
            type Out = $ty;
            // The parts of operands are taken apart, which costs much when done twice.
            const FAST_PATH: FastPath = FastPath { checked_after: true, ..FastPath::when(true) };

            #[inline(always)]
            fn in_fast_domain((a,): (Complex<$ty>,)) -> bool {
                <Hypot as OpLane<$ty>>::in_fast_domain((a.re, a.im))
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, (a,): (Complex<$ty>,)) -> $ty {
                <Hypot as OpLane<$ty>>::fast(lanes, (a.re, a.im))
            }

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, (a,): (Complex<$ty>,)) -> $ty {
                <Hypot as OpLane<$ty>>::apply(lanes, (a.re, a.im))
            }
        }

        impl<const SEMANTICS: u16> OpLane<Complex<$ty>, (Complex<$ty>,)> for Angle<SEMANTICS> {
            type Out = $ty;
            const FAST_PATH: FastPath = FastPath::when(true);

            #[inline(always)]
            fn in_fast_domain((a,): (Complex<$ty>,)) -> bool {
                <Atan2 as OpLane<$ty>>::in_fast_domain((a.im, a.re))
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, (a,): (Complex<$ty>,)) -> $ty {
                <Atan2 as OpLane<$ty>>::fast(lanes, (a.im, a.re))
            }

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, (a,): (Complex<$ty>,)) -> $ty {
                <Atan2 as OpLane<$ty>>::apply(lanes, (a.im, a.re))
            }
        }
    )*};
}

polar! { f32 f64 }
