//! An output can be `common`, the dtype that the operands promote to, or `result`, the dtype that they are
//! converted to. A parameter can be a result if its value is a dtype.
promote::rules! {
    rules Results;

    dtypes bool i32 i64 f16 f32 f64;
    holds f64: i64;
    param autocast: off | auto | f16 | f32 = off;

    promote {
        when autocast != off { float, float if autocast != auto => autocast; }
        any, any                                                => join;
    }

    op add less_equal;
    op less_equal -> bool;
    op divide     { bool => f32; i64 => f64 -> common; i32 => f64 -> result; }
    op multiply   { i32, i64 => f64 -> common; }
    op subtract   { bool => refuse "numbers only"; int => f32 in f64 -> result; }
    op atan2 -> common { bool => refuse "numbers only"; int => f32; }
    op hypot -> result { bool => refuse "numbers only"; int => f32; }

    opmath { f16 => f32; }
    law commutative;
}
