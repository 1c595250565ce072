//! Calls on tensors of burn, beside burn's own ops after casts.

mod any;
mod operands;
mod pairs;
