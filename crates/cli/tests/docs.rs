//! The pages of `docs` that show commands show what these really print.
//!
//! A block of two words, such as `text two.l`, is a file. In a `console` block every line that starts
//! with `$ ` is run, and what it prints follows. `UPDATE=1` rewrites what they print. The directory in which
//! they are run is another one in each clone: the pages call it `/home/you/project`.

use crate::common::{compare, directory, shell, text};
use std::fmt::Write;
use std::path::Path;

#[test]
fn the_manual_is_up_to_date() {
    up_to_date("cli.md");
    up_to_date("clocks.md");
    up_to_date("federations.md");
    up_to_date("scheduler.md");
    up_to_date("contexts.md");
    up_to_date("tasks.md");
    up_to_date("view.md");
    up_to_date("lineage.md");
    up_to_date("flaky.md");
}

fn up_to_date(page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let manual = std::fs::read_to_string(&path).expect("there is a manual");
    let directory = directory("docs", &[]);
    let here = directory.canonicalize().expect("it was made").display().to_string();
    let mut seen = String::new();
    let mut lines = manual.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(seen, "{line}");
        let Some(kind) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if kind == "console" {
            let mut code = 0;
            for command in body.iter().filter_map(|line| line.strip_prefix("$ ")) {
                let output = shell(&directory, &format!("exec 2>&1; (exit {code}); {command}"));
                code = output.status.code().expect("it is not killed");
                let printed = text(output.stdout).replace(&here, "/home/you/project");
                let _ = writeln!(seen, "$ {command}\n{}", printed.trim_end());
            }
        } else {
            for line in &body {
                let _ = writeln!(seen, "{line}");
            }
            if let Some((_, file)) = kind.split_once(' ') {
                let program = body.join("\n") + "\n";
                std::fs::write(directory.join(file), program).expect("a file can be written");
            }
        }
        seen.push_str("```\n");
    }
    compare(&path, &seen);
}

#[test]
fn the_manual_mentions_every_flag() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    let manual = std::fs::read_to_string(path).expect("there is a manual");
    let directory = directory("flags", &[]);
    for command in [
        "run",
        "simulate",
        "fleet simulate",
        "fleet run",
        "test",
        "replay",
        "debug",
        "machine",
        "lasync",
        "check",
        "explore",
        "races",
        "verify",
        "view",
        "trace show",
        "trace diff",
        "trace export",
        "lineage",
        "cron next",
        "cron explain",
    ] {
        let help = text(shell(&directory, &format!("hemiola {command} -h")).stdout);
        let flags = help.split_whitespace().filter(|word| word.starts_with("--"));
        for flag in flags {
            let flag = flag.split('[').next().unwrap_or(flag).trim_end_matches(['\'', ')', ',']);
            assert!(manual.contains(&format!("`{flag}")), "docs/cli.md does not explain {flag}");
        }
    }
}
