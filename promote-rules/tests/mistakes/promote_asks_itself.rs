promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { bool, any => promote(b, b); any, any => join; }
}

fn main() {}
