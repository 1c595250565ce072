//! The forms of a function beside each other.

use crate::level::{Lanes, Scalar};

/// The forms of a function of two numbers; of one number the second says nothing.
pub(super) struct Forms<L, T> {
    pub(super) usual: fn(T, T) -> bool,
    pub(super) fast: fn(L, T, T) -> T,
    pub(super) full: fn(L, T, T) -> T,
}

/// Functions by their names.
pub(super) trait Named {
    /// What they are of.
    type Number: Copy + core::fmt::LowerExp;

    fn forms<L: Lanes>(name: &str) -> Forms<L, Self::Number>;

    /// Whether two results have the same bits, or are NaN.
    fn same(a: Self::Number, b: Self::Number) -> bool;
}

/// The result of the full form at the scalar level, which that of every other form and level must equal.
pub(super) fn agreed<N: Named>(name: &str, a: N::Number, b: N::Number) -> N::Number {
    fn at<L: Lanes, N: Named>(lanes: L, name: &str, a: N::Number, b: N::Number, result: N::Number) {
        let Forms { usual, fast, full } = N::forms::<L>(name);
        assert!(N::same(full(lanes, a, b), result), "{name}({a:e}, {b:e}) at {:?}", L::LEVEL);
        if usual(a, b) {
            let found = fast(lanes, a, b);
            assert!(N::same(found, result), "the fast form of {name}({a:e}, {b:e}) at {:?}", L::LEVEL);
        }
    }
    let result = (N::forms::<Scalar>(name).full)(Scalar, a, b);
    at::<_, N>(Scalar, name, a, b, result);
    #[cfg(target_arch = "x86_64")]
    {
        use crate::kernel::target::tokens::{V3, V4};
        if let Some(lanes) = V3::try_new() {
            at::<_, N>(lanes, name, a, b, result);
        }
        if let Some(lanes) = V4::try_new() {
            at::<_, N>(lanes, name, a, b, result);
        }
    }
    result
}
