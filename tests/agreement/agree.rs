//! Types, run-time tables, the tables of `promote-rules` and the kernels agree for every pair and op.

mod array_api {
    promote::agreement! { promote::ArrayApi = "../../rules/array_api.rs" }
}

mod datafusion {
    promote::agreement! { promote::DataFusion = "../../rules/datafusion.rs" }
}

mod jax {
    promote::agreement! { promote::Jax = "../../rules/jax.rs" }
}

mod jax2020 {
    promote::agreement! { promote::Jax2020 = "../../rules/jax2020.rs", "../../rules/jax.rs" }
}

mod ml_dtypes {
    promote::agreement! { promote::MlDtypes = "../../rules/ml_dtypes.rs", "../../rules/numpy.rs" }
}

mod numpy {
    promote::agreement! { promote::NumPy = "../../rules/numpy.rs" }
}

mod numpy1 {
    promote::agreement! { promote::NumPy1 = "../../rules/numpy1.rs", "../../rules/numpy.rs" }
}

mod oneflow {
    promote::agreement! { promote::OneFlow = "../../rules/oneflow.rs" }
}

mod oneflow2021 {
    promote::agreement! { promote::OneFlow2021 = "../../rules/oneflow2021.rs", "../../rules/oneflow.rs" }
}

mod openvino {
    promote::agreement! { promote::OpenVino = "../../rules/openvino.rs" }
}

mod paddle {
    promote::agreement! { promote::Paddle = "../../rules/paddle.rs" }
}

mod paddle26 {
    promote::agreement! { promote::Paddle26 = "../../rules/paddle26.rs", "../../rules/paddle.rs" }
}

mod polars {
    promote::agreement! { promote::Polars = "../../rules/polars.rs" }
}

mod tensorflow {
    promote::agreement! { promote::TensorFlow = "../../rules/tensorflow.rs" }
}

mod tensorflow_numpy {
    promote::agreement! { promote::TensorFlowNumPy = "../../rules/tensorflow_numpy.rs", "../../rules/tensorflow.rs" }
}

mod torch {
    promote::agreement! { promote::Torch = "../../rules/torch.rs" }
}

mod torch_autocast {
    promote::agreement! { promote::TorchAutocast = "../../rules/torch_autocast.rs", "../../rules/torch.rs" }
}
