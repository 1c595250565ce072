//! A rule set that builds on one with ops without kernels, and declares some of them again.
promote::rules! {
    rules Nearer extends crate::elsewhere::Elsewhere;

    op conv { bool => f32; }
    op qr (1) { f16 => f32; }
    op svd (1) { bool | int | f16 => f64; }
}
