promote::rules! {
    rules R;
    dtypes i32 f16 bf16 f32;
    promote { float, float => first_of(f16, bf16); any, any => join; }
}

fn main() {}
