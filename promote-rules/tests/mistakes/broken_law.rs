promote::rules! {
    rules R;
    dtypes i8 u16 i32 f32 f64;
    promote { any, any => join; }
    law associative;
}

fn main() {}
