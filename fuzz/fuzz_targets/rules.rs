//! The text of rule files: one that is to be compiled, and those it builds on, with a zero byte between them.
//! Whatever it is, there is an answer soon, and no panic; a text that is a rule set is the same one every
//! time.
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
        // The same as a macro sees it: mistakes are part of what comes out.
        let out = expand(only.tokens.clone()).to_string();
        let told = out.contains("compile_error");
        assert!(base_of(only).is_some() || told == compiled.is_err(), "{out}");
    }
    if let Ok(compiled) = compiled {
        let laws = compiled.laws();
        assert_eq!(format!("{laws:?}"), format!("{:?}", compiled.laws()));
    }
    // The text of every span lives until here.
    proc_macro2::extra::invalidate_current_thread_spans();
});
