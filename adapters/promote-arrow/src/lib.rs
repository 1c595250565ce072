#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod argument;
mod bits;
mod blocks;
mod call;
mod error;
mod types;

pub use argument::Argument;
pub use call::{call, cast, if_else};
pub use error::Error;
pub use types::{data_type_of, dtype_of};

#[doc(no_inline)]
pub use arrow_array;
#[doc(no_inline)]
pub use arrow_buffer;
#[doc(no_inline)]
pub use arrow_schema;
#[doc(no_inline)]
pub use promote;
