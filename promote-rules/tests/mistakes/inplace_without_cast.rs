promote::rules! {
    rules R;
    dtypes bool i32 f64;
    promote { any, any => join; }
    inplace same_kind;
}

fn main() {}
