promote::rules! {
    rules R;
    dtypes bool i32 f32 f64;
    promote { any, any => join; }
    op add { any if c == f32 => f64; }
    op divide { bool | int => f64 -> c; }
    op sqrt -> r { bool | int => f64; }
}

fn main() {}
