//! On a terminal: what a program said is shown, without its escape sequences; the debugger can be interrupted.

use crate::common::{directory, has, hemiola, shell, text};
use crate::repl::session;

/// Sequences that clear a terminal, set its title and colour it, wherever a program can put them.
const PROGRAM: &str = r#"
console.log("\x1b[2Jcleared");
obs("\x1b]0;title\x07");
setTimeout(() => {}, 1, "L\x1b[31m");
if (process.argv[2] === "differ") console.log("\x1b[5mblinks \u009b31m");
"#;

/// What a terminal gets.
fn sent(directory: &std::path::Path, line: &str) -> String {
    let script = format!("script --quiet --return --command '{line}' /dev/null");
    let output = shell(directory, &script);
    text(output.stdout)
}

#[test]
fn reports_show_escape_sequences_on_a_terminal() {
    if !has("script", "--version", "reports_show_escape_sequences_on_a_terminal") {
        return;
    }
    let directory = directory("terminals", &[("program.js", PROGRAM)]);
    for (file, last) in [("one.jsonl", "same"), ("other.jsonl", "differ")] {
        let mut command = hemiola(&directory);
        let words = ["simulate", "--trace", file, "program.js", last];
        let output = command.args(words).output().expect("hemiola can be run");
        // What a program prints is its own.
        assert!(text(output.stdout).starts_with("\u{1b}[2Jcleared\n"));
    }
    let reports = [
        ("hemiola trace show one.jsonl", &["\\u{1b}[2Jcleared", "\\u{1b}]0;title\\u{7}"][..]),
        ("hemiola trace show --clock nothing one.jsonl", &[]),
        ("hemiola trace diff one.jsonl other.jsonl", &["\\u{1b}[5mblinks"]),
        ("hemiola lineage one.jsonl", &[]),
        ("hemiola explore program.js", &["\\u{1b}[2Jcleared"]),
        ("hemiola races program.js", &[]),
        ("hemiola trace show $(printf \"\\033[2Jnone\")", &[]),
    ];
    for (line, shown) in reports {
        let sent = sent(&directory, line);
        // Titles of our own are coloured.
        let others = sent.replace("\u{1b}[0m", "").replace("\u{1b}[1m", "");
        let colours = ["\u{1b}[91m", "\u{1b}[92m", "\u{1b}[96m", "\u{1b}[94m"];
        let others = colours.iter().fold(others, |text, colour| text.replace(colour, ""));
        assert!(!others.contains(['\u{1b}', '\u{7}', '\u{9b}']), "`{line}` sends {sent:?}");
        for one in shown {
            assert!(sent.contains(one), "`{line}` shows no {one} in {sent}");
        }
    }
}

/// A loop in which nothing is done can be paused, and what cannot be is left with the second Ctrl-C.
#[test]
fn control_c_pauses_at_a_terminal() {
    let program = "console.log('be' + 'gun'); for (;;);";
    let folder = directory("debug-pause", &[("program.js", program)]);
    let words = ["--timeout", "300ms", "--record", "program.js"];
    let mut command = hemiola(&folder);
    command.arg("run").args(words).env("HEMIOLA_RUNS", folder.join(".local/state/hemiola/runs"));
    let output = command.output().expect("hemiola can be run");
    assert_eq!(output.status.code(), Some(124));
    let steps = [
        ("(hemiola) ", "continue\r"),
        ("begun", "\u{3}"),
        ("paused: step ", ""),
        ("(hemiola) ", "where\r"),
        ("(hemiola) ", "\u{3}"),
        ("^C", "\u{3}"),
    ];
    let Some(shown) = session(&folder, "control_c_pauses", &["debug", "--tty"], &steps) else {
        return;
    };
    assert!(shown.ends_with("status -2\n") && !shown.contains("never shown"), "{shown}");
}
