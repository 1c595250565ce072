//! A C++17 header: enums, constexpr tables, and the types that types promote to.

use std::fmt::Write as _;

use promote::DType;
use promote_core::__private::Category;

use super::{About, Shared, Tables, ascii, c_string, camel, commas, spelt, spelt_dtypes};
use crate::failure::Failure;

/// Returns the header.
pub(super) fn write(about: &About, tables: &Tables) -> Result<String, Failure> {
    let namespace = format!("{}_rules", ascii(about.rules).to_ascii_lowercase());
    let dtypes = spelt_dtypes(tables, camel)?;
    let (bits, count) = (tables.bits(), dtypes.len());
    let [binary, unary] = tables.ops();
    let mut out = about.comment("//");
    let _ = writeln!(
        out,
        "\n#pragma once\n\n#include <complex>\n#include <cstddef>\n#include <cstdint>\n#include <type_traits>\n\n\
         namespace {namespace} {{"
    );
    enumeration(&mut out, "DType", &dtypes);
    out.push_str("\n// A kind of numbers without a width.");
    enumeration(&mut out, "Number", &["Bool", "Int", "Float", "Complex"].map(str::to_owned));
    for (ops, name) in [(&binary, "BinaryOp"), (&unary, "UnaryOp")] {
        if !ops.is_empty() {
            enumeration(&mut out, name, &spelt("op", ops.iter().copied(), camel)?);
        }
    }
    let _ = writeln!(
        out,
        "\n// An operand. The functions below make it.\nstruct Operand {{\n    std::uint{bits}_t row;\n}};\n\n\
         // The dtype of a result, or the reason why the operands are refused.\n\
         struct Result {{\n    DType dtype;\n    \
         bool weak;\n    const char* refused; // null unless they are refused\n}};\n\nnamespace detail {{"
    );
    cells(&mut out, tables);
    let _ = writeln!(
        out,
        "}} // namespace detail\n\n// Returns the name of a dtype.\nconstexpr const char* name(DType dtype) {{"
    );
    let _ = writeln!(out, "    constexpr const char* names[{count}] = {{");
    for name in &tables.names {
        let _ = writeln!(out, "        {},", c_string(name));
    }
    out.push_str("    };\n    return names[static_cast<std::size_t>(dtype)];\n}\n");
    for (category, rows) in tables.categories() {
        let (name, what, of, variable) = constructor(category);
        let length = rows.len();
        let rows: Vec<usize> = rows.iter().map(|row| row.unwrap_or(tables.height)).collect();
        let _ = writeln!(
            out,
            "\n// {what}\nconstexpr Operand {name}({of} {variable}) {{\n    \
             constexpr std::uint{bits}_t rows[{length}] = {{{}}};\n    \
             return Operand{{rows[static_cast<std::size_t>({variable})]}};\n}}",
            commas(&rows)
        );
    }
    out.push_str(
        "\n// Returns what two operands promote to.\n\
         constexpr Result promote(Operand a, Operand b) {\n    return detail::pair(0, a, b);\n}\n",
    );
    look_up(&mut out, "BinaryOp", &tables.pairs, ("Operand a, Operand b", "pair", "a, b"), tables);
    look_up(&mut out, "UnaryOp", &tables.singles, ("Operand a", "single", "a"), tables);
    types(&mut out, tables, &dtypes, [!binary.is_empty(), !unary.is_empty()]);
    let _ = writeln!(out, "\n}} // namespace {namespace}");
    Ok(out)
}

fn enumeration(out: &mut String, name: &str, values: &[String]) {
    let _ = writeln!(out, "\nenum class {name} : std::uint8_t {{\n    {}\n}};", values.join(",\n    "));
}

/// Returns the function that makes an operand of a category, what it returns, and its argument.
fn constructor(category: Category) -> (&'static str, &'static str, &'static str, &'static str) {
    match category {
        Category::Array => ("array", "Returns an array as an operand.", "DType", "dtype"),
        Category::ZeroDim => ("zero_dim", "Returns an array without axes as an operand.", "DType", "dtype"),
        Category::Number => ("number", "Returns a number without a width as an operand.", "Number", "kind"),
        Category::Weak => ("weak", "Returns a weakly typed array as an operand.", "DType", "dtype"),
    }
}

/// Writes the tables, and the functions that read them.
fn cells(out: &mut String, tables: &Tables) {
    let (bits, height) = (tables.bits(), tables.height);
    let (count, refused) = (tables.dtypes.len(), tables.first_refusal());
    out.push_str("\ninline constexpr const char* refusals[] = {\n");
    for reason in &tables.refusals {
        let _ = writeln!(out, "    {},", c_string(reason));
    }
    let weak = if tables.weak { format!("cell >= {count}") } else { "false".to_owned() };
    let _ = writeln!(
        out,
        "}};\n\n// Two operands, the left one first.\n\
         inline constexpr std::uint{bits}_t pairs[{}][{height}][{height}] = {{",
        tables.pairs.len()
    );
    for table in &tables.pairs {
        out.push_str("    {\n");
        for (at, row) in table.cells.iter().enumerate() {
            let _ = writeln!(out, "        {{{}}}, // {}", commas(row), tables.names_of(at));
        }
        out.push_str("    },\n");
    }
    out.push_str("};\n");
    let _ = writeln!(
        out,
        "\nconstexpr Result answer(std::size_t cell) {{\n    \
         return cell < {refused} ? Result{{static_cast<DType>(cell % {count}), {weak}, nullptr}}\n        \
         : Result{{DType{{}}, false, refusals[cell - {refused}]}};\n}}\n\n\
         constexpr Result pair(std::size_t table, Operand a, Operand b) {{\n    \
         return a.row < {height} && b.row < {height} ? answer(pairs[table][a.row][b.row]) : answer({refused});\n}}"
    );
    if !tables.singles.is_empty() {
        let _ = writeln!(
            out,
            "\n// One operand.\ninline constexpr std::uint{bits}_t singles[{}][{height}] = {{",
            tables.singles.len()
        );
        for table in &tables.singles {
            let _ = writeln!(out, "    {{{}}},", commas(&table.cells));
        }
        let _ = writeln!(
            out,
            "}};\n\nconstexpr Result single(std::size_t table, Operand a) {{\n    \
             return a.row < {height} ? answer(singles[table][a.row]) : answer({refused});\n}}"
        );
    }
    out.push('\n');
}

/// Writes the function from an op to the answer of its table.
fn look_up<T>(
    out: &mut String,
    name: &str,
    shared: &[Shared<T>],
    (parameters, reads, arguments): (&str, &str, &str),
    tables: &Tables,
) {
    if shared.iter().all(|table| table.ops.is_empty()) {
        return;
    }
    let _ = writeln!(
        out,
        "\n// Returns the dtype of the result of an op.\n\
         constexpr Result result({name} op, {parameters}) {{\n    switch (op) {{"
    );
    for (at, table) in shared.iter().enumerate().filter(|(_, table)| !table.ops.is_empty()) {
        for op in &table.ops {
            let _ = writeln!(out, "    case {name}::{}:", camel(op));
        }
        let _ = writeln!(out, "        return detail::{reads}({at}, {arguments});");
    }
    let _ = writeln!(out, "    }}\n    return detail::answer({});\n}}", tables.first_refusal());
}

/// Writes what connects dtypes with types, and the results of ops on types.
fn types(out: &mut String, tables: &Tables, dtypes: &[String], [binary, unary]: [bool; 2]) {
    out.push_str(
        "\n// A type that stands for a dtype without a type of the standard library.\n\
         template <DType D> struct tag {\n    static constexpr DType dtype = D;\n};\n\n\
         // The dtype of a type. Specialize it for types of your own:\n\
         // `template <> struct dtype_of<half> : tag<DType::F16> {};`\n\
         template <class T> struct dtype_of {};\n\
         template <DType D> struct dtype_of<tag<D>> : tag<D> {};\n",
    );
    let known: Vec<(&String, &str)> = dtypes
        .iter()
        .zip(&tables.dtypes)
        .filter_map(|(name, dtype)| Some((name, standard(*dtype)?)))
        .collect();
    for (name, of) in &known {
        let _ = writeln!(out, "template <> struct dtype_of<{of}> : tag<DType::{name}> {{}};");
    }
    out.push_str(
        "\n// The type of a dtype. Specialize it for types of your own before its first use.\n\
         template <DType D> struct type_of {\n    using type = tag<D>;\n};\n",
    );
    for (name, of) in &known {
        let _ = writeln!(out, "template <> struct type_of<DType::{name}> {{\n    using type = {of};\n}};");
    }
    out.push_str(
        "\n// The type of a result. There is none if the operands are refused.\n\
         template <bool Refused, DType D> struct type_unless : type_of<D> {};\n\
         template <DType D> struct type_unless<true, D> {};\n\n\
         template <class T> inline constexpr Operand array_of = array(dtype_of<T>::dtype);\n",
    );
    let alias = |out: &mut String, what: &str, template: &str, name: &str, result: &str| {
        let _ = writeln!(
            out,
            "\n// {what}\ntemplate <{template}>\nusing {name} =\n    \
             typename type_unless<{result}.refused != nullptr, {result}.dtype>::type;"
        );
    };
    let promoted = "promote(array_of<A>, array_of<B>)";
    alias(out, "The type that two types promote to, as arrays.", "class A, class B", "promote_t", promoted);
    if binary {
        let result = "result(Op, array_of<A>, array_of<B>)";
        alias(
            out,
            "The type of the result of an op on two arrays.",
            "BinaryOp Op, class A, class B",
            "binary_t",
            result,
        );
    }
    if unary {
        let result = "result(Op, array_of<A>)";
        alias(out, "The type of the result of an op on one array.", "UnaryOp Op, class A", "unary_t", result);
    }
}

/// Returns the C++ type of a dtype; `None` if the standard library has none in C++17.
fn standard(dtype: DType) -> Option<&'static str> {
    Some(match dtype {
        DType::Bool => "bool",
        DType::U8 => "std::uint8_t",
        DType::U16 => "std::uint16_t",
        DType::U32 => "std::uint32_t",
        DType::U64 => "std::uint64_t",
        DType::I8 => "std::int8_t",
        DType::I16 => "std::int16_t",
        DType::I32 => "std::int32_t",
        DType::I64 => "std::int64_t",
        DType::F32 => "float",
        DType::F64 => "double",
        DType::C64 => "std::complex<float>",
        DType::C128 => "std::complex<double>",
        _ => return None,
    })
}
