promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op equal -> bool;
    op equal -> bool;
}

fn main() {}
