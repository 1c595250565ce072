promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { uint8, any => a; i128, any => int64; any, any => join; }
    op add { any if common == float32 => f63; }
}

fn main() {}
