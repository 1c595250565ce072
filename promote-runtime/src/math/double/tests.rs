//! Compares functions with recorded results (`tests/data/record_math.py`) at every level, and tests special
//! values.

use std::println;
use std::vec::Vec;

use super::*;
use crate::level::{Lanes, Scalar};
use crate::math::batch::Batch;
use crate::math::forms::{self, Forms, Named, at_every_level};
use crate::math::oracle::{Point, recorded};
use crate::math::registers::{LANES, Tabled};
use crate::math::{Function, Function2};

/// A bound on the error of recorded points; the documented bound is 1.
const BOUND: f64 = 0.85;

/// The functions of `f64`.
struct Reals;

macro_rules! functions {
    ($(1 $name:literal $function:ident;)* $(2 $name2:literal $function2:ident;)*) => {
        const NAMES: &[&str] = &[$($name,)* $($name2,)*];

        impl Named for Reals {
            type Number = f64;

            fn forms<L: Lanes>(name: &str) -> Forms<L, f64> {
                match name {
                    $($name => Forms {
                        in_fast_domain: |a, _| $function::in_fast_domain(a),
                        fast: |lanes, a, _| $function::fast(lanes, a),
                        general: |lanes, a, _| $function::general(lanes, a),
                    },)*
                    $($name2 => Forms {
                        in_fast_domain: $function2::in_fast_domain,
                        fast: $function2::fast::<L>,
                        general: $function2::general::<L>,
                    },)*
                    _ => unreachable!("{name}"),
                }
            }

            fn same(a: f64, b: f64) -> bool {
                same(a, b)
            }
        }
    };
}

functions! {
    1 "exp" Exp;
    1 "exp2" Exp2;
    1 "expm1" Expm1;
    1 "log" Log;
    1 "log2" Log2;
    1 "log10" Log10;
    1 "log1p" Log1p;
    1 "tanh" Tanh;
    1 "sinh" Sinh;
    1 "cosh" Cosh;
    1 "sigmoid" Sigmoid;
    1 "sin" Sin;
    1 "cos" Cos;
    1 "tan" Tan;
    1 "asin" Asin;
    1 "acos" Acos;
    1 "atan" Atan;
    1 "asinh" Asinh;
    1 "acosh" Acosh;
    1 "atanh" Atanh;
    1 "cbrt" Cbrt;
    1 "erf" Erf;
    1 "erfc" Erfc;
    1 "silu" Silu;
    1 "softplus" Softplus;
    1 "gelu" Gelu;
    1 "gelu_tanh" GeluTanh;
    2 "pow" Pow;
    2 "atan2" Atan2;
    2 "hypot" Hypot;
    2 "xlogy" Xlogy;
    2 "logaddexp" Logaddexp;
    2 "logaddexp2" Logaddexp2;
}

fn same(x: f64, y: f64) -> bool {
    x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan())
}

fn agreed(name: &str, a: f64, b: f64) -> f64 {
    forms::agreed::<Reals>(name, a, b)
}

#[test]
fn recorded_results_are_within_one_unit_at_every_level() {
    for name in NAMES {
        let points = recorded(name);
        assert!(points.len() > 200);
        let mut worst: f64 = 0.0;
        for point in points {
            let error = point.error(agreed(name, point.a, point.b));
            assert!(error < BOUND, "{name}({:e}, {:e}): {error}", point.a, point.b);
            worst = worst.max(error);
        }
        println!("{name}: {worst:.3}");
    }
}

#[test]
fn a_batch_gives_the_bits_of_its_numbers_alone() {
    fn four(name: &str, at_once: fn([f64; 4], [f64; 4]) -> Batch<4>) {
        let forms = Reals::forms::<Scalar>(name);
        let points: Vec<Point> =
            recorded(name).into_iter().filter(|p| (forms.in_fast_domain)(p.a, p.b)).collect();
        assert!(points.len() > 20);
        for p in points.chunks_exact(4) {
            let result = at_once([p[0].a, p[1].a, p[2].a, p[3].a], [p[0].b, p[1].b, p[2].b, p[3].b]);
            for (p, result) in p.iter().zip(result.0) {
                assert!(same(result, (forms.fast)(Scalar, p.a, p.b)), "{name}({:e}, {:e})", p.a, p.b);
            }
        }
    }
    macro_rules! four {
        ($($name:literal $function:ident)*) => {$(
            four($name, |x, _| $function::each(Scalar, Batch(x)));
        )*};
    }
    four! {
        "expm1" Expm1 "tanh" Tanh "asinh" Asinh "acosh" Acosh "atanh" Atanh
    }
    four("pow", |x, y| Pow::each(Scalar, Batch(x), Batch(y)));
    four("hypot", |a, b| Hypot::each(Scalar, Batch(a), Batch(b)));
}

#[test]
fn a_row_gives_the_bits_of_its_numbers_alone_at_every_level() {
    fn rows<const A: usize, F: Tabled<A>, L: Lanes>(lanes: L, name: &str) {
        const SPECIAL: [f64; 5] = [0.0, -0.0, -1.0, INF, NAN];
        let forms = Reals::forms::<Scalar>(name);
        let special = SPECIAL.iter().flat_map(|&a| SPECIAL.map(|b| (a, if A == 1 { a } else { b })));
        let points: Vec<(f64, f64)> = recorded(name).into_iter().map(|p| (p.a, p.b)).chain(special).collect();
        let fast: Vec<(f64, f64)> =
            points.iter().copied().filter(|&(a, b)| (forms.in_fast_domain)(a, b)).collect();
        let operands = |row: &[(f64, f64)]| {
            std::array::from_fn(|operand| {
                std::array::from_fn(
                    |i| if operand == 0 { row[i % row.len()].0 } else { row[i % row.len()].1 },
                )
            })
        };
        // Outside the domain these are computed lane by lane.
        let lanewise = ["sin", "cos", "tan", "logaddexp", "logaddexp2"].contains(&name);
        for row in if lanewise { &fast } else { &points }.chunks(LANES) {
            let (result, _) = F::row::<false, L>(lanes, operands(row));
            for (&(a, b), result) in row.iter().zip(result) {
                assert!(
                    same(result, (forms.general)(Scalar, a, b)),
                    "{name}({a:e}, {b:e}) at {:?}",
                    L::LEVEL
                );
            }
        }
        for row in fast.chunks(LANES) {
            let (result, settled) = F::row::<true, L>(lanes, operands(row));
            // A result of `logaddexp` may be unsettled although an estimate finds its operands in the domain.
            assert!(settled || A == 2, "{name}");
            for (&(a, b), result) in row.iter().zip(result) {
                assert!(
                    same(result, (forms.general)(Scalar, a, b)),
                    "fast {name}({a:e}, {b:e}) at {:?}",
                    L::LEVEL
                );
            }
        }
        for row in points.chunks(LANES) {
            let (result, settled) = F::row::<true, L>(lanes, operands(row));
            for (&(a, b), result) in row.iter().zip(result) {
                assert!(
                    !settled || same(result, (forms.general)(Scalar, a, b)),
                    "settled {name}({a:e}, {b:e}) at {:?}",
                    L::LEVEL
                );
            }
        }
    }
    fn at<L: Lanes>(lanes: L) {
        rows::<1, Exp, L>(lanes, "exp");
        rows::<1, Exp2, L>(lanes, "exp2");
        rows::<1, Log, L>(lanes, "log");
        rows::<1, Log1p, L>(lanes, "log1p");
        rows::<1, Log2, L>(lanes, "log2");
        rows::<1, Log10, L>(lanes, "log10");
        rows::<1, Sin, L>(lanes, "sin");
        rows::<1, Cos, L>(lanes, "cos");
        rows::<1, Tan, L>(lanes, "tan");
        rows::<1, Sinh, L>(lanes, "sinh");
        rows::<1, Cosh, L>(lanes, "cosh");
        rows::<1, Sigmoid, L>(lanes, "sigmoid");
        rows::<1, Atan, L>(lanes, "atan");
        rows::<1, Asin, L>(lanes, "asin");
        rows::<1, Acos, L>(lanes, "acos");
        rows::<1, Softplus, L>(lanes, "softplus");
        rows::<2, Logaddexp, L>(lanes, "logaddexp");
        rows::<2, Logaddexp2, L>(lanes, "logaddexp2");
    }
    at_every_level!(|lanes| at(lanes));
}

#[test]
fn a_settled_sum_of_exponentials_has_the_bits_of_the_general_form() {
    fn check<F: Tabled<2> + Function2<f64>, L: Lanes>(lanes: L, base: f64) {
        let mut state = 754u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let draw = |shift: u32| ((state >> shift) as u32 & 0xffff) as f64 / 65536.0;
            // A larger operand below 0, and a result near the bounds of the estimate.
            let more = -base * (0.02 + 0.66 * draw(16));
            let result = 3e-4 + 1e-3 * draw(32);
            let less = (result.exp() - (more / base).exp()).ln() * base;
            let (row, settled) = F::row::<true, L>(lanes, [[more; LANES], [less; LANES]]);
            let alone = F::general(Scalar, more, less);
            assert!(!settled || same(row[0], alone), "{more:e}, {less:e}: {:e}, {alone:e}", row[0]);
        }
    }
    fn at<L: Lanes>(lanes: L) {
        check::<Logaddexp, L>(lanes, 1.0);
        check::<Logaddexp2, L>(lanes, core::f64::consts::LOG2_E);
    }
    at_every_level!(|lanes| at(lanes));
}

#[test]
fn forms_and_levels_agree_at_random() {
    let mut state = 754u64;
    let mut draw = || {
        // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for name in NAMES {
        for i in 0..3000 {
            let (a, b) = (draw(), draw());
            // Any bits, or an exponent from -8 to 7.
            let number = |bits: u64| {
                if i % 3 == 0 { bits } else { (bits & !(0x7ff << 52)) | ((1015 + (bits >> 52) % 16) << 52) }
            };
            agreed(name, f64::from_bits(number(a)), f64::from_bits(number(b)));
        }
    }
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

#[track_caller]
fn gives(name: &str, cases: &[(f64, f64)]) {
    for &(x, expected) in cases {
        let result = agreed(name, x, x);
        assert!(same(result, expected), "{name}({x:e}) is {result:e}, not {expected:e}");
    }
}

#[track_caller]
fn gives2(name: &str, cases: &[(f64, f64, f64)]) {
    for &(a, b, expected) in cases {
        let result = agreed(name, a, b);
        assert!(same(result, expected), "{name}({a:e}, {b:e}) is {result:e}, not {expected:e}");
    }
}

#[test]
fn special_values_of_one_operand() {
    use core::f64::consts::{FRAC_PI_2, PI};
    let odd = |limit: f64| [(0.0, 0.0), (-0.0, -0.0), (NAN, NAN), (INF, limit), (-INF, -limit)];
    for name in ["sin", "tan"] {
        gives(name, &odd(NAN));
    }
    for name in ["asin", "atanh"] {
        gives(name, &odd(NAN));
    }
    gives("atan", &odd(FRAC_PI_2));
    gives("tanh", &odd(1.0));
    for name in ["sinh", "asinh"] {
        gives(name, &odd(INF));
    }
    // A result nearer to x than half a unit rounds to x.
    for name in ["sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "expm1", "log1p"] {
        gives(name, &[5e-324, -5e-324, 3e-310, f64::MIN_POSITIVE, 1e-300, -1e-20].map(|x| (x, x)));
    }
    gives(
        "exp",
        &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (710.0, INF), (-746.0, 0.0)],
    );
    gives("exp", &[(1e300, INF), (-1e300, 0.0)]);
    gives(
        "exp2",
        &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (1024.0, INF), (-1074.0, 5e-324)],
    );
    gives("exp2", &[(10.0, 1024.0), (-3.0, 0.125), (-1076.0, 0.0), (1023.0, 8.98846567431158e307)]);
    gives(
        "expm1",
        &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (NAN, NAN), (-1e3, -1.0), (710.0, INF)],
    );
    for name in ["log", "log2", "log10"] {
        gives(
            name,
            &[(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (INF, INF), (-1.0, NAN), (-INF, NAN), (NAN, NAN)],
        );
    }
    for k in -1074..1024 {
        let power = if k < -1022 {
            f64::from_bits(1 << (k + 1074))
        } else {
            f64::from_bits(((k + 1023) as u64) << 52)
        };
        gives("log2", &[(power, f64::from(k))]);
    }
    gives("log10", &[(10.0, 1.0), (100.0, 2.0), (1e3, 3.0), (1e10, 10.0), (1e15, 15.0), (1e22, 22.0)]);
    // 1 + x has lost digits of x, and is not rounded to 1.
    gives("log1p", &[(0.031646995917160914, 0.031156550324308675)]);
    gives(
        "log1p",
        &[(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (INF, INF), (-INF, NAN), (-1.5, NAN), (NAN, NAN)],
    );
    gives("cosh", &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (NAN, NAN), (1e4, INF), (1e-20, 1.0)]);
    gives(
        "sigmoid",
        &[(0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0), (NAN, NAN), (1e3, 1.0), (-1e3, 0.0)],
    );
    gives("cos", &[(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (5e-324, 1.0)]);
    gives("asin", &[(1.0, FRAC_PI_2), (-1.0, -FRAC_PI_2), (1.0000000000000002, NAN), (-2.0, NAN)]);
    gives(
        "acos",
        &[(1.0, 0.0), (-1.0, PI), (0.0, FRAC_PI_2), (-0.0, FRAC_PI_2), (1.1, NAN), (-INF, NAN), (NAN, NAN)],
    );
    gives("acosh", &[(1.0, 0.0), (0.5, NAN), (-1.0, NAN), (-INF, NAN), (INF, INF), (NAN, NAN)]);
    gives("cbrt", &odd(INF));
    gives(
        "cbrt",
        &[(27.0, 3.0), (-8.0, -2.0), (4e-323, 3.4063678720065206e-108), (1.0, 1.0), (8e300, 2e100)],
    );
    gives("erf", &odd(1.0));
    gives("erfc", &[(0.0, 1.0), (-0.0, 1.0), (INF, 0.0), (-INF, 2.0), (NAN, NAN), (30.0, 0.0), (-30.0, 2.0)]);
    for name in ["silu", "gelu", "gelu_tanh"] {
        let ends = [(0.0, 0.0), (-0.0, -0.0), (NAN, NAN), (INF, INF), (-INF, NAN)];
        gives(name, &ends);
        gives(name, &[(1e300, 1e300), (-1e300, -0.0), (1e3, 1e3), (-1e3, -0.0)]);
    }
    gives("softplus", &[(INF, INF), (-INF, 0.0), (NAN, NAN), (1e300, 1e300), (-1e300, 0.0)]);
    gives("atanh", &[(1.0, INF), (-1.0, -INF), (1.5, NAN), (-1.5, NAN)]);
}

#[test]
fn special_values_of_two_operands() {
    use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    const BIG: f64 = 9007199254740992.0;
    for (y, odd) in
        [(3.0, true), (2.0, false), (0.5, false), (BIG - 1.0, true), (BIG, false), (4503599627370497.0, true)]
    {
        let minus = |x: f64| if odd { -x } else { x };
        gives2("pow", &[(0.0, y, 0.0), (-0.0, y, minus(0.0)), (0.0, -y, INF), (-0.0, -y, minus(INF))]);
        gives2("pow", &[(INF, y, INF), (-INF, y, minus(INF)), (INF, -y, 0.0), (-INF, -y, minus(0.0))]);
        gives2("pow", &[(-1.0, y, if y == 0.5 { NAN } else { minus(1.0) }), (1.0, y, 1.0), (NAN, y, NAN)]);
    }
    gives2("pow", &[(-8.0, 3.0, -512.0), (-8.0, 2.0, 64.0), (-8.0, 1.0 / 3.0, NAN), (-8.0, -1.0, -0.125)]);
    gives2(
        "pow",
        &[(0.0, INF, 0.0), (-0.0, INF, 0.0), (0.0, -INF, INF), (-0.0, -INF, INF), (-1.0, INF, 1.0)],
    );
    gives2(
        "pow",
        &[(-1.0, -INF, 1.0), (0.5, INF, 0.0), (-0.5, -INF, INF), (2.0, INF, INF), (-2.0, -INF, 0.0)],
    );
    gives2("pow", &[(INF, INF, INF), (-INF, INF, INF), (INF, -INF, 0.0), (-INF, -INF, 0.0), (2.0, NAN, NAN)]);
    gives2(
        "pow",
        &[
            (NAN, 0.0, 1.0),
            (NAN, -0.0, 1.0),
            (1.0, NAN, 1.0),
            (INF, 0.0, 1.0),
            (0.0, 0.0, 1.0),
            (NAN, NAN, NAN),
        ],
    );
    gives2("pow", &[(2.0, 1024.0, INF), (-2.0, 1025.0, -INF), (2.0, -1074.0, 5e-324), (-2.0, -1077.0, -0.0)]);
    gives2(
        "pow",
        &[(1e-320, 1.0, 1e-320), (10.0, 1e300, INF), (0.5, 1e308, 0.0), (3.0, 5e-324, 1.0), (3.0, 4.0, 81.0)],
    );

    for y in [0.0, 5e-324, 1.0, 1e300, f64::MAX] {
        gives2(
            "atan2",
            &[(y, INF, 0.0), (-y, INF, -0.0), (y, -INF, PI), (-y, -INF, -PI), (y, NAN, NAN), (NAN, y, NAN)],
        );
        gives2("atan2", &[(INF, y, FRAC_PI_2), (-INF, -y, -FRAC_PI_2)]);
        if y > 0.0 {
            gives2("atan2", &[(y, 0.0, FRAC_PI_2), (y, -0.0, FRAC_PI_2), (-y, 0.0, -FRAC_PI_2)]);
            gives2(
                "atan2",
                &[(0.0, y, 0.0), (-0.0, y, -0.0), (0.0, -y, PI), (-0.0, -y, -PI), (y, y, FRAC_PI_4)],
            );
        }
    }
    gives2(
        "atan2",
        &[(0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (0.0, -0.0, PI), (-0.0, -0.0, -PI), (INF, INF, FRAC_PI_4)],
    );
    gives2(
        "atan2",
        &[(INF, -INF, 3.0 * FRAC_PI_4), (-INF, -INF, -3.0 * FRAC_PI_4), (INF, NAN, NAN), (NAN, -INF, NAN)],
    );

    gives2(
        "hypot",
        &[(0.0, -0.0, 0.0), (-0.0, 3.0, 3.0), (3.0, -4.0, 5.0), (INF, NAN, INF), (NAN, -INF, INF)],
    );
    gives2("hypot", &[(NAN, 1.0, NAN), (0.0, NAN, NAN), (f64::MAX, f64::MAX, INF), (5e-324, 0.0, 5e-324)]);
    gives2("hypot", &[(1.5e-323, 2e-323, 2.5e-323), (f64::MAX, 1.0, f64::MAX)]);

    for name in ["logaddexp", "logaddexp2"] {
        gives2(
            name,
            &[(INF, INF, INF), (-INF, -INF, -INF), (INF, -INF, INF), (-INF, 3.0, 3.0), (1.0, INF, INF)],
        );
        gives2(
            name,
            &[
                (NAN, INF, NAN),
                (-INF, NAN, NAN),
                (NAN, 1.0, NAN),
                (1e300, 1.0, 1e300),
                (-1e308, 1e308, 1e308),
            ],
        );
    }
    gives2("logaddexp2", &[(0.0, 0.0, 1.0), (-1.0, -1.0, 0.0), (5.0, 5.0, 6.0)]);

    gives2("xlogy", &[(0.0, 0.0, 0.0), (-0.0, INF, 0.0), (0.0, -1.0, 0.0), (0.0, NAN, NAN), (NAN, 1.0, NAN)]);
    gives2(
        "xlogy",
        &[(2.0, 0.0, -INF), (-2.0, 0.0, INF), (2.0, INF, INF), (2.0, -1.0, NAN), (-3.0, 1.0, -0.0)],
    );
    gives2(
        "xlogy",
        &[
            (INF, 2.0, INF),
            (INF, 0.5, -INF),
            (INF, 1.0, NAN),
            (1e308, 1e100, INF),
            (5e-324, 5e-324, -3.676e-321),
        ],
    );
}
