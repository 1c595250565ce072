promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { bool => a; any, any => join; }
}

fn main() {}
