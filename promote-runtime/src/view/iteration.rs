//! Iterations over several inputs and outputs, in the words that frameworks have for them.
//!
//! An [`IterationConfig`] is told what there is and what is to become of dtypes and shapes,
//! [`IterationConfig::build`] asks a rule set and checks everything, and the [`Iteration`] then runs an op of
//! the library or a function of the caller's.

mod error;
mod output;
mod plan;
mod run;
mod shape;

use core::ops::{Deref, DerefMut};

pub use error::IterationError;
pub use plan::Iteration;
pub use shape::Shape;

#[cfg(feature = "alloc")]
use super::Tensor;
use super::TensorViewMut;
use crate::DType;
use crate::Op;
use crate::dispatch::{Argument, Error};
use crate::kernel::strided::several::{INPUTS, OUTPUTS};
use crate::rule_set::RuleSet;

/// What an elementwise computation reads and writes, and what is to become of dtypes and shapes: a builder in
/// the words of PyTorch's `TensorIteratorConfig`, whose defaults it has too. `docs/porting.md` has a table
/// for those who come from there, from OneFlow's `TensorProcessor` and from NumPy.
///
/// What dtypes promote to, which float an integer becomes and which casts of results are allowed, the rule
/// set says.
///
/// | word | default | meaning |
/// | --- | --- | --- |
/// | [`check_all_same_dtype`](Self::check_all_same_dtype) | true | all inputs and given outputs are of one dtype |
/// | [`promote_inputs_to_common_dtype`](Self::promote_inputs_to_common_dtype) | false | inputs are cast to what they promote to |
/// | [`promote_integer_inputs_to_float`](Self::promote_integer_inputs_to_float) | false | that is a float, where it would be an integer or `bool` |
/// | [`lowest_dtype`](Self::lowest_dtype) | none | inputs are cast to at least this |
/// | [`cast_common_dtype_to_outputs`](Self::cast_common_dtype_to_outputs) | false | results are computed in the common dtype, then cast |
/// | [`enforce_safe_casting_to_output`](Self::enforce_safe_casting_to_output) | false | if the rule set allows the cast of a result |
/// | [`declare_static_dtype`](Self::declare_static_dtype) | none | of which dtype new outputs are |
/// | [`declare_static_shape`](Self::declare_static_shape) | none | the shape, whatever that of the inputs |
/// | [`resize_outputs`](Self::resize_outputs) | true | outputs do not decide on the shape |
/// | [`set_check_mem_overlap`](Self::set_check_mem_overlap) | true | inputs that overlap an output elsewhere are an error |
///
/// At most 8 inputs and 4 outputs; nothing is allocated but new outputs, and a copy of an input that an
/// output overlaps.
///
/// # Examples
///
/// See the facade's documentation: a compiled rule set with kernels comes from there.
#[derive(Debug)]
pub struct IterationConfig<'a> {
    inputs: Few<Given<'a>, INPUTS>,
    outputs: Few<Output<'a>, OUTPUTS>,
    /// Whether there were more operands than there is room for.
    too_many: bool,
    static_shape: Option<&'a [usize]>,
    static_dtype: Option<DType>,
    lowest: Option<DType>,
    words: Words,
}

/// A few values. It does nothing when it is dropped, so that what they borrow is free once it is not used any
/// more.
#[derive(Debug)]
struct Few<T, const N: usize> {
    held: [T; N],
    len: usize,
}

impl<T, const N: usize> Few<T, N> {
    /// Whether there was room for one more.
    #[inline]
    fn push(&mut self, value: T) -> bool {
        let place = self.held.get_mut(self.len);
        self.len += usize::from(place.is_some());
        place.map(|place| *place = value).is_some()
    }
}

impl<T, const N: usize> Deref for Few<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.held[..self.len]
    }
}

impl<T, const N: usize> DerefMut for Few<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.held[..self.len]
    }
}

/// What a configuration says yes or no to.
#[allow(clippy::struct_excessive_bools, reason = "each is a word of the builder's")]
#[derive(Clone, Copy, Debug)]
struct Words {
    same_dtype: bool,
    promote: bool,
    integers_to_float: bool,
    cast_to_outputs: bool,
    safe_casting: bool,
    resize: bool,
    check_overlap: bool,
}

/// An input.
#[derive(Clone, Copy, Debug)]
enum Given<'a> {
    Argument(Argument<'a>),
    /// What an output holds.
    Held(usize),
}

/// An output.
#[derive(Debug)]
enum Output<'a> {
    View(TensorViewMut<'a>),
    #[cfg(feature = "alloc")]
    Tensor(&'a mut Tensor),
    /// To be allocated.
    New,
    /// That was.
    #[cfg(feature = "alloc")]
    Made(Tensor),
}

impl<'a> IterationConfig<'a> {
    /// Without operands.
    #[inline]
    pub const fn new() -> Self {
        IterationConfig {
            inputs: Few { held: [Given::Held(0); INPUTS], len: 0 },
            outputs: Few { held: [const { Output::New }; OUTPUTS], len: 0 },
            too_many: false,
            static_shape: None,
            static_dtype: None,
            lowest: None,
            words: Words {
                same_dtype: true,
                promote: false,
                integers_to_float: false,
                cast_to_outputs: false,
                safe_casting: false,
                resize: true,
                check_overlap: true,
            },
        }
    }

    /// Adds an input behind those before: a slice, a view, a zero-dimensional element or a number without a
    /// width. An input that is what an output holds is added by [`IterationConfig::add_in_place`].
    #[inline]
    pub fn add_input(&mut self, input: impl Into<Argument<'a>>) -> &mut Self {
        self.push_input(Given::Argument(input.into()))
    }

    /// Adds an output behind those before.
    #[inline]
    pub fn add_output(&mut self, output: impl Into<TensorViewMut<'a>>) -> &mut Self {
        self.push_output(Output::View(output.into()))
    }

    /// Adds an array as an output. Where it has another shape than the iteration and
    /// [`resize_outputs`](Self::resize_outputs) holds, it is replaced by a new one of its dtype, when all is
    /// computed.
    #[cfg(feature = "alloc")]
    pub fn add_output_tensor(&mut self, output: &'a mut Tensor) -> &mut Self {
        self.push_output(Output::Tensor(output))
    }

    /// Adds an output that is to be allocated: of the common dtype, or of
    /// [`declare_static_dtype`](Self::declare_static_dtype). Afterwards [`Iteration::take_output`] has it.
    /// Without the feature `alloc`, [`Iteration::set_output`] gives it room.
    #[inline]
    pub fn add_new_output(&mut self) -> &mut Self {
        self.push_output(Output::New)
    }

    /// Adds an output whose elements are an input too, behind those before: as the left operand of `a += b`.
    #[inline]
    pub fn add_in_place(&mut self, output: impl Into<TensorViewMut<'a>>) -> &mut Self {
        let j = self.outputs.len();
        self.add_output(output).push_input(Given::Held(j))
    }

    /// Whether inputs and outputs that are given have to be of one dtype.
    #[inline]
    pub const fn check_all_same_dtype(&mut self, yes: bool) -> &mut Self {
        self.words.same_dtype = yes;
        self
    }

    /// Whether inputs are cast to the dtype that they promote to, arrays, zero-dimensional ones and numbers
    /// by the rule set's categories. If so, they need not be of one dtype any more.
    #[inline]
    pub const fn promote_inputs_to_common_dtype(&mut self, yes: bool) -> &mut Self {
        self.words.promote = yes;
        self.words.same_dtype &= !yes;
        self
    }

    /// Whether a common dtype that is `bool` or an integer becomes the float in which the rule set's `divide`
    /// has quotients of such. Needs [`promote_inputs_to_common_dtype`](Self::promote_inputs_to_common_dtype).
    #[inline]
    pub const fn promote_integer_inputs_to_float(&mut self, yes: bool) -> &mut Self {
        self.words.integers_to_float = yes;
        self
    }

    /// A dtype to which the common dtype is promoted, as if an array of it were an input; without a common
    /// dtype, each input by itself. Numbers become floats of at least `f32` by a lowest dtype of `f32`, and
    /// what is more stays as it is.
    #[inline]
    pub const fn lowest_dtype(&mut self, dtype: DType) -> &mut Self {
        self.lowest = Some(dtype);
        self
    }

    /// Whether outputs are computed in the common dtype, and then cast to their own. If so, operands need not
    /// be of one dtype any more.
    #[inline]
    pub const fn cast_common_dtype_to_outputs(&mut self, yes: bool) -> &mut Self {
        self.words.cast_to_outputs = yes;
        self.words.same_dtype &= !yes;
        self
    }

    /// Whether an output that is given has to be of a dtype to which the rule set allows the cast of a result
    /// of the common dtype ([`RuleSet::can_cast_result`]).
    #[inline]
    pub const fn enforce_safe_casting_to_output(&mut self, yes: bool) -> &mut Self {
        self.words.safe_casting = yes;
        self
    }

    /// The dtype of outputs that are to be allocated, as of a comparison `bool`.
    #[inline]
    pub const fn declare_static_dtype(&mut self, dtype: DType) -> &mut Self {
        self.static_dtype = Some(dtype);
        self
    }

    /// The shape of the iteration. Inputs broadcast to it, outputs have it; none is resized.
    #[inline]
    pub const fn declare_static_shape(&mut self, shape: &'a [usize]) -> &mut Self {
        self.static_shape = Some(shape);
        self.words.resize = false;
        self
    }

    /// Whether outputs that are given leave the shape to the inputs: those of another shape are resized if
    /// they are [arrays](Self::add_output_tensor), and an error if they are views. If not, they broadcast
    /// with the inputs, and have to have the shape that comes out.
    #[inline]
    pub const fn resize_outputs(&mut self, yes: bool) -> &mut Self {
        self.words.resize = yes;
        self
    }

    /// Whether an input that shares memory with an output is an error, unless their elements lie in the same
    /// places or one of them has gaps. If not, or with gaps, the results are those of an input that was
    /// copied before.
    #[inline]
    pub const fn set_check_mem_overlap(&mut self, yes: bool) -> &mut Self {
        self.words.check_overlap = yes;
        self
    }

    /// Decides on dtypes and shape, and checks all that was asked for. Nothing is allocated and nothing
    /// computed yet.
    ///
    /// # Errors
    ///
    /// Where dtypes differ and have to be the same; where a common dtype is needed and inputs that differ are
    /// not promoted; where the rule set refuses to promote them, or to cast a result; where inputs do not
    /// broadcast, or an output has another shape; where memory overlaps.
    pub fn build(&mut self, rules: &RuleSet) -> Result<Iteration<'_, 'a>, Error> {
        Iteration::new(self, *rules)
    }

    /// The same with the dtypes that the rule set gives an op of these inputs, whatever was said of dtypes:
    /// the common dtype is that to which its operands are converted, new outputs are of the dtype that comes
    /// out, and others of one to which a result may be cast.
    ///
    /// # Errors
    ///
    /// As [`IterationConfig::build`], and where the rule set refuses the op.
    pub fn build_op(&mut self, rules: &RuleSet, op: Op) -> Result<Iteration<'_, 'a>, Error> {
        Iteration::of_op(self, *rules, op)
    }

    #[inline]
    fn push_input(&mut self, input: Given<'a>) -> &mut Self {
        self.too_many |= !self.inputs.push(input);
        self
    }

    #[inline]
    fn push_output(&mut self, output: Output<'a>) -> &mut Self {
        self.too_many |= !self.outputs.push(output);
        self
    }
}

impl Default for IterationConfig<'_> {
    fn default() -> Self {
        IterationConfig::new()
    }
}
