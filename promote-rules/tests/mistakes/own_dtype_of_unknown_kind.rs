promote::rules! {
    rules R;
    dtypes bool i32;
    dtype q16: fixed 32 = crate::Q16;
    promote { any, any => join; }
}

fn main() {}
