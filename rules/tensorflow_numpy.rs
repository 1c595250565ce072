//! `tf.experimental.numpy` of TensorFlow 2.21.
promote::rules! {
    rules TensorFlowNumPy extends crate::TensorFlow;

    // Its arithmetic promotes as NumPy does in every mode. `by_mode` goes by the mode, and so does its `result_type`: ask `where`.
    let by_mode = comparison | matmul | where | concatenate | hypot;

    // Python's numbers have 64 bits.
    numbers {
        int => i64;
        when prefer_float32 { float => f32; complex => c64; }
        float => f64;
        complex => c128;
    }

    promote {
        same                        => a;
        bf16, u16 | u32 | u64 | i16 | i32 | i64 | f16 => refuse "NumPy has no dtype for both: cast one";
        number int, number float | complex => b;        // f32 and c64 where those are preferred
        u64 | i64, float | complex  => least any holding b, f64;
        u64, signed                 => f64;
        any, any                    => least;
    }

    // A number counts only where it is of a higher kind.
    yield array > weak > number {
        f16, number float if prefer_float32 => b;
        bf16, number float          => b;               // NumPy does not know bf16 for a float
        any, no_higher              => a;
        float, complex              => least complex holding a;
        any, any                    => promote(a, b);
    }

    check { any, any => r; }        // mode `safe` refuses below, in `by_mode` only

    // What goes by the mode: where that is `off`, too, most of it promotes as NumPy does.
    op ordering                     { complex, any => refuse "complex numbers have no order"; }
    op by_mode logaddexp {
        when mode == safe {
            array, array if !holds(a, b) && !holds(b, a) => refuse "neither operand's dtype holds both";
            array int, number float                      => refuse "neither operand's dtype holds both";
            array bf16 | f16 | f32, number complex       => refuse "neither operand's dtype holds both";
            array u64 | i64, number complex              => refuse "would lose precision";
        }
    }
    op hypot {
        when mode == all || mode == safe {
            array u64, array signed                      => weak f64;
            array int, number float                      => weak f64;
            array int, number complex                    => weak c128;
            bool | int | bf16, bool | int | bf16         => f32;
            array bf16, number float                     => f32;
        }
        any, any if a != b && mode == off                => refuse "this mode converts no tensor: cast one";
        when mode == off || mode == legacy {    // it makes an array of the number
            array bool | int, number bool | int          => f64;
            array, number                                => promote(a, b);
        }
    }
    op matmul                       { array u64, array signed if mode == all => weak f64; }
    op by_mode {
        when mode == all || mode == safe {
            array, number no_higher                      => a;
            array bool, number int                       => i32;
            array bool, number float                     => f32;
            array float, number complex                  => least complex holding a;
            array int, number float                      => f64;
            array, number complex                        => c128;
            array int, array float | complex             => b;
            array u64, array signed                      => f64;
            array, array                                 => least;
        }
    }
    op comparison matmul where concatenate { any => c; }

    // What promotes as NumPy does.
    op logical_and logical_or logical_xor { any, any => bool; }         // what is not 0 is true
    op logical_not any all          { any => bool; }
    op bitwise_and bitwise_or bitwise_xor { bool | int => c; any => refuse "bool and integers only"; }
    op multiply                     { any => c; }
    op divide                       { when mode == all || mode == safe { bool => f32; } bool => f64; }
    op maximum minimum              { complex => refuse "complex numbers have no order"; any => c; }
    op nextafter                    { bf16 | f16 => c in c; }
    op atan2 nextafter              { float => c; any => refuse "floats only"; }

    // Steps of these convert integers and bf16 to the mode's float; those of `logaddexp` promote by the mode as well.
    op heaviside                    { bool => refuse "numbers only"; }
    op logaddexp {
        when mode == off {
            array, array if a != b               => refuse "this mode converts no tensor: cast one";
            array, number if kind(b) > kind(a)   => refuse "the number is of a higher kind than the tensor: cast that";
        }
        array bool, number int if mode == all    => f64;
        unsigned | bool                          => refuse "the difference of the two has no sign";
        int if bits(c) > 16 && mode == safe      => refuse "f32 does not hold it";
    }
    op heaviside logaddexp {
        complex => refuse "complex numbers have no order";
        when mode == all || mode == safe { int | bf16 => f32; }
        int | bf16 => f64;
    }

    op sum prod                     { when mode == all || mode == safe { bool | i8 | i16 | i32 => i32; u8 | u16 | u32 => u32; } bool | signed => i64; unsigned => u64; }
    op mean                         { when mode == all || mode == safe { bool | int => f32; } bool | int => f64; }
    op cumsum cumprod               { when mode == all || mode == safe { u8 | u16 | u32 | i8 | i16 | i32 => i32; u64 => f32; } u64 => f64; int => i64; }

    law commutative;
    law not associative "(u8, i8), bf16 is refused and u8, (i8, bf16) is bf16: NumPy's rule for pairs";
}
