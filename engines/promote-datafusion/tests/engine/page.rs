//! The page of the types that each rule set gives and DataFusion does not: `docs/datafusion.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::common::{query, session};
use crate::pairs::{OPERATORS, is_uncomputed, of_rules};
use datafusion::arrow::array::{ArrayRef, Int8Array, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::Operator;
use datafusion::logical_expr::binary::BinaryTypeCoercer;
use datafusion::prelude::SessionContext;
use promote_arrow::{data_type_of, dtype_of};
use promote_datafusion::promote::{self, DType, Kind, Number, Op, Operand, PromoteError, RULE_SETS, RuleSet};

const COLUMNS: [DType; 12] = [
    DType::Bool,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::F16,
    DType::F32,
    DType::F64,
];

/// A literal of each kind, and its name on the page.
const LITERALS: [(&str, &str, Number); 3] = [
    ("true", "a literal boolean", Number::Bool(true)),
    ("2", "a literal integer", Number::Int(2)),
    ("2.5", "a literal float", Number::Float(2.5)),
];

/// The promotion of branches, among the operators.
const CASE: &str = "CASE";

/// An operand: a column, which has the name of its dtype, or a literal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Value(usize);

impl Value {
    fn all() -> impl Iterator<Item = Value> {
        (0..COLUMNS.len() + LITERALS.len()).map(Value)
    }

    fn column(self) -> Option<DType> {
        COLUMNS.get(self.0).copied()
    }

    fn sql(self) -> &'static str {
        self.column().map_or_else(|| LITERALS[self.0 - COLUMNS.len()].0, DType::name)
    }

    fn operand(self) -> Operand {
        let number = || Operand::Number(LITERALS[self.0 - COLUMNS.len()].2);
        self.column().map_or_else(number, Operand::Array)
    }

    /// Returns the words for operands of this kind: one, and any two of them.
    fn kind(self) -> [&'static str; 2] {
        match self.column().map(DType::kind) {
            Some(Kind::Bool) => ["a boolean", "two booleans"],
            Some(Kind::Float) => ["a float", "two floats"],
            Some(_) => ["an integer", "two integers"],
            None => [LITERALS[self.0 - COLUMNS.len()].1; 2],
        }
    }
}

/// A map in the order in which its keys were found.
type Found<K, V> = Vec<(K, V)>;

/// Returns the value of a key, which is added if it is new.
fn entry<K: PartialEq, V: Default>(found: &mut Found<K, V>, key: K) -> &mut V {
    let at = found.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
        found.push((key, V::default()));
        found.len() - 1
    });
    &mut found[at].1
}

/// A row of the page: operands, DataFusion's answers and those of a rule set.
type Row = [String; 3];

/// What DataFusion and a rule set say about a pair: a type, or `None` if they refuse it.
type Answers = [Option<String>; 2];

fn name(data_type: &DataType) -> String {
    if matches!(data_type, DataType::Decimal128(..)) {
        return "a decimal".to_owned();
    }
    dtype_of(data_type).map_or_else(|_| data_type.to_string(), |dtype| dtype.name().to_owned())
}

/// Returns the type that DataFusion's own rules give; for comparisons, the type that they compare in.
async fn engine(context: &SessionContext, operator: &str, [a, b]: [Value; 2]) -> Option<DataType> {
    let expr = match operator {
        CASE => format!("CASE WHEN bool THEN {} ELSE {} END", a.sql(), b.sql()),
        _ => format!("{} {operator} {}", a.sql(), b.sql()),
    };
    let found = query(context, &format!("SELECT {expr} FROM t")).await.ok()?;
    let output = found.column(0).data_type().clone();
    let compares = match operator {
        "=" => Operator::Eq,
        "<" => Operator::Lt,
        _ => return Some(output),
    };
    let of = |value: Value| match value.operand() {
        Operand::Number(Number::Bool(_)) => DataType::Boolean,
        Operand::Number(Number::Int(_)) => DataType::Int64,
        Operand::Number(_) => DataType::Float64,
        _ => data_type_of(value.column().unwrap()).unwrap(),
    };
    Some(BinaryTypeCoercer::new(&of(a), &compares, &of(b)).get_input_types().unwrap().0)
}

/// Returns the type that a rule set gives, or `theirs` if it has no answer; for comparisons, the type that it
/// compares in.
fn ours(
    rules: &RuleSet,
    operator: &str,
    op: Option<Op>,
    pair: [Value; 2],
    theirs: Option<&String>,
) -> Option<String> {
    let operands = pair.map(Value::operand);
    let found = match op.map(|op| of_rules(op, rules)) {
        None => rules.result_type(&operands).map(|found| found.dtype),
        Some(op) => match rules.op_types(op, &operands) {
            Ok(types) if is_uncomputed(rules, op, types.common) => return None,
            Ok(types) => Ok(if ["=", "<"].contains(&operator) { types.common } else { types.output }),
            Err(error) => Err(error),
        },
    };
    match found {
        Ok(dtype) => Some(data_type_of(dtype).map_or_else(|_| dtype.name().to_owned(), |found| name(&found))),
        Err(error) if error.is_unanswered() || matches!(error, PromoteError::Undefined { .. }) => {
            theirs.cloned()
        }
        Err(_) => None,
    }
}

/// Returns the pairs of a class of operands as text: the kinds if all pairs of the class are among them, and
/// otherwise the types.
fn operands(pairs: &BTreeSet<[Value; 2]>, class: usize) -> String {
    let [a, b] = pairs.first().expect("a pair").map(Value::kind);
    if pairs.len() == class {
        return if a == b { a[1].to_owned() } else { format!("{} and {}", a[0], b[0]) };
    }
    // Left operands with the same right operands share a line.
    let mut rights: BTreeMap<Value, Vec<&str>> = BTreeMap::new();
    for [a, b] in pairs {
        rights.entry(*a).or_default().push(b.sql());
    }
    let mut lines: Found<Vec<&str>, Vec<&str>> = Vec::new();
    for (left, rights) in rights {
        entry(&mut lines, rights).push(left.sql());
    }
    let lines = lines.iter().map(|(rights, lefts)| format!("{} with {}", lefts.join(" "), rights.join(" ")));
    lines.collect::<Vec<_>>().join("; ")
}

/// Returns the rows of the page for an operator under a rule set: the operands, and both answers.
fn rows(cells: &BTreeMap<[Value; 2], Answers>) -> Vec<Row> {
    let is_symmetric =
        |pair: &[Value; 2]| cells.get(&[pair[1], pair[0]]).is_some_and(|other| *other == cells[pair]);
    let mut classes: BTreeMap<[&str; 2], (usize, Vec<[Value; 2]>)> = BTreeMap::new();
    let mut order = Vec::new();
    for pair in cells.keys() {
        let kinds = pair.map(|value| value.kind()[0]);
        // Of two orders with equal answers the page has the first one.
        if pair[0] > pair[1] && is_symmetric(pair) {
            continue;
        }
        let class = classes.entry(kinds).or_default();
        if class.1.is_empty() && class.0 == 0 {
            order.push(kinds);
        }
        class.0 += 1;
        if cells[pair][0] != cells[pair][1] {
            class.1.push(*pair);
        }
    }
    let mut rows = Vec::new();
    for kinds in order {
        let (class, pairs) = &classes[&kinds];
        // A type that is always that of one operand needs no name.
        let word = |side: usize| {
            let of = |at: usize| {
                let is_of = |pair: &&[Value; 2]| cells[*pair][side].as_deref() == Some(pair[at].sql());
                kinds[0] != kinds[1]
                    && pairs.iter().filter(|pair| cells[*pair][side].is_some()).all(|pair| is_of(&pair))
            };
            (0..2).find(|at| of(*at)).map(|at| {
                format!("that of the {}", kinds[at].trim_start_matches("an ").trim_start_matches("a "))
            })
        };
        let words = [word(0), word(1)];
        let answer = |pair: &[Value; 2], side: usize| match &cells[pair][side] {
            None => "refused".to_owned(),
            Some(_) if words[side].is_some() => words[side].clone().unwrap_or_default(),
            Some(name) => name.clone(),
        };
        let mut groups: Found<(String, bool), BTreeSet<[Value; 2]>> = Vec::new();
        for pair in pairs {
            entry(&mut groups, (answer(pair, 1), is_symmetric(pair))).insert(*pair);
        }
        for ((ours, is_symmetric), pairs) in groups {
            let mut theirs: Vec<String> = Vec::new();
            for pair in &pairs {
                let answer = answer(pair, 0);
                if !theirs.contains(&answer) {
                    theirs.push(answer);
                }
            }
            let order = if is_symmetric { "" } else { ", in this order" };
            rows.push([operands(&pairs, *class) + order, theirs.join(", "), ours]);
        }
    }
    rows
}

/// Returns a session whose table has a row of ones.
fn ones() -> SessionContext {
    let (context, _) = session();
    let one = Int8Array::from(vec![1]);
    let columns = COLUMNS.map(|dtype| -> (&str, ArrayRef) {
        (dtype.name(), cast(&one, &data_type_of(dtype).unwrap()).unwrap())
    });
    context.register_batch("t", RecordBatch::try_from_iter(columns).unwrap()).unwrap();
    context
}

const HEAD: &str = "<!-- Written by engines/promote-datafusion/tests/engine/page.rs. -->
# What rule sets change in DataFusion

The types that each bundled rule set gives and DataFusion 55.2 does not. `SET promote.rules` applies a rule
set, by [promote-datafusion](../engines/promote-datafusion/README.md).

DataFusion computed each pair of column types, and each column with a literal, and the answers were compared
with the rule set under its default parameters. Types have their Rust names: `u8` is `UInt8`, `f16` is
`Float16`. `2` and `2.5` are literals. `=` stands for `<>`, too, and `<` for `<=`, `>` and `>=`. Their rows
have the type that both operands are compared in. `CASE` is the type of two branches, also those of
`coalesce`, `greatest` and `least`. Where a rule set has no answer, DataFusion's holds.

Rows hold for both orders of the operands, unless they say \"in this order\". The command
`promote diff datafusion torch --op multiply --dtypes i8,f32` prints single cells of rule sets, and names
their clauses. For a query of your own, compare the types in `EXPLAIN VERBOSE` under the rules `off` and
`torch`. [Values](../engines/promote-datafusion/README.md#values) differ as well, by the mode.

";

/// `PROMOTE_BLESS=1` writes the page anew.
#[tokio::test]
async fn the_page_has_what_each_rule_set_changes() {
    let context = ones();
    let operators = OPERATORS.iter().map(|(operator, op)| (*operator, Some(*op))).chain([(CASE, None)]);
    // All comparisons have the types of `=` or `<`.
    let operators: Vec<_> =
        operators.filter(|(operator, _)| !["<>", "<=", ">", ">="].contains(operator)).collect();
    let mut engine_answers = BTreeMap::new();
    for (operator, _) in &operators {
        for pair in Value::all().flat_map(|a| Value::all().map(move |b| [a, b])) {
            if pair.iter().any(|value| value.column().is_some()) {
                let found = engine(&context, operator, pair).await;
                engine_answers.insert((*operator, pair), found.as_ref().map(name));
            }
        }
    }
    let mut summary = String::new();
    // Rule sets with equal rows share a section, and operators with an equal row share the row.
    let mut sections: Found<Found<Row, Vec<&str>>, Vec<&str>> = Vec::new();
    for set in RULE_SETS {
        let rules = promote::rule_set(set).unwrap();
        let has = COLUMNS.map(|dtype| rules.result_type(&[Operand::Array(dtype)]).is_ok());
        let (mut different, mut all) = (0, 0);
        let mut section: Found<Row, Vec<&str>> = Vec::new();
        for (operator, op) in &operators {
            let pairs = engine_answers.iter().filter(|((known, pair), _)| {
                known == operator && pair.iter().all(|value| has.get(value.0).is_none_or(|has| *has))
            });
            let cells: BTreeMap<[Value; 2], Answers> = pairs
                .map(|((_, pair), theirs)| {
                    (*pair, [theirs.clone(), ours(&rules, operator, *op, *pair, theirs.as_ref())])
                })
                .collect();
            all += cells.len();
            different += cells.values().filter(|[theirs, ours]| theirs != ours).count();
            for row in rows(&cells) {
                entry(&mut section, row).push(operator);
            }
        }
        if *set == "datafusion" {
            assert_eq!(different, 0, "the rule set `datafusion` is not DataFusion's: {section:#?}");
            continue;
        }
        let _ = writeln!(summary, "| {set} | {different} of {all} |");
        entry(&mut sections, section).push(set);
    }
    let mut written = String::new();
    for (mut section, sets) in sections {
        let _ = write!(written, "\n## {}\n\n", sets.join(", "));
        written += "| operators | operands | DataFusion | the rule set |\n| --- | --- | --- | --- |\n";
        // Operators that share rows stand together.
        section.sort_by_key(|(_, shared)| operators.iter().position(|(operator, _)| *operator == shared[0]));
        for ([operands, theirs, ours], shared) in section {
            let shared = shared.join(" ").replace('|', "\\|");
            let _ = writeln!(written, "| `{shared}` | {operands} | {theirs} | {ours} |");
        }
    }
    let page = format!("{HEAD}| rule set | cells that differ |\n| --- | --- |\n{summary}{written}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/datafusion.md");
    if std::env::var_os("PROMOTE_BLESS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(page == written, "docs/datafusion.md differs: write it anew with PROMOTE_BLESS=1");
}
