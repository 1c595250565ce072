promote::rules! {
    rules R;
    dtypes i32 f64;
    promote { any, any => join; }
    op divide { by_zero: zero; }
}

fn main() {}
