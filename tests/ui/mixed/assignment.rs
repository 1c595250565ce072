use promote::{mixed, Torch};

fn main() {
    let mut x = 1.0_f32;
    mixed! { Torch => x += 2 };
}
