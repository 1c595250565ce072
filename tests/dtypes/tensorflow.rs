//! TensorFlow, and its `tf.experimental.numpy`.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "tensorflow",
    data: "tensorflow",
    left_out: &[
        ("ops.squared_difference", "not among the ops of this project"),
        ("mode=legacy|ops.tf_add", "only the operator promotes in this mode"),
    ],
    single: &[
        ("scalar_scalar", "py_int,py_float", LEFT),
        ("scalar_scalar", "py_int,py_complex", LEFT),
        ("scalar_scalar", "py_float,py_complex", LEFT),
    ],
    lacks: &[],
    kinds: "default_dtype default_dtype_convert_to_tensor dim_zerodim ops ops_scalar promote_types \
            reductions rule scalar_scalar scalar_tensor tensor_scalar unary weak_add",
    min_cells: 26_257,
};

const LEFT: &str = "tf.add makes a tensor of the left number first, so the other order works";

const NUMPY: System = System {
    rules: "tensorflow-numpy",
    data: "tensorflow",
    left_out: &[],
    single: &[
        ("default_dtype_tnp_asarray", "py_int", ALONE),
        ("default_dtype_tnp_asarray", "py_float", ALONE),
        ("default_dtype_tnp_asarray", "py_complex", ALONE),
    ],
    lacks: &[],
    kinds: "default_dtype_tnp_asarray tnp_number_values tnp_ops tnp_ops_scalar tnp_promote_types \
            tnp_reductions tnp_result_type tnp_result_type_scalar tnp_scalar_scalar",
    min_cells: 30_297,
};

const ALONE: &str =
    "in modes `all` and `safe` asarray keeps a number weak, but of two numbers add makes i64 and f64";

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare_where(&SYSTEM, |section| !of_numpy(section));
}

#[test]
fn every_recorded_cell_of_its_numpy_is_equal() {
    sections::compare_where(&NUMPY, of_numpy);
}

/// Returns true if a section holds answers of `tf.experimental.numpy`.
fn of_numpy(section: &str) -> bool {
    section.contains("tnp_")
}
