//! The rules of the base, which also refuse what loses digits.
promote::rules! {
    rules Strict extends crate::wide::Wide;

    let wide_int = i32 | i64 | u32 | u64;

    promote {
        wide_int, f32 => refuse "f32 has 24 digits: cast one first";
    }
    op divide { i64 => f64; }
}
