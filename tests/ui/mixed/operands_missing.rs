use promote::{mixed, Torch};

fn main() {
    let x = 1.0_f32;
    let _ = mixed! { Torch => maximum(x) + where(true, x) };
}
