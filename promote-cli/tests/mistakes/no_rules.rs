//! A file of another sort.
