//! What the README shows of the command is what the command says.

use std::fs;

use crate::{promote, repository};

#[test]
fn the_readme_shows_what_the_command_says() {
    let readme = include_str!("../../../README.md");
    let blocks = readme.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut shown = 0;
    for block in blocks {
        for part in block.split("$ promote ").skip(1) {
            let (command, expected) = part.split_once('\n').expect("a command and what it says");
            let arguments: Vec<&str> = command.split_whitespace().collect();
            assert_eq!(promote(&arguments).everything().trim(), expected.trim(), "promote {command}");
            shown += 1;
        }
    }
    assert!(shown >= 2, "the README shows {shown} commands");
}

/// `PROMOTE_BLESS=1` draws them anew; look at them before you commit.
#[test]
fn its_pictures_are_those_that_the_command_draws() {
    let pictures = [
        ("docs/torch-lattice.svg", &["lattice", "torch", "--format", "svg"][..]),
        ("docs/torch-divide.svg", &["table", "torch", "--op", "divide", "--format", "svg"]),
        ("docs/jax-numpy.svg", &["diff", "jax2020", "numpy", "--format", "svg"]),
    ];
    for (path, command) in pictures {
        let (drawn, path) = (promote(command).told(), repository(path));
        if std::env::var_os("PROMOTE_BLESS").is_some() {
            fs::write(&path, &drawn).expect("the folder can be written");
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == drawn,
            "{} is another picture than `promote {}` draws",
            path.display(),
            command.join(" ")
        );
        assert!(
            include_str!("../../../README.md")
                .contains(path.file_name().and_then(|name| name.to_str()).expect("a name"))
        );
    }
}
