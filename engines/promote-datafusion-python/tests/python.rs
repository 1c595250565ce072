//! Runs `test.py`: the library in DataFusion's Python package. `PROMOTE_PYTHON` names a Python that has it.

use std::process::Command;

#[test]
fn functions_work_in_the_package_of_python() {
    let Some(python) = std::env::var_os("PROMOTE_PYTHON") else {
        println!("not run: no Python; help: set PROMOTE_PYTHON to one that has the package `datafusion` 55");
        return;
    };
    let built = std::env::current_exe().unwrap();
    let name = |stem| format!("{}{stem}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = built.with_file_name(name("promote_datafusion_python"));
    // Python finds a module by its name.
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("promote-datafusion-python-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(&library, folder.join("promote_datafusion.abi3.so")).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/test.py");
    let ran = Command::new(python).arg(script).env("PYTHONPATH", &folder).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{}{}", text(&ran.stdout), text(&ran.stderr));
    println!("{}", text(&ran.stdout));
}
