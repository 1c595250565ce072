//! A type that nobody named in a rule file.
use promote::{Promoted, Torch};

struct Money(i64);

fn main() {
    let _: Option<Promoted<Money, f32, Torch>> = None;
    let _ = Money(1).0;
}
