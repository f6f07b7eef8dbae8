//! `--watch` and `--watch-path`: a program that is started again when files change.

use crate::common::{directory, hemiola};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

/// A command that goes on until it is ended, and what it prints.
struct Watching {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Watching {
    fn start(root: &Path, words: &[&str]) -> Self {
        let mut command = hemiola(root);
        command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the command can be started");
        let out = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, out }
    }

    /// Waits for these lines.
    fn says(&mut self, lines: &[&str]) {
        for expected in lines {
            let mut line = String::new();
            self.out.read_line(&mut line).expect("it is text");
            assert_eq!(line.trim_end(), *expected);
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_program_is_started_again_when_what_it_has_loaded_changes() {
    let files = [
        (
            "main.js",
            "console.log('run', require('./dependency').value, process.argv.slice(2).join());",
        ),
        ("dependency.js", "exports.value = 1;"),
        (
            "main.mjs",
            "import { value } from './module.mjs'; console.log('run', value); await new Promise(() => setInterval(() => {}, 1e9));",
        ),
        ("module.mjs", "export const value = 1;"),
        ("other.js", ""),
    ];
    let root = directory("node-watch", &files);
    let mut watching = Watching::start(&root, &["--watch", "main.js", "a", "b"]);
    watching.says(&["run 1 a,b", "Completed running 'main.js a b'"]);
    fs::write(root.join("other.js"), "0").expect("a file");
    fs::write(root.join("dependency.js"), "exports.value = 2;").expect("a file");
    watching.says(&["Restarting 'main.js a b'", "run 2 a,b", "Completed running 'main.js a b'"]);
    fs::write(root.join("dependency.js"), "throw new Error('on purpose');").expect("a file");
    watching.says(&["Restarting 'main.js a b'", "Failed running 'main.js a b'"]);

    let mut watching = Watching::start(&root, &["--watch", "main.mjs"]);
    watching.says(&["run 1"]);
    fs::write(root.join("module.mjs"), "export const value = 2;").expect("a file");
    watching.says(&["Restarting 'main.mjs'", "run 2"]);
}

#[test]
fn a_program_is_started_again_when_something_below_a_path_changes() {
    let root =
        directory("node-watch-path", &[("main.js", "console.log('run');"), ("watched/deep/a", "")]);
    let mut watching = Watching::start(&root, &["--watch-path=watched", "main.js"]);
    watching.says(&["run", "Completed running 'main.js'"]);
    fs::write(root.join("watched/deep/a"), "1").expect("a file");
    watching.says(&["Restarting 'main.js'", "run", "Completed running 'main.js'"]);
}
