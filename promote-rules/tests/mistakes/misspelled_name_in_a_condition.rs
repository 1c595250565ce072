promote::rules! {
    rules R;
    dtypes bool i32 f64;
    param quotient: i32 | f64 = f64;
    promote { any, any => least; }
    op add { any if c == quotiet => c; any if c == flot => c; any if c == float => c; any if kind(c) == int => c; }
}

fn main() {}
