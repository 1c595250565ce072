//! `promote cast`.

use serde_json::json;

use crate::promote;

#[test]
fn shows_which_levels_allow_a_cast_and_why_others_refuse() {
    let told = promote(&["cast", "torch", "i64", "f32"]).told();
    assert_eq!(
        told,
        "Torch: i64 to f32\n  default: allowed\n  unsafe: allowed\n  can lose 39 of 63 binary digits\n"
    );
    let told = promote(&["cast", "torch", "f32", "i64"]).told();
    assert!(
        told.starts_with(
            "Torch: f32 to i64\n  default: refused, to a lower kind: ask for the cast (rules/torch.rs:"
        ),
        "{told}"
    );
    assert!(promote(&["cast", "torch", "u8", "f32"]).told().ends_with("  nothing is lost\n"));
}

#[test]
fn json_has_the_levels_and_the_reasons() {
    let told = promote(&["cast", "torch", "c64", "f64", "--format", "json"]).json();
    assert_eq!(told["allowed"], json!({ "default": false, "unsafe": true }));
    assert_eq!(told["because"][0]["reason"], "to a lower kind: ask for the cast");
    assert_eq!(told["loses"], json!(["the imaginary part"]));
}

#[test]
fn rejects_unknown_dtypes() {
    let told = promote(&["cast", "torch", "u33", "f64"]).refused();
    assert!(told.starts_with("error: `u33` is not a dtype of Torch\n"), "{told}");
}

#[test]
fn rejects_rule_sets_without_casting_levels() {
    let told = promote(&["cast", "jax", "f32", "i8"]).refused();
    assert_eq!(
        told,
        "error: Jax has no casting levels\nhelp: `astype` casts any dtype to any other; a rule file adds a level with \
         `cast safe { .. }`\n"
    );
    let told = promote(&["cast", "openvino", "f32", "i8"]).refused();
    assert_eq!(
        told,
        "error: OpenVino has no casting levels\nhelp: a rule file adds a level with `cast safe { .. }`\n"
    );
}
