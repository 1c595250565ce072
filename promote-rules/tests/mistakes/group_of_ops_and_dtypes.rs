promote::rules! {
    rules R;
    dtypes bool i32 f64;
    let mixed = add | f64;
    promote { any, any => least; }
    op mixed;
}

fn main() {}
