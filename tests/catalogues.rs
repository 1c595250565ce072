//! The rule library and the run time know the same dtypes and ops: two crates, neither of which depends on
//! the other.

use promote::kernel::KernelOp;
use promote::kernel::ops::{KernelType, words};
use promote::table::{NumberEntry, ScalarEntry};
use promote::{Casting, DType, Kind, Op, Takes};
use promote_rules::model::{
    CASTINGS, Category, Format, KERNEL_WORDS, NumberKind, OP_CATALOG, STANDARD, WITH_TYPE, register,
};
use promote_rules::{data, model};

#[test]
fn dtypes_are_the_same_in_the_same_order() {
    let names: Vec<&str> = DType::STANDARD.iter().map(|dtype| dtype.name()).collect();
    assert_eq!(names, STANDARD.iter().map(|row| row.0).collect::<Vec<_>>());
    assert_eq!(WITH_TYPE, DType::WITH_TYPE.len());
    for (dtype, (name, format, bits)) in DType::STANDARD.iter().zip(STANDARD) {
        assert_eq!(dtype.bits(), *bits, "{name}");
        let kind = match format {
            Format::Bool => Kind::Bool,
            Format::Int { signed: true, .. } => Kind::Signed,
            Format::Int { signed: false, .. } => Kind::Unsigned,
            Format::Float { .. } => Kind::Float,
            Format::Complex { .. } => Kind::Complex,
        };
        assert_eq!(dtype.kind(), kind, "{name}");
        if dtype.has_type() {
            assert_eq!(dtype.register().name(), register(name));
        }
    }
}

/// The macro tells of more inputs than that, and the run time has room for as many.
#[test]
fn kernels_take_as_many_inputs() {
    assert_eq!(promote_rules::emit::MOST_INPUTS, promote::kernel::MOST_INPUTS);
}

#[test]
fn ops_are_the_same_and_so_are_their_kernels() {
    let names: Vec<&str> = Op::STANDARD.iter().map(|op| op.name()).collect();
    assert_eq!(names, OP_CATALOG.iter().map(|info| info.name).collect::<Vec<_>>());
    for (op, info) in Op::STANDARD.iter().zip(OP_CATALOG) {
        assert_eq!(op.arity(), info.arity, "{op}");
        let kernel = KernelOp::ALL.iter().find(|kernel| kernel.name() == info.name);
        assert_eq!(kernel.is_some(), info.kernel.is_some(), "{op} has kernels, or it has none");
        if let (Some(kernel), Some(known)) = (kernel, info.kernel) {
            assert_eq!((kernel.arity(), kernel.commutes()), (info.arity, known.commutes), "{op}");
            let extras = |extra: &promote::Extra| {
                let takes = match extra.takes {
                    Takes::Truth => model::Takes::Truth,
                    Takes::Operand => model::Takes::Operand,
                    Takes::Weight => model::Takes::Weight,
                    _ => model::Takes::Number,
                };
                (extra.name, takes)
            };
            let ours: Vec<_> = op.extras().iter().map(extras).collect();
            let theirs: Vec<_> = known.extras.iter().map(|extra| (extra.name, extra.takes)).collect();
            assert_eq!(ours, theirs, "{op}");
            assert_eq!(op.is_loss(), known.loss, "{op}");
            let flags: Vec<_> = known.flags.iter().map(|flag| flag.key).collect();
            assert_eq!(op.flags(), flags, "{op}");
            let mirror = kernel.mirrored().map(KernelOp::name);
            assert_eq!(mirror, known.mirrored.then_some(known.name), "{op}");
            for (dtype, &(compute, ..)) in DType::WITH_TYPE.iter().zip(STANDARD) {
                assert_eq!(kernel.result(*dtype).name(), known.result(compute), "{op} in {dtype}");
                for key in info.kernel_keys() {
                    let ours = kernel.with_words(key.words).shared(*dtype, false);
                    let shared = key.shared(compute);
                    assert_eq!((ours.name(), ours.words()), (shared.name, shared.words), "{op} in {dtype}");
                    for (operand, &(name, ..)) in DType::WITH_TYPE.iter().zip(STANDARD) {
                        let ours = kernel.with_words(key.words).of_operand(*operand, *dtype, *dtype);
                        let theirs = key.of_operand(name, compute);
                        assert_eq!(ours.name(), theirs.name, "{op} of {operand} in {dtype}");
                    }
                }
            }
        }
        let flags = info.kernel.map_or(&[][..], |kernel| kernel.flags);
        for semantic in info.choices().chain(flags) {
            assert!(semantic.words.len() > 1, "{op} has no choice of `{}`", semantic.key);
            // A word that some op has where its file says nothing is no bit.
            let is_first = |key: &str, word: &str| {
                let mut all = OP_CATALOG.iter().flat_map(|info| info.semantics);
                all.any(|other| other.key == key && other.words[0] == word)
            };
            for word in semantic.words {
                let known = match semantic.key {
                    "scalar" => ScalarEntry::from_word(word).is_some(),
                    "number" => NumberEntry::from_word(word).is_some(),
                    // A dispatch looks at it, since only a number is refused.
                    _ if *word == "number_error" => true,
                    _ if *word == semantic.words[0] => true,
                    key => words::of(key, word) != 0 || is_first(key, word),
                };
                assert!(known, "nothing at run time reads `{}: {word}` of {op}", semantic.key);
            }
        }
    }
    for (bit, (key, word)) in KERNEL_WORDS.iter().enumerate() {
        assert_eq!(words::of(key, word), 1 << bit, "{key}: {word}");
    }
    let saturating = <promote::kernel::ops::Add<{ words::OVERFLOW_SATURATE }> as KernelType>::OP;
    assert!(saturating.saturates());
}

#[test]
fn levels_of_casting_are_the_same() {
    let names: Vec<&str> = Casting::ALL.iter().map(|casting| casting.name()).collect();
    assert_eq!(names, CASTINGS);
}

#[test]
fn the_marks_in_the_tables_are_the_same() {
    assert_eq!(data::REFUSED, promote::table::REFUSED);
    assert_eq!(data::UNREACHABLE, promote::table::UNREACHABLE);
    assert_eq!(data::BY_COMMON, promote::table::BY_COMMON);
    let categories = [
        (Category::Array, promote::table::Category::Array),
        (Category::ZeroDim, promote::table::Category::ZeroDim),
        (Category::Number, promote::table::Category::Number),
        (Category::Weak, promote::table::Category::Weak),
    ];
    for (rules, run_time) in categories {
        assert_eq!(rules as u8, run_time as u8);
    }
}

#[test]
fn the_table_of_accuracy_has_every_mathematical_function() {
    // They compute in floats alone too, and are exact, or made of steps each of which is or has its row
    // (`ldexp` multiplies by `exp2`).
    const EXACT: &str = "reciprocal copysign nextafter lerp l1_loss mse_loss huber_loss smooth_l1_loss binary_cross_entropy poisson_nll_loss ldexp";
    let table = include_str!("../docs/accuracy.md");
    let mut rows = 0;
    for info in OP_CATALOG.iter().filter(|info| !EXACT.split(' ').any(|name| name == info.name)) {
        let kinds = info.kernel.map_or(&[][..], |kernel| kernel.kinds);
        if kinds.contains(&NumberKind::Float) && !kinds.contains(&NumberKind::Int) {
            rows += 1;
            let row = table.lines().find(|line| line.starts_with(&format!("| `{}` |", info.name)));
            let row = row.unwrap_or_else(|| {
                panic!("{} is not in docs/accuracy.md: `cargo run --release --features jax,paddle --example accuracy`", info.name)
            });
            assert!(row.contains(|c: char| c.is_ascii_digit()), "{} was not measured", info.name);
        }
    }
    assert!(rows > 25, "only {rows} functions");
}

#[test]
fn what_the_porting_tables_name_is_in_their_program() {
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

#[test]
fn what_fits_in_what_is_what_the_formats_hold() {
    let source = include_str!("../src/generic.rs");
    let (_, table) = source.split_once("\nfits! {\n").expect("the table of `FitsIn`");
    let (table, _) = table.split_once('}').expect("its end");
    let told: Vec<(&str, Vec<&str>)> = table
        .split(';')
        .filter_map(|row| row.split_once("=>"))
        .map(|(from, to)| (from.trim(), to.split_whitespace().collect()))
        .collect();
    assert_eq!(told.len(), WITH_TYPE);
    for ((name, format, _), (from, to)) in STANDARD[..WITH_TYPE].iter().zip(told) {
        let holders = STANDARD[..WITH_TYPE].iter().filter(|other| other.0 != *name && other.1.holds(*format));
        assert_eq!((from, to), (*name, holders.map(|other| other.0).collect()), "what holds every `{name}`");
    }
}
