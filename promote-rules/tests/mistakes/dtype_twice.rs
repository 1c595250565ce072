promote::rules! {
    rules R;
    dtypes bool i32 f64;
    dtypes numbers: i32 f64;
    promote { any, any => join; }
}

fn main() {}
