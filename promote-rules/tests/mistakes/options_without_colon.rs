promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op divide { rounding = floor; bool | int => f64; }
    op add { overflow = wrap; }
    op multiply { overflow; overflow => saturate; number int any => b; }
    op sqrt { int = f64; bool f64; }
}

fn main() {}
