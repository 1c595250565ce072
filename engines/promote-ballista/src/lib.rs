#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod client;
mod codec;

pub use client::{with_codec, with_rules};
pub use codec::Codec;

#[doc(no_inline)]
pub use promote_datafusion::{self, Session};
