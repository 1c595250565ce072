//! JAX 0.12.
promote::rules! {
    rules Jax;

    // Dtypes

    dtypes bool u8 u16 u32 u64 i8 i16 i32 i64 c64 c128;
    dtypes wide: bf16 f16 f32 f64;
    dtypes tiny_int: u1 u2 u4 i1 i2 i4;
    dtypes tiny_float: f4e2m1fn f6e2m3fn f6e3m2fn
        f8e3m4 f8e4m3 f8e8m0fnu f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz;
    let half_bytes = u1 | u2 | i1 | i2;

    param x64: bool = true;
    param strict: bool = false;
    param explicit_x64: warn | allow = warn;    // whether a 64-bit dtype that is named exists without `x64`

    stored {
        when !x64 && explicit_x64 == warn {
            u64  => u32;
            i64  => i32;
            f64  => f32;
            c128 => c64;
        }
    }

    // Reasons for refusals

    reason strictly   = "strict promotion: cast one explicitly";
    reason unordered  = "complex numbers have no order";
    reason no_complex = "not defined for complex";

    // Promotion

    numbers {
        bool => array bool;
        when x64 {
            int     => weak i64;
            float   => weak f64;
            complex => weak c128;
        }
        int     => weak i32;
        float   => weak f32;
        complex => weak c64;
    }

    promote {
        same                   => a;
        array, array if strict => refuse strictly;
        bool, any              => b;
        tiny_int, any          => refuse "integers of 1, 2 and 4 bits do not promote: cast one";
        int, float | complex   => b;
        tiny_float, any        => refuse "floats of 4, 6 and 8 bits promote with no other float: cast one";
        u64, signed if explicit_x64 == allow => weak default(float);
        u64, signed            => weak f64;
        u32, signed if !x64 && b != i64 => i32;
        any, any               => join;
    }

    // A weak operand counts only if its kind is higher, and then the result is weak.
    yield array > weak by kind {
        any, any if strict => refuse strictly;
        wide, complex      => complex above a;
        any, any           => promote(a, b);
    }

    // How ops compute

    opmath { tiny_float | bf16 | f16 => f32; }

    // Arithmetic

    op add multiply positive;
    op subtract negative sign { bool => refuse "not defined for bool: use `logical_xor` or `logical_not`"; }
    op divide mean { half_bytes => common in f32; }
    op pow { tiny_int => refuse "not defined for tiny integers"; }
    op pow (a, b) {
        bool, weak int       => i32;
        weak, array int      => array common;
        weak int, bool | int => array common;
    }
    op square pow { bool => i32; }
    op floor_divide remainder fmod {
        complex => refuse unordered;
        bool    => i32;
    }
    op floor_divide { by_zero: ones; }
    op remainder fmod { by_zero: zero; }
    op abs gcd lcm {
        i1      => i8;
        i2 | i4 => refuse "not defined for integers of 2 and 4 bits";
    }
    op gcd lcm { bool | float | complex => refuse "integers only"; }
    op abs { complex => common -> real(common); }

    // Comparison, order and truth

    op comparison -> bool;
    op extremum max min;
    op clamp { complex => refuse unordered; }
    op isclose -> array bool;
    op logical inspection signbit any all -> array bool;
    op signbit {
        complex    => refuse no_complex;
        tiny_float => refuse "not defined for tiny floats";
    }

    // Bits

    op shift { bool => i32; }
    op shift bitwise { float | complex => refuse "bool and integers only"; }

    // Functions

    op hypot nextafter copysign heaviside { complex => refuse no_complex; }
    op copysign {
        i1         => f32 -> i8;
        tiny_float => refuse "not defined for tiny floats";
    }
    op heaviside (a, b) {                       // weak only where the left operand is
        array u64, array signed      => array f64;
        array signed, array u64      => array f64;
        array bool | int, weak float => array default(float);
        array bool, weak int         => array default(float);
    }
    op heaviside { half_bytes => common; }
    op relu { bool => weak default(int); }
    op rsqrt sigmoid silu { bool | int => refuse "floats only"; }
    op cbrt erf erfc gelu { complex => refuse no_complex; }
    op softplus { bool => weak default(float); }
    op logaddexp { complex => array common; }
    op divide mean float_power logaddexp logaddexp2 atan2 hypot nextafter copysign heaviside isclose
        sqrt cbrt elementary erf erfc softplus gelu gelu_tanh reciprocal std var median logsumexp
    {
        half_bytes  => refuse "not defined for integers of 1 and 2 bits";
        int if bits(common) == 64 => f64;
        bool | int  => f32;
    }
    op ldexp (a, b) {
        any, float | complex => refuse "the exponent is an integer";
        complex, any         => refuse no_complex;
        half_bytes, any      => a in f32;
        int, any if bits(a) == 64 => f64;
        bool | int, any      => f32;
        any, any             => array a;
    }
    op floor ceil trunc median { complex => refuse unordered; }
    op round angle { bool | int => default(float); }    // `round` is `jnp.rint`
    op conj;
    op real angle { complex => common -> real(common); }

    // Arrays

    op where dot matmul concatenate stack;
    op isin -> bool;

    // Reductions and scans

    op sum prod nansum cumsum cumprod { bool => default(int); }
    op sum prod nansum {
        tiny_int => refuse "no sum of tiny integers";
        signed   => default(int);
        unsigned if x64 => u64;
        unsigned => u32;
    }
    op cumsum cumprod { bf16 | f16 => common stepwise; }
    op std var { complex => common -> array real(common); }
    op logaddexp2 gcd lcm sum prod nansum mean std var cumsum cumprod max min median logsumexp
        -> array result;                        // never weak
    op argmax -> array default(int);

    // Casts

    op astype;                                  // saturates, and NaN becomes 0

    // Laws

    law commutative;
    law associative;

    // Names

    // Also those of the table in JAX's documentation, in which the number counts bytes, and of XLA.
    names {
        bool:          "bool" "jnp.bool" "jnp.bool_" "b1" "pred";
        u8:            "uint8" "jnp.uint8" "u1";
        u16:           "uint16" "jnp.uint16" "u2";
        u32:           "uint32" "jnp.uint32" "u4";
        u64:           "uint64" "jnp.uint64" "jnp.uint" "u8";
        i8:            "int8" "jnp.int8" "i1" "s8";
        i16:           "int16" "jnp.int16" "i2" "s16";
        i32:           "int32" "jnp.int32" "i4" "s32";
        i64:           "int64" "jnp.int64" "jnp.int_" "i8" "s64";
        bf16:          "bfloat16" "jnp.bfloat16" "bf";
        f16:           "float16" "jnp.float16" "half" "f2";
        f32:           "float32" "jnp.float32" "jnp.single" "f4";
        f64:           "float64" "jnp.float64" "jnp.float_" "jnp.double" "f8";
        c64:           "complex64" "jnp.complex64" "jnp.csingle" "c8";
        c128:          "complex128" "jnp.complex128" "jnp.complex_" "jnp.cdouble" "c16";
        u1:            "uint1" "jnp.uint1";
        u2:            "uint2" "jnp.uint2";
        u4:            "uint4" "jnp.uint4";
        i1:            "int1" "jnp.int1";
        i2:            "int2" "jnp.int2";
        i4:            "int4" "jnp.int4";
        f4e2m1fn:      "float4_e2m1fn" "jnp.float4_e2m1fn";
        f6e2m3fn:      "float6_e2m3fn" "jnp.float6_e2m3fn";
        f6e3m2fn:      "float6_e3m2fn" "jnp.float6_e3m2fn";
        f8e3m4:        "float8_e3m4" "jnp.float8_e3m4";
        f8e4m3:        "float8_e4m3" "jnp.float8_e4m3";
        f8e8m0fnu:     "float8_e8m0fnu" "jnp.float8_e8m0fnu";
        f8e4m3b11fnuz: "float8_e4m3b11fnuz" "jnp.float8_e4m3b11fnuz";
        f8e4m3fn:      "float8_e4m3fn" "jnp.float8_e4m3fn";
        f8e4m3fnuz:    "float8_e4m3fnuz" "jnp.float8_e4m3fnuz";
        f8e5m2:        "float8_e5m2" "jnp.float8_e5m2";
        f8e5m2fnuz:    "float8_e5m2fnuz" "jnp.float8_e5m2fnuz";

        abs:           "jnp.absolute" "jnp.fabs";
        divide:        "jnp.true_divide";
        remainder:     "jnp.mod";
        pow:           "jnp.power";
        round:         "jnp.rint";
        conj:          "jnp.conjugate";
        bitwise_not:   "jnp.invert" "jnp.bitwise_invert";
        left_shift:    "jnp.bitwise_left_shift";
        right_shift:   "jnp.bitwise_right_shift";
        concatenate:   "jnp.concat";
        mean:          "jnp.average";
        cumsum:        "jnp.cumulative_sum";
        cumprod:       "jnp.cumulative_prod";
        acos:          "jnp.arccos";
        acosh:         "jnp.arccosh";
        asin:          "jnp.arcsin";
        asinh:         "jnp.arcsinh";
        atan:          "jnp.arctan";
        atanh:         "jnp.arctanh";
        atan2:         "jnp.arctan2";
        subtract:      "lax.sub";
        multiply:      "lax.mul";
        negative:      "lax.neg";
        equal:         "lax.eq";
        not_equal:     "lax.ne";
        less:          "lax.lt";
        less_equal:    "lax.le";
        greater:       "lax.gt";
        greater_equal: "lax.ge";
        where:         "lax.select";
        fmod:          "lax.rem";
    }
}
