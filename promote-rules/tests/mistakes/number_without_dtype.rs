promote::rules! {
    rules R;
    dtypes bool i32 f64;
    numbers { bool => bool; int => i32; }
    promote { any, any => join; }
}

fn main() {}
