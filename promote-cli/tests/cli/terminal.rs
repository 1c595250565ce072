//! Text of files and arguments never acts on the terminal, nor on the document that shows it.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::{promote_in, write};

/// Sequences that clear a screen, set its title, and turn text around, and a tag.
const EVIL: &str = "\u{1b}[2J\u{1b}]0;t\u{7}\u{9b}31m\u{202e}\u{2066}<script>|`x`\r\u{7f}";

/// [`EVIL`] where it is shown.
const SHOWN: &str = "\\u{1b}[2J\\u{1b}]0;t\\u{7}\\u{9b}31m\\u{202e}\\u{2066}<script>|`x`\\r\\u{7f}";

/// Checks that nothing but newlines acts on a terminal.
fn harmless(text: &str) {
    let acts = |c: &char| {
        *c != '\n'
            && (c.is_control() || "\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2069}".contains(*c))
    };
    assert_eq!(text.chars().find(acts), None, "{text:?}");
}

/// Returns the text on both streams.
fn told(folder: &TempDir, args: &[&str]) -> String {
    let text = promote_in(folder.path(), args).everything();
    harmless(&text);
    text
}

/// A folder with a rule set that gives [`EVIL`] as a reason.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = format!(
        "promote::rules! {{ rules T; dtypes bool u8 i8; promote {{ u8, i8 => refuse {EVIL:?}; any, any => join; }}
         cast safe {{ u8, i8 => refuse {EVIL:?}; }} }}"
    );
    fs::write(folder.path().join("t.rs"), rules).expect("a file");
    folder
}

#[test]
fn reasons_are_escaped_in_every_form() {
    let folder = folder();
    let verbs: &[&[&str]] = &[
        &["check", "t.rs"],
        &["table", "t.rs"],
        &["diff", "t.rs", "torch"],
        &["explain", "t.rs", "u8", "i8"],
        &["explain", "t.rs", "u8", "i8", "--also", "torch"],
        &["explain", "torch", "u8", "i8", "--also", "t.rs"],
        &["cast", "t.rs", "u8", "i8"],
        &["lattice", "t.rs"],
    ];
    let mut shown = 0;
    for verb in verbs {
        shown += usize::from(told(&folder, verb).contains(SHOWN));
        for format in ["markdown", "html", "svg", "dot"] {
            let text = told(&folder, &[verb, &["--format", format][..]].concat());
            assert!(!text.contains("<script"), "{verb:?} as {format}: {text}");
        }
    }
    assert!(shown >= 5, "{shown}");
}

#[test]
fn markdown_escapes_reasons() {
    let text = told(&folder(), &["table", "t.rs", "--format", "markdown"]);
    assert!(text.contains("\\\\u{202e}\\\\u{2066}&lt;script&gt;\\|\\`x\\`\\\\r"), "{text}");
}

#[test]
fn files_get_the_text_of_a_terminal() {
    let folder = folder();
    for format in ["text", "markdown", "html", "svg"] {
        told(&folder, &["diff", "t.rs", "torch", "--format", format, "-o", "page"]);
        harmless(&fs::read_to_string(folder.path().join("page")).expect("a page"));
    }
}

#[test]
fn json_is_escaped_and_keeps_its_values() {
    let folder = folder();
    let text = told(&folder, &["cast", "t.rs", "u8", "i8", "--format", "json"]);
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["because"][0]["reason"], EVIL, "{text}");
}

#[test]
fn names_of_tensors_are_escaped_and_stay_on_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = format!("{EVIL}\nhelp: do harm");
    let info =
        |from: usize| serde_json::json!({ "dtype": "U8", "shape": [1], "data_offsets": [from, from + 1] });
    let header = serde_json::json!({ &name: info(0), "b": info(1) }).to_string();
    let file = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &[0, 0]].concat();
    fs::write(folder.path().join("a.safetensors"), file).expect("a file");
    let text = told(&folder, &["eval", "torch", "a", "a=a.safetensors", "-o", "o.npy"]);
    assert_eq!(
        text,
        format!(
            "error: cannot read `a.safetensors`: it holds 2 tensors\n\
             help: write `FILE:TENSOR`; it has `{SHOWN}\\nhelp: do harm`, `b`\n"
        )
    );
    let asked = format!("a=a.safetensors:{EVIL}");
    assert!(told(&folder, &["eval", "torch", "a", &asked, "-o", "o.npy"]).contains(SHOWN));
}

#[test]
fn arguments_and_paths_are_escaped() {
    let folder = folder();
    let flag = format!("--{EVIL}");
    let (array, out) = (format!("a={EVIL}.npy"), format!("{}.npy", EVIL.replace('/', "")));
    let x = folder.path().join("x.npy");
    write(&x, promote_cli::array::Array::zeros(promote::DType::U8, vec![1]).expect("memory"));
    let unix = cfg!(unix);
    for args in [
        &["check", EVIL][..],
        &["explain", "torch", EVIL],
        &["explain", "torch", "--op", EVIL, "u8"],
        &["table", "torch", &flag],
        &["table", "torch", "--set", EVIL],
        &["eval", "torch", "a", &array, "-o", "o.npy"],
    ] {
        // The parser of arguments leaves out whole sequences.
        assert!(told(&folder, args).contains("\\u{9b}"), "{args:?}");
    }
    if unix {
        assert!(told(&folder, &["eval", "torch", "a", "a=x.npy", "-o", &out]).starts_with(SHOWN));
    }
}

#[test]
fn mistakes_in_rule_files_are_escaped() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = format!("promote::rules! {{ rules T; dtypes bool u9 \"{EVIL}\"; /* {EVIL} */ }}");
    let name = if cfg!(unix) { format!("{}.rs", EVIL.replace('/', "")) } else { "t.rs".to_owned() };
    fs::write(folder.path().join(&name), rules).expect("a file");
    let text = told(&folder, &["check", &name]);
    assert!(text.contains("mistake"), "{text}");
}

/// Returns the text on both streams with forced colours.
fn in_colours(folder: &TempDir, args: &[&str]) -> String {
    let mut command = assert_cmd::Command::cargo_bin("promote").expect("the command is built with its tests");
    let command = command.current_dir(folder.path()).env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
    let output = command.args(args).output().expect("it runs");
    String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8")
}

/// A text without the sequences that set colours.
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').expect("a colour").1)
}

#[test]
fn every_subcommand_has_colours_on_a_terminal() {
    let folder = folder();
    for (args, expected) in [
        (&["check", "t.rs"][..], "\u{1b}[1mT (t.rs): no mistakes\u{1b}[0m\n"),
        (&["table", "torch"], "\u{1b}[32mf32\u{1b}[0m"),
        (&["diff", "torch", "numpy"], "\u{1b}[36mu8\u{1b}[0m"),
        (&["lattice", "torch"], "\u{1b}[34mi8\u{1b}[0m"),
        (&["explain", "torch", "i16", "u8"], "\u{1b}[1mTorch: i16 and u8 promote to i16"),
        (&["explain", "torch", "--op", "add"], "\u{1b}[1mTorch: `add` (default_dtype = f32)\u{1b}[0m\n"),
        (&["list", "torch"], "\u{1b}[1mTorch (rules/torch.rs)\u{1b}[0m\n"),
        (&["cast", "numpy", "i16", "f32"], "\u{1b}[1mNumPy: i16 to f32\u{1b}[0m\n"),
        (&["eval", "torch", "1 + 1"], "dtype=\u{1b}[34mi64\u{1b}[0m"),
        (&["eval", "torch", "a", "a=b.npy"], "\u{1b}[1m\u{1b}[91merror:\u{1b}[0m cannot read"),
        (&["check", "torhc"], "\u{1b}[1m\u{1b}[96mhelp:\u{1b}[0m did you mean"),
    ] {
        let text = in_colours(&folder, args);
        assert!(text.contains(expected), "{args:?}: {text:?}");
        assert_eq!(plain(&text), told(&folder, args), "{args:?}");
    }
    for format in ["json", "markdown", "html", "svg"] {
        let args = ["table", "torch", "--format", format];
        assert_eq!(in_colours(&folder, &args), told(&folder, &args));
    }
}

#[test]
fn text_of_files_is_escaped_before_colours_are_added() {
    let folder = folder();
    for args in [&["table", "t.rs"][..], &["explain", "t.rs", "u8", "i8"], &["cast", "t.rs", "u8", "i8"]] {
        let text = plain(&in_colours(&folder, args));
        harmless(&text);
        assert!(text.contains(SHOWN), "{args:?}: {text}");
    }
}
