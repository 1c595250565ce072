promote::rules! {
    rules R;
    dtypes i8 u16 i32 f32 f64;
    promote { any, any => least; }
    law associative;
}

fn main() {}
