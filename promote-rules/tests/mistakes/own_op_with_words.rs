promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => least; }
    op axpy = crate::Axpy { bool => refuse "a truth value is no number"; scalar: opmath_right; }
}

fn main() {}
