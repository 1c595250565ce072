promote::rules! {
    rules R;
    dtypes bool i32 f32;
    promote { any, any => join(a, value(b)) or refuse "none holds both"; }
}

fn main() {}
