//! `tf.experimental.numpy` of TensorFlow 2.21.
promote::rules! {
    rules TensorFlowNumPy extends crate::TensorFlow;

    // Arithmetic promotes as NumPy does in every mode. These ops go by the mode, and so does `result_type`,
    // whose answers `where` gives.
    let by_mode = comparison | matmul | where | concatenate | hypot;

    // Reasons for refusals

    reason neither_holds = "neither operand's dtype holds both";
    reason unordered     = "complex numbers have no order";
    reason no_tensor     = "this mode converts no tensor: cast one";
    reason floats        = "floats only";
    reason bits_only     = "bool and integers only";

    // Promotion

    numbers {                           // Python's numbers have 64 bits
        when prefer_float32 {
            float   => f32;
            complex => c64;
        }
        int     => i64;
        float   => f64;
        complex => c128;
    }

    promote {
        same                        => a;
        bf16, u16 | u32 | u64 | i16 | i32 | i64 | f16 => refuse "NumPy has no dtype for both: cast one";
        number int, number float | complex => b;    // f32 and c64 where those are preferred
        u64 | i64, float | complex  => join(b, f64);
        u64, signed                 => f64;
        any, any                    => join;
    }

    // A number counts only if its kind is higher.
    yield array > weak > number {
        f16, number float if prefer_float32 => b;
        bf16, number float                  => b;       // for NumPy bf16 is no float
        any, no_higher                      => a;
        float, complex                      => complex above a;
        any, any                            => promote(a, b);
    }

    check { any, any => result; }       // mode `safe` concerns only the ops that go by the mode

    // Ops that go by the mode. In `off` they promote as NumPy does, apart from operators, which convert on
    // the way.

    op ordering { complex, any => refuse unordered; }
    op by_mode logaddexp {
        when mode == safe {
            array, array if !holds(a, b) && !holds(b, a) => refuse neither_holds;
            array int, number float                      => refuse neither_holds;
            array u64 | i64 | bf16 | f16 | f32, number complex => refuse neither_holds;
        }
    }
    op hypot matmul { array u64, array signed if mode == all => weak f64; }
    op hypot {
        when mode == all || mode == safe {
            array int, number float                => weak f64;
            array int, number complex              => weak c128;
            bool | int | bf16, bool | int | bf16   => f32;
            array bf16, number float               => f32;
        }
        any, any if a != b && mode == off          => refuse no_tensor;
        array bool | int, number bool | int        => f64;
        array, number if mode == off || mode == legacy => promote(a, b);    // it makes an array of the number
    }
    op by_mode {
        when mode == all || mode == safe {
            array, number no_higher     => a;
            array int, number float     => f64;
            array float, number complex => complex above a;
            any, number complex         => c128;
            any, number float           => f32;
            any, number int             => i32;
            bool | int, float | complex => b;
            u64, signed                 => f64;
            any, any                    => join;
        }
    }
    op comparison matmul where concatenate { any => common; }

    // Ops that promote as NumPy does

    op multiply dot { any => common; }
    op divide {
        when mode == all || mode == safe { bool => f32; }
        bool => f64;
    }
    op maximum minimum {
        complex => refuse unordered;
        any     => common;
    }
    op bitwise_and bitwise_or bitwise_xor {
        bool | int => common;
        any        => refuse bits_only;
    }
    op logical_and logical_or logical_xor { any, any => bool; }     // true if it is not 0
    op logical_not any all { any => bool; }
    op inspection round {
        complex => refuse "not defined for complex";
        any     => common;
    }
    op heaviside conj real float_power { bool => refuse "numbers only"; }
    op float_power { int => common in f64; }
    op gcd lcm { bool | float | complex => refuse "integers only"; }
    op atan2 nextafter {
        float => common;
        any   => refuse floats;
    }

    // Ops that convert integers and bf16 to the float of the mode; `logaddexp` promotes by the mode as well

    op logaddexp {
        array, any if common != a && mode == off  => refuse no_tensor;
        array u8 | u16 | u32 | i8 | i16 | bf16, number bool
            => refuse "no tensor of this dtype is made of a bool: use 0 or 1";
        array bool, number int if mode == all     => f64;
        bool | int | bf16 if mode == off          => refuse "this mode converts no tensor: cast it";
        bool | unsigned                           => refuse "the difference has no sign";
        int if bits(common) > 16 && mode == safe  => refuse "f32 does not hold it";
    }
    op heaviside logaddexp floor ceil { complex => refuse unordered; }
    op log2 log10 {
        when mode != off {                              // the quotient with an array of f64
            complex => c128;
            any     => f64;
        }
    }
    op heaviside logaddexp hypot sqrt elementary floor ceil {
        when mode == all || mode == safe { bool | int | bf16 => f32; }
        bool | int | bf16 => f64;
    }

    // Reductions and scans

    op mean std var {
        when mode == all || mode == safe { bool | int => f32; }
        bool | int => f64;
    }
    op sum prod {
        when mode == all || mode == safe {
            bool | i8 | i16 | i32 => i32;
            u8 | u16 | u32        => u32;
        }
        bool | signed => i64;
        unsigned      => u64;
    }
    op cumsum cumprod {
        when mode == all || mode == safe {
            u8 | u16 | u32 | i8 | i16 | i32 => i32;
            u64 => f32;
        }
        u64 => f64;
        int => i64;
    }

    // Laws

    law commutative;
    law not associative
        "(u8, i8), bf16 is refused and u8, (i8, bf16) is bf16: NumPy's rule for pairs";
}
