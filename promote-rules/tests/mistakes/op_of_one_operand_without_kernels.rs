promote::rules! {
    rules R;
    dtypes bool i32 f32 f64;
    promote { any, any => join; }
    op softmax { float, float => f32; }
    op conv -> b;
}

fn main() {}
