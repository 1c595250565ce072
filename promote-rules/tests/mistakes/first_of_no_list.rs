promote::rules! {
    rules R;
    dtypes f16 bf16 f32;
    promote { f16, bf16 => first_of(); f16, f32 => first_of bf16; any, any => join; }
}

fn main() {}
