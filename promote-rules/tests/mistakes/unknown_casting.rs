promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    cast sahfe { any, any if kind(a) > kind(b) => refuse "to a lower kind"; }
}

fn main() {}
