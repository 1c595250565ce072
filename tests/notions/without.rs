//! A rule set without 64-bit dtypes, as a type.
promote::rules! {
    rules Without = crate::narrow::Narrow { wide = false };
}
