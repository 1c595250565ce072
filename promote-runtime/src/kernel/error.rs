//! Why a kernel could not be found, or not be called.

use core::fmt;

use super::ops::KernelOp;
use crate::DType;
use crate::Op;

/// One of the things that a call is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The left operand.
    A,
    /// The right operand.
    B,
    /// What `where` chooses by.
    Condition,
    /// What an op takes behind its operands.
    Third,
    /// What an op takes behind that.
    Fourth,
    /// The destination.
    Out,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Place::A => "operand `a`",
            Place::B => "operand `b`",
            Place::Condition => "the condition",
            Place::Third => "the third input",
            Place::Fourth => "the fourth input",
            Place::Out => "`out`",
        })
    }
}

/// Why a kernel could not be found, or not be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// There are no kernels of the op, in any build of this version.
    NotComputed {
        /// The op.
        op: Op,
    },
    /// It is no op of a user's own, and its kernels are looked up otherwise.
    NotUsers {
        /// The op.
        op: Op,
    },
    /// It reduces nothing.
    NoReduction {
        /// The op.
        op: Op,
    },
    /// This build has no kernel that computes the op in that dtype.
    NoKernel {
        /// The op.
        op: KernelOp,
        /// The dtype that the op was to compute in.
        compute: DType,
    },
    /// The kernel of a user's own does not compute in that dtype.
    NoBody {
        /// The op.
        op: Op,
        /// The dtype that it was to compute in.
        compute: DType,
    },
    /// This build has no cast between the dtypes.
    NoCast {
        /// The dtype of the source.
        from: DType,
        /// The dtype of the destination.
        to: DType,
    },
    /// The dtype is a user's own, and its type does not say by way of which type it is cast.
    NotCast {
        /// The dtype.
        dtype: DType,
    },
    /// What was given has another dtype than the kernel was found for.
    DType {
        /// What was given.
        place: Place,
        /// The dtype that the kernel was found for.
        expected: DType,
        /// The dtype that was given.
        found: DType,
    },
    /// An operand has another length than `out`.
    Length {
        /// The operand.
        place: Place,
        /// The length of `out`.
        expected: usize,
        /// The length of the operand.
        found: usize,
    },
    /// An input has more axes than `out`.
    Rank {
        /// The input.
        place: Place,
        /// How many axes `out` has.
        expected: usize,
        /// How many the input has.
        found: usize,
    },
    /// An input does not broadcast to the shape of `out`.
    Broadcast {
        /// The input.
        place: Place,
        /// The axis of `out`.
        axis: usize,
        /// The length of `out` along it.
        expected: usize,
        /// The length of the input along it, which is not 1.
        found: usize,
    },
    /// Two inputs do not broadcast to one shape.
    Shapes {
        /// The input that does not fit those before it.
        place: Place,
        /// The axis, seen from the last one, which is 1.
        from_last: usize,
        /// The length of those before it along the axis.
        expected: usize,
        /// Its own, of which neither is 1.
        found: usize,
    },
    /// There is no memory for so many bytes.
    Memory {
        /// How many.
        bytes: usize,
    },
    /// The bytes are not a whole number of elements.
    PartialElement {
        /// The dtype of the elements.
        dtype: DType,
        /// How many bytes there are.
        bytes: usize,
    },
    /// `out` overlaps its operands so that no order of computing will do, and without the feature `alloc`
    /// they are not copied.
    Overlap,
    /// An operand is what `out` holds, and there is nothing in it yet.
    Uninitialised,
    /// The dtype has no elements in memory that could be computed with.
    NoElements {
        /// The dtype.
        dtype: DType,
    },
    /// An integer was to be divided by zero, and the op's semantics refuse that.
    DivisionByZero,
    /// An integer was to be raised to a negative power, and the op's semantics refuse that.
    NegativeExponent,
    /// A probability lies outside of 0 and 1, or is NaN.
    Probability,
    /// A parameter of the op has a value that it cannot have.
    Parameter {
        /// Its name.
        name: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// What the op gives is no float, and so it has no mean and no sum here.
    NotReduced {
        /// The dtype that it gives.
        dtype: DType,
    },
    /// This build has no reductions, or the dtype has no elements that they take.
    NotReducible {
        /// The op.
        op: Op,
        /// The dtype.
        dtype: DType,
    },
    /// A view has no such axis.
    NoAxis {
        /// The axis; a negative one counts from the last.
        axis: isize,
        /// How many axes the view has.
        rank: usize,
    },
    /// An axis is named twice.
    AxisTwice {
        /// The axis, counted from the first.
        axis: usize,
    },
    /// The place of an element is asked for along several axes, and not along all.
    Axes {
        /// The op.
        op: Op,
    },
    /// Of no elements none is the greatest.
    Empty {
        /// The op.
        op: Op,
    },
    /// `out` has not the shape of what is reduced.
    Reduced {
        /// The axis of `out`.
        axis: usize,
        /// The length that it should have.
        expected: usize,
        /// The length that it has.
        found: usize,
    },
    /// The op takes another number of arrays.
    Inputs {
        /// How many it takes.
        expected: usize,
        /// How many were given.
        found: usize,
    },
}

impl fmt::Display for CallError {
    #[allow(clippy::too_many_lines, reason = "a row for each error")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::NotComputed { op: op @ Op::Custom(_) } => {
                write!(f, "`{op}` is an op of a user's own; help: look its kernel up by `user_kernel`, or call `elementwise`")
            }
            CallError::NotUsers { op } => {
                write!(f, "`{op}` is no op of a user's own; help: look its kernel up by `kernel` or `unary_kernel`")
            }
            CallError::NoReduction { op } => {
                write!(f, "`{op}` is no reduction; help: ask for one such as `sum`, `mean`, `max`, `argmax` or `all`")
            }
            CallError::NotComputed { op } => {
                write!(
                    f,
                    "`{op}` has dtypes and no kernels yet; help: ask for its dtypes alone, by `op_types`"
                )
            }
            CallError::NoKernel { op, compute: compute @ DType::Custom(_) } => {
                write!(
                    f,
                    "the type of `{compute}` has no `{}`; help: implement the trait for it that the op takes, or let the rule file compute in another dtype",
                    op.name()
                )
            }
            CallError::NoKernel { op, compute } => {
                write!(
                    f,
                    "no kernel of this build computes `{op}` in `{compute}`; help: enable the features that hold it"
                )
            }
            CallError::NoCast { from: from @ DType::Custom(_), to: to @ DType::Custom(_) } => {
                write!(
                    f,
                    "`{from}` is not cast to `{to}`; help: name the type of `{from}` in `#[element(from(..))]` of that of `{to}`"
                )
            }
            CallError::NotCast { dtype } => {
                write!(f, "`{dtype}` is not cast; help: derive `Element` with `#[element(via = f64)]` for its type")
            }
            CallError::NoCast { from, to } => {
                write!(
                    f,
                    "no kernel of this build casts `{from}` to `{to}`; help: enable the feature `kernels`"
                )
            }
            CallError::DType { place: Place::Condition, expected, found } => write!(
                f,
                "the condition is `{found}`, and it has to be `{expected}`; help: compare it first, as in `a != 0`"
            ),
            CallError::DType { place, expected, found } => write!(
                f,
                "{place} is `{found}` and the kernel was found for `{expected}`; help: find a kernel for `{found}`, or cast"
            ),
            CallError::Length { place, expected, found } => write!(
                f,
                "{place} has {found} elements and `out` has {expected}; help: pass slices of one length, or a scalar operand"
            ),
            CallError::Rank { .. }
            | CallError::Broadcast { .. }
            | CallError::Shapes { .. }
            | CallError::Memory { .. } => self.of_shapes(f),
            CallError::PartialElement { dtype, bytes } => {
                write!(
                    f,
                    "{bytes} bytes are no whole number of `{dtype}` elements; help: pass a multiple of their size"
                )
            }
            CallError::Uninitialised => {
                f.write_str("an operand is what `out` holds, and nothing is in there yet; help: write elements to it first")
            }
            CallError::Overlap => f.write_str(
                "`out` overlaps operands that lie on both sides of it; help: copy one of them, or enable the feature `alloc`",
            ),
            CallError::NoBody { op, compute } => write!(
                f,
                "`{op}` does not compute in `{compute}`; help: cast the operands first, or bound its body by other numbers"
            ),
            CallError::NoElements { dtype } => {
                write!(
                    f,
                    "`{dtype}` lives in tables only and has no elements to compute with; help: cast to a dtype that has"
                )
            }
            CallError::DivisionByZero => {
                f.write_str("an integer is divided by zero; help: mask the zeros, or divide as floats")
            }
            CallError::NegativeExponent => {
                f.write_str("an integer is raised to a negative power; help: mask these, or cast to floats")
            }
            CallError::Probability => {
                f.write_str("a probability is outside of 0 and 1, or NaN; help: clamp both operands first")
            }
            CallError::Parameter { name, problem } => {
                write!(f, "`{name}` {problem}; help: pass another `{name}`")
            }
            CallError::NotReduced { dtype } => write!(
                f,
                "the mean and the sum are those of floats, and `{dtype}` is none; help: give operands of which it is a float"
            ),
            CallError::NotReducible { op, dtype } => write!(
                f,
                "no kernel of this build reduces `{dtype}` by `{op}`; help: cast to a standard dtype, with a rule set that has kernels"
            ),
            CallError::NoAxis { axis, rank } => no_axis(f, *axis, *rank),
            CallError::AxisTwice { axis } => {
                write!(f, "axis {axis} is named twice; help: name each axis once")
            }
            CallError::Axes { op } => {
                write!(f, "`{op}` gives a place along one axis, or among all elements; help: name one axis or all of them")
            }
            CallError::Empty { op } => write!(
                f,
                "`{op}` of no elements is not defined; help: leave axes of length 0 out, or handle an empty array before the call"
            ),
            CallError::Reduced { axis, expected, found } => write!(
                f,
                "`out` has {found} elements along its axis {axis} where the result has {expected}; help: give it the shape without the \
                 reduced axes, or with 1 for each of them"
            ),
            CallError::Inputs { expected, found } => {
                write!(f, "the op takes {expected} inputs and {found} were given; help: pass {expected}")
            }
        }
    }
}

fn no_axis(f: &mut fmt::Formatter<'_>, axis: isize, rank: usize) -> fmt::Result {
    let axes = if rank == 1 { "axis" } else { "axes" };
    write!(f, "axis {axis} is out of range for an array of {rank} {axes}; help: ")?;
    match rank {
        0 => f.write_str("an array without axes is reduced as a whole: name no axis"),
        1 => f.write_str("its only axis is 0, or -1 counted from the last"),
        _ => write!(f, "its axes are 0 to {}, or -1 to -{rank} counted from the last", rank - 1),
    }
}

impl CallError {
    /// What is wrong with shapes.
    fn of_shapes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Rank { place, expected, found } => write!(
                f,
                "{place} has {found} axes and `out` has {expected}; help: reshape it, or give `out` as many axes"
            ),
            CallError::Broadcast { place, axis, expected, found } => write!(
                f,
                "{place} has {found} elements along axis {axis} of `out`, which has {expected}; help: an axis broadcasts if it has \
                 1 element: reshape, or repeat it"
            ),
            CallError::Shapes { place, from_last, expected, found } => write!(
                f,
                "{place} has {found} elements along axis -{from_last}, and the inputs before it have {expected}; help: an axis \
                 broadcasts if it has 1 element: reshape, or repeat it"
            ),
            CallError::Memory { bytes } => {
                write!(
                    f,
                    "there is no memory for {bytes} bytes; help: write to `out` in parts that are there"
                )
            }
            _ => Ok(()),
        }
    }
}

impl core::error::Error for CallError {}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn axes_out_of_range_are_told_with_those_in_range() {
        let told = |axis, rank| CallError::NoAxis { axis, rank }.to_string();
        assert_eq!(
            told(0, 0),
            "axis 0 is out of range for an array of 0 axes; help: an array without axes is reduced as a whole: name no axis"
        );
        assert_eq!(
            told(3, 1),
            "axis 3 is out of range for an array of 1 axis; help: its only axis is 0, or -1 counted from the last"
        );
        assert_eq!(
            told(-4, 3),
            "axis -4 is out of range for an array of 3 axes; help: its axes are 0 to 2, or -1 to -3 counted from the last"
        );
    }

    #[test]
    fn conditions_have_to_be_bool() {
        let error = CallError::DType { place: Place::Condition, expected: DType::Bool, found: DType::F32 };
        assert_eq!(
            error.to_string(),
            "the condition is `f32`, and it has to be `bool`; help: compare it first, as in `a != 0`"
        );
    }
}
