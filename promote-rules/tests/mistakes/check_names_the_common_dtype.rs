promote::rules! {
    rules R;
    dtypes bool i32 f32;
    promote { any, any => join or refuse "none holds both"; }
    check { any, any if common == f32 => refuse "there is no common dtype"; }
}

fn main() {}
