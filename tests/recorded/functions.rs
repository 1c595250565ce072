//! The elementary functions that NumPy has of complex numbers.

use promote::Op;

/// In the order of the rows of `tests/data/complex_*.npy`.
pub(crate) const FUNCTIONS: [Op; 21] = [
    Op::Sqrt,
    Op::Sign,
    Op::Exp,
    Op::Expm1,
    Op::Exp2,
    Op::Log,
    Op::Log1p,
    Op::Log2,
    Op::Log10,
    Op::Sin,
    Op::Cos,
    Op::Tan,
    Op::Asin,
    Op::Acos,
    Op::Atan,
    Op::Sinh,
    Op::Cosh,
    Op::Tanh,
    Op::Asinh,
    Op::Acosh,
    Op::Atanh,
];
