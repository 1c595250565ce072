promote::rules! {
    rules R;
    dtypes bool i32 f64;
}

fn main() {}
