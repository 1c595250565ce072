//! Why an iteration could not be built or run.

use core::fmt;

use crate::DType;
use crate::Op;

/// Why an iteration could not be built or run, where it is neither for the rule set nor for a kernel. Inputs
/// and outputs are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IterationError {
    /// There are more operands than an iteration has.
    TooMany,
    /// All operands have to be of one dtype, and two are not.
    InputDType {
        /// The input.
        input: usize,
        /// The dtype of those before.
        expected: DType,
        /// Its own.
        found: DType,
    },
    /// The same of an output.
    OutputDType {
        /// The output.
        output: usize,
        /// The dtype of those before.
        expected: DType,
        /// Its own.
        found: DType,
    },
    /// Something needs the common dtype of inputs that are not promoted to one.
    NoCommonDType {
        /// What needs it: a word of the builder's.
        word: &'static str,
    },
    /// Integers were to become floats, and the rule set divides them as integers.
    NoFloat {
        /// The dtype that the inputs promote to.
        common: DType,
    },
    /// An op has another common dtype than the iteration, and not that one of inputs which are cast to it.
    OpDType {
        /// The op.
        op: Op,
        /// The common dtype of the iteration.
        common: DType,
        /// To what the op would convert it.
        wanted: DType,
    },
    /// An input does not broadcast with those before it, or to the shape that was declared.
    InputShape {
        /// The input.
        input: usize,
        /// The axis, seen from the last one, which is 1.
        from_last: usize,
        /// The length along it.
        expected: usize,
        /// That of the input, which is not 1.
        found: usize,
    },
    /// An output does not have the shape of the iteration, and is not resized.
    OutputShape {
        /// The output.
        output: usize,
    },
    /// There are more axes than a shape has.
    Axes {
        /// How many there are.
        found: usize,
    },
    /// An input and an output share memory, and not in the same places.
    Overlap {
        /// The input.
        input: usize,
        /// The output.
        output: usize,
    },
    /// Two outputs share memory.
    Outputs {
        /// The first of them.
        first: usize,
        /// The second.
        second: usize,
    },
    /// An op has one output.
    OneOutput {
        /// How many there are.
        found: usize,
    },
    /// An output is to be allocated, and there is no allocator, or there is no such output.
    NoRoom {
        /// The output.
        output: usize,
    },
}

impl fmt::Display for IterationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IterationError::TooMany => f.write_str(
                "an iteration has at most 8 inputs and 4 outputs; help: compute in two iterations",
            ),
            IterationError::InputDType { input, expected, found } => write!(
                f,
                "input {input} is `{found}` and the operands before it are `{expected}`; help: cast it, or \
                 `promote_inputs_to_common_dtype(true)`"
            ),
            IterationError::OutputDType { output, expected, found } => write!(
                f,
                "output {output} is `{found}` and the operands before it are `{expected}`; help: give one of `{expected}`, or \
                 `cast_common_dtype_to_outputs(true)`"
            ),
            IterationError::NoCommonDType { word } => write!(
                f,
                "`{word}` needs a common dtype of the inputs, and they are not promoted to one; help: \
                 `promote_inputs_to_common_dtype(true)`"
            ),
            IterationError::NoFloat { common } => write!(
                f,
                "the rule set divides `{common}` as integers, so it names no float to promote them to; help: set \
                 `lowest_dtype` to a float"
            ),
            IterationError::OpDType { op, common, wanted } => write!(
                f,
                "`{op}` takes operands of `{common}` as `{wanted}`, and the common dtype of the iteration is `{common}`; help: \
                 `promote_integer_inputs_to_float(true)`, or `build_op`"
            ),
            IterationError::InputShape { input, from_last, expected, found } => write!(
                f,
                "input {input} has {found} elements along axis -{from_last}, where there are {expected}; help: an axis broadcasts if \
                 it has 1 element: reshape, or repeat it"
            ),
            IterationError::OutputShape { output } => write!(
                f,
                "output {output} has another shape than the inputs broadcast to; help: give one of that shape, an array that can be \
                 resized, or `resize_outputs(false)` where inputs are to broadcast to it"
            ),
            IterationError::Axes { found } => {
                write!(f, "a shape has at most {} axes, and there are {found}", super::shape::MOST_AXES)
            }
            IterationError::Overlap { input, output } => write!(
                f,
                "input {input} and output {output} share memory, and not in the same places; help: copy the input, or \
                 `set_check_mem_overlap(false)`"
            ),
            IterationError::Outputs { first, second } => {
                write!(f, "outputs {first} and {second} share memory; help: write to one of them elsewhere")
            }
            IterationError::OneOutput { found } => {
                write!(
                    f,
                    "an op has one output, and there are {found}; help: add one output, or use `for_each`"
                )
            }
            IterationError::NoRoom { output } => write!(
                f,
                "there is no room for output {output}; help: give it by `set_output`, of `output_dtype` and `shape`"
            ),
        }
    }
}

impl core::error::Error for IterationError {}
