promote::rules! {
    rules R;
    dtypes bool i32 f64;
    let mixed = add | f64;
    promote { any, any => join; }
    op mixed;
}

fn main() {}
