//! The table of ferray-core 0.5.0, with NumPy's answers for f16 and those of `ml_dtypes` for bf16.
promote::rules! {
    rules Ferray extends promote::MlDtypes;

    dtype u128: int 128;
    dtype i128: int 128;
    dtype i256: int 256;
    let wide = u128 | i128 | i256;
    holds f64 | c128: wide;     // as NumPy counts u64 and i64

    promote {
        same wide                                => a;
        wide, bool                               => a;
        i256, c128                               => b;
        i256, any                                => refuse "it promotes with bool and c128 only: cast it first";
        u128 | i128, unsigned                    => a;
        i128, signed                             => a;
        u128, i8 | i16 | i32 | i64 | i128        => i256;
        u128 | i128, f32 | f64                   => f64;
        u128 | i128, c64 | c128                  => c128;
        wide, any                                => refuse "it promotes with integers, f32, f64 and complex only";
    }
}
