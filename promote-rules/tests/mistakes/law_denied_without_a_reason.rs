promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    law not associative;
}

fn main() {}
