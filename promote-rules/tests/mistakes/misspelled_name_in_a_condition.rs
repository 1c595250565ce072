promote::rules! {
    rules R;
    dtypes bool i32 f64;
    param quotient: i32 | f64 = f64;
    promote { any, any => join; }
    op add { any if common == quotiet => common; any if common == flot => common; any if common == float => common; any if kind(common) == int => common; }
}

fn main() {}
