promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op axpy = crate::Axpy { bool => refuse "bool is not a numeric type"; int, float => f64; }
}

fn main() {}
