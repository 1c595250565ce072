//! Shared parts of the SVG pictures: a colour for each kind of dtype, and text.
//!
//! A picture has its own background, so that it looks the same on a white page and on a dark one.

use std::collections::{BTreeMap, BTreeSet};

use promote::{DType, Kind};
use svg::Document;
use svg::node::element::{Definitions, Group, Path, Pattern, Rectangle, Text, Title};

use crate::load::Loaded;
use crate::terminal;

/// The background.
pub const PAPER: &str = "#ffffff";
/// Text and the lines between nodes.
pub const INK: &str = "#1f2933";
/// Text of less weight.
pub const FAINT: &str = "#52606d";
/// The frames of cells and nodes.
pub const FRAME: &str = "#9aa5b1";
/// The background of refused cells.
pub const REFUSED: &str = "#eceff2";
/// The hatching of refused cells.
pub const HATCH: &str = "#cbd2d9";
/// The background of cells in which two rule sets agree.
pub const SAME: &str = "#e7f5ff";
/// The background of cells in which they differ. Its lightness differs, too, for colour-blind readers.
pub const DIFFERENT: &str = "#ffa94d";
/// The background of cells that one of them refuses.
pub const REFUSED_BY_ONE: &str = "#d0bfff";
/// The background of cells with a dtype that one of them lacks.
pub const ABSENT: &str = "#b2f2bb";

/// The fonts of names of dtypes.
pub const MONOSPACE: &str = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
/// The fonts of all other text.
pub const SANS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

/// The width of a character, relative to the size of the text, in the widest of the usual monospaced fonts.
const ADVANCE: f64 = 0.61;

/// A kind of dtype that has its own colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hue {
    /// `bool`.
    Bool,
    /// Unsigned integers.
    Unsigned,
    /// Signed integers.
    Signed,
    /// Floats.
    Float,
    /// Complex numbers.
    Complex,
    /// A kind that the rule file defines.
    Other,
}

impl Hue {
    /// Returns the kind of a dtype in a rule set. A custom dtype may have a standard kind.
    pub fn of(loaded: &Loaded, dtype: DType) -> Hue {
        match dtype.kind() {
            Kind::Bool => Hue::Bool,
            Kind::Unsigned => Hue::Unsigned,
            Kind::Signed => Hue::Signed,
            Kind::Float => Hue::Float,
            Kind::Complex => Hue::Complex,
            _ => {
                let rules = &loaded.compiled.rules;
                let own = rules.dtypes.iter().find(|own| own.name == dtype.name());
                match own.and_then(|own| rules.kinds.get(own.kind)).map(String::as_str) {
                    Some("bool") => Hue::Bool,
                    Some("int") => Hue::Signed,
                    Some("float") => Hue::Float,
                    Some("complex") => Hue::Complex,
                    _ => Hue::Other,
                }
            }
        }
    }

    /// Returns the text of the legend.
    pub fn name(self) -> &'static str {
        match self {
            Hue::Bool => "bool",
            Hue::Unsigned => "unsigned",
            Hue::Signed => "signed",
            Hue::Float => "float",
            Hue::Complex => "complex",
            Hue::Other => "other",
        }
    }

    /// Returns the shades for widths of up to 8, 16, 32, 64 and more bits. They are from Open Color, in even
    /// steps, and light enough for text in [`INK`].
    pub fn shades(self) -> [&'static str; 5] {
        match self {
            Hue::Bool => ["#ffec99", "#ffe066", "#ffd43b", "#fcc419", "#fab005"],
            Hue::Unsigned => ["#c3fae8", "#96f2d7", "#63e6be", "#38d9a9", "#20c997"],
            Hue::Signed => ["#d0ebff", "#a5d8ff", "#74c0fc", "#4dabf7", "#339af0"],
            Hue::Float => ["#ffe8cc", "#ffd8a8", "#ffc078", "#ffa94d", "#ff922b"],
            Hue::Complex => ["#f3d9fa", "#eebefa", "#e599f7", "#da77f2", "#cc5de8"],
            Hue::Other => ["#e9ecef", "#dee2e6", "#ced4da", "#bcc3ca", "#adb5bd"],
        }
    }
}

/// Returns the colour of a dtype. The hue shows its kind, the shade its width.
pub fn fill(loaded: &Loaded, dtype: DType) -> &'static str {
    Hue::of(loaded, dtype).shades()[shade(dtype)]
}

fn shade(dtype: DType) -> usize {
    match dtype.bits() {
        ..=8 => 0,
        9..=16 => 1,
        17..=32 => 2,
        33..=64 => 3,
        _ => 4,
    }
}

/// The legend of a picture.
#[derive(Clone, Debug)]
pub struct Legend {
    /// Colours with their meanings.
    pub entries: Vec<(Vec<&'static str>, String)>,
    /// The meaning of the hatching, if there is any.
    pub refused: Option<String>,
    /// Further text.
    pub words: String,
}

impl Legend {
    /// Creates a legend of the kinds of a rule set's dtypes, lowest first, with their shades.
    pub fn of_dtypes(loaded: &Loaded) -> Legend {
        let mut found: BTreeMap<Hue, BTreeSet<usize>> = BTreeMap::new();
        for dtype in loaded.rules.tables().dtypes {
            found.entry(Hue::of(loaded, *dtype)).or_default().insert(shade(*dtype));
        }
        let shades = |hue: Hue, at: BTreeSet<usize>| at.into_iter().map(|at| hue.shades()[at]).collect();
        let entries = found.into_iter().map(|(hue, at)| (shades(hue, at), hue.name().to_owned())).collect();
        Legend { entries, refused: None, words: "darker is wider".to_owned() }
    }
}

/// Removes characters that XML cannot express or that change the direction of text. A reason in a rule file
/// may contain them.
pub fn tidy(text: &str) -> String {
    let holds = |c: char| !(terminal::is_dangerous(c) || matches!(c, '\u{fffe}' | '\u{ffff}'));
    text.chars().map(|c| if holds(c) { c } else { '\u{fffd}' }).collect()
}

/// Returns the width of text in a monospaced font.
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * ADVANCE
}

/// Returns the number of characters of a sentence that fit a width. They are narrower than those of names.
pub fn letters(width: f64, size: f64) -> usize {
    const MEAN: f64 = 0.54;
    (width / (size * MEAN)) as usize
}

/// Breaks text into lines of at most this many characters, at spaces, or within a word that is longer.
pub fn wrap(text: &str, most: usize) -> Vec<String> {
    let most = most.max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut used = most;
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        for (at, part) in letters.chunks(most).enumerate() {
            let part: String = part.iter().collect();
            let length = part.chars().count();
            let room = at == 0 && used + 1 + length <= most;
            if let Some(line) = lines.last_mut().filter(|_| room) {
                line.push(' ');
                line.push_str(&part);
                used += 1 + length;
            } else {
                lines.push(part);
                used = length;
            }
        }
    }
    lines
}

/// Returns a line of text that begins at `x`, with the baseline `y`.
pub fn text(x: f64, y: f64, size: f64, content: &str) -> Text {
    Text::new(tidy(content)).set("x", round(x)).set("y", round(y)).set("font-size", round(size))
}

/// Returns a heading.
pub fn heading(x: f64, y: f64, size: f64, content: &str) -> Text {
    text(x, y, size, content).set("font-weight", "bold")
}

/// The size of names of dtypes.
pub const NAME: f64 = 12.0;

/// Returns a group for names of dtypes, with their common attributes.
pub fn names() -> Group {
    Group::new().set("font-family", MONOSPACE).set("font-size", NAME).set("text-anchor", "middle")
}

/// Returns a name that is centred in a box, and smaller if it would not fit. It belongs into a group of
/// [`names`].
pub fn name(x: f64, y: f64, room: f64, content: &str) -> Text {
    let size = NAME * (room / width(content, NAME).max(1.0)).min(1.0);
    let text = Text::new(tidy(content)).set("x", round(x)).set("y", round(y + size * 0.35));
    if size < NAME { text.set("font-size", round(size)) } else { text }
}

/// Returns a box.
pub fn rectangle(x: f64, y: f64, width: f64, height: f64, fill: &str) -> Rectangle {
    Rectangle::new()
        .set("x", round(x))
        .set("y", round(y))
        .set("width", round(width))
        .set("height", round(height))
        .set("fill", fill)
}

/// Rounds a number to two digits, so that the text is short and equal on every machine.
pub fn round(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

/// Returns an empty picture with a background and a title for screen readers.
pub fn page(width: f64, height: f64, title: &str) -> Document {
    let (width, height) = (width.ceil(), height.ceil());
    Document::new()
        .set("viewBox", (0.0, 0.0, width, height))
        .set("width", width)
        .set("height", height)
        .set("role", "img")
        .set("font-family", SANS)
        .set("fill", INK)
        .add(Title::new(tidy(title)))
        .add(rectangle(0.0, 0.0, width, height, PAPER))
}

/// Returns the height of a legend.
pub const LEGEND: f64 = 20.0;

const SWATCH: f64 = 14.0;

/// Returns a legend in one line, and its width.
pub fn legend(legend: &Legend, x: f64, y: f64) -> (Group, f64) {
    const SIZE: f64 = 12.0;
    let mut group = Group::new().set("class", "legend");
    let mut at = x;
    let refused = legend.refused.as_ref().map(|words| (vec![HATCHED], words.clone()));
    for (shades, words) in legend.entries.iter().cloned().chain(refused) {
        for shade in shades {
            group = group.add(rectangle(at, y, SWATCH, SWATCH, shade));
            at += SWATCH;
        }
        group = group.add(text(at + 6.0, y + 11.5, SIZE, &words));
        at += width(&words, SIZE) + 22.0;
    }
    let words = text(at, y + 11.5, SIZE, &legend.words).set("fill", FAINT);
    (group.add(words), at + width(&legend.words, SIZE) - x)
}

/// The fill of refused cells, in a picture with [`hatching`].
pub const HATCHED: &str = "url(#refused)";

/// Returns the definition of [`HATCHED`].
pub fn hatching() -> Definitions {
    let lines = Path::new().set("d", "M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2").set("stroke", HATCH);
    let pattern = Pattern::new()
        .set("id", "refused")
        .set("width", 6)
        .set("height", 6)
        .set("patternUnits", "userSpaceOnUse")
        .add(rectangle(0.0, 0.0, 6.0, 6.0, REFUSED))
        .add(lines);
    Definitions::new().add(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_within_long_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("  ", 5), [""; 0]);
        assert_eq!(wrap("äöü ä", 3), ["äöü", "ä"]);
    }

    #[test]
    fn control_characters_are_replaced_in_xml() {
        assert_eq!(tidy("a\u{0}b\u{1b}c\u{202e}<&>"), "a\u{fffd}b\u{fffd}c\u{fffd}<&>");
    }
}
