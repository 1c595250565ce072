//! The same where 64 bits are not to be had, as a type.
promote::rules! {
    rules Without = crate::narrow::Narrow { wide = false };
}
