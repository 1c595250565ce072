//! Without `wide` there are no 64-bit arrays: a new one is stored in 32 bits.
promote::rules! {
    rules Narrow;

    dtypes bool i32 i64 f32 f64;
    holds f32: i32;
    holds f64: i64;
    param wide: bool = true;

    numbers { bool => bool; int => i32; float => f32; complex => refuse "there is no complex dtype"; }
    stored { when !wide { i64 => i32; f64 => f32; } }
    promote { any, any => join; }
    yield array > number { any, no_higher => a; any, any => promote(a, b); }

    op add;
    op sum { bool => i64; }
    op divide { bool | int => f32; }
    op subtract (a, b) { bool, any => refuse "bool is not a numeric type"; }

    law commutative;
}
