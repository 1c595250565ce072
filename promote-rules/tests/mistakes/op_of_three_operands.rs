promote::rules! {
    rules R;
    dtypes bool i32 f32 f64;
    promote { any, any => join; }
    op attention { f32, f64 => a; }
    op addmm { f32, f64 => f64; f64, f32 => f32; }
    op baddbmm (a, b) { f32, i32 => f32; i32 => refuse "floats only"; i32, i32 => f32; }
}

fn main() {}
