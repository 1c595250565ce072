//! Comparisons of the forms of a function, for tests.

use crate::level::{Lanes, Scalar};

/// Evaluates an expression with the token of each level that the machine has.
macro_rules! at_every_level {
    (|$lanes:ident| $expr:expr) => {{
        let $lanes = $crate::level::Scalar;
        $expr;
        #[cfg(target_arch = "x86_64")]
        {
            use $crate::level::tokens::{V3, V4};
            if let Some($lanes) = V3::try_new() {
                $expr;
            }
            if let Some($lanes) = V4::try_new() {
                $expr;
            }
        }
    }};
}

pub(super) use at_every_level;

/// The forms of a function of two numbers. Functions of one number ignore the second one.
pub(super) struct Forms<L, T> {
    pub(super) in_fast_domain: fn(T, T) -> bool,
    pub(super) fast: fn(L, T, T) -> T,
    pub(super) general: fn(L, T, T) -> T,
}

/// Looks up functions by their names.
pub(super) trait Named {
    /// The type of their operands.
    type Number: Copy + core::fmt::LowerExp;

    fn forms<L: Lanes>(name: &str) -> Forms<L, Self::Number>;

    /// Returns true if two results have equal bits, or are both NaN.
    fn same(a: Self::Number, b: Self::Number) -> bool;
}

/// Returns the result of the general form at the scalar level, and checks that all other forms and levels
/// agree.
pub(super) fn agreed<N: Named>(name: &str, a: N::Number, b: N::Number) -> N::Number {
    fn at<L: Lanes, N: Named>(lanes: L, name: &str, a: N::Number, b: N::Number, result: N::Number) {
        let Forms { in_fast_domain, fast, general } = N::forms::<L>(name);
        assert!(N::same(general(lanes, a, b), result), "{name}({a:e}, {b:e}) at {:?}", L::LEVEL);
        if in_fast_domain(a, b) {
            let found = fast(lanes, a, b);
            assert!(N::same(found, result), "the fast form of {name}({a:e}, {b:e}) at {:?}", L::LEVEL);
        }
    }
    let result = (N::forms::<Scalar>(name).general)(Scalar, a, b);
    at_every_level!(|lanes| at::<_, N>(lanes, name, a, b, result));
    result
}
