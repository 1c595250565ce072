//! Broadcasting of shapes, as in NumPy.

use super::{Placed, Value};
use crate::array;
use crate::expr::Expression;
use crate::failure::Failure;

/// Returns the shape to which all values broadcast: aligned at the last axis, lengths are equal or 1, and
/// missing axes count as 1.
///
/// # Errors
/// Returns an error with the texts of two values and the axis along which they differ, counted from the last
/// one (-1).
pub(super) fn broadcast(expression: &Expression, values: &[Placed]) -> Result<Vec<usize>, Failure> {
    // From the last axis to the first, each with the value that has this length.
    let mut lengths: Vec<(usize, &Placed)> = Vec::new();
    for placed in values {
        for (at, &found) in shape(placed).iter().rev().enumerate() {
            match lengths.get_mut(at) {
                None => lengths.push((found, placed)),
                Some(known) if known.0 == 1 => *known = (found, placed),
                Some(known) if found == 1 || found == known.0 => {}
                Some(known) => {
                    let [a, b] = [known.1, placed]
                        .map(|placed| (expression.text(placed.step), array::shape_text(shape(placed))));
                    let axis = at + 1;
                    return Err(Failure::new(format!(
                        "`{}` has the shape {}, and `{}` the shape {}: along axis -{axis} they have the lengths {} and {found}",
                        a.0, a.1, b.0, b.1, known.0
                    ))
                    .help("arrays broadcast where along each axis, counted from the last, their lengths are equal, or one is 1 or lacks"));
                }
            }
        }
    }
    Ok(lengths.iter().rev().map(|(length, _)| *length).collect())
}

fn shape(placed: &Placed) -> &[usize] {
    match &placed.value {
        Value::Array(held) => &held.shape,
        Value::ZeroDim(_) | Value::Number(_) => &[],
    }
}
