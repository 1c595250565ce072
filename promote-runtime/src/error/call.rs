//! Errors of looking a kernel up, and of calling it.

use core::fmt;

use super::errors;
use crate::{DType, Op};

/// An operand, an extra input or the output of a call, as errors name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArgumentRole {
    /// The left operand.
    A,
    /// The right operand.
    B,
    /// The condition of `where`.
    Condition,
    /// The third input.
    Third,
    /// The fourth input.
    Fourth,
    /// The output.
    Out,
}

impl fmt::Display for ArgumentRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ArgumentRole::A => "operand `a`",
            ArgumentRole::B => "operand `b`",
            ArgumentRole::Condition => "the condition",
            ArgumentRole::Third => "the third input",
            ArgumentRole::Fourth => "the fourth input",
            ArgumentRole::Out => "`out`",
        })
    }
}

errors! {
    /// The error for a kernel that does not exist, or whose operands do not fit it.
    ///
    /// ```
    /// use promote::{CallError, Error, Op, Torch};
    ///
    /// let error = Torch::new().rule_set().call(Op::Add, &[(&[1, 2]).into(), (&[1, 2, 3]).into()]).unwrap_err();
    /// assert!(matches!(error, Error::Call(CallError::Shapes { expected: 2, found: 3, .. })));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum CallError {
        /// The op has no kernels, in any build of this version.
        NotComputed {
            /// The op.
            op: Op,
        } => |f| match op {
            Op::Custom(custom) if custom.has_kernels() => {
                write!(f, "`{op}` is a custom op; help: look its kernel up by `custom_kernel`, or use `call`")
            }
            Op::Matmul => write!(f, "`{op}` takes whole arrays; help: `call` computes it, with the feature `matmul`"),
            op if op.takes_whole_arrays() => {
                write!(f, "`{op}` takes whole arrays; help: `call` computes it")
            }
            _ => write!(f, "`{op}` has dtypes and no kernels; help: `op_types` returns its dtypes"),
        },
        /// The op is a standard op, where a custom one is expected.
        NotCustom {
            /// The op.
            op: Op,
        } => "`{op}` is a standard op; help: look its kernel up by `kernel` or `unary_kernel`",
        /// The op is not a reduction.
        NoReduction {
            /// The op.
            op: Op,
        } => "`{op}` is not a reduction; help: use one such as `sum`, `mean`, `max`, `argmax` or `all`",
        /// This build has no kernel that computes the op in that dtype.
        NoKernel {
            /// The op.
            op: Op,
            /// The compute dtype.
            compute: DType,
        } => |f| match compute {
            DType::Custom(_) => write!(
                f,
                "the type of `{compute}` has no `{}`; help: implement the trait for it that the op takes, or \
                 let the rule file compute in another dtype",
                op.name()
            ),
            _ => write!(
                f,
                "this build does not compute `{op}` in `{compute}`; help: enable the feature of the rule set"
            ),
        },
        /// The custom kernel does not compute in the dtype.
        NoBody {
            /// The op.
            op: Op,
            /// The compute dtype.
            compute: DType,
            /// The dtype in which the kernel computes, if there is only one.
            only: Option<DType>,
        } => |f| match only {
            Some(own) => write!(
                f,
                "`{op}` computes in `{own}`, and these operands are computed in `{compute}`; help: cast the \
                 operands first, or write a kernel for `{compute}`, too"
            ),
            None => write!(
                f,
                "`{op}` does not compute in `{compute}`; help: cast the operands first, or give its body \
                 another bound"
            ),
        },
        /// This build has no cast between the dtypes.
        NoCast {
            /// The dtype of the source.
            from: DType,
            /// The dtype of the destination.
            to: DType,
        } => |f| match (from, to) {
            (DType::Custom(_), DType::Custom(_)) => write!(
                f,
                "`{from}` is not cast to `{to}`; help: name the type of `{from}` in `#[element(from(..))]` \
                 of that of `{to}`"
            ),
            _ => write!(f, "this build does not cast `{from}` to `{to}`; help: enable the feature `kernels`"),
        },
        /// The dtype is custom, and its type does not say through which type it is cast.
        NotCast {
            /// The dtype.
            dtype: DType,
        } => "`{dtype}` has no casts; help: derive `Element` with `#[element(via = f64)]` for its type",
        /// An operand or the output has another dtype than the kernel was found for.
        DType {
            /// The operand, or the output.
            role: ArgumentRole,
            /// The dtype that the kernel was found for.
            expected: DType,
            /// The dtype passed.
            found: DType,
        } => |f| match role {
            ArgumentRole::Condition => write!(
                f,
                "the condition is `{found}`, and must be `{expected}`; help: compare it first, as in `a != 0`"
            ),
            _ => write!(
                f,
                "{role} is `{found}`, and must be `{expected}`; help: cast it, or look a kernel up for \
                 `{found}`"
            ),
        },
        /// An operand has another length than `out`.
        Length {
            /// The operand.
            role: ArgumentRole,
            /// The length of `out`.
            expected: usize,
            /// The length of the operand.
            found: usize,
        } => "{role} has {found} elements and `out` has {expected}; help: pass slices of one length, or a \
            scalar operand",
        /// An operand or the output has another number of axes than the call needs.
        Rank {
            /// The argument.
            role: ArgumentRole,
            /// The number of axes that the call needs.
            expected: usize,
            /// The number of axes of the argument.
            found: usize,
        } => |f| match role {
            ArgumentRole::Out => write!(
                f,
                "`out` has {found} axes, and the result has {expected}; help: give `out` the shape of the result"
            ),
            _ => write!(
                f,
                "{role} has {found} axes, where {expected} are expected; help: reshape it, or give `out` as many \
                 axes"
            ),
        },
        /// An input does not broadcast to the shape of `out`.
        Broadcast {
            /// The input.
            role: ArgumentRole,
            /// The axis of `out`.
            axis: usize,
            /// The length of `out` along it.
            expected: usize,
            /// The length of the input along it, which is not 1.
            found: usize,
        } => "{role} has length {found} along axis {axis} of `out`, which has {expected}; help: only an axis \
            of length 1 broadcasts to another length",
        /// Two inputs do not broadcast to one shape.
        Shapes {
            /// The input that does not fit those before it.
            role: ArgumentRole,
            /// The axis, counted from the last one, which is 1.
            from_last: usize,
            /// The length of the inputs before it along the axis.
            expected: usize,
            /// The length of the input along the axis; neither is 1.
            found: usize,
        } => "{role} has length {found} along axis -{from_last}, and the inputs before it have {expected}; \
            help: only an axis of length 1 broadcasts to another length",
        /// The allocator did not have enough memory.
        Memory {
            /// The size of the allocation in bytes.
            bytes: usize,
        } => "cannot allocate {bytes} bytes; help: write to an existing `out`, in smaller parts",
        /// The number of bytes is not a multiple of the element size.
        PartialElement {
            /// The dtype of the elements.
            dtype: DType,
            /// The number of bytes.
            bytes: usize,
        } => "{bytes} bytes are not a whole number of `{dtype}` elements; help: pass a multiple of their \
            size",
        /// `out` overlaps operands in such a way that one must be copied, which needs the feature `alloc`.
        Overlap => "`out` overlaps operands that begin before and after it; help: copy one of them, or \
            enable the feature `alloc`",
        /// `out` is an operand of a call in place, and is uninitialised.
        Uninitialised => "`out` is an operand, and is uninitialised; help: write its elements first",
        /// The dtype exists in tables only: no array can have elements of it.
        NoElements {
            /// The dtype.
            dtype: DType,
        } => |f| match dtype {
            DType::Custom(_) => write!(
                f,
                "kernels do not know the elements of `{dtype}`; help: give it a type in the rule file, as in \
                 `dtype x: int 8 = path::to::Type;`, with elements of 1, 2, 4, 8 or 16 bytes"
            ),
            _ => write!(
                f,
                "`{dtype}` exists in promotion tables only, and arrays cannot have it; help: use a dtype with a \
                 Rust type, such as `f32`"
            ),
        },
        /// An integer is divided by zero, and the rule set makes that an error.
        DivisionByZero => "an integer is divided by zero; help: mask the zeros, or divide as floats",
        /// An integer is raised to a negative power, and the rule set makes that an error.
        NegativeExponent => "an integer is raised to a negative power; help: mask these, or cast to floats",
        /// A probability is not between 0 and 1.
        Probability => "a probability is not between 0 and 1; help: clamp both operands first",
        /// An extra input of the op has a value that it cannot have.
        Parameter {
            /// The name of the input.
            name: &'static str,
            /// What is wrong with the value.
            problem: &'static str,
        } => "`{name}` {problem}; help: pass another `{name}`",
        /// The results of an elementwise op are not floats, so they cannot be reduced to a sum or a mean.
        NotReduced {
            /// The dtype of the results.
            dtype: DType,
        } => "results of `{dtype}` are not reduced, only those of floats; help: cast the operands to a float \
            dtype",
        /// This build has no reductions, or none for the dtype.
        NotReducible {
            /// The op.
            op: Op,
            /// The dtype.
            dtype: DType,
        } => "this build does not reduce `{dtype}` by `{op}`; help: cast to a standard dtype, with a rule \
            set that has kernels",
        /// A view has no such axis.
        NoAxis {
            /// The axis; a negative one counts from the last.
            axis: isize,
            /// The number of axes of the view.
            rank: usize,
        } => |f| no_axis(f, *axis, *rank),
        /// An axis is named twice.
        AxisTwice {
            /// The axis, counted from the first.
            axis: usize,
        } => "axis {axis} is named twice; help: name each axis once",
        /// The position of an extremum is computed along several axes, but not along all.
        Axes {
            /// The op.
            op: Op,
        } => "`{op}` returns positions along one axis or among all elements; help: name one axis or all of \
            them",
        /// The op joins or scans arrays along one axis, and the call names no axis or several.
        OneAxis {
            /// The op.
            op: Op,
        } => "`{op}` works along one axis; help: name one",
        /// An input of an op of whole arrays is a number, or has no axes.
        NoArray {
            /// The op.
            op: Op,
            /// The position of the input.
            input: usize,
        } => "input {input} of `{op}` is a number, or an array without the axes that it needs; help: pass an \
            array, for other ops than `stack` one with at least one axis",
        /// An input that is joined has another number of axes than the first one.
        JoinedRank {
            /// The op.
            op: Op,
            /// The position of the input.
            input: usize,
            /// The number of axes of the first input.
            expected: usize,
            /// The number of axes of the input.
            found: usize,
        } => "input {input} of `{op}` has {found} axes, and input 0 has {expected}; help: reshape one of them",
        /// An input has another length than the first one along an axis along which they are not joined.
        Joined {
            /// The op.
            op: Op,
            /// The position of the input.
            input: usize,
            /// The axis.
            axis: usize,
            /// The length of the first input.
            expected: usize,
            /// The length of the input.
            found: usize,
        } => "input {input} of `{op}` has length {found} along axis {axis}, and input 0 has {expected}; help: \
            only lengths along the axis of `concatenate` may differ",
        /// Matrices do not fit: the rows of the left one have another length than the columns of the right
        /// one.
        Inner {
            /// The length of a row of the left matrix.
            a: usize,
            /// The length of a column of the right matrix.
            b: usize,
        } => "a row of `a` has {a} elements, and a column of `b` has {b}; help: transpose one of them, or pass \
            matrices whose inner lengths are equal",
        /// The op has no result over no elements.
        Empty {
            /// The op.
            op: Op,
        } => "`{op}` over no elements has no result; help: leave axes of length 0 out, or handle empty \
            arrays before the call",
        /// `out` does not have the shape of the result of a reduction, a scan, or an op of whole arrays.
        OutShape {
            /// The axis of `out`.
            axis: usize,
            /// The length of the result along the axis.
            expected: usize,
            /// The length of `out` along the axis.
            found: usize,
        } => "`out` has length {found} along axis {axis}, and the result has {expected}; help: give \
            `out` the shape of the result; axes that are reduced may be missing or have length 1",
        /// The op has no such argument.
        NoArgument {
            /// The op.
            op: Op,
            /// The name of the argument.
            name: &'static str,
        } => "`{op}` has no argument `{name}`; help: leave it out",
        /// The op takes another number of inputs.
        Inputs {
            /// The number of inputs that the op takes.
            expected: usize,
            /// The number of inputs passed.
            found: usize,
        } => "the op takes {expected} inputs, not {found}; help: pass {expected}",
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
