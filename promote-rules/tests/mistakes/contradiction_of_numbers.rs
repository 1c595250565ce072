promote::rules! {
    rules R;
    dtypes bool i32 f64;
    numbers { bool => bool; int => i32; float => f64; complex => refuse "none"; }
    promote { number, number => a; any, any => join; }
    yield array > number { any, any => a; }
}

fn main() {}
