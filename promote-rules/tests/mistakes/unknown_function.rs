promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any if kin(a) > kin(b) => a; any, any => join; }
}

fn main() {}
