//! Measured exceptions: pairs of dtypes that a pipeline computes, although the op has a loop for each pair.
//!
//! A pipeline casts the operands to the common dtype, block by block in the L1 cache, and calls the loop of
//! that dtype.

use super::KernelInfo;
use crate::DType;

/// A reason why some pairs of dtypes have no loop of their own: a pipeline is as fast or faster.
#[derive(Debug, PartialEq)]
pub struct PipelineReason {
    /// The name in `docs/kernels.md`.
    pub name: &'static str,
    /// A clause that says which pairs these are, or why a loop gains nothing.
    pub because: &'static str,
    /// A call that was measured on 4,096 elements.
    pub example: &'static str,
    /// The time of that call as a pipeline, in nanoseconds per element.
    pub pipeline_ns: f64,
    /// The time of that call in a loop.
    pub loop_ns: f64,
    /// True if the pipeline calls a loop of the common dtype, false if it computes in the register form.
    pub calls_common_loop: bool,
    /// True for `maximum` and `minimum` only.
    extrema: bool,
    /// The common dtypes of the pairs; empty for all.
    common: &'static [DType],
    operands: Operands,
}

/// A condition on the operands of a pair.
#[derive(Debug, PartialEq)]
enum Operands {
    /// An operand, the common dtype or the output dtype is one of these.
    Involve(&'static [DType]),
    /// An operand is one of these.
    Include(&'static [DType]),
    /// The operands differ, and one of them is rounded to the common dtype, or is one of these.
    AreRoundedOr(&'static [DType]),
}

impl PipelineReason {
    /// All measured exceptions. The first one that a pair meets is its reason.
    pub const ALL: &'static [PipelineReason] = &[
        PipelineReason {
            name: "f8",
            because: "an operand or the result is an 8-bit float, whose conversion takes longer than a second pass",
            example: "`add` of f8e4m3fn and f8e4m3fn",
            pipeline_ns: 0.371,
            loop_ns: 0.387,
            calls_common_loop: false,
            extrema: false,
            common: &[],
            operands: Operands::Involve(&[DType::F8E4M3FN, DType::F8E5M2]),
        },
        PipelineReason {
            name: "f16",
            because: "an operand is rounded to f16, which a loop reads faster from memory than from a conversion",
            example: "`add` of i32 and f16",
            pipeline_ns: 0.15,
            loop_ns: 0.21,
            calls_common_loop: true,
            extrema: false,
            common: &[DType::F16],
            operands: Operands::AreRoundedOr(&[]),
        },
        PipelineReason {
            name: "bf16",
            because: "two bf16 are compared by their bits, which a loop that converts an operand to bf16 cannot do",
            example: "`maximum` of bf16 and i64",
            pipeline_ns: 0.139,
            loop_ns: 0.252,
            calls_common_loop: true,
            extrema: true,
            common: &[DType::BF16],
            operands: Operands::AreRoundedOr(&[DType::Bool]),
        },
        PipelineReason {
            name: "i64",
            because: "an integer of 64 bits is rounded to bf16, or becomes a c32",
            example: "`add` of i64 and bf16",
            pipeline_ns: 0.152,
            loop_ns: 0.195,
            calls_common_loop: true,
            extrema: false,
            common: &[DType::BF16, DType::C32],
            operands: Operands::Include(&[DType::I64, DType::U64]),
        },
    ];

    fn covers(&self, kernel: &KernelInfo, operands: [DType; 2], common: DType, output: DType) -> bool {
        let [a, b] = operands;
        let operands_match = match self.operands {
            Operands::Involve(dtypes) => [a, b, common, output].iter().any(|dtype| dtypes.contains(dtype)),
            Operands::Include(dtypes) => dtypes.contains(&a) || dtypes.contains(&b),
            Operands::AreRoundedOr(dtypes) => {
                a != b && operands.iter().any(|dtype| !common.holds(*dtype) || dtypes.contains(dtype))
            }
        };
        operands_match
            && (self.common.is_empty() || self.common.contains(&common))
            && (!self.extrema || kernel.extremum.is_some())
    }
}

impl KernelInfo {
    /// Returns the reason why a pair of standard dtypes has no loop of its own; `None` if it has one.
    pub fn pipeline_reason(
        &self,
        operands: [DType; 2],
        common: DType,
        output: DType,
    ) -> Option<&'static PipelineReason> {
        PipelineReason::ALL.iter().find(|reason| reason.covers(self, operands, common, output))
    }
}

#[cfg(test)]
mod tests {
    use super::PipelineReason;

    #[test]
    fn pipelines_of_the_exceptions_are_measured_as_fast() {
        for reason in PipelineReason::ALL {
            assert!(0.0 < reason.pipeline_ns && reason.pipeline_ns <= reason.loop_ns, "{}", reason.name);
        }
    }
}
