promote::rules! {
    rules R;
    dtypes bool u64 i32 f64;
    promote { any, any => join or refuse "no"; }
    op subtract negative;
}

fn main() {}
