//! Suggestions where a name is unknown: the one known name that was probably meant.

use promote::DType;
use promote_rules::diag::{did_you_mean, did_you_mean_op};

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
    did_you_mean_op(name, known.iter().copied()).unwrap_or_else(|| all.to_owned())
}

/// Returns what [`near`] does for the name of a dtype, which may be that of another library, such as `float32` or
/// `torch.int8`. A mark behind it, such as `[]`, stays.
pub(crate) fn near_dtype(name: &str, known: &[&str], all: &str) -> String {
    let bare = name.trim_end_matches("[]").trim_end_matches('*');
    let mark = &name[bare.len()..];
    if let Some(meant) = DType::from_alias(bare).map(DType::name).filter(|meant| known.contains(meant)) {
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
            ("<f4", "f32"),
            ("half", "f16"),
            ("double", "f64"),
            ("complex64", "c64"),
            ("float8_e4m3fn", "f8e4m3fn"),
            ("f23", "f32"),
        ] {
            assert_eq!(near_dtype(name, &known, "none"), format!("did you mean `{meant}`?"), "{name}");
        }
        for name in ["", "object", "string", "ä*"] {
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
