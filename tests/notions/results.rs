//! What comes out is the common dtype `c`, or `r`, what the operands are converted to; a parameter is a
//! result where it is a dtype.
promote::rules! {
    rules Results;

    dtypes bool i32 i64 f16 f32 f64;
    holds f64: i64;
    param autocast: off | auto | f16 | f32 = off;

    promote {
        when autocast != off { float, float if autocast != auto => autocast; }
        any, any                                                => least;
    }

    op add less_equal;
    op less_equal -> bool;
    op divide     { bool => f32; i64 => f64 -> c; i32 => f64 -> r; }
    op multiply   { i32, i64 => f64 -> c; }
    op subtract   { bool => refuse "numbers only"; int => f32 in f64 -> r; }
    op atan2 -> c { bool => refuse "numbers only"; int => f32; }
    op hypot -> r { bool => refuse "numbers only"; int => f32; }

    opmath { f16 => f32; }
    law commutative;
}
