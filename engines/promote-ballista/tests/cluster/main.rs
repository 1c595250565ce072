//! Rule sets on a cluster of Ballista in this process.

#[path = "../../../promote-datafusion/tests/engine/columns.rs"]
mod columns;
mod common;
mod files;
mod results;
mod without;
