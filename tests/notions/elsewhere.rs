//! Ops that have dtypes and no kernels.
promote::rules! {
    rules Elsewhere;

    dtypes bool i32 f16 f32 f64;

    promote { any, any => join or refuse "no dtype holds both"; }
    opmath { f16 => f32; }

    op add;
    op softmax { bool | int => f32; }
    op conv { bool => refuse "bool is not a numeric type"; f64 => common -> f32; }
    op attention { bool | int => refuse "floats only"; }
    op qr cholesky (1) { bool | int => f64; f16 => refuse "at least 32 bits"; }
    op pick (2) (a, b) { any, int => a; any, any => refuse "the second operand is an index"; }
    op any_of (4) -> bool;
    op fused_product (3) {
        any, any if a != b => refuse "all of one dtype";
        f16                => f32;
    }
    op lowered (4) (a, b) { f16 | f32, f32 => f16; }
}
