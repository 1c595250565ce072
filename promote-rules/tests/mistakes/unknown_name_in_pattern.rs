promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { boool, any => b; any, any => join; }
}

fn main() {}
