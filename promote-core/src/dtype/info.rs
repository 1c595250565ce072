//! A row of the catalogue of dtypes.

use crate::{DType, Format};

/// Properties of a standard dtype, from which the methods of [`DType`] answer.
///
/// A row starts with one of the constructors, and adds the names that the dtype has in formats of
/// interchange.
#[derive(Clone, Copy)]
pub(crate) struct DTypeInfo {
    /// The size of one element in bits.
    pub(crate) bits: u32,
    /// The alignment of one unpacked element in bytes.
    pub(crate) align: usize,
    pub(crate) format: Format,
    /// The type string of NumPy without its byte order.
    pub(crate) numpy: Option<&'static str>,
    /// The name in the header of a `.safetensors` file.
    pub(crate) safetensors: Option<&'static str>,
    /// The format string of Arrow's C data interface.
    pub(crate) arrow: Option<&'static str>,
    /// The type code of DLPack.
    pub(crate) dlpack: Option<u8>,
}

impl DTypeInfo {
    const fn new(bits: u32, format: Format) -> DTypeInfo {
        // A dtype that is narrower than a byte has a byte to itself where it is unpacked.
        let align = if bits < 8 { 1 } else { bits as usize / 8 };
        DTypeInfo { bits, align, format, numpy: None, safetensors: None, arrow: None, dlpack: None }
    }

    /// Describes a truth value in one byte.
    pub(super) const fn boolean() -> DTypeInfo {
        DTypeInfo::new(8, Format::Bool).dlpack(6)
    }

    /// Describes an unsigned integer of this width.
    pub(super) const fn unsigned(bits: u32) -> DTypeInfo {
        DTypeInfo::new(bits, Format::Int { signed: false, bits }).dlpack(1)
    }

    /// Describes an integer in two's complement of this width.
    pub(super) const fn signed(bits: u32) -> DTypeInfo {
        DTypeInfo::new(bits, Format::Int { signed: true, bits }).dlpack(0)
    }

    /// Describes a float of this width: the digits of its significand with the hidden one, and the exponents
    /// of its largest and smallest powers of two, subnormals included.
    pub(super) const fn float(bits: u32, digits: u32, max: i32, min: i32) -> DTypeInfo {
        DTypeInfo::new(bits, Format::Float { digits, max, min })
    }

    /// Describes a pair of floats of the dtype `part`, in this width.
    pub(super) const fn complex(bits: u32, part: DType) -> DTypeInfo {
        let both = DTypeInfo::new(bits, Format::Complex { part });
        DTypeInfo { align: both.align / 2, ..both }
    }

    pub(super) const fn numpy(self, name: &'static str) -> DTypeInfo {
        DTypeInfo { numpy: Some(name), ..self }
    }

    pub(super) const fn safetensors(self, name: &'static str) -> DTypeInfo {
        DTypeInfo { safetensors: Some(name), ..self }
    }

    pub(super) const fn arrow(self, format: &'static str) -> DTypeInfo {
        DTypeInfo { arrow: Some(format), ..self }
    }

    pub(super) const fn dlpack(self, code: u8) -> DTypeInfo {
        DTypeInfo { dlpack: Some(code), ..self }
    }
}
