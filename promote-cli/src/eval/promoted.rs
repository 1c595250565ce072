//! `promote eval RULES "promote(a, b)"`: converts arrays to their common dtype, each in its own shape.

use std::fmt::Write as _;

use promote::Operand;

use super::{Args, bind, print, write};
use crate::array::shape_text;
use crate::expr::{self, Expression};
use crate::failure::Failure;
use crate::load::Loaded;
use crate::plan::{self, Plan};
use crate::terminal;

/// Converts the arrays of these names, and prints them or writes them to one file under their names.
///
/// # Errors
/// Returns an error if the rule set refuses the arrays, if names and files do not fit together, or if the
/// format cannot hold the arrays. Then no file is written.
pub(super) fn run(loaded: &Loaded, names: &[String], args: &Args) -> Result<String, Failure> {
    bind(names, &args.arrays)?;
    let format = args.destination()?;
    if let Some(format) = format {
        format.takes_names(names.iter().map(String::as_str))?;
    }
    let inputs = args.open(names)?;
    let operands: Vec<Operand> = inputs.iter().map(plan::operand_of).collect();
    let rules = &loaded.rules;
    let explained = rules.result_type(&operands).map_err(|error| loaded.names.show_error(error))?;
    let (dtype, shown) = (explained.dtype, loaded.show(explained.dtype));
    format.map_or(Ok(()), |format| format.takes(dtype))?;

    let cast = |name: &String| expr::parse(&format!("astype({name}, {dtype})"), &[]);
    let casts = names.iter().map(cast).collect::<Result<Vec<Expression>, _>>()?;
    let mut plans = Vec::new();
    for (at, (name, cast)) in names.iter().zip(&casts).enumerate() {
        plans.push((name.as_str(), Plan::new(*rules, cast, &inputs[at..=at])?));
    }
    let (Some(path), Some(format)) = (&args.out, format) else {
        let texts = plans.iter().map(|(name, plan)| Ok(format!("{name}:\n{}", print(loaded, plan)?)));
        return Ok(texts.collect::<Result<Vec<_>, Failure>>()?.join("\n"));
    };
    let out = path.display().to_string();
    let mut told = String::new();
    for (name, plan) in &plans {
        let shape = shape_text(plan.shape());
        // Writing to a String does not fail.
        let _ = writeln!(told, "{}: {name} {shown} {shape}", terminal::line(&out));
    }
    write(path, format, told, &plans)
}
