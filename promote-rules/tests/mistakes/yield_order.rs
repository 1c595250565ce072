promote::rules! {
    rules R;
    dtypes bool i32 f64;
    numbers { any => f64; }
    promote { any, any => join; }
    yield number > array { any, any => a; }
}

fn main() {}
