promote::rules! {
    rules R;
    dtypes bool i32 f64;
    param mode: safe | all = all;
    promote { any, any if mode == strict => a; any, any => join; }
}

fn main() {}
