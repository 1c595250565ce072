promote::rules! {
    rules R;
    dtypes bool i16 f32;
    promote { any, any => join; }
    op add multiply;

    kernels add multiply i16 f32;
    kernels add, multiply: i16, f32;
    kernels: i16 f32;
    kernels add:;
    kernels multiply: i16 f32 * 2;
}

fn main() {}
