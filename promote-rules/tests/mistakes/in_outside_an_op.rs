promote::rules! {
    rules R;
    dtypes bool i32 f16 f32;
    promote { f16, i32 => f32 in f16; any, any => join; }
}

fn main() {}
