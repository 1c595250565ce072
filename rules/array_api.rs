//! The array API standard 2025.12, as array-api-strict enforces it.
promote::rules! {
    rules ArrayApi;

    dtypes bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 c64 c128;

    numbers { bool => bool; int => i64; float => f64; complex => c128; }

    promote {
        same                 => a;
        bool, any            => refuse "bool mixes with no other kind";
        int, float | complex => refuse "integers do not mix with floats: cast one";
        u64, signed          => refuse "no integer dtype holds both u64 and a signed one";
        any, any             => join;
    }

    // A Python number takes the array's dtype.
    yield array > number {
        bool, bool     => a;
        any, bool      => refuse "a Python bool mixes with bool arrays only";
        bool, any      => refuse "bool arrays mix with Python bools only";
        any, no_higher => a;
        float, complex => complex above a;
        any, any       => refuse "a Python number of a higher kind than the array";
    }

    op where concatenate;
    op equal not_equal any all -> bool;
    op add subtract multiply pow negative sign square round { bool => refuse "numbers only"; }
    op floor_divide remainder extremum floor ceil trunc max min { bool | complex => refuse "real numbers only"; }
    op ordering -> bool                { bool | complex => refuse "real numbers only"; }
    op divide sqrt elementary mean reciprocal { bool | int => refuse "floats only"; }
    op logaddexp atan2 hypot nextafter copysign std var { bool | int | complex => refuse "real floats only"; }
    op logical                         { int | float | complex => refuse "bool only"; }
    op bitwise                         { float | complex => refuse "bool and integers only"; }
    op shift                           { bool | float | complex => refuse "integers only"; }
    op conj real abs                   { bool => refuse "numbers only"; }
    op real abs                        { complex => common -> real(common); }
    op isnan -> bool                   { bool => refuse "numbers only"; }
    op sum prod cumsum cumprod         { bool => refuse "numbers only"; signed => i64; unsigned => u64; }
    op argmax argmin -> i64            { bool | complex => refuse "real numbers only"; }

    // A Python integer has to fit, in comparisons too.
    op add subtract multiply floor_divide remainder pow extremum comparison bitwise_and bitwise_or bitwise_xor shift where { number: error; }

    cast default { any, any if promote(a, b) == b => b; any, any => refuse "not the dtype that the two promote to"; }
    inplace default;

    law commutative;
    law associative;
}
