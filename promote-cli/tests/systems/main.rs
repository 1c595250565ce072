//! The bundled rule sets against what their frameworks answered: every recorded question, cell by cell.
//! PyTorch, whose data have a form of their own, has `tests/torch_tables.rs` instead; here are only its lists
//! of operands and its document.
//!
//! A part of the data that no line here speaks of is an error, and so is an exception that excuses nothing.

mod answers;
mod documents;
mod functions;
mod lists;
mod logical_numbers;
mod score;
mod sections;
mod table;
mod values;
mod where_numbers;

mod of_array_api;
mod of_jax;
mod of_jax2020;
mod of_ml_dtypes;
mod of_numpy;
mod of_numpy1;
mod of_oneflow;
mod of_oneflow2021;
mod of_openvino;
mod of_paddle;
mod of_paddle26;
mod of_tensorflow;
