//! Integers of both signs are compared in the unsigned dtype, as in C.
promote::rules! {
    rules Wraps extends crate::signs::Signs;

    op comparison { negative: wraps; }
}
