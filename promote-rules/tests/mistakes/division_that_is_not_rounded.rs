promote::rules! {
    rules R;
    dtypes i32 f64;
    promote { any, any => least; }
    op divide { by_zero: zero; }
}

fn main() {}
