//! `promote lattice`: what is drawn follows from the table, and the forms draw the same.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{picture, promote, promote_in, repository};

type Edges = BTreeSet<(String, String)>;

/// The lines `x -> y, z` of the text.
fn edges_of_text(text: &str) -> Edges {
    let lines = text.lines().filter(|line| line.starts_with("  ") && !line.contains("but"));
    let steps = lines.filter_map(|line| line.split_once(" -> "));
    steps
        .flat_map(|(low, highs)| highs.split(", ").map(|high| (low.trim().to_owned(), high.to_owned())))
        .collect()
}

/// The lines `"x" -> "y";` for Graphviz.
fn edges_of_dot(dot: &str) -> Edges {
    let lines = dot.lines().map(str::trim).filter(|line| line.starts_with('"'));
    let lines = lines.filter_map(|line| line.strip_suffix(';')?.split_once(" -> "));
    let bare = |name: &str| name.trim_matches('"').to_owned();
    lines.map(|(low, high)| (bare(low), bare(high))).collect()
}

/// The titles of the curves.
fn edges_of_svg(svg: &str) -> Edges {
    let document = picture::parse(svg);
    let edges = document.descendants().find(|node| node.attribute("class") == Some("edges")).expect("edges");
    let titles = edges.descendants().filter(|node| node.has_tag_name("title")).filter_map(|node| node.text());
    titles
        .filter_map(|title| title.trim().split_once(" -> "))
        .map(|(low, high)| (low.to_owned(), high.to_owned()))
        .collect()
}

/// Returns edges between single dtypes, for edges between nodes of several dtypes.
fn one_by_one(edges: &Edges) -> Edges {
    let each = |(low, high): &(String, String)| {
        let highs: Vec<String> = high.split(' ').map(str::to_owned).collect();
        let lows: Vec<String> = low.split(' ').map(str::to_owned).collect();
        lows.into_iter().flat_map(move |low| highs.clone().into_iter().map(move |high| (low.clone(), high)))
    };
    edges.iter().flat_map(each).collect()
}

/// Returns the edges that must be drawn, from the cells of the table: `x` is right below `y` if `x` with `y`
/// gives `y`, and no path of such steps leads through a third dtype.
fn edges_of_table(table: &Value) -> Edges {
    let names: Vec<&str> =
        table["dtypes"].as_array().expect("dtypes").iter().filter_map(Value::as_str).collect();
    let below = |x: &str, y: &str| x != y && table["arrays"][format!("{x},{y}")] == y;
    let above = |x: &str| {
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let mut next = vec![x.to_owned()];
        while let Some(x) = next.pop() {
            for y in names.iter().filter(|y| below(&x, y)) {
                if found.insert(y) {
                    next.push((*y).to_owned());
                }
            }
        }
        found
    };
    let mut edges = Edges::new();
    for x in &names {
        for y in names.iter().filter(|y| below(x, y)) {
            if !above(x).iter().any(|z| z != y && above(z).contains(y)) {
                edges.insert(((*x).to_owned(), (*y).to_owned()));
            }
        }
    }
    edges
}

#[test]
fn edges_are_the_covers_of_the_order() {
    let own = repository("tests/own_rules/rules.rs");
    for rules in ["torch", own.to_str().expect("UTF-8")] {
        let expected = edges_of_table(&promote(&["table", rules, "--format", "json"]).json());
        let text = promote(&["lattice", rules]).told();
        // Weak numbers, which that table does not have, may stand between; all else is the same.
        let found = one_by_one(&edges_of_text(&text));
        let strong = |(low, high): &&(String, String)| !low.contains('*') && !high.contains('*');
        assert!(found.iter().filter(strong).all(|edge| expected.contains(edge)), "{rules}: {text}");
        if rules == "torch" {
            assert_eq!(found, expected);
            assert_eq!(found.len(), 48);
        }
    }
}

#[test]
fn all_forms_draw_equal_diagrams() {
    let text = edges_of_text(&promote(&["lattice", "torch"]).told());
    assert_eq!(edges_of_dot(&promote(&["lattice", "torch", "--format", "dot"]).told()), text);
    assert_eq!(edges_of_svg(&promote(&["lattice", "torch", "--format", "svg"]).told()), text);
}

#[test]
fn pictures_have_a_background_a_title_and_every_dtype() {
    let svg = promote(&["lattice", "torch", "--format", "svg"]).told();
    let document = picture::parse(&svg);
    let words = picture::words(&document);
    assert!(words.contains("Torch: the order of promotion (default_dtype = f32)"), "{words:?}");
    for dtype in promote(&["table", "torch", "--format", "json"]).json()["dtypes"].as_array().expect("dtypes")
    {
        let dtype = dtype.as_str().expect("a name");
        assert!(words.iter().any(|word| word.split(' ').any(|name| name == dtype)), "{dtype}");
    }
    picture::has_background(&document);
}

#[test]
fn text_lists_isolated_dtypes_and_gaps_of_the_order() {
    let text = promote(&["lattice", "torch"]).told();
    assert!(text.starts_with("Torch: the order of promotion (default_dtype = f32)\n"), "{text}");
    assert!(
        text.contains("\n   1  bool, u16 u32 u64 u1 u2 u3 u4 u5 u6 u7\n   2  u8, i8, f4e2m1fn_x2\n"),
        "{text}"
    );
    assert!(text.contains(
        "Dtypes that promote with no other dtype\n\n  i1  i2  i3  i4  i5  i6  i7  f8e4m3fn  f8e5m2  f8e4m3fnuz  f8e5m2fnuz  f8e8m0fnu\n"
    ));
    assert!(
        text.contains("\n  u16 -> bf16 -> bc32, but u16 with bc32 is refused: unsigned integers"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.len() <= 110), "{text}");
}

#[test]
fn weak_numbers_are_placed_by_the_order() {
    let folder = crate::weak::folder();
    let text = promote_in(folder.path(), &["lattice", "w.rs"]).told();
    let edges = edges_of_text(&text);
    let has = |low: &str, high: &str| edges.contains(&(low.to_owned(), high.to_owned()));
    assert!(has("bool", "i64*") && has("i64*", "i32") && has("f32*", "f32"), "{text}");
    let narrow = promote_in(folder.path(), &["lattice", "w.rs", "--set", "x64=false"]).told();
    assert!(narrow.starts_with("W: the order of promotion (x64 = false)\n"), "{narrow}");
    assert!(narrow.contains("i32*") && !narrow.contains("i64*"), "{narrow}");
}

/// Stone, paper, scissors; and of two floats the right one wins.
const ODD: &str = r#"
promote::rules! {
    rules Odd;
    dtypes u8 i8 i16 i32 f32 f64;
    promote {
        same         => a;
        i8, i16      => i16;
        i16, i32     => i32;
        i8, i32      => i8;
        float, float => b;
        float, int   => refuse "no \"<mix>\" & no\u{7} bell";
        any, any     => join;
    }
    law not commutative "the right float wins";
    law not associative "stone, paper, scissors";
}
"#;

fn odd() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("odd.rs"), ODD).expect("a file");
    folder
}

#[test]
fn cycles_are_one_node() {
    let folder = odd();
    let text = promote_in(folder.path(), &["lattice", "odd.rs"]).told();
    assert!(text.contains("\n  u8         -> i8~i16~i32\n"), "{text}");
    assert!(
        text.contains("f32~f64") && text.contains("~ connects dtypes that promote to each other"),
        "{text}"
    );
    assert!(
        text.contains("\n  u8 -> i32 -> i8, but u8 with i8 gives i16; and 3 more such pairs\n"),
        "{text}"
    );
    for format in ["svg", "dot"] {
        let told = promote_in(folder.path(), &["lattice", "odd.rs", "--format", format]).told();
        assert!(told.contains("i8~i16~i32"), "{told}");
    }
}

#[test]
fn reasons_are_escaped_in_html() {
    let folder = odd();
    for args in [
        ["lattice", "odd.rs", "--format", "svg"],
        ["table", "odd.rs", "--format", "svg"],
        ["table", "odd.rs", "--format", "html"],
    ] {
        let told = promote_in(folder.path(), &args).told();
        picture::parse(&told);
    }
    let html = promote_in(folder.path(), &["table", "odd.rs", "--format", "html"]).told();
    let document = picture::parse(&html);
    assert!(
        picture::words(&document)
            .iter()
            .any(|words| words.contains("no \"<mix>\" & no\u{fffd} bell (odd.rs:11)")),
        "{html}"
    );
}
