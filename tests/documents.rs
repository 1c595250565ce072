//! Documents that must be complete: each lists every op or name that it covers.

use promote::{NumberKind, Op};

#[test]
fn the_table_of_accuracy_has_every_mathematical_function() {
    // They compute in floats alone too, and are exact, or made of steps each of which is or has its row
    // (`ldexp` multiplies by `exp2`).
    const EXACT: &str = "isclose reciprocal copysign nextafter lerp l1_loss mse_loss huber_loss smooth_l1_loss binary_cross_entropy poisson_nll_loss ldexp";
    let table = include_str!("../docs/accuracy.md");
    let mut rows = 0;
    for op in Op::STANDARD.iter().filter(|op| !EXACT.split(' ').any(|name| name == op.name())) {
        let kinds = op.info().kernel.map_or(&[][..], |kernel| kernel.kinds);
        if kinds.contains(&NumberKind::Float) && !kinds.contains(&NumberKind::Int) {
            rows += 1;
            let row = table.lines().find(|line| line.starts_with(&format!("| `{op}` |")));
            let row = row.unwrap_or_else(|| {
                panic!("{op} is not in docs/accuracy.md: `cargo run --release --features jax,paddle --example accuracy`")
            });
            assert!(row.contains(|c: char| c.is_ascii_digit()), "{op} was not measured");
        }
    }
    assert!(rows > 25, "only {rows} functions");
}

#[test]
fn the_porting_tables_name_only_what_their_program_uses() {
    let page = include_str!("../docs/porting.md");
    let (tables, program) = page.split_once("```rust\n").expect("a program behind the tables");
    let mut named = 0;
    for row in tables.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")) {
        let here = row.trim_end_matches(" |").rsplit(" | ").next().expect("a column");
        for (_, name) in here.split('`').skip(1).step_by(2).filter_map(|word| word.split_once("::")) {
            // The program is a test of its own.
            let used = [format!(".{name}("), format!("::{name}(")].iter().any(|call| program.contains(call));
            assert!(used || program.contains(&format!("Op::{name},")), "{name} is not in the program: {row}");
            named += 1;
        }
    }
    assert!(named > 50, "only {named} names");
}
