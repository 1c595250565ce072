//! An op of a rule set as a function of Python.

use std::ffi::CString;
use std::ptr;

use promote::op::{Flags, Reduction};
use promote::{
    Argument, ArgumentRole, Axes, Call, CallError, DType, Error, Extra, ExtraKind, Number, Op, RuleSet,
    TensorView,
};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyTuple};
use pyo3::{Borrowed, ffi};
use smallvec::SmallVec;

use crate::arrays::{self, Contiguous, Input};
use crate::error::{Failure, guard};
use crate::explain;

/// As many arguments as ops have that take no list of arrays.
type Few<T> = SmallVec<[T; 8]>;

/// The least number of elements for which other threads of Python may run during a call.
const LARGE: usize = 32 * 1024;

/// Where the result of a call goes.
#[derive(Clone, Copy)]
enum Destination<'a, 'py> {
    /// A new array.
    New,
    /// An existing array.
    Out(&'a Bound<'py, PyAny>),
    /// The first operand.
    InPlace,
}

// An op of a rule set. The functions of namespaces are built-in functions, whose `__self__` is one of these.
// A `///` would hide `__doc__`.
#[pyclass(frozen, module = "promote_dtypes")]
pub(crate) struct Function {
    rules: RuleSet,
    op: Op,
    /// True for an elementwise op without extra inputs.
    is_plain: bool,
}

#[pymethods]
impl Function {
    fn __repr__(&self) -> String {
        format!("<{} of {}>", self.op, self.rules.name())
    }
}

/// Returns the function of a namespace for an op. `name` can be one of the array API standard.
///
/// It is a built-in function, since Python calls those without making a tuple and a dictionary of the
/// arguments.
pub(crate) fn new<'py>(
    module: &Bound<'py, PyModule>,
    rules: RuleSet,
    op: Op,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = module.py();
    let is_plain = op.info().kernel.is_some() && op.inputs() == op.arity();
    // Where `inspect.signature` and `help` find the parameters.
    let doc = format!("{name}{}\n--\n\nThe op `{op}` of {}.", signature(op), rules.name());
    // Namespaces stay as long as the program, as the tables of rule sets do.
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: CString::new(name)?.into_raw(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: called },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: CString::new(doc)?.into_raw(),
    }));
    let function = Bound::new(py, Function { rules, op, is_plain })?;
    // SAFETY: the definition is never freed, `called` has the signature that the flags promise, and Python
    // calls it with the object that is passed here.
    unsafe {
        let made = ffi::PyCFunction_NewEx(definition, function.as_ptr(), module.name()?.as_ptr());
        Bound::from_owned_ptr_or_err(py, made)
    }
}

/// Calls a function of a namespace.
///
/// # Safety
/// Python calls it, with the object that [`new`] made as `function`, and with `count` arguments followed by
/// one for each of `names`, which is null or a tuple of strings.
unsafe extern "C" fn called(
    function: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls functions on threads that are attached.
    let py = unsafe { Python::assume_attached() };
    let result = guard(|| {
        // SAFETY: `new` passed a `Function`, which Python keeps alive during the call.
        let function = unsafe { Borrowed::from_ptr(py, function).cast_unchecked::<Function>() };
        // SAFETY: the names are null or a tuple.
        let names =
            unsafe { Borrowed::from_ptr_or_opt(py, names).map(|names| names.cast_unchecked::<PyTuple>()) };
        let all = count.unsigned_abs() + names.map_or(0, |names| names.len());
        let arguments = match all {
            0 => &[],
            // SAFETY: there are as many arguments, alive during the call. A `Bound` is a pointer to an
            // object, and the slice drops none of them.
            _ => unsafe { std::slice::from_raw_parts(arguments.cast::<Bound<'_, PyAny>>(), all) },
        };
        let (operands, values) = arguments.split_at(count.unsigned_abs());
        function.get().run(py, operands, names.as_deref(), values)
    });
    match result {
        Ok(found) => found.into_ptr(),
        Err(error) => {
            error.restore(py);
            ptr::null_mut()
        }
    }
}

/// The arguments of a call that are named.
#[derive(Default)]
struct Options<'py> {
    out: Option<Bound<'py, PyAny>>,
    in_place: bool,
    axes: Option<Few<isize>>,
    keep_dims: bool,
    dtype: Option<DType>,
    correction: Option<f64>,
    reduction: Option<Reduction>,
    flags: Option<Flags>,
    casting: Option<String>,
    /// Extra inputs behind the operands.
    extras: Few<Option<Number>>,
}

impl<'py> Options<'py> {
    fn new(
        rules: &RuleSet,
        op: Op,
        names: &Bound<'py, PyTuple>,
        values: &[Bound<'py, PyAny>],
    ) -> Result<Options<'py>, Failure> {
        let mut options = Options::default();
        for (key, value) in names.iter().zip(values) {
            let key: &str = key.extract()?;
            let place = op.extras().iter().position(|extra| extra.name == key && extra.kind.is_number());
            let takes = op.info().arguments.contains(&key);
            match key {
                "out" if !value.is_none() => options.out = Some(value.clone()),
                "in_place" if computes_in_place(op) => options.in_place = named(key, "a bool", value)?,
                "axis" if takes && op.joins_arrays() => options.axes = Some(one_axis(value)?),
                "axis" if takes => options.axes = axes(value)?,
                "keepdims" if takes => options.keep_dims = named(key, "a bool", value)?,
                "dtype" if takes && value.is_none() => {}
                "dtype" if takes => options.dtype = Some(explain::dtype(rules, value)?),
                "correction" if takes => options.correction = named(key, "a number or `None`", value)?,
                "casting" if matches!(op, Op::Astype) => {
                    options.casting = named(key, "a string or `None`", value)?;
                }
                "reduction" if op.is_loss() => options.reduction = reduction(value)?,
                "log_input" if op.is_loss() => {
                    options.flags.get_or_insert_default().log_input = named(key, "a bool", value)?;
                }
                "full" if op.is_loss() => {
                    options.flags.get_or_insert_default().full = named(key, "a bool", value)?;
                }
                "out" => {}
                _ => match (place, arrays::number(value)?) {
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
        if options.in_place && options.out.is_some() {
            return Err(Failure::type_error(
                "`in_place` and `out` are both given; help: pass one of them".to_owned(),
            ));
        }
        Ok(options)
    }
}

/// Reads an argument that is named `key`.
fn named<'a, 'py, T: FromPyObject<'a, 'py>>(
    key: &str,
    wanted: &str,
    value: &'a Bound<'py, PyAny>,
) -> Result<T, Failure> {
    value.extract().map_err(|_| Failure::type_error(format!("`{key}` is not {wanted}; help: pass one")))
}

/// Reads axes: an integer, a tuple of them, or `None` for all.
fn axes(value: &Bound<'_, PyAny>) -> Result<Option<Few<isize>>, Failure> {
    if value.is_none() {
        return Ok(None);
    }
    Ok(Some(match value.extract::<isize>() {
        Ok(axis) => Few::from_slice(&[axis]),
        Err(_) => named::<Vec<isize>>("axis", "an integer, a tuple of integers or `None`", value)?.into(),
    }))
}

/// Reads the axis along which arrays are joined.
fn one_axis(value: &Bound<'_, PyAny>) -> Result<Few<isize>, Failure> {
    Ok(Few::from_slice(&[named("axis", "an integer", value)?]))
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

/// Returns true for the ops whose functions have the parameter `in_place`.
pub(crate) fn computes_in_place(op: Op) -> bool {
    let is_elementwise = op.info().kernel.is_some() && !matches!(op, Op::Astype) && !op.is_loss();
    is_elementwise && !op.extras().iter().any(is_condition)
}

/// Returns true for the condition of `where`, which stands before the operands.
pub(crate) fn is_condition(extra: &Extra) -> bool {
    matches!(extra.kind, ExtraKind::Condition)
}

/// Returns the parameters of an op as Python writes them.
fn signature(op: Op) -> String {
    let extras = op.extras();
    let conditions = extras.iter().filter(|extra| is_condition(extra));
    let mut names: Vec<&str> = conditions.map(|extra| extra.name).collect();
    names.extend(match op {
        op if op.joins_arrays() => &["arrays"][..],
        op if op.arity() == 1 => &["x"],
        _ => &["x1", "x2"],
    });
    let mut optional = Vec::new();
    for extra in extras.iter().filter(|extra| !is_condition(extra)) {
        match extra.default {
            Some(default) => optional.push(format!("{}={default:?}", extra.name)),
            None => names.push(extra.name),
        }
    }
    for name in op.info().arguments {
        optional.push(match *name {
            "axis" if op.joins_arrays() => "axis=0".to_owned(),
            "keepdims" => "keepdims=False".to_owned(),
            name => format!("{name}=None"),
        });
    }
    match op {
        Op::Astype => {
            names.push("dtype");
            optional.push("casting=None".to_owned());
        }
        op if op.is_loss() => optional.push("reduction='none'".to_owned()),
        op if computes_in_place(op) => optional.push("in_place=False".to_owned()),
        _ => {}
    }
    format!("({}, /, *, {}, out=None)", names.join(", "), optional.join(", ")).replace(", *, ,", ", *,")
}

impl Function {
    /// Computes the op. `values` are the arguments that are named.
    fn run<'py>(
        &self,
        py: Python<'py>,
        operands: &[Bound<'py, PyAny>],
        names: Option<&Bound<'py, PyTuple>>,
        values: &[Bound<'py, PyAny>],
    ) -> Result<Bound<'py, PyAny>, Failure> {
        // Calls that are made often name a destination only.
        let destination = match (names, values) {
            (None, _) => Some(Destination::New),
            (Some(names), [out]) if is_name(names, intern!(py, "out"))? => Some(Destination::Out(out)),
            (Some(names), [yes])
                if yes.is(PyBool::new(py, true)) && is_name(names, intern!(py, "in_place"))? =>
            {
                Some(Destination::InPlace)
            }
            _ => None,
        };
        if let Some(destination) = destination
            && let Some(found) = self.call_contiguous(py, operands, destination)?
        {
            return Ok(found);
        }
        // Objects that are dropped on a thread that this library has not attached itself are freed later.
        Python::attach(|_| match names {
            Some(names) => self.call(py, operands, &Options::new(&self.rules, self.op, names, values)?),
            None => self.call(py, operands, &Options::default()),
        })
    }

    /// Computes a plain op on contiguous arrays of one shape, or on one and a number, as slices. It is the
    /// fast path of calls on few elements. Returns `None` for other operands, and for those that
    /// [`Function::call`] refuses.
    fn call_contiguous<'py>(
        &self,
        py: Python<'py>,
        operands: &[Bound<'py, PyAny>],
        destination: Destination<'_, 'py>,
    ) -> Result<Option<Bound<'py, PyAny>>, Failure> {
        if !self.is_plain || operands.len() != self.op.arity() {
            return Ok(None);
        }
        let out = match destination {
            Destination::New => None,
            Destination::Out(out) => Some(out),
            Destination::InPlace => return self.call_in_place(operands),
        };
        let (a, b, kernel) = match operands {
            [a] => {
                let Some(a) = small(a) else { return Ok(None) };
                let kernel = self.rules.unary_kernel(self.op, a.elements.dtype());
                (a, None, kernel)
            }
            [first, second] => match (small(first), small(second)) {
                (Some(a), Some(b)) if a.shape == b.shape => {
                    let kernel = self.rules.kernel(self.op, a.elements.dtype(), b.elements.dtype());
                    (a, Some(b), kernel)
                }
                (Some(a), None) => return self.call_with_number(py, (a, second, 1), out),
                (None, Some(b)) => return self.call_with_number(py, (b, first, 0), out),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let Ok(kernel) = kernel else { return Ok(None) };
        let output = kernel.dtypes()[2];
        let mut new = None;
        let elements = match out {
            None => arrays::new_slice(
                new.insert(arrays::new_array(py, output, a.shape)?),
                output,
                a.elements.len(),
            )?,
            Some(out) => match arrays::output_slice(out, a.shape)? {
                Some(elements) if elements.dtype() == output => elements,
                _ => return Ok(None),
            },
        };
        match b {
            None => kernel.call_inputs(&[a.elements.into()], elements)?,
            Some(b) => kernel.call_slices(a.elements, b.elements, elements)?,
        }
        Ok(new.or_else(|| out.cloned()))
    }

    /// Computes a plain op in place, on contiguous arrays of one shape or on one and a number.
    fn call_in_place<'py>(
        &self,
        operands: &[Bound<'py, PyAny>],
    ) -> Result<Option<Bound<'py, PyAny>>, Failure> {
        let target = &operands[0];
        let Some(Contiguous { shape, .. }) = small(target) else { return Ok(None) };
        let Some(elements) = arrays::output_slice(target, shape)? else { return Ok(None) };
        match operands {
            [_] => self.rules.unary_in_place(self.op, elements)?,
            [_, b] => {
                let b = match small(b) {
                    Some(b) if b.shape == shape => Argument::Slice(b.elements),
                    Some(_) => return Ok(None),
                    None => match arrays::exact_number(b)? {
                        Some(number) => Argument::Number(number),
                        None => return Ok(None),
                    },
                };
                self.rules.binary_in_place(self.op, elements, b)?;
            }
            _ => return Ok(None),
        }
        Ok(Some(target.clone()))
    }

    /// Computes a plain op on the elements of an array and a number, whose position is `at`.
    fn call_with_number<'py>(
        &self,
        py: Python<'py>,
        (array, number, at): (Contiguous<'_>, &Bound<'py, PyAny>, usize),
        out: Option<&Bound<'py, PyAny>>,
    ) -> Result<Option<Bound<'py, PyAny>>, Failure> {
        let Some(number) = arrays::exact_number(number)? else { return Ok(None) };
        let mut arguments = [Argument::Slice(array.elements); 2];
        arguments[at] = Argument::Number(number);
        let call = self.rules.prepare(self.op, &arguments);
        if let Some(out) = out {
            let Some(elements) = arrays::output_slice(out, array.shape)? else { return Ok(None) };
            call.out(elements).run()?;
            return Ok(Some(out.clone()));
        }
        let mut new = None;
        let place = &mut new;
        call.run_into(|dtype, _| {
            let new = place.insert(arrays::new_array(py, dtype, array.shape)?);
            Ok::<_, Failure>(arrays::new_slice(new, dtype, array.elements.len())?.into())
        })?;
        Ok(new)
    }

    fn call<'py>(
        &self,
        py: Python<'py>,
        operands: &[Bound<'py, PyAny>],
        options: &Options<'py>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        if matches!(self.op, Op::Astype) {
            return self.cast(py, operands, options);
        }
        if operands.len() > self.op.inputs() && !self.op.info().arguments.is_empty() {
            let (op, inputs, found) = (self.op, self.op.inputs(), operands.len());
            let (named, plural) = (op.info().arguments[0], if inputs == 1 { "" } else { "s" });
            return Err(Failure::type_error(format!(
                "`{op}` takes {inputs} operand{plural}, not {found}; help: name the other arguments, such as \
                 `{named}=..`"
            )));
        }
        let mut inputs = Few::<Input<'py>>::new();
        if self.op.joins_arrays() {
            let [arrays] = operands else { return Err(inputs_error(1, operands.len())) };
            for array in arrays.try_iter()? {
                inputs.push(Input::new(&array?)?);
            }
        } else {
            for operand in operands {
                inputs.push(Input::new(operand)?);
            }
            self.add_extras(&mut inputs, options)?;
        }
        let mut views = Few::<TensorView<'_>>::new();
        for input in &inputs {
            if let Input::Memory(memory) = input {
                views.push(memory.view()?);
            }
        }
        let (mut arguments, mut left) = (Few::<Argument<'_>>::new(), views.iter());
        arguments.extend(inputs.iter().filter_map(|input| match input {
            Input::Memory(_) => left.next().map(Argument::Array),
            Input::Number(number) => Some(Argument::Number(*number)),
        }));
        let large = is_large(views.iter().map(TensorView::len));
        if options.in_place {
            let [_, rest @ ..] = &arguments[..] else { return Err(inputs_error(self.op.inputs(), 0)) };
            let target = operands[0].clone();
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
    fn add_extras<'py>(&self, inputs: &mut Few<Input<'py>>, options: &Options<'py>) -> Result<(), Failure> {
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
        call = call.keep_dims(options.keep_dims);
        if let Some(dtype) = options.dtype {
            call = call.dtype(dtype);
        }
        if let Some(correction) = options.correction {
            call = call.correction(correction);
        }
        if let Some(flags) = options.flags {
            call = call.flags(flags);
        }
        match options.reduction {
            Some(reduction) => call.reduction(reduction),
            None => call,
        }
    }

    /// Casts an array.
    fn cast<'py>(
        &self,
        py: Python<'py>,
        operands: &[Bound<'py, PyAny>],
        options: &Options<'py>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let [array, dtype] = operands else { return Err(inputs_error(2, operands.len())) };
        let (input, dtype) = (Input::new(array)?, explain::dtype(&self.rules, dtype)?);
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
                let (role, expected, found) = (ArgumentRole::Out, dtype, out.dtype());
                return Err(CallError::DType { role, expected, found }.into());
            }
            released(py, large, || Ok(self.rules.astype_into(&view, casting, out)?))?;
            return Ok(array.clone());
        }
        let mut array = arrays::new_array(py, dtype, view.shape())?.unbind();
        let out = arrays::new_view(&mut array, dtype)?;
        released(py, large, || Ok(self.rules.astype_into(&view, casting, out)?))?;
        Ok(array.into_bound(py))
    }
}

#[cold]
fn inputs_error(expected: usize, found: usize) -> Failure {
    Error::from(CallError::Inputs { expected, found }).into()
}

/// Returns true if the first of the names is this one.
fn is_name(names: &Bound<'_, PyTuple>, wanted: &Bound<'_, PyString>) -> PyResult<bool> {
    let name = names.get_borrowed_item(0)?;
    // Names in the source of a program are interned.
    Ok(name.is(wanted) || name.eq(wanted)?)
}

/// Returns the elements of an array that is contiguous and on which no other thread has to wait.
fn small<'a>(operand: &'a Bound<'_, PyAny>) -> Option<Contiguous<'a>> {
    arrays::contiguous(operand).filter(|found| found.elements.len() < LARGE)
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
    let mut made: Option<Py<PyAny>> = None;
    let place = &mut made;
    released(py, large, || {
        call.run_into(|dtype, shape| {
            let array = Python::attach(|py| Ok::<_, Failure>(arrays::new_array(py, dtype, shape)?.unbind()))?;
            arrays::new_view(place.insert(array), dtype)
        })
    })?;
    made.map(|array| array.into_bound(py))
        .ok_or_else(|| Failure::value_error("the call has no result".to_owned()))
}
