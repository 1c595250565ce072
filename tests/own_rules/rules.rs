//! A made-up system: the narrower dtype wins, halves compute in f64, integers divide in bf16.
promote::rules! {
    rules Miser;

    dtypes i64 i16 u8 bool f64 f32 f16 bf16 c64;
    let wide = i64 | f64 | c64;

    param mood: generous | mean = mean;
    param big: f64 | f16 = f16;

    numbers {
        bool => refuse "write 0 or 1";
        when mood == generous { int => weak i64; float => weak f64; }
        int => weak i16;
        float => weak big;
        complex => weak c64;
    }

    promote {
        same                                      => a;
        bool, any                                 => refuse "bool is not a numeric type here";
        wide, any if kind(a) == kind(b) && b != a => b;       // the narrow one
        u8, i16                                   => u8;
        f16, bf16 if mood == mean                 => refuse "choose one half";
        float, int                                => a;
        complex, any                              => c64;
        any, any                                  => join;
    }

    yield array > weak {
        any, any if kind(b) <= kind(a) => a;
        any, any                       => weak promote(a, b);
    }

    op add multiply maximum { bool => refuse "bool is not a numeric type here"; complex => refuse "only real"; }
    op subtract (a, b)      { u8, any => refuse "would go below zero"; complex, any => c64; bool, any => i16; }
    op divide               { bool | int => bf16; }
    op equal less -> bool   { complex => refuse "only real"; bool => refuse "bool is not a numeric type here"; }

    opmath { f16 => f64; bf16 => f32; }

    law commutative;
    law not associative "narrow wins, so the order decides";
}
