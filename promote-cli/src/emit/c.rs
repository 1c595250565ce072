//! A C99 header: enums, constant tables, and inline functions.

use std::fmt::Write as _;

use promote_core::__private::Category;

use super::{About, Shared, Tables, ascii, c_string, capitals, commas, spelt, spelt_dtypes};
use crate::failure::Failure;

/// Returns the header.
pub(super) fn write(about: &About, tables: &Tables) -> Result<String, Failure> {
    let prefix = ascii(about.rules).to_ascii_lowercase();
    let p = prefix.as_str();
    let upper = p.to_uppercase();
    let dtype_name = |name: &str| format!("{upper}_DTYPE_{}", capitals(name));
    let dtypes = spelt_dtypes(tables, dtype_name)?;
    let count = dtypes.len();
    let categories = tables.categories();
    let bits = tables.bits();
    let mut out = about.comment("//");
    let _ = writeln!(
        out,
        "\n#ifndef {upper}_RULES_H\n#define {upper}_RULES_H\n\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>"
    );
    enumeration(&mut out, &format!("{p}_dtype"), &dtypes);
    let _ = writeln!(out, "\n#define {upper}_DTYPES {count}");
    out.push_str("\n// A kind of numbers without a width.");
    let kinds = ["BOOL", "INT", "FLOAT", "COMPLEX"].map(|kind| format!("{upper}_NUMBER_{kind}"));
    enumeration(&mut out, &format!("{p}_number_kind"), &kinds);
    for (ops, name) in tables.ops().iter().zip(["binary", "unary"]) {
        if !ops.is_empty() {
            let ops = spelt("op", ops.iter().copied(), |op| format!("{upper}_OP_{}", capitals(op)))?;
            enumeration(&mut out, &format!("{p}_{name}_op"), &ops);
        }
    }
    let _ = writeln!(
        out,
        "\n// An operand. The functions below make it.\ntypedef struct {{\n    uint{bits}_t row;\n}} {p}_operand;\n\n\
         // The dtype of a result, or the reason why the operands are refused.\ntypedef struct {{\n    \
         {p}_dtype dtype;\n    bool weak;\n    const char *refused; // NULL unless they are refused\n}} {p}_result;\n\n\
         // Returns the name of a dtype.\nstatic inline const char *{p}_dtype_name({p}_dtype dtype) {{\n    \
         static const char *const names[{count}] = {{"
    );
    for name in &tables.names {
        let _ = writeln!(out, "        {},", c_string(name));
    }
    let _ = writeln!(out, "    }};\n    return (size_t)dtype < {count} ? names[dtype] : \"?\";\n}}");
    for (category, rows) in &categories {
        let (name, what, of, variable) = constructor(*category);
        let length = rows.len();
        let rows: Vec<usize> = rows.iter().map(|row| row.unwrap_or(tables.height)).collect();
        let _ = writeln!(
            out,
            "\n// {what}\nstatic inline {p}_operand {p}_{name}({p}_{of} {variable}) {{\n    \
             static const uint{bits}_t rows[{length}] = {{{}}};\n    \
             {p}_operand operand = {{{}}};\n    \
             if ((size_t){variable} < {length}) operand.row = rows[{variable}];\n    return operand;\n}}",
            commas(&rows),
            tables.height
        );
    }
    answer(&mut out, p, tables);
    pairs(&mut out, p, tables);
    if !tables.singles.is_empty() {
        singles(&mut out, p, tables);
    }
    out.push_str("\n#endif\n");
    Ok(out)
}

fn enumeration(out: &mut String, name: &str, values: &[String]) {
    let _ = writeln!(out, "\ntypedef enum {{\n    {}\n}} {name};", values.join(",\n    "));
}

/// Returns the function that makes an operand of a category, what it returns, and its argument.
fn constructor(category: Category) -> (&'static str, &'static str, &'static str, &'static str) {
    match category {
        Category::Array => ("array", "Returns an array as an operand.", "dtype", "dtype"),
        Category::ZeroDim => ("zero_dim", "Returns an array without axes as an operand.", "dtype", "dtype"),
        Category::Number => {
            ("number", "Returns a number without a width as an operand.", "number_kind", "kind")
        }
        Category::Weak => ("weak", "Returns a weakly typed array as an operand.", "dtype", "dtype"),
    }
}

/// Writes the function from a cell to a result.
fn answer(out: &mut String, p: &str, tables: &Tables) {
    let (count, refused) = (tables.dtypes.len(), tables.first_refusal());
    let _ = writeln!(
        out,
        "\nstatic inline {p}_result {p}_answer_(size_t cell) {{\n    static const char *const refusals[{}] = {{",
        tables.refusals.len()
    );
    for reason in &tables.refusals {
        let _ = writeln!(out, "        {},", c_string(reason));
    }
    let weak = if tables.weak { format!("cell >= {count}") } else { "false".to_owned() };
    let _ = writeln!(
        out,
        "    }};\n    {p}_result result = {{({p}_dtype)0, false, NULL}};\n    if (cell < {refused}) {{\n        \
         result.dtype = ({p}_dtype)(cell % {count});\n        result.weak = {weak};\n    }} else {{\n        \
         result.refused = refusals[cell - {refused}];\n    }}\n    return result;\n}}"
    );
}

/// Writes the tables of two operands, and the functions that read them.
fn pairs(out: &mut String, p: &str, tables: &Tables) {
    let (bits, height, refused) = (tables.bits(), tables.height, tables.first_refusal());
    let _ = writeln!(
        out,
        "\nstatic inline {p}_result {p}_pair_(size_t table, {p}_operand a, {p}_operand b) {{\n    \
         static const uint{bits}_t cells[{}][{height}][{height}] = {{",
        tables.pairs.len()
    );
    for table in &tables.pairs {
        out.push_str("        {\n");
        for (at, row) in table.cells.iter().enumerate() {
            let _ = writeln!(out, "            {{{}}}, // {}", commas(row), tables.names_of(at));
        }
        out.push_str("        },\n");
    }
    let _ = writeln!(
        out,
        "    }};\n    if (a.row >= {height} || b.row >= {height}) return {p}_answer_({refused});\n    \
         return {p}_answer_(cells[table][a.row][b.row]);\n}}\n\n\
         // Returns what two operands promote to.\n\
         static inline {p}_result {p}_promote({p}_operand a, {p}_operand b) {{\n    return {p}_pair_(0, a, b);\n}}"
    );
    look_up(out, p, "binary", &tables.pairs, ("a, {}_operand b", "a, b"), "pair", refused);
}

/// Writes the tables of one operand, and the functions that read them.
fn singles(out: &mut String, p: &str, tables: &Tables) {
    let (bits, height, refused) = (tables.bits(), tables.height, tables.first_refusal());
    let _ = writeln!(
        out,
        "\nstatic inline {p}_result {p}_single_(size_t table, {p}_operand a) {{\n    \
         static const uint{bits}_t cells[{}][{height}] = {{",
        tables.singles.len()
    );
    for table in &tables.singles {
        let _ = writeln!(out, "        {{{}}},", commas(&table.cells));
    }
    let _ = writeln!(
        out,
        "    }};\n    if (a.row >= {height}) return {p}_answer_({refused});\n    \
         return {p}_answer_(cells[table][a.row]);\n}}"
    );
    look_up(out, p, "unary", &tables.singles, ("a", "a"), "single", refused);
}

/// Writes the function from an op to the answer of its table.
fn look_up<T>(
    out: &mut String,
    p: &str,
    name: &str,
    tables: &[Shared<T>],
    (parameters, arguments): (&str, &str),
    reads: &str,
    refused: usize,
) {
    if tables.iter().all(|table| table.ops.is_empty()) {
        return;
    }
    let parameters = parameters.replace("{}", p);
    let _ = writeln!(
        out,
        "\n// Returns the dtype of the result of an op.\n\
         static inline {p}_result {p}_{name}({p}_{name}_op op, {p}_operand {parameters}) {{\n    switch (op) {{"
    );
    let upper = p.to_uppercase();
    for (at, table) in tables.iter().enumerate().filter(|(_, table)| !table.ops.is_empty()) {
        for op in &table.ops {
            let _ = writeln!(out, "    case {upper}_OP_{}:", capitals(op));
        }
        let _ = writeln!(out, "        return {p}_{reads}_({at}, {arguments});");
    }
    let _ = writeln!(out, "    }}\n    return {p}_answer_({refused});\n}}");
}
