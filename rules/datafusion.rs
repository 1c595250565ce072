//! DataFusion 55.2: SQL under the default settings.
promote::rules! {
    rules DataFusion;

    // Dtypes

    dtypes bool u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64;

    // Reasons for refusals

    reason truth    = "bool is not a numeric type";
    reason bools    = "bool only";
    reason integers = "integers only";
    reason decimal  = "DataFusion computes them as decimals: cast one";

    // Promotion

    // Literals are typed: they count as columns of these dtypes.
    numbers {
        bool    => bool;
        int     => i64;
        float   => f64;
        complex => refuse "there is no complex dtype";
    }

    promote {
        same        => a;
        bool, any   => refuse truth;
        int, float  => b;                           // however narrow it is
        u64, signed => lacks decimal;
        any, any    => join;
    }

    // An integer that an i64 does not hold is a u64 in DataFusion, which gives a decimal with an i64.
    yield array > number {
        int, int => join(a, i64, value(b)) or lacks decimal;
        any, any => promote(a, b);
    }

    // How ops compute

    opmath { f16 => f32; }

    // Arithmetic

    op add subtract multiply { bool => refuse truth; }
    // In DataFusion the lowest integer divided by -1 is an error, as are its absolute value, 0 to a negative
    // power and the root of a negative number. Here they are the lowest integer again, infinity and NaN.
    op divide {
        bool => refuse truth;
        rounding: truncate;
        by_zero: error;
    }
    op fmod { bool => refuse truth; }               // `%`, whose result has the sign of the dividend
    op pow {
        int | float, int | float => f64;
        bool => refuse truth;
    }
    op gcd {
        int, int   => i64;
        bool, bool => refuse truth;
        float, any => refuse integers;
    }

    // Comparison, order and truth

    op comparison -> bool { nan: greatest; }
    op maximum;                                     // `greatest`, which is NaN if one of its operands is
    op fmin;                                        // `least`, which is not
    op isin -> bool;                                // `IN`
    op logical_and { int | float, any => refuse bools; }
    op logical_not { int | float => refuse bools; }

    // Bits

    // A float becomes the integer's dtype, which is an error in DataFusion if it does not fit. A u64 beside a
    // signed integer keeps its dtype.
    op bitwise_and bitwise_or shift {
        int, float   => a;
        u64, signed  => a;
        bool | float => refuse integers;
    }
    op shift { count: wraps; }

    // Functions

    op negative { bool | unsigned => refuse "signed numbers only"; }
    op abs { bool => refuse truth; }
    op sign sqrt exp log sin floor ceil trunc {
        bool      => refuse truth;
        int | f16 => f64;
    }
    op atan2 {
        int | float, int | float if a != f32 || b != f32 => f64;
        bool => refuse truth;
    }
    op isnan -> bool { bool => refuse truth; }

    // Arrays

    op where;                                       // `CASE`

    // Reductions

    op sum {
        bool     => refuse truth;
        signed   => i64;
        unsigned => u64;
        float    => f64;
    }
    op mean std var {
        bool => refuse truth;
        any  => f64;
    }
    op std var { correction: one; }
    op median {
        bool => refuse truth;
        int  => f64;
    }
    op max min;                                     // NaN is the greatest number there: `min` passes over it
    op all { int | float => refuse bools; }         // `bool_and`

    // Laws

    law commutative;
    law not associative "u64, (i8, f16) is f16, and (u64, i8) is a decimal";

    // Names

    // Of Arrow, of SQL, and of Arrow in Python.
    names {
        bool: "Boolean" "BOOLEAN" "bool";
        u8:   "UInt8" "TINYINT UNSIGNED" "uint8";
        u16:  "UInt16" "SMALLINT UNSIGNED" "uint16";
        u32:  "UInt32" "INT UNSIGNED" "uint32";
        u64:  "UInt64" "BIGINT UNSIGNED" "uint64";
        i8:   "Int8" "TINYINT" "int8";
        i16:  "Int16" "SMALLINT" "int16";
        i32:  "Int32" "INT" "INTEGER" "int32";
        i64:  "Int64" "BIGINT" "int64";
        f16:  "Float16" "halffloat" "float16";
        f32:  "Float32" "REAL" "FLOAT" "float" "float32";
        f64:  "Float64" "DOUBLE" "double" "float64";
    }
}
