//! `promote emit`: each source file is compiled, and a small program prints every cell of its tables. They
//! equal what the rule set answers.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use promote::{DType, Number, Op, Operand, PromoteError};
use promote_cli::load::{BaseArgs, FileArgs, Loaded};
use promote_cli::names::NamesArgs;
use promote_rules::bundled::BUNDLED;
use serde_json::Value;
use tempfile::TempDir;

use crate::{promote, repository};

const NUMBERS: [(&str, Number); 4] = [
    ("py_bool", Number::Bool(true)),
    ("py_int", Number::Int(1)),
    ("py_float", Number::Float(1.0)),
    ("py_complex", Number::Complex(1.0, 1.0)),
];

/// A rule set, as the command line and as the library know it.
struct Rules {
    argument: String,
    loaded: Loaded,
    weak: bool,
}

impl Rules {
    fn new(argument: &str) -> Rules {
        let loaded = FileArgs::new(argument, &BaseArgs::default(), &NamesArgs::default())
            .load(&[])
            .expect("a rule set");
        let weak = loaded.compiled.rules.order.contains(&promote_rules::model::Category::Weak);
        Rules { argument: argument.to_owned(), loaded, weak }
    }

    /// The rule sets whose source files are compiled: the best known ones, one with weak arrays, one without
    /// ops, and one with custom dtypes.
    fn compiled() -> Vec<Rules> {
        let file = repository("examples/custom_dtype.rs");
        let file = file.to_str().expect("UTF-8");
        ["torch", "numpy", "jax", "openvino", file].map(Rules::new).into_iter().collect()
    }

    fn bundled() -> Vec<Rules> {
        BUNDLED.iter().map(|bundled| Rules::new(bundled.name)).collect()
    }

    /// Writes the source file, and returns its folder.
    fn emit(&self, language: &str, file: &str) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(file);
        let path = path.to_str().expect("UTF-8");
        promote(&["emit", &self.argument, "--lang", language, "-o", path]).told();
        folder
    }

    /// The name of the rule set in capitals and in small letters, as C and C++ have it.
    fn prefixes(&self) -> (String, String) {
        let name = self.loaded.rules.name();
        (name.to_uppercase(), name.to_lowercase())
    }

    fn dtypes(&self) -> &'static [DType] {
        self.loaded.rules.tables().dtypes
    }

    fn operands(&self) -> Vec<(String, Operand)> {
        let dtypes = || self.dtypes().iter().copied();
        let mut operands: Vec<_> = dtypes().map(|d| (d.to_string(), Operand::Array(d))).collect();
        operands.extend(dtypes().map(|d| (format!("{d}[]"), Operand::ZeroDim(d, None))));
        operands.extend(NUMBERS.map(|(name, number)| (name.to_owned(), Operand::Number(number))));
        if self.weak {
            operands.extend(dtypes().map(|d| (format!("{d}*"), Operand::Weak(d))));
        }
        operands
    }

    /// The ops with two operands and those with one.
    fn ops(&self) -> [Vec<Op>; 2] {
        let ops = || self.loaded.rules.tables().ops.iter().map(|table| table.op);
        let one = |op: &Op| op.arity() == 1 || matches!(op, Op::Custom(custom) if custom.has_kernels());
        [ops().filter(|op| !one(op)).collect(), ops().filter(one).collect()]
    }

    /// The result as the programs print it: a dtype, with a star if it is weak, or the reason of a refusal.
    fn answer(&self, op: Option<Op>, operands: &[Operand]) -> String {
        let rules = &self.loaded.rules;
        let unknown = |a: &Operand| matches!(rules.explain(None, &[*a]), Err(PromoteError::Undefined { .. }));
        if operands.iter().any(unknown) {
            return format!("{} has no such operand, or the tables were written without it", rules.name());
        }
        // The second operand stands for all that follow.
        let mut operands = operands.to_vec();
        if let ([_, second], Some(op)) = (&operands[..], op) {
            let second = *second;
            operands.resize(op.arity(), second);
        }
        match rules.explain(op, &operands) {
            Ok(found) => format!("{}{}", found.result.dtype, if found.result.weak { "*" } else { "" }),
            Err(PromoteError::Refused { reason, .. }) => reason.to_owned(),
            Err(other) => other.to_string().split("; help: ").next().expect("a text").to_owned(),
        }
    }

    /// Every cell: a line for each op and left operand, with the results for each right one.
    fn expected(&self) -> String {
        let operands = self.operands();
        let [binary, unary] = self.ops();
        let mut lines = String::new();
        for op in [None].into_iter().chain(binary.into_iter().map(Some)) {
            for (_, a) in &operands {
                let _ = write!(lines, "{}", op.map_or("promote", Op::name));
                for (_, b) in &operands {
                    let _ = write!(lines, "|{}", self.answer(op, &[*a, *b]));
                }
                lines.push('\n');
            }
        }
        for op in unary {
            lines.push_str(op.name());
            for (_, a) in &operands {
                let _ = write!(lines, "|{}", self.answer(Some(op), &[*a]));
            }
            lines.push('\n');
        }
        lines
    }

    /// Compares what a program printed.
    fn compare(&self, language: &str, printed: &str) {
        let expected = self.expected();
        let lines = |text: &'_ str| text.lines().count();
        for (at, (found, wanted)) in printed.lines().zip(expected.lines()).enumerate() {
            if found != wanted {
                let cells = found.split('|').zip(wanted.split('|')).zip(self.operands());
                let differing: Vec<_> =
                    cells.filter(|((found, wanted), _)| found != wanted).take(3).collect();
                panic!("{} in {language}, line {at}: {differing:?}", self.argument);
            }
        }
        assert_eq!(lines(printed), lines(&expected), "{} in {language}", self.argument);
    }
}

/// Runs a program; `None` if there is none of this name, which `.ci/run` counts.
fn run(program: &str, args: &[&str], folder: &Path) -> Option<String> {
    let output = match Command::new(program).args(args).current_dir(folder).output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            skip(program);
            return None;
        }
        Err(error) => panic!("{program}: {error}"),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success() && error.is_empty(), "{program} {args:?}\n{error}\n{out}");
    Some(out)
}

/// Notes that a tool is missing, as `.ci/skip` does.
fn skip(tool: &str) {
    eprintln!("not run: source files for which `{tool}` is missing");
    if let Some(file) = std::env::var_os("PROMOTE_SKIPPED").filter(|file| !file.is_empty()) {
        let noted = fs::OpenOptions::new().append(true).create(true).open(file);
        let line = format!("promote emit: {tool} is missing; help: install it\n");
        noted.and_then(|mut file| std::io::Write::write_all(&mut file, line.as_bytes())).expect("a list");
    }
}

fn camel(name: &str) -> String {
    name.split('_')
        .map(|word| word[..word.len().min(1)].to_uppercase() + &word[word.len().min(1)..])
        .collect()
}

#[test]
fn rust_modules_have_every_cell() {
    for rules in Rules::compiled() {
        let folder = rules.emit("rust", "tables.rs");
        let [binary, unary] = rules.ops();
        let mut program = "mod tables;\nuse std::io::Write as _;\nuse tables::*;\n\
            // Constants can ask, too.\n\
            const _: Result<ResultType, &str> = promote(Operand::Array(DType::ALL[0]), Operand::Number(Number::Int));\n\
            fn main() -> std::io::Result<()> {\n\
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());\n\
            let kinds = [Number::Bool, Number::Int, Number::Float, Number::Complex];\n\
            let mut operands: Vec<Operand> = DType::ALL.map(Operand::Array).to_vec();\n\
            operands.extend(DType::ALL.map(Operand::ZeroDim));\n\
            operands.extend(kinds.map(Operand::Number));\n"
            .to_owned();
        if rules.weak {
            program.push_str("operands.extend(DType::ALL.map(Operand::Weak));\n");
        }
        program.push_str(
            "let text = |found: Result<ResultType, &str>| match found {\n\
             Ok(found) => format!(\"|{}{}\", found.dtype.name(), if found.weak { \"*\" } else { \"\" }),\n\
             Err(reason) => format!(\"|{reason}\"),\n};\n\
             for a in &operands {\nwrite!(out, \"promote\")?;\n\
             for b in &operands { write!(out, \"{}\", text(promote(*a, *b)))?; }\nwriteln!(out)?;\n}\n",
        );
        // In the order of the rule set, which the module need not have.
        let list = |name: &str, ops: &[Op]| {
            let ops: Vec<String> = ops.iter().map(|op| format!("{name}::{}", camel(op.name()))).collect();
            ops.join(", ")
        };
        if !binary.is_empty() {
            let _ = writeln!(
                program,
                "assert_eq!(BinaryOp::ALL.len(), {});\n\
                 for op in [{}] {{ for a in &operands {{\nwrite!(out, \"{{}}\", op.name())?;\n\
                 for b in &operands {{ write!(out, \"{{}}\", text(op.result(*a, *b)))?; }}\nwriteln!(out)?;\n}} }}",
                binary.len(),
                list("BinaryOp", &binary)
            );
        }
        if !unary.is_empty() {
            let _ = writeln!(
                program,
                "assert_eq!(UnaryOp::ALL.len(), {});\nfor op in [{}] {{\nwrite!(out, \"{{}}\", op.name())?;\n\
                 for a in &operands {{ write!(out, \"{{}}\", text(op.result(*a)))?; }}\nwriteln!(out)?;\n}}",
                unary.len(),
                list("UnaryOp", &unary)
            );
        }
        program.push_str("Ok(())\n}\n");
        fs::write(folder.path().join("main.rs"), program).expect("a file");
        fs::write(folder.path().join("lib.rs"), "#![no_std]\nmod tables;\n").expect("a file");
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
        let strict = ["--edition", "2021", "-D", "warnings"];
        let library = [&strict[..], &["--crate-type", "lib", "--emit", "metadata", "lib.rs"]].concat();
        let Some(_) = run(&rustc, &library, folder.path()) else { return };
        run(&rustc, &[&strict[..], &["main.rs"]].concat(), folder.path());
        let program = folder.path().join("main");
        let printed = run(program.to_str().expect("UTF-8"), &[], folder.path()).expect("it is compiled");
        rules.compare("Rust", &printed);
    }
}

#[test]
fn c_headers_have_every_cell() {
    for rules in Rules::compiled() {
        let folder = rules.emit("c", "tables.h");
        let (upper, p) = rules.prefixes();
        let [binary, unary] = rules.ops();
        let weak = if rules.weak { "4" } else { "3" };
        let make_weak =
            if rules.weak { format!("operands[count++] = {p}_weak(dtype);") } else { String::new() };
        let mut program = format!(
            "#include \"tables.h\"\n#include \"tables.h\"\n#include <stdio.h>\n\
             static void print({p}_result found) {{\n\
             if (found.refused) printf(\"|%s\", found.refused);\n\
             else printf(\"|%s%s\", {p}_dtype_name(found.dtype), found.weak ? \"*\" : \"\");\n}}\n\
             int main(void) {{\n\
             static {p}_operand operands[{weak} * {upper}_DTYPES + 4];\nint count = 0, i, a, b;\n\
             for (i = 0; i < {upper}_DTYPES; i++) operands[count++] = {p}_array(({p}_dtype)i);\n\
             for (i = 0; i < {upper}_DTYPES; i++) operands[count++] = {p}_zero_dim(({p}_dtype)i);\n\
             for (i = 0; i < 4; i++) operands[count++] = {p}_number(({p}_number_kind)i);\n\
             for (i = 0; i < {upper}_DTYPES; i++) {{ {p}_dtype dtype = ({p}_dtype)i; (void)dtype; {make_weak} }}\n\
             for (a = 0; a < count; a++) {{\nprintf(\"promote\");\n\
             for (b = 0; b < count; b++) print({p}_promote(operands[a], operands[b]));\nprintf(\"\\n\");\n}}\n"
        );
        for op in &binary {
            let _ = writeln!(
                program,
                "for (a = 0; a < count; a++) {{\nprintf(\"{op}\");\n\
                 for (b = 0; b < count; b++) print({p}_binary({upper}_OP_{}, operands[a], operands[b]));\n\
                 printf(\"\\n\");\n}}",
                op.name().to_uppercase()
            );
        }
        for op in &unary {
            let _ = writeln!(
                program,
                "printf(\"{op}\");\n\
                 for (a = 0; a < count; a++) print({p}_unary({upper}_OP_{}, operands[a]));\nprintf(\"\\n\");",
                op.name().to_uppercase()
            );
        }
        // Values outside of the enums are refused.
        let _ = writeln!(
            program,
            "if (!{p}_promote({p}_array(({p}_dtype)1000), operands[0]).refused) return 1;\nreturn 0;\n}}"
        );
        fs::write(folder.path().join("main.c"), program).expect("a file");
        let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"];
        let Some(_) = run(&cc, &[&strict[..], &["main.c", "-o", "main"]].concat(), folder.path()) else {
            return;
        };
        let program = folder.path().join("main");
        let printed = run(program.to_str().expect("UTF-8"), &[], folder.path()).expect("it is compiled");
        rules.compare("C", &printed);
    }
}

/// The types of the standard library for dtypes.
const TYPES: [(DType, &str); 13] = [
    (DType::Bool, "bool"),
    (DType::U8, "std::uint8_t"),
    (DType::U16, "std::uint16_t"),
    (DType::U32, "std::uint32_t"),
    (DType::U64, "std::uint64_t"),
    (DType::I8, "std::int8_t"),
    (DType::I16, "std::int16_t"),
    (DType::I32, "std::int32_t"),
    (DType::I64, "std::int64_t"),
    (DType::F32, "float"),
    (DType::F64, "double"),
    (DType::C64, "std::complex<float>"),
    (DType::C128, "std::complex<double>"),
];

/// Asserts the type that each two types promote to.
fn static_asserts(rules: &Rules) -> String {
    let mut asserts = String::from(
        "template <class A, class B, class = void> struct promotes : std::false_type {};\n\
         template <class A, class B> struct promotes<A, B, std::void_t<promote_t<A, B>>> : std::true_type {};\n",
    );
    let known: Vec<_> = TYPES.into_iter().filter(|(dtype, _)| rules.dtypes().contains(dtype)).collect();
    for (a, of_a) in &known {
        for (b, of_b) in &known {
            let found = rules.loaded.rules.explain(None, &[Operand::Array(*a), Operand::Array(*b)]);
            let _ = match found.map(|found| found.result.dtype) {
                Err(_) => writeln!(asserts, "static_assert(!promotes<{of_a}, {of_b}>::value);"),
                Ok(dtype) => {
                    let name = TYPES.iter().find(|known| known.0 == dtype);
                    let of = name.map_or_else(
                        || format!("tag<DType::{}>", camel(dtype.name())),
                        |(_, name)| (*name).to_owned(),
                    );
                    writeln!(asserts, "static_assert(std::is_same_v<promote_t<{of_a}, {of_b}>, {of}>);")
                }
            };
        }
    }
    asserts
}

#[test]
fn cpp_headers_have_every_cell_and_type() {
    for rules in Rules::compiled() {
        let folder = rules.emit("cpp", "tables.hpp");
        let (_, namespace) = rules.prefixes();
        let [binary, unary] = rules.ops();
        let count = rules.dtypes().len();
        let weak = if rules.weak {
            format!("for (int i = 0; i < {count}; i++) operands.push_back(weak(static_cast<DType>(i)));\n")
        } else {
            String::new()
        };
        let mut program = format!(
            "#include \"tables.hpp\"\n#include <cstdio>\n#include <vector>\nusing namespace {namespace}_rules;\n\
             {}\n\
             static void print(Result found) {{\n\
             if (found.refused) std::printf(\"|%s\", found.refused);\n\
             else std::printf(\"|%s%s\", name(found.dtype), found.weak ? \"*\" : \"\");\n}}\n\
             int main() {{\nstd::vector<Operand> operands;\n\
             for (int i = 0; i < {count}; i++) operands.push_back(array(static_cast<DType>(i)));\n\
             for (int i = 0; i < {count}; i++) operands.push_back(zero_dim(static_cast<DType>(i)));\n\
             for (int i = 0; i < 4; i++) operands.push_back(number(static_cast<Number>(i)));\n{weak}\
             for (Operand a : operands) {{\nstd::printf(\"promote\");\n\
             for (Operand b : operands) print(promote(a, b));\nstd::printf(\"\\n\");\n}}\n",
            static_asserts(&rules)
        );
        for op in &binary {
            let _ = writeln!(
                program,
                "for (Operand a : operands) {{\nstd::printf(\"{op}\");\n\
                 for (Operand b : operands) print(result(BinaryOp::{}, a, b));\nstd::printf(\"\\n\");\n}}",
                camel(op.name())
            );
        }
        for op in &unary {
            let _ = writeln!(
                program,
                "std::printf(\"{op}\");\nfor (Operand a : operands) print(result(UnaryOp::{}, a));\nstd::printf(\"\\n\");",
                camel(op.name())
            );
        }
        program.push_str("}\n");
        fs::write(folder.path().join("main.cpp"), program).expect("a file");
        let cxx = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
        let strict = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic"];
        let Some(_) = run(&cxx, &[&strict[..], &["main.cpp", "-o", "main"]].concat(), folder.path()) else {
            return;
        };
        let program = folder.path().join("main");
        let printed = run(program.to_str().expect("UTF-8"), &[], folder.path()).expect("it is compiled");
        rules.compare("C++", &printed);
    }
}

#[test]
fn python_modules_have_every_cell() {
    for rules in Rules::bundled() {
        let folder = rules.emit("python", "tables.py");
        let names = |names: Vec<&str>| format!("{names:?}");
        let operands = rules.operands();
        let [binary, unary] = rules.ops().map(|ops| ops.into_iter().map(Op::name).collect::<Vec<_>>());
        let program = format!(
            "import sys, tables\n\
             def text(call, *operands):\n    \
                 try: return call(*operands)\n    \
                 except tables.Refused as error: return str(error)\n    \
                 except ValueError as error: return str(error).split(\": \", 1)[1]\n\
             operands = {}\nlines = []\n\
             def both(name, call):\n    \
                 for a in operands: lines.append(\"|\".join([name, *(text(call, a, b) for b in operands)]))\n\
             both(\"promote\", tables.promote)\n\
             for op in {}: both(op, tables.ops[op])\n\
             for op in {}: lines.append(\"|\".join([op, *(text(tables.ops[op], a) for a in operands)]))\n\
             assert len(tables.ops) == {}\n\
             assert tables.result(None, operands[0], operands[0]) == operands[0]\n\
             sys.stdout.write(\"\\n\".join(lines) + \"\\n\")\n",
            names(operands.iter().map(|(name, _)| name.as_str()).collect()),
            names(binary.clone()),
            names(unary.clone()),
            binary.len() + unary.len()
        );
        fs::write(folder.path().join("main.py"), program).expect("a file");
        let Some(printed) = run("python3", &["main.py"], folder.path()) else { return };
        rules.compare("Python", &printed);
    }
}

/// Results that a type checker knows, and refusals that it reports.
#[test]
fn python_stubs_type_every_pair() {
    let rules = Rules::new("numpy");
    let folder = rules.emit("python-stub", "tables.pyi");
    let mut program = String::from("from typing import Literal\nimport tables\n");
    let operands = rules.operands();
    let mut count = 0;
    for (call, op) in [("promote", None), ("ops[\"subtract\"]", Some(Op::Subtract))] {
        for (a, x) in &operands {
            for (b, y) in &operands {
                let called = format!("tables.{call}(\"{a}\", \"{b}\")");
                count += 1;
                let _ = match rules.loaded.rules.explain(op, &[*x, *y]) {
                    Ok(found) => {
                        writeln!(program, "v{count}: Literal[\"{}\"] = {called}", found.result.dtype)
                    }
                    Err(_) => writeln!(program, "{called}  # type: ignore[call-overload]"),
                };
            }
        }
    }
    fs::write(folder.path().join("main.py"), program).expect("a file");
    let args = ["--strict", "--warn-unused-ignores", "--cache-dir", "cache", "main.py"];
    if let Some(told) = run("mypy", &args, folder.path()) {
        assert!(told.starts_with("Success: no issues found"), "{told}");
    }
}

#[test]
fn json_has_every_cell() {
    for rules in Rules::bundled() {
        let data = promote(&["emit", &rules.argument, "--lang", "json"]).json();
        let text = |code: &Value| {
            let answer = &data["answers"][usize::try_from(code.as_u64().expect("a code")).expect("small")];
            answer.as_str().or(answer["refused"].as_str()).expect("an answer").to_owned()
        };
        let row = |name: &str| {
            let operands = data["operands"].as_array().expect("a list");
            let found = operands.iter().find(|row| row[0] == name);
            found.map(|row| usize::try_from(row[1].as_u64().expect("a row")).expect("small"))
        };
        let rows: Vec<Option<usize>> = rules.operands().iter().map(|(name, _)| row(name)).collect();
        let table = |list: &str, op: &str| {
            let tables = data[list].as_array().expect("a list");
            let has = |table: &&Value| table["ops"].as_array().expect("ops").iter().any(|known| known == op);
            tables.iter().find(has).expect("a table")["cells"].clone()
        };
        let none =
            text(&data["answers"].as_array().expect("a list").iter().position(Value::is_object).into());
        let mut printed = String::new();
        let [binary, unary] = rules.ops().map(|ops| ops.into_iter().map(Op::name).collect::<Vec<_>>());
        let promotion = ("promote", data["pairs"][0]["cells"].clone());
        for (op, cells) in
            [promotion].into_iter().chain(binary.into_iter().map(|op| (op, table("pairs", op))))
        {
            for a in &rows {
                printed.push_str(op);
                for b in &rows {
                    let cell = a.zip(*b).map_or_else(|| none.clone(), |(a, b)| text(&cells[a][b]));
                    let _ = write!(printed, "|{cell}");
                }
                printed.push('\n');
            }
        }
        for op in unary {
            let cells = table("singles", op);
            printed.push_str(op);
            for a in &rows {
                let _ = write!(printed, "|{}", a.map_or_else(|| none.clone(), |a| text(&cells[a])));
            }
            printed.push('\n');
        }
        rules.compare("JSON", &printed);
    }
}

#[test]
fn files_name_their_origin() {
    let command =
        ["emit", "torch", "--lang", "c", "--set", "default_dtype=f16", "--op", "add", "--dtypes", "i8,f16"];
    let text = promote(&command).told();
    let system =
        promote_rules::bundled::BUNDLED.iter().find(|set| set.name == "torch").expect("PyTorch's").text;
    let system = system.lines().next().expect("a comment").trim_start_matches("//! ");
    for said in [
        "// The result dtypes of the rule set Torch.\n",
        &format!("// {system}\n"),
        &format!("// Written by promote {}.", env!("CARGO_PKG_VERSION")),
        "`promote emit torch --set default_dtype=f16 --lang c --op add --dtypes i8,f16`",
        "// Parameters: default_dtype = f16.",
        "// Not covered: ",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    // The file tells the command that writes it again, wherever it lies.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tables.h");
    let path = path.to_str().expect("UTF-8");
    let told = promote(&[&command[..], &["-o", path]].concat()).told();
    assert_eq!(told, format!("{path}: Torch: promotion and 1 op as c (default_dtype = f16)\n"));
    assert_eq!(fs::read_to_string(path).expect("the file"), text);
}

#[test]
fn ops_with_equal_tables_share_one() {
    let data = promote(&["emit", "torch", "--lang", "json", "--op", "add,multiply,less,sqrt"]).json();
    let ops = |list: &str| -> Vec<Value> {
        data[list].as_array().expect("a list").iter().map(|table| table["ops"].clone()).collect()
    };
    assert_eq!(
        ops("pairs").iter().filter(|ops| ops[0] == "add").collect::<Vec<_>>(),
        [&serde_json::json!(["add", "multiply"])]
    );
    assert_eq!(ops("singles"), [serde_json::json!(["sqrt"])]);
    let all = promote(&["emit", "torch", "--lang", "json"]).json();
    let count = |list: &str| all[list].as_array().expect("a list").len();
    let shared = count("pairs") + count("singles");
    assert!(2 * shared < Rules::new("torch").loaded.rules.tables().ops.len(), "{shared} tables");
}

/// Results may have dtypes that no chosen operand has.
#[test]
fn chosen_dtypes_give_results_of_others() {
    let data = promote(&["emit", "torch", "--lang", "json", "--dtypes", "u8,i8", "--op", "add"]).json();
    let dtypes: Vec<&str> =
        data["dtypes"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(&dtypes[..3], ["u8", "i8", "i16"]);
    let names: Vec<&str> =
        data["operands"].as_array().expect("a list").iter().filter_map(|row| row[0].as_str()).collect();
    assert!(names.contains(&"i8") && !names.contains(&"i16"), "{names:?}");
}

#[test]
fn errors_say_what_to_do() {
    let told = promote(&["emit", "torch", "--lang", "c", "--op", "ad"]).refused();
    assert!(told.contains("there is no op `ad`"), "{told}");
    let told = promote(&["emit", "torch", "--lang", "c", "--op", "add,add"]).refused();
    assert_eq!(told, "error: the op `add` is named twice\n");
    assert_eq!(promote(&["emit", "torch"]).code, 2);
    let folder = tempfile::tempdir().expect("a folder");
    let file = rule_file(folder.path(), "rules.rs");
    let file = file.to_str().expect("UTF-8");
    let told = promote(&["emit", file, "--lang", "rust"]).refused();
    assert_eq!(
        told,
        "error: the dtypes `q15` and `Q15` would both be `Q15`\nhelp: choose one of them with `--dtypes`\n"
    );
    promote(&["emit", file, "--lang", "rust", "--dtypes", "q15"]).told();
}

/// Names, reasons and paths cannot end the comment or the string in which they stand.
#[test]
#[cfg(unix)]
fn text_of_rule_files_stays_in_strings_and_comments() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = rule_file(folder.path(), "*/ ??/ \"\\\nint x;.rs");
    let file = file.to_str().expect("UTF-8");
    let write = |language: &str, name: &str| {
        let path = folder.path().join(name);
        let path = path.to_str().expect("UTF-8");
        promote(&["emit", file, "--lang", language, "--dtypes", "q15", "-o", path]).told();
    };
    let strict = ["-Wall", "-Wextra", "-Werror", "-pedantic"];
    write("c", "main.c");
    run("cc", &[&["-std=c99", "-c", "main.c"], &strict[..]].concat(), folder.path());
    write("cpp", "main.hpp");
    fs::write(folder.path().join("main.cpp"), "#include \"main.hpp\"\n").expect("a file");
    run("c++", &[&["-std=c++17", "-c", "main.cpp"], &strict[..]].concat(), folder.path());
    write("rust", "lib.rs");
    run("rustc", &["-D", "warnings", "--crate-type", "lib", "--emit", "metadata", "lib.rs"], folder.path());
    write("python", "main.py");
    let check = "import main\ntry: main.promote('q15', 'py_float')\nexcept main.Refused as error: print(ascii(str(error)))\n";
    if let Some(printed) = run("python3", &["-c", check], folder.path()) {
        assert_eq!(printed, "'a \"reason\" ??/ \\\\ of \\xe9 */ \\U0001f600'\n");
    }
}

/// Writes a rule file whose dtypes differ in case only, and whose reason has characters of all languages.
fn rule_file(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name.replace('/', "\u{2215}"));
    let text = r#"//! A set of tests: */ ??/
promote::rules! {
    rules Hostile;
    dtypes bool i64 f64;
    dtype q15: float 16 = crate::A;
    dtype Q15: float 16 = crate::B;
    numbers { bool => bool; int => i64; any => f64; }
    promote {
        same => a;
        any, any => refuse "a \"reason\" ??/ \\ of é */ 😀";
    }
}
"#;
    fs::write(&path, text).expect("a file");
    path
}
