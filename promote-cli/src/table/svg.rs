//! The table as a picture.

use svg::Document;
use svg::node::element::{Group, Title};

use super::{Cell, DASH, Header, Matrix, Page};
use crate::picture::{
    self, FAINT, HATCHED, LEGEND, NAME, hatching, heading, legend, name, names, page as paper, rectangle,
    round, text, tidy, wrap,
};

const MARGIN: f64 = 24.0;
const ROW: f64 = 26.0;
const GAP: f64 = 2.0;
/// The distance between the lines of a cell.
const STEP: f64 = 14.0;
const TITLE: f64 = 18.0;
const NOTE: f64 = 12.5;
/// The height of a line of a note.
const LINE: f64 = 18.0;
/// The smallest and the largest width of a cell in a table with many columns. Longer names are written
/// smaller.
const CELL: (f64, f64) = (44.0, 58.0);
/// The number of columns up to which a cell is as wide as its longest text.
const FEW: usize = 8;
/// The smallest width of notes, which are as wide as the widest table otherwise.
const PROSE: f64 = 620.0;

/// Writes the table as a picture.
pub(crate) fn write(page: &Page) -> String {
    let shapes: Vec<Shape> = page.matrices.iter().map(Shape::of).collect();
    let mut y = MARGIN + TITLE + 16.0;
    let (colours, long) = legend(&page.legend, MARGIN, y);
    let least = [PROSE, long, picture::width(&page.title, TITLE)];
    let inner = shapes.iter().map(Shape::width).chain(least).fold(0.0, f64::max);
    let titled = heading(MARGIN, MARGIN + TITLE, TITLE, &page.title);
    let mut body = Group::new().add(titled).add(colours);
    y += LEGEND + 14.0;
    let letters = picture::letters(inner, NOTE);
    for (matrix, shape) in page.matrices.iter().zip(&shapes) {
        if let Some(words) = matrix.heading {
            y += 26.0;
            body = body.add(heading(MARGIN, y, 15.0, words));
            y += 12.0;
        }
        body = body.add(draw(page, matrix, shape, y));
        y += shape.height();
        if let Some(words) = &matrix.summary {
            y += 6.0;
            for line in wrap(words, letters) {
                y += LINE;
                body = body.add(text(MARGIN, y, NOTE, &line));
            }
            y += 6.0;
        }
    }
    if !page.notes.is_empty() {
        y += 28.0;
        body = body.add(heading(MARGIN, y, 15.0, page.refused));
        y += 6.0;
    }
    for (at, note) in page.notes.iter().enumerate() {
        for (line, part) in wrap(&note.text(), letters.saturating_sub(4)).iter().enumerate() {
            y += LINE;
            if line == 0 {
                body = body.add(text(MARGIN, y, NOTE, &(at + 1).to_string()).set("fill", FAINT));
            }
            body = body.add(text(MARGIN + 22.0, y, NOTE, part));
        }
    }
    let document: Document = paper(inner + 2.0 * MARGIN, y + MARGIN, &page.title);
    format!("{}\n", document.add(hatching()).add(body))
}

/// The positions of the cells of a table.
struct Shape {
    /// The width of the names of the rows.
    first: f64,
    cell: f64,
    row: f64,
    columns: usize,
    rows: usize,
    /// The height of the names of the columns, which are rotated if they are long.
    head: f64,
    turned: bool,
}

impl Shape {
    fn of(matrix: &Matrix) -> Shape {
        let longest = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(|text| picture::width(text, NAME)).fold(0.0, f64::max)
        };
        let names = longest(&mut matrix.columns.iter().map(|column| column.name.as_str()));
        let cells = || matrix.rows.iter().flat_map(|(_, cells)| cells);
        let lines = cells().map(|cell| cell.texts.len()).max().unwrap_or(1);
        let cells = longest(&mut cells().flat_map(|cell| cell.texts.iter().map(String::as_str)));
        let columns = matrix.columns.len();
        let room = 14.0;
        let cell = if columns <= FEW {
            (cells.max(names) + room).max(CELL.0)
        } else {
            (cells + room).clamp(CELL.0, CELL.1)
        };
        let turned = names + 6.0 > cell;
        Shape {
            first: longest(&mut matrix.rows.iter().map(|(header, _)| header.name.as_str())) + room,
            cell,
            row: ROW + STEP * (lines as f64 - 1.0),
            columns,
            rows: matrix.rows.len(),
            head: if turned { names + room } else { ROW },
            turned,
        }
    }

    fn width(&self) -> f64 {
        self.first + self.columns as f64 * (self.cell + GAP)
    }

    fn height(&self) -> f64 {
        self.head + self.rows as f64 * (self.row + GAP)
    }
}

fn draw(page: &Page, matrix: &Matrix, shape: &Shape, top: f64) -> Group {
    let mut group = names().set("class", "table");
    let left = |column: usize| MARGIN + shape.first + GAP + column as f64 * (shape.cell + GAP);
    for (column, header) in matrix.columns.iter().enumerate() {
        group = group.add(head(header, (left(column), top), (shape.cell, shape.head), shape.turned));
    }
    for (row, (header, cells)) in matrix.rows.iter().enumerate() {
        let y = top + shape.head + GAP + row as f64 * (shape.row + GAP);
        group = group.add(head(header, (MARGIN, y), (shape.first, shape.row), false));
        for (column, found) in cells.iter().enumerate() {
            group = group.add(cell(page, found, (left(column), y), (shape.cell, shape.row)));
        }
    }
    group
}

/// The name of a row or a column.
fn head(header: &Header, (x, y): (f64, f64), (width, height): (f64, f64), turned: bool) -> Group {
    let mut group = Group::new();
    if let Some(fill) = header.fill {
        group = group.add(rectangle(x, y, width, height, fill).set("rx", 3.0));
    }
    let (middle_x, middle_y) = (x + width / 2.0, y + height / 2.0);
    let room = if turned { height } else { width } - 6.0;
    let mut name = name(middle_x, middle_y, room, &header.name).set("font-weight", "bold");
    if turned {
        name = name.set("transform", format!("rotate(-90 {} {})", round(middle_x), round(middle_y)));
    }
    group.add(name)
}

fn cell(page: &Page, cell: &Cell, (x, y): (f64, f64), (width, height): (f64, f64)) -> Group {
    let ground = cell.fill.unwrap_or(HATCHED);
    let mut group = Group::new()
        .add(Title::new(tidy(&cell.because)))
        .add(rectangle(x, y, width, height, ground).set("rx", 3.0));
    let middle = x + width / 2.0;
    let first = y + (height - STEP * (cell.texts.len() as f64 - 1.0)) / 2.0;
    for (at, words) in cell.texts.iter().enumerate() {
        group = group.add(name(middle, first + STEP * at as f64, width - 6.0, words));
    }
    let marks = cell.marks(&page.notes);
    if marks.is_empty() {
        return group;
    }
    // The numbers of notes follow the dash of a refusal, raised.
    let at = cell.texts.iter().position(|words| words == DASH).unwrap_or(0);
    let beside = middle + picture::width(&cell.texts[at], NAME) / 2.0 + 1.5;
    group.add(
        text(beside, first + STEP * at as f64 - 1.0, 8.5, &marks)
            .set("text-anchor", "start")
            .set("fill", FAINT),
    )
}
