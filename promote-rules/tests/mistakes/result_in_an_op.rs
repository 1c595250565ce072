promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op add { i32, f64 => result; }
    op equal -> b;
}

fn main() {}
