//! `promote lattice`: the order that the table implies, as a Hasse diagram.
//!
//! - `order`: from the table to the order, and from the order to what is drawn of it;
//! - `layout`: where a picture puts it;
//! - `text`, `dot`, `svg`: the forms.

mod dot;
mod layout;
mod order;
mod svg;
mod text;

use crate::bundled::RulesArgs;
use crate::failure::Failure;
use crate::table::title;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// The form of the diagram
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Args {
    /// Returns true if standard output gets text for a person.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.format, Format::Text)
    }
}

/// The forms of a diagram.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Format {
    /// For a terminal
    Text,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}

/// Draws the order.
///
/// # Errors
/// The rule set has mistakes, or no such parameter or value.
pub fn run(args: &Args) -> Result<String, Failure> {
    let loaded = args.rules.load()?;
    let order = order::of(&loaded);
    let title = title(&loaded, "the order of promotion");
    Ok(match args.format {
        Format::Text => text::write(&title, &order),
        Format::Dot => dot::write(&loaded, &title, &order),
        Format::Svg => svg::write(&loaded, &title, &order),
    })
}

/// What the picture means.
const CAPTION: &str = "an arrow leads from x to y where x with y gives y and nothing stands between";
/// What a group means.
const GROUPED: &str = "~ joins what promotes to one another, directly or in a circle";
/// What twins mean.
const TWINS: &str = "dtypes side by side promote with the same others and not with one another";
/// The heading of what stands apart.
const ALONE: &str = "Promote with nothing else";
