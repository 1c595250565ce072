promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op axpy = crate::Axpy { bool => refuse "a truth value is no number"; }
    op axpy = crate::Other;
}

fn main() {}
