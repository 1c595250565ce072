//! Operands that count as arrays in an op, the operand whose dtype stands first in a list, and named reasons.
promote::rules! {
    rules Operands;

    dtypes bool i32 i64 f16 bf16 f32 f64;
    let half = bf16 | f16;

    reason floats = "floats only";

    numbers {
        bool    => bool;
        int     => weak i32;
        float   => weak f32;
        complex => refuse "there is no complex dtype";
    }

    promote {
        half, half => first_of(half);
        bool, any  => b;
        int, float => b;
        any, any   => join;
    }

    yield array > zero_dim > weak by kind { any, any => promote(a, b); }

    op add;
    op mse_loss {
        bool | int => refuse floats;
        zero_dim as array;
        half => common stepwise;
    }
    op hypot {
        bool | int => f32;
        weak as array;
    }
    op maximum {
        zero_dim as array;
        array, array => a | b above a, b or refuse "neither holds the other";
    }

    opmath { half => f32; }
    law commutative;
    law associative;
}
