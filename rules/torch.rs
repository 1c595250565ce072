//! PyTorch 2.15.
promote::rules! {
    rules Torch;

    dtypes bool u8 i8 i16 i32 i64 bf16 f16 f32 f64 bc32 c32 c64 c128;
    dtypes barebones: u16 u32 u64;
    dtypes f8: f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e8m0fnu;

    param default_dtype: bf16 | f16 | f32 | f64 = f32;

    // What a Python number is when it stands alone.
    numbers {
        bool => bool;
        int => i64;
        float => default_dtype;
        complex if default_dtype == bf16 => c64;
        complex => least complex holding default_dtype;
    }

    // Two operands of one category, in either order. The first clause that matches decides.
    promote {
        same                            => a;
        f8, any                         => refuse "an 8-bit float is a storage format: cast it first";
        barebones, bool | int | complex => refuse "u16, u32 and u64 promote with floats only: cast one first";
        bool, any                       => b;
        int, float | complex            => b;
        any, any                        => least;       // of their kind, the least dtype that holds both
    }

    // `a` of the higher category, `b` of the lower: `b` counts only where it is of a higher kind.
    yield array > zero_dim > number {
        any, any if kind(b) <= kind(a)  => a;
        f8, complex                     => refuse "there is no complex of an 8-bit float";
        float, complex                  => least complex holding a;
        any, complex                    => b;
        any, any                        => promote(a, b);
    }

    // A clause of one pattern sees the common dtype `c`; one of two, the operands before promotion.
    op add subtract multiply divide { overflow: saturate; }
    op multiply divide { scalar: opmath_right; }        // f16 * 1e-8 is not zero
    op divide   { bool | int => default_dtype; }
    op subtract { bool, any => refuse "a bool cannot be subtracted: use `logical_xor`"; }

    op equal not_equal -> bool;
    op less less_equal greater greater_equal -> bool { complex => refuse "complex numbers have no order"; }
    op maximum minimum                               { complex => refuse "complex numbers have no order"; }

    // A cast goes to the same kind or a higher one; in place, the result is cast into the left operand.
    cast default {
        any, any if kind(a) > kind(b) => refuse "to a lower kind: ask for the cast";
    }
    inplace default;

    opmath {
        f8 | bf16 | f16 => f32;
        bc32 | c32      => c64;
    }

    law commutative;
}
