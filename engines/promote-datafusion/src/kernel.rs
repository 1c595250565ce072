//! Ops of a rule set as scalar functions of DataFusion.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion_common::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{DataFusionError, Result, ScalarValue};
use datafusion_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use promote::{Number, Op, Operand, RULE_SETS};
use promote_arrow::arrow_array::{ArrayRef, new_empty_array};
use promote_arrow::{Argument, data_type_of, dtype_of};

use crate::decide::{number, ops};
use crate::rules::{RuleFile, Rules, bad, bundled};

/// Which operands are numbers without a width, and how names of functions say so.
const WEAK: [([bool; 2], &str); 3] =
    [([false, false], ""), ([true, false], "_weak_left"), ([false, true], "_weak_right")];

/// An op of a rule set as a function. Operands are arrays, or numbers without a width where `weak` is true:
/// the name of the function says so, since DataFusion makes a literal of `CAST(2 AS BIGINT)`, too.
#[derive(Debug)]
struct Kernel {
    name: String,
    rules: Rules,
    op: Op,
    weak: [bool; 2],
    signature: Signature,
}

/// Returns the function of an op.
pub(crate) fn kernel(rules: &Rules, op: Op, weak: [bool; 2]) -> ScalarUDF {
    let suffix = WEAK.iter().find(|(known, _)| *known == weak).map_or("_weak", |(_, suffix)| suffix);
    ScalarUDF::from(Kernel {
        name: format!("promote_{}_{}{suffix}", rules.name(), op.name()),
        rules: rules.clone(),
        op,
        weak,
        signature: Signature::user_defined(Volatility::Immutable),
    })
}

/// Returns all functions of the rule sets of this build.
///
/// There is a function for each operator of SQL that rule sets decide: `promote_torch_add`, and
/// `promote_torch_add_weak_left` and `promote_torch_add_weak_right`, in which an operand is a literal that
/// does not widen the other one. [`Session::register`](crate::Session::register) registers them.
///
/// ```
/// let functions = promote_datafusion::functions();
/// assert!(functions.iter().any(|function| function.name() == "promote_numpy_remainder_weak_right"));
/// ```
pub fn functions() -> Vec<ScalarUDF> {
    bundled().flat_map(|rules| of_rules(&rules)).collect()
}

/// Returns the functions of a rule set, by its name or by the path of a rule file.
///
/// Functions travel to other executors by their names. Executors know those of bundled rule sets by
/// [`function`]; those of a rule file travel with its text, by [`encode_function`].
///
/// # Errors
///
/// Returns an error if there is no such rule set, or if the rule file has mistakes.
///
/// ```
/// let names = promote_datafusion::functions_of("torch")?;
/// assert!(names.iter().any(|function| function.name() == "promote_torch_less"));
/// assert!(promote_datafusion::functions_of("matlab").is_err());
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
pub fn functions_of(rules: &str) -> Result<Vec<ScalarUDF>> {
    Rules::find(rules).map(|rules| of_rules(&rules))
}

fn of_rules(rules: &Rules) -> Vec<ScalarUDF> {
    let known = ops().filter(|op| rules.set().ops().any(|known| known == *op));
    known.flat_map(|op| WEAK.map(|(weak, _)| kernel(rules, op, weak))).collect()
}

/// Returns the function with a name, for engines in which functions travel by name; `None` if this build has
/// no such rule set, or if the name is another one.
///
/// Names with parameters, such as `promote_torch[default_dtype=f64]_divide`, are found as well. Functions of
/// rule files are not: see [`encode_function`].
///
/// ```
/// use promote_datafusion::function;
///
/// assert!(function("promote_torch_less_equal_weak_right").is_some());
/// assert!(function("promote_torch[default_dtype=f64]_divide").is_some());
/// assert!(function("promote_matlab_add").is_none());
/// ```
pub fn function(name: &str) -> Option<ScalarUDF> {
    named(name, Rules::of_functions)
}

/// Returns the function with a name. `rules` finds a rule set by the name that its functions begin with.
fn named(name: &str, rules: impl Fn(&str) -> Option<Rules>) -> Option<ScalarUDF> {
    let rest = name.strip_prefix("promote_")?;
    let (weak, rest) = WEAK
        .into_iter()
        .rev()
        .find_map(|(weak, suffix)| rest.strip_suffix(suffix).map(|rest| (weak, rest)))?;
    ops().find_map(|op| {
        let name = rest.strip_suffix(op.name())?.strip_suffix('_')?;
        Some(kernel(&rules(name)?, op, weak))
    })
}

/// Returns what [`decode_function`] needs beside the name of a function; `None` if it is not of this crate.
///
/// Engines with several processes send functions by their names. That is enough for a bundled rule set, for
/// which no bytes are returned. For a rule file they are its path and its text, so that others compute by
/// this text, whatever files they have.
///
/// ```
/// use promote_datafusion::{decode_function, encode_function, function};
///
/// let sent = function("promote_torch_add").expect("a bundled function");
/// let bytes = encode_function(&sent).expect("a function of this crate");
/// assert_eq!(decode_function(sent.name(), &bytes)?, sent);
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
pub fn encode_function(function: &ScalarUDF) -> Option<Vec<u8>> {
    let kernel: &Kernel = downcast(function)?;
    // A path has no NUL.
    let bytes = |file: &RuleFile| [file.path.as_bytes(), b"\0", file.text.as_bytes()].concat();
    Some(kernel.rules.file().map(bytes).unwrap_or_default())
}

/// Returns the function with a name, from what [`encode_function`] returned.
///
/// No file is read. The rule set of a rule file stays in memory, once for each path and text.
///
/// # Errors
///
/// Returns an error if this build has no such rule set, or if the bytes are not a rule file with its
/// functions.
///
/// ```
/// let error = promote_datafusion::decode_function("promote_matlab_add", &[]).unwrap_err();
/// assert!(error.to_string().contains("there is no function `promote_matlab_add`"));
/// ```
pub fn decode_function(name: &str, bytes: &[u8]) -> Result<ScalarUDF> {
    if bytes.is_empty() {
        return function(name).ok_or_else(|| {
            bad(format!(
                "there is no function `{name}`: the rule sets of this build are {}; help: build it with the rule \
                 sets that its clients use",
                RULE_SETS.join(", ")
            ))
        });
    }
    let file = str::from_utf8(bytes).ok().and_then(|file| file.split_once('\0'));
    let (path, text) = file.ok_or_else(|| bad(format!("what came with `{name}` is no rule file")))?;
    let rules = Rules::of_file(RuleFile { path: path.to_owned(), text: text.to_owned() })?;
    named(name, |name| rules.with_name(name))
        .ok_or_else(|| bad(format!("the rule file `{path}` has no function `{name}`")))
}

impl Kernel {
    /// Returns the operand at a position from its type and, if it is a literal, its value.
    fn operand(&self, position: usize, data_type: &DataType, value: Option<&ScalarValue>) -> Result<Operand> {
        let dtype = dtype_of(data_type).map_err(|error| {
            let reason = match data_type {
                DataType::Decimal32(..)
                | DataType::Decimal64(..)
                | DataType::Decimal128(..)
                | DataType::Decimal256(..) => {
                    "decimals are exact, and rule sets know booleans, integers and floats; help: cast it, such \
                     as `CAST(x AS DOUBLE)`, or use an operator, which DataFusion computes on decimals"
                        .to_owned()
                }
                _ => error.to_string(),
            };
            DataFusionError::Plan(format!("`{}` does not take {data_type}: {reason}", self.name))
        })?;
        if !self.weak[position] {
            return Ok(Operand::Array(dtype));
        }
        value.and_then(number).map(Operand::Number).ok_or_else(|| {
            DataFusionError::Plan(format!(
                "operand {} of `{}` is not a literal; help: use the function without `_weak`",
                position + 1,
                self.name
            ))
        })
    }

    /// Returns the argument of a call at a position. A literal that is not weak counts as a column.
    fn argument<'a>(&self, position: usize, value: &'a ColumnarValue) -> Result<Input<'a>> {
        if !self.weak[position] {
            return Ok(match value {
                ColumnarValue::Array(array) => Input::Array(array),
                ColumnarValue::Scalar(scalar) => Input::Constant(scalar.to_array()?),
            });
        }
        let expanded;
        let scalar = match value {
            ColumnarValue::Scalar(scalar) => scalar,
            // An interface between libraries expands literals.
            ColumnarValue::Array(array) => {
                expanded = ScalarValue::try_from_array(array, 0)?;
                &expanded
            }
        };
        let number = number(scalar).ok_or_else(|| {
            DataFusionError::Execution(format!("`{}` of {scalar}, which is no number", self.name))
        })?;
        Ok(Input::Number(number))
    }
}

/// An argument of a call.
enum Input<'a> {
    Array(&'a ArrayRef),
    Constant(ArrayRef),
    Number(Number),
}

impl Input<'_> {
    fn argument(&self) -> Argument<'_> {
        match self {
            Input::Array(array) => Argument::Array(array),
            Input::Constant(array) => Argument::Constant(array),
            Input::Number(number) => Argument::Number(*number),
        }
    }
}

impl ScalarUDFImpl for Kernel {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        if arg_types.len() != 2 {
            return Err(DataFusionError::Plan(format!(
                "`{}` takes 2 arguments, and {} were given",
                self.name,
                arg_types.len()
            )));
        }
        Ok(arg_types.to_vec())
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Err(DataFusionError::Internal(format!("the type of `{}` depends on its arguments", self.name)))
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let operand = |position: usize| {
            let value = args.scalar_arguments.get(position).copied().flatten();
            self.operand(position, args.arg_fields[position].data_type(), value)
        };
        let [a, b] = args.arg_fields else {
            self.coerce_types(
                &args.arg_fields.iter().map(|field| field.data_type().clone()).collect::<Vec<_>>(),
            )?;
            return Err(DataFusionError::Internal(format!("arguments of `{}`", self.name)));
        };
        let types = self.rules.set().op_types(self.op, &[operand(0)?, operand(1)?]);
        let output = types.map_err(|error| DataFusionError::Plan(error.to_string()))?.output;
        let output = data_type_of(output).map_err(|error| DataFusionError::Plan(error.to_string()))?;
        Ok(Arc::new(Field::new(&self.name, output, a.is_nullable() || b.is_nullable())))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [a, b] = args.args.as_slice() else {
            return Err(DataFusionError::Internal(format!("arguments of `{}`", self.name)));
        };
        let is_constant = [a, b].iter().all(|value| matches!(value, ColumnarValue::Scalar(_)));
        if !is_constant && args.number_rows == 0 {
            // Without a row, the value of a literal that was expanded is not known.
            return Ok(ColumnarValue::Array(new_empty_array(args.return_field.data_type())));
        }
        let (a, b) = (self.argument(0, a)?, self.argument(1, b)?);
        let result = promote_arrow::call(self.rules.set(), self.op, &[a.argument(), b.argument()]);
        let array = result.map_err(|error| DataFusionError::ArrowError(Box::new(error.into()), None))?;
        Ok(if is_constant {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?)
        } else {
            ColumnarValue::Array(array)
        })
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Kernel) -> bool {
        self.name == other.name && self.rules == other.rules
    }
}

impl Eq for Kernel {}

impl Hash for Kernel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// Returns the implementation of a function, if it is of a type.
pub(crate) fn downcast<T: 'static>(function: &ScalarUDF) -> Option<&T> {
    let inner: &dyn Any = function.inner().as_ref();
    inner.downcast_ref()
}
