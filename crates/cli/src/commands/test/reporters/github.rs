//! Annotations of GitHub Actions: an error at the place of each failure.

use super::super::outcome::{Failed, FileResult, Summary};
use super::{Writer, full_name, is_bad, place, shown};
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub(super) struct Github {
    root: PathBuf,
}

impl Github {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl Writer for Github {
    fn begin(&mut self) -> String {
        String::new()
    }

    fn file(&mut self, _: &FileResult) -> String {
        String::new()
    }

    fn end(&mut self, results: &[FileResult], _: &Summary) -> String {
        let mut text = String::new();
        for result in results {
            for test in result.tests.iter().filter(|test| is_bad(test)) {
                let (file, line, column) =
                    place(result, test).unwrap_or((result.file.clone(), 1, 1));
                let message = test.failures.first().map(message).unwrap_or_default();
                annotate(
                    &mut text,
                    &shown(&self.root, &file),
                    line,
                    column,
                    &full_name(test),
                    &message,
                );
            }
            for failed in &result.broken {
                let place = failed.places.first();
                let file = shown(&self.root, place.map_or(&result.file, |place| &place.file));
                let (line, column) = place.map_or((1, 1), |place| (place.line, place.column));
                annotate(&mut text, &file, line, column, &file, &failed.message);
            }
        }
        text
    }
}

/// What went wrong, and how to see it again where that is known.
fn message(failed: &Failed) -> String {
    match &failed.found {
        Some(found) => format!("{}\n\nflaky; run it again with\n{}", failed.message, found.command),
        None => failed.message.clone(),
    }
}

fn annotate(text: &mut String, file: &str, line: u64, column: u64, title: &str, message: &str) {
    let _ = writeln!(
        text,
        "::error file={},line={line},col={column},title={}::{}",
        property(file),
        property(title),
        data(message)
    );
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
