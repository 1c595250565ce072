//! Rule sets on a cluster of Ballista in this process.

mod common;
mod files;
mod results;
mod without;
