//! A Python module of dictionaries and tuples, and its stub with overloads.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{About, Tables, commas};
use crate::terminal;

/// Returns the module.
pub(super) fn write(about: &About, tables: &Tables) -> String {
    let mut out = about.comment("#");
    let _ = write!(
        out,
        "\nDTYPES = ({},)\n\n# The row of each operand.\n_ROWS = {{\n",
        strings(tables.names.iter().map(String::as_str))
    );
    for row in &tables.rows {
        let _ = writeln!(out, "    {}: {},", string(&row.name), row.at);
    }
    let refused = tables.first_refusal();
    out.push_str("}\n\n# The dtypes of results, those of weakly typed ones with a star.\n");
    let results: Vec<String> = (0..refused).filter_map(|code| tables.result(code)).collect();
    let _ = writeln!(out, "_RESULTS = ({},)\n\n_REFUSALS = (", strings(results.iter().map(String::as_str)));
    for reason in &tables.refusals {
        let _ = writeln!(out, "    {},", string(reason));
    }
    out.push_str(
        ")\n\n# Two operands, the left one first. Numbers beyond the results are refusals.\n_PAIRS = (\n",
    );
    for table in &tables.pairs {
        out.push_str("    (\n");
        for (at, row) in table.cells.iter().enumerate() {
            let _ = writeln!(out, "        ({},),  # {}", commas(row), tables.names_of(at));
        }
        out.push_str("    ),\n");
    }
    out.push_str(")\n\n# One operand.\n_SINGLES = (\n");
    for table in &tables.singles {
        let _ = writeln!(out, "    ({},),", commas(&table.cells));
    }
    out.push_str(")\n");
    out.push_str(
        r#"

class Refused(TypeError):
    """The rule set refuses the operands. The message is its reason."""


def _row(operand):
    try:
        return _ROWS[operand]
    except KeyError:
        raise ValueError(f"{operand!r}: {_REFUSALS[0]}") from None


def _answer(cell):
    if cell >= len(_RESULTS):
        raise Refused(_REFUSALS[cell - len(_RESULTS)])
    return _RESULTS[cell]


class Binary:
    """A table of two operands. Operands are "i32" for an array, "i32[]" for one without axes, "i32*" for a
    weakly typed one, and "py_bool", "py_int", "py_float" and "py_complex" for numbers without a width."""

    def __init__(self, table):
        self.table = table

    def __call__(self, a, b):
        """Returns the dtype of the result, with a star if it is weakly typed."""
        return _answer(self.table[_row(a)][_row(b)])


class Unary:
    """A table of one operand."""

    def __init__(self, table):
        self.table = table

    def __call__(self, a):
        """Returns the dtype of the result, with a star if it is weakly typed."""
        return _answer(self.table[_row(a)])


def result(op, *operands):
    """Returns the dtype of the result of an op, or what two operands promote to if `op` is None."""
    return (promote if op is None else ops[op])(*operands)


promote = Binary(_PAIRS[0])

ops = {
"#,
    );
    for (name, list, tables) in [
        ("Binary", "_PAIRS", tables.pairs.iter().map(|table| &table.ops).collect::<Vec<_>>()),
        ("Unary", "_SINGLES", tables.singles.iter().map(|table| &table.ops).collect()),
    ] {
        for (at, ops) in tables.into_iter().enumerate() {
            for op in ops {
                let _ = writeln!(out, "    {}: {name}({list}[{at}]),", string(op));
            }
        }
    }
    out.push_str("}\n");
    out
}

/// Returns the stub of the module: each table is a protocol, whose overloads are the results that it gives.
pub(super) fn stub(about: &About, tables: &Tables) -> String {
    let mut out = about.comment("#");
    out.push_str(
        "\nfrom typing import Any, Final, Literal, NoReturn, Protocol, TypedDict, overload\n\n\
         DTYPES: Final[tuple[str, ...]]\n\nclass Refused(TypeError): ...\n\n\
         def result(op: str | None, *operands: str) -> str: ...\n",
    );
    for (at, table) in tables.pairs.iter().enumerate() {
        overloads(&mut out, &format!("_Pairs{at}"), pair_signatures(tables, &table.cells));
    }
    for (at, table) in tables.singles.iter().enumerate() {
        overloads(&mut out, &format!("_Singles{at}"), single_signatures(tables, &table.cells));
    }
    out.push_str("\npromote: _Pairs0\n\n_Ops = TypedDict(\n    \"_Ops\",\n    {\n");
    for (name, tables) in [
        ("_Pairs", tables.pairs.iter().map(|table| &table.ops).collect::<Vec<_>>()),
        ("_Singles", tables.singles.iter().map(|table| &table.ops).collect()),
    ] {
        for (at, ops) in tables.into_iter().enumerate() {
            for op in ops {
                let _ = writeln!(out, "        {}: {name}{at},", string(op));
            }
        }
    }
    out.push_str("    },\n)\nops: _Ops\n");
    out
}

/// Returns the parameters and the result of each overload. Rows that give a dtype for equal columns share an
/// overload.
fn pair_signatures(tables: &Tables, cells: &[Vec<usize>]) -> Vec<(String, String)> {
    let mut columns: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (at, row) in cells.iter().enumerate() {
        for (column, code) in row.iter().enumerate() {
            columns.entry((*code, at)).or_default().push(column);
        }
    }
    let mut rows: BTreeMap<(usize, Vec<usize>), Vec<usize>> = BTreeMap::new();
    for ((code, row), columns) in columns {
        rows.entry((code, columns)).or_default().push(row);
    }
    let signature = |((code, columns), rows): ((usize, Vec<usize>), Vec<usize>)| {
        let result = tables.result(code)?;
        Some((format!("a: {}, b: {}", literal(tables, &rows), literal(tables, &columns)), result))
    };
    rows.into_iter().filter_map(signature).collect()
}

fn single_signatures(tables: &Tables, cells: &[usize]) -> Vec<(String, String)> {
    let mut rows: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (row, code) in cells.iter().enumerate() {
        rows.entry(*code).or_default().push(row);
    }
    let signature = |(code, rows): (usize, Vec<usize>)| {
        Some((format!("a: {}", literal(tables, &rows)), tables.result(code)?))
    };
    rows.into_iter().filter_map(signature).collect()
}

/// Returns the type of the operands of rows.
fn literal(tables: &Tables, rows: &[usize]) -> String {
    let names = tables.rows.iter().filter(|row| rows.contains(&row.at)).map(|row| row.name.as_str());
    format!("Literal[{}]", strings(names))
}

/// Writes the protocol of a table. Operands that are refused match no overload.
fn overloads(out: &mut String, name: &str, signatures: Vec<(String, String)>) {
    let _ = writeln!(out, "\nclass {name}(Protocol):");
    let mark = if signatures.len() > 1 { "    @overload\n" } else { "" };
    if signatures.is_empty() {
        out.push_str("    def __call__(self, *operands: NoReturn) -> Any: ...\n");
    }
    for (parameters, result) in signatures {
        let _ =
            writeln!(out, "{mark}    def __call__(self, {parameters}) -> Literal[{}]: ...", string(&result));
    }
}

/// Returns a string literal, in ASCII.
fn string(text: &str) -> String {
    let letter = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        ' '..='~' => c.to_string(),
        _ => format!("\\U{:08x}", u32::from(c)),
    };
    format!("\"{}\"", terminal::line(text).chars().map(letter).collect::<String>())
}

fn strings<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts.map(string).collect::<Vec<_>>().join(", ")
}
