promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { bool, any => common; any, any => join; }
}

fn main() {}
