//! A number counts by its value, as in NumPy 1, and not by the dtype that it has alone.
promote::rules! {
    rules ByValue;

    dtypes bool u8 u16 i8 i16 i32 i64 f16 bf16 f32 f64;
    holds f64: i64;

    numbers { bool => bool; int => i64; float => f64; complex => refuse "there is no complex dtype"; }
    promote { any, any => join; }

    yield array > zero_dim {
        any, no_higher => join(a, value(b));
        any, any       => promote(a, b);
    }

    op add maximum;
    op minimum { any, any => common; }
    op multiply (a, b) { any, any if common == i16 => refuse "no i16"; i8, any => promote(common, common) -> b; }

    opmath { f16 | bf16 => f32; }
    law commutative;
}
