//! Elementwise iterations over several inputs and outputs, for engines that have an iterator of their own.
//!
//! [`IterationConfig`] is a builder that takes operands and options for dtypes and shapes.
//! [`IterationConfig::build`] decides the dtypes by a rule set, finds the shape and checks everything. The
//! [`Iteration`] then runs an op or a function of the caller.

mod error;
mod output;
mod plan;
mod run;

use core::ops::{Deref, DerefMut};

pub use crate::memory::Shape;
pub use error::IterationError;
pub use plan::Iteration;

use crate::dispatch::Error;
use crate::kernel::strided::several::{INPUTS, OUTPUTS};
use crate::memory::Argument;
#[cfg(feature = "alloc")]
use crate::memory::Tensor;
use crate::memory::TensorViewMut;
use crate::rule_set::RuleSet;
use crate::{DType, Op};

/// A builder for an elementwise iteration over up to 8 inputs and 4 outputs.
///
/// It has the methods and the defaults of PyTorch's `TensorIteratorConfig`. `docs/porting.md` has tables for
/// users of that class, of OneFlow's `TensorProcessor` and of NumPy's iterator. The rule set decides what
/// dtypes promote to, which float an integer becomes, and which casts of results are allowed.
///
/// | option | default | meaning |
/// | --- | --- | --- |
/// | [`check_all_same_dtype`](Self::check_all_same_dtype) | true | inputs and existing outputs must have one dtype |
/// | [`promote_inputs_to_common_dtype`](Self::promote_inputs_to_common_dtype) | false | casts inputs to the dtype that they promote to |
/// | [`promote_integer_inputs_to_float`](Self::promote_integer_inputs_to_float) | false | makes that dtype a float if it is an integer or `bool` |
/// | [`lowest_dtype`](Self::lowest_dtype) | none | promotes inputs with this dtype |
/// | [`cast_common_dtype_to_outputs`](Self::cast_common_dtype_to_outputs) | false | computes results in the common dtype, then casts them |
/// | [`enforce_safe_casting_to_output`](Self::enforce_safe_casting_to_output) | false | the rule set must allow the casts of results |
/// | [`declare_static_dtype`](Self::declare_static_dtype) | none | the dtype of new outputs |
/// | [`declare_static_shape`](Self::declare_static_shape) | none | the shape, instead of that of the inputs |
/// | [`resize_outputs`](Self::resize_outputs) | true | inputs alone decide the shape |
/// | [`set_check_mem_overlap`](Self::set_check_mem_overlap) | true | refuses inputs that partly overlap an output |
///
/// Only new outputs are allocated, and copies of inputs that an output overlaps.
///
/// # Examples
///
/// A function with two outputs, over operands that are promoted and broadcast:
///
/// ```
/// use promote::{DType, IterationConfig, Torch};
///
/// let (dividends, divisor) = ([7_i32, -8], [3_i16]);
/// let mut config = IterationConfig::new();
/// config.add_new_output().add_new_output();
/// config.add_input(&dividends).add_input(&divisor).promote_inputs_to_common_dtype(true);
/// let mut iteration = config.build(&Torch::new().rule_set())?;
/// assert_eq!(iteration.common_dtype(), Some(DType::I32));
/// iteration.for_each(|inputs, outputs| {
///     let [quotient, remainder] = outputs else { unreachable!("there are two outputs") };
///     let (x, y) = (inputs[0].as_slice::<i32>().unwrap(), inputs[1].as_slice::<i32>().unwrap());
///     for (out, (x, y)) in quotient.as_mut_slice::<i32>().unwrap().iter_mut().zip(x.iter().zip(y)) {
///         *out = x / y;
///     }
///     for (out, (x, y)) in remainder.as_mut_slice::<i32>().unwrap().iter_mut().zip(x.iter().zip(y)) {
///         *out = x % y;
///     }
/// })?;
/// assert_eq!(iteration.take_output(0).unwrap().to_string(), "[2, -2]");
/// assert_eq!(iteration.take_output(1).unwrap().to_string(), "[1, -2]");
/// # Ok::<(), promote::Error>(())
/// ```
#[allow(clippy::struct_excessive_bools, reason = "each is an option of the builder")]
#[derive(Debug)]
pub struct IterationConfig<'a> {
    inputs: Few<Given<'a>, INPUTS>,
    outputs: Few<Output<'a>, OUTPUTS>,
    /// True if more operands were added than an iteration can have.
    too_many: bool,
    static_shape: Option<&'a [usize]>,
    static_dtype: Option<DType>,
    lowest: Option<DType>,
    same_dtype: bool,
    promote: bool,
    integers_to_float: bool,
    cast_to_outputs: bool,
    safe_casting: bool,
    resize: bool,
    check_overlap: bool,
}

/// A list of at most `N` values. It has no destructor, so that the borrows in it end with its last use.
#[derive(Debug)]
struct Few<T, const N: usize> {
    held: [T; N],
    len: usize,
}

impl<T, const N: usize> Few<T, N> {
    /// Appends a value. Returns false if the list is full.
    #[inline]
    fn push(&mut self, value: T) -> bool {
        let slot = self.held.get_mut(self.len);
        self.len += usize::from(slot.is_some());
        slot.map(|slot| *slot = value).is_some()
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

/// An input.
#[derive(Clone, Copy, Debug)]
enum Given<'a> {
    Argument(Argument<'a>),
    /// The elements of an output before the iteration.
    InPlace(usize),
}

/// An output.
#[derive(Debug)]
enum Output<'a> {
    View(TensorViewMut<'a>),
    #[cfg(feature = "alloc")]
    Tensor(&'a mut Tensor),
    /// An output that is to be allocated.
    New,
    /// A new output after its allocation.
    #[cfg(feature = "alloc")]
    Allocated(Tensor),
}

impl<'a> IterationConfig<'a> {
    /// Returns a builder without operands, with the default options.
    ///
    /// ```
    /// use promote::{IterationConfig, Torch};
    ///
    /// // By default all operands must have one dtype.
    /// let mut config = IterationConfig::new();
    /// config.add_new_output().add_input(&[1_i8, 2]).add_input(&[0.5_f32]);
    /// assert!(config.build(&Torch::new().rule_set()).is_err());
    /// ```
    #[inline]
    pub const fn new() -> Self {
        IterationConfig {
            inputs: Few { held: [Given::InPlace(0); INPUTS], len: 0 },
            outputs: Few { held: [const { Output::New }; OUTPUTS], len: 0 },
            too_many: false,
            static_shape: None,
            static_dtype: None,
            lowest: None,
            same_dtype: true,
            promote: false,
            integers_to_float: false,
            cast_to_outputs: false,
            safe_casting: false,
            resize: true,
            check_overlap: true,
        }
    }

    /// Adds an input: a slice, a view, a zero-dimensional element or a number without a width.
    ///
    /// [`IterationConfig::add_in_place`] adds an input that is an output as well.
    ///
    /// ```
    /// use promote::{IterationConfig, Op, Torch};
    ///
    /// let mut config = IterationConfig::new();
    /// config.add_new_output().add_input(&[1.5_f32, 2.0]).add_input(2);
    /// let mut iteration = config.build_op(&Torch::new().rule_set(), Op::Multiply)?;
    /// iteration.op(Op::Multiply)?;
    /// assert_eq!(iteration.take_output(0).unwrap().to_string(), "[3.0, 4.0]");
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub fn add_input(&mut self, input: impl Into<Argument<'a>>) -> &mut Self {
        self.push_input(Given::Argument(input.into()))
    }

    /// Adds an existing array as an output.
    ///
    /// ```
    /// use promote::{IterationConfig, Op, Torch};
    ///
    /// let mut sums = [0_i16; 2];
    /// let mut config = IterationConfig::new();
    /// config.add_output(&mut sums).add_input(&[1_i16, 2]).add_input(&[10_i16, 20]);
    /// config.build(&Torch::new().rule_set())?.op(Op::Add)?;
    /// assert_eq!(sums, [11, 22]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub fn add_output(&mut self, output: impl Into<TensorViewMut<'a>>) -> &mut Self {
        self.push_output(Output::View(output.into()))
    }

    /// Adds a tensor as an output. If its shape is not that of the iteration and
    /// [`resize_outputs`](Self::resize_outputs) is on, a new tensor of its dtype replaces it when the
    /// iteration has run.
    ///
    /// ```
    /// use promote::{DType, IterationConfig, Op, Tensor, Torch};
    ///
    /// let mut sums = Tensor::zeros(DType::I16, &[0])?;
    /// let mut config = IterationConfig::new();
    /// config.add_output_tensor(&mut sums).add_input(&[1_i16, 2]).add_input(&[10_i16, 20]);
    /// config.build(&Torch::new().rule_set())?.op(Op::Add)?;
    /// assert_eq!(sums.to_string(), "[11, 22]");
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn add_output_tensor(&mut self, output: &'a mut Tensor) -> &mut Self {
        self.push_output(Output::Tensor(output))
    }

    /// Adds an output that is to be allocated.
    ///
    /// It has the common dtype, or that of [`declare_static_dtype`](Self::declare_static_dtype).
    /// [`Iteration::take_output`] returns it after the iteration has run. Without the feature `alloc`, its
    /// memory is set by [`Iteration::set_output`].
    ///
    /// ```
    /// use promote::{IterationConfig, Op, Torch};
    ///
    /// let mut config = IterationConfig::new();
    /// config.add_new_output().add_input(&[1_u8, 2]).add_input(&[10_u8]);
    /// let mut iteration = config.build(&Torch::new().rule_set())?;
    /// iteration.op(Op::Add)?;
    /// assert_eq!(iteration.take_output(0).unwrap().to_string(), "[11, 12]");
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub fn add_new_output(&mut self) -> &mut Self {
        self.push_output(Output::New)
    }

    /// Adds an array that is both an output and an input, as the left operand of `a += b`.
    ///
    /// ```
    /// use promote::{IterationConfig, Op, Torch};
    ///
    /// let mut sums = [1.0_f32, 2.0];
    /// let mut config = IterationConfig::new();
    /// config.add_in_place(&mut sums).add_input(&[0.5_f32]);
    /// config.build(&Torch::new().rule_set())?.op(Op::Add)?;
    /// assert_eq!(sums, [1.5, 2.5]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub fn add_in_place(&mut self, output: impl Into<TensorViewMut<'a>>) -> &mut Self {
        let j = self.outputs.len();
        self.add_output(output).push_input(Given::InPlace(j))
    }

    /// Sets whether inputs and existing outputs must have one dtype.
    ///
    /// ```
    /// use promote::{IterationConfig, Torch};
    ///
    /// let mut config = IterationConfig::new();
    /// config.check_all_same_dtype(false);
    /// config.add_new_output().add_input(&[1_u8]).add_input(&[0.5_f32]);
    /// // Nothing is promoted, so there is no common dtype, and a new output has none.
    /// let rules = Torch::new().rule_set();
    /// assert!(config.build(&rules).is_err());
    /// config.declare_static_dtype(promote::DType::Bool);
    /// assert_eq!(config.build(&rules)?.common_dtype(), None);
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn check_all_same_dtype(&mut self, yes: bool) -> &mut Self {
        self.same_dtype = yes;
        self
    }

    /// Sets whether inputs are cast to the dtype that they promote to. The rule set treats arrays,
    /// zero-dimensional arrays and numbers by their categories. If this is on, operands need not have one
    /// dtype.
    ///
    /// ```
    /// use promote::{DType, IterationConfig, Torch};
    ///
    /// let mut config = IterationConfig::new();
    /// config.promote_inputs_to_common_dtype(true);
    /// config.add_new_output().add_input(&[1_u8]).add_input(&[-1_i8]).add_input(2);
    /// let iteration = config.build(&Torch::new().rule_set())?;
    /// assert_eq!(iteration.common_dtype(), Some(DType::I16));
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn promote_inputs_to_common_dtype(&mut self, yes: bool) -> &mut Self {
        self.promote = yes;
        self.same_dtype &= !yes;
        self
    }

    /// Sets whether a common dtype that is `bool` or an integer becomes a float: the one that the rule set's
    /// `divide` converts to. The option needs
    /// [`promote_inputs_to_common_dtype`](Self::promote_inputs_to_common_dtype).
    ///
    /// ```
    /// use promote::{DType, IterationConfig, Torch};
    ///
    /// let mut config = IterationConfig::new();
    /// config.promote_inputs_to_common_dtype(true).promote_integer_inputs_to_float(true);
    /// config.add_new_output().add_input(&[1_u8]).add_input(&[-1_i8]);
    /// let iteration = config.build(&Torch::new().rule_set())?;
    /// assert_eq!(iteration.common_dtype(), Some(DType::F32));
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn promote_integer_inputs_to_float(&mut self, yes: bool) -> &mut Self {
        self.integers_to_float = yes;
        self
    }

    /// Sets a dtype with which the common dtype is promoted, as if an array of it were an input. Without a
    /// common dtype, each input is promoted with it by itself. With `f32`, for example, an `i32` is cast to a
    /// float, and an `f64` stays as it is.
    ///
    /// ```
    /// use promote::{DType, IterationConfig, Torch};
    ///
    /// let mut config = IterationConfig::new();
    /// config.promote_inputs_to_common_dtype(true).lowest_dtype(DType::F32);
    /// config.add_new_output().add_input(&[1_i32]).add_input(&[2_i64]);
    /// let iteration = config.build(&Torch::new().rule_set())?;
    /// assert_eq!(iteration.common_dtype(), Some(DType::F32));
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn lowest_dtype(&mut self, dtype: DType) -> &mut Self {
        self.lowest = Some(dtype);
        self
    }

    /// Sets whether outputs are computed in the common dtype, and then cast to their own dtypes. If this is
    /// on, operands need not have one dtype.
    ///
    /// ```
    /// use promote::{IterationConfig, Op, Torch};
    ///
    /// let mut sums = [0.0_f64; 2];
    /// let mut config = IterationConfig::new();
    /// config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true);
    /// config.add_output(&mut sums).add_input(&[100_i8, 1]).add_input(&[100_i8]);
    /// config.build(&Torch::new().rule_set())?.op(Op::Add)?;
    /// assert_eq!(sums, [-56.0, 101.0]); // the sums wrap in i8
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn cast_common_dtype_to_outputs(&mut self, yes: bool) -> &mut Self {
        self.cast_to_outputs = yes;
        self.same_dtype &= !yes;
        self
    }

    /// Sets whether the rule set must allow the cast of a result from the common dtype to each existing
    /// output ([`RuleSet::can_cast_result`]).
    ///
    /// ```
    /// use promote::{IterationConfig, Torch};
    ///
    /// let mut out = [0_i32];
    /// let mut config = IterationConfig::new();
    /// config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true);
    /// config.add_output(&mut out).add_input(&[0.5_f32]);
    /// let rules = Torch::new().rule_set();
    /// assert!(config.build(&rules).is_ok());
    /// // PyTorch does not cast a float result to an integer output.
    /// assert!(config.enforce_safe_casting_to_output(true).build(&rules).is_err());
    /// ```
    #[inline]
    pub const fn enforce_safe_casting_to_output(&mut self, yes: bool) -> &mut Self {
        self.safe_casting = yes;
        self
    }

    /// Sets the dtype of new outputs, such as `bool` for a comparison.
    ///
    /// ```
    /// use promote::{DType, IterationConfig, Torch};
    ///
    /// let mut config = IterationConfig::new();
    /// config.add_new_output().add_input(&[1.5_f32, -2.0]).declare_static_dtype(DType::Bool);
    /// let mut iteration = config.build(&Torch::new().rule_set())?;
    /// iteration.for_each(|inputs, outputs| {
    ///     let xs = inputs[0].as_slice::<f32>().unwrap();
    ///     for (out, x) in outputs[0].as_mut_slice::<bool>().unwrap().iter_mut().zip(xs) {
    ///         *out = x.is_sign_negative();
    ///     }
    /// })?;
    /// assert_eq!(iteration.take_output(0).unwrap().to_string(), "[false, true]");
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn declare_static_dtype(&mut self, dtype: DType) -> &mut Self {
        self.static_dtype = Some(dtype);
        self
    }

    /// Sets the shape of the iteration. Inputs must broadcast to it, and outputs must have it; none is
    /// resized.
    ///
    /// ```
    /// use promote::{IterationConfig, Op, Torch};
    ///
    /// let mut config = IterationConfig::new();
    /// config.add_new_output().add_input(&[1_i8, 2]).add_input(&[10_i8]).declare_static_shape(&[2, 2]);
    /// let mut iteration = config.build(&Torch::new().rule_set())?;
    /// iteration.op(Op::Add)?;
    /// assert_eq!(iteration.take_output(0).unwrap().to_string(), "[[11, 12], [11, 12]]");
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn declare_static_shape(&mut self, shape: &'a [usize]) -> &mut Self {
        self.static_shape = Some(shape);
        self.resize = false;
        self
    }

    /// Sets whether the inputs alone decide the shape.
    ///
    /// If on, an existing output of another shape is resized if it is a [tensor](Self::add_output_tensor),
    /// and an error if it is a view. If off, outputs broadcast together with the inputs, and must have the
    /// resulting shape.
    ///
    /// ```
    /// use promote::{IterationConfig, Op, Torch};
    ///
    /// let mut sums = [0_i8; 2];
    /// let mut config = IterationConfig::new();
    /// config.add_output(&mut sums).add_input(&[1_i8]).add_input(&[10_i8]);
    /// let rules = Torch::new().rule_set();
    /// assert!(config.build(&rules).is_err()); // the inputs have one element, and the output has two
    /// config.resize_outputs(false).build(&rules)?.op(Op::Add)?;
    /// assert_eq!(sums, [11, 11]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn resize_outputs(&mut self, yes: bool) -> &mut Self {
        self.resize = yes;
        self
    }

    /// Sets whether an input that partly overlaps an output is an error.
    ///
    /// An input may always have its elements at the same addresses as those of the output, and overlap is not
    /// detected if the input or the output has gaps. If the check is off, or if there are gaps, the results
    /// are those of an input that was copied first.
    ///
    /// ```
    /// use promote::{DType, IterationConfig, Op, TensorView, TensorViewMut, Torch};
    ///
    /// let mut memory = [1_i32, 2, 3];
    /// let pointer = memory.as_mut_ptr().cast::<u8>();
    /// // SAFETY: both views lie within `memory`, which nothing else uses until the iteration has run.
    /// let first = unsafe { TensorView::from_raw_parts(DType::I32, pointer, &[2], &[4])? };
    /// let last = unsafe { TensorViewMut::from_raw_parts(DType::I32, pointer.wrapping_add(4), &[2], &[4])? };
    /// let mut config = IterationConfig::new();
    /// config.add_output(last).add_input(&first).add_input(10);
    /// config.promote_inputs_to_common_dtype(true);
    /// let rules = Torch::new().rule_set();
    /// assert!(config.build(&rules).is_err());
    /// config.set_check_mem_overlap(false).build(&rules)?.op(Op::Add)?;
    /// assert_eq!(memory, [1, 11, 12]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn set_check_mem_overlap(&mut self, yes: bool) -> &mut Self {
        self.check_overlap = yes;
        self
    }

    /// Decides dtypes and shape by a rule set, and checks them. Nothing is allocated or computed yet.
    ///
    /// # Errors
    ///
    /// Returns an error
    /// - if dtypes differ that must be equal, or if an option needs a common dtype and inputs are not
    ///   promoted;
    /// - if the rule set refuses to promote the inputs, or to cast a result;
    /// - if inputs do not broadcast, or an output has another shape;
    /// - if operands overlap that must not.
    ///
    /// ```
    /// use promote::{IterationConfig, IterationError, Error, Torch};
    ///
    /// let mut config = IterationConfig::new();
    /// config.add_new_output().add_input(&[1_i32]).add_input(&[1.0_f32]);
    /// let error = config.build(&Torch::new().rule_set()).unwrap_err();
    /// assert!(matches!(error, Error::Iteration(IterationError::InputDType { .. })));
    /// ```
    pub fn build(&mut self, rules: &RuleSet) -> Result<Iteration<'_, 'a>, Error> {
        Iteration::new(self, *rules, None)
    }

    /// Builds an iteration with the dtypes that an op has for these inputs. Options for dtypes are ignored.
    ///
    /// The common dtype is the one that the op converts its operands to, and new outputs have the dtype of
    /// its result. Existing outputs must have a dtype to which the rule set lets a result be cast.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`IterationConfig::build`], and an error if the rule set refuses the op.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{DType, IterationConfig, Op, Torch};
    ///
    /// let mut config = IterationConfig::new();
    /// config.add_new_output().add_input(&[1_i32, 3]).add_input(2.0_f64);
    /// let mut iteration = config.build_op(&Torch::new().rule_set(), Op::Less)?;
    /// assert_eq!((iteration.common_dtype(), iteration.output_dtype(0)), (Some(DType::F32), DType::Bool));
    /// iteration.op(Op::Less)?;
    /// assert_eq!(iteration.take_output(0).unwrap().to_string(), "[true, false]");
    /// # Ok::<(), promote::Error>(())
    /// ```
    pub fn build_op(&mut self, rules: &RuleSet, op: Op) -> Result<Iteration<'_, 'a>, Error> {
        Iteration::new(self, *rules, Some(op))
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
