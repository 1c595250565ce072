promote::rules! {
    rules R;
    dtypes i32 f32;
    promote { any, any => join; }
    yield array > number by number { any, any => promote(a, b); }
}

fn main() {}
