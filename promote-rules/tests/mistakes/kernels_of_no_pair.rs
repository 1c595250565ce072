promote::rules! {
    rules R;
    dtypes bool i16 f16 f32 c64;
    promote {
        c64, bool | int | float => refuse "convert it first";
        c64, c64                => a;
        any, any                => join;
    }
    op add multiply;
    op subtract { bool => refuse "a truth value is no number"; }
    opmath { f16 => f32; i16 => f32; }

    kernels add: f32;
    kernels subtract: bool i16;
    kernels multiply: bool f16 f32 c64;
}

fn main() {}
