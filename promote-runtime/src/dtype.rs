//! The one [`DType`] of all rule sets.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use crate::element::Element;
#[cfg(feature = "kernels")]
use crate::kernel::CustomCasts;

/// The category of a dtype, in the order of promotion.
///
/// A rule file may order kinds of its own among these; at run time such a dtype is [`Kind::Custom`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Truth values.
    Bool,
    /// Integers without a sign.
    Unsigned,
    /// Integers with a sign, in two's complement.
    Signed,
    /// Binary floating point.
    Float,
    /// A pair of floats, real part first.
    Complex,
    /// A dtype of a user's own.
    Custom,
}

/// What the library knows of a dtype that is not a standard one.
///
/// Two custom dtypes are equal when they are the same `static`: equality is by address.
pub struct CustomDType {
    pub(crate) name: &'static str,
    pub(crate) bits: u32,
    pub(crate) align: usize,
    /// The casts of its type, where it has any.
    #[cfg(feature = "kernels")]
    casts: Option<&'static CustomCasts>,
}

// Its casts are addresses, and say nothing to whom an assertion or an error shows it.
impl fmt::Debug for CustomDType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} bits", self.name, self.bits)
    }
}

impl CustomDType {
    /// A dtype of which the library knows no more than this: it lives in tables, and in memory as whoever
    /// made it says.
    pub const fn new(name: &'static str, bits: u32, align: usize) -> CustomDType {
        CustomDType {
            name,
            bits,
            align,
            #[cfg(feature = "kernels")]
            casts: None,
        }
    }

    /// The canonical name, as the rule file spells it.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The size of one element in bits.
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// The alignment of one element in bytes.
    pub const fn align(&self) -> usize {
        self.align
    }

    /// The dtype of a type's elements.
    pub const fn of<T: Element>(name: &'static str) -> CustomDType {
        CustomDType::new(name, 8 * size_of::<T>() as u32, align_of::<T>())
    }

    /// The same with the casts of its type.
    ///
    /// # Panics
    ///
    /// When they are those of a type of another size or alignment; in a `static` that is a compile error.
    #[cfg(feature = "kernels")]
    #[must_use]
    pub const fn with_casts(self, casts: &'static CustomCasts) -> CustomDType {
        assert!(casts.are_of(self.bits as usize, self.align), "casts of another type");
        CustomDType { casts: Some(casts), ..self }
    }

    /// The casts of its type, where it has any.
    #[cfg(feature = "kernels")]
    pub(crate) const fn casts(&self) -> Option<&'static CustomCasts> {
        self.casts
    }
}

macro_rules! standard {
    ($($(#[$doc:meta])* $variant:ident $name:literal $kind:ident $bits:literal $align:literal)*) => {
        /// The dtype of an element: a standard one, or one of a user's own.
        ///
        /// One type for all rule sets, so that arrays, operands and kernels of different sets mix freely.
        /// The complex dtypes are named by their whole width: [`DType::C64`] is two `f32`, real part first.
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum DType {
            $($(#[$doc])* $variant,)*
            /// A dtype of a user's own.
            Custom(&'static CustomDType),
        }

        impl DType {
            /// Every standard dtype, in the order of [`DType::index`].
            pub const STANDARD: &'static [DType] = &[$(DType::$variant),*];

            /// The position of a standard dtype in [`DType::STANDARD`]; the length of that list for a custom
            /// one.
            #[inline]
            pub const fn index(self) -> usize {
                enum Index { $($variant,)* Custom }
                match self {
                    $(DType::$variant => Index::$variant as usize,)*
                    DType::Custom(_) => Index::Custom as usize,
                }
            }

            /// The canonical name, such as `f16` or `c64`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(DType::$variant => $name,)*
                    DType::Custom(custom) => custom.name,
                }
            }

            /// The category.
            pub const fn kind(self) -> Kind {
                match self {
                    $(DType::$variant => Kind::$kind,)*
                    DType::Custom(_) => Kind::Custom,
                }
            }

            /// The size of one element in bits; `bool` takes 8.
            pub const fn bits(self) -> u32 {
                match self {
                    $(DType::$variant => $bits,)*
                    DType::Custom(custom) => custom.bits,
                }
            }

            /// The alignment of one element in bytes, where elements are stored one by one.
            pub const fn align(self) -> usize {
                match self {
                    $(DType::$variant => $align,)*
                    DType::Custom(custom) => custom.align,
                }
            }
        }
    };
}

standard! {
    /// A truth value in one byte: 0 is false, every other byte is true.
    Bool "bool" Bool 8 1
    /// `u8`
    U8 "u8" Unsigned 8 1
    /// `u16`
    U16 "u16" Unsigned 16 2
    /// `u32`
    U32 "u32" Unsigned 32 4
    /// `u64`
    U64 "u64" Unsigned 64 8
    /// `i8`
    I8 "i8" Signed 8 1
    /// `i16`
    I16 "i16" Signed 16 2
    /// `i32`
    I32 "i32" Signed 32 4
    /// `i64`
    I64 "i64" Signed 64 8
    /// 4 exponent and 3 mantissa bits, no infinity: `float8::F8E4M3`.
    F8E4M3FN "f8e4m3fn" Float 8 1
    /// 5 exponent and 2 mantissa bits: `float8::F8E5M2`.
    F8E5M2 "f8e5m2" Float 8 1
    /// IEEE 754 binary16: `half::f16`.
    F16 "f16" Float 16 2
    /// The upper half of an `f32`: `half::bf16`.
    BF16 "bf16" Float 16 2
    /// `f32`
    F32 "f32" Float 32 4
    /// `f64`
    F64 "f64" Float 64 8
    /// Two `f16`: `num_complex::Complex<half::f16>`.
    C32 "c32" Complex 32 2
    /// Two `f32`: `num_complex::Complex<f32>`.
    C64 "c64" Complex 64 4
    /// Two `f64`: `num_complex::Complex<f64>`.
    C128 "c128" Complex 128 8
    /// Two `bf16`; in tables only.
    BC32 "bc32" Complex 32 2
    /// In tables only.
    F8E4M3 "f8e4m3" Float 8 1
    /// In tables only.
    F8E3M4 "f8e3m4" Float 8 1
    /// In tables only.
    F8E4M3FNUZ "f8e4m3fnuz" Float 8 1
    /// In tables only.
    F8E5M2FNUZ "f8e5m2fnuz" Float 8 1
    /// In tables only.
    F8E4M3B11FNUZ "f8e4m3b11fnuz" Float 8 1
    /// A bare exponent: the scale of the microscaling formats; in tables only.
    F8E8M0FNU "f8e8m0fnu" Float 8 1
    /// In tables only.
    F6E2M3FN "f6e2m3fn" Float 6 1
    /// In tables only.
    F6E3M2FN "f6e3m2fn" Float 6 1
    /// In tables only.
    F4E2M1FN "f4e2m1fn" Float 4 1
    /// A four-bit code of 16 normal quantiles; in tables only.
    NF4 "nf4" Float 4 1
    /// In tables only.
    U1 "u1" Unsigned 1 1
    /// In tables only.
    U2 "u2" Unsigned 2 1
    /// In tables only.
    U3 "u3" Unsigned 3 1
    /// In tables only.
    U4 "u4" Unsigned 4 1
    /// In tables only.
    U6 "u6" Unsigned 6 1
    /// In tables only.
    I1 "i1" Signed 1 1
    /// In tables only.
    I2 "i2" Signed 2 1
    /// In tables only.
    I4 "i4" Signed 4 1
}

impl DType {
    /// The dtypes that have a Rust type, and so elements, conversions and kernels: the first of
    /// [`DType::STANDARD`].
    pub const WITH_TYPE: &'static [DType] = DType::STANDARD.split_at(18).0;

    /// Whether elements of this dtype have a Rust type here.
    #[inline]
    pub const fn has_type(self) -> bool {
        self.index() < Self::WITH_TYPE.len()
    }

    /// The dtype of the parts of a complex dtype that has no Rust type: a real element that is converted to
    /// the complex dtype becomes a value of this one. `None` for all others.
    #[cfg(feature = "kernels")]
    pub(crate) const fn untyped_part(self) -> Option<DType> {
        if self.has_type() { None } else { self.part() }
    }

    /// The dtype of the parts of a complex dtype; `None` for all others.
    pub(crate) const fn part(self) -> Option<DType> {
        Some(match self {
            DType::C32 => DType::F16,
            DType::BC32 => DType::BF16,
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            _ => return None,
        })
    }

    /// The size of one element in bytes; `None` for the dtypes that are narrower than a byte.
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

/// A name that is no standard dtype's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDType;

impl fmt::Display for UnknownDType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no standard dtype has this name; they are")?;
        for (i, dtype) in DType::STANDARD.iter().enumerate() {
            write!(f, "{} {dtype}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownDType {}

impl FromStr for DType {
    type Err = UnknownDType;

    /// Reads a canonical name.
    ///
    /// ```
    /// # use promote_runtime::DType;
    /// assert_eq!("bf16".parse(), Ok(DType::BF16));
    /// assert!("float32".parse::<DType>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, UnknownDType> {
        DType::STANDARD.iter().copied().find(|dtype| dtype.name() == name).ok_or(UnknownDType)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_as_its_dtype_and_an_index_as_its_place() {
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
}
