promote::rules! {
    rules Self;
    dtypes bool i32 f64;
    promote { any, any => join; }
}

fn main() {}
