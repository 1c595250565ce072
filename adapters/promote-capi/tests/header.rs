//! The header, which cbindgen makes of the sources, and the numbers in it.
//!
//! `PROMOTE_BLESS=1 cargo test -p promote-capi --test header` writes it again.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use cbindgen::{Builder, Config, DocumentationStyle, EnumConfig, ExportConfig, Language, RenameRule};
use promote::{Casting, DType, Op};
use promote_capi::{CASTINGS, DTYPES, OPS, PROMOTE_API_MAJOR};

/// Returns C constants for names, each with its position as its value.
fn constants<'n>(what: &str, prefix: &str, names: impl Iterator<Item = &'n str>) -> String {
    let mut text = format!("\n/**\n * The {what}, as numbers of the type `Promote{prefix}`.\n */\nenum {{\n");
    for (number, name) in names.enumerate() {
        let (prefix, name) = (prefix.to_uppercase(), name.to_uppercase());
        writeln!(text, "  PROMOTE_{prefix}_{name} = {number},").unwrap();
    }
    text + "};\n"
}

fn config() -> Config {
    let note =
        "/* The C interface of promote. Made by cbindgen: change the sources in `src`, not this file. */";
    let dtypes = constants("dtypes", "DType", DTYPES.iter().map(|dtype| dtype.name()));
    let ops = constants("ops", "Op", OPS.iter().map(|op| op.name()));
    let excluded = ["DTYPES", "OPS", "CASTINGS", "NO_NUMBER"].map(str::to_owned).to_vec();
    Config {
        language: Language::C,
        header: Some(note.to_owned()),
        include_guard: Some("PROMOTE_H".to_owned()),
        no_includes: true,
        sys_includes: ["stdbool.h", "stddef.h", "stdint.h"].map(str::to_owned).to_vec(),
        cpp_compat: true,
        usize_is_size_t: true,
        documentation_style: DocumentationStyle::Doxy,
        after_includes: Some(dtypes + &ops),
        enumeration: EnumConfig {
            rename_variants: RenameRule::QualifiedScreamingSnakeCase,
            ..EnumConfig::default()
        },
        export: ExportConfig { exclude: excluded, ..ExportConfig::default() },
        ..Config::default()
    }
}

#[test]
fn header_is_that_of_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bindings = Builder::new().with_crate(folder).with_config(config()).generate().unwrap();
    let mut made = Vec::new();
    bindings.write(&mut made);
    let (made, path) = (String::from_utf8(made).unwrap(), folder.join("include/promote.h"));
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let major = format!("#define PROMOTE_API_MAJOR {PROMOTE_API_MAJOR}\n");
    for number in committed.lines().filter(|line| line.starts_with("  PROMOTE_")) {
        let kept = made.contains(number) || !committed.contains(&major);
        assert!(kept, "programs are compiled with `{number}`; help: keep it, or raise PROMOTE_API_MAJOR");
    }
    if std::env::var_os("PROMOTE_BLESS").is_some() {
        fs::write(path, made).unwrap();
        return;
    }
    assert!(
        made == committed,
        "include/promote.h is out of date; help: PROMOTE_BLESS=1 cargo test -p promote-capi --test header"
    );
}

/// A dtype, an op or a level without a number could not be passed.
#[test]
fn everything_standard_has_a_number() {
    for dtype in DType::STANDARD {
        assert!(DTYPES.contains(dtype), "append {dtype:?} to DTYPES");
    }
    for op in Op::STANDARD {
        assert!(OPS.contains(op), "append {op:?} to OPS");
    }
    assert!(CASTINGS.len() == Casting::ALL.len());
    assert!(CASTINGS.iter().enumerate().all(|(number, level)| !CASTINGS[..number].contains(level)));
    assert_eq!(CASTINGS[usize::try_from(promote_capi::PROMOTE_CASTING_SAFE).unwrap()], Casting::Safe);
}
