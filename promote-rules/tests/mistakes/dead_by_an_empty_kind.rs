promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { complex, any => a; any, any => join; }
}

fn main() {}
