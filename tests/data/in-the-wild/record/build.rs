//! Tells the program where cargo has put the sources of the crates, and their licenses.

use std::process::Command;

fn main() {
    let cargo = std::env::var("CARGO").expect("set by cargo");
    let output =
        Command::new(cargo).args(["metadata", "--format-version", "1"]).output().expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for package in metadata["packages"].as_array().expect("a list") {
        let text = |key: &str| package[key].as_str().expect("text").to_owned();
        let name = text("name");
        if !["ferray-core", "rstsr-dtype-traits", "mlx-rs"].contains(&name.as_str()) {
            continue;
        }
        let variable = name.to_uppercase().replace('-', "_");
        let manifest = text("manifest_path");
        let folder = manifest.strip_suffix("/Cargo.toml").expect("a manifest");
        println!("cargo::rustc-env={variable}={folder}");
        println!("cargo::rustc-env={variable}_VERSION={}", text("version"));
        println!("cargo::rustc-env={variable}_LICENSE={}", text("license"));
    }
    println!("cargo::rerun-if-changed=Cargo.toml");
}
