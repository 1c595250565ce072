promote::rules! {
    rules R;
    dtypes bool i32 f64;
    let add = subtract | multiply;
    promote { any, any => join; }
    op add;
}

fn main() {}
