//! The rule file does not name the type.
use promote::{Promoted, Torch};

struct Money(i64);

fn main() {
    let _: Option<Promoted<Money, f32, Torch>> = None;
    let _ = Money(1).0;
}
