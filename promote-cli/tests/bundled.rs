//! The command reads the bundled rule files to the same tables that are compiled into the library.
//!
//! The library's own tests compare the compiled tables with recorded answers of the real systems. This test
//! carries their result over to the command.

use promote::__private::rule_set_of;
use promote_cli::load;
use promote_rules::bundled::{BUNDLED, BundledFile};
use promote_rules::data;

#[test]
fn rule_files_are_read_to_the_compiled_tables() {
    assert_eq!(BUNDLED.len(), promote::RULE_SETS.len());
    for BundledFile { name, .. } in BUNDLED {
        let compiled = load::read(name, &[]).unwrap_or_else(|failure| panic!("{failure}"));
        let read = rule_set_of(data::leaked(Box::leak(Box::new(compiled))));
        let built = promote::rule_set(name).unwrap_or_else(|| panic!("the library has no `{name}`"));
        let [read, built] = [read, built].map(|rules| format!("{:?}", rules.tables()));
        assert!(read == built, "{name}: the tables differ");
    }
}
