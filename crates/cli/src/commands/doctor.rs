//! `hemiola doctor`: what is here, where things are kept, and what is missing.

use super::recordings::all;
use crate::args::MEMORY_LIMIT;
use crate::done::Done;
use crate::input::reason;
use hemiola_js::VERSIONS;
use hemiola_live::runs::Run;
use hemiola_live::{environment, open_files, stack_room};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Fewer open files than this are soon used up: a server needs one for each connection.
const FEW_FILES: u64 = 256;

/// The exit status where something is missing.
const MISSING: u8 = 1;

pub(super) fn run() -> Done {
    let mut report = Report::default();
    let version = |of: &str| VERSIONS.iter().find(|(name, _)| *name == of).map_or("", |(_, it)| it);
    report.row("version", &format!("hemiola {}", version("hemiola")));
    report.row("stands in for", &format!("node {}", version("node")));
    report.row("engine", &format!("quickjs {}", version("quickjs")));
    let executable = std::env::current_exe();
    report.row("binary", &executable.map_or_else(|error| reason(&error), |path| show(&path)));
    report.row("platform", &format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH));
    limits(&mut report);
    recordings(&mut report);
    browser(&mut report);
    variables(&mut report);
    report.done()
}

#[derive(Default)]
struct Report {
    text: String,
    missing: String,
}

impl Report {
    fn row(&mut self, name: &str, value: &str) {
        let _ = writeln!(self.text, "{name:<15} {value}");
    }

    /// Something that ought to be otherwise, and what can be done.
    fn missing(&mut self, what: &str, help: &str) {
        let _ = writeln!(self.missing, "missing: {what}\nhelp: {help}");
    }

    fn done(self) -> Done {
        let code = if self.missing.is_empty() { 0 } else { MISSING };
        Done { output: self.text, notes: self.missing, code }
    }
}

/// How much a program may have of what the system grants.
fn limits(report: &mut Report) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    report.row("processors", &processors.to_string());
    let open = open_files();
    let files = |limit: Option<u64>| limit.map_or("any number".into(), |limit| limit.to_string());
    report.row(
        "open files",
        &format!("{}, of {} that may be asked for", files(open.0), files(open.1)),
    );
    if open.0.is_some_and(|limit| limit < FEW_FILES) {
        let what = format!("a program may have {} files and sockets open at once", files(open.0));
        report.missing(&what, "raise the limit: ulimit -n 1024");
    }
    report.row("stack", &format!("{} MiB for calls of a program", stack_room() / (1024 * 1024)));
    report.row(
        "memory",
        &format!("{MEMORY_LIMIT} MiB for a program, unless --memory-limit says otherwise"),
    );
}

fn recordings(report: &mut Report) {
    let runs = all();
    let root = runs.root().to_owned();
    let size = |runs: &[Run]| runs.iter().map(Run::size).sum::<u64>() / 1000;
    let kept = match runs.list() {
        Ok(runs) => format!("{} in {}, {} kB", runs.len(), root.display(), size(&runs)),
        Err(error) => format!("{}: {error}", root.display()),
    };
    report.row("recordings", &kept);
    if let Err(error) = can_be_written(&root) {
        let what = format!("recordings cannot be written: {}", reason(&error));
        report.missing(&what, "set HEMIOLA_RUNS to a directory that can be written");
    }
}

/// Whether a recording could be kept there, without leaving anything behind.
fn can_be_written(root: &Path) -> std::io::Result<()> {
    fs::create_dir_all(root)?;
    let trial = root.join(format!(".doctor-{}", std::process::id()));
    fs::create_dir(&trial)?;
    fs::remove_dir(trial)
}

/// What `view` starts.
fn browser(report: &mut Report) {
    let without = "not found: view opens no browser, and prints the address of its page";
    report.row("xdg-open", &find("xdg-open").map_or_else(|| without.into(), |path| show(&path)));
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// What in the environment changes what Hemiola does.
fn variables(report: &mut Report) {
    let counts = |name: &str| {
        name.starts_with("HEMIOLA_")
            || ["NODE_OPTIONS", "NODE_PATH", "TZ", "NO_COLOR"].contains(&name)
    };
    let mut variables = environment();
    variables.retain(|(name, _)| counts(name));
    variables.sort();
    for (name, value) in variables {
        report.row(&name, &value);
    }
}

fn show(path: &Path) -> String {
    path.display().to_string()
}
