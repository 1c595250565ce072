//! Weak operands together with results in place: no bundled rule set has both.
promote::rules! {
    rules WeakInPlace;

    dtypes bool i8 i32 bf16 f32 f64;

    numbers {
        bool    => bool;
        int     => weak i32;
        float   => weak f32;
        complex => refuse "there is no complex dtype";
    }

    promote {
        int, float => b;
        bool, any  => b;
        any, any   => join;
    }

    yield array > weak by kind { any, any => promote(a, b); }

    op add multiply maximum;
    op subtract { bool => i32; }
    op divide { bool | int => f32; }
    op less -> bool;
    op bitwise_and { float => refuse "floats have no bits"; }

    opmath { bf16 => f32; }
    cast same_kind { any, any if kind(a) > kind(b) => refuse "to a lower kind"; }
    inplace same_kind;

    law commutative;
}
