//! The rule sets that the crate comes with.

use promote::RuleSet;

/// The bundled rule sets of this build.
pub(crate) fn bundled() -> Vec<RuleSet> {
    let mut sets = Vec::new();
    macro_rules! push {
        ($($feature:literal $name:ident)*) => {$(
            #[cfg(feature = $feature)]
            sets.push(promote::$name::new().rule_set());
        )*};
    }
    push! {
        "array-api" ArrayApi "datafusion" DataFusion "jax" Jax "jax2020" Jax2020 "ml-dtypes" MlDtypes
        "numpy" NumPy "numpy1" NumPy1 "oneflow" OneFlow "oneflow2021" OneFlow2021 "openvino" OpenVino
        "paddle" Paddle "paddle26" Paddle26 "polars" Polars "tensorflow" TensorFlow "tensorflow-numpy" TensorFlowNumPy "torch" Torch
        "torch-autocast" TorchAutocast
    }
    sets
}
