//! Text on its way to a terminal.
//!
//! Names, reasons and paths come from files and arguments, and may hold anything: sequences that clear the
//! screen, change its title, or turn text around so that it reads as something else. All text passes through
//! this module on its way out, where such characters become visible escapes like `\u{1b}`.

use std::borrow::Cow;
use std::fmt::Write as _;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Color, Style};
use promote::{DType, Kind};
use serde_json::Value;

/// Escapes a text of one line: a newline in it is escaped, too.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    escaped(text, |_| 0)
}

/// Escapes a text of several lines.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |rest| usize::from(rest.starts_with('\n')))
}

/// Escapes a text of several lines that has colours.
pub(crate) fn styled(text: &str) -> Cow<'_, str> {
    escaped(text, |rest| if rest.starts_with('\n') { 1 } else { style(rest) })
}

/// Returns true if a stream shows colours: it is a terminal, or `CLICOLOR_FORCE` is set, and `NO_COLOR` is
/// not.
pub(crate) fn shows_colours(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

/// Puts a text into a style.
pub(crate) fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The style of what is wrong, as clap has it.
pub(crate) const ERROR: Style = coloured(AnsiColor::BrightRed).bold();

/// The style of what to do about it.
pub(crate) const HELP: Style = coloured(AnsiColor::BrightCyan).bold();

const fn coloured(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(colour)))
}

/// Adds colours to a text that is escaped already: each dtype has the colour of its kind. The first line is
/// bold if it is a title.
pub(crate) fn coloured_dtypes(text: &str, has_title: bool) -> String {
    let (title, rest) = match text.split_once('\n') {
        Some((title, rest)) if has_title => (painted(Style::new().bold(), title) + "\n", rest),
        _ => (String::new(), text),
    };
    let mut out = title;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = rest;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        match word.parse::<DType>().ok().and_then(|dtype| colour(dtype.kind())) {
            Some(colour) => out.push_str(&painted(coloured(colour), word)),
            None => out.push_str(word),
        }
        let next = behind.find(is_word).unwrap_or(behind.len());
        out.push_str(&behind[..next]);
        rest = &behind[next..];
    }
    out
}

fn colour(kind: Kind) -> Option<AnsiColor> {
    match kind {
        Kind::Bool => Some(AnsiColor::Magenta),
        Kind::Unsigned => Some(AnsiColor::Cyan),
        Kind::Signed => Some(AnsiColor::Blue),
        Kind::Float => Some(AnsiColor::Green),
        Kind::Complex => Some(AnsiColor::Yellow),
        _ => None,
    }
}

/// Writes JSON on a line. It escapes in the way of JSON, so that the values stay as they are.
pub(crate) fn json(value: &Value) -> String {
    let mut out = String::new();
    // Outside of strings there are none of these characters.
    for c in value.to_string().chars() {
        if is_dangerous(c) {
            // Writing to a String does not fail.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out + "\n"
}

/// Returns true for characters that act on a terminal, or turn the text around them.
pub(crate) fn is_dangerous(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Escapes dangerous characters, except where `kept` says how many bytes of the rest of the text stay as they
/// are.
fn escaped(text: &str, kept: impl Fn(&str) -> usize) -> Cow<'_, str> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_dangerous) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let kept = kept(behind);
        let first = behind.chars().next().map_or(0, char::len_utf8);
        let (part, next) = behind.split_at(kept.max(first));
        if kept > 0 {
            out.push_str(part);
        } else {
            out.extend(part.chars().flat_map(char::escape_default));
        }
        rest = next;
    }
    if out.is_empty() { Cow::Borrowed(rest) } else { Cow::Owned(out + rest) }
}

/// The length of the sequence that sets colours with which a text begins; 0 if it begins with none.
fn style(text: &str) -> usize {
    let Some(inner) = text.strip_prefix("\u{1b}[") else { return 0 };
    let end = inner.find(|c: char| !matches!(c, '0'..='9' | ';'));
    end.filter(|end| inner[*end..].starts_with('m')).map_or(0, |end| "\u{1b}[".len() + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_bidirectional_overrides_are_escaped() {
        for (text, escaped) in [
            ("plain, ä, 数 and \u{200d}", "plain, ä, 数 and \u{200d}"),
            ("\u{1b}[2Jx", "\\u{1b}[2Jx"),
            ("a\tb\rc\u{7}", "a\\tb\\rc\\u{7}"),
            ("\u{7f}\u{80}\u{9b}\u{9f}\u{a0}", "\\u{7f}\\u{80}\\u{9b}\\u{9f}\u{a0}"),
            ("\u{202a}\u{202e}\u{2066}\u{2069}", "\\u{202a}\\u{202e}\\u{2066}\\u{2069}"),
        ] {
            assert_eq!(line(text), escaped);
            assert_eq!(lines(text), escaped);
            assert_eq!(styled(text), escaped);
        }
    }

    #[test]
    fn escaping_keeps_lines_and_colours() {
        let text = "\u{1b}[1m\u{1b}[91merror\u{1b}[0m: a\n\n\u{1b}[2Kb\u{1b}[1;";
        assert_eq!(line("a\nb"), "a\\nb");
        assert_eq!(lines(text), "\\u{1b}[1m\\u{1b}[91merror\\u{1b}[0m: a\n\n\\u{1b}[2Kb\\u{1b}[1;");
        assert_eq!(styled(text), "\u{1b}[1m\u{1b}[91merror\u{1b}[0m: a\n\n\\u{1b}[2Kb\\u{1b}[1;");
    }

    #[test]
    fn json_keeps_its_values() {
        let value = serde_json::json!({ "a\u{1b}": "\u{9b}\u{7f}\u{202e}\n\\u" });
        let text = json(&value);
        assert_eq!(text, "{\"a\\u001b\":\"\\u009b\\u007f\\u202e\\n\\\\u\"}\n");
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), value);
    }
}
