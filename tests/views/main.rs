//! Calls on views: any shape, any strides, any overlap, against one element at a time.

#![cfg(all(feature = "kernels", feature = "torch", feature = "numpy"))]

#[path = "../common/aligned.rs"]
mod aligned;
mod compare;
mod converted;
mod hostile;
mod iterator;
mod iterator_random;
mod iterator_recorded;
mod large;
mod numbers;
mod random;
mod reductions;
mod reductions_recorded;
mod repeated;
mod shapes;
#[path = "../common/table.rs"]
mod table;
