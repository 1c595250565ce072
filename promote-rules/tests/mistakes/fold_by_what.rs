promote::rules! {
    rules R;
    dtypes bool f32;
    promote { any, any => least; }
    fold by_width;
}

fn main() {}
