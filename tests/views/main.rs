//! Calls on views of any shape, strides and overlap, compared with ops on single elements.

#![cfg(all(feature = "kernels", feature = "torch", feature = "numpy"))]

#[path = "../common/aligned.rs"]
mod aligned;
#[path = "../common/bundled.rs"]
mod bundled;
mod compare;
mod converted;
#[path = "../common/data.rs"]
mod data;
mod hostile;
mod iterator;
mod iterator_random;
mod iterator_recorded;
mod large;
mod numbers;
mod pointers;
mod random;
mod reductions;
mod reductions_recorded;
mod repeated;
mod scans;
mod scans_recorded;
mod shapes;
mod shortcuts;
mod statistics;
#[path = "../common/table.rs"]
mod table;
