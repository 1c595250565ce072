//! Runs `test.py` with the built library, and compares the type stubs. `PROMOTE_PYTHON` names a Python that
//! has NumPy.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Runs Python with the package on its path; `None` if there is no Python.
fn python(folder: &str, arguments: &[&str]) -> Option<String> {
    let Some(python) = env::var_os("PROMOTE_PYTHON") else {
        println!("not run: no Python; help: set PROMOTE_PYTHON to one that has NumPy");
        return None;
    };
    let built = env::current_exe().unwrap();
    let library = format!("{}promote_dtypes{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    // Python finds a module by its name.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{folder}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::copy(built.with_file_name(library), folder.join("promote_dtypes.abi3.so")).unwrap();
    let ran = Command::new(python).args(arguments).env("PYTHONPATH", &folder).output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{}{}", text(&ran.stdout), text(&ran.stderr));
    Some(text(&ran.stdout))
}

#[test]
fn the_package_works_in_python() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/test.py");
    println!("{}", python("package", &[script]).unwrap_or_default());
}

#[test]
fn the_lines_of_the_readme_run() {
    let readme = include_str!("../README.md");
    let lines = readme.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    python("readme", &["-c", lines]);
}

/// Writes the stubs anew if `PROMOTE_BLESS` is set. They have the namespaces of the default rule sets; all of
/// them would be ten times as long.
#[test]
fn type_stubs_are_those_of_the_rule_sets() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/promote_dtypes.pyi");
    let Some(made) =
        python("stubs", &["-c", "import promote_dtypes as pd; print(pd.stubs('torch', 'numpy'), end='')"])
    else {
        return;
    };
    if env::var_os("PROMOTE_BLESS").is_some() {
        fs::write(path, &made).unwrap();
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    assert!(kept == made, "{path} is out of date; help: run this test with PROMOTE_BLESS=1");
}
