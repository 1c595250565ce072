promote::rules! {
    rules R;
    dtypes bool i33 i128 c256 f23 c16;
    promote { any, any => join; }
}

fn main() {}
