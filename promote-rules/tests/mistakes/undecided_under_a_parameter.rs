promote::rules! {
    rules R;
    dtypes bool i32 f64;
    param strict: bool = false;
    promote { same => a; any, any if !strict => join; }
}

fn main() {}
