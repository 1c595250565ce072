//! tmp
use promote_rules::{compile, source::Source};
#[test]
fn t() {
    let text = std::fs::read_to_string("../rules/torch.rs").unwrap();
    let t = std::time::Instant::now();
    let s = Source::from_text("rules/torch.rs", &text).unwrap();
    println!("lex {:?}", t.elapsed());
    let c = match compile(&s) { Ok(c) => c, Err(e) => { for d in e.iter() { println!("{}:{} {} / {:?}", d.span.start().line, d.span.start().column, d.message, d.help); } panic!() } };
    println!("all {:?} planes {} maps {} pairs {} settings {}", t.elapsed(), c.tables.planes.len(), c.tables.maps.len(), c.tables.pairs.len(), c.tables.settings.len());
    for i in &c.rules.clauses { println!("{} | {}", i.block, i.text); }
}
