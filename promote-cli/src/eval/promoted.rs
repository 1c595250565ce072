//! `promote eval RULES "promote(a, b)"`: converts arrays to their common dtype, each in its own shape.

use std::fmt::Write as _;

use promote::{Argument, RuleSet, Tensor};

use super::{Args, bind, write};
use crate::array::{Array, shape_text};
use crate::failure::Failure;
use crate::{print, terminal};

/// Converts the arrays of these names, and prints them or writes them to one file under their names.
///
/// # Errors
/// Returns an error if the rule set refuses the arrays, if names and files do not fit together, or if the
/// format cannot hold the arrays. Then no file is written.
pub(super) fn run(rules: &RuleSet, names: Vec<String>, args: &Args) -> Result<String, Failure> {
    bind(&names, &args.arrays)?;
    let format = args.destination()?;
    if let Some(format) = format {
        format.takes_names(names.iter().map(String::as_str))?;
    }
    let inputs = args.read(&names)?;
    let views = inputs.iter().map(Array::view).collect::<Result<Vec<_>, _>>()?;
    let operands: Vec<Argument> = views.iter().map(Argument::from).collect();
    let kinds: Vec<_> = operands.iter().map(Argument::operand).collect();
    let dtype = rules.result_type(&kinds)?.dtype;
    format.map_or(Ok(()), |format| format.takes(dtype))?;

    let converted = rules.promote_arrays(&operands)?;
    let (Some(path), Some(format)) = (&args.out, format) else { return print_all(&names, &converted) };
    let out = path.display().to_string();
    let mut told = String::new();
    let mut outputs = Vec::new();
    for (name, tensor) in names.into_iter().zip(&converted) {
        let (dtype, shape) = (tensor.dtype(), shape_text(tensor.shape()));
        // Writing to a String does not fail.
        let _ = writeln!(told, "{}: {name} {dtype} {shape}", terminal::line(&out));
        outputs.push((name, array(tensor)?));
    }
    write(path, format, told, outputs)
}

/// Prints the name of each array, and the array below it.
fn print_all(names: &[String], converted: &[Tensor]) -> Result<String, Failure> {
    let named = names.iter().zip(converted);
    let texts = named.map(|(name, tensor)| Ok(format!("{name}:\n{}", print::text(&array(tensor)?)?)));
    Ok(texts.collect::<Result<Vec<_>, Failure>>()?.join("\n"))
}

fn array(tensor: &Tensor) -> Result<Array, Failure> {
    let mut array = Array::zeros(tensor.dtype(), tensor.shape().to_vec())?;
    array.bytes_mut().copy_from_slice(tensor.as_bytes());
    Ok(array)
}
