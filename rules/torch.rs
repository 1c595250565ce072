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

    op add add_scaled multiply pow addcmul;
    op subtract subtract_scaled { bool, any => refuse no_minus; }
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
    op clamp { number: error; }     // PyTorch takes a bound beyond the dtype on the side where it does nothing
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

    let product = dot | matmul | mv | inner | vdot | vecdot | tensordot | einsum | multi_dot | cross | addmm
        | addmv | addbmm | baddbmm | linear | linear_bias | bilinear | conv | conv_transpose;
    op mv inner vecdot multi_dot (2);
    op addmv addbmm linear_bias bilinear (3);
    op product {
        any, any if a != b => refuse same_dtype;
        bool, any          => refuse numbers;
    }
    op vecdot { int => refuse floats; }
    op outer kron;
    op addr (3);

    op scatter scatter_add { any, any if a != b => refuse same_dtype; }
    op index_add index_copy index_put (2) { any, any if a != b => refuse same_dtype; }

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
        correction: one;
    }
    op logsumexp {
        bool | int => default_dtype;
        half       => common stepwise;
    }
    op max min amax amin argmax argmin median { complex => refuse unordered; }
    op argmax argmin median { bool => refuse reals; }
    op median { middle: lower; }
    op argmax argmin -> i64;
    op any all {
        u8  => u8;
        any => bool;
    }

    // Layers and functions without kernels

    op gather embedding;
    op max_pool avg_pool { bool | complex => refuse reals; }
    op erfinv (1) {
        bool | int => default_dtype;
        complex    => refuse no_complex;
    }
    op matrix_power (1) { bool => refuse numbers; }
    op trace (1) {
        bool => refuse numbers;
        int  => i64;
    }

    op dropout rms_norm { bool | int => refuse floats; }
    op normalize renorm logcumsumexp lstm_cell gru_cell (1) { bool | int => refuse floats; }
    op softmax log_softmax layer_norm group_norm batch_norm instance_norm interpolate {
        bool | int | complex => refuse floats;
    }
    op nll_loss cross_entropy { bool | int | complex => refuse floats; }
    op adaptive_avg_pool histc elu logsigmoid glu (1) { bool | int | complex => refuse floats; }
    op attention prelu {
        any, any if a != b   => refuse same_dtype;
        bool | int | complex => refuse floats;
    }
    op grid_sample cdist (2) {
        any, any if a != b   => refuse same_dtype;
        bool | int | complex => refuse floats;
    }
    op layer_norm_weight batch_norm_weight (2) (a, b) {
        half, f32            => a;
        any, any if a != b   => refuse same_dtype;
        bool | int | complex => refuse floats;
    }

    reason wide = "floats of at least 32 bits only";

    op det inv cholesky qr { bool | int => refuse floats; }
    op pinv svdvals eigvalsh nuclear_norm (1) { bool | int => refuse floats; }
    op pdist quantile multi_margin_loss ctc_loss (1) { bool | int | complex => refuse floats; }
    op det inv cholesky qr pinv svdvals eigvalsh nuclear_norm pdist quantile multi_margin_loss ctc_loss cdist {
        float if bits(common) < 32 => refuse wide;
    }
    op svdvals eigvalsh nuclear_norm { complex => common -> real(common); }

    op fft rfft {
        bool | int => default_dtype -> complex above default_dtype;
        float if bits(common) < 32 => refuse wide;
        float => common -> complex above common;
    }
    op rfft { complex => refuse no_complex; }
    op view_as_complex (1) {
        f16 | f32 | f64 => common -> complex above common;
        any             => refuse "f16, f32 and f64 only";
    }

    op cosine_similarity { bool | int | complex => refuse floats; }
    op dist (2) {
        bool, any  => refuse no_minus;
        bool | int => refuse floats;
        complex    => common -> real(common);
    }
    op kl_div { bool | int | complex, any => refuse floats; }
    op cross_entropy_probabilities (2) { bool | int | complex, any => refuse floats; }
    op binary_cross_entropy_with_logits (2) (a, b) {
        float, float | complex => promote(a, b) -> b;
        any, any               => refuse "the input is a float, and the target a float or complex";
    }
    op soft_margin_loss (2) (a, b) {
        float, complex       => refuse no_complex;
        float | complex, any => promote(a, b) -> a;
        any, any             => refuse floats;
    }
    op hinge_embedding_loss (2) (a, b) {
        float, any => promote(a, b) -> a;
        any, any   => refuse floats;
    }
    op margin_ranking_loss (2) {
        bool | complex, any => refuse reals;
        int                 => default_dtype;
    }
    op cosine_embedding_loss (2) {
        complex, any           => refuse no_complex;
        bool | int, bool | int => default_dtype;
        bool | int, float      => promote(default_dtype, b);
    }
    op triplet_margin_loss (2) {
        bool, any => refuse no_minus;
        int       => default_dtype;
        complex   => common -> real(common);
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

    // Names

    // Of Python, of messages (`ScalarType`), and of the table in c10, in which the number counts bytes.
    names {
        bool:        "torch.bool" "Bool" "b1";
        u8:          "torch.uint8" "Byte" "u1";
        i8:          "torch.int8" "Char" "i1";
        i16:         "torch.int16" "torch.short" "Short" "i2";
        i32:         "torch.int32" "torch.int" "Int" "i4";
        i64:         "torch.int64" "torch.long" "Long" "i8";
        bf16:        "torch.bfloat16" "BFloat16" "bf";
        f16:         "torch.float16" "torch.half" "Half" "f2";
        f32:         "torch.float32" "torch.float" "Float" "f4";
        f64:         "torch.float64" "torch.double" "Double" "f8";
        bc32:        "torch.bcomplex32" "BComplex32";
        c32:         "torch.complex32" "torch.chalf" "ComplexHalf" "c2";
        c64:         "torch.complex64" "torch.cfloat" "ComplexFloat" "c4";
        c128:        "torch.complex128" "torch.cdouble" "ComplexDouble" "c8";
        u16:         "torch.uint16" "UInt16";
        u32:         "torch.uint32" "UInt32";
        u64:         "torch.uint64" "UInt64";
        u1:          "torch.uint1" "torch.bit" "UInt1";
        u2:          "torch.uint2" "UInt2";
        u3:          "torch.uint3" "UInt3";
        u4:          "torch.uint4" "UInt4";
        u5:          "torch.uint5" "UInt5";
        u6:          "torch.uint6" "UInt6";
        u7:          "torch.uint7" "UInt7";
        i1:          "torch.int1" "Int1";
        i2:          "torch.int2" "Int2";
        i3:          "torch.int3" "Int3";
        i4:          "torch.int4" "Int4";
        i5:          "torch.int5" "Int5";
        i6:          "torch.int6" "Int6";
        i7:          "torch.int7" "Int7";
        f4e2m1fn_x2: "torch.float4_e2m1fn_x2" "Float4_e2m1fn_x2";
        f8e4m3fn:    "torch.float8_e4m3fn" "Float8_e4m3fn";
        f8e5m2:      "torch.float8_e5m2" "Float8_e5m2";
        f8e4m3fnuz:  "torch.float8_e4m3fnuz" "Float8_e4m3fnuz";
        f8e5m2fnuz:  "torch.float8_e5m2fnuz" "Float8_e5m2fnuz";
        f8e8m0fnu:   "torch.float8_e8m0fnu" "Float8_e8m0fnu";

        abs:           "torch.absolute";
        subtract:      "torch.sub";
        multiply:      "torch.mul";
        divide:        "torch.div" "torch.true_divide";
        negative:      "torch.neg";
        sign:          "torch.sgn";
        trunc:         "torch.fix";
        equal:         "torch.eq";
        not_equal:     "torch.ne";
        less:          "torch.lt";
        less_equal:    "torch.le";
        greater:       "torch.gt";
        greater_equal: "torch.ge";
        left_shift:    "torch.bitwise_left_shift";
        right_shift:   "torch.bitwise_right_shift";
        concatenate:   "torch.cat" "torch.concat";
        matmul:        "torch.mm";
        acos:          "torch.arccos";
        acosh:         "torch.arccosh";
        asin:          "torch.arcsin";
        asinh:         "torch.arcsinh";
        atan:          "torch.arctan";
        atanh:         "torch.arctanh";
        atan2:         "torch.arctan2";
    }
}
