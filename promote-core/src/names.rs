//! Names that other libraries, languages and file formats have for dtypes and ops.
//!
//! There are two kinds. Names in formats of interchange identify a dtype exactly, and readers and writers use
//! them in both directions. Aliases are only ever suggested: a name such as `float32` is an error whose
//! message names `f32`.

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
    /// The names say nothing of the layout: Arrow packs booleans into bits.
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

    /// Returns the standard dtype that a name of another library or language means, such as `float32`,
    /// `torch.half`, `double` or `<f4`; `None` if there is none. Case and underscores do not count.
    ///
    /// Nothing accepts these names. Error messages suggest the dtype.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::DType;
    ///
    /// assert_eq!(DType::from_alias("np.float32"), Some(DType::F32));
    /// assert_eq!(DType::from_alias("float8_e4m3fn"), Some(DType::F8E4M3FN));
    /// assert_eq!(DType::from_alias("string"), None);
    /// ```
    pub fn from_alias(name: &str) -> Option<DType> {
        // Without a byte order, `i8` would be read as 8 bytes.
        if name.starts_with(['<', '>', '|', '=']) {
            return DType::from_numpy_name(name);
        }
        let name = without_path(name);
        let listed = || DTYPE_ALIASES.iter().find(|(alias, _)| alike(alias, name)).map(|(_, dtype)| *dtype);
        let spelled = |dtype: &&DType| {
            let stems = STEMS.iter().any(|(stem, ours)| {
                let rest = dtype.name().strip_prefix(ours);
                rest.is_some_and(|rest| plain(stem).chain(plain(rest)).eq(plain(name)))
            });
            stems || alike(dtype.name(), name)
        };
        listed().or_else(|| DType::STANDARD.iter().find(spelled).copied())
    }
}

impl Op {
    /// Returns the standard op that a name of another library means, such as `div`, `mul` or `np.arctan2`;
    /// `None` if there is none. Case and underscores do not count.
    ///
    /// Nothing accepts these names. Error messages suggest the op.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::Op;
    ///
    /// assert_eq!(Op::from_alias("torch.mul"), Some(Op::Multiply));
    /// assert_eq!(Op::from_alias("is_nan"), Some(Op::Isnan));
    /// assert_eq!(Op::from_alias("softmax"), None);
    /// ```
    pub fn from_alias(name: &str) -> Option<Op> {
        let name = without_path(name);
        let listed = || OP_ALIASES.iter().find(|(alias, _)| alike(alias, name)).map(|(_, op)| *op);
        Op::STANDARD
            .iter()
            .copied()
            .find(|op| alike(op.name(), name))
            .or_else(listed)
            .or_else(|| RUST_METHODS.iter().find(|(method, _)| alike(method, name)).map(|(_, op)| *op))
    }
}

/// Removes the name of a library: `torch.` from `torch.float32`.
fn without_path(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

/// Returns the characters of a name that count.
fn plain(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase())
}

fn alike(a: &str, b: &str) -> bool {
    plain(a).eq(plain(b))
}

/// The beginnings of names such as `uint16`, and of ours.
const STEMS: &[(&str, &str)] =
    &[("uint", "u"), ("int", "i"), ("bfloat", "bf"), ("float", "f"), ("complex", "c")];

/// Names of dtypes that [`STEMS`] do not explain.
const DTYPE_ALIASES: &[(&str, DType)] = &[
    ("boolean", DType::Bool),
    ("byte", DType::U8),
    ("char", DType::I8),
    ("complex", DType::C64),
    ("double", DType::F64),
    ("float", DType::F32),
    ("half", DType::F16),
    ("int", DType::I32),
    ("integer", DType::I32),
    ("isize", DType::I64),
    ("long", DType::I64),
    ("short", DType::I16),
    ("single", DType::F32),
    ("uint", DType::U32),
    ("usize", DType::U64),
];

/// Names of ops that differ by more than underscores.
const OP_ALIASES: &[(&str, Op)] = &[
    ("absolute", Op::Abs),
    ("and", Op::BitwiseAnd),
    ("arccos", Op::Acos),
    ("arccosh", Op::Acosh),
    ("arcsin", Op::Asin),
    ("arcsinh", Op::Asinh),
    ("arctan", Op::Atan),
    ("arctan2", Op::Atan2),
    ("arctanh", Op::Atanh),
    ("average", Op::Mean),
    ("bitwise_invert", Op::BitwiseNot),
    ("bitwise_left_shift", Op::LeftShift),
    ("bitwise_right_shift", Op::RightShift),
    ("cast", Op::Astype),
    ("cat", Op::Concatenate),
    ("clip", Op::Clamp),
    ("concat", Op::Concatenate),
    ("conjugate", Op::Conj),
    ("cumulative_prod", Op::Cumprod),
    ("cumulative_sum", Op::Cumsum),
    ("div", Op::Divide),
    ("eq", Op::Equal),
    ("fabs", Op::Abs),
    ("fix", Op::Trunc),
    ("floordiv", Op::FloorDivide),
    ("ge", Op::GreaterEqual),
    ("gt", Op::Greater),
    ("invert", Op::BitwiseNot),
    ("le", Op::LessEqual),
    ("lshift", Op::LeftShift),
    ("lt", Op::Less),
    ("minus", Op::Subtract),
    ("mm", Op::Matmul),
    ("mod", Op::Remainder),
    ("mul", Op::Multiply),
    ("ne", Op::NotEqual),
    ("neg", Op::Negative),
    ("not", Op::LogicalNot),
    ("or", Op::BitwiseOr),
    ("plus", Op::Add),
    ("power", Op::Pow),
    ("product", Op::Prod),
    ("rem", Op::Remainder),
    ("rint", Op::Round),
    ("rshift", Op::RightShift),
    ("select", Op::Where),
    ("sgn", Op::Sign),
    ("shl", Op::LeftShift),
    ("shr", Op::RightShift),
    ("signum", Op::Sign),
    ("sub", Op::Subtract),
    ("swish", Op::Silu),
    ("times", Op::Multiply),
    ("true_divide", Op::Divide),
    ("truediv", Op::Divide),
    ("xor", Op::BitwiseXor),
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

    #[test]
    fn aliases_are_no_names_of_ours() {
        assert!(DTYPE_ALIASES.iter().all(|(alias, _)| alias.parse::<DType>().is_err()));
        assert!(OP_ALIASES.iter().all(|(alias, _)| alias.parse::<Op>().is_err()));
    }

    #[test]
    fn finds_dtypes_by_the_names_of_other_libraries() {
        for (name, dtype) in [
            ("bool_", DType::Bool),
            ("uint8", DType::U8),
            ("Int32", DType::I32),
            ("jnp.bfloat16", DType::BF16),
            ("torch.float16", DType::F16),
            ("double", DType::F64),
            ("complex64", DType::C64),
            ("float8_e4m3fn", DType::F8E4M3FN),
            ("float4_e2m1fn", DType::F4E2M1FN),
            ("int4", DType::I4),
            (">u2", DType::U16),
            ("U8", DType::U8),
        ] {
            assert_eq!(DType::from_alias(name), Some(dtype), "{name}");
        }
        for name in ["", "object", "string", "float33", "ä", "<q4"] {
            assert_eq!(DType::from_alias(name), None, "{name}");
        }
    }
}
