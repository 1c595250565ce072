#[promote::kernel(named)]
fn axpy<T>(alpha: T, x: T, y: T) -> T {
    alpha * x + y
}

fn main() {
    promote::Torch::axpy(1.0_f32, 2.0_f32, 3.0_f32);
}
