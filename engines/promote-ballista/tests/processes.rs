//! The example `cluster`, with few rows.

#[expect(dead_code, reason = "the `main` of the example")]
#[path = "../examples/cluster/main.rs"]
mod cluster;

fn main() -> std::process::ExitCode {
    cluster::start(["200000", env!("CARGO_TARGET_TMPDIR"), "--kill"].map(str::to_owned).into_iter())
}
