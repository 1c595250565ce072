//! The bundled rule files.

use std::sync::OnceLock;

use promote_core::__private::op_of_rust_name;
use promote_core::Op;

use crate::diag::{Errors, alike, did_you_mean};
use crate::source::Source;
use crate::syntax::{File, Item};

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

/// A dtype or an op that a name stands for, and the rule sets in whose systems it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The name of the dtype or the op in rule files.
    pub of: &'static str,
    /// The names of the rule sets.
    pub systems: Vec<&'static str>,
}

/// Returns the dtypes and ops that have a name in the systems of the bundled rule sets. If there are none,
/// case, underscores and a path do not count: `np.Int32` is looked for as `int32`.
///
/// ```
/// use promote_rules::bundled::meanings;
///
/// assert_eq!(meanings("bfloat16")[0].of, "bf16");
/// // PyTorch and NumPy do not agree.
/// let float: Vec<&str> = meanings("float").iter().map(|meaning| meaning.of).collect();
/// assert_eq!(float, ["f32", "f64"]);
/// assert!(meanings("string_view").is_empty());
/// ```
pub fn meanings(name: &str) -> Vec<Meaning> {
    let exact = collected(|other| other == name);
    if !exact.is_empty() {
        return exact;
    }
    collected(|other| alike(name, other))
}

/// Returns the meanings of the names for which a condition is true.
fn collected(is_meant: impl Fn(&str) -> bool) -> Vec<Meaning> {
    let mut found: Vec<Meaning> = Vec::new();
    for (_, of, system) in all().iter().filter(|(name, ..)| is_meant(name)) {
        match found.iter_mut().find(|known| known.of == of) {
            Some(known) if known.systems.contains(&system.as_str()) => {}
            Some(known) => known.systems.push(system),
            None => found.push(Meaning { of, systems: vec![system.as_str()] }),
        }
    }
    found
}

/// Every name in the bundled files, what it is the name of, and the rule set.
fn all() -> &'static [(String, String, String)] {
    static ALL: OnceLock<Vec<(String, String, String)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Vec::new();
        for source in sources() {
            let file = File::parse(&mut Errors::default(), source.tokens);
            let system = file.name.map(|name| name.to_string()).unwrap_or_default();
            for item in &file.items {
                let Item::Names(block) = item else { continue };
                for line in &block.lines {
                    let of = line.name.to_string();
                    all.extend(line.spelled().map(|(name, ..)| (name, of.clone(), system.clone())));
                }
            }
        }
        all
    })
}

/// Returns the known op that was probably meant as a help text: the one to which a system or Rust gives the
/// name, or else the one with the nearest name.
pub fn did_you_mean_op<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let of_rust = || op_of_rust_name(name).map(Op::name).filter(|op| known.contains(op));
    meant(name, "", |op| known.contains(&op))
        .or_else(|| did_you_mean(of_rust().unwrap_or(name), known.iter().copied()))
}

/// Returns the dtypes or ops to which a system gives the name as a help text, if there are any that a
/// condition allows. Each is followed by its mark.
pub fn meant(name: &str, mark: &str, allowed: impl Fn(&str) -> bool) -> Option<String> {
    let mut meanings = meanings(name);
    meanings.retain(|meaning| meaning.of != name && allowed(meaning.of));
    match &meanings[..] {
        [] => None,
        [one] => Some(format!("did you mean `{}{mark}`?", one.of)),
        several => {
            let each = several
                .iter()
                .map(|meaning| format!("`{}{mark}` ({})", meaning.of, meaning.systems.join(", ")));
            Some(format!("did you mean {}?", each.collect::<Vec<_>>().join(" or ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_are_offered_by_the_names_of_other_libraries() {
        let known = ["add", "divide", "dividend"];
        assert_eq!(did_you_mean_op("div", known).as_deref(), Some("did you mean `divide`?"));
        assert_eq!(did_you_mean_op("ad", known).as_deref(), Some("did you mean `add`?"));
        assert_eq!(did_you_mean_op("matmul", known), None);
    }
}
