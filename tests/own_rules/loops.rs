promote::rules! {
    rules Loops;
    dtypes bool i16 f32 f64;
    promote { any, any => join; }
    op add multiply;
    op less -> bool;

    kernels add multiply: i16 f32 f64;
}
