promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { no_higher, any => b; any, any => join; }
}

fn main() {}
