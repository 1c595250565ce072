promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    cast safe { float, int => f64; bool => refuse "one pattern"; }
}

fn main() {}
