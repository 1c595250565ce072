//! Calls on views: any shape, any strides, any overlap, against one element at a time.

#![cfg(all(feature = "kernels", feature = "torch", feature = "numpy"))]

#[path = "../common/aligned.rs"]
mod aligned;
mod compare;
mod random;
mod shapes;
