//! A Rust module without dependencies: enums, and constant functions on tables.

use std::fmt::Write as _;

use promote_core::__private::Category;

use super::{About, Shared, Tables, camel, commas, spelt, spelt_dtypes};
use crate::failure::Failure;

/// Returns the source file.
pub(super) fn write(about: &About, tables: &Tables) -> Result<String, Failure> {
    let rules = about.rules;
    let dtypes = spelt_dtypes(tables, camel)?;
    let categories = tables.categories();
    let mut out = about.comment("//");
    out.push_str("\n#![allow(dead_code)]\n");
    enumeration(&mut out, "DType", &format!("A dtype of {rules}."), &dtypes, &names(tables));
    out.push_str(
        "\n/// A kind of numbers without a width.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n\
         pub enum Number {\n    Bool,\n    Int,\n    Float,\n    Complex,\n}\n",
    );
    out.push_str(
        "\n/// An operand.\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\npub enum Operand {\n",
    );
    for (category, _) in &categories {
        let (name, what, _) = variant(*category);
        let of = if *category == Category::Number { "Number" } else { "DType" };
        let _ = writeln!(out, "    /// {what}\n    {name}({of}),");
    }
    out.push_str("}\n");
    out.push_str(
        "\n/// The dtype of a result.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n\
         pub struct ResultType {\n    pub dtype: DType,\n    \
         /// True if the result is weakly typed.\n    pub weak: bool,\n}\n",
    );
    let _ = writeln!(
        out,
        "\n/// Returns what two operands promote to, or the reason why they are refused.\n\
         pub const fn promote(a: Operand, b: Operand) -> Result<ResultType, &'static str> {{\n    \
         pair(0, a, b)\n}}"
    );
    ops(&mut out, "BinaryOp", "two operands", &tables.pairs, "a: Operand, b: Operand", "pair(table, a, b)")?;
    ops(&mut out, "UnaryOp", "one operand", &tables.singles, "a: Operand", "single(table, a)")?;
    look_up(&mut out, tables);
    out.push_str("\nconst fn row(operand: Operand) -> usize {\n    match operand {\n");
    for (category, _) in &categories {
        let (name, _, of) = variant(*category);
        let _ = writeln!(out, "        Operand::{name}({of}) => {}[{of} as usize],", list(*category));
    }
    out.push_str("    }\n}\n\n// The row of each operand.\n");
    for (category, rows) in &categories {
        let rows: Vec<usize> = rows.iter().map(|row| row.unwrap_or(tables.height)).collect();
        let _ = writeln!(out, "const {}: &[usize; {}] = &[{}];", list(*category), rows.len(), commas(&rows));
    }
    out.push_str("\n// Why operands are refused.\nconst REFUSALS: &[&str] = &[\n");
    for reason in &tables.refusals {
        let _ = writeln!(out, "    \"{}\",", reason.escape_default());
    }
    let (bits, height) = (tables.bits(), tables.height);
    let _ = writeln!(
        out,
        "];\n\n// Two operands, the left one first.\nconst PAIRS: &[[[u{bits}; {height}]; {height}]] = &["
    );
    for table in &tables.pairs {
        out.push_str("    [\n");
        for (at, row) in table.cells.iter().enumerate() {
            let _ = writeln!(out, "        [{}], // {}", commas(row), tables.names_of(at));
        }
        out.push_str("    ],\n");
    }
    out.push_str("];\n");
    if !tables.singles.is_empty() {
        let _ = writeln!(out, "\n// One operand.\nconst SINGLES: &[[u{bits}; {height}]] = &[");
        for table in &tables.singles {
            let _ = writeln!(out, "    [{}],", commas(&table.cells));
        }
        out.push_str("];\n");
    }
    Ok(out)
}

fn names(tables: &Tables) -> Vec<&str> {
    tables.names.iter().map(String::as_str).collect()
}

/// Returns the variant of a category of operands, what it is, and the variable in it.
fn variant(category: Category) -> (&'static str, &'static str, &'static str) {
    match category {
        Category::Array => ("Array", "An array.", "dtype"),
        Category::ZeroDim => ("ZeroDim", "An array without axes.", "dtype"),
        Category::Number => ("Number", "A number without a width.", "number"),
        Category::Weak => ("Weak", "A weakly typed array.", "dtype"),
    }
}

/// Returns the constant that has the rows of a category.
fn list(category: Category) -> String {
    format!("{}_ROWS", category.name().to_uppercase())
}

/// Writes an enum with all its values and their names.
fn enumeration(out: &mut String, name: &str, what: &str, variants: &[String], names: &[&str]) {
    let count = variants.len();
    let _ =
        writeln!(out, "\n/// {what}\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\npub enum {name} {{");
    for variant in variants {
        let _ = writeln!(out, "    {variant},");
    }
    let _ = writeln!(out, "}}\n\nimpl {name} {{\n    pub const ALL: [{name}; {count}] = [");
    for variant in variants {
        let _ = writeln!(out, "        {name}::{variant},");
    }
    out.push_str("    ];\n\n    pub const fn name(self) -> &'static str {\n        match self {\n");
    for (variant, spelt) in variants.iter().zip(names) {
        let _ = writeln!(out, "            {name}::{variant} => \"{}\",", spelt.escape_default());
    }
    out.push_str("        }\n    }\n}\n");
}

/// Writes the enum of ops with one number of operands, and the match from an op to its table.
fn ops<T>(
    out: &mut String,
    name: &str,
    operands: &str,
    tables: &[Shared<T>],
    arguments: &str,
    look_up: &str,
) -> Result<(), Failure> {
    let ops: Vec<&str> = tables.iter().flat_map(|table| table.ops.iter().copied()).collect();
    if ops.is_empty() {
        return Ok(());
    }
    let variants = spelt("op", ops.iter().copied(), camel)?;
    enumeration(out, name, &format!("An op with {operands}."), &variants, &ops);
    let _ = writeln!(
        out,
        "\nimpl {name} {{\n    /// Returns the dtype of the result, or the reason why the operands are refused.\n    \
         pub const fn result(self, {arguments}) -> Result<ResultType, &'static str> {{\n        \
         let table = match self {{"
    );
    for (at, table) in tables.iter().enumerate().filter(|(_, table)| !table.ops.is_empty()) {
        let ops: Vec<String> = table.ops.iter().map(|op| format!("{name}::{}", camel(op))).collect();
        let _ = writeln!(out, "            {} => {at},", ops.join(" | "));
    }
    let _ = writeln!(out, "        }};\n        {look_up}\n    }}\n}}");
    Ok(())
}

/// Writes the functions that read the tables.
fn look_up(out: &mut String, tables: &Tables) {
    let (height, count, refused) = (tables.height, tables.dtypes.len(), tables.first_refusal());
    let _ = writeln!(
        out,
        "\nconst fn pair(table: usize, a: Operand, b: Operand) -> Result<ResultType, &'static str> {{\n    \
             let (a, b) = (row(a), row(b));\n    \
             if a == {height} || b == {height} {{\n        return Err(REFUSALS[0]);\n    }}\n    \
             answer(PAIRS[table][a][b] as usize)\n}}"
    );
    if !tables.singles.is_empty() {
        let _ = writeln!(
            out,
            "\nconst fn single(table: usize, a: Operand) -> Result<ResultType, &'static str> {{\n    \
                 let a = row(a);\n    \
                 if a == {height} {{\n        return Err(REFUSALS[0]);\n    }}\n    \
                 answer(SINGLES[table][a] as usize)\n}}"
        );
    }
    let weak = if tables.weak {
        format!("Ok(ResultType {{ dtype: DType::ALL[cell % {count}], weak: cell >= {count} }})")
    } else {
        "Ok(ResultType { dtype: DType::ALL[cell], weak: false })".to_owned()
    };
    let codes = if tables.weak {
        format!("Cells below {count} are dtypes, below {refused} weak ones, and then refusals.")
    } else {
        format!("Cells below {count} are dtypes, and then refusals.")
    };
    let _ = writeln!(
        out,
        "\n// {codes}\nconst fn answer(cell: usize) -> Result<ResultType, &'static str> {{\n    \
             if cell < {refused} {{\n        {weak}\n    }} else {{\n        Err(REFUSALS[cell - {refused}])\n    }}\n}}"
    );
}
