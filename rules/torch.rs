//! PyTorch 2.15. Where it only lacks a kernel, the answer is that of its meta device, or a refusal.
promote::rules! {
    rules Torch;

    dtypes bool u8 i8 i16 i32 i64 bf16 f16 f32 f64 bc32 c32 c64 c128;
    dtypes barebones: u16 u32 u64 u1 u2 u4;
    dtypes shell: i1 i2 i4;
    dtype f4e2m1fn_x2: float 8;         // two 4-bit floats in a byte
    let half = bf16 | f16;
    dtypes f8: f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e8m0fnu;

    param default_dtype: bf16 | f16 | f32 | f64 = f32;

    // What a Python number is when it stands alone.
    numbers {
        bool => bool; int => i64; float => default_dtype;
        complex if default_dtype == bf16 => c64;
        complex => complex above default_dtype;
    }

    // Two operands of one category, in either order. The first clause that matches decides.
    promote {
        same                            => a;
        f8, any                         => refuse "an 8-bit float is a storage format: cast it first";
        shell, any                      => refuse "i1, i2 and i4 are only there to be stored";
        barebones, bool | int | complex => refuse "unsigned integers other than u8 promote with floats only: cast one first";
        f4e2m1fn_x2, any if !(b in barebones) => refuse "a pair of floats is only there to be stored";
        bool, any                       => b;
        int, float | complex            => b;
        any, any                        => join;       // of their kind, the least dtype that holds both
    }

    // `a` of the higher category, `b` of the lower: `b` counts only where it is of a higher kind.
    yield array > zero_dim > number {
        any, no_higher                  => a;
        f8 | f4e2m1fn_x2, complex       => refuse "there is no complex of an 8-bit float";
        float, complex                  => complex above a;
        any, complex                    => b;
        any, any                        => promote(a, b);
    }

    // A clause of one pattern sees the common dtype `c`; one of two, the operands before promotion.
    op add multiply pow where concatenate stack addcmul conj astype;
    op comparison logical inspection isin -> bool;
    op ordering extremum clamp_min max min amax amin sign heaviside argmax argmin median isin { complex => refuse "complex numbers have no order"; }
    op floor_divide divide_trunc remainder fmod rounding argmax argmin median { bool | complex => refuse "integers and floats only"; }
    op subtract l1_loss              { bool, any => refuse "a bool cannot be subtracted: use `logical_xor`"; }
    op negative abs                  { bool => refuse "a bool has no sign: use `logical_not`"; }
    op divide reciprocal sqrt elementary sigmoid logsumexp angle atan2 copysign xlogy { bool | int => default_dtype; }
    op atan2 copysign xlogy nansum   { complex => refuse "not defined for complex"; }
    op square                        { bool => i64; }
    op float_power                   { complex, any => c128; any, any => f64; }
    op bitwise                       { float | complex => refuse "bool and integers only"; }
    op shift gcd lcm                 { bool | float | complex => refuse "integers only"; }
    op logaddexp mean std var norm l1_loss lerp { bool | int => refuse "floats only"; }
    op logaddexp2 hypot nextafter mse_loss smooth_l1_loss huber_loss binary_cross_entropy { bool | int | complex => refuse "floats only"; }
    op huber_loss (a, b)             { float, any if promote(a, b) == bf16 => a stepwise; float, any => promote(a, b) -> a; }
    op huber_loss                    { any, any => refuse "the input is a float, and decides"; }
    op poisson_nll_loss (a, b)       { bool, bool => refuse "a bool cannot be subtracted"; bool | int, any => promote(common, default_dtype); }
    op ldexp (a, b)                  { bool | int, bool | int => default_dtype; float | complex, int => a; any, array if common in half => common stepwise; }
    op dot matmul heaviside lerp binary_cross_entropy { any, any if a != b => refuse "both of the same dtype"; }
    op l1_loss mse_loss smooth_l1_loss { array f8, zero_dim if a != b => refuse "an 8-bit float is a storage format: cast it first"; array, zero_dim f8 if a != b => refuse "an 8-bit float is a storage format: cast it first"; }
    op l1_loss { array, zero_dim complex if promote(a, b) != common => promote(a, b) -> real(promote(a, b)); array complex, zero_dim if promote(a, b) != common => promote(a, b) -> real(promote(a, b)); }
    op l1_loss mse_loss smooth_l1_loss { array, zero_dim if promote(a, b) != common => promote(a, b); }
    op dot matmul isin               { bool, any => refuse "numbers only"; }
    op abs real imag angle std var norm l1_loss { complex => common -> real(common); }
    op imag                          { any => refuse "only complex numbers have an imaginary part"; }
    op sum prod cumsum cumprod nansum { bool | int => i64; }
    op argmax argmin -> i64;
    op any all                       { u8 => u8; any => bool; }

    // How they compute, where systems differ. `in`: not as `opmath` says, each step rounded to that dtype.
    op multiply divide floor_divide divide_trunc ldexp { right_scalar: opmath; }    // f16 * 1e-8 is not zero
    op pow                           { negative_exponent: number_error; }
    op ldexp                         { exponent: wraps; }
    op floor_divide divide_trunc (a, b) { any, array if common in half => common stepwise; }
    op xlogy mse_loss l1_loss poisson_nll_loss binary_cross_entropy prod logsumexp { half => common stepwise; }
    op smooth_l1_loss { f16 => common stepwise; }
    op std var cumsum cumprod { f32 => common in f64; c64 => common in c128; }
    op add subtract multiply divide  { overflow: saturate; }
    op sign heaviside                { nan: zero; }
    op astype                        { out_of_range: x86; overflow: saturate; }

    // To the same kind or a higher one; so does a result in place or into `out`. `copy_` and `to` cast anything.
    cast default { any, any if kind(a) > kind(b) => refuse "to a lower kind: ask for the cast"; }
    cast unsafe {}
    inplace default;

    opmath { f8 | bf16 | f16 => f32; bc32 | c32 => c64; }
    law commutative;
    law not associative "(bool, u16), bf16 is refused and bool, (u16, bf16) is bf16: u16 promotes with floats only";
}
