//! NumPy joins u8, i8 and f16 kind by kind.
use promote::{NumPy, PromoteAll};

fn widest<T: PromoteAll<NumPy>>(_: T) {}

fn main() {
    widest((1_u8, 1_i8, 1.0_f32));
}
