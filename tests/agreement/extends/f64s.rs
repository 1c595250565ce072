//! PyTorch after `set_default_dtype(torch.float64)`: a type of its own.
promote::rules! {
    rules TorchF64 = promote::Torch { default_dtype = f64 };
}
