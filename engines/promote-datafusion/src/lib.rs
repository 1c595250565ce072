#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod analyze;
mod decide;
#[cfg(feature = "ffi")]
pub mod ffi;
mod kernel;
mod options;
mod planned;
mod rewrite;
mod rules;
mod session;

pub use kernel::{decode_function, encode_function, function, functions, functions_of};
pub use options::Options;
pub use session::Session;

#[doc(no_inline)]
pub use promote;
