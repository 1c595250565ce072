promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { bool, any => weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak weak b; any, any => join; }
}

fn main() {}
