//! The command reads the bundled rule files to the same tables that are compiled into the library.
//!
//! The library's own tests compare the compiled tables with recorded answers of the real systems. This test
//! carries their result over to the command.

use promote_cli::{bundled, load};

#[test]
fn rule_files_are_read_to_the_compiled_tables() {
    assert_eq!(bundled::BUNDLED.len(), promote::RULE_SETS.len());
    for (name, ..) in bundled::BUNDLED {
        let compiled = bundled::read(name, &[]).unwrap_or_else(|failure| panic!("{failure}"));
        let read = load::rule_set(Box::leak(Box::new(compiled)));
        let built = promote::rule_set(name).unwrap_or_else(|| panic!("the library has no `{name}`"));
        let [read, built] = [read, built].map(|rules| format!("{:?}", rules.tables()));
        assert!(read == built, "{name}: the tables differ");
    }
}
