promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op axpy = crate::Axpy { int => f64; }
}

fn main() {}
