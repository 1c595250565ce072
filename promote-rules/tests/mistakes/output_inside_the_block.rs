promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => least; }
    op less { -> bool }
    op equal { int => f64; -> bool; }
}

fn main() {}
