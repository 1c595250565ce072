//! Files with recorded dtypes, which `tests/data/README.md` describes.

use serde_json::Value;

/// Reads the recorded dtypes of a system, `tests/data/NAME.json`.
pub(crate) fn data(name: &str) -> Value {
    let path = format!("{}/tests/data/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}
