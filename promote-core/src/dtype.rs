//! The standard dtypes.

use core::any::Any;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

mod info;

use self::info::DTypeInfo;
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
/// conversions and kernels, in groups by the form in which they are computed, then the dtypes that exist in
/// tables only.
///
/// `__dtypes!(path::callback { arguments })` calls `path::callback! { { arguments } typed [groups] untyped
/// [rows] }`. A group is `name [rows]`, and a row is `Variant name { a documentation and a DTypeInfo }`. The
/// Rust type of a typed row has the row's name in `promote_runtime::__private::types`.
#[doc(hidden)]
#[macro_export]
macro_rules! __dtypes {
    ($($callback:ident)::+ { $($arguments:tt)* }) => {
        $($callback)::+! {
            { $($arguments)* }
            typed [
                bool [
                    Bool bool {
                        "One byte: 0 is false, every other byte is true.",
                        DTypeInfo::boolean().numpy("b1").safetensors("BOOL").arrow("b")
                    }
                ]
                integer [
                    U8 u8 { "`u8`", DTypeInfo::unsigned(8).numpy("u1").safetensors("U8").arrow("C") }
                    U16 u16 { "`u16`", DTypeInfo::unsigned(16).numpy("u2").safetensors("U16").arrow("S") }
                    U32 u32 { "`u32`", DTypeInfo::unsigned(32).numpy("u4").safetensors("U32").arrow("I") }
                    U64 u64 { "`u64`", DTypeInfo::unsigned(64).numpy("u8").safetensors("U64").arrow("L") }
                    I8 i8 { "`i8`", DTypeInfo::signed(8).numpy("i1").safetensors("I8").arrow("c") }
                    I16 i16 { "`i16`", DTypeInfo::signed(16).numpy("i2").safetensors("I16").arrow("s") }
                    I32 i32 { "`i32`", DTypeInfo::signed(32).numpy("i4").safetensors("I32").arrow("i") }
                    I64 i64 { "`i64`", DTypeInfo::signed(64).numpy("i8").safetensors("I64").arrow("l") }
                ]
                // Computed in f32.
                narrow_float [
                    F8E4M3FN f8e4m3fn {
                        "4 exponent and 3 mantissa bits, no infinity: `float8::F8E4M3`.",
                        DTypeInfo::float(8, 4, 8, -9).safetensors("F8_E4M3").dlpack(10)
                    }
                    F8E5M2 f8e5m2 {
                        "5 exponent and 2 mantissa bits: `float8::F8E5M2`.",
                        DTypeInfo::float(8, 3, 15, -16).safetensors("F8_E5M2").dlpack(12)
                    }
                    F16 f16 {
                        "IEEE 754 binary16: `half::f16`.",
                        DTypeInfo::float(16, 11, 15, -24).numpy("f2").safetensors("F16").arrow("e").dlpack(2)
                    }
                    // NumPy has no bf16. `ml_dtypes` writes it as two raw bytes.
                    BF16 bf16 {
                        "The upper half of an `f32`: `half::bf16`.",
                        DTypeInfo::float(16, 8, 127, -133).numpy("V2").safetensors("BF16").dlpack(4)
                    }
                ]
                float [
                    F32 f32 {
                        "`f32`",
                        DTypeInfo::float(32, 24, 127, -149).numpy("f4").safetensors("F32").arrow("f").dlpack(2)
                    }
                    F64 f64 {
                        "`f64`",
                        DTypeInfo::float(64, 53, 1023, -1074)
                            .numpy("f8").safetensors("F64").arrow("g").dlpack(2)
                    }
                ]
                // Computed in c64.
                narrow_complex [
                    C32 c32 {
                        "Two `f16`: `num_complex::Complex<half::f16>`.",
                        DTypeInfo::complex(32, DType::F16).dlpack(5)
                    }
                ]
                complex [
                    C64 c64 {
                        "Two `f32`: `num_complex::Complex<f32>`.",
                        DTypeInfo::complex(64, DType::F32).numpy("c8").safetensors("C64").dlpack(5)
                    }
                    C128 c128 {
                        "Two `f64`: `num_complex::Complex<f64>`.",
                        DTypeInfo::complex(128, DType::F64).numpy("c16").dlpack(5)
                    }
                ]
            ]
            untyped [
                BC32 bc32 { "Two `bf16`.", DTypeInfo::complex(32, DType::BF16) }
                F8E4M3 f8e4m3 {
                    "4 exponent and 3 mantissa bits, with infinities.",
                    DTypeInfo::float(8, 4, 7, -9).dlpack(8)
                }
                F8E3M4 f8e3m4 {
                    "3 exponent and 4 mantissa bits, with infinities.",
                    DTypeInfo::float(8, 5, 3, -6).dlpack(7)
                }
                F8E4M3FNUZ f8e4m3fnuz {
                    "4 exponent and 3 mantissa bits, no infinity and no negative zero.",
                    DTypeInfo::float(8, 4, 7, -10).safetensors("F8_E4M3FNUZ").dlpack(11)
                }
                F8E5M2FNUZ f8e5m2fnuz {
                    "5 exponent and 2 mantissa bits, no infinity and no negative zero.",
                    DTypeInfo::float(8, 3, 15, -17).safetensors("F8_E5M2FNUZ").dlpack(13)
                }
                F8E4M3B11FNUZ f8e4m3b11fnuz {
                    "As f8e4m3fnuz, with the exponent bias 11.",
                    DTypeInfo::float(8, 4, 4, -13).dlpack(9)
                }
                F8E8M0FNU f8e8m0fnu {
                    "An exponent without a significand: the scale of the microscaling formats.",
                    DTypeInfo::float(8, 1, 127, -127).safetensors("F8_E8M0").dlpack(14)
                }
                F6E2M3FN f6e2m3fn {
                    "2 exponent and 3 mantissa bits, finite values alone.",
                    DTypeInfo::float(6, 4, 2, -3).safetensors("F6_E2M3").dlpack(15)
                }
                F6E3M2FN f6e3m2fn {
                    "3 exponent and 2 mantissa bits, finite values alone.",
                    DTypeInfo::float(6, 3, 4, -4).safetensors("F6_E3M2").dlpack(16)
                }
                F4E2M1FN f4e2m1fn {
                    "2 exponent bits and 1 mantissa bit, finite values alone.",
                    DTypeInfo::float(4, 2, 2, -1).safetensors("F4").dlpack(17)
                }
                NF4 nf4 {
                    "A four-bit code of 16 quantiles of the normal distribution.",
                    DTypeInfo::float(4, 1, 0, 0)
                }
                U1 u1 { "Unsigned integers of 1 bit.", DTypeInfo::unsigned(1) }
                U2 u2 { "Unsigned integers of 2 bits.", DTypeInfo::unsigned(2) }
                U3 u3 { "Unsigned integers of 3 bits.", DTypeInfo::unsigned(3) }
                U4 u4 { "Unsigned integers of 4 bits.", DTypeInfo::unsigned(4) }
                U5 u5 { "Unsigned integers of 5 bits.", DTypeInfo::unsigned(5) }
                U6 u6 { "Unsigned integers of 6 bits.", DTypeInfo::unsigned(6) }
                U7 u7 { "Unsigned integers of 7 bits.", DTypeInfo::unsigned(7) }
                I1 i1 { "Signed integers of 1 bit.", DTypeInfo::signed(1) }
                I2 i2 { "Signed integers of 2 bits.", DTypeInfo::signed(2) }
                I3 i3 { "Signed integers of 3 bits.", DTypeInfo::signed(3) }
                I4 i4 { "Signed integers of 4 bits.", DTypeInfo::signed(4) }
                I5 i5 { "Signed integers of 5 bits.", DTypeInfo::signed(5) }
                I6 i6 { "Signed integers of 6 bits.", DTypeInfo::signed(6) }
                I7 i7 { "Signed integers of 7 bits.", DTypeInfo::signed(7) }
            ]
        }
    };
}

/// Passes the names of the dtypes that are computed in their own Rust type to a macro, by kind.
///
/// `__register_dtypes!(path::callback { arguments })` calls `path::callback! { { arguments } bool [names]
/// integer [names] float [names] complex [names] }`. A name is that of the Rust type in
/// `promote_runtime::__private::types`.
#[doc(hidden)]
#[macro_export]
macro_rules! __register_dtypes {
    (
        { [$($callback:ident)::+] $($arguments:tt)* }
        typed [
            bool [$($bool_variant:ident $bool:ident $bool_row:tt)*]
            integer [$($integer_variant:ident $integer:ident $integer_row:tt)*]
            narrow_float $narrow_float:tt
            float [$($float_variant:ident $float:ident $float_row:tt)*]
            narrow_complex $narrow_complex:tt
            complex [$($complex_variant:ident $complex:ident $complex_row:tt)*]
        ]
        untyped $untyped:tt
    ) => {
        $($callback)::+! {
            { $($arguments)* }
            bool [$($bool)*] integer [$($integer)*] float [$($float)*] complex [$($complex)*]
        }
    };
    ($($callback:ident)::+ { $($arguments:tt)* }) => {
        $crate::__dtypes! { $crate::__register_dtypes { [$($callback)::+] $($arguments)* } }
    };
}

macro_rules! define {
    (
        {}
        typed [$($group:ident [$($typed:ident $typed_name:ident $typed_row:tt)*])*]
        untyped [$($variant:ident $name:ident { $doc:literal, $info:expr })*]
    ) => {
        define! {
            $($($typed $typed_name $typed_row)*)*
            $($variant $name { concat!($doc, " It exists in tables only."), $info })*
        }

        /// The number of dtypes that have a Rust type.
        const TYPED: usize = [$($(stringify!($typed)),*),*].len();

        impl DType {
            /// Returns the dtype in which elements are computed in registers: f32 for f16, bf16 and f8, c64
            /// for c32, and the dtype itself otherwise.
            #[must_use]
            #[inline]
            pub const fn register(self) -> DType {
                match self {
                    $($(DType::$typed => register!($group $typed),)*)*
                    other => other,
                }
            }
        }
    };
    ($($variant:ident $name:ident { $doc:expr, $info:expr })*) => {
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

            /// Returns the row of a standard dtype in the catalogue; `None` for a custom dtype.
            pub(crate) const fn info(self) -> Option<&'static DTypeInfo> {
                match self {
                    $(DType::$variant => const { Some(&$info) },)*
                    DType::Custom(_) => None,
                }
            }

            /// Returns the format of a standard dtype; `None` for a custom dtype.
            #[inline]
            pub const fn format(self) -> Option<Format> {
                match self {
                    $(DType::$variant => const { Some($info.format) },)*
                    DType::Custom(_) => None,
                }
            }

            /// Returns the kind.
            #[inline]
            pub const fn kind(self) -> Kind {
                match self {
                    $(DType::$variant => const { $info.format.kind() },)*
                    DType::Custom(_) => Kind::Custom,
                }
            }

            /// Returns the size of one element in bits; `bool` takes 8.
            #[inline]
            pub const fn bits(self) -> u32 {
                match self {
                    $(DType::$variant => const { $info.bits },)*
                    DType::Custom(custom) => custom.bits,
                }
            }

            /// Returns the alignment of one unpacked element in bytes.
            #[inline]
            pub const fn align(self) -> usize {
                match self {
                    $(DType::$variant => const { $info.align },)*
                    DType::Custom(custom) => custom.align,
                }
            }
        }
    };
}

/// The dtype in which the dtypes of a group are computed.
macro_rules! register {
    (narrow_float $variant:ident) => {
        DType::F32
    };
    (narrow_complex $variant:ident) => {
        DType::C64
    };
    ($group:ident $variant:ident) => {
        DType::$variant
    };
}

__dtypes! { define {} }

// Conversions of complex numbers convert the parts.
const _: () = {
    let mut i = 0;
    while i < TYPED {
        let dtype = DType::STANDARD[i];
        if let Some(part) = dtype.real_dtype() {
            assert!(
                dtype.register().index() != dtype.index() || part.register().index() == part.index(),
                "a complex dtype whose parts are narrow has its row in the group `narrow_complex`"
            );
        }
        i += 1;
    }
};

impl DType {
    /// The dtypes that have a Rust type, and with it conversions and kernels: the first of
    /// [`DType::STANDARD`].
    pub const WITH_TYPE: &'static [DType] = DType::STANDARD.split_at(TYPED).0;

    /// The largest number of custom dtypes with a Rust type in a rule set.
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
    /// sign of zero. Returns false if either dtype is custom.
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
pub struct ParseDTypeError(());

impl fmt::Display for ParseDTypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

    /// Reads a canonical name. [`DType::from_numpy_name`] and similar functions read names of interchange
    /// formats; the names of other systems are in their rule files.
    ///
    /// ```
    /// # use promote_core::DType;
    /// assert_eq!("bf16".parse(), Ok(DType::BF16));
    /// assert!("bfloat16".parse::<DType>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, ParseDTypeError> {
        DType::STANDARD.iter().copied().find(|dtype| dtype.name() == name).ok_or(ParseDTypeError(()))
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
    fn complex_dtypes_are_two_parts() {
        for &dtype in DType::STANDARD {
            if let Some(part) = dtype.real_dtype() {
                assert_eq!((dtype.bits(), dtype.align()), (2 * part.bits(), part.align()), "{dtype}");
            }
        }
    }
}
