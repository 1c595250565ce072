//! PyTorch's rules, but an integer of 32 bits or more with a half gives f32, so that 257 does not become 256.
promote::rules! {
    rules Wide extends promote::Torch;

    let half = bf16 | f16;

    promote {
        int, half if bits(a) >= 32 => f32;
    }
}
