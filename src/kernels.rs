//! The kernels of the bundled rule sets: each (op, dtypes) once, for all sets that ask for it.

/// The bundled rule files.
#[derive(promote_macros::BundledKernels)]
#[allow(dead_code, reason = "rustc strips the sets that are not enabled before the derive reads the others")]
enum Bundled {
    #[cfg(feature = "torch")]
    #[rules("rules/torch.rs")]
    Torch,
}
