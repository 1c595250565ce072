promote::rules! {
    rules R;
    dtypes bool i32 f32 f64;
    numbers { bool => bool; int => i32; float => f32; complex => refuse "no"; }
    promote { any, any => join; }
    yield array > number > zero_dim { any, any => a; }
}

fn main() {}
