promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op add { !bool => common; }
    op pow { any, !bool => common; }
}

fn main() {}
