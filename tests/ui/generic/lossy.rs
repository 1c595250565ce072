//! PyTorch promotes the pair, but `Lossless` refuses it.
use promote::{Lossless, Torch};

fn join<A: Lossless<B, Torch>, B>(_: A, _: B) {}

fn main() {
    join(1_i64, 1.0_f32);
}
