promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any if a < b => a; any, any => join; }
}

fn main() {}
