promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promot { any, any => join; }
}

fn main() {}
