//! `promote completions` and `promote manual`: generated from the definition of the arguments.

use clap::Command;
use clap_complete::Shell;

use crate::failure::{Failure, listed};
use crate::suggest::near;

/// The arguments of `completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell to write a script for
    #[arg(value_enum)]
    shell: Shell,
}

/// The arguments of `manual`.
#[derive(Debug, clap::Args)]
pub struct ManualArgs {
    /// The subcommand; without it, the page is about `promote` itself
    #[arg(value_name = "COMMAND")]
    subcommand: Option<String>,
}

/// Returns the completion script of a shell.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Vec<u8> {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut command, "promote", &mut out);
    out
}

/// Returns a manual page in the format of `man`.
///
/// # Errors
/// Returns an error if there is no such subcommand.
pub fn manual(args: &ManualArgs, mut command: Command) -> Result<Vec<u8>, Failure> {
    command.build();
    let page = args.subcommand.as_deref().map(|name| subcommand(&command, name)).transpose()?;
    let page = page.unwrap_or(command);
    let mut out = Vec::new();
    let rendered = clap_mangen::Man::new(page).render(&mut out);
    rendered.map_err(|error| Failure::new(format!("cannot write the manual page: {error}")))?;
    Ok(out)
}

fn subcommand(command: &Command, name: &str) -> Result<Command, Failure> {
    command.find_subcommand(name).cloned().ok_or_else(|| {
        let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let all = format!("the subcommands: {}", listed(names.iter().copied()));
        Failure::new(format!("there is no subcommand `{name}`")).help(near(name, &names, &all))
    })
}
