//! `docs/defects.md`: what a test excuses a framework, with an example of each. `PROMOTE_BLESS=1` writes the test's section anew.

use std::fmt::Write;
use std::sync::Mutex;
use std::{env, fs};

use promote::{DType, Kind};

/// Tests of one binary run side by side, and each writes its section.
static WRITING: Mutex<()> = Mutex::new(());

/// The name of an exception, an element that it excuses, the reason.
pub(crate) type Row<'a> = (&'a str, String, &'a str);

/// Compares a section of the file with what a test excuses. What the section `told` has under the same name is not told again.
pub(crate) fn section(path: &str, title: &str, told: Option<&str>, rows: &[Row<'_>]) {
    let _writing = WRITING.lock();
    let text = fs::read_to_string(path).expect("docs/defects.md");
    let (begin, end) = place(&text, title);
    let told = told.map(|title| place(&text, title)).map_or("", |(begin, end)| &text[begin..end]);
    let mut table = String::from("| what | they and we | why we do not copy it |\n| --- | --- | --- |\n");
    for (name, example, reason) in rows.iter().filter(|row| !told.contains(&format!("| {} |", row.0))) {
        let _ = writeln!(table, "| {name} | {example} | {reason} |");
    }
    if env::var_os("PROMOTE_BLESS").is_some() {
        fs::write(path, [&text[..begin], &table, &text[end..]].concat()).expect("the folder can be written");
        return;
    }
    let same = text[begin..end] == table;
    assert!(
        same,
        "docs/defects.md tells something else of {title} than the test excuses: PROMOTE_BLESS=1 writes it"
    );
}

/// Where a section's table begins and ends.
fn place(text: &str, title: &str) -> (usize, usize) {
    let head = format!("## {title}\n\n");
    let found = text.find(&head).unwrap_or_else(|| panic!("docs/defects.md has no section `{title}`"));
    let begin = found + head.len();
    (begin, text[begin..].find("\n## ").map_or(text.len(), |len| begin + len))
}

/// A number as it is written, with as many digits as tell the elements of a dtype apart.
pub(crate) fn shown(dtype: DType, [re, im]: [f64; 2]) -> String {
    let part = |x: f64| {
        let wide = matches!(dtype, DType::F64 | DType::C128);
        let text = if wide { format!("{x:?}") } else { format!("{:?}", x as f32) };
        text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
    };
    match dtype.kind() {
        Kind::Complex => {
            let sign = if im.is_sign_negative() && !im.is_nan() { '-' } else { '+' };
            format!("{}{sign}{}i", part(re), part(im.abs()))
        }
        Kind::Float => part(re),
        _ => format!("{re}"),
    }
}
