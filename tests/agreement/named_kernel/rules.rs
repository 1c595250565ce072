//! PyTorch's rules with two custom ops.
promote::rules! {
    rules Lab extends promote::Torch;

    let ours = axpy | ramp;
    op ours { bool => refuse "bool is not a numeric type"; }
    op axpy = crate::Axpy { int => f64; f32 => common in f64; }
    op ramp = crate::Ramp {
        int     => default_dtype;
        f64     => common -> f32;
        complex => refuse "no sign, no smooth ramp";
    }
}
