//! Types, run-time tables, the rule library's own tables and the kernels say the same of every pair and op.

#[cfg(feature = "array-api")]
mod array_api {
    promote::agreement! { promote::ArrayApi = "rules/array_api.rs" }
}

#[cfg(feature = "jax")]
mod jax {
    promote::agreement! { promote::Jax = "rules/jax.rs" }
}

#[cfg(feature = "jax2020")]
mod jax2020 {
    promote::agreement! { promote::Jax2020 = "rules/jax2020.rs", "rules/jax.rs" }
}

#[cfg(feature = "ml-dtypes")]
mod ml_dtypes {
    promote::agreement! { promote::MlDtypes = "rules/ml_dtypes.rs", "rules/numpy.rs" }
}

#[cfg(feature = "numpy")]
mod numpy {
    promote::agreement! { promote::NumPy = "rules/numpy.rs" }
}

#[cfg(feature = "numpy1")]
mod numpy1 {
    promote::agreement! { promote::NumPy1 = "rules/numpy1.rs", "rules/numpy.rs" }
}

#[cfg(feature = "oneflow")]
mod oneflow {
    promote::agreement! { promote::OneFlow = "rules/oneflow.rs" }
}

#[cfg(feature = "openvino")]
mod openvino {
    promote::agreement! { promote::OpenVino = "rules/openvino.rs" }
}

#[cfg(feature = "paddle")]
mod paddle {
    promote::agreement! { promote::Paddle = "rules/paddle.rs" }
}

#[cfg(feature = "tensorflow")]
mod tensorflow {
    promote::agreement! { promote::TensorFlow = "rules/tensorflow.rs" }
}

#[cfg(feature = "tensorflow-numpy")]
mod tensorflow_numpy {
    promote::agreement! { promote::TensorFlowNumPy = "rules/tensorflow_numpy.rs", "rules/tensorflow.rs" }
}

#[cfg(feature = "torch")]
mod torch {
    promote::agreement! { promote::Torch = "rules/torch.rs" }
}
