//! Fixed-point numbers and an angle among PyTorch's dtypes.
promote::rules! {
    rules Fixed extends promote::Torch;

    kinds bool < int < fixed < float < angle < complex;
    dtype q15: fixed 16 = crate::types::Q15;
    dtype q31: fixed 32 = crate::types::Q31;
    dtype degrees: angle 32 = crate::types::Degrees;
    holds q31: q15;
    holds f32 | f64 | c64 | c128: q15;
    holds f64 | c128: q31;

    promote {
        degrees, fixed | complex => refuse "an angle is real, and no pure number";
        degrees, any             => degrees;
        fixed, bool | int        => a;
        fixed, any               => join or refuse "no dtype holds both";
    }

    op floor divide { fixed => common in f64; }
    op elementary sqrt sigmoid { fixed => common in f64; angle => f32; }
}
