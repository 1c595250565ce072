//! JAX 0.12.
promote::rules! {
    rules Jax;

    dtypes bool u8 u16 u32 u64 i8 i16 i32 i64 c64 c128;
    dtypes wide: bf16 f16 f32 f64;
    dtypes tiny_int: u1 u2 u4 i1 i2 i4;
    dtypes tiny_float: f4e2m1fn f6e2m3fn f6e3m2fn f8e3m4 f8e4m3 f8e8m0fnu f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz;

    param x64: bool = true;
    param strict: bool = false;
    param explicit_x64: warn | allow = warn;     // whether a dtype of 64 bits that is asked for by name exists without `x64`

    // What a Python number is when it stands alone; what an array of a dtype becomes when it is made.
    numbers {
        bool => array bool;
        when x64 { int => weak i64; float => weak f64; complex => weak c128; }
        int => weak i32;
        float => weak f32;
        complex => weak c64;
    }
    stored { when !x64 && explicit_x64 == warn { u64 => u32; i64 => i32; f64 => f32; c128 => c64; } }

    promote {
        same                            => a;
        array, array if strict          => refuse "strict promotion: cast one explicitly";
        bool, any                       => b;
        tiny_int, any                   => refuse "integers of 1, 2 and 4 bits do not promote: cast one";
        int, float | complex            => b;
        tiny_float, any                 => refuse "floats of 4, 6 and 8 bits promote with no other float: cast one";
        u64, signed if explicit_x64 == allow => weak default(float);
        u64, signed                     => weak f64;
        u32, signed if !x64 && b != i64 => i32;
        any, any                        => join;
    }

    // A weak operand counts only where it is of a higher kind, and what it then gives is weak.
    yield array > weak {
        any, no_higher     => a;
        any, any if strict => refuse "strict promotion: cast one explicitly";
        wide, complex      => complex above a;
        any, any           => promote(a, b);
    }

    let half_bytes = u1 | u2 | i1 | i2;
    op add multiply where extremum dot matmul concatenate max min conj;
    op comparison -> bool;
    op logical inspection any all -> array bool;
    op subtract negative sign          { bool => refuse "not defined for bool: use `logical_xor` or `logical_not`"; }
    op divide mean                     { half_bytes => common in f32; }
    op abs gcd lcm                     { i1 => i8; i2 | i4 => refuse "not defined for integers of 2 and 4 bits"; }
    op hypot nextafter copysign heaviside { complex => refuse "not defined for complex"; }
    op copysign                        { i1 => f32 -> i8; tiny_float => refuse "not defined for tiny floats"; }
    op heaviside (a, b) {                        // weak only where the left operand is
        array u64, array signed => array f64;
        array signed, array u64 => array f64;
        array bool | int, weak float => array default(float);
        array bool, weak int => array default(float);
    }
    op heaviside                       { half_bytes => common; }
    op logaddexp                       { complex => array common; }
    op divide mean float_power logaddexp logaddexp2 atan2 hypot nextafter copysign heaviside sqrt elementary reciprocal std var median {
        half_bytes          => refuse "not defined for integers of 1 and 2 bits";
        int if bits(common) == 64 => f64;
        bool | int          => f32;
    }
    op ldexp (a, b) {
        any, float | complex => refuse "the exponent is an integer";
        complex, any => refuse "not defined for complex";
        half_bytes, any => a in f32;
        int, any if bits(a) == 64 => f64;
        bool | int, any => f32;
        any, any => array a;
    }
    op floor ceil trunc floor_divide remainder fmod median { complex => refuse "complex numbers have no order"; }
    op round angle                     { bool | int => default(float); }      // as `jnp.rint`
    op pow                             { tiny_int => refuse "not defined for tiny integers"; }
    op pow (a, b)                      { bool, weak int => i32; weak, array int => array common; weak int, bool | int => array common; }
    op square pow floor_divide remainder fmod shift { bool => i32; }
    op shift bitwise                   { float | complex => refuse "bool and integers only"; }
    op gcd lcm                         { bool | float | complex => refuse "integers only"; }
    op sum prod cumsum cumprod         { bool => default(int); }
    op sum prod                        { tiny_int => refuse "no sum of tiny integers"; signed => default(int); unsigned if x64 => u64; unsigned => u32; }
    op abs real angle                  { complex => common -> real(common); }
    op std var                         { complex => common -> array real(common); }
    op logaddexp2 gcd lcm sum prod mean std var cumsum cumprod max min median -> array result;   // with a dtype of their own
    op argmax -> array default(int);

    op astype;                                                      // saturates, and 0 for NaN
    op floor_divide                    { by_zero: ones; }
    op remainder fmod                  { by_zero: zero; }
    op cumsum cumprod                  { bf16 | f16 => common stepwise; }

    opmath { tiny_float | bf16 | f16 => f32; }
    law commutative;
    law associative;
}
