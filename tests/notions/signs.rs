//! Integers of both signs are compared in the unsigned dtype, and exactly.
promote::rules! {
    rules Signs;

    dtypes bool u8 u32 u64 i8 i32 i64;

    numbers { bool => bool; int => i64; float | complex => refuse "integers only"; }
    promote {
        unsigned, signed => a;
        any, any         => join;
    }
    yield array > number { any, any => a; }

    op comparison -> bool { negative: exact; }

    law commutative;
    law associative;
}
