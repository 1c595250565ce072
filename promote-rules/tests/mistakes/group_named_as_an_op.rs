promote::rules! {
    rules R;
    dtypes bool i32 f64;
    let add = subtract | multiply;
    promote { any, any => least; }
    op add;
}

fn main() {}
