promote::rules! {
    rules R;
    dtypes bool i8 f16 f32;
    numbers { bool => bool; int => i8; float if promote(i8, f32) == f32 => f32; float => f16; complex => refuse "no"; }
    promote { bool, any => b; int, float => default(float); any, any => join; }
}

fn main() {}
