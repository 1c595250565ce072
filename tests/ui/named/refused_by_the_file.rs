promote::rules! {
    rules Lab;
    dtypes bool i32 f32 f64;
    promote { any, any => join; }
    op axpy = crate::Axpy { bool => refuse "bool is not a numeric type"; int => f64; }
}

#[promote::kernel(named)]
fn axpy<T>(alpha: T, x: T, y: T) -> T {
    alpha * x + y
}

fn main() {
    Lab::axpy(true, false, true);
}
