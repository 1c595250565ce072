promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { bool, any => c; any, any => least; }
}

fn main() {}
