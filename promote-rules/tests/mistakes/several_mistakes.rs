promote::rules! {
    rules R;
    dtypes bool i32 f23;
    let ints = i32 | i46;
    promote { bool, ayn => b; any any => join; int, float => b }
    op ad;
}

fn main() {}
