promote::rules! {
    rules R;
    dtypes f16 f32;
    promote { any, any => join; }
    op sum { f16 => common in common; }
    op prod { f16 => f32 in result; }
}

fn main() {}
