//! Text in aligned columns, at most [`WIDTH`] characters wide.

/// The width of the lines, as most terminals show them without a break.
pub(crate) const WIDTH: usize = 100;

/// Aligns the cells of rows in columns, two spaces apart and indented by two.
///
/// The words of a cell that would make its line too long go on in further lines, if the cell is in the column
/// `wrapped`. The last cell of a row may be longer than its column.
pub(crate) fn aligned(rows: &[Vec<String>], wrapped: usize) -> Vec<String> {
    const GAP: usize = 2;
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    // A row with fewer cells ends in a sentence, which is not aligned.
    let cells = |column: usize| {
        rows.iter().filter(move |row| row.len() == columns).map(move |row| row[column].chars().count())
    };
    let mut widths: Vec<usize> = (0..columns).map(|column| cells(column).max().unwrap_or(0)).collect();
    let others: usize =
        widths.iter().enumerate().filter(|(at, _)| *at != wrapped).map(|(_, w)| w + GAP).sum();
    if let Some(width) = widths.get_mut(wrapped) {
        *width = (*width).min(WIDTH.saturating_sub(others + GAP).max(20));
    }
    let mut lines = Vec::new();
    for row in rows {
        let parts = row.get(wrapped).map(|cell| wrap(cell, widths[wrapped])).unwrap_or_default();
        for part in 0..parts.len().max(1) {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let text = match (column == wrapped, part) {
                    (true, _) => parts.get(part).map_or("", String::as_str),
                    (false, 0) => cell,
                    (false, _) => "",
                };
                line.push_str("  ");
                line.push_str(text);
                let width = widths[column];
                line.extend(std::iter::repeat_n(' ', width.saturating_sub(text.chars().count())));
            }
            lines.push(line.trim_end().to_owned());
        }
    }
    lines
}

/// Breaks a text between words into lines of at most `width` characters, unless a word is longer.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut length = 0;
    for word in text.split(' ') {
        let count = word.chars().count();
        match lines.last_mut() {
            Some(line) if length + 1 + count <= width => {
                line.push(' ');
                line.push_str(word);
                length += 1 + count;
            }
            _ => {
                lines.push(word.to_owned());
                length = count;
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn aligns_the_cells_of_each_column() {
        let rows = [row(&["a", "b c", "d"]), row(&["long", "b", "e"])];
        assert_eq!(aligned(&rows, 1), ["  a     b c  d", "  long  b    e"]);
    }

    #[test]
    fn wraps_the_words_of_one_column() {
        let words = vec!["word"; 30].join(" ");
        let lines = aligned(&[row(&["a", &words, "d"])], 1);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.len() <= WIDTH), "{lines:?}");
        assert!(lines[0].ends_with("  d") && lines[1].starts_with("     word"), "{lines:?}");
    }

    #[test]
    fn keeps_words_that_are_longer_than_a_line() {
        assert_eq!(wrap("a longer b", 3), ["a", "longer", "b"]);
    }
}
