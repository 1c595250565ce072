//! Calls of ops on operands of any kind: [`RuleSet::call`], and [`RuleSet::prepare`] with options.

use crate::dispatch::reduce::Along;
#[cfg(feature = "alloc")]
use crate::dispatch::whole::is_computed_whole;
use crate::dispatch::{Axes, Error, Options, Target};
use crate::error::call::CallError;
use crate::level::Level;
use crate::memory::Argument;
use crate::memory::TensorViewMut;
#[cfg(feature = "alloc")]
use crate::memory::{Tensor, Uninit};
use crate::op::{Flags, Reduction};
use crate::rule_set::RuleSet;
use crate::{DType, Op};

impl RuleSet {
    /// Computes an op on operands of any kind, and returns a new array.
    ///
    /// Tensors, vectors, slices, views and Rust's numbers convert to [operands](Argument). A Rust integer or
    /// float becomes a number without a width; for a typed scalar use `Argument::ZeroDim`.
    ///
    /// - **Elementwise ops** broadcast their operands to one shape: counted from the last axis, each has the
    ///   length of the result or 1, and missing axes count as 1. If all operands are numbers or
    ///   zero-dimensional, the result has no axes. Ops with [extra inputs](Op::extras) take them after the
    ///   operands; the condition of `where` comes first. An extra input that has a default may be left out.
    /// - **Reductions** reduce all axes, or those of [`Call::axes`].
    /// - **Scans**, `cumsum` and `cumprod`, have the shape of their operand. The axis is that of
    ///   [`Call::axis`]; an array of one axis needs no name.
    /// - **`dot`** multiplies two vectors of one length. The products are added in `f64`, or modulo 2^64 for
    ///   integers, and the sum is rounded once. Complex numbers are not conjugated.
    /// - **`concatenate`** joins arrays along an axis, the first one unless [`Call::axis`] names another, and
    ///   **`stack`** joins them along a new axis. Both take any number of arrays.
    /// - **`isin`** tells for each element of the first operand whether the second one has an equal element.
    ///   NaN equals nothing.
    /// - **`matmul`** multiplies matrices, which are the last two axes of both operands. The axes before them
    ///   broadcast. It needs the feature `matmul`. Integers are exact modulo their width, and 16-bit and
    ///   8-bit floats are added in `f32`. Floats are multiplied by the crate `matrixmultiply`, so their last
    ///   bits may differ between machines.
    ///
    /// Each operand is converted to the common dtype, the op computes in its compute dtype, and the result is
    /// rounded once ([`RuleSet::op_types`] names the three dtypes). Integers wrap on overflow.
    /// [`RuleSet::prepare`] has options: an output, in-place results, axes, flags, a SIMD level.
    ///
    /// # Errors
    ///
    /// Returns an error if the rule set refuses the operands, if they do not broadcast, if the op takes
    /// another number of operands or refuses a value, if this build has no kernel, or if there is not enough
    /// memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{Argument, DType, Op, Tensor, Torch};
    ///
    /// let rules = Torch::new().rule_set();
    /// let a = Tensor::from_vec(vec![1_i32, 2, 3, 4], &[2, 2])?;
    ///
    /// // A Python number does not change the dtype, a typed scalar of a higher kind does.
    /// let sum = rules.call(Op::Add, &[(&a).into(), 1.into()])?;
    /// assert_eq!((sum.dtype(), sum.to_string()), (DType::I32, "[[2, 3], [4, 5]]".into()));
    /// let sum = rules.call(Op::Add, &[(&a).into(), Argument::ZeroDim(0.5_f64.into())])?;
    /// assert_eq!((sum.dtype(), sum.to_string()), (DType::F64, "[[1.5, 2.5], [3.5, 4.5]]".into()));
    ///
    /// // Broadcasting, a reduction, and an op with a condition.
    /// let scaled = rules.call(Op::Multiply, &[(&a).into(), (&[10_i64, 100]).into()])?;
    /// assert_eq!(scaled.to_string(), "[[10, 200], [30, 400]]");
    /// assert_eq!(rules.call(Op::Sum, &[(&a).into()])?.to_string(), "10");
    /// let picked = rules.call(Op::Where, &[(&[true, false]).into(), (&a).into(), (-1).into()])?;
    /// assert_eq!(picked.to_string(), "[[1, -1], [3, -1]]");
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn call(&self, op: Op, operands: &[Argument<'_>]) -> Result<Tensor, Error> {
        self.prepare(op, operands).run()
    }

    /// Returns a builder for a call of an op with options. [`RuleSet::call`] leaves all options at their
    /// defaults.
    ///
    /// The operands are those of [`RuleSet::call`]. [`Call::run`] returns a new array. [`Call::out`] and
    /// [`Call::in_place`] write into an existing one. These copy operands that overlap it at other positions,
    /// and allocate no other arrays.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{Op, Tensor, TensorViewMut, Torch};
    ///
    /// let rules = Torch::new().rule_set();
    /// let a = Tensor::from_vec(vec![1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3])?;
    /// let rows = rules.prepare(Op::Sum, &[(&a).into()]).axis(-1).run()?;
    /// assert_eq!(rows.to_string(), "[6.0, 15.0]");
    ///
    /// let mut out = [0.0_f32; 6];
    /// rules.prepare(Op::Exp, &[(&a).into()]).out(TensorViewMut::new(&mut out, &[2, 3])?).run()?;
    /// assert_eq!(out[0], 1.0_f32.exp());
    ///
    /// // `a *= 2`
    /// let mut a = a;
    /// rules.prepare(Op::Multiply, &[2.into()]).in_place(&mut a).run()?;
    /// assert_eq!(a.to_string(), "[[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]");
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn prepare<'c, 'a>(&self, op: Op, operands: &'c [Argument<'a>]) -> Call<'c, 'a> {
        let options = Options::DEFAULT;
        Call { rules: *self, op, operands, options, along: Along::ALL, reduction: None }
    }
}

/// A builder for a call of an op, made by [`RuleSet::prepare`]. Nothing is looked up or computed before
/// [`Call::run`].
#[derive(Clone, Copy, Debug)]
#[must_use = "a call computes nothing before it is run"]
pub struct Call<'c, 'a> {
    rules: RuleSet,
    op: Op,
    operands: &'c [Argument<'a>],
    options: Options,
    along: Along<'c>,
    reduction: Option<Reduction>,
}

impl<'c, 'a> Call<'c, 'a> {
    /// Reduces along one axis instead of all, see [`Call::axes`], or scans along it.
    ///
    /// `cumsum` and `cumprod` replace each element by the sum or the product of the elements up to it. They
    /// compute integers modulo 2^64 and floats in `f64`, and round each result once. The error of a sum is at
    /// most 2^-46 times the sum of the magnitudes of its elements. The error of a product of n elements is at
    /// most n · 2^-53 of it, unless an intermediate result overflows or underflows. After a NaN all results
    /// are NaN. A scan of an array without elements has no elements.
    ///
    /// Results are equal on every machine, at every level and for any number of threads.
    ///
    /// ```
    /// use promote::{Op, Tensor, Torch};
    ///
    /// let rules = Torch::new().rule_set();
    /// let a = Tensor::from_vec(vec![1_u8, 250, 3, 4], &[2, 2])?;
    /// let sums = rules.prepare(Op::Cumsum, &[(&a).into()]).axis(0).run()?;
    /// assert_eq!(sums.to_string(), "[[1, 250], [4, 254]]"); // PyTorch sums integers in i64
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn axis(self, axis: isize) -> Self {
        Call { along: Along { axes: Some(Axes::One(axis)), ..self.along }, ..self }
    }

    /// Reduces along these axes instead of all; a negative axis counts from the last, which is -1.
    ///
    /// `concatenate` and `stack` take one axis, along which they join arrays.
    ///
    /// - `sum`, `mean`, `prod` and `norm` (the root of the sum of the squared magnitudes) compute integers
    ///   modulo 2^64 and floats in `f64`, and round once. The error of a sum is at most 2^-46 times the sum
    ///   of the magnitudes. The error of a product of n elements is at most n · 2^-53 of it, unless an
    ///   intermediate result overflows or underflows. Over no elements the sum and the norm are 0, the
    ///   product is 1, and the mean is NaN.
    /// - `nansum` is the sum with 0 for each NaN. A complex number counts as 0 if one of its parts is NaN.
    /// - `var` divides the sum of the squared distances from the mean by the number of elements minus a
    ///   [correction](Call::correction), or by 0 if that is negative; `std` is its root. They compute in
    ///   `f64`, and round once. The error of `var` is at most 2^-44 of it, and that of `std` half as much, if
    ///   the magnitude of the mean is at most 2^35 deviations, and unless a square overflows or underflows.
    ///   Over no elements, and for 0 / 0, they are NaN.
    /// - `median` is the middle element in sorted order. For an even number of elements, an option of the
    ///   rule set decides whether it is the lower one of the two in the middle or their mean. It is NaN if an
    ///   element is NaN. Over no elements it is NaN, or an error if the result is an integer.
    /// - `logsumexp` is the logarithm of the sum of the powers of e, computed in `f64` and rounded once. No
    ///   power overflows. The error of n real elements is at most 2^-44 + n · 2^-53. Over no elements it is
    ///   -inf.
    /// - `max`, `amax`, `min` and `amin` return NaN if an element is NaN, and treat +0 as greater than -0.
    ///   Complex numbers are ordered by their real parts, then by their imaginary parts.
    /// - `argmax` and `argmin` return the index of the first extreme element, along one axis or in row-major
    ///   order over all axes. NaN counts as an extremum; -0 and +0 are equal.
    /// - `any` and `all` treat every element other than 0 as true, NaN included. Over no elements they return
    ///   false and true.
    ///
    /// Results are equal on every machine, at every level and for any number of threads.
    ///
    /// ```
    /// use promote::{Op, Tensor, Torch};
    ///
    /// let rules = Torch::new().rule_set();
    /// let a = Tensor::from_vec(vec![1_u8, 250, 3, 4, 5, 6, 7, 8], &[2, 2, 2])?;
    /// let sums = rules.prepare(Op::Sum, &[(&a).into()]).axes(&[0, -1]).run()?;
    /// assert_eq!(sums.to_string(), "[262, 22]"); // PyTorch sums integers in i64
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub fn axes(self, axes: impl Into<Axes<'c>>) -> Self {
        Call { along: Along { axes: Some(axes.into()), ..self.along }, ..self }
    }

    /// Keeps each reduced axis, with length 1, if `keep_dims` is true, and drops it if it is false, which is
    /// the default. An [`out`](Call::out) of either shape will do if this method is not called.
    #[inline]
    pub const fn keep_dims(self, keep_dims: bool) -> Self {
        Call { along: Along { keep_dims: Some(keep_dims), ..self.along }, ..self }
    }

    /// Casts the elements to a dtype before they are reduced or scanned; the result has this dtype, too.
    ///
    /// `sum`, `prod`, `mean`, `nansum`, `cumsum` and `cumprod` take it. The cast is that of `astype`, but
    /// `nansum` replaces NaN by 0 before it. A dtype that the rule set refuses for the op is an error.
    ///
    /// ```
    /// use promote::{DType, Op, Torch};
    ///
    /// let rules = Torch::new().rule_set();
    /// let sum = rules.prepare(Op::Sum, &[(&[100_i8, 100]).into()]).dtype(DType::I8).run()?;
    /// assert_eq!((sum.dtype(), sum.to_string()), (DType::I8, "-56".to_owned())); // without it, 200 in i64
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn dtype(self, dtype: DType) -> Self {
        Call { along: Along { dtype: Some(dtype), ..self.along }, ..self }
    }

    /// Sets the number that `std` and `var` subtract from the number of elements before they divide by it.
    ///
    /// The default is that of the rule set, which `promote explain torch --op var` prints: 1 for PyTorch, 0
    /// for NumPy.
    ///
    /// ```
    /// use promote::{Op, Torch};
    ///
    /// let (rules, x) = (Torch::new().rule_set(), [1.0_f32, 2.0, 3.0]);
    /// assert_eq!(rules.call(Op::Var, &[(&x).into()])?.to_string(), "1.0");
    /// let population = rules.prepare(Op::Var, &[(&x).into()]).correction(0.0).run()?;
    /// assert_eq!(population.to_string(), "0.6666667");
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn correction(self, correction: f64) -> Self {
        Call { along: Along { correction: Some(correction), ..self.along }, ..self }
    }

    /// Sets the options that an op takes from the call and not from the rule file.
    #[inline]
    pub const fn flags(self, flags: Flags) -> Self {
        Call { options: Options { flags, ..self.options }, ..self }
    }

    /// Computes at a SIMD level, or at the best level below it that the machine has, instead of the level in
    /// use.
    ///
    /// Results are equal at every level, except for the sign and the payload of a NaN. The level does not
    /// affect `matmul` of floats, which the crate `matrixmultiply` computes.
    ///
    /// ```
    /// use promote::{Level, Op, Torch};
    ///
    /// let (rules, x) = (Torch::new().rule_set(), [0.5_f32, 1.5]);
    /// let operands = [(&x).into()];
    /// let results = Level::ALL.iter().map(|level| rules.prepare(Op::Exp, &operands).level(*level).run());
    /// let results = results.collect::<Result<Vec<_>, _>>()?;
    /// assert!(results.iter().all(|result| *result == results[0]));
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn level(self, level: Level) -> Self {
        Call { options: Options { level: Some(level), ..self.options }, ..self }
    }

    /// Reduces the results of an elementwise op, such as a loss, to their sum or mean, without allocating
    /// them.
    ///
    /// ```
    /// use promote::{Op, Reduction, Torch};
    ///
    /// let (prediction, target) = ([1.0_f32, 2.0, 4.0], [1.0_f32, 0.0, 3.0]);
    /// let operands = [(&prediction).into(), (&target).into()];
    /// let rules = Torch::new().rule_set();
    /// let loss = rules.prepare(Op::MseLoss, &operands).reduction(Reduction::Sum).run()?;
    /// assert_eq!(loss.to_string(), "5.0");
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn reduction(self, reduction: Reduction) -> Self {
        Call { reduction: Some(reduction), ..self }
    }

    /// Writes the result into an existing array of the same shape.
    ///
    /// The array's dtype is that of the result, or one to which the rule set lets a result be cast
    /// ([`RuleSet::out_types`]). In the `out` of a reduction, the reduced axes have length 1 or are missing,
    /// as [`Call::keep_dims`] says; a result is rounded to its own dtype first, and then cast.
    #[inline]
    pub fn out<'o>(self, out: impl Into<TensorViewMut<'o>>) -> CallInto<'c, 'a, 'o> {
        CallInto { call: self, out: out.into(), in_place: false }
    }

    /// Computes in place, as in `a += b`.
    ///
    /// `out` is the first operand and receives the result. The operands that were passed to
    /// [`RuleSet::prepare`] come after it, and broadcast to its shape. The dtypes are those of
    /// [`RuleSet::in_place_types`]; the result is cast to the dtype of `out` if the rule set allows this
    /// cast. Only elements of `out` are written. Other operands may overlap `out`: the result is that of
    /// operands which were copied first.
    #[inline]
    pub fn in_place<'o>(self, out: impl Into<TensorViewMut<'o>>) -> CallInto<'c, 'a, 'o> {
        CallInto { call: self, out: out.into(), in_place: true }
    }

    /// Computes the op, and returns a new array.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`RuleSet::call`]. Returns an error if an axis does not exist or is named twice,
    /// if an op that is not a reduction is given axes, or if an extremum is taken over no elements.
    #[cfg(feature = "alloc")]
    pub fn run(self) -> Result<Tensor, Error> {
        if is_computed_whole(self.op) && self.along.names_axes_only() && self.reduction.is_none() {
            return self.rules.whole(self.op, self.operands, self.along.axes, None);
        }
        let mut made = None;
        let place = &mut made;
        self.run_into(|dtype, shape| Ok::<_, Error>(place.insert(Uninit::new(dtype, shape)?).view_mut()))?;
        let made: Option<Uninit> = made;
        // SAFETY: a call that succeeds has written every element of the array that it asked for.
        made.map(|made| unsafe { made.written() }).ok_or(Error::Call(CallError::Uninitialised))
    }

    /// Computes the op into an array that the caller makes, once the dtype and the shape of the result are
    /// known.
    ///
    /// It is for libraries with arrays of their own: the function `out` allocates an array and returns a view
    /// of its elements, which may be uninitialised. `out` is not called if the operands are in error.
    ///
    /// ```
    /// use promote::{Error, Op, TensorViewMut, Torch};
    ///
    /// let (mut array, mut lengths) = (Vec::new(), Vec::new());
    /// let (memory, axes) = (&mut array, &mut lengths);
    /// let operands = [(&[1_i8, 2]).into(), (&[0.5_f32, 0.25]).into()];
    /// Torch::new().rule_set().prepare(Op::Add, &operands).run_into(|dtype, shape| {
    ///     assert_eq!(dtype, promote::DType::F32);
    ///     axes.extend_from_slice(shape);
    ///     memory.resize(shape.iter().product(), 0.0_f32);
    ///     Ok::<_, Error>(TensorViewMut::new(&mut memory[..], axes)?)
    /// })?;
    /// assert_eq!((array, lengths), (vec![1.5, 2.25], vec![2]));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Call::run`] and of `out`, and an error if the view has another dtype or shape
    /// than the result.
    #[cfg(feature = "alloc")]
    pub fn run_into<'o, E: From<Error>>(
        self,
        out: impl FnOnce(DType, &[usize]) -> Result<TensorViewMut<'o>, E>,
    ) -> Result<(), E> {
        let Call { rules, op, operands, options, along, reduction } = self;
        let zero_dim = if let Some(reduction) = reduction {
            if !along.is_empty() {
                return Err(Error::Call(not_along(op, &along)).into());
            }
            rules.reduced_with(op, options, operands, reduction)?
        } else if RuleSet::is_reduction(op) {
            return rules.reduce(op, options, self.operand()?, along, out);
        } else if RuleSet::is_scan(op) && !along.keeps_dims() {
            return rules.scan(op, options, self.operand()?, along, out);
        } else if is_computed_whole(op) && along.names_axes_only() {
            let found = rules.whole(op, operands, along.axes, None)?;
            let out = out(found.dtype(), found.shape())?;
            return Ok(rules.astype_into(&found.view(), None, out)?);
        } else if !along.is_empty() {
            return Err(Error::Call(not_along(op, &along)).into());
        } else if let (Op::Dot, [a, b]) = (op, operands) {
            rules.dot(options, [a, b], None)?
        } else {
            return rules.apply(op, options, operands, out);
        };
        let out = out(zero_dim.dtype(), &[])?;
        let element = Argument::from(zero_dim);
        Ok(rules.astype_into(&element.elements().map_err(Error::Call)?, None, out)?)
    }

    /// Returns the arguments of a reduction or a scan besides its operand.
    #[cfg(feature = "alloc")]
    pub(super) fn reduction_along(&self) -> (&RuleSet, Op, Along<'c>) {
        (&self.rules, self.op, self.along)
    }

    /// Returns the only operand of a reduction.
    fn operand(&self) -> Result<&'c Argument<'a>, Error> {
        match self.operands {
            [operand] => Ok(operand),
            others => Err(Error::Call(CallError::Inputs { expected: 1, found: others.len() })),
        }
    }
}

/// A call that writes into an existing array, made by [`Call::out`] or [`Call::in_place`].
#[derive(Debug)]
#[must_use = "a call computes nothing before it is run"]
pub struct CallInto<'c, 'a, 'o> {
    call: Call<'c, 'a>,
    out: TensorViewMut<'o>,
    in_place: bool,
}

impl CallInto<'_, '_, '_> {
    /// Computes the op and writes the result.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Call::run`], and an error if the array and the result differ in shape, if the
    /// rule set refuses the cast to the array's dtype, or if `where` is called in place. After an error the
    /// array is unchanged.
    pub fn run(self) -> Result<(), Error> {
        let CallInto { call, out, in_place } = self;
        // By reference: moved, its fields would wait for memory.
        let Call { ref rules, op, operands, options, ref along, .. } = call;
        if call.reduction.is_some() {
            return Err(Error::Call(CallError::NoReduction { op }));
        }
        if RuleSet::is_reduction(op) && !in_place {
            let (operand, axes) = (call.operand()?, along.axes());
            let number = operand.number_as_array(rules)?;
            let operand = number.as_ref().unwrap_or(operand);
            let (a, reducer) = rules.reducer(op, options, operand, *along, Some(out.dtype()))?;
            along.check_rank(a.rank(), out.rank())?;
            return Ok(reducer.call(&a, &|axis| axes.contain(axis, a.rank()), out)?);
        }
        if RuleSet::is_scan(op) && !in_place && !along.keeps_dims() {
            return rules.scan_into(op, options, call.operand()?, *along, out);
        }
        #[cfg(feature = "alloc")]
        if is_computed_whole(op) && along.names_axes_only() && !in_place {
            return rules.whole_into(op, operands, along.axes, out);
        }
        if !along.is_empty() {
            return Err(Error::Call(not_along(op, along)));
        }
        if in_place {
            return rules.apply_in_place(op, options, out, operands);
        }
        if let (Op::Dot, [a, b]) = (op, operands) {
            return rules.dot_into(options, [a, b], out);
        }
        let target = Target::Out(out.dtype());
        rules.with_kernel(op, options, operands, target, |kernel, inputs| kernel.call_views(inputs, out))
    }
}

/// Returns the error of an op that is given axes, or another argument, that it does not take.
fn not_along(op: Op, along: &Along<'_>) -> CallError {
    if matches!(op, Op::Custom(_)) {
        return CallError::NoReduction { op };
    }
    let taken = op.info().arguments;
    match along.names().find(|name| !taken.contains(name)) {
        Some(name) if !taken.is_empty() => CallError::NoArgument { op, name },
        _ if op.info().kernel.is_none() && op != Op::Dot && taken.is_empty() => CallError::NotComputed { op },
        _ => CallError::NoReduction { op },
    }
}
