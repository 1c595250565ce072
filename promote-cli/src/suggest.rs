//! Suggestions where a name is unknown: the one known name that was probably meant.

use promote_rules::diag::did_you_mean;

/// Names that ops have elsewhere.
const OPS: &[(&str, &str)] = &[
    ("absolute", "abs"),
    ("arccos", "acos"),
    ("arccosh", "acosh"),
    ("arcsin", "asin"),
    ("arcsinh", "asinh"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("arctanh", "atanh"),
    ("average", "mean"),
    ("cat", "concatenate"),
    ("concat", "concatenate"),
    ("conjugate", "conj"),
    ("div", "divide"),
    ("eq", "equal"),
    ("fabs", "abs"),
    ("floordiv", "floor_divide"),
    ("ge", "greater_equal"),
    ("gt", "greater"),
    ("invert", "bitwise_not"),
    ("le", "less_equal"),
    ("lt", "less"),
    ("mod", "remainder"),
    ("mul", "multiply"),
    ("ne", "not_equal"),
    ("neg", "negative"),
    ("power", "pow"),
    ("rem", "remainder"),
    ("select", "where"),
    ("sub", "subtract"),
    ("true_divide", "divide"),
    ("truediv", "divide"),
];

/// Names that dtypes have elsewhere, and that do not follow from [`STEMS`].
const DTYPES: &[(&str, &str)] = &[("boolean", "bool"), ("double", "f64"), ("half", "f16")];

/// How names of dtypes begin elsewhere, and how they begin here. A longer one stands before what it ends with.
const STEMS: &[(&str, &str)] =
    &[("uint", "u"), ("int", "i"), ("bfloat", "bf"), ("float", "f"), ("complex", "c")];

/// A help text: the known name that is near, or all that can be said if there is none.
pub(crate) fn near(name: &str, known: &[&str], all: &str) -> String {
    did_you_mean(name, known.iter().copied()).unwrap_or_else(|| all.to_owned())
}

/// A help text of the known name that is near, if there is one, and of all of them, where these are few.
pub(crate) fn near_and_all(name: &str, known: &[&str], all: &str) -> String {
    match did_you_mean(name, known.iter().copied()) {
        Some(near) => format!("{near} {all}"),
        None => all.to_owned(),
    }
}

/// Returns what [`near`] does for the name of an op, which may be that of another library.
pub(crate) fn near_op(name: &str, known: &[&str], all: &str) -> String {
    let meant = OPS.iter().find(|(other, _)| *other == name).map(|(_, meant)| *meant);
    match meant.filter(|meant| known.contains(meant)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => near(name, known, all),
    }
}

/// Returns what [`near`] does for the name of a dtype, which may be that of another library, such as `float32` or
/// `torch.int8`. A mark behind it, such as `[]`, stays.
pub(crate) fn near_dtype(name: &str, known: &[&str], all: &str) -> String {
    let bare = name.trim_end_matches("[]").trim_end_matches('*');
    let mark = &name[bare.len()..];
    let lower = bare.to_lowercase();
    // The name of a library may stand before it.
    let last = lower.rsplit('.').next().unwrap_or_default();
    let plain = |name: &str| name.replace('_', "");
    let stem = STEMS.iter().find_map(|(other, here)| Some(format!("{here}{}", last.strip_prefix(other)?)));
    let other = DTYPES.iter().find(|(other, _)| *other == last).map(|(_, meant)| (*meant).to_owned());
    let meant = plain(&other.or(stem).unwrap_or_else(|| last.to_owned()));
    if let Some(meant) = known.iter().find(|known| plain(known) == meant) {
        return format!("did you mean `{meant}{mark}`?");
    }
    let marked: Vec<String> = known.iter().map(|known| format!("{known}{mark}")).collect();
    near(name, &marked.iter().map(String::as_str).collect::<Vec<_>>(), all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_dtypes_by_the_names_of_other_libraries() {
        let known = ["bool", "u8", "i32", "bf16", "f16", "f32", "f64", "c64", "f8e4m3fn"];
        for (name, meant) in [
            ("bool_", "bool"),
            ("uint8", "u8"),
            ("int32", "i32"),
            ("Int32", "i32"),
            ("np.int32[]", "i32[]"),
            ("bfloat16", "bf16"),
            ("torch.float16*", "f16*"),
            ("float32", "f32"),
            ("half", "f16"),
            ("double", "f64"),
            ("complex64", "c64"),
            ("float8_e4m3fn", "f8e4m3fn"),
            ("f23", "f32"),
        ] {
            assert_eq!(near_dtype(name, &known, "none"), format!("did you mean `{meant}`?"), "{name}");
        }
        for name in ["", "int", "object", "string", "ä*"] {
            assert_eq!(near_dtype(name, &known, "none"), "none", "{name}");
        }
    }

    #[test]
    fn finds_ops_by_the_names_of_other_libraries() {
        let known = ["add", "divide", "subtract", "clamp_min"];
        assert_eq!(near_op("div", &known, "none"), "did you mean `divide`?");
        assert_eq!(near_op("sub", &known, "none"), "did you mean `subtract`?");
        assert_eq!(near_op("ad", &known, "none"), "did you mean `add`?");
        // The op that is meant is not known.
        assert_eq!(near_op("mul", &known, "none"), "none");
    }
}
