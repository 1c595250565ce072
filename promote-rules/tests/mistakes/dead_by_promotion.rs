promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { bool, bool => i32; any, any => join; }
    op subtract { bool => refuse "numbers only"; }
}

fn main() {}
