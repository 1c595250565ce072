//! The rules with another default, and with one op's clause before those of the base.
promote::rules! {
    rules Wider = crate::rules::Lab { default_dtype = f64 };

    op axpy { i64 => refuse "f64 does not hold every i64"; }
}
