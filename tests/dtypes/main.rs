//! Rule files give the dtypes that the real systems give: every recorded cell of every system.
//!
//! A system is a file of `tests/data` and a small file here, which names its rule set, the sections that are
//! not compared, and the single cells in which the system contradicts itself, each with a reason. It also
//! names the kinds of compared sections, and the fewest equal cells. A section that nothing reads is an
//! error, and so are an exception that excuses nothing and a section that got lost.

mod answers;
#[path = "../common/data.rs"]
mod data;
mod documents;
mod lists;
mod paddle_functions;
mod score;
mod sections;
#[path = "../common/table.rs"]
mod table;
mod value_based;

mod array_api;
mod datafusion;
mod jax;
mod jax2020;
mod ml_dtypes;
mod numpy;
mod numpy1;
mod oneflow;
mod oneflow2021;
mod openvino;
mod paddle;
mod paddle26;
mod polars;
mod tensorflow;
mod torch;
mod torch_autocast;
