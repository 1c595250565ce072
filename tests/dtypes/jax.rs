//! JAX.

use std::collections::BTreeSet;

use crate::answers::{As, Rules};
use crate::data::data;
use crate::score::System;
use crate::sections;
use crate::table::cells;

const SYSTEM: System = System {
    rules: "jax",
    data: "jax",
    left_out: &[
        ("ops.lax_add", "`jax.lax` takes operands of one dtype, and no numbers"),
        ("can_cast.default", "NumPy's own function, with the casts of ml_dtypes: a test below compares it"),
        ("lattice", "an order and no table: a test below compares it"),
    ],
    single: &[
        (
            "weak_ops.pow",
            "py_bool,py_int",
            "of an array of bools and a number it gives i32, of two numbers the number's dtype",
        ),
        ("weak_reductions.argmax", "py_complex", "it takes complex arrays"),
        ("ops.dot", "bool,i1", TINY),
        ("ops.dot", "i1,bool", TINY),
        ("ops.matmul", "bool,i1", TINY),
        ("ops.matmul", "i1,bool", TINY),
    ],
    lacks: &[],
    kinds: "canonical default_dtype default_dtype_of_jnp_array dim_zerodim lists ops ops_scalar \
            promote_types reductions result_type_scalar_scalar scalar_ops scalar_scalar tensor_scalar \
            tensor_weak unary weak_ops weak_reductions weak_weak",
    min_cells: 61_901,
};

const TINY: &str = "both operands become i1, and for i1 and i1 it gives i1";

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}

#[test]
fn can_cast_answers_as_ml_dtypes() {
    let (data, rules) = (data(SYSTEM.data), Rules::load("ml-dtypes"));
    let sections = data["sections"].as_object().expect("sections");
    let mut compared = 0;
    for (from, to, word) in cells(sections, "can_cast.default") {
        assert_eq!(rules.can_cast("safe", &from, &to), word == "yes", "{from} to {to}");
        compared += 1;
    }
    println!("jax          {compared} casts equal");
}

/// The lattice is recorded as lines of a node and the nodes directly above it: `int*`, `float*` and
/// `complex*` are weak.
#[test]
fn promotion_is_the_join_of_its_lattice() {
    let data = data(SYSTEM.data);
    // Without x64 the lattice has dtypes of 64 bits, but arrays have them only if `explicit_x64` allows them.
    for (section, params) in [
        ("lattice", ""),
        ("x64=false|lattice", "x64=false;explicit_x64=allow"),
        ("strict=true|lattice", "strict=true"),
    ] {
        let rules = Rules::load(SYSTEM.rules).under(params).expect("parameters of JAX");
        let lattice = Lattice::of(&data["sections"][section]);
        let mut compared = 0;
        for a in lattice.nodes() {
            for b in lattice.nodes() {
                let ours = rules.result(&[a, b].map(|node| rules.operand(&operand(node), As::Array)));
                let join = lattice
                    .join(a, b)
                    .and_then(|node| rules.result(&[rules.operand(&operand(node), As::Array)]));
                assert_eq!(ours, join, "{params} {a} and {b}");
                compared += 1;
            }
        }
        println!("jax          {compared} joins of `{section}` equal");
    }
}

/// Returns the operand of a node. Weak nodes are numbers.
fn operand(node: &str) -> String {
    node.strip_suffix('*').map_or_else(|| node.to_owned(), |kind| format!("py_{kind}"))
}

/// Nodes, each with the nodes directly above it.
struct Lattice<'a>(Vec<Vec<&'a str>>);

impl<'a> Lattice<'a> {
    fn of(section: &'a serde_json::Value) -> Lattice<'a> {
        let lines = section.as_array().expect("a line for each node").iter();
        Lattice(lines.map(|line| line.as_str().expect("a line").split(' ').collect()).collect())
    }

    fn nodes(&self) -> impl Iterator<Item = &'a str> {
        self.0.iter().map(|line| line[0])
    }

    /// Returns the node and all nodes above it.
    fn above(&self, node: &'a str) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if found.insert(node) {
                let line = self.0.iter().find(|line| line[0] == node).expect("a node");
                open.extend(&line[1..]);
            }
        }
        found
    }

    /// Returns the least node above both nodes, if there is one.
    fn join(&self, a: &'a str, b: &'a str) -> Option<&'a str> {
        let both: BTreeSet<_> = self.above(a).intersection(&self.above(b)).copied().collect();
        both.iter().find(|node| self.above(node) == both).copied()
    }
}
