promote::rules! {
    rules Lab;
    dtypes i32 f32 f64;
    promote { any, any => join; }
    op axpy = crate::Axpy { int => f64; }
}

#[promote::kernel]
fn axpy<T>(alpha: T, x: T, y: T) -> T {
    alpha * x + y
}

fn main() {}
