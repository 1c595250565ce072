promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote {
        same => a;
        any, any => join;
    op add;
}

fn main() {}
