promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => least; }
    op add { !bool => c; }
    op pow { any, !bool => c; }
}

fn main() {}
