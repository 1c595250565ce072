promote::rules! {
    #![no_std]
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
}

fn main() {}
