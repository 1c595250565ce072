//! Compares functions with recorded results (`tests/data/record_complex.py`) at every level, and tests
//! special values.

use std::println;

use super::*;
use crate::level::Lanes;
use crate::math::forms::{self, Forms, Named};
use crate::math::oracle::{ComplexPoint, recorded_complex, unit, unit_f32};
use crate::ops::{self, OpLane};

/// Bounds on the errors of recorded points: in units of the last place of the absolute value, and of each
/// part by itself. The smaller part has none where it is a difference of what makes the greater one.
const BOUNDS: &[(&str, f64, f64)] = &[
    ("sqrt", 1.5, 1.5),
    ("sign", 1.5, 1.5),
    ("exp", 1.5, 2.0),
    ("exp2", 1.5, 2.0),
    ("expm1", 2.0, f64::INFINITY),
    ("sigmoid", 4.0, f64::INFINITY),
    ("log", 1.0, 1.0),
    ("log2", 1.0, 1.25),
    ("log10", 1.0, 1.25),
    ("log1p", 1.0, 1.0),
    ("sinh", 1.5, 2.0),
    ("cosh", 2.0, 2.0),
    ("tanh", 2.5, 2.5),
    ("sin", 1.5, 2.0),
    ("cos", 2.0, 2.0),
    ("tan", 2.5, 2.5),
    ("asin", 1.5, 2.5),
    ("acos", 2.0, 2.5),
    ("atan", 1.0, 1.5),
    ("asinh", 1.5, 2.5),
    ("acosh", 2.0, 2.5),
    ("atanh", 1.0, 1.5),
    ("pow", 2.0, f64::INFINITY),
    ("logaddexp", 2.0, f64::INFINITY),
    ("logaddexp2", 2.0, f64::INFINITY),
    ("atan2", 2.0, f64::INFINITY),
    ("hypot", 2.0, f64::INFINITY),
];

/// The relative error of the exponent z·ln w of w^z, in units of 2^-53.
const OF_EXPONENT: f64 = 0.02;

/// The functions of complex numbers.
struct Complex;

type C32 = num_complex::Complex<f32>;

macro_rules! functions {
    ($($name:literal $function:ident)*; $($name2:literal $function2:ident)*) => {
        impl Named for Complex {
            type Number = C;

            fn forms<L: Lanes>(name: &str) -> Forms<L, C> {
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

            fn same(a: C, b: C) -> bool {
                same(a, b)
            }
        }

        /// The op of c64.
        fn single(name: &str, a: C32, b: C32) -> C32 {
            match name {
                $($name => <ops::$function as OpLane<C32, (C32,)>>::apply(Scalar, (a,)),)*
                $($name2 => <ops::$function2 as OpLane<C32>>::apply(Scalar, (a, b)),)*
                _ => unreachable!("{name}"),
            }
        }
    };
}

functions! {
    "sqrt" Sqrt "sign" Sign "exp" Exp "exp2" Exp2 "expm1" Expm1 "sigmoid" Sigmoid "log" Log "log2" Log2 "log10" Log10 "log1p" Log1p
    "sinh" Sinh "cosh" Cosh "tanh" Tanh "sin" Sin "cos" Cos "tan" Tan "asin" Asin "acos" Acos "atan" Atan "asinh" Asinh
    "acosh" Acosh "atanh" Atanh;
    "pow" Pow "logaddexp" Logaddexp "logaddexp2" Logaddexp2 "atan2" Atan2 "hypot" Hypot "ldexp" Ldexp
}

fn same_part(x: f64, y: f64) -> bool {
    x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan())
}

fn same(x: C, y: C) -> bool {
    same_part(x.re, y.re) && same_part(x.im, y.im)
}

fn agreed(name: &str, a: C, b: C) -> C {
    forms::agreed::<Complex>(name, a, b)
}

#[test]
fn recorded_results_are_within_their_bounds_at_every_level() {
    for &(name, bound, part_bound) in BOUNDS {
        let points = recorded_complex(name).unwrap().0;
        assert!(points.len() > 80);
        let (mut worst, mut worst_part): (f64, f64) = (0.0, 0.0);
        for point in points {
            let ComplexPoint { a, b, exact } = point;
            let found = agreed(name, a, b);
            let error = point.error(found, unit);
            let parts = [(exact[0], found.re), (exact[1], found.im)];
            let [re, im] = parts.map(|(part, found)| part.error(found, unit(part.nearest)));
            let more = match name {
                "pow" => OF_EXPONENT * (b * a.ln()).norm(),
                // Units of the operands, and of what is left of 1 where the powers cancel.
                "logaddexp" | "logaddexp2" => {
                    let left = (a.re.max(b.re) - exact[0].nearest).exp();
                    let size = exact[0].nearest.abs().max(exact[1].nearest.abs());
                    (1.0 + a.norm().max(b.norm()) + left) / size
                }
                _ => 0.0,
            };
            let part = re.max(im);
            assert!(error < bound + more && part <= part_bound, "{name}({a:e}, {b:e}): {error}, {part}");
            worst = worst.max(error - more);
            worst_part = worst_part.max(part);
        }
        println!("{name}: {worst:.3}, each part {worst_part:.3}");
    }
}

/// Of operands that are numbers of `f32`, each part of the result is rounded once.
#[test]
fn recorded_results_of_c64_are_the_nearest() {
    let mut count = 0;
    let narrow = |z: C| {
        let single = C32 { re: z.re as f32, im: z.im as f32 };
        (C { re: single.re.into(), im: single.im.into() } == z).then_some(single)
    };
    for (name, ..) in BOUNDS {
        for ComplexPoint { a, b, exact } in recorded_complex(name).unwrap().0 {
            let (Some(a), Some(b)) = (narrow(a), narrow(b)) else { continue };
            let found = single(name, a, b);
            for (found, part) in [found.re, found.im].into_iter().zip(exact) {
                if (part.nearest as f32).is_finite() {
                    let error = part.error(found.into(), unit_f32(part.nearest));
                    assert!(error < 0.5001, "{name}({a}, {b}): {found} is {error} off");
                    count += 1;
                }
            }
        }
    }
    assert!(count > 1000, "{count}");
}

/// Compares two values. The signs of zeros and infinities beside a NaN, or without an angle, are ignored.
fn is_special_value(a: C, found: C, expected: C) -> bool {
    let has_nan = |z: C| z.re.is_nan() || z.im.is_nan();
    let any_sign = has_nan(expected) || has_nan(a) || a.re.is_infinite() && a.im.is_infinite();
    let near = |x: f64, y: f64| {
        let endless = any_sign && (x == 0.0 || x.is_infinite());
        same_part(x, y) || endless && x.abs() == y.abs() || (x - y).abs() < 1e-15 * y.abs()
    };
    near(found.re, expected.re) && near(found.im, expected.im)
}

#[test]
fn special_values_are_those_of_annex_g() {
    let mut count = 0;
    for (name, ..) in BOUNDS {
        for (a, expected) in recorded_complex(name).unwrap().1 {
            let found = agreed(name, a, a);
            assert!(is_special_value(a, found, expected), "{name}({a}) is {found}, not {expected}");
            count += 1;
        }
    }
    assert_eq!(count, 15 * 81);
}

const INF: f64 = f64::INFINITY;
const NO: f64 = f64::NAN;

#[track_caller]
fn gives(name: &str, cases: &[([f64; 2], [f64; 2])]) {
    for &([re, im], [x, y]) in cases {
        let (z, expected) = (C { re, im }, C { re: x, im: y });
        let found = agreed(name, z, z);
        assert!(is_special_value(z, found, expected), "{name}({z}) is {found}, not {expected}");
    }
}

/// Functions that Annex G does not have.
#[test]
fn special_values_of_the_other_functions() {
    gives("exp2", &[([3.0, 0.0], [8.0, 0.0]), ([-INF, 2.0], [0.0, 0.0]), ([INF, 0.0], [INF, 0.0])]);
    gives("exp2", &[([INF, INF], [INF, NO]), ([-INF, NO], [0.0, 0.0]), ([NO, -0.0], [NO, -0.0])]);
    gives("exp2", &[([1.0, INF], [NO, NO]), ([1100.0, 1.0], [INF, INF]), ([-1100.0, -1.0], [0.0, -0.0])]);
    gives("expm1", &[([0.0, -0.0], [0.0, -0.0]), ([-INF, 1.0], [-1.0, 0.0]), ([INF, -0.0], [INF, -0.0])]);
    gives("expm1", &[([-INF, INF], [-1.0, 0.0]), ([1.0, INF], [NO, NO]), ([-800.0, INF], [NO, NO])]);
    gives("expm1", &[([5e-324, 5e-324], [5e-324, 5e-324]), ([NO, 0.0], [NO, 0.0]), ([INF, NO], [INF, NO])]);
    gives("sigmoid", &[([0.0, -0.0], [0.5, -0.0]), ([INF, 3.0], [1.0, 0.0]), ([-INF, 3.0], [-0.0, 0.0])]);
    gives("sigmoid", &[([INF, INF], [1.0, 0.0]), ([-INF, NO], [0.0, 0.0]), ([1.0, INF], [NO, NO])]);
    gives("sigmoid", &[([-800.0, 0.0], [0.0, 0.0]), ([800.0, -0.0], [1.0, -0.0]), ([800.0, NO], [NO, NO])]);
    gives("log1p", &[([0.0, -0.0], [0.0, -0.0]), ([-1.0, 0.0], [-INF, 0.0]), ([-1.0, -0.0], [-INF, -0.0])]);
    gives("log1p", &[([INF, -2.0], [INF, -0.0]), ([NO, INF], [INF, NO]), ([NO, 0.0], [NO, NO])]);
    gives("log1p", &[([5e-324, 5e-324], [5e-324, 5e-324]), ([-INF, 0.0], [INF, core::f64::consts::PI])]);
    for name in ["log2", "log10"] {
        gives(name, &[([1.0, -0.0], [0.0, -0.0]), ([0.0, 0.0], [-INF, 0.0]), ([INF, -1.0], [INF, -0.0])]);
    }
    gives("log2", &[([8.0, 0.0], [3.0, 0.0]), ([5e-324, 0.0], [-1074.0, 0.0])]);
    gives("log10", &[([1000.0, 0.0], [3.0, 0.0]), ([0.0, 1e22], [22.0, 0.6821881769209206])]);
    gives("sign", &[([-0.0, -0.0], [0.0, 0.0]), ([3.0, -4.0], [0.6, -0.8]), ([NO, 0.0], [NO, NO])]);
    gives("sign", &[([INF, 1.0], [1.0, 0.0]), ([1.0, -INF], [0.0, -1.0]), ([-INF, NO], [-1.0, 0.0])]);
    gives("sign", &[([INF, INF], [NO, NO]), ([3e-320, 4e-320], [0.6, 0.8]), ([3e307, -4e307], [0.6, -0.8])]);
    gives("sign", &[([5e-324, 0.0], [1.0, 0.0]), ([0.0, -f64::MAX], [0.0, -1.0])]);
}

#[test]
fn special_values_of_powers() {
    let z = |re: f64, im: f64| C { re, im };
    let one = z(1.0, 0.0);
    for w in [z(0.0, 0.0), z(NO, 1.0), z(INF, -INF), z(2.0, 3.0)] {
        for zero in [z(0.0, 0.0), z(-0.0, -0.0)] {
            assert!(same(agreed("pow", w, zero), one), "{w}");
        }
        assert!(agreed("pow", w, z(NO, 0.0)).re.is_nan(), "{w}");
    }
    let zero = z(-0.0, 0.0);
    assert!(same(agreed("pow", zero, z(2.0, 1.0)), z(0.0, 0.0)));
    assert!(same(agreed("pow", zero, z(-1.0, 0.0)), z(INF, NO)));
    assert!(same(agreed("pow", zero, z(0.0, 1.0)), NAN));
    // Whole powers of integers are exact.
    let (mut power, w) = (z(1.0, 2.0), z(1.0, 2.0));
    for n in 1..20 {
        assert_eq!(agreed("pow", w, z(f64::from(n), 0.0)), power, "{n}");
        power *= w;
    }
    assert_eq!(agreed("pow", z(0.0, 1.0), z(2.0, 0.0)), z(-1.0, 0.0));
    assert_eq!(agreed("pow", z(1.0, 2.0), z(-1.0, 0.0)), z(0.2, -0.4));
    assert_eq!(agreed("pow", z(0.0, 1e-200), z(2.0, 0.0)), z(0.0, 0.0));
    for w in [z(INF, -3.0), z(NO, 1.0), z(1e-320, -1e300)] {
        assert!(same(agreed("pow", w, one), w), "{w}");
    }
    // Results with an infinite absolute value and no angle.
    assert!(same(agreed("pow", z(INF, 1.0), z(0.5, 0.0)), z(INF, NO)));
    assert!(same(agreed("pow", z(2.0, 1.0), z(INF, 0.0)), z(INF, NO)));
    assert_eq!(agreed("pow", z(2.0, 1.0), z(-INF, 0.0)), z(0.0, 0.0));
}

#[test]
fn special_values_of_sums_of_powers() {
    let z = |re: f64, im: f64| C { re, im };
    for name in ["logaddexp", "logaddexp2"] {
        // A negligible operand changes nothing but the angle, which is that of the logarithm.
        assert_eq!(agreed(name, z(-INF, 1.0), z(2.0, 3.0)), z(2.0, 3.0));
        assert_eq!(agreed(name, z(1e300, 3.0), z(-1e300, -7.0)), z(1e300, 3.0));
        assert_eq!(agreed(name, z(-INF, 0.0), z(-INF, 0.0)).re, -INF);
        assert_eq!(agreed(name, z(INF, 0.0), z(5.0, 1.0)).re, INF);
        assert!(agreed(name, z(NO, 0.0), z(1.0, 0.0)).re.is_nan());
        assert!(agreed(name, z(2.0, INF), z(1.0, 0.0)).re.is_nan());
        // The order of the operands does not matter.
        for (a, b) in
            [(z(1.0, 9.0), z(1.0, -2.0)), (z(0.5, 1e9), z(0.5, 3.0)), (z(3.0, 4.0), z(-800.0, 1e12))]
        {
            assert!(same(agreed(name, a, b), agreed(name, b, a)), "{name}({a}, {b})");
        }
    }
    let angle = agreed("logaddexp", z(0.0, 100.0), z(-900.0, 0.0)).im;
    assert!((angle - (100.0 - 32.0 * core::f64::consts::PI)).abs() < 1e-14, "{angle}");
    let equal = agreed("logaddexp2", z(3.0, 0.0), z(3.0, 0.0));
    assert_eq!(equal, z(4.0, 0.0));
}

#[test]
fn angles_of_real_numbers_are_the_real_ones() {
    let z = |re: f64| C { re, im: 0.0 };
    for (y, x) in [
        (1.0, 2.0),
        (-1.0, 2.0),
        (1.0, -2.0),
        (-3.0, -0.5),
        (0.0, -1.0),
        (-0.0, -1.0),
        (1e-300, 1e300),
        (2.0, 0.0),
    ] {
        let found = agreed("atan2", z(y), z(x));
        let wanted = crate::math::double::Atan2::general(Scalar, y, x);
        assert!(
            (found.re - wanted).abs() <= 2e-16 * wanted.abs() && found.im == 0.0,
            "{y}, {x}: {found}, {wanted}"
        );
    }
    for (y, x) in [
        (z(0.0), z(0.0)),
        (C { re: 1.0, im: 2.0 }, C { re: 2.0, im: -1.0 }),
        (z(INF), z(1.0)),
        (z(1.0), z(NO)),
    ] {
        assert!(same(agreed("atan2", y, x), NAN), "{y}, {x}");
    }
}

#[test]
fn lengths_have_the_sides_and_the_infinities_of_roots() {
    let z = |re: f64, im: f64| C { re, im };
    for (a, b, length) in [
        (z(3.0, 0.0), z(4.0, 0.0), z(5.0, 0.0)),
        (z(3e-320, -0.0), z(-4e-320, -0.0), z(5e-320, 0.0)),
        (z(-3e307, 0.0), z(4e307, 0.0), z(5e307, 0.0)),
        (z(f64::MAX, 0.0), z(f64::MAX, 0.0), z(INF, 0.0)),
        // On both sides of the cut, where the squares cancel too.
        (z(0.0, 1.0), z(0.0, 0.0), z(0.0, 1.0)),
        (z(-0.0, 1.0), z(-0.0, 0.0), z(0.0, -1.0)),
        (z(1e-300, 1e300), z(1e-310, 1.0), z(0.0, 1e300)),
        (z(-1e-300, 1e300), z(1e-310, 1.0), z(0.0, -1e300)),
        (z(1.0, 1.0), z(1.0, -1.0), z(0.0, 0.0)),
        (z(0.0, -0.0), z(0.0, -0.0), z(0.0, -0.0)),
        (z(INF, 1.0), z(2.0, 3.0), z(INF, 0.0)),
        (z(2.0, 3.0), z(-INF, 1.0), z(INF, -0.0)),
        (z(2.0, 3.0), z(-1.0, INF), z(0.0, -INF)),
        (z(INF, INF), z(INF, 0.0), z(INF, INF)),
        (z(INF, 0.0), z(0.0, INF), NAN),
        (z(INF, 1.0), z(NO, 1.0), NAN),
    ] {
        let found = agreed("hypot", a, b);
        assert!(same(found, length), "hypot({a}, {b}) is {found}, not {length}");
        assert!(same(agreed("hypot", b, a), found), "hypot({b}, {a})");
    }
}

#[test]
fn a_power_of_two_scales() {
    let z = |re: f64, im: f64| C { re, im };
    assert_eq!(agreed("ldexp", z(3.0, -5.0), z(4.0, 0.0)), z(48.0, -80.0));
    assert_eq!(agreed("ldexp", z(3.0, -5.0), z(-2000.0, 0.0)), z(0.0, 0.0));
    assert!(agreed("ldexp", z(1.0, 1.0), z(NO, 0.0)).re.is_nan());
}

/// The nearest parts of results whose angles take more than two parts of ln 2 (mpmath, 2400 bits).
#[test]
fn powers_of_two_have_the_angles_of_all_their_digits() {
    for ([x, y], [re, im]) in [
        ([0.5, 9.223372036854776e18], [-1.199348361215069, -0.7493754122272284]),
        ([1.0, 1e300], [1.7188287272724416, -1.0225594390073363]),
        ([-3.0, -6.364227503401573e198], [-0.10871230167926009, 0.06169793727182087]),
        ([0.0, 1073741825.0], [0.9949126045865314, -0.10074179487603062]),
    ] {
        let z = C { re: x, im: y };
        let found = agreed("exp2", z, z);
        let off = (found - C { re, im }).norm();
        assert!(off <= 1.5 * f64::EPSILON * found.norm(), "exp2({z}) is {found}");
    }
}
