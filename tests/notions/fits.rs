//! An integer number has to fit, as in NumPy 2.
promote::rules! {
    rules Fits;

    dtypes bool u8 i8 i32 f32;

    numbers { bool => bool; int => i32; float => f32; complex => refuse "there is no complex dtype"; }
    promote { int, float => b; bool, any => b; any, any => join; }
    yield array > number {
        any, no_higher => a;
        any, any       => promote(a, b);
    }

    op add subtract where { number: error; }
    op subtract { right_scalar: opmath; bool => refuse "a bool cannot be subtracted"; }
    op multiply;
    op less -> bool;
    cast same_kind { any, any if kind(a) > kind(b) => refuse "to a lower kind"; }
    inplace same_kind;

    law commutative;
}
