use promote::{Promote, Promoted, Torch};

fn add<A: Promote<B>, B>(a: A, b: B) -> Promoted<A, B> {
    Torch::add(a, b)
}

fn main() {
    add(1_u8, 2_i8);
}
