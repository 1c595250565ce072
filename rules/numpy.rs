//! NumPy 2.5 (NEP 50).
promote::rules! {
    rules NumPy;

    dtypes bool u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 c64 c128;
    holds f64 | c128: u64 | i64;        // NumPy's one white lie: these count as held

    // What a Python number is when it stands alone.
    numbers { bool => bool; int => i64; float => f64; complex => c128; }

    promote { any, any => join; }      // the least dtype, of the lowest kind, that holds both

    // A Python number counts only where it is of a higher kind.
    yield array > number {
        any, no_higher => a;
        float, complex => complex above a;
        any, any       => promote(a, b);
    }

    op add multiply where extremum dot matmul outer concatenate max min median;
    op comparison logical inspection any all -> bool;
    op logical_and logical_or logical_xor { any, number => bool; }      // what counts is whether the number itself is zero
    op subtract negative sign        { bool => refuse "not defined for bool: use `logical_xor` or `logical_not`"; }
    op divide mean median            { bool | int => f64; }
    op float_power                   { complex => c128; any => f64; }
    op pow square reciprocal conj    { bool => i8; }
    op floor_divide remainder fmod   { bool => i8; complex => refuse "complex numbers have no order"; }
    op shift                         { bool => i8; float | complex => refuse "integers only"; }
    op gcd lcm                       { bool | float | complex => refuse "integers only"; }
    op bitwise                       { float | complex => refuse "bool and integers only"; }
    op sqrt elementary round         { bool | int => float above common; }
    op logaddexp logaddexp2 atan2 hypot nextafter copysign heaviside {
        complex => refuse "not defined for complex";
        array bool | int, array bool | int => float above a, b;      // of both at once: i8 and u8 are held by f16
        bool | int => float above common;
    }
    op ldexp (a, b) {
        any, u64 | float | complex => refuse "the exponent is an integer";
        complex, any    => refuse "not defined for complex";
        number int, int => f16;                                 // a number has no width
        bool | int, any => float above a;
        any, any        => a;
    }
    op floor ceil trunc              { complex => refuse "complex numbers have no order"; }
    op abs real                      { complex => common -> real(common); }
    op angle                         { bool => f64; int => float above common; complex => common -> real(common); }
    op std var                       { bool | int => f64; complex => common -> real(common); }
    op sum prod cumsum cumprod       { bool | signed => i64; unsigned => u64; }
    op argmax argmin -> i64;
    op astype;

    // How they compute, where systems differ.
    op floor_divide remainder fmod   { by_zero: zero; }
    op remainder                     { zero_sign: divisor; }
    op pow                           { negative_exponent: error; }
    op add subtract multiply floor_divide remainder fmod pow extremum where bitwise_and bitwise_or bitwise_xor shift gcd lcm matmul { number: error; }
    op comparison                    { number: exact; }
    op cumsum cumprod                { f16 => common stepwise; }             // f16 has loops of its own, step by step
    op astype                        { out_of_range: x86; }

    cast no        { any, any if a != b => refuse "not the same dtype"; }
    cast equiv     { any, any if a != b => refuse "not the same dtype"; }
    cast safe      { any, any if !holds(b, a) => refuse "may lose values"; }
    cast same_kind { signed, unsigned => refuse "a sign may be lost"; any, any if kind(a) > kind(b) => refuse "to a lower kind"; }
    cast unsafe    {}
    inplace same_kind;
    fold by_kind;

    opmath { f16 => f32; }
    law commutative;
    law not associative "(i8, u16), f32 is f64 and i8, (u16, f32) is f32: NumPy joins all operands at once";
}
