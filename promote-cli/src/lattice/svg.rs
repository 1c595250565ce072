//! The order as a picture.

use svg::node::element::path::Data;
use svg::node::element::{Definitions, Group, Marker, Path, Title};

use super::layout::{Layout, lay_out};
use super::order::{Element, Node, Order};
use super::{ALONE, CAPTION, GROUPED, TWINS};
use crate::load::Loaded;
use crate::picture::{
    self, FAINT, FRAME, LEGEND, Legend, NAME, fill, heading, legend, name, names, page, rectangle, round,
    text, tidy, wrap,
};

const MARGIN: f64 = 24.0;
const TITLE: f64 = 18.0;
const BOX: f64 = 30.0;
/// The distance between the centres of neighbouring nodes of a layer.
const ROOM: f64 = 52.0;
/// The distance between two layers.
const GAP: f64 = 46.0;
/// The smallest width of a node, and the margin beside its name.
const NARROWEST: f64 = 52.0;
const PADDING: f64 = 20.0;
const NOTE: f64 = 12.5;
const LINE: f64 = 18.0;
/// The smallest width of the caption.
const PROSE: f64 = 620.0;

/// Writes the order as a picture.
pub(super) fn write(loaded: &Loaded, title: &str, order: &Order) -> String {
    let ranks: Vec<usize> = order.nodes.iter().map(|node| node.rank).collect();
    let layout = lay_out(&ranks, &order.edges, ROOM);
    let columns = columns(order);
    let mut y = MARGIN + TITLE + 16.0;
    let (colours, long) = legend(&Legend::of_dtypes(loaded), MARGIN, y);
    let drawn = columns.last().map_or(0.0, |(left, width)| left + width);
    let inner = [PROSE, long, drawn, picture::width(title, TITLE)].into_iter().fold(0.0, f64::max);
    let mut body = Group::new().add(heading(MARGIN, MARGIN + TITLE, TITLE, title)).add(colours);

    y += LEGEND + 20.0 + BOX / 2.0 - layout.span.0;
    // A diagram that is narrower than the rest is centred.
    let left = MARGIN + (inner - drawn) / 2.0;
    body = body.add(edges(&layout, order, &columns, (left, y))).add(nodes(
        loaded,
        &layout,
        order,
        &columns,
        (left, y),
    ));
    y += layout.span.1 + BOX / 2.0 + 20.0;

    if !order.alone.is_empty() {
        y += 20.0;
        body = body.add(heading(MARGIN, y, 14.0, ALONE));
        let (row, height) = apart(loaded, &order.alone, inner, y + 12.0);
        body = body.add(row);
        y += 12.0 + height + 8.0;
    }
    let mut notes = vec![CAPTION.to_owned()];
    notes.extend(order.grouped().then(|| GROUPED.to_owned()));
    notes.extend(order.twins().then(|| TWINS.to_owned()));
    notes.extend(order.gap.as_ref().map(|gap| format!("not transitive: {gap}")));
    let letters = picture::letters(inner, NOTE);
    for line in notes.iter().flat_map(|note| wrap(note, letters)) {
        y += LINE;
        body = body.add(text(MARGIN, y, NOTE, &line).set("fill", FAINT));
    }
    format!("{}\n", page(inner + 2.0 * MARGIN, y + MARGIN, title).add(arrow()).add(body))
}

/// Returns the position and the width of each layer.
fn columns(order: &Order) -> Vec<(f64, f64)> {
    let mut left = 0.0;
    order
        .layers()
        .iter()
        .map(|layer| {
            let widths = layer.iter().map(|node| width(&order.nodes[*node].name()));
            let width = widths.fold(NARROWEST, f64::max);
            let column = (left, width);
            left += width + GAP;
            column
        })
        .collect()
}

fn width(name: &str) -> f64 {
    (picture::width(name, NAME) + PADDING).max(NARROWEST)
}

fn nodes(
    loaded: &Loaded,
    layout: &Layout,
    order: &Order,
    columns: &[(f64, f64)],
    (left, top): (f64, f64),
) -> Group {
    let mut group = names().set("class", "nodes");
    for (node, y) in order.nodes.iter().zip(&layout.y) {
        let (at, width) = columns[node.rank];
        group =
            group.add(boxed(loaded, &node.elements, &node.name(), (left + at, top + y - BOX / 2.0), width));
    }
    group
}

/// Draws a node.
fn boxed(loaded: &Loaded, elements: &[Element], words: &str, (x, y): (f64, f64), width: f64) -> Group {
    let ground = elements.first().map_or(FRAME, |element| fill(loaded, element.dtype));
    Group::new()
        .add(rectangle(x, y, width, BOX, ground).set("rx", 8.0).set("stroke", FRAME))
        .add(name(x + width / 2.0, y + BOX / 2.0, width - 8.0, words).set("font-weight", "bold"))
}

fn edges(layout: &Layout, order: &Order, columns: &[(f64, f64)], (left, top): (f64, f64)) -> Group {
    let mut group =
        Group::new().set("class", "edges").set("fill", "none").set("stroke", FAINT).set("stroke-width", 1.4);
    for (way, (low, high)) in layout.ways.iter().zip(&order.edges) {
        let (low, high): (&Node, &Node) = (&order.nodes[*low], &order.nodes[*high]);
        let mut data = Data::new();
        for (at, vertex) in way.iter().enumerate() {
            let (column, width) = columns[low.rank + at];
            let (from, to, y) =
                (round(left + column), round(left + column + width), round(top + layout.y[*vertex]));
            if at > 0 {
                let bend = round(GAP / 2.0);
                let before = round(top + layout.y[way[at - 1]]);
                let end = if at + 1 == way.len() { round(from - TIP) } else { from };
                let start = round(from - GAP);
                data = data.cubic_curve_to((start + bend, before, end - bend, y, end, y));
            }
            if at == 0 {
                data = data.move_to((to, y));
            } else if at + 1 < way.len() {
                data = data.line_to((to, y));
            }
        }
        let path = Path::new().set("d", data).set("marker-end", "url(#arrow)");
        let words = format!("{} -> {}", low.name(), high.name());
        group = group.add(Group::new().add(Title::new(tidy(&words))).add(path));
    }
    group
}

/// The length of the head of an arrow.
const TIP: f64 = 7.0;

fn arrow() -> Definitions {
    let head = Path::new().set("d", "M0,0 L7,3.5 L0,7 z").set("fill", FAINT);
    let marker = Marker::new()
        .set("id", "arrow")
        .set("markerUnits", "userSpaceOnUse")
        .set("markerWidth", 7)
        .set("markerHeight", 7)
        .set("refX", 0)
        .set("refY", 3.5)
        .set("orient", "auto")
        .add(head);
    Definitions::new().add(marker)
}

/// Draws the dtypes outside of the order in rows, and returns the height of these.
fn apart(loaded: &Loaded, elements: &[Element], inner: f64, top: f64) -> (Group, f64) {
    const BETWEEN: f64 = 12.0;
    let mut group = names().set("class", "alone");
    let (mut x, mut y) = (0.0, 0.0);
    for element in elements {
        let width = width(&element.name);
        if x > 0.0 && x + width > inner {
            (x, y) = (0.0, y + BOX + BETWEEN);
        }
        group = group.add(boxed(
            loaded,
            std::slice::from_ref(element),
            &element.name,
            (MARGIN + x, top + y),
            width,
        ));
        x += width + BETWEEN;
    }
    (group, y + BOX)
}
