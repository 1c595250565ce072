promote::rules! {
    rules R;
    dtypes bool i33 f32;
    promote { any, any => join; }
}

fn main() {}
