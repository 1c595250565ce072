//! An op of a rule set as a function of Python.

use arrayvec::ArrayVec;
use promote::op::{Flags, Reduction};
use promote::{Argument, Axes, Call, CallError, Error, Extra, ExtraKind, Number, Op, RuleSet, TensorView};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arrays::{self, Input};
use crate::error::{Failure, guard};
use crate::explain;

/// The largest number of arguments of an op.
const MAX_INPUTS: usize = 8;

/// The least number of elements for which other threads of Python may run during a call.
const LARGE: usize = 4096;

// An op of a rule set. `namespace(..)` has one for each op. A `///` would hide `__doc__`.
#[pyclass(frozen, module = "promote_dtypes")]
pub(crate) struct Function {
    rules: RuleSet,
    op: Op,
    /// The name in Python, which can be one of the array API standard.
    name: &'static str,
    /// True for an elementwise op without extra inputs.
    is_plain: bool,
}

impl Function {
    pub(crate) const fn new(rules: RuleSet, op: Op, name: &'static str) -> Function {
        let is_plain = op.info().kernel.is_some() && op.inputs() == op.arity();
        Function { rules, op, name, is_plain }
    }
}

#[pymethods]
impl Function {
    #[pyo3(signature = (*operands, **options))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guard(|| {
            // `out` alone is named in calls that are made often.
            let out = match options {
                Some(options) if options.len() == 1 => options.get_item(intern!(py, "out"))?,
                _ => None,
            };
            if (options.is_none() || out.is_some())
                && let Some(found) = self.call_contiguous(py, operands, out.as_ref())?
            {
                return Ok(found);
            }
            let options = options.map(|options| Options::new(self.op, options)).transpose()?;
            self.call(py, operands, &options.unwrap_or_default())
        })
    }

    /// The name.
    #[getter]
    fn __name__(&self) -> &'static str {
        self.name
    }

    #[getter]
    fn __qualname__(&self) -> &'static str {
        self.name
    }

    /// A description.
    #[getter]
    fn __doc__(&self) -> String {
        format!("{}{}\n\nThe op `{}` of {}.", self.name, self.signature(), self.op, self.rules.name())
    }

    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let code = format!("lambda {}: None", &self.signature()[1..].trim_end_matches(')'));
        let lambda = py.eval(&std::ffi::CString::new(code)?, None, None)?;
        py.import("inspect")?.call_method1("signature", (lambda,))
    }

    fn __repr__(&self) -> String {
        format!("<function {} of {}>", self.name, self.rules.name())
    }
}

/// The arguments of a call that are named.
#[derive(Default)]
struct Options<'py> {
    out: Option<Bound<'py, PyAny>>,
    in_place: bool,
    axes: Option<Vec<isize>>,
    keep_dims: bool,
    reduction: Option<Reduction>,
    flags: Option<Flags>,
    casting: Option<String>,
    /// Extra inputs behind the operands.
    extras: ArrayVec<Option<Number>, MAX_INPUTS>,
}

impl<'py> Options<'py> {
    fn new(op: Op, given: &Bound<'py, PyDict>) -> Result<Options<'py>, Failure> {
        let mut options = Options::default();
        for (key, value) in given {
            let key: &str = key.extract()?;
            let named = op.extras().iter().position(|extra| extra.name == key && extra.kind.is_number());
            match key {
                "out" if !value.is_none() => options.out = Some(value),
                "in_place" => options.in_place = value.extract()?,
                "axis" if RuleSet::is_reduction(op) => options.axes = axes(&value)?,
                "keepdims" if RuleSet::is_reduction(op) => options.keep_dims = value.extract()?,
                "casting" if matches!(op, Op::Astype) => options.casting = value.extract()?,
                "reduction" if op.is_loss() => options.reduction = reduction(&value)?,
                "log_input" if op.is_loss() => {
                    options.flags.get_or_insert_default().log_input = value.extract()?;
                }
                "full" if op.is_loss() => options.flags.get_or_insert_default().full = value.extract()?,
                "out" => {}
                _ => match (named, arrays::number(&value)?) {
                    (Some(at), Some(number)) => {
                        while options.extras.len() <= at {
                            options.extras.push(None);
                        }
                        options.extras[at] = Some(number);
                    }
                    (Some(_), None) => {
                        return Err(Failure::type_error(format!("`{key}` is not a number; help: pass one")));
                    }
                    (None, _) => {
                        return Err(Failure::type_error(format!(
                            "`{op}` has no argument `{key}`; help: `help` of the function lists its arguments"
                        )));
                    }
                },
            }
        }
        Ok(options)
    }
}

/// Reads axes: an integer, a tuple of them, or `None` for all.
fn axes(value: &Bound<'_, PyAny>) -> Result<Option<Vec<isize>>, Failure> {
    if value.is_none() {
        return Ok(None);
    }
    Ok(Some(match value.extract::<isize>() {
        Ok(axis) => vec![axis],
        Err(_) => value.extract()?,
    }))
}

/// Reads the reduction of a loss, by PyTorch's names.
fn reduction(value: &Bound<'_, PyAny>) -> Result<Option<Reduction>, Failure> {
    match value.extract::<&str>()? {
        "none" => Ok(None),
        "mean" => Ok(Some(Reduction::Mean)),
        "sum" => Ok(Some(Reduction::Sum)),
        other => Err(Failure::value_error(format!(
            "there is no reduction `{other}`; help: use `none`, `mean` or `sum`"
        ))),
    }
}

impl Function {
    /// Returns the parameters as Python writes them.
    fn signature(&self) -> String {
        let is_condition = |extra: &&Extra| matches!(extra.kind, ExtraKind::Condition);
        let extras = self.op.extras();
        let mut names: Vec<&str> = extras.iter().filter(is_condition).map(|extra| extra.name).collect();
        names.extend(if self.op.arity() == 1 { &["x"][..] } else { &["x1", "x2"] });
        let mut optional = Vec::new();
        for extra in extras.iter().filter(|extra| !is_condition(extra)) {
            match extra.default {
                Some(default) => optional.push(format!("{}={default:?}", extra.name)),
                None => names.push(extra.name),
            }
        }
        let further = match self.op {
            Op::Astype => {
                names.push("dtype");
                "casting=None, out=None"
            }
            op if RuleSet::is_reduction(op) => "axis=None, keepdims=False, out=None",
            op if op.is_loss() => "reduction='none', out=None",
            Op::Dot => "out=None",
            _ => "in_place=False, out=None",
        };
        optional.push(further.to_owned());
        format!("({}, /, *, {})", names.join(", "), optional.join(", "))
    }

    /// Computes a plain op on contiguous arrays of one shape, as slices. It is the fast path of calls on few
    /// elements. Returns `None` for other operands, and for those that [`Function::call`] refuses.
    fn call_contiguous<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> Result<Option<Bound<'py, PyAny>>, Failure> {
        let count = operands.len();
        if !self.is_plain || count != self.op.arity() {
            return Ok(None);
        }
        let (a, b) = (operands.get_borrowed_item(0)?, operands.get_borrowed_item(count - 1)?);
        let (Some(a), Some(b)) = (arrays::contiguous(&a), arrays::contiguous(&b)) else { return Ok(None) };
        if a.shape != b.shape || a.elements.len() >= LARGE {
            return Ok(None);
        }
        let dtypes = [a.elements.dtype(), b.elements.dtype()];
        let kernel = match count {
            1 => self.rules.unary_kernel(self.op, dtypes[0]),
            _ => self.rules.kernel(self.op, dtypes[0], dtypes[1]),
        };
        let Ok(kernel) = kernel else { return Ok(None) };
        let output = kernel.dtypes()[2];
        let (mut new, len) = (None, a.elements.len());
        let elements = match out {
            None => arrays::new_slice(new.insert(arrays::new_array(py, output, a.shape)?), output, len)?,
            Some(out) => match arrays::output_slice(out, output, a.shape)? {
                Some(elements) => elements,
                None => return Ok(None),
            },
        };
        match count {
            1 => kernel.call_inputs(&[a.elements.into()], elements)?,
            _ => kernel.call_slices(a.elements, b.elements, elements)?,
        }
        Ok(new.map(|new| new.into_bound(py)).or_else(|| out.cloned()))
    }

    fn call<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        options: &Options<'py>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        if matches!(self.op, Op::Astype) {
            return self.cast(py, operands, options);
        }
        let mut inputs = ArrayVec::<Input<'py>, MAX_INPUTS>::new();
        for operand in operands.iter_borrowed() {
            inputs.try_push(Input::new(&operand)?).map_err(|_| self.inputs_error(operands.len()))?;
        }
        self.add_extras(&mut inputs, options)?;
        let mut views = ArrayVec::<TensorView<'_>, MAX_INPUTS>::new();
        for input in &inputs {
            if let Input::Memory(memory) = input {
                views.push(memory.view()?);
            }
        }
        let (mut arguments, mut left) = (ArrayVec::<Argument<'_>, MAX_INPUTS>::new(), views.iter());
        arguments.extend(inputs.iter().filter_map(|input| match input {
            Input::Memory(_) => left.next().map(Argument::Array),
            Input::Number(number) => Some(Argument::Number(*number)),
        }));
        let large = is_large(views.iter().map(TensorView::len));
        if options.in_place {
            let [_, rest @ ..] = &arguments[..] else { return Err(self.inputs_error(0)) };
            let target = operands.get_item(0)?;
            let call = self.prepared(rest, options).in_place(arrays::output(&target)?);
            released(py, large, || Ok(call.run()?))?;
            return Ok(target);
        }
        let call = self.prepared(&arguments, options);
        if let Some(array) = options.out.as_ref() {
            let call = call.out(arrays::output(array)?);
            released(py, large, || Ok(call.run()?))?;
            return Ok(array.clone());
        }
        compute(py, large, call)
    }

    /// Adds the extra inputs that are named, and the defaults of those before them.
    fn add_extras<'py>(
        &self,
        inputs: &mut ArrayVec<Input<'py>, MAX_INPUTS>,
        options: &Options<'py>,
    ) -> Result<(), Failure> {
        let arity = self.op.arity();
        for (at, (extra, given)) in self.op.extras().iter().zip(&options.extras).enumerate() {
            let before = inputs.len() > arity + at;
            let number = given.or_else(|| extra.default.map(Number::Float));
            match number {
                Some(_) if before && given.is_some() => {
                    return Err(Failure::type_error(format!("`{}` is given twice", extra.name)));
                }
                Some(number) if !before => inputs.push(Input::Number(number)),
                _ => {}
            }
        }
        Ok(())
    }

    fn prepared<'c, 'a>(&self, arguments: &'c [Argument<'a>], options: &'c Options<'_>) -> Call<'c, 'a> {
        let mut call = self.rules.prepare(self.op, arguments);
        if let Some(axes) = &options.axes {
            call = call.axes(Axes::Of(axes));
        }
        if options.keep_dims {
            call = call.keep_dims(true);
        }
        if let Some(flags) = options.flags {
            call = call.flags(flags);
        }
        match options.reduction {
            Some(reduction) => call.reduction(reduction),
            None => call,
        }
    }

    #[cold]
    fn inputs_error(&self, found: usize) -> Failure {
        Error::from(CallError::Inputs { expected: self.op.inputs(), found }).into()
    }

    /// Casts an array.
    fn cast<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        options: &Options<'py>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        if operands.len() != 2 {
            return Err(self.inputs_error(operands.len()));
        }
        let (input, dtype) =
            (Input::new(&operands.get_item(0)?)?, explain::dtype(&self.rules, &operands.get_item(1)?)?);
        let Input::Memory(memory) = input else {
            return Err(Failure::type_error("a number has no dtype; help: make an array of it".to_owned()));
        };
        let view = memory.view()?;
        let casting = options.casting.as_deref().map(str::parse).transpose();
        let casting =
            casting.map_err(|error: promote::ParseCastingError| Failure::value_error(error.to_string()))?;
        let large = is_large([view.len()].into_iter());
        if let Some(array) = &options.out {
            let out = arrays::output(array)?;
            if out.dtype() != dtype {
                let (role, expected, found) = (promote::ArgumentRole::Out, dtype, out.dtype());
                return Err(CallError::DType { role, expected, found }.into());
            }
            released(py, large, || Ok(self.rules.astype_into(&view, casting, out)?))?;
            return Ok(array.clone());
        }
        let mut array = arrays::new_array(py, dtype, view.shape())?;
        let out = arrays::new_view(&mut array, dtype)?;
        released(py, large, || Ok(self.rules.astype_into(&view, casting, out)?))?;
        Ok(array.into_bound(py))
    }
}

/// Returns true if operands of these lengths may have a large result.
fn is_large(lengths: impl Iterator<Item = usize>) -> bool {
    let (mut most, mut product) = (0, 1_usize);
    for length in lengths {
        most = most.max(length);
        product = product.saturating_mul(length);
    }
    // Operands that are broadcast along different axes have a larger result than each of them.
    most >= LARGE || product >= LARGE * LARGE
}

/// Runs a function, and lets other threads of Python run meanwhile if there is enough to compute.
fn released<T: Send>(
    py: Python<'_>,
    large: bool,
    function: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    if large { py.detach(function) } else { function() }
}

/// Computes a call into a new array.
fn compute<'py>(py: Python<'py>, large: bool, call: Call<'_, '_>) -> Result<Bound<'py, PyAny>, Failure> {
    let mut made = None;
    let place = &mut made;
    released(py, large, || {
        call.run_into(|dtype, shape| {
            let array = Python::attach(|py| arrays::new_array(py, dtype, shape))?;
            arrays::new_view(place.insert(array), dtype)
        })
    })?;
    let made: Option<Py<PyAny>> = made;
    made.map(|array| array.into_bound(py))
        .ok_or_else(|| Failure::value_error("the call has no result".to_owned()))
}
