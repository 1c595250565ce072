promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op add { any if knd(common) == bits(common) => promte(common, common); any => reel(common); }
}

fn main() {}
