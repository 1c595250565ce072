//! `promote lattice`: the order of dtypes that promotion implies, as a Hasse diagram.
//!
//! - `order`: computes the order from the table, and reduces it to the edges of the diagram;
//! - `layout`: places the nodes of a picture;
//! - `text`, `dot`, `svg`: the forms.

mod dot;
mod layout;
mod order;
mod svg;
mod text;

use crate::answer::Answer;
use crate::failure::Failure;
use crate::load::RulesArgs;
use crate::operands::title;
use crate::output::{AnswerArgs, Form};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs<Format>,
}

impl From<Format> for Form {
    fn from(format: Format) -> Form {
        match format {
            Format::Text => Form::Titled,
            Format::Dot | Format::Svg => Form::Other,
        }
    }
}

/// The forms of a diagram.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum Format {
    /// Lines for a terminal
    #[default]
    Text,
    /// A file for Graphviz
    Dot,
    /// A picture
    Svg,
}

/// Draws the order.
///
/// # Errors
/// Returns an error if the rule set has mistakes, or no such parameter or value.
pub fn run(args: &Args) -> Result<Answer, Failure> {
    let loaded = args.rules.load()?;
    let order = order::of(&loaded);
    let title = title(&loaded, "the order of promotion");
    let text = match args.answer.format {
        Format::Text => text::write(&title, &order),
        Format::Dot => dot::write(&loaded, &title, &order),
        Format::Svg => svg::write(&loaded, &title, &order),
    };
    Ok(Answer::new(title, text))
}

/// The caption of the picture.
const CAPTION: &str = "an arrow from x to y: x and y promote to y, and no dtype is between them";
/// The explanation of a group.
const GROUPED: &str = "~ connects dtypes that promote to each other, directly or in a circle";
/// The explanation of twins.
const TWINS: &str = "dtypes side by side promote with the same dtypes, and not with each other";
/// The heading of dtypes outside of the order.
const ALONE: &str = "Dtypes that promote with no other dtype";
