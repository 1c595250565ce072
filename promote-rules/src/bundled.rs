//! The bundled rule files.

use crate::source::Source;

/// A bundled rule file.
#[derive(Clone, Copy, Debug)]
pub struct BundledFile {
    /// The name of the rule set, as the features of `promote` and the command spell it.
    pub name: &'static str,
    /// The path of the file in the repository.
    pub file: &'static str,
    /// The text.
    pub text: &'static str,
}

macro_rules! files {
    ($($name:literal $file:literal)*) => {
        &[$(BundledFile {
            name: $name,
            file: concat!("rules/", $file),
            text: include_str!(concat!("../rules/", $file)),
        }),*]
    };
}

/// All bundled rule files, by name.
pub const BUNDLED: &[BundledFile] = files! {
    "array-api" "array_api.rs"
    "datafusion" "datafusion.rs"
    "jax" "jax.rs"
    "jax2020" "jax2020.rs"
    "ml-dtypes" "ml_dtypes.rs"
    "numpy" "numpy.rs"
    "numpy1" "numpy1.rs"
    "oneflow" "oneflow.rs"
    "oneflow2021" "oneflow2021.rs"
    "openvino" "openvino.rs"
    "paddle" "paddle.rs"
    "paddle26" "paddle26.rs"
    "polars" "polars.rs"
    "tensorflow" "tensorflow.rs"
    "tensorflow-numpy" "tensorflow_numpy.rs"
    "torch" "torch.rs"
    "torch-autocast" "torch_autocast.rs"
};

/// Returns the bundled rule files as sources, each read when it is asked for.
pub fn sources() -> impl Iterator<Item = Source> {
    BUNDLED.iter().filter_map(|bundled| Source::from_text(bundled.file, bundled.text).ok())
}
