promote::rules! {
    rules R;
    dtypes bool i32 f32;
    promote { any, any => join or refuse "none holds both"; }
    check { float => refuse "one pattern"; }
}

fn main() {}
