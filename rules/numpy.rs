//! NumPy 2.5 (NEP 50).
promote::rules! {
    rules NumPy;

    // Dtypes

    dtypes bool u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 c64 c128;
    holds f64 | c128: u64 | i64;        // they do not, but NumPy counts them as if they did

    // Reasons for refusals

    reason unordered   = "complex numbers have no order";
    reason no_complex  = "not defined for complex";
    reason integers    = "integers only";
    reason other_dtype = "not the same dtype";

    // Promotion

    numbers {
        bool    => bool;
        int     => i64;
        float   => f64;
        complex => c128;
    }

    promote { any, any => join; }

    // A Python number counts only if its kind is higher than the array's.
    yield array > number by kind {
        float, complex => complex above a;
        any, any       => promote(a, b);
    }

    fold by_kind;

    // How ops compute

    opmath { f16 => f32; }

    // Arithmetic

    op add multiply;
    op subtract negative sign { bool => refuse "not defined for bool: use `logical_xor` or `logical_not`"; }
    op positive { bool => refuse "numbers only"; }
    op divide { bool | int => f64; }
    op float_power {
        complex => c128;
        any     => f64;
    }
    op pow square reciprocal { bool => i8; }
    op floor_divide remainder fmod {
        bool    => i8;
        complex => refuse unordered;
        by_zero: zero;
    }
    op remainder { zero_sign: divisor; }
    op pow { negative_exponent: error; }
    op gcd lcm { bool | float | complex => refuse integers; }
    op abs { complex => common -> real(common); }

    op add subtract multiply floor_divide remainder fmod pow gcd lcm { number: error; }

    // Comparison and order

    // Integers are compared exactly, though i64 and u64 promote to f64.
    op comparison -> bool {
        signed, u64 => u64;
        number: exact;
        negative: exact;
    }
    op extremum clamp { number: error; }
    op isclose -> bool {
        bool | int => f64;
        f16        => common stepwise;
    }
    op max min;

    // Truth and bits

    op logical inspection signbit any all -> bool;
    op signbit { complex => refuse no_complex; }
    op logical_and logical_or logical_xor { any, number => bool; }  // a number counts before any cast
    op bitwise { float | complex => refuse "bool and integers only"; }
    op bitwise_and bitwise_or bitwise_xor { number: error; }
    op shift {
        bool            => i8;
        float | complex => refuse integers;
        number: error;
    }

    // Functions

    op sqrt cbrt elementary round { bool | int => float above common; }
    op cbrt { complex => refuse no_complex; }
    op logaddexp logaddexp2 atan2 hypot nextafter copysign heaviside {
        complex => refuse no_complex;
        array bool | int, array bool | int => float above a, b;     // f16 holds i8 and u8, though not i16
        bool | int => float above common;
    }
    op ldexp (a, b) {
        any, u64 | float | complex => refuse "the exponent is an integer";
        complex, any    => refuse no_complex;
        number int, int => f16;                                     // a number has no width
        bool | int, any => float above a;
        any, any        => a;
    }
    op floor ceil trunc { complex => refuse unordered; }
    op conj { bool => i8; }
    op real { complex => common -> real(common); }
    op angle {
        bool    => f64;
        int     => float above common;
        complex => common -> real(common);
    }

    // Arrays

    op where { number: error; }
    op matmul { number: error; }
    op dot outer concatenate stack;
    op isin -> bool;

    // Reductions and scans

    op sum prod nansum cumsum cumprod {
        bool | signed => i64;
        unsigned      => u64;
    }
    op cumsum cumprod { f16 => common stepwise; }
    op mean median { bool | int => f64; }
    op std var {
        bool | int => f64;
        complex    => common -> real(common);
    }
    op argmax argmin -> i64;

    // Casts

    op astype { out_of_range: x86; }
    cast no        { any, any if a != b => refuse other_dtype; }
    cast equiv     { any, any if a != b => refuse other_dtype; }
    cast safe      { any, any if !holds(b, a) => refuse "may lose values"; }
    cast same_kind {
        signed, unsigned => refuse "a sign may be lost";
        any, any if kind(a) > kind(b) => refuse "to a lower kind";
    }
    cast unsafe {}
    inplace same_kind;

    // Laws

    law commutative;
    law not associative "(i8, u16), f32 is f64 and i8, (u16, f32) is f32: NumPy joins all operands at once";

    // Names

    // Also those of type strings, in which the number counts bytes.
    names {
        bool: "bool" "np.bool" "np.bool_" "b1" "|b1" "?";
        u8:   "uint8" "np.uint8" "np.ubyte" "u1" "|u1" "B";
        u16:  "uint16" "np.uint16" "np.ushort" "u2" "<u2" "H";
        u32:  "uint32" "np.uint32" "np.uintc" "u4" "<u4" "I";
        u64:  "uint64" "np.uint64" "np.uint" "np.ulong" "np.ulonglong" "np.uintp" "u8" "<u8" "L" "N" "P" "Q";
        i8:   "int8" "np.int8" "np.byte" "i1" "|i1" "b";
        i16:  "int16" "np.int16" "np.short" "i2" "<i2" "h";
        i32:  "int32" "np.int32" "np.intc" "i4" "<i4" "i";
        i64:  "int64" "np.int64" "np.int_" "int" "np.long" "np.longlong" "np.intp" "i8" "<i8" "l" "n" "p" "q";
        f16:  "float16" "np.float16" "np.half" "f2" "<f2" "e";
        f32:  "float32" "np.float32" "np.single" "f4" "<f4" "f";
        f64:  "float64" "np.float64" "np.double" "float" "f8" "<f8" "d";
        c64:  "complex64" "np.complex64" "np.csingle" "c8" "<c8" "F";
        c128: "complex128" "np.complex128" "np.cdouble" "complex" "c16" "<c16" "D";

        abs:         "np.absolute" "np.fabs";
        divide:      "np.true_divide";
        remainder:   "np.mod";
        pow:         "np.power";
        clamp:       "np.clip";
        trunc:       "np.fix";
        round:       "np.rint";
        conj:        "np.conjugate";
        bitwise_not: "np.invert" "np.bitwise_invert";
        left_shift:  "np.bitwise_left_shift";
        right_shift: "np.bitwise_right_shift";
        concatenate: "np.concat";
        mean:        "np.average";
        cumsum:      "np.cumulative_sum";
        cumprod:     "np.cumulative_prod";
        acos:        "np.arccos";
        acosh:       "np.arccosh";
        asin:        "np.arcsin";
        asinh:       "np.arcsinh";
        atan:        "np.arctan";
        atanh:       "np.arctanh";
        atan2:       "np.arctan2";
    }
}
