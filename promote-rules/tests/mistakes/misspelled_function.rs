promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => least; }
    op add { any if knd(c) == bits(c) => promte(c, c); any => reel(c); }
}

fn main() {}
