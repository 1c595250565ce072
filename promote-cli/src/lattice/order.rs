//! The order that promotion implies, and its Hasse diagram.
//!
//! `x <= y` means that `x` and `y` promote to `y`. Rule sets need not define an order. A cycle of the
//! relation becomes one node. If the relation is not transitive, the diagram shows its steps, and
//! [`Order::gap`] is set.

use promote::{DType, Operand, PromoteError};
use promote_rules::model::Category;

use crate::load::Loaded;
use crate::operands::NUMBERS;

/// The contents of a diagram.
#[derive(Debug)]
pub(super) struct Order {
    /// The nodes. Dtypes that promote to each other are one node.
    pub(super) nodes: Vec<Node>,
    /// The edges from a node to the next higher ones, in order.
    pub(super) edges: Vec<(usize, usize)>,
    /// Dtypes that promote with no other dtype.
    pub(super) alone: Vec<Element>,
    /// An example, if the relation is not transitive.
    pub(super) gap: Option<String>,
}

/// A node.
#[derive(Debug)]
pub(super) struct Node {
    /// The dtypes of the node, in most cases one.
    pub(super) elements: Vec<Element>,
    /// True if the dtypes have the same edges and refuse each other; otherwise they promote to each other.
    pub(super) twins: bool,
    /// The layer, from 0. A higher node has a higher layer.
    pub(super) rank: usize,
}

/// A dtype, or a weak number.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// The name, with a star if it is weak.
    pub(super) name: String,
    /// The dtype.
    pub(super) dtype: DType,
    operand: Operand,
}

impl Node {
    /// Returns the names of its elements.
    pub(super) fn name(&self) -> String {
        let names: Vec<&str> = self.elements.iter().map(|element| element.name.as_str()).collect();
        names.join(if self.twins { " " } else { "~" })
    }
}

impl Order {
    /// Returns the nodes of each layer, lowest first.
    pub(super) fn layers(&self) -> Vec<Vec<usize>> {
        let top = self.nodes.iter().map(|node| node.rank + 1).max().unwrap_or(0);
        let mut layers = vec![Vec::new(); top];
        for (at, node) in self.nodes.iter().enumerate() {
            layers[node.rank].push(at);
        }
        layers
    }

    /// Returns true if a node has several elements that promote to each other.
    pub(super) fn grouped(&self) -> bool {
        self.nodes.iter().any(|node| node.elements.len() > 1 && !node.twins)
    }

    /// Returns true if a node has twins.
    pub(super) fn twins(&self) -> bool {
        self.nodes.iter().any(|node| node.twins)
    }
}

/// Computes the order of a rule set's dtypes and weak numbers.
pub(super) fn of(loaded: &Loaded) -> Order {
    let all = elements(loaded);
    let answers = Square::of(all.len(), |x, y| ask(loaded, &all[x], &all[y]));
    let alone =
        |x: usize| (0..all.len()).all(|y| x == y || answers.at(x, y).is_err() && answers.at(y, x).is_err());
    let (alone, joined): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|x| alone(*x));

    let below = Square::of(joined.len(), |x, y| {
        let (x, y) = (joined[x], joined[y]);
        x != y && matches!(answers.at(x, y), Ok(Met::Second))
    });
    let reach = closure(&below);
    let gap = gap(&below, &reach).map(|([x, y, z], more)| {
        let [a, b, c] = [x, y, z].map(|at| all[joined[at]].name.as_str());
        let instead = match answers.at(joined[x], joined[z]) {
            Ok(Met::Second) => c.to_owned(),
            Ok(Met::Other(name)) => format!("gives {name}"),
            Err(why) => format!("is refused: {why}"),
        };
        let more = match more {
            0 => String::new(),
            1 => "; and 1 more such pair".to_owned(),
            more => format!("; and {more} more such pairs"),
        };
        format!("{a} -> {b} -> {c}, but {a} with {c} {instead}{more}")
    });

    // A node is identified by its first element.
    let same = |x: usize, y: usize| x == y || *reach.at(x, y) && *reach.at(y, x);
    let firsts: Vec<usize> = (0..joined.len()).filter(|x| (0..*x).all(|y| !same(*x, y))).collect();
    let less = |a: usize, b: usize| a != b && *reach.at(firsts[a], firsts[b]);
    let count = firsts.len();
    let edges: Vec<(usize, usize)> = (0..count)
        .flat_map(|a| (0..count).map(move |b| (a, b)))
        .filter(|(a, b)| less(*a, *b) && !(0..count).any(|c| less(*a, c) && less(c, *b)))
        .collect();
    let members = |node: usize| -> Vec<usize> {
        (0..joined.len()).filter(|x| same(firsts[node], *x)).map(|x| joined[x]).collect()
    };
    let refused = |a: usize, b: usize| match (&members(a)[..], &members(b)[..]) {
        ([x], [y]) => answers.at(*x, *y).is_err() && answers.at(*y, *x).is_err(),
        _ => false,
    };
    let (groups, edges) = twins(count, &edges, refused);
    let nodes = groups.iter().zip(ranks(groups.len(), &edges)).map(|(group, rank)| Node {
        elements: group.iter().flat_map(|node| members(*node)).map(|x| all[x].clone()).collect(),
        twins: group.len() > 1,
        rank,
    });
    Order { nodes: nodes.collect(), edges, alone: alone.into_iter().map(|x| all[x].clone()).collect(), gap }
}

/// Merges nodes that have the same edges and refuse each other, and returns the edges between the merged
/// nodes.
fn twins(
    count: usize,
    edges: &[(usize, usize)],
    refused: impl Fn(usize, usize) -> bool,
) -> (Vec<Vec<usize>>, Vec<(usize, usize)>) {
    let steps = |node: usize| -> Vec<(usize, bool)> {
        let up = edges.iter().filter(|edge| edge.0 == node).map(|edge| (edge.1, true));
        let down = edges.iter().filter(|edge| edge.1 == node).map(|edge| (edge.0, false));
        up.chain(down).collect()
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for node in 0..count {
        let alike = |group: &&mut Vec<usize>| {
            steps(group[0]) == steps(node) && group.iter().all(|other| refused(*other, node))
        };
        match groups.iter_mut().find(alike) {
            Some(group) => group.push(node),
            None => groups.push(vec![node]),
        }
    }
    let group = |node: usize| groups.iter().position(|group| group.contains(&node)).unwrap_or(0);
    let mut kept: Vec<(usize, usize)> = edges.iter().map(|(low, high)| (group(*low), group(*high))).collect();
    kept.sort_unstable();
    kept.dedup();
    (groups, kept)
}

/// Returns the dtypes and, if there are weak operands, the weak dtypes of numbers.
fn elements(loaded: &Loaded) -> Vec<Element> {
    let dtypes = loaded.rules.tables().dtypes.iter();
    let mut all: Vec<Element> = dtypes
        .map(|dtype| Element {
            name: loaded.show(*dtype).into_owned(),
            dtype: *dtype,
            operand: Operand::Array(*dtype),
        })
        .collect();
    if loaded.compiled.rules.order.contains(&Category::Weak) {
        for (_, number) in NUMBERS {
            let Ok(found) = loaded.rules.explain(None, &[Operand::Number(number)]) else { continue };
            let dtype = found.result.dtype;
            let name = loaded.names.show_result(dtype, true);
            if found.result.weak && all.iter().all(|known| known.name != name) {
                all.push(Element { name, dtype, operand: Operand::Weak(dtype) });
            }
        }
    }
    all
}

/// The result of two elements.
#[derive(Debug)]
enum Met {
    /// The second element.
    Second,
    /// Another dtype, by its name.
    Other(String),
}

fn ask(loaded: &Loaded, x: &Element, y: &Element) -> Result<Met, String> {
    match loaded.rules.explain(None, &[x.operand, y.operand]) {
        Ok(found) => {
            let weak = matches!(y.operand, Operand::Weak(_));
            let result = found.result;
            Ok(if (result.dtype, result.weak) == (y.dtype, weak) {
                Met::Second
            } else {
                Met::Other(loaded.names.show_result(result.dtype, result.weak))
            })
        }
        Err(PromoteError::Refused { reason, file, line, .. }) => Err(format!("{reason} ({file}:{line})")),
        Err(other) => Err(other.to_string()),
    }
}

/// A value for each pair of elements.
struct Square<T> {
    side: usize,
    cells: Vec<T>,
}

impl<T> Square<T> {
    fn of(side: usize, mut cell: impl FnMut(usize, usize) -> T) -> Square<T> {
        let mut cells = Vec::with_capacity(side * side);
        for x in 0..side {
            cells.extend((0..side).map(|y| cell(x, y)));
        }
        Square { side, cells }
    }

    /// # Panics
    /// Panics if `x` or `y` is out of range.
    fn at(&self, x: usize, y: usize) -> &T {
        &self.cells[x * self.side + y]
    }
}

/// Computes the transitive closure (Warshall).
fn closure(below: &Square<bool>) -> Square<bool> {
    let mut reach = Square::of(below.side, |x, y| *below.at(x, y));
    for via in 0..reach.side {
        reach = Square::of(reach.side, |x, y| *reach.at(x, y) || *reach.at(x, via) && *reach.at(via, y));
    }
    reach
}

/// Returns three elements for which the relation is not transitive, and the number of further such pairs.
fn gap(below: &Square<bool>, reach: &Square<bool>) -> Option<([usize; 3], usize)> {
    let side = below.side;
    let pairs = (0..side).flat_map(|x| (0..side).map(move |z| (x, z)));
    let missing: Vec<(usize, usize)> =
        pairs.filter(|(x, z)| x != z && *reach.at(*x, *z) && !*below.at(*x, *z)).collect();
    // A longer path contains two successive steps that are not one step together. Otherwise steps could be
    // joined until the path is a single one.
    let example = missing.iter().find_map(|(x, z)| {
        let via = (0..side).find(|y| *below.at(*x, *y) && *below.at(*y, *z))?;
        Some([*x, via, *z])
    })?;
    Some((example, missing.len() - 1))
}

/// Returns the layer of each node: the length of the longest path to it. A node with nothing below it is
/// moved up to just below its lowest neighbour.
fn ranks(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut ranks = vec![0_usize; count];
    // There is no cycle, so no path is longer than the number of nodes.
    for _ in 0..count {
        for (low, high) in edges {
            ranks[*high] = ranks[*high].max(ranks[*low] + 1);
        }
    }
    let lifted = |node: usize| {
        let lowest = edges.iter().all(|(_, high)| *high != node);
        let above = edges.iter().filter(|(low, _)| *low == node).map(|(_, high)| ranks[*high]).min();
        above.filter(|_| lowest).map_or(ranks[node], |above| above.saturating_sub(1))
    };
    (0..count).map(lifted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: usize, pairs: &[(usize, usize)]) -> Square<bool> {
        Square::of(side, |x, y| pairs.contains(&(x, y)))
    }

    #[test]
    fn paths_with_a_direct_edge_are_no_gap() {
        let chain = square(3, &[(0, 1), (1, 2), (0, 2)]);
        assert_eq!(gap(&chain, &closure(&chain)), None);
        let broken = square(4, &[(0, 1), (1, 2), (2, 3)]);
        assert_eq!(gap(&broken, &closure(&broken)), Some(([0, 1, 2], 2)));
    }

    #[test]
    fn twins_that_refuse_each_other_are_one_node() {
        // 0 and 1 under 2; 3 under 2 and 4.
        let edges = [(0, 2), (1, 2), (3, 2), (3, 4)];
        let (groups, kept) = twins(5, &edges, |_, _| true);
        assert_eq!(groups, [vec![0, 1], vec![2], vec![3], vec![4]]);
        assert_eq!(kept, [(0, 1), (2, 1), (2, 3)]);
        assert_eq!(twins(5, &edges, |_, _| false).0.len(), 5);
    }

    #[test]
    fn layers_follow_the_order_and_lowest_nodes_are_near_their_neighbours() {
        // 0 - 1 - 2 - 3, and 4 under 3.
        assert_eq!(ranks(5, &[(0, 1), (1, 2), (2, 3), (4, 3)]), [0, 1, 2, 3, 2]);
        assert_eq!(ranks(2, &[]), [0, 0]);
    }
}
