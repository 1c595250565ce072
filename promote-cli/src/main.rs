//! The `promote` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    promote_cli::run(std::env::args_os())
}
