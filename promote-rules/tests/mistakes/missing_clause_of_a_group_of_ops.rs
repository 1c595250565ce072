promote::rules! {
    rules R;
    dtypes bool i32 f32;
    promote { bool | int, float => b; any, any => join; }
    op elementary { int => f32; }
}

fn main() {}
