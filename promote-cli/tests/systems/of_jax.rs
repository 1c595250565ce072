//! JAX.

use std::collections::BTreeSet;

use crate::answers::{As, Rules};
use crate::score::System;
use crate::sections;
use crate::table::{cells, data};

const SYSTEM: System = System {
    rules: "jax",
    data: "jax",
    left_out: &[
        ("ops.lax_add", "`jax.lax` takes operands of one dtype, and no numbers"),
        ("can_cast.default", "it is NumPy's own, with the casts of ml_dtypes: compared with these below"),
        ("lattice", "an order, no table: compared below"),
    ],
    single: &[
        (
            "weak_ops.pow",
            "py_bool,py_int",
            "of an array of bools and a number it gives i32, of two numbers the number's dtype",
        ),
        ("weak_reductions.argmax", "py_complex", "it takes complex arrays"),
        ("ops.dot", "bool,i1", "of i1 and i1, which is what these become, it gives i1"),
        ("ops.dot", "i1,bool", "likewise"),
        ("ops.matmul", "bool,i1", "likewise"),
        ("ops.matmul", "i1,bool", "likewise"),
    ],
};

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}

#[test]
fn casts_are_those_of_ml_dtypes() {
    let (data, rules) = (data(SYSTEM.data), Rules::load("ml-dtypes"));
    let sections = data["sections"].as_object().expect("sections");
    let mut compared = 0;
    for (from, to, word) in cells(sections, "can_cast.default") {
        assert_eq!(rules.can_cast("safe", &from, &to), word == "yes", "{from} to {to}");
        compared += 1;
    }
    println!("jax          {compared} casts equal");
}

/// Its lattice, and what stands directly above each node: `int*`, `float*` and `complex*` are weak.
#[test]
fn promotion_is_the_join_of_its_lattice() {
    let data = data(SYSTEM.data);
    // Without x64 a dtype of 64 bits is in the order, but no array has it unless that is allowed.
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

/// A node as an operand: a weak one is that of a number.
fn operand(node: &str) -> String {
    node.strip_suffix('*').map_or_else(|| node.to_owned(), |kind| format!("py_{kind}"))
}

/// Nodes, each with those directly above it.
struct Lattice<'a>(Vec<Vec<&'a str>>);

impl<'a> Lattice<'a> {
    fn of(section: &'a serde_json::Value) -> Lattice<'a> {
        let lines = section.as_array().expect("a line for each node").iter();
        Lattice(lines.map(|line| line.as_str().expect("a line").split(' ').collect()).collect())
    }

    fn nodes(&self) -> impl Iterator<Item = &'a str> {
        self.0.iter().map(|line| line[0])
    }

    /// The node and all above it.
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

    /// The least of what is above both, where there is one.
    fn join(&self, a: &'a str, b: &'a str) -> Option<&'a str> {
        let both: BTreeSet<_> = self.above(a).intersection(&self.above(b)).copied().collect();
        both.iter().find(|node| self.above(node) == both).copied()
    }
}
