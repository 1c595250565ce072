use promote::{Promote, Promoted, Torch};

fn both<A: Promote<B, Torch>, B>(_: A, _: B) -> Option<Promoted<A, B>> {
    None
}

fn main() {
    both(1_u32, 1_i64);
}
