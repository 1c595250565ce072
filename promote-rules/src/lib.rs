//! The rule language of `promote` as an ordinary library: no proc-macro types, no printing, no panics.
//!
//! ```text
//! rule text -> tokens -> syntax::File -> model::Rules -> check -> Tables -> emit (Rust) | render (docs)
//! ```

mod check;
pub mod diag;
mod eval;
pub mod model;
mod resolve;
pub mod source;
pub mod syntax;
pub mod tables;

use diag::Errors;
use model::Rules;
use source::Source;
use tables::Tables;

/// A rule set that has passed every check, and its tables.
#[derive(Debug)]
pub struct Compiled {
    /// The rules.
    pub rules: Rules,
    /// What every cell is.
    pub tables: Tables,
}

/// The pipeline: every phase finds all the mistakes it can before the next one begins.
///
/// # Errors
/// All mistakes of the first phase that found any.
pub fn compile(source: &Source) -> Result<Compiled, Errors> {
    let mut errors = Errors::default();
    source::check_depth(&mut errors, &source.tokens);
    errors.or(())?;

    let mut errors = Errors::default();
    let file = syntax::File::parse(&mut errors, source.tokens.clone());
    let rules = resolve::resolve(&mut errors, &file, &source.file);
    let Some(rules) = errors.or(rules)? else { return Err(Errors::default()) };

    let mut errors = Errors::default();
    check::forms(&mut errors, &rules);
    errors.or(())?;

    let mut errors = Errors::default();
    let computed = tables::compute(&rules);
    check::cells(&mut errors, &rules, &computed);
    errors.or(Compiled { tables: computed.tables, rules })
}
