//! Integers divide as in SQL: the quotient is rounded towards zero, and a division by zero is an error.
promote::rules! {
    rules Sql;

    dtypes bool u8 i8 i16 i32 u32 i64 u64 f32 f64;

    numbers { bool => bool; int => i32; float => f64; complex => refuse "there is no complex dtype"; }
    promote {
        same       => a;
        bool, any  => refuse "bool is not a numeric type";
        u64, int   => u64;
        int, float => f64;
        any, any   => join;
    }
    yield array > number {
        any, no_higher => a;
        any, any       => promote(a, b);
    }

    op divide floor_divide divide_trunc { bool => refuse "bool is not a numeric type"; }
    op divide { rounding: truncate; by_zero: error; }
    op less -> bool;

    cast same_kind { any, any if kind(a) > kind(b) => refuse "to a lower kind"; }
    inplace same_kind;
    law commutative;
    law associative;
}
