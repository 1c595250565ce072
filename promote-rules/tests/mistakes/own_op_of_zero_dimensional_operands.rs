promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op axpy = crate::Axpy { bool => refuse "bool is not a numeric type"; zero_dim int => f64; }
    yield array > zero_dim { any, any => promote(a, b); }
}

fn main() {}
