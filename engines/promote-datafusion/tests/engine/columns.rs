//! Columns of each type, for the tests of all engines.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Float16Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array,
    Int64Array, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use datafusion::arrow::datatypes::{ArrowPrimitiveType, Float16Type};

type F16 = <Float16Type as ArrowPrimitiveType>::Native;

/// The number of rows of the table.
pub(crate) const ROWS: usize = 12;

/// Returns the columns of the table, one of each type: small values, those at the ends of the type, and
/// special floats.
pub(crate) fn columns() -> Vec<(&'static str, ArrayRef)> {
    macro_rules! integers {
        ($array:ident, $ty:ty) => {{
            let (min, max) = (<$ty>::MIN, <$ty>::MAX);
            let small = [1, 2, 3, 7, 100, max, 0, max / 3, min / 2, min, 5, 64].map(Some);
            let mut values: [Option<$ty>; ROWS] = small;
            values[2] = None;
            Arc::new($array::from(values.to_vec())) as ArrayRef
        }};
    }
    macro_rules! floats {
        ($array:ident, $from:expr) => {{
            let (nan, infinite) = (f64::NAN, f64::INFINITY);
            let values: [f64; ROWS] =
                [0.0, 1.5, 0.0, -2.5, nan, 0.1, -0.0, 7.0, infinite, -3.0, 2.0, 1000.25];
            let mut values = values.map(|x| Some(($from)(x)));
            values[2] = None;
            Arc::new($array::from(values.to_vec())) as ArrayRef
        }};
    }
    let bits = [true, false, true, true, false, false, true, false, true, true, false, false];
    let bools = bits.into_iter().enumerate().map(|(row, bit)| (row != 4).then_some(bit));
    vec![
        ("b", Arc::new(bools.collect::<BooleanArray>())),
        ("i8", integers!(Int8Array, i8)),
        ("i16", integers!(Int16Array, i16)),
        ("i32", integers!(Int32Array, i32)),
        ("i64", integers!(Int64Array, i64)),
        ("u8", integers!(UInt8Array, u8)),
        ("u16", integers!(UInt16Array, u16)),
        ("u32", integers!(UInt32Array, u32)),
        ("u64", integers!(UInt64Array, u64)),
        ("f16", floats!(Float16Array, F16::from_f64)),
        #[allow(clippy::cast_possible_truncation, reason = "rounds")]
        ("f32", floats!(Float32Array, |x| x as f32)),
        ("f64", floats!(Float64Array, |x| x)),
    ]
}
