promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { same => a; bool, any => b; }
}

fn main() {}
