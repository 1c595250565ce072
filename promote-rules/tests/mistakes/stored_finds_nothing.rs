promote::rules! {
    rules R;
    dtypes i64 f16 f32;
    stored { i64 => float above a; }
    promote { i64, float => f32; any, any => join; }
}

fn main() {}
