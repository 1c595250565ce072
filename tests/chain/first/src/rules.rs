//! A fixed-point dtype between PyTorch's integers and floats.
::house::rules! {
    #![no_implicit_prelude]
    crate = ::house;
    rules Fixed extends ::house::Torch;

    kinds bool < int < fixed < float < complex;
    dtype q16: fixed 32 = crate::Q16;
    holds q16: bool | u8 | i8 | i16;
    holds f64 | c128: q16;

    promote {
        q16, i32 | i64 | barebones => refuse "q16 holds 16 integer bits: cast one explicitly";
        q16, int                   => q16;
        q16, float | complex       => join or refuse "no complex of PyTorch holds both";
    }
    op axpy = crate::Axpy {
        bool  => refuse "bool is not a numeric type";
        int   => f64;
        fixed => refuse "q16 has no product: cast it first";
    }
    cast default { q16, f32 => refuse "q16 has more digits than f32"; }
}
