//! The `promote` command.
fn main() {}
