//! The page of all commands and flags is what the commands say of themselves.

use crate::common::{compare, directory};
use crate::suggestions::{commands, told};
use std::fmt::Write;
use std::path::Path;

#[test]
fn the_page_of_commands_is_what_they_say_themselves() {
    let folder = directory("reference", &[]);
    let mut page = "# Every command and flag\n\nThis page is what `hemiola COMMAND --help` prints; `UPDATE=1 cargo test \
                    --workspace --test main -- reference::` writes it anew. [cli.md](../cli.md) explains the commands with \
                    examples.\n"
        .to_owned();
    for command in commands(&folder) {
        let mut words: Vec<&str> = command.iter().map(String::as_str).collect();
        words.push("--help");
        let help = told(&folder, &words);
        let lines: String =
            help.trim_end().lines().map(|line| line.trim_end().to_owned() + "\n").collect();
        write!(page, "\n## hemiola {}\n\n```text\n{lines}```\n", command.join(" "))
            .expect("a text takes any text");
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/commands.md");
    compare(&file, &page);
}
