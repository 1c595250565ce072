//! Signatures of kernels: their dtypes, and what is known of their functions.

use crate::error::call::ArgumentRole;
use crate::{DType, OpTypes, semantics};

/// The largest number of inputs of a kernel.
pub const MAX_INPUTS: usize = 4;

/// The number of dtypes that have elements.
pub(super) const TYPES: usize = DType::WITH_TYPE.len();

/// A dtype that has elements: its index among the standard dtypes, or, from [`DTypeCode::CUSTOM`] on, its
/// index among the custom dtypes of a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DTypeCode(pub(super) u8);

impl DTypeCode {
    /// The code of the first custom dtype. It is above every [`DType::index`], so that no custom dtype is
    /// taken for a standard one.
    const CUSTOM: u8 = 0x80;
    /// The largest number of custom dtypes in a rule set.
    pub(super) const CUSTOMS: usize = 128;
    pub(super) const BOOL: DTypeCode = match DTypeCode::of(DType::Bool) {
        Some(code) => code,
        None => unreachable!(),
    };

    /// Returns the code of a standard dtype; `None` if the dtype has no elements or is custom.
    #[inline(always)]
    pub(super) const fn of(dtype: DType) -> Option<DTypeCode> {
        let index = dtype.index();
        if index < TYPES { Some(DTypeCode(index as u8)) } else { None }
    }

    /// Returns the code of a custom dtype by its index, which is below [`DTypeCode::CUSTOMS`].
    pub(super) const fn custom(index: usize) -> DTypeCode {
        debug_assert!(index < DTypeCode::CUSTOMS);
        DTypeCode(DTypeCode::CUSTOM + index as u8)
    }

    /// Returns the index among the custom dtypes; `None` for a standard dtype.
    #[inline(always)]
    pub(super) const fn custom_index(self) -> Option<usize> {
        if self.0 < DTypeCode::CUSTOM { None } else { Some((self.0 - DTypeCode::CUSTOM) as usize) }
    }

    /// Returns true if the code is that of a standard dtype.
    #[inline(always)]
    pub(super) const fn is(self, dtype: DType) -> bool {
        self.0 as usize == dtype.index()
    }

    /// Returns the standard dtype.
    #[inline]
    pub(super) const fn standard(self) -> DType {
        DType::WITH_TYPE[self.0 as usize]
    }

    /// Returns the size of an element of a standard dtype in bytes: a power of two from 1 to 16.
    #[inline]
    pub(super) const fn standard_size(self) -> usize {
        const SIZES: [u8; TYPES] = {
            let mut sizes = [0; DType::WITH_TYPE.len()];
            let mut i = 0;
            while i < sizes.len() {
                sizes[i] = (DType::WITH_TYPE[i].bits() / 8) as u8;
                i += 1;
            }
            sizes
        };
        SIZES[self.0 as usize] as usize
    }
}

/// The dtypes of a kernel, in the order of its function, and properties of the function.
///
/// Its constructors have no loops, because rustc evaluates thousands of them for the registries.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelSignature {
    /// The dtypes of the inputs. An op of one operand has its dtype twice.
    pub(super) inputs: [DTypeCode; MAX_INPUTS],
    /// The number of inputs.
    pub(super) count: u8,
    pub(super) common: DTypeCode,
    pub(super) compute: DTypeCode,
    pub(super) output: DTypeCode,
    /// True if some operands are an error of the whole call.
    pub(super) traps: bool,
    /// True if the third input is a condition, which is not cast.
    pub(super) condition: bool,
    /// True if the function waits for nothing but memory.
    pub(super) memory_bound: bool,
    /// How many of the first inputs may be `out` itself, if they come first. If that is not 0, the second
    /// input may be one element.
    pub(super) replaceable: u8,
}

impl KernelSignature {
    /// Returns the signature of a function of two inputs, with the common, compute and output dtypes. Further
    /// inputs have the compute dtype.
    pub(super) const fn of(
        [first, second]: [DTypeCode; 2],
        [common, compute, output]: [DTypeCode; 3],
    ) -> KernelSignature {
        KernelSignature {
            inputs: [first, second, compute, compute],
            count: 2,
            common,
            compute,
            output,
            traps: false,
            condition: false,
            memory_bound: false,
            replaceable: 0,
        }
    }

    /// Returns the signature with a condition as the third input.
    pub(super) const fn choosing(self) -> KernelSignature {
        let [a, b, _, c] = self.inputs;
        KernelSignature { inputs: [a, b, DTypeCode::BOOL, c], count: 3, condition: true, ..self }
    }

    /// Returns the order of entries in a registry: by first, second, common, compute and output dtype.
    pub(super) const fn rank(&self) -> u64 {
        let inputs = (self.inputs[0].0 as u64) << 32 | (self.inputs[1].0 as u64) << 24;
        inputs | (self.common.0 as u64) << 16 | (self.compute.0 as u64) << 8 | self.output.0 as u64
    }

    /// Returns the rank of an entry of dtypes with these indices; none has the rank of a dtype without
    /// elements or of a custom one.
    pub(super) const fn rank_of(a: usize, b: usize, types: OpTypes) -> u64 {
        let OpTypes { common, compute, output } = types;
        let operands = (a as u64) << 32 | (b as u64) << 24;
        operands | (common.index() as u64) << 16 | (compute.index() as u64) << 8 | output.index() as u64
    }

    /// Returns true if operands and result have one dtype.
    pub(super) const fn is_of_one(&self) -> bool {
        self.inputs[0].0 == self.output.0 && self.inputs[1].0 == self.output.0
    }

    /// Returns the number of inputs.
    #[inline(always)]
    pub(super) const fn count(&self) -> usize {
        self.count as usize
    }

    /// Returns the name of an input in errors.
    pub(super) const fn role(&self, i: usize) -> ArgumentRole {
        match i {
            0 => ArgumentRole::A,
            1 => ArgumentRole::B,
            2 if self.condition => ArgumentRole::Condition,
            2 => ArgumentRole::Third,
            _ => ArgumentRole::Fourth,
        }
    }
}

/// The options of casts that a rule set chooses.
#[derive(Clone, Copy, Debug)]
pub(super) struct CastOptions {
    /// True if overflow of f8e4m3fn gives its greatest value.
    pub(super) saturate: bool,
    /// True if floats are converted to integers as by the instructions of x86-64.
    pub(super) x86: bool,
    /// True if narrow integers are then clamped.
    pub(super) clamped: bool,
}

impl CastOptions {
    /// Returns the options among the [`semantics`] of an op.
    pub(super) const fn of(semantics: u16) -> CastOptions {
        let clamped = semantics & semantics::OUT_OF_RANGE_X86_CLAMPED != 0;
        CastOptions {
            saturate: semantics & semantics::OVERFLOW_SATURATE != 0,
            x86: clamped || semantics & semantics::OUT_OF_RANGE_X86 != 0,
            clamped,
        }
    }
}
