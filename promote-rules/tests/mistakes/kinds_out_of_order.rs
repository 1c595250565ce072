promote::rules! {
    rules R;
    kinds float < int < bool < complex;
    dtypes bool i32 f64;
    promote { any, any => join; }
}

fn main() {}
