//! The Test Anything Protocol, version 13: one line for each test, with the reasons of failures below.

use super::super::outcome::{Failed, FileResult, Outcome, Summary};
use super::{Writer, full_name, shown};
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub(super) struct Tap {
    root: PathBuf,
    number: usize,
}

impl Tap {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), number: 0 }
    }
}

impl Writer for Tap {
    fn begin(&mut self) -> String {
        "TAP version 13\n".to_owned()
    }

    fn file(&mut self, result: &FileResult) -> String {
        let file = shown(&self.root, &result.file);
        let mut text = String::new();
        for test in &result.tests {
            self.number += 1;
            let ok = if test.outcome == Outcome::Fail { "not ok" } else { "ok" };
            let _ = write!(
                text,
                "{ok} {} - {}",
                self.number,
                escaped(&format!("{file} > {}", full_name(test)))
            );
            match test.outcome {
                Outcome::Skip => {
                    let _ = write!(
                        text,
                        " # SKIP {}",
                        escaped(test.reason.as_deref().unwrap_or_default()).trim_end()
                    );
                }
                Outcome::Todo => text.push_str(" # TODO"),
                Outcome::Pass | Outcome::Fail | Outcome::Flaky => {}
            }
            text = text.trim_end().to_owned() + "\n";
            reasons(&test.failures, &mut text);
        }
        for failed in &result.broken {
            self.number += 1;
            let _ = writeln!(text, "not ok {} - {}", self.number, escaped(&file));
            reasons(std::slice::from_ref(failed), &mut text);
        }
        text
    }

    fn end(&mut self, _: &[FileResult], summary: &Summary) -> String {
        format!(
            "1..{}\n# tests {}\n# pass {}\n# fail {}\n# skip {}\n# todo {}\n",
            self.number,
            summary.tests,
            summary.passed + summary.flaky,
            summary.failed + summary.broken,
            summary.skipped,
            summary.todo
        )
    }
}

fn reasons(failures: &[Failed], text: &mut String) {
    if failures.is_empty() {
        return;
    }
    text.push_str("  ---\n");
    for failed in failures {
        text.push_str("  message: |\n");
        for line in failed.message.lines() {
            let _ = writeln!(text, "    {line}");
        }
        if let Some(place) = failed.places.first() {
            let _ =
                writeln!(text, "  at: {}:{}:{}", place.file.display(), place.line, place.column);
        }
    }
    text.push_str("  ...\n");
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('#', "\\#").replace('\n', " ")
}
