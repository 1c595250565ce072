//! A list of types does not say that numbers without a width are joined after all arrays.
use promote::{NumPy, PromoteAll, Weak};

fn widest<T: PromoteAll<NumPy>>() {}

fn main() {
    widest::<(Weak<f64>, f32, i64)>();
}
