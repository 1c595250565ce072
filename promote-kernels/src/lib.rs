//! The kernels of the bundled rule sets of `promote`, each compiled once for all rule sets that need it, and
//! the casts and reductions of all dtypes.
//!
//! Kernels take most of the build time. In a crate of their own they are compiled in parallel with types and
//! tables, and not again when those change. Use them through the feature `kernels` of the facade `promote`.
#![no_std]

/// The items that the derive's code names.
mod __private {
    pub(crate) use promote_runtime::__private::kernel::{Entry, Kernels, Registry, ops};
    pub(crate) use promote_runtime::__private::semantics;
    pub(crate) use promote_runtime::__private::types as t;
    pub(crate) use promote_runtime::{__casts, __levels};
}

/// The reductions, which do not depend on rule files.
pub mod reductions {
    promote_runtime::__reductions! {}
}

/// The bundled rule files.
#[derive(promote_macros::BundledKernels)]
#[cfg_attr(feature = "mixed-loops", mixed_loops)]
#[allow(dead_code, reason = "rustc strips the sets that are not enabled before the derive reads the others")]
enum Bundled {
    #[cfg(feature = "array-api")]
    #[rules("rules/array_api.rs")]
    ArrayApi,
    #[cfg(feature = "datafusion")]
    #[rules("rules/datafusion.rs")]
    DataFusion,
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
    #[cfg(feature = "polars")]
    #[rules("rules/polars.rs")]
    Polars,
    #[cfg(feature = "tensorflow")]
    #[rules("rules/tensorflow.rs")]
    TensorFlow,
    #[cfg(feature = "tensorflow-numpy")]
    #[rules("rules/tensorflow_numpy.rs", "rules/tensorflow.rs")]
    TensorFlowNumPy,
    #[cfg(feature = "torch")]
    #[rules("rules/torch.rs")]
    Torch,
    #[cfg(feature = "torch-autocast")]
    #[rules("rules/torch_autocast.rs", "rules/torch.rs")]
    TorchAutocast,
}
