//! Names of dtypes in interchange formats, for reading and for writing, and names of ops in Rust.
//!
//! The names that PyTorch, NumPy and other systems have for dtypes and ops are in their rule files.

use crate::{DType, Op};

impl DType {
    /// Returns the standard dtype for which the condition is true.
    fn find(condition: impl Fn(DType) -> bool) -> Option<DType> {
        DType::STANDARD.iter().copied().find(|dtype| condition(*dtype))
    }

    /// Returns the type string of NumPy without its byte order, such as `f4` or `c16`; `None` if NumPy has
    /// none. bf16 is `V2`, as `ml_dtypes` writes it.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::DType;
    ///
    /// assert_eq!(DType::F32.numpy_name(), Some("f4"));
    /// assert_eq!(DType::F8E5M2.numpy_name(), None);
    /// ```
    pub fn numpy_name(self) -> Option<&'static str> {
        self.info()?.numpy
    }

    /// Returns the dtype with a type string of NumPy, with or without a byte order: `<f4`, `>f4` and `f4` are
    /// f32.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::DType;
    ///
    /// assert_eq!(DType::from_numpy_name("<i8"), Some(DType::I64));
    /// assert_eq!(DType::from_numpy_name("|b1"), Some(DType::Bool));
    /// assert_eq!(DType::from_numpy_name("<U12"), None);
    /// ```
    pub fn from_numpy_name(name: &str) -> Option<DType> {
        let name = name.strip_prefix(['<', '>', '|', '=']).unwrap_or(name);
        DType::find(|dtype| dtype.numpy_name() == Some(name))
    }

    /// Returns the name in the header of a `.safetensors` file, such as `BF16` or `F8_E4M3`; `None` if the
    /// format has none.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::DType;
    ///
    /// assert_eq!(DType::F8E4M3FN.safetensors_name(), Some("F8_E4M3"));
    /// assert_eq!(DType::C128.safetensors_name(), None);
    /// ```
    pub fn safetensors_name(self) -> Option<&'static str> {
        self.info()?.safetensors
    }

    /// Returns the dtype with a name of `.safetensors` files.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::DType;
    ///
    /// assert_eq!(DType::from_safetensors_name("BF16"), Some(DType::BF16));
    /// ```
    pub fn from_safetensors_name(name: &str) -> Option<DType> {
        DType::find(|dtype| dtype.safetensors_name() == Some(name))
    }

    /// Returns the format string of Arrow's C data interface, such as `f` for f32; `None` if Arrow has none.
    ///
    /// The format string does not describe the layout: Arrow packs booleans into bits.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::DType;
    ///
    /// assert_eq!(DType::F32.arrow_format(), Some("f"));
    /// assert_eq!(DType::C64.arrow_format(), None);
    /// ```
    pub fn arrow_format(self) -> Option<&'static str> {
        self.info()?.arrow
    }

    /// Returns the dtype with a format string of Arrow's C data interface.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::DType;
    ///
    /// assert_eq!(DType::from_arrow_format("l"), Some(DType::I64));
    /// assert_eq!(DType::from_arrow_format("u"), None); // strings
    /// ```
    pub fn from_arrow_format(format: &str) -> Option<DType> {
        DType::find(|dtype| dtype.arrow_format() == Some(format))
    }

    /// Returns the type code and the bits of DLPack's `DLDataType` (with one lane); `None` if DLPack has no
    /// code.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::DType;
    ///
    /// assert_eq!(DType::BF16.dlpack(), Some((4, 16))); // kDLBfloat
    /// ```
    pub fn dlpack(self) -> Option<(u8, u8)> {
        Some((self.info()?.dlpack?, self.bits() as u8))
    }

    /// Returns the dtype with a type code and a number of bits of DLPack's `DLDataType`.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::DType;
    ///
    /// assert_eq!(DType::from_dlpack(2, 32), Some(DType::F32)); // kDLFloat
    /// assert_eq!(DType::from_dlpack(3, 64), None); // kDLOpaqueHandle
    /// ```
    pub fn from_dlpack(code: u8, bits: u8) -> Option<DType> {
        DType::find(|dtype| dtype.dlpack() == Some((code, bits)))
    }
}

/// Methods of Rust's operators, which ops have under another name.
const RUST_OPERATORS: &[(&str, Op)] = &[
    ("bitand", Op::BitwiseAnd),
    ("bitor", Op::BitwiseOr),
    ("bitxor", Op::BitwiseXor),
    ("div", Op::Divide),
    ("mul", Op::Multiply),
    ("neg", Op::Negative),
    ("not", Op::BitwiseNot),
    ("rem", Op::Fmod),
    ("shl", Op::LeftShift),
    ("shr", Op::RightShift),
    ("sub", Op::Subtract),
];

/// Methods of Rust's numbers that ops have under another name. `max` and `min` of Rust take two numbers, as
/// `maximum` and `minimum` do, while the ops of these names reduce an array.
const RUST_METHODS: &[(&str, Op)] = &[
    ("ln", Op::Log),
    ("max", Op::Maximum),
    ("min", Op::Minimum),
    ("powf", Op::Pow),
    ("powi", Op::Pow),
    ("recip", Op::Reciprocal),
    ("signum", Op::Sign),
];

/// Passes the methods of a custom kernel's numbers that take a second number to a macro.
///
/// `__binary_methods!(path::callback { arguments })` calls `path::callback! { { arguments } ordered [rows]
/// floating [rows] }`: the methods of integers and floats, and those of floats alone. A row is `#[doc] name
/// Op;`.
#[doc(hidden)]
#[macro_export]
macro_rules! __binary_methods {
    ($($callback:ident)::+ { $($arguments:tt)* }) => {
        $($callback)::+! {
            { $($arguments)* }
            ordered [
                /// Returns the greater of two numbers, or NaN if one of them is NaN.
                maximum Maximum;
                /// Returns the lesser of two numbers, or NaN if one of them is NaN.
                minimum Minimum;
            ]
            floating [
                /// Raises `self` to the power of `other`.
                pow Pow;
                /// Returns the angle of the point `(other, self)`, in radians.
                atan2 Atan2;
                /// Returns `sqrt(self² + other²)`.
                hypot Hypot;
                /// Returns `log(e^self + e^other)`.
                logaddexp Logaddexp;
                /// Returns `self` with the sign of `other`.
                copysign Copysign;
                /// Returns the remainder of the truncated quotient, with the sign of `self`. It is exact.
                fmod Fmod;
            ]
        }
    };
}

macro_rules! binary_methods {
    ({} $($kind:ident [$($(#[$doc:meta])* $name:ident $op:ident;)*])*) => {
        /// The names of the methods of [`__binary_methods!`](crate::__binary_methods).
        pub const BINARY_METHODS: &[&str] = &[$($(stringify!($name)),*),*];
    };
}

__binary_methods! { binary_methods {} }

/// Returns the op that a method of Rust's numbers computes, if the op has another name.
pub fn op_of_rust_method(name: &str) -> Option<Op> {
    RUST_METHODS.iter().find(|(method, _)| *method == name).map(|(_, op)| *op)
}

/// Returns the op that a method of Rust's numbers or of its operators computes, if the op has another name.
pub fn op_of_rust_name(name: &str) -> Option<Op> {
    let operator = || RUST_OPERATORS.iter().find(|(method, _)| *method == name).map(|(_, op)| *op);
    op_of_rust_method(name).or_else(operator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interchange_names_round_trip() {
        // The formats with the least number of dtypes that each of them names.
        type RoundTrip = fn(DType) -> Option<Option<DType>>;
        let formats: [(&str, RoundTrip, usize); 4] = [
            ("NumPy", |dtype| dtype.numpy_name().map(DType::from_numpy_name), 15),
            ("safetensors", |dtype| dtype.safetensors_name().map(DType::from_safetensors_name), 15),
            ("Arrow", |dtype| dtype.arrow_format().map(DType::from_arrow_format), 12),
            ("DLPack", |dtype| dtype.dlpack().map(|(code, bits)| DType::from_dlpack(code, bits)), 18),
        ];
        for (format, round_trip, least) in formats {
            let named = || DType::STANDARD.iter().filter_map(|&dtype| Some((dtype, round_trip(dtype)?)));
            for (dtype, found) in named() {
                assert_eq!(found, Some(dtype), "{format}");
            }
            assert!(named().count() >= least, "{format} names {} dtypes", named().count());
        }
    }
}
