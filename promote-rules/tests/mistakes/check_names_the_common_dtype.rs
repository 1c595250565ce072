promote::rules! {
    rules R;
    dtypes bool i32 f32;
    promote { any, any => least or refuse "none holds both"; }
    check { any, any if c == f32 => refuse "there is no c"; }
}

fn main() {}
