//! The standard dtypes.

use core::any::Any;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use crate::Format;

/// The kind of a dtype, in the order of promotion.
///
/// A rule file may declare further kinds among these. The dtypes of such a kind are [`Kind::Custom`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Kind {
    /// True or false.
    Bool,
    /// Unsigned integers.
    Unsigned,
    /// Signed integers, in two's complement.
    Signed,
    /// Binary floating point.
    Float,
    /// A pair of floats, real part first.
    Complex,
    /// A custom dtype.
    Custom,
}

/// A dtype that a rule file or a Rust type defines.
///
/// Two custom dtypes are equal when they are the same `static`: equality is by address.
pub struct CustomDType {
    name: &'static str,
    bits: u32,
    align: usize,
    /// The casts of its Rust type, in a type that only the run time knows.
    casts: Option<&'static (dyn Any + Send + Sync)>,
}

// The casts are left out: addresses tell the reader of a failed assertion nothing.
impl fmt::Debug for CustomDType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} bits", self.name, self.bits)
    }
}

impl CustomDType {
    /// Creates a dtype from its name, as the rule file spells it, its width in bits and its alignment in
    /// bytes.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::{CustomDType, DType, Kind};
    ///
    /// static MONEY: CustomDType = CustomDType::new("money", 64, 8);
    /// let dtype = DType::Custom(&MONEY);
    /// assert_eq!((dtype.name(), dtype.size(), dtype.kind()), ("money", Some(8), Kind::Custom));
    /// ```
    pub const fn new(name: &'static str, bits: u32, align: usize) -> CustomDType {
        CustomDType { name, bits, align, casts: None }
    }

    /// Returns the canonical name, as the rule file spells it.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the size of one element in bits.
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the alignment of one element in bytes.
    pub const fn align(&self) -> usize {
        self.align
    }

    /// Attaches the casts of the Rust type, which only the run time knows.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_casts(self, casts: &'static (dyn Any + Send + Sync)) -> CustomDType {
        CustomDType { casts: Some(casts), ..self }
    }

    /// Returns the casts of the Rust type, if there are any.
    #[doc(hidden)]
    pub const fn casts(&self) -> Option<&'static (dyn Any + Send + Sync)> {
        self.casts
    }
}

/// Passes a row for each standard dtype to a macro: first the dtypes that have a Rust type, and with it
/// conversions and kernels, then the dtypes that exist in tables only.
///
/// `__dtypes!(path::callback { arguments })` calls `path::callback! { { arguments } typed [rows] untyped
/// [rows] }`. A row is `{ documentation } Variant name bits align format;`, with the alignment of an unpacked
/// element in bytes. The Rust type of a typed row has the row's name in `promote_runtime::__private::types`.
#[doc(hidden)]
#[macro_export]
macro_rules! __dtypes {
    ($($callback:ident)::+ { $($arguments:tt)* }) => {
        $($callback)::+! {
            { $($arguments)* }
            typed [
                { "One byte: 0 is false, every other byte is true." }
                Bool bool 8 1 Format::Bool;
                { "`u8`" } U8 u8 8 1 Format::unsigned(8);
                { "`u16`" } U16 u16 16 2 Format::unsigned(16);
                { "`u32`" } U32 u32 32 4 Format::unsigned(32);
                { "`u64`" } U64 u64 64 8 Format::unsigned(64);
                { "`i8`" } I8 i8 8 1 Format::signed(8);
                { "`i16`" } I16 i16 16 2 Format::signed(16);
                { "`i32`" } I32 i32 32 4 Format::signed(32);
                { "`i64`" } I64 i64 64 8 Format::signed(64);
                { "4 exponent and 3 mantissa bits, no infinity: `float8::F8E4M3`." }
                F8E4M3FN f8e4m3fn 8 1 Format::float(4, 8, -9);
                { "5 exponent and 2 mantissa bits: `float8::F8E5M2`." }
                F8E5M2 f8e5m2 8 1 Format::float(3, 15, -16);
                { "IEEE 754 binary16: `half::f16`." } F16 f16 16 2 Format::float(11, 15, -24);
                { "The upper half of an `f32`: `half::bf16`." } BF16 bf16 16 2 Format::float(8, 127, -133);
                { "`f32`" } F32 f32 32 4 Format::float(24, 127, -149);
                { "`f64`" } F64 f64 64 8 Format::float(53, 1023, -1074);
                { "Two `f16`: `num_complex::Complex<half::f16>`." } C32 c32 32 2 Format::complex(DType::F16);
                { "Two `f32`: `num_complex::Complex<f32>`." } C64 c64 64 4 Format::complex(DType::F32);
                { "Two `f64`: `num_complex::Complex<f64>`." } C128 c128 128 8 Format::complex(DType::F64);
            ]
            untyped [
                { "Two `bf16`. It exists in tables only." } BC32 bc32 32 2 Format::complex(DType::BF16);
                { "It exists in tables only." } F8E4M3 f8e4m3 8 1 Format::float(4, 7, -9);
                { "It exists in tables only." } F8E3M4 f8e3m4 8 1 Format::float(5, 3, -6);
                { "It exists in tables only." } F8E4M3FNUZ f8e4m3fnuz 8 1 Format::float(4, 7, -10);
                { "It exists in tables only." } F8E5M2FNUZ f8e5m2fnuz 8 1 Format::float(3, 15, -17);
                { "It exists in tables only." } F8E4M3B11FNUZ f8e4m3b11fnuz 8 1 Format::float(4, 4, -13);
                { "An exponent without a significand: the scale of the microscaling formats. It exists in tables only." }
                F8E8M0FNU f8e8m0fnu 8 1 Format::float(1, 127, -127);
                { "It exists in tables only." } F6E2M3FN f6e2m3fn 6 1 Format::float(4, 2, -3);
                { "It exists in tables only." } F6E3M2FN f6e3m2fn 6 1 Format::float(3, 4, -4);
                { "It exists in tables only." } F4E2M1FN f4e2m1fn 4 1 Format::float(2, 2, -1);
                { "A four-bit code of 16 quantiles of the normal distribution. It exists in tables only." }
                NF4 nf4 4 1 Format::float(1, 0, 0);
                { "It exists in tables only." } U1 u1 1 1 Format::unsigned(1);
                { "It exists in tables only." } U2 u2 2 1 Format::unsigned(2);
                { "It exists in tables only." } U3 u3 3 1 Format::unsigned(3);
                { "It exists in tables only." } U4 u4 4 1 Format::unsigned(4);
                { "It exists in tables only." } U6 u6 6 1 Format::unsigned(6);
                { "It exists in tables only." } I1 i1 1 1 Format::signed(1);
                { "It exists in tables only." } I2 i2 2 1 Format::signed(2);
                { "It exists in tables only." } I4 i4 4 1 Format::signed(4);
            ]
        }
    };
}

macro_rules! define {
    (
        {}
        typed [$({ $typed_doc:literal } $typed:ident $typed_name:ident $typed_bits:literal $typed_align:literal $typed_format:expr;)*]
        untyped [$({ $doc:literal } $variant:ident $name:ident $bits:literal $align:literal $format:expr;)*]
    ) => {
        define! {
            $({ $typed_doc } $typed $typed_name $typed_bits $typed_align $typed_format;)*
            $({ $doc } $variant $name $bits $align $format;)*
        }

        /// The number of dtypes that have a Rust type.
        const TYPED: usize = [$(stringify!($typed)),*].len();
    };
    ($({ $doc:literal } $variant:ident $name:ident $bits:literal $align:literal $format:expr;)*) => {
        /// The type of an array's elements, standard or custom.
        ///
        /// All rule sets share this type, so that arrays, operands and kernels of different sets mix freely.
        /// Complex dtypes are named by their total width: [`DType::C64`] is two `f32`, real part first.
        ///
        /// ```
        /// # use promote_core as promote;
        /// use promote::DType;
        ///
        /// assert_eq!((DType::BF16.name(), DType::BF16.bits()), ("bf16", 16));
        /// assert_eq!(DType::C64.real_dtype(), Some(DType::F32));
        /// ```
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum DType {
            $(#[doc = $doc] $variant,)*
            /// A custom dtype.
            Custom(&'static CustomDType),
        }

        impl DType {
            /// All standard dtypes, in the order of [`DType::index`].
            pub const STANDARD: &'static [DType] = &[$(DType::$variant),*];

            /// Returns the position of a standard dtype in [`DType::STANDARD`], or the length of that list
            /// for a custom dtype.
            #[inline]
            pub const fn index(self) -> usize {
                enum Index { $($variant,)* Custom }
                match self {
                    $(DType::$variant => Index::$variant as usize,)*
                    DType::Custom(_) => Index::Custom as usize,
                }
            }

            /// Returns the canonical name, such as `f16` or `c64`.
            #[inline]
            pub const fn name(self) -> &'static str {
                match self {
                    $(DType::$variant => stringify!($name),)*
                    DType::Custom(custom) => custom.name,
                }
            }

            /// Returns the name of the variant, such as `F16`.
            #[doc(hidden)]
            pub const fn variant(self) -> &'static str {
                match self {
                    $(DType::$variant => stringify!($variant),)*
                    DType::Custom(_) => "Custom",
                }
            }

            /// Returns the format of a standard dtype; `None` for a custom dtype.
            #[inline]
            pub const fn format(self) -> Option<Format> {
                match self {
                    $(DType::$variant => Some($format),)*
                    DType::Custom(_) => None,
                }
            }

            /// Returns the kind.
            #[inline]
            pub const fn kind(self) -> Kind {
                match self {
                    $(DType::$variant => const { $format.kind() },)*
                    DType::Custom(_) => Kind::Custom,
                }
            }

            /// Returns the size of one element in bits; `bool` takes 8.
            #[inline]
            pub const fn bits(self) -> u32 {
                match self {
                    $(DType::$variant => $bits,)*
                    DType::Custom(custom) => custom.bits,
                }
            }

            /// Returns the alignment of one unpacked element in bytes.
            #[inline]
            pub const fn align(self) -> usize {
                match self {
                    $(DType::$variant => $align,)*
                    DType::Custom(custom) => custom.align,
                }
            }
        }
    };
}

__dtypes! { define {} }

impl DType {
    /// The dtypes that have a Rust type, and with it conversions and kernels: the first of
    /// [`DType::STANDARD`].
    pub const WITH_TYPE: &'static [DType] = DType::STANDARD.split_at(TYPED).0;

    /// The largest number of custom dtypes with a Rust type in a rule set. Kernels encode a dtype in five
    /// bits.
    pub const MAX_CUSTOM: usize = 32 - TYPED;

    /// Returns true if this is a standard dtype whose elements have a Rust type.
    #[inline]
    pub const fn has_type(self) -> bool {
        self.index() < TYPED
    }

    /// Returns the dtype of the real and the imaginary part; `None` unless the dtype is complex.
    #[inline]
    pub const fn real_dtype(self) -> Option<DType> {
        match self.format() {
            Some(Format::Complex { part }) => Some(part),
            _ => None,
        }
    }

    /// Returns true if this dtype represents every value of the other, apart from NaN, infinities and the
    /// sign of zero. Returns false if one of them is custom.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::DType;
    ///
    /// assert!(DType::F32.holds(DType::I16));
    /// assert!(!DType::F32.holds(DType::I32));
    /// ```
    pub const fn holds(self, other: DType) -> bool {
        match (self.format(), other.format()) {
            (Some(this), Some(other)) => this.holds(other),
            _ => false,
        }
    }

    /// Returns the dtype in which elements are computed in registers: f32 for f16, bf16 and f8, c64 for c32,
    /// and the dtype itself otherwise.
    #[must_use]
    #[inline]
    pub const fn register(self) -> DType {
        match self {
            DType::F16 | DType::BF16 | DType::F8E4M3FN | DType::F8E5M2 => DType::F32,
            DType::C32 => DType::C64,
            other => other,
        }
    }

    /// Returns the size of one element in bytes; `None` for dtypes that are narrower than a byte.
    #[inline]
    pub const fn size(self) -> Option<usize> {
        let bits = self.bits();
        if bits.is_multiple_of(8) { Some(bits as usize / 8) } else { None }
    }
}

impl PartialEq for DType {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (DType::Custom(a), DType::Custom(b)) => core::ptr::eq(*a, *b),
            _ => self.index() == other.index(),
        }
    }
}

impl Eq for DType {}

impl Hash for DType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            DType::Custom(custom) => core::ptr::from_ref(*custom).hash(state),
            _ => self.index().hash(state),
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of parsing a name that no standard dtype has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseDTypeError {
    meant: Option<DType>,
}

impl ParseDTypeError {
    /// Returns the dtype that the name means elsewhere ([`DType::from_alias`]), which the message suggests.
    pub const fn suggestion(&self) -> Option<DType> {
        self.meant
    }
}

impl fmt::Display for ParseDTypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(meant) = self.meant {
            return write!(f, "no standard dtype has this name; help: did you mean `{meant}`?");
        }
        f.write_str("no standard dtype has this name; help: write one of")?;
        for (i, dtype) in DType::STANDARD.iter().enumerate() {
            write!(f, "{} {dtype}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for ParseDTypeError {}

impl FromStr for DType {
    type Err = ParseDTypeError;

    /// Reads a canonical name. The error for a name of another library suggests the dtype.
    ///
    /// ```
    /// # use promote_core::DType;
    /// assert_eq!("bf16".parse(), Ok(DType::BF16));
    /// let error = "float32".parse::<DType>().unwrap_err();
    /// assert_eq!(error.to_string(), "no standard dtype has this name; help: did you mean `f32`?");
    /// ```
    fn from_str(name: &str) -> Result<Self, ParseDTypeError> {
        DType::STANDARD
            .iter()
            .copied()
            .find(|dtype| dtype.name() == name)
            .ok_or_else(|| ParseDTypeError { meant: DType::from_alias(name) })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn names_and_positions_round_trip() {
        for (i, &dtype) in DType::STANDARD.iter().enumerate() {
            assert_eq!(dtype.name().parse(), Ok(dtype));
            assert_eq!(dtype.index(), i);
        }
    }

    #[test]
    fn custom_dtypes_are_equal_by_address() {
        static P: CustomDType = CustomDType::new("q16", 32, 4);
        static Q: CustomDType = CustomDType::new("q16", 32, 4);
        assert_eq!(DType::Custom(&P), DType::Custom(&P));
        assert_ne!(DType::Custom(&P), DType::Custom(&Q));
        assert_ne!(DType::Custom(&P), DType::I32);
    }

    #[test]
    fn widths_follow_from_formats() {
        for &dtype in DType::STANDARD {
            match dtype.format().expect("a standard dtype") {
                Format::Int { bits, .. } => assert_eq!(dtype.bits(), bits, "{dtype}"),
                Format::Complex { part } => {
                    assert_eq!((dtype.bits(), dtype.align()), (2 * part.bits(), part.align()), "{dtype}");
                }
                Format::Bool | Format::Float { .. } => {}
            }
        }
    }
}
