promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { bool, any => refuse; any, any => join; }
}

fn main() {}
