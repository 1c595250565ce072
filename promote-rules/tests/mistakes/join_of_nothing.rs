promote::rules! {
    rules R;
    dtypes bool i32 f32 f64;
    promote { any, any => join(); }
}

fn main() {}
