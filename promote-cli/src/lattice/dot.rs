//! The order for Graphviz.

use super::order::{Element, Node, Order};
use super::{ALONE, CAPTION, GROUPED, TWINS};
use crate::load::Loaded;
use crate::picture::{FAINT, FRAME, INK, PAPER, fill, wrap};

/// The length of a line of the caption.
const LETTERS: usize = 100;

/// Writes the order as a Graphviz file.
pub(super) fn write(loaded: &Loaded, title: &str, order: &Order) -> String {
    let mut caption = vec![title.to_owned(), CAPTION.to_owned()];
    caption.extend(order.grouped().then(|| GROUPED.to_owned()));
    caption.extend(order.twins().then(|| TWINS.to_owned()));
    if let Some(gap) = &order.gap {
        caption.extend(wrap(&format!("not transitive: {gap}"), LETTERS));
    }
    let mut lines = vec![
        format!("digraph {} {{", quoted(loaded.rules.name())),
        "  rankdir = LR;".to_owned(),
        format!("  bgcolor = {};", quoted(PAPER)),
        "  labelloc = t;".to_owned(),
        format!("  label = {};", quoted(&caption.join("\n"))),
        format!("  fontname = \"sans-serif\"; fontcolor = {};", quoted(INK)),
        format!(
            "  node [shape = box, style = \"rounded,filled\", fontname = \"monospace\", color = {}, fontcolor = {}];",
            quoted(FRAME),
            quoted(INK)
        ),
        format!("  edge [color = {}];", quoted(FAINT)),
    ];
    let node = |name: &str, element: &Element| {
        format!("  {} [fillcolor = {}];", quoted(name), quoted(fill(loaded, element.dtype)))
    };
    let names: Vec<String> = order.nodes.iter().map(Node::name).collect();
    for (name, group) in names.iter().zip(&order.nodes) {
        lines.extend(group.elements.first().map(|element| node(name, element)));
    }
    lines.extend(
        order
            .edges
            .iter()
            .map(|(low, high)| format!("  {} -> {};", quoted(&names[*low]), quoted(&names[*high]))),
    );
    if !order.alone.is_empty() {
        lines.push(format!(
            "  subgraph cluster_alone {{ label = {}; color = {};",
            quoted(ALONE),
            quoted(FRAME)
        ));
        lines.extend(order.alone.iter().map(|element| format!("  {}", node(&element.name, element))));
        lines.push("  }".to_owned());
    }
    lines.push("}".to_owned());
    lines.join("\n") + "\n"
}

/// Quotes a string. A backslash would begin an escape.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    #[test]
    fn quotes_are_escaped() {
        assert_eq!(super::quoted("a\"b\\c\nd"), r#""a\"b\\c\nd""#);
    }
}
