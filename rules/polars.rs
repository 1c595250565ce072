//! Polars 2.1: expressions.
promote::rules! {
    rules Polars;

    // Dtypes

    dtypes bool u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64;

    // Reasons for refusals

    reason no_complex = "there is no complex dtype";
    reason truth      = "not defined for bool";
    reason mixed_bits = "bool mixes with bool only";
    reason float_bits = "bool and integers only";
    reason i128       = "Polars computes them in i128: cast one";
    reason by_value   = "Polars gives a dtype that depends on the number's value: cast the number";

    // Promotion

    // A number alone is an i64 if an i32 does not hold it, and then a u64 or an i128.
    numbers {
        bool    => bool;
        int     => i32;
        float   => f64;
        complex => refuse no_complex;
    }

    promote {
        u64, signed      => lacks i128;
        u64 | i64, float => f64;        // which does not hold them
        any, any         => join;       // so u16 and f16 give f32, and i32 and f32 give f64
    }

    // Beside integers, an integer number has the dtypes that hold its value. It does not change a float.
    yield array > number {
        int, int          => join(a, value(b)) or lacks by_value;
        bool, int         => i32 | i64 above value(b) or lacks by_value;
        bool | int, float => f64;
        any, any          => a;
    }

    // How ops compute

    opmath { f16 => f32; }

    // Arithmetic

    op add { bool => u32; }
    op subtract multiply { bool => refuse truth; }
    op divide { bool | int, bool | int => f64; }
    // By zero, integers give null in Polars, and an error here.
    op floor_divide { bool, number float => refuse truth; }
    op floor_divide remainder {
        bool => refuse truth;
        f16  => common stepwise;
        quotient: rounded;
    }
    // An integer to the power of another one keeps its dtype, and 2 ** -1 is an error.
    op pow (a, b) {
        bool, any       => refuse truth;
        any, bool       => refuse truth;
        u64, signed     => i64 -> u64;
        signed, u64     => i64 -> a;
        number int, int => i64 -> i32;
        int, int        => common -> a;
        int, float      => b;
        any, any        => a;
    }
    op pow { negative_exponent: error; }
    op add subtract multiply floor_divide remainder pow { number: error; }

    // Comparison and order

    op comparison -> bool {
        nan: greatest;
        number: error;
    }
    // `max_horizontal` and `min_horizontal`, which pass over NaN. Of 0 and -0 they give the second one.
    op fmax fmin { number: error; }

    // Bits

    op bitwise { float => refuse float_bits; }
    op bitwise_and bitwise_or bitwise_xor {
        bool, int => refuse mixed_bits;
        number: error;
    }

    // Functions

    op negative { bool | unsigned => refuse "signed numbers only"; }
    op abs sign square rounding { bool => refuse truth; }       // the sign of -0 is -0 in Polars
    op sqrt cbrt exp log log1p log10 { bool | int => f64; }
    op trigonometric hyperbolic {
        bool => refuse truth;
        int  => f64;
    }
    op atan2 (a, b) {
        float, any => a;
        any, any   => f64;
    }
    op inspection -> bool { bool => refuse truth; }

    // Arrays

    op where { number: error; }     // `when`, `then`, `otherwise`
    op isin -> bool {
        u64, signed       => f64;
        bool, int         => refuse mixed_bits;
        bool | int, float => refuse "a float is found among floats only";
    }

    // Reductions and scans

    op sum cumsum {
        bool => u32;
        u8 | u16 | i8 | i16 => i64;
    }
    op prod cumprod {
        u64        => u64;
        bool | int => i64;
    }
    op mean std var median { bool | int => f64; }
    op std var { correction: one; }
    op max min;                     // `nan_max`, `nan_min`: `max` and `min` pass over NaN
    op any all -> bool;
    op argmax -> u32;

    // Casts

    op astype;                      // `cast(.., wrap_numerical=True)`; without, it is an error not to fit

    // Laws

    law commutative;
    law not associative "(u16, i8), f32 is f64 and u16, (i8, f32) is f32";

    // Names

    names {
        bool: "Boolean" "pl.Boolean";
        u8:   "UInt8" "pl.UInt8";
        u16:  "UInt16" "pl.UInt16";
        u32:  "UInt32" "pl.UInt32";
        u64:  "UInt64" "pl.UInt64";
        i8:   "Int8" "pl.Int8";
        i16:  "Int16" "pl.Int16";
        i32:  "Int32" "pl.Int32";
        i64:  "Int64" "pl.Int64";
        f16:  "Float16" "pl.Float16";
        f32:  "Float32" "pl.Float32";
        f64:  "Float64" "pl.Float64";
    }
}
