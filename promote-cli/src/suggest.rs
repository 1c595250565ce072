//! Suggestions for unknown names.

use std::path::Path;

use promote_rules::bundled::{did_you_mean_op, meant};
use promote_rules::diag::{did_you_mean, nearest};

/// Names of ops in other libraries that are calls of several ops here.
const CALLS: &[(&str, &str)] = &[
    ("clamp", "minimum(maximum(a, low), high)"),
    ("clamp_max", "minimum(a, high)"),
    ("clip", "minimum(maximum(a, low), high)"),
    ("inv", "1 / a"),
    ("relu", "maximum(a, 0)"),
    ("rsqrt", "1 / sqrt(a)"),
];

/// Returns a help text: the known name that is nearest, or `all` if none is near.
pub(crate) fn near(name: &str, known: &[&str], all: &str) -> String {
    did_you_mean(name, known.iter().copied()).unwrap_or_else(|| all.to_owned())
}

/// Returns a help text: the known name that is nearest, if one is near, and `all`.
pub(crate) fn near_and_all(name: &str, known: &[&str], all: &str) -> String {
    match did_you_mean(name, known.iter().copied()) {
        Some(near) => format!("{near} {all}"),
        None => all.to_owned(),
    }
}

/// Returns a help text for the name of an op, which may be that of another library.
pub(crate) fn near_op(name: &str, known: &[&str], all: &str) -> String {
    if let Some((_, call)) = CALLS.iter().find(|(other, _)| *other == name)
        && !known.contains(&name)
    {
        return format!("write `{call}`");
    }
    did_you_mean_op(name, known.iter().copied()).unwrap_or_else(|| all.to_owned())
}

/// Returns a help text for the name of a dtype, which may be that of another system, such as `float32`.
/// `meant` is the dtype of the rule set with this name of `promote`. A mark after the name, such as `[]`, is
/// kept.
pub(crate) fn near_dtype(name: &str, known: &[&str], meant: Option<&str>, all: &str) -> String {
    let bare = name.trim_end_matches("[]").trim_end_matches('*');
    let mark = &name[bare.len()..];
    if let Some(meant) = meant {
        return format!("did you mean `{meant}{mark}`?");
    }
    if let Some(meant) = self::meant(bare, mark, |dtype| known.contains(&dtype)) {
        return meant;
    }
    let marked: Vec<String> = known.iter().map(|known| format!("{known}{mark}")).collect();
    near(name, &marked.iter().map(String::as_str).collect::<Vec<_>>(), all)
}

/// Returns a help text for a value of a parameter, which may be the name of a dtype in another system.
pub(crate) fn near_value(name: &str, known: &[&str], all: &str) -> String {
    let dtype = near_dtype(name, known, None, "");
    if dtype.is_empty() { near_and_all(name, known, all) } else { format!("{dtype} {all}") }
}

/// Returns a help text for a file that does not exist: the name of a file in its folder that is near and has
/// one of these extensions, if there is one.
pub(crate) fn near_file(path: &Path, extensions: &[&str]) -> Option<String> {
    /// The number of files that are looked at: a folder may have any number.
    const MAX_FILES: usize = 10_000;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let wanted = path.file_name()?.to_str()?;
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let names = entries.take(MAX_FILES).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_right = |name: &String| {
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| extensions.contains(&extension))
    };
    let mut names: Vec<String> = names.filter(is_right).collect();
    // Among names that are equally near, one with the right extension is first.
    let extension = |name: &str| Path::new(name).extension().map(std::ffi::OsStr::to_owned);
    names.sort_by_key(|name| (extension(name) != extension(wanted), name.clone()));
    // Extensions that are alike would make any two short names near.
    let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let stems: Vec<String> = names.iter().map(|name| stem(name)).collect();
    let near = nearest(&stem(wanted), stems.iter().map(String::as_str))?;
    let name = names.iter().zip(&stems).find(|(_, stem)| *stem == near)?.0;
    let near = folder.map_or_else(|| Path::new(name).to_owned(), |folder| folder.join(name));
    Some(format!("did you mean `{}`?", near.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_dtypes_by_the_names_of_other_systems() {
        let known = ["bool", "u8", "i32", "bf16", "f16", "f32", "f64", "c64", "f8e4m3fn"];
        for (name, meant) in [
            ("bool_", "bool"),
            ("uint8", "u8"),
            ("int32", "i32"),
            ("INT32", "i32"),
            ("np.int32[]", "i32[]"),
            ("bfloat16", "bf16"),
            ("torch.float16*", "f16*"),
            ("<f4", "f32"),
            ("half", "f16"),
            ("double", "f64"),
            ("complex64", "c64"),
            ("float8_e4m3fn", "f8e4m3fn"),
            ("f23", "f32"),
            ("f23[]", "f32[]"),
        ] {
            assert_eq!(near_dtype(name, &known, None, "none"), format!("did you mean `{meant}`?"), "{name}");
        }
        for name in ["", "object", "strings", "ä*"] {
            assert_eq!(near_dtype(name, &known, None, "none"), "none", "{name}");
        }
    }

    #[test]
    fn finds_ops_by_the_names_of_other_libraries() {
        let known = ["add", "divide", "subtract", "clamp_min"];
        assert_eq!(near_op("div", &known, "none"), "did you mean `divide`?");
        assert_eq!(near_op("sub", &known, "none"), "did you mean `subtract`?");
        assert_eq!(near_op("ad", &known, "none"), "did you mean `add`?");
        assert_eq!(near_op("clip", &known, "none"), "write `minimum(maximum(a, low), high)`");
        assert_eq!(near_op("clip", &["clip"], "none"), "did you mean `clip`?");
        // The op that is meant is not known.
        assert_eq!(near_op("mul", &known, "none"), "none");
    }
}
