promote::rules! {
    rules R;
    kinds bool < int < fixed < fixed < float < complex < any;
    dtypes bool i32 f64;
    promote { any, any => join; }
}

fn main() {}
