promote::rules! {
    rules R;
    dtypes i16 i32 i64;
    stored { i64 => i32; i32 => i16; }
    promote { any, any => join; }
}

fn main() {}
