//! NumPy 1.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "numpy1",
    data: "numpy1",
    left_out: &[(
        "min_scalar_type",
        "a function of a value alone: `values` asks promotion with the same ones",
    )],
    single: SINGLE,
    lacks: &[],
    kinds: "can_cast default_dtype dim_zerodim inplace number_values ops ops_scalar promote_types \
            reductions scalar_ops scalar_scalar tensor_scalar unary values.add values.less \
            values.result_type zerodim_scalar",
    min_cells: 20_662,
};

const SINGLE: &[(&str, &str, &str)] = &[
    ("values", "py_int:9223372036854775808,bool", UNSIGNED),
    ("values", "py_int:18446744073709551615,bool", UNSIGNED),
    ("values", "py_float:65504.0,f16", LIMIT),
    ("values", "py_float:65519.0,f16", LIMIT),
    ("values", "0d:f32:65504.0,f16", LIMIT),
    ("values", "0d:f32:65519.0,f16", LIMIT),
    ("values", "0d:f64:65504.0,f16", LIMIT),
    ("values", "0d:f64:65519.0,f16", LIMIT),
    ("values", "py_float:3.4e+38,*", LIMIT),
    ("values", "0d:f64:3.4e+38,*", LIMIT),
    ("values", "0d:c128:3.4e+38,*", LIMIT),
    ("values", "0d:c128:inf,*", INFINITE),
    ("values", "0d:c128:nan,*", INFINITE),
];

const UNSIGNED: &str = "alone, a number of 2^63 and more is u64, where others are i64";
const LIMIT: &str =
    "NumPy 1 ends f16 at 65000 and f32 and c64 at 3.4e38, below the greatest numbers that they hold";
const INFINITE: &str =
    "of an infinite float and of NaN the least dtype is f16, but of a complex one c128 and not c64";

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}
