//! TensorFlow.

use crate::score::System;
use crate::sections;

const BOOL_ONLY: &str = "tf.logical_and, tf.reduce_any and their like take bool only";
const CONVERTS_NOTHING: &str = "the tf function of this name converts nothing";
const NUMBERS: &str = "tf.experimental.numpy makes arrays of i64 and f64 of numbers, tf.constant i32 and f32";
const TWO_RULES: &str =
    "steps of it promote by the mode and others as NumPy does, and no tf function has its name";
const REDUCES: &str = "the tf function of this name keeps the dtype";
const OF_THE_MODE: &str = "the tf function of this name promotes by the mode";

const SYSTEM: System = System {
    rules: "tensorflow",
    data: "tensorflow",
    left_out: &[
        ("ops.squared_difference", "no op of ours"),
        ("mode=legacy|ops.tf_add", "only the operator promotes in this mode"),
        ("tnp_ops.logical", BOOL_ONLY),
        ("tnp_ops_scalar.logical", BOOL_ONLY),
        ("tnp_reductions.any", BOOL_ONLY),
        ("tnp_reductions.all", BOOL_ONLY),
        ("tnp_ops.less", "tf.less and `<` promote in mode `legacy` only"),
        ("tnp_ops_scalar.less", "tf.less and `<` promote in mode `legacy` only"),
        ("mode=off|tnp_ops.equal", CONVERTS_NOTHING),
        ("mode=off|tnp_ops_scalar.equal", CONVERTS_NOTHING),
        ("mode=off|tnp_ops.matmul", CONVERTS_NOTHING),
        ("mode=legacy|tnp_ops.matmul", CONVERTS_NOTHING),
        ("tnp_ops.atan2", CONVERTS_NOTHING),
        ("tnp_ops_scalar.atan2", CONVERTS_NOTHING),
        ("tnp_ops.nextafter", CONVERTS_NOTHING),
        ("tnp_ops_scalar.nextafter", CONVERTS_NOTHING),
        ("tnp_ops.where", CONVERTS_NOTHING),
        ("tnp_ops_scalar.where", CONVERTS_NOTHING),
        ("tnp_ops.concatenate", CONVERTS_NOTHING),
        ("tnp_ops.maximum", OF_THE_MODE),
        ("tnp_ops.minimum", OF_THE_MODE),
        ("tnp_ops.logaddexp", TWO_RULES),
        ("tnp_ops_scalar.logaddexp", TWO_RULES),
        ("tnp_ops.heaviside", TWO_RULES),
        ("tnp_ops_scalar.heaviside", TWO_RULES),
        ("mode=off|tnp_ops_scalar.hypot", NUMBERS),
        ("mode=legacy|tnp_ops_scalar.hypot", NUMBERS),
        ("mode=legacy;prefer_float32=true|tnp_ops_scalar.hypot", NUMBERS),
        ("tnp_scalar_scalar", NUMBERS),
        ("mode=off|default_dtype_tnp_asarray", NUMBERS),
        ("mode=legacy|default_dtype_tnp_asarray", NUMBERS),
        ("mode=legacy;prefer_float32=true|default_dtype_tnp_asarray", NUMBERS),
        ("tnp_reductions.sum", REDUCES),
        ("tnp_reductions.prod", REDUCES),
        ("tnp_reductions.mean", REDUCES),
        ("tnp_reductions.cumsum", REDUCES),
    ],
    single: &[
        ("|scalar_scalar", "py_int,py_float", LEFT),
        ("|scalar_scalar", "py_int,py_complex", LEFT),
        ("|scalar_scalar", "py_float,py_complex", LEFT),
        ("tnp_ops.divide", "bool,bool", BOOLS),
        ("tnp_ops_scalar.divide", "bool,py_bool", BOOLS),
    ],
};

const LEFT: &str = "tf.add makes a tensor of the left number first, so the other order works";
const BOOLS: &str = "`/` refuses two bools, tf.experimental.numpy makes floats of them";

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}
