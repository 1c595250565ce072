promote::rules! {
    rules R;
    dtypes bool uint8 float32 int double complex64 float8_e4m3fn string;
    promote { any, any => join; }
}

fn main() {}
