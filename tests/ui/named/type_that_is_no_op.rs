promote::rules! {
    rules Lab;
    dtypes i32 f32 f64;
    promote { any, any => join; }
    op axpy = crate::Axpy { int => f64; }
}

struct Axpy;

fn main() {}
