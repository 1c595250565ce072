promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op divide { bool | int => f64; rounding: floor; }
}

fn main() {}
