//! Shapes that broadcast to one another, as NumPy has it.

use super::{Placed, Value};
use crate::array;
use crate::expr::Expression;
use crate::failure::Failure;

/// The shape to which all values broadcast: seen from the last axis they have one length, or 1; axes that one
/// lacks are such of 1.
///
/// # Errors
/// Two of them differ along an axis. The message has their texts and the axis, which counts from the last
/// one: -1.
pub(super) fn broadcast(expression: &Expression, values: &[Placed]) -> Result<Vec<usize>, Failure> {
    // The last axis comes first; with each the value that has this length.
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
