promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op add { scalar: exact; }
}

fn main() {}
