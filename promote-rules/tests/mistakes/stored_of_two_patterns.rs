promote::rules! {
    rules R;
    dtypes bool i32 f32;
    stored { i32, f32 => f32; }
    promote { any, any => join or refuse "none holds both"; }
}

fn main() {}
