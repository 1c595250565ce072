promote::rules! {
    rules R;
    dtypes i32 f32;
    param exact: bool = true;
    promote { any, any => join; }
    op add { when exact { number: error; } }
}

fn main() {}
