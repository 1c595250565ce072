//! A set that builds on the one with fixed-point numbers, and adds dtypes of its own.
promote::rules! {
    rules Wider extends crate::rules::Fixed;

    kinds bool < int < money < fixed < float < angle < mask < complex;
    dtype cents: money 64 = crate::types::Cents;
    dtype mask: mask 8 = crate::types::Mask;

    promote {
        mask, any if a != b  => refuse "bits are no number";
        cents, bool | int    => cents;
        cents, any if a != b => refuse "cast the amount first";
    }
}
