//! Results compared with those of Arrow's own kernels, of which the operands are cast first.

#![allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]

mod boundaries;
mod nulls;
mod pairs;
mod random;

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray};
use arrow_schema::DataType;
use promote::{NumPy, RuleSet, Torch};
use promote_arrow::{arrow_array, arrow_schema, promote};

/// The primitive types and booleans.
const TYPES: [DataType; 12] = [
    DataType::Boolean,
    DataType::Int8,
    DataType::Int16,
    DataType::Int32,
    DataType::Int64,
    DataType::UInt8,
    DataType::UInt16,
    DataType::UInt32,
    DataType::UInt64,
    DataType::Float16,
    DataType::Float32,
    DataType::Float64,
];

fn rule_sets() -> [RuleSet; 2] {
    [Torch::new().rule_set(), NumPy::new().rule_set()]
}

/// Makes an array of a type from integers that every type but `Boolean` holds.
fn array(data_type: &DataType, values: &[Option<i8>]) -> ArrayRef {
    let integers: ArrayRef = Arc::new(values.iter().copied().collect::<arrow_array::Int8Array>());
    arrow_cast::cast(&integers, data_type).expect("Arrow casts integers to every type of the tests")
}

fn booleans(values: &[Option<bool>]) -> BooleanArray {
    values.iter().copied().collect()
}
