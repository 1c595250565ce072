//! Every part of the kernels, on a small set of them, at every level that the machine has.

mod set;
mod smoke;
