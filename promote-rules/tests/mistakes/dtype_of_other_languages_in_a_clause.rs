promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { uint8, any => a; i128, any => int64; any, any => least; }
    op add { any if c == float32 => f63; }
}

fn main() {}
