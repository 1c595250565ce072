//! `promote cast`.

use serde_json::json;

use crate::promote;

#[test]
fn a_cast_is_allowed_or_refused_with_its_reason() {
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
fn a_program_reads_the_same() {
    let told = promote(&["cast", "torch", "c64", "f64", "--format", "json"]).json();
    assert_eq!(told["allowed"], json!({ "default": false, "unsafe": true }));
    assert_eq!(told["because"][0]["reason"], "to a lower kind: ask for the cast");
    assert_eq!(told["loses"], json!(["the imaginary part"]));
}

#[test]
fn a_dtype_that_the_rule_set_does_not_have_is_refused() {
    let told = promote(&["cast", "torch", "u6", "f64"]).refused();
    assert!(told.starts_with("error: `u6` is no dtype of Torch\n"), "{told}");
}

#[test]
fn a_rule_set_without_casting_levels_says_that_astype_casts_anything() {
    let told = promote(&["cast", "jax", "f32", "i8"]).refused();
    assert_eq!(
        told,
        "error: Jax states no casting levels\nhelp: `astype` casts any dtype to any other; a rule file states a level with \
         `cast safe { .. }`\n"
    );
    let told = promote(&["cast", "openvino", "f32", "i8"]).refused();
    assert_eq!(
        told,
        "error: OpenVino states no casting levels\nhelp: a rule file states a level with `cast safe { .. }`\n"
    );
}
