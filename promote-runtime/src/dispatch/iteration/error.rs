//! Errors of iterations.

use crate::error::errors;
use crate::memory::MAX_RANK;
use crate::{DType, Op};

errors! {
    /// The error for operands of an iteration that do not fit together. Inputs and outputs are counted from
    /// 0.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum IterationError {
        /// More operands were added than an iteration can have.
        TooMany => "an iteration has at most 8 inputs and 4 outputs; help: compute in two iterations",
        /// All operands must have one dtype, and an input has another one.
        InputDType {
            /// The input.
            input: usize,
            /// The dtype of the operands before it.
            expected: DType,
            /// The dtype of the input.
            found: DType,
        } => "input {input} is `{found}`, and the operands before it are `{expected}`; help: cast it, or set \
            `promote_inputs_to_common_dtype(true)`",
        /// All operands must have one dtype, and an output has another one.
        OutputDType {
            /// The output.
            output: usize,
            /// The dtype of the operands before it.
            expected: DType,
            /// The dtype of the output.
            found: DType,
        } => "output {output} is `{found}`, and the operands before it are `{expected}`; help: pass an \
            output of `{expected}`, or set `cast_common_dtype_to_outputs(true)`",
        /// An option needs a common dtype, and the inputs are not promoted.
        NoCommonDType {
            /// The method of the builder that needs it.
            option: &'static str,
        } => "`{option}` needs a common dtype, and the inputs have several; help: set \
            `promote_inputs_to_common_dtype(true)`",
        /// Integers should become floats, and the rule set's `divide` names no float for them.
        NoFloat {
            /// The dtype that the inputs promote to.
            common: DType,
        } => "the rule set divides `{common}` as integers, so `promote_integer_inputs_to_float` has no float \
            to promote them to; help: set `lowest_dtype` to a float",
        /// An op converts operands of the common dtype to another dtype.
        OpDType {
            /// The op.
            op: Op,
            /// The common dtype of the iteration.
            common: DType,
            /// The dtype that the op converts it to.
            wanted: DType,
        } => "`{op}` converts `{common}`, the common dtype of the iteration, to `{wanted}`; help: set \
            `promote_integer_inputs_to_float(true)`, or use `build_op`",
        /// An input does not broadcast with those before it, or to the declared shape.
        InputShape {
            /// The input.
            input: usize,
            /// The axis, counted from the last one, which is 1.
            from_last: usize,
            /// The length of the iteration along the axis.
            expected: usize,
            /// The length of the input along the axis; neither is 1.
            found: usize,
        } => "input {input} has length {found} along axis -{from_last}, and the iteration has {expected}; \
            help: only an axis of length 1 broadcasts to another length",
        /// An output has another shape than the iteration, and cannot be resized.
        OutputShape {
            /// The output.
            output: usize,
        } => "the shape of output {output} is not the one that the inputs broadcast to; help: pass an output \
            of that shape or a tensor, or set `resize_outputs(false)` to broadcast the inputs to it",
        /// A shape has too many axes.
        Axes {
            /// The number of axes.
            found: usize,
        } => "a shape of {found} axes; help: reshape it, an iteration has at most {MAX_RANK} axes",
        /// An input and an output overlap, and their elements are not at equal addresses.
        Overlap {
            /// The input.
            input: usize,
            /// The output.
            output: usize,
        } => "input {input} partly overlaps output {output}; help: copy the input, or set \
            `set_check_mem_overlap(false)`",
        /// Two outputs overlap.
        Outputs {
            /// The first output.
            first: usize,
            /// The second output.
            second: usize,
        } => "outputs {first} and {second} overlap; help: pass outputs in separate memory",
        /// An op writes one output, and the iteration has another number.
        OneOutput {
            /// The number of outputs.
            found: usize,
        } => "an op writes one output, and the iteration has {found}; help: add one output, or use \
            `for_each`",
        /// There is no such output, or it is to be allocated and this build has no allocator.
        NoMemory {
            /// The output.
            output: usize,
        } => "output {output} has no memory; help: pass a view of `output_dtype` and `shape` to `set_output`",
    }
}
