promote::rules! {
    rules R;
    dtypes bool i32 f64;
    param mode: safe | all = saef;
    promote { any, any => join; }
}

fn main() {}
