//! In safe mode promotion gives the dtype of one of the operands, or refuses.
promote::rules! {
    rules Safe;

    dtypes u8 i8 i16 i32 f32 f64;
    let integers = add | subtract | maximum;
    param mode: safe | free = safe;

    promote { any, any => join; }
    check {
        when mode == safe {
            any, any if result != a && result != b   => refuse "neither operand's dtype holds both";
            u8, i16                        => i32;      // either order
        }
    }

    op integers;
    op integers multiply { float => refuse "integers only"; }
    op heaviside { same float => common; any, any => refuse "both of one float dtype"; }
    law commutative;
    law not associative "safe mode looks at pairs";
}
