promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op axpy = { bool => refuse "bool is not a numeric type"; }
}

fn main() {}
