//! Reports of the mistakes in a rule file: the position, the line with carets, and the help text.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use promote_rules::diag::{Diagnostic, Errors};

use crate::failure::{Failure, Mistake, counted};
use crate::terminal;

/// The largest number of mistakes that a report shows. Of further ones, it only counts.
const SHOWN: usize = 200;

/// The text of a rule file.
#[derive(Debug)]
pub struct Text {
    /// The file's name.
    pub file: String,
    /// The text.
    pub text: String,
    /// The lexer's name of the file, by which a position is matched to it.
    pub lexed: Option<String>,
}

/// Reports all mistakes of rule files, the first of which is the one to check.
pub fn mistakes(texts: &[Text], errors: &Errors) -> Failure {
    let Some(asked) = texts.first() else { return Failure::new("there is no rule file".to_owned()) };
    let colour = terminal::shows_colours(&std::io::stderr());
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let text_of = |one: &Diagnostic| {
        let lexed = Some(one.span.file());
        texts.iter().find(|text| text.lexed == lexed).unwrap_or(asked)
    };
    let mut reports: Vec<String> =
        errors.iter().take(SHOWN).map(|one| renderer.render(&report(text_of(one), one))).collect();
    let count = counted(errors.iter().count(), "mistake");
    reports.push(format!("{count} in {}", asked.file));
    let all = errors.iter().map(|one| mistake(text_of(one), one)).collect();
    Failure::mistakes(reports.join("\n\n"), all)
}

/// Returns one mistake as data.
fn mistake(text: &Text, one: &Diagnostic) -> Mistake {
    let before = &text.text[..range(&text.text, one).start];
    let line = before.rsplit('\n').next().unwrap_or_default();
    Mistake {
        file: text.file.clone(),
        line: Some(before.matches('\n').count() + 1),
        column: Some(line.chars().count() + 1),
        message: one.message.clone(),
        help: one.help.clone(),
    }
}

/// Renders one mistake. The renderer escapes the lines of the file; `message` and `help` are escaped here.
fn report<'a>(text: &'a Text, one: &'a Diagnostic) -> [Group<'a>; 1] {
    let annotation = AnnotationKind::Primary.span(range(&text.text, one));
    let snippet = Snippet::source(text.text.as_str()).path(terminal::line(&text.file)).annotation(annotation);
    let group = Level::ERROR.primary_title(terminal::line(&one.message)).element(snippet);
    [match &one.help {
        Some(help) => group.element(Level::HELP.message(terminal::line(help))),
        None => group,
    }]
}

/// Returns the range of the text at fault, clamped to the text and to boundaries of characters.
fn range(text: &str, one: &Diagnostic) -> std::ops::Range<usize> {
    let range = one.span.byte_range();
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(range.start);
    start..floor(range.end).max(start)
}
