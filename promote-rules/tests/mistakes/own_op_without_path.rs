promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op axpy = { bool => refuse "a truth value is no number"; }
}

fn main() {}
