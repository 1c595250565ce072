promote::rules! {
    rules R;
    dtypes bool f32;
    promote { any, any => join; }
    fold by_width;
}

fn main() {}
