promote::rules! {
    rules R;
    dtypes i64 f16 f32;
    stored { i64 => least float holding a; }
    promote { i64, float => f32; any, any => least; }
}

fn main() {}
