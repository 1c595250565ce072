promote::rules! {
    rules R;
    dtypes bool i32 f64;
    dtype money: int 64;
    promote { any, any => join; }
}

fn main() {}
