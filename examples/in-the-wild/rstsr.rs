//! The table of rstsr-dtype-traits 0.10.3, with the pairs of f16 and bf16 that it leaves out.
promote::rules! {
    rules Rstsr extends promote::MlDtypes;
}
