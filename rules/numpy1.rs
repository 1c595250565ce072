//! NumPy 1.26, which looks at values.
promote::rules! {
    rules NumPy1 extends crate::NumPy;

    // Promotion

    // Next to an array, a number and a zero-dimensional array count by their values, unless their kind is
    // higher; float and complex are one kind in this. Among themselves they count by their dtypes.
    yield array > zero_dim > number {
        zero_dim, any  => promote(a, b);
        any, no_higher => join(a, value(b));
        float, complex => complex above a, value(b);
    }

    // Truth

    op logical_and logical_or logical_xor { any, number => common; }    // beside an f16, 1e-10 is zero

    // Functions

    op floor ceil trunc { bool | int => float above common; }   // integers stay as they are since NumPy 2.1

    // Laws

    law commutative;
}
