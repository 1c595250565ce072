promote::rules! {
    rules R;
    dtypes bool i32 f32 f64;
    promote { bool, any => least; any, any => join; }
    op add { any, any => float holding a; }
    op multiply { any, any => join holding a; }
    op divide { bool | int => float abov common; }
}

fn main() {}
