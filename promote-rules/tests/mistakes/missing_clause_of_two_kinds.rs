promote::rules! {
    rules R;
    dtypes bool i32 f32 f16;
    promote { bool | int, float => b; any, any => join; }
    op sqrt elementary;
    op divide;
    opmath { f16 => f32; }
}

fn main() {}
