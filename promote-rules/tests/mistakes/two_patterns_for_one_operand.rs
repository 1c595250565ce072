promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op negative { bool, any => refuse "no sign"; }
}

fn main() {}
