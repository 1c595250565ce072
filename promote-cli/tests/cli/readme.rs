//! What the README shows of the command is what the command says.

use crate::promote;

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
