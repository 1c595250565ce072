//! Functions of `f32`.
