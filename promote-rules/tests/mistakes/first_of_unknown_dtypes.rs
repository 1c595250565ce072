promote::rules! {
    rules R;
    dtypes i32 f16 bf16 f32;
    let half = f16 | bf16;
    promote { half, half => first_of(f16, bf61); half, f32 => first_of(f32, half, f16); any, any => join; }
}

fn main() {}
