use promote::{Promoted, Torch};

fn main() {
    let _: Promoted<u16, i32, Torch> = 0;
}
