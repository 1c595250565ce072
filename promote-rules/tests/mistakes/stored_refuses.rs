promote::rules! {
    rules R;
    dtypes bool i32 f32;
    stored { f32 => refuse "no floats"; }
    promote { any, any => join or refuse "none holds both"; }
}

fn main() {}
