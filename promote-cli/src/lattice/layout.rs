//! The layout of an order as a picture: layers from left to right, with few crossings, each node near its
//! neighbours.
//!
//! The algorithm is that of Sugiyama, Tagawa and Toda (1981), simplified for at most about a hundred nodes:
//! 1. an edge that passes layers gets a joint in each of them, so that every piece leads to the next layer;
//! 2. each layer is ordered by the mean position of its neighbours, forth and back, and the best order is
//!    kept;
//! 3. each layer is moved as near to its neighbours as the room between its nodes allows.

/// The positions of nodes and joints.
#[derive(Debug)]
pub(super) struct Layout {
    /// The height of the middle of each node; the nodes of the order come first, then the joints.
    pub(super) y: Vec<f64>,
    /// For each edge, the nodes and joints that it leads through, both ends included.
    pub(super) ways: Vec<Vec<usize>>,
    /// The lowest and the highest of `y`.
    pub(super) span: (f64, f64),
}

/// The number of passes over the layers, forth and back.
const SWEEPS: usize = 12;

/// The largest number of moves of the layers, and the distance that is too small to count as one.
const MOVES: usize = 400;
const STILL: f64 = 0.01;

/// The weight of the line of an edge for its joints. A large weight makes long edges straight.
const STRAIGHT: f64 = 6.0;

/// Lays out nodes of these ranks; every edge leads to a higher rank. `room` is the distance between nodes of
/// a layer, of which joints need a half.
pub(super) fn lay_out(ranks: &[usize], edges: &[(usize, usize)], room: f64) -> Layout {
    let mut graph = Graph::new(ranks, edges);
    graph.uncross();
    let y = graph.place(room);
    let span = y.iter().fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(*y), high.max(*y)));
    let span = if y.is_empty() { (0.0, 0.0) } else { span };
    Layout { y, ways: graph.ways, span }
}

struct Graph {
    /// The number of vertices that are nodes.
    nodes: usize,
    ways: Vec<Vec<usize>>,
    /// The vertices of each layer in their order.
    layers: Vec<Vec<usize>>,
    /// The position of each vertex in its layer.
    position: Vec<usize>,
    lower: Vec<Vec<usize>>,
    upper: Vec<Vec<usize>>,
}

impl Graph {
    fn new(ranks: &[usize], edges: &[(usize, usize)]) -> Graph {
        let mut layers = vec![Vec::new(); ranks.iter().map(|rank| rank + 1).max().unwrap_or(0)];
        for (node, rank) in ranks.iter().enumerate() {
            layers[*rank].push(node);
        }
        let mut count = ranks.len();
        let mut ways = Vec::new();
        for (low, high) in edges {
            let mut way = vec![*low];
            for layer in layers.iter_mut().take(ranks[*high]).skip(ranks[*low] + 1) {
                layer.push(count);
                way.push(count);
                count += 1;
            }
            way.push(*high);
            ways.push(way);
        }
        let (mut lower, mut upper) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for piece in ways.iter().flat_map(|way| way.windows(2)) {
            upper[piece[0]].push(piece[1]);
            lower[piece[1]].push(piece[0]);
        }
        let mut graph = Graph { nodes: ranks.len(), ways, layers, position: vec![0; count], lower, upper };
        graph.number();
        graph
    }

    fn number(&mut self) {
        for layer in &self.layers {
            for (at, vertex) in layer.iter().enumerate() {
                self.position[*vertex] = at;
            }
        }
    }

    /// Orders the layers.
    fn uncross(&mut self) {
        let mut best = (self.crossings(), self.layers.clone());
        for sweep in 0..2 * SWEEPS {
            let up = sweep % 2 == 0;
            let count = self.layers.len();
            for step in 1..count {
                let at = if up { step } else { count - 1 - step };
                let neighbours = if up { &self.lower } else { &self.upper };
                let position = &self.position;
                let wanted = |vertex: &usize| {
                    let near = &neighbours[*vertex];
                    let sum: usize = near.iter().map(|near| position[*near]).sum();
                    // A vertex without neighbours keeps its position.
                    if near.is_empty() { position[*vertex] as f64 } else { sum as f64 / near.len() as f64 }
                };
                let mut layer = std::mem::take(&mut self.layers[at]);
                // The sort keeps the order of equals.
                layer.sort_by(|a, b| wanted(a).total_cmp(&wanted(b)));
                for (at, vertex) in layer.iter().enumerate() {
                    self.position[*vertex] = at;
                }
                self.layers[at] = layer;
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
        }
        self.layers = best.1;
        self.number();
    }

    /// Returns the number of crossings: pairs of pieces between two layers whose ends are in opposite orders.
    fn crossings(&self) -> usize {
        let mut crossings = 0;
        for layer in &self.layers {
            // The number of pieces that ended at each position so far, in a Fenwick tree.
            let widest = self.layers.iter().map(Vec::len).max().unwrap_or(0);
            let mut tree = vec![0_usize; widest + 1];
            let mut ended = 0;
            for vertex in layer {
                let mut ends: Vec<usize> =
                    self.upper[*vertex].iter().map(|upper| self.position[*upper] + 1).collect();
                for end in &ends {
                    let (mut at, mut before) = (*end, 0);
                    while at > 0 {
                        before += tree[at];
                        at &= at - 1;
                    }
                    crossings += ended - before;
                }
                ended += ends.len();
                for end in ends.drain(..) {
                    let mut at = end;
                    while at < tree.len() {
                        tree[at] += 1;
                        at += at & at.wrapping_neg();
                    }
                }
            }
        }
        crossings
    }

    /// The height of each vertex.
    fn place(&self, room: f64) -> Vec<f64> {
        let half = |vertex: usize| if vertex < self.nodes { room / 2.0 } else { room / 4.0 };
        let mut y = vec![0.0; self.position.len()];
        for layer in &self.layers {
            let mut at = 0.0;
            for vertex in layer {
                y[*vertex] = at + half(*vertex);
                at += 2.0 * half(*vertex);
            }
            // The layers begin in the midst of one another.
            for vertex in layer {
                y[*vertex] -= at / 2.0;
            }
        }
        for sweep in 0..MOVES {
            let before = y.clone();
            for step in 0..self.layers.len() {
                let at = if sweep % 2 == 0 { step } else { self.layers.len() - 1 - step };
                let layer = &self.layers[at];
                let wanted: Vec<(f64, f64)> = layer.iter().map(|vertex| self.wanted(*vertex, &y)).collect();
                let gaps: Vec<f64> = layer.windows(2).map(|pair| half(pair[0]) + half(pair[1])).collect();
                for (vertex, found) in layer.iter().zip(spread(&wanted, &gaps)) {
                    y[*vertex] = found;
                }
            }
            if y.iter().zip(&before).all(|(y, before)| (y - before).abs() < STILL) {
                break;
            }
        }
        y
    }

    /// The height at which a vertex is nearest to its neighbours, and how strongly it is drawn there.
    fn wanted(&self, vertex: usize, y: &[f64]) -> (f64, f64) {
        let joint = |vertex: usize| vertex >= self.nodes;
        let (mut sum, mut weight) = (0.0, 0.0);
        for near in self.lower[vertex].iter().chain(&self.upper[vertex]) {
            let pull = if joint(vertex) && joint(*near) { STRAIGHT } else { 1.0 };
            sum += pull * y[*near];
            weight += pull;
        }
        if weight > 0.0 { (sum / weight, weight) } else { (y[vertex], 1.0) }
    }
}

/// The heights nearest to the wanted ones, by the sum of the weighted squares, that keep the order and the
/// gaps.
///
/// With the gaps taken out it is an isotonic regression: neighbours in the wrong order meet at their mean
/// (pool adjacent violators).
fn spread(wanted: &[(f64, f64)], gaps: &[f64]) -> Vec<f64> {
    let mut offset = 0.0;
    let offsets: Vec<f64> = std::iter::once(0.0)
        .chain(gaps.iter().map(|gap| {
            offset += gap;
            offset
        }))
        .collect();
    // Mean, weight and number of each pool.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for ((height, weight), offset) in wanted.iter().zip(&offsets) {
        let mut pool = (height - offset, *weight, 1);
        while let Some((mean, weight, count)) = pools.pop_if(|before| before.0 > pool.0) {
            let total = weight + pool.1;
            pool = ((mean * weight + pool.0 * pool.1) / total, total, count + pool.2);
        }
        pools.push(pool);
    }
    let means = pools.into_iter().flat_map(|(mean, _, count)| std::iter::repeat_n(mean, count));
    means.zip(&offsets).map(|(mean, offset)| mean + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_keep_their_distance_with_minimal_moves() {
        assert_eq!(spread(&[(0.0, 1.0), (10.0, 1.0)], &[4.0]), [0.0, 10.0]);
        assert_eq!(spread(&[(5.0, 1.0), (5.0, 1.0)], &[4.0]), [3.0, 7.0]);
        // A heavy one moves less.
        assert_eq!(spread(&[(5.0, 3.0), (5.0, 1.0)], &[4.0]), [4.0, 8.0]);
    }

    #[test]
    fn planar_diagrams_have_no_crossings() {
        // Two chains that are written crosswise.
        let ranks = [0, 0, 1, 1, 2, 2];
        let edges = [(0, 3), (1, 2), (3, 4), (2, 5)];
        let mut graph = Graph::new(&ranks, &edges);
        assert_eq!(graph.crossings(), 2);
        graph.uncross();
        assert_eq!(graph.crossings(), 0);
    }

    #[test]
    fn edges_across_layers_have_a_joint_in_each() {
        let layout = lay_out(&[0, 1, 2, 3], &[(0, 1), (1, 2), (2, 3), (0, 3)], 10.0);
        assert_eq!(layout.ways[3], [0, 4, 5, 3]);
        // The joints stand clear of the nodes that the edge passes.
        for (joint, node) in [(4, 1), (5, 2)] {
            assert!((layout.y[joint] - layout.y[node]).abs() >= 7.5 - 1e-9, "{:?}", layout.y);
        }
        assert!(lay_out(&[], &[], 10.0).ways.is_empty());
    }
}
