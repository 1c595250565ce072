promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    op less { -> bool }
    op equal { int => f64; -> bool; }
}

fn main() {}
