//! The `promote` command as a library: one module a verb, thin doors on `promote-rules` and `promote`.

pub mod load;
