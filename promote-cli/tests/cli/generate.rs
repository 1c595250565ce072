//! `promote completions` and `promote manual`.

use crate::promote;

#[test]
fn completes_the_subcommands_in_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = promote(&["completions", shell]).told();
        assert!(script.contains("lattice") && script.contains("dtypes"), "{shell}: {script}");
    }
    assert_eq!(promote(&["completions", "tcsh"]).code, 2);
}

#[test]
#[cfg(unix)]
fn bash_accepts_its_script() {
    let script = promote(&["completions", "bash"]).told();
    let Ok(output) = std::process::Command::new("bash").args(["-n", "-c", &script]).output() else { return };
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn each_subcommand_has_a_manual_page() {
    let page = promote(&["manual"]).told();
    assert!(page.contains(".TH promote 1") && page.contains("promote\\-lattice(1)"), "{page}");
    for name in ["check", "list", "table", "diff", "lattice", "explain", "cast", "emit", "eval", "bench"] {
        let page = promote(&["manual", name]).told();
        assert!(page.contains(&format!(".TH promote-{name} 1")), "{page}");
        assert!(page.contains(".SH OPTIONS"), "{page}");
    }
    let told = promote(&["manual", "evel"]).refused();
    assert_eq!(told.lines().next(), Some("error: there is no subcommand `evel`"));
    assert!(told.contains("help: did you mean `eval`?"), "{told}");
}
