//! Every cell of every table, as JSON.

use promote::{DType, Op, Operand, PromoteError};
use serde_json::{Map, Value, json};

use crate::load::Loaded;
use crate::operands::{NUMBERS, knows_weak, of_cell, params, takes_one};

/// Returns the result of promotion or of the op, with a star if it is weak.
fn cell(loaded: &Loaded, op: Option<Op>, operands: &[Operand]) -> Result<String, Box<PromoteError>> {
    let found = loaded.rules.explain(op, &of_cell(op, operands))?.result;
    Ok(loaded.names.show_result(found.dtype, found.weak))
}

/// Operands, with their names in the keys.
type Named = Vec<(String, Operand)>;

/// Returns all tables of these dtypes.
pub(crate) fn write(loaded: &Loaded, op: Option<Op>, dtypes: &[DType]) -> Value {
    let rules = &loaded.rules;
    let names: Vec<_> = dtypes.iter().map(|dtype| loaded.show(*dtype)).collect();
    let of = |operand: fn(DType) -> Operand, star: &str| -> Named {
        dtypes.iter().map(|dtype| (format!("{}{star}", loaded.show(*dtype)), operand(*dtype))).collect()
    };
    let (arrays, zero_dims, weak) =
        (of(Operand::Array, ""), of(|dtype| Operand::ZeroDim(dtype, None), ""), of(Operand::Weak, "*"));
    let numbers: Named =
        NUMBERS.iter().map(|(name, number)| ((*name).to_owned(), Operand::Number(*number))).collect();
    let params: Map<String, Value> =
        params(loaded).into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
    if let Some(unary) = op.filter(|op| takes_one(*op)) {
        let column = |operands: &Named| {
            let answers = operands.iter().filter_map(|(name, operand)| match cell(loaded, op, &[*operand]) {
                Ok(found) => Some((name.clone(), Value::String(found))),
                // There is no weak operand of this dtype.
                Err(error) if matches!(*error, PromoteError::Undefined { .. }) => None,
                Err(_) => Some((name.clone(), Value::Null)),
            });
            Value::Object(answers.collect())
        };
        let weak = if knows_weak(loaded) { &weak } else { &Vec::new() };
        return json!({
            "rules": rules.name(),
            "op": unary.name(),
            "params": params,
            "dtypes": names,
            "arrays": column(&arrays),
            "scalars": column(&numbers),
            "zero_dim": column(&zero_dims),
            "weak": column(weak),
        });
    }
    let table = |sides: &[(&Named, &Named)]| {
        let mut cells = Map::new();
        for (left, right) in sides {
            for (a, x) in *left {
                for (b, y) in *right {
                    let found = cell(loaded, op, &[*x, *y]).map_or(Value::Null, Value::String);
                    cells.insert(format!("{a},{b}"), found);
                }
            }
        }
        Value::Object(cells)
    };
    let mut weak_cells = Map::new();
    if knows_weak(loaded) {
        let both = arrays.iter().chain(&weak);
        for (a, x) in both.clone() {
            for (b, y) in both.clone().filter(|(b, _)| a.ends_with('*') || b.ends_with('*')) {
                match cell(loaded, op, &[*x, *y]) {
                    Ok(found) => weak_cells.insert(format!("{a},{b}"), Value::String(found)),
                    // There is no weak operand of this dtype.
                    Err(error) if matches!(*error, PromoteError::Undefined { .. }) => continue,
                    Err(_) => weak_cells.insert(format!("{a},{b}"), Value::Null),
                };
            }
        }
    }
    json!({
        "rules": rules.name(),
        "op": op.map(Op::name),
        "params": params,
        "dtypes": names,
        "arrays": table(&[(&arrays, &arrays)]),
        "scalars": table(&[(&arrays, &numbers), (&numbers, &arrays)]),
        "zero_dim": table(&[(&arrays, &zero_dims)]),
        "zero_dim_zero_dim": table(&[(&zero_dims, &zero_dims)]),
        "zero_dim_scalar": table(&[(&zero_dims, &numbers), (&numbers, &zero_dims)]),
        "scalar_scalar": table(&[(&numbers, &numbers)]),
        "weak": weak_cells,
    })
}
