//! `PyTorch`'s rules, with this crate's dtypes among its own.

dtypes::rules! {
    crate = dtypes;
    rules Workshop extends dtypes::Torch;

    kinds bool < int < fixed < float < length < complex;
    dtype q8: fixed 16 = crate::fixed::Q8;
    dtype q16: fixed 32 = crate::fixed::Q16;
    dtype metres: length 32 = crate::fixed::Metres;

    holds q8: bool | i8;
    holds q16: bool | u8 | i8 | i16 | q8;
    holds f32 | f64 | c64 | c128: q8;
    holds f64 | c128: q16;

    promote {
        metres, metres           => metres;
        metres, any              => refuse "a length and a number have no sum";
        q8, q16                  => q16;
        fixed, barebones         => refuse "no unsigned integers beyond u8 here: cast one first";
        q8, u8 | i16             => q16;
        q8 | q16, i32 | i64      => refuse "no fixed-point number holds these integers: cast one first";
        fixed, bool | int        => a;
        fixed, float | complex   => join or refuse "no dtype holds both";
        // PyTorch gives bf16, and 257 becomes 256.
        i32 | i64, bf16          => f32;
    }

    // Computed in f64, and rounded once.
    op divide sqrt elementary { fixed => common in f64; }
    op multiply { metres => refuse "a product of lengths is no length"; }
    op blend = crate::kernels::Blend {
        bool   => refuse "a truth value is no point";
        metres => refuse "parts of the way are no lengths";
        int    => f32;
        fixed  => common in f64;
    }

    law commutative;
}
