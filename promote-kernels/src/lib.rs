//! The kernels of the bundled rule sets of `promote`: each (op, dtypes) once, for all sets that ask for it,
//! and the casts of all dtypes.
//!
//! A crate of its own, since kernels take nearly all of the time that a build takes: cargo compiles types and
//! tables beside them, and does not compile them again where those change. Users take them through the facade
//! `promote`, whose feature `kernels` they are.
#![no_std]

/// What the derive's code calls.
mod __private {
    pub(crate) use promote_runtime::__private::kernel::{Composed, Entry, Kernels, Registry, ops};
    pub(crate) use promote_runtime::{__casts, __levels, __types as t, semantics};
}

/// The bundled rule files.
#[derive(promote_macros::BundledKernels)]
#[allow(dead_code, reason = "rustc strips the sets that are not enabled before the derive reads the others")]
enum Bundled {
    #[cfg(feature = "array-api")]
    #[rules("rules/array_api.rs")]
    ArrayApi,
    #[cfg(feature = "jax")]
    #[rules("rules/jax.rs")]
    Jax,
    #[cfg(feature = "jax2020")]
    #[rules("rules/jax2020.rs", "rules/jax.rs")]
    Jax2020,
    #[cfg(feature = "ml-dtypes")]
    #[rules("rules/ml_dtypes.rs", "rules/numpy.rs")]
    MlDtypes,
    #[cfg(feature = "numpy")]
    #[rules("rules/numpy.rs")]
    NumPy,
    #[cfg(feature = "numpy1")]
    #[rules("rules/numpy1.rs", "rules/numpy.rs")]
    NumPy1,
    #[cfg(feature = "oneflow")]
    #[rules("rules/oneflow.rs")]
    OneFlow,
    #[cfg(feature = "oneflow2021")]
    #[rules("rules/oneflow2021.rs", "rules/oneflow.rs")]
    OneFlow2021,
    #[cfg(feature = "openvino")]
    #[rules("rules/openvino.rs")]
    OpenVino,
    #[cfg(feature = "paddle")]
    #[rules("rules/paddle.rs")]
    Paddle,
    #[cfg(feature = "paddle26")]
    #[rules("rules/paddle26.rs", "rules/paddle.rs")]
    Paddle26,
    #[cfg(feature = "tensorflow")]
    #[rules("rules/tensorflow.rs")]
    TensorFlow,
    #[cfg(feature = "tensorflow-numpy")]
    #[rules("rules/tensorflow_numpy.rs", "rules/tensorflow.rs")]
    TensorFlowNumPy,
    #[cfg(feature = "torch")]
    #[rules("rules/torch.rs")]
    Torch,
}
