//! PyTorch 2.15. Where PyTorch only lacks a kernel, the answer is that of its meta device, or a refusal.
promote::rules! {
    rules Torch;

    // Dtypes

    dtypes bool u8 i8 i16 i32 i64 bf16 f16 f32 f64 bc32 c32 c64 c128;
    dtypes barebones: u16 u32 u64 u1 u2 u3 u4 u5 u6 u7;     // they promote with floats only
    dtypes shell: i1 i2 i3 i4 i5 i6 i7;                     // they are only stored
    dtype f4e2m1fn_x2: float 8;                 // two 4-bit floats in a byte
    let half = bf16 | f16;
    dtypes f8: f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e8m0fnu;

    param default_dtype: bf16 | f16 | f32 | f64 = f32;

    // Reasons for refusals

    reason unordered  = "complex numbers have no order";
    reason no_complex = "not defined for complex";
    reason floats     = "floats only";
    reason reals      = "integers and floats only";
    reason integers   = "integers only";
    reason numbers    = "numbers only";
    reason same_dtype = "both of the same dtype";
    reason no_minus   = "a bool cannot be subtracted: use `logical_xor`";

    // Promotion

    numbers {
        bool  => bool;
        int   => i64;
        float => default_dtype;
        complex if default_dtype == bf16 => c64;
        complex => complex above default_dtype;
    }

    promote {
        same       => a;
        f8, any    => refuse "an 8-bit float is a storage format: cast it first";
        shell, any => refuse "i1, i2 and i4 are only there to be stored";
        barebones, bool | int | complex
            => refuse "unsigned integers other than u8 promote with floats only: cast one first";
        f4e2m1fn_x2, any if !(b in barebones) => refuse "a pair of floats is only there to be stored";
        bool, any            => b;
        int, float | complex => b;
        any, any             => join;
    }

    // A zero-dimensional tensor counts only if its kind is higher than that of the other tensor, and a Python
    // number only if its kind is higher than that of the tensor.
    yield array > zero_dim > number by kind {
        f8 | f4e2m1fn_x2, complex => refuse "there is no complex of an 8-bit float";
        float, complex            => complex above a;
        any, complex              => b;
        any, any                  => promote(a, b);
    }

    // How ops compute

    opmath {
        f8 | half  => f32;
        bc32 | c32 => c64;
    }

    // Arithmetic

    op add multiply pow addcmul;
    op subtract { bool, any => refuse no_minus; }
    op divide reciprocal { bool | int => default_dtype; }
    op floor_divide divide_trunc remainder fmod { bool | complex => refuse reals; }
    op floor_divide divide_trunc (a, b) { any, array if common in half => common stepwise; }
    op square { bool => i64; }
    op float_power {
        complex, any => c128;
        any, any     => f64;
    }
    op negative abs { bool => refuse "a bool has no sign: use `logical_not`"; }
    op positive { bool => refuse numbers; }
    op gcd lcm { bool | float | complex => refuse integers; }

    op add subtract multiply divide { overflow: saturate; }
    op multiply divide floor_divide divide_trunc { right_scalar: opmath; }      // f16 * 1e-8 is not zero
    op pow { negative_exponent: number_error; }

    // Comparison and order

    op comparison logical inspection signbit isin -> bool;
    op ordering extremum clamp_min clamp signbit isin { complex => refuse unordered; }
    op isclose -> bool {
        any, any if a != b => refuse same_dtype;
        bool | int         => default_dtype;
        half               => common stepwise;
    }
    op isin { bool, any => refuse numbers; }
    op sign heaviside {
        complex => refuse unordered;
        nan: zero;
    }
    op heaviside { any, any if a != b => refuse same_dtype; }

    // Bits

    op bitwise { float | complex => refuse "bool and integers only"; }
    op shift { bool | float | complex => refuse integers; }

    // Functions

    op rounding relu threshold { bool | complex => refuse reals; }
    op sqrt rsqrt elementary sigmoid erf erfc angle atan2 copysign xlogy { bool | int => default_dtype; }
    op atan2 copysign xlogy erf erfc { complex => refuse no_complex; }
    op silu { bool | int => refuse floats; }
    op softplus gelu gelu_tanh { bool | int | complex => refuse floats; }
    op xlogy { half => common stepwise; }
    op logaddexp { bool | int => refuse floats; }
    op logaddexp2 hypot nextafter { bool | int | complex => refuse floats; }
    op ldexp (a, b) {
        bool | int, bool | int => default_dtype;
        float | complex, int   => a;
        any, array if common in half => common stepwise;
        exponent: wraps;
        right_scalar: opmath;
    }
    op lerp {
        bool | int => refuse floats;
        any, any if a != b => refuse same_dtype;
    }

    op conj;
    op abs real imag angle { complex => common -> real(common); }
    op imag { any => refuse "only complex numbers have an imaginary part"; }

    // Losses: a zero-dimensional tensor counts as much as one with axes

    op l1_loss mse_loss smooth_l1_loss { zero_dim as array; }
    op l1_loss {
        bool, any  => refuse no_minus;
        bool | int => refuse floats;
        complex    => common -> real(common);
    }
    op mse_loss smooth_l1_loss huber_loss binary_cross_entropy { bool | int | complex => refuse floats; }
    op huber_loss (a, b) {
        float, any if promote(a, b) == bf16 => a stepwise;
        float, any => promote(a, b) -> a;
    }
    op huber_loss { any, any => refuse "the input is a float, and decides"; }
    op poisson_nll_loss (a, b) {
        bool, bool      => refuse "a bool cannot be subtracted";
        bool | int, any => promote(common, default_dtype);
    }
    op binary_cross_entropy { any, any if a != b => refuse same_dtype; }
    op l1_loss mse_loss poisson_nll_loss binary_cross_entropy { half => common stepwise; }
    op smooth_l1_loss { f16 => common stepwise; }

    // Tensors

    op where concatenate stack;
    op dot matmul {
        any, any if a != b => refuse same_dtype;
        bool, any          => refuse numbers;
    }

    // Reductions and scans

    op sum prod cumsum cumprod nansum { bool | int => i64; }
    op prod { half => common stepwise; }
    op nansum { complex => refuse no_complex; }
    op cumsum cumprod {
        f32 => common in f64;
        c64 => common in c128;
    }
    op mean norm { bool | int => refuse floats; }
    op norm { complex => common -> real(common); }
    op std var {
        bool | int => refuse floats;
        complex    => common -> real(common);
        f32        => common in f64;
    }
    op logsumexp {
        bool | int => default_dtype;
        half       => common stepwise;
    }
    op max min amax amin argmax argmin median { complex => refuse unordered; }
    op argmax argmin median { bool => refuse reals; }
    op argmax argmin -> i64;
    op any all {
        u8  => u8;
        any => bool;
    }

    // Casts

    op astype {
        out_of_range: x86;
        overflow: saturate;
    }
    cast default { any, any if kind(a) > kind(b) => refuse "to a lower kind: ask for the cast"; }
    cast unsafe {}      // `copy_` and `to` cast anything
    inplace default;    // a result in place, and one into `out`

    // Laws

    law commutative;
    law not associative
        "(bool, u16), bf16 is refused and bool, (u16, bf16) is bf16: u16 promotes with floats only";
}
