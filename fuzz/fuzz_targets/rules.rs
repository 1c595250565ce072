//! Fuzzes the compiler of rule files.
//!
//! The input is the text of a rule file and of the files that it builds on, separated by zero bytes. The
//! compiler answers quickly and never panics, and it compiles a text to the same rule set every time.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promote_rules::source::Source;
use promote_rules::{base_of, compile, expand, name_of};

fuzz_target!(|text: &str| {
    let sources: Vec<Source> =
        text.split('\0').filter_map(|text| Source::from_text("rules.rs", text).ok()).collect();
    for source in &sources {
        let _ = (base_of(source), name_of(source));
    }
    let compiled = compile(&sources);
    if let [only] = &sources[..] {
        // The macro emits mistakes as part of its output.
        let out = expand(only.tokens.clone()).to_string();
        let told = out.contains("compile_error");
        assert!(base_of(only).is_some() || told == compiled.is_err(), "{out}");
    }
    if let Ok(compiled) = compiled {
        let laws = compiled.laws();
        assert_eq!(format!("{laws:?}"), format!("{:?}", compiled.laws()));
    }
    // Frees the source texts of all spans.
    proc_macro2::extra::invalidate_current_thread_spans();
});
