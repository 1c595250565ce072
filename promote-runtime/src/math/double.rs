//! Functions of `f64`.
