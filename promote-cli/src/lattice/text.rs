//! The order for a terminal.

use super::order::{Element, Node, Order};
use super::{ALONE, CAPTION, GROUPED, TWINS};
use crate::picture::wrap;

/// The length of a line of prose.
const LETTERS: usize = 98;

/// Writes the edges, the layers, and notes.
pub(super) fn write(title: &str, order: &Order) -> String {
    let names: Vec<String> = order.nodes.iter().map(Node::name).collect();
    let layers = order.layers();
    let first = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut lines = vec![title.to_owned(), CAPTION.to_owned()];
    if order.grouped() {
        lines.push(GROUPED.to_owned());
    }
    if order.twins() {
        lines.push(TWINS.to_owned());
    }
    lines.push(String::new());
    for node in layers.iter().flatten() {
        let above: Vec<&str> = order
            .edges
            .iter()
            .filter(|(low, _)| low == node)
            .map(|(_, high)| names[*high].as_str())
            .collect();
        if !above.is_empty() {
            lines.push(format!("  {:<first$} -> {}", names[*node], above.join(", ")));
        }
    }
    lines.extend([String::new(), "Layers, lowest first".to_owned(), String::new()]);
    for (rank, layer) in layers.iter().enumerate() {
        let layer: Vec<&str> = layer.iter().map(|node| names[*node].as_str()).collect();
        lines.push(format!("  {:>2}  {}", rank + 1, layer.join(", ")));
    }
    if !order.alone.is_empty() {
        let alone: Vec<&str> = order.alone.iter().map(|Element { name, .. }| name.as_str()).collect();
        lines.extend([String::new(), ALONE.to_owned(), String::new(), format!("  {}", alone.join("  "))]);
    }
    if let Some(gap) = &order.gap {
        lines.extend([String::new(), "Not transitive".to_owned(), String::new()]);
        lines.extend(wrap(gap, LETTERS).iter().map(|line| format!("  {line}")));
    }
    lines.join("\n") + "\n"
}
