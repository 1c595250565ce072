promote::rules! {
    rules R;
    dtypes bool i32 f64;
    param m: x | y = x;
    promote { same => a; any, any if m == y => a; any, any => join; }
}

fn main() {}
