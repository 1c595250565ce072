promote::rules! {
    rules R;
    dtypes bool i32 f64;
    numbers { bool => bool; int => i32; any => f64; }
    promote { any, any => join; }
    yield array > number { any, no_higher => value(b); any, any => promote(a, b); }
}

fn main() {}
