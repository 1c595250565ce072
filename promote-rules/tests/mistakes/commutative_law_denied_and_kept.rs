promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    law not commutative "it looks so";
}

fn main() {}
