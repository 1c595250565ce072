//! NumPy 1.26: value-based casting.
promote::rules! {
    rules NumPy1 extends NumPy;

    // A zero-dimensional array or a number, next to an array, counts by its value; only a higher kind counts by its dtype.
    yield array > zero_dim {
        float, complex                 => least complex holding a, value(b);
        any, any if kind(b) <= kind(a) => least holding a, value(b);
        any, any                       => promote(a, b);
    }

    op floor ceil trunc { bool | int => least float; }

    law commutative;
}
