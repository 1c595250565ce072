promote::rules! {
    rules R;
    dtypes bool i32 f64;
    param quotient: f16 | f64 = f64;
    promote { any, any => join; }
}

fn main() {}
