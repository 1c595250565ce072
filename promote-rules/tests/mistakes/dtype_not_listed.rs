promote::rules! {
    rules R;
    dtypes bool i32 f64;
    let half = f16;
    promote {
        bool, i32           => f32;
        f64, f32            => f64;
        any, any if a == u8 => i32;
        any, any            => join;
    }
}

fn main() {}
