//! The array API standard 2025.12, as array-api-strict enforces it.
promote::rules! {
    rules ArrayApi;

    // Dtypes

    dtypes bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 c64 c128;

    // Reasons for refusals

    reason numbers = "numbers only";
    reason reals   = "real numbers only";
    reason floats  = "floats only";

    // Promotion

    numbers {
        bool    => bool;
        int     => i64;
        float   => f64;
        complex => c128;
    }

    promote {
        same                 => a;
        bool, any            => refuse "bool mixes with no other kind";
        int, float | complex => refuse "integers do not mix with floats: cast one";
        u64, signed          => refuse "no integer dtype holds both u64 and a signed one";
        any, any             => join;
    }

    // A Python number takes the dtype of the array.
    yield array > number {
        bool, bool     => a;
        any, bool      => refuse "a Python bool mixes with bool arrays only";
        bool, any      => refuse "bool arrays mix with Python bools only";
        any, no_higher => a;
        float, complex => complex above a;
        any, any       => refuse "a Python number of a higher kind than the array";
    }

    // Arithmetic

    op add subtract multiply pow positive negative sign square round { bool => refuse numbers; }
    op divide reciprocal { bool | int => refuse floats; }
    op floor_divide remainder { bool | complex => refuse reals; }
    op remainder { zero_sign: divisor; }
    op abs {
        bool    => refuse numbers;
        complex => common -> real(common);
    }

    // Comparison, order and truth

    op equal not_equal any all -> bool;
    op ordering -> bool { bool | complex => refuse reals; }
    op extremum clamp max min { bool | complex => refuse reals; }
    op inspection -> bool { bool => refuse numbers; }
    op signbit -> bool { bool | int | complex => refuse "real floats only"; }
    op logical { int | float | complex => refuse "bool only"; }

    // Bits

    op bitwise { float | complex => refuse "bool and integers only"; }
    op shift { bool | float | complex => refuse "integers only"; }

    // A Python integer has to fit, in comparisons too.
    op add subtract multiply floor_divide remainder pow extremum clamp comparison { number: error; }
    op bitwise_and bitwise_or bitwise_xor shift where { number: error; }

    // Functions

    op sqrt elementary { bool | int => refuse floats; }
    op logaddexp atan2 hypot nextafter copysign { bool | int | complex => refuse "real floats only"; }
    op floor ceil trunc { bool | complex => refuse reals; }
    op conj real { bool => refuse numbers; }
    op imag { bool | int | float => refuse "complex only"; }
    op real imag { complex => common -> real(common); }

    // Arrays

    op where concatenate stack;
    op isin -> bool;
    op matmul { bool => refuse numbers; }

    // Reductions and scans

    op sum prod cumsum cumprod {
        bool     => refuse numbers;
        signed   => i64;
        unsigned => u64;
    }
    op mean { bool | int => refuse floats; }
    op std var { bool | int | complex => refuse "real floats only"; }
    op argmax argmin -> i64 { bool | complex => refuse reals; }

    // Casts

    cast default {
        any, any if promote(a, b) == b => b;
        any, any => refuse "not the dtype that the two promote to";
    }
    inplace default;

    // Laws

    law commutative;
    law associative;

    // Names

    // Also those of the tables in the standard, in which the number counts bytes.
    names {
        bool: "bool";
        u8:   "uint8" "u1";
        u16:  "uint16" "u2";
        u32:  "uint32" "u4";
        u64:  "uint64" "u8";
        i8:   "int8" "i1";
        i16:  "int16" "i2";
        i32:  "int32" "i4";
        i64:  "int64" "i8";
        f32:  "float32" "f4";
        f64:  "float64" "f8";
        c64:  "complex64" "c8";
        c128: "complex128" "c16";

        bitwise_not: "bitwise_invert";
        left_shift:  "bitwise_left_shift";
        right_shift: "bitwise_right_shift";
        concatenate: "concat";
        cumsum:      "cumulative_sum";
        cumprod:     "cumulative_prod";
    }
}
