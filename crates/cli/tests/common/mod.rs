//! Real invocations of `hemiola` in a directory of their own.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The directory of the test with that name, empty but for these files.
pub fn directory(name: &str, files: &[(&str, &str)]) -> PathBuf {
    take(name);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the test directory can be made");
    for (file, text) in files {
        let file = path.join(file);
        fs::create_dir_all(file.parent().expect("it is in the directory")).expect("a directory");
        fs::write(file, text).expect("a program can be written");
    }
    path
}

/// Two tests with a directory of the same name would write into each other's: they run side by side.
fn take(name: &str) {
    static TAKEN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    // The thread of a test has the test's name.
    let test = thread::current().name().unwrap_or_default().to_owned();
    let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let owner = taken.entry(name.to_owned()).or_insert_with(|| test.clone());
    assert_eq!(*owner, test, "the directory `{name}` belongs to one test");
}

/// Says that the check of that name does not run; where `HEMIOLA_SKIPS` names a file, CI finds the line there.
pub fn skip(name: &str, reason: &str) {
    // In one line, so that there is one for every skip.
    let line = format!("{name}: {}", reason.split_whitespace().collect::<Vec<_>>().join(" "));
    eprintln!("skipped: {line}");
    if let Some(path) = std::env::var_os("HEMIOLA_SKIPS") {
        let file = fs::File::options().create(true).append(true).open(path);
        let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        written.expect("the skip can be told");
    }
}

/// Whether that program is installed; if not, the check of that name is skipped.
pub fn has(program: &str, version: &str, name: &str) -> bool {
    let mut command = Command::new(program);
    let found = command.arg(version).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        skip(name, &format!("{program} is not installed"));
    }
    found
}

/// The command under test.
pub const HEMIOLA: &str = env!("CARGO_BIN_EXE_hemiola");

/// A command in surroundings of its own: of the tester's it knows where programs are. Its home is empty, its
/// zone UTC, and no recording is kept, because programs fail on purpose.
pub fn isolated(program: impl AsRef<OsStr>) -> Command {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("home");
    fs::create_dir_all(&home).expect("a home can be made");
    let mut command = Command::new(program);
    let place = std::env::var_os("TMPDIR").map(|place| ("TMPDIR", place));
    command.env_clear().envs(place).env("PATH", programs_of_the_tester());
    command.env("HOME", home).env("TZ", "UTC").env("HEMIOLA_RECORD", "off");
    command
}

/// Where programs are. A directory that may not be looked at makes "permission denied" of "no such program".
fn programs_of_the_tester() -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let seen = std::env::split_paths(&path).filter(|directory| fs::metadata(directory).is_ok());
    std::env::join_paths(seen).expect("they were joined before")
}

/// The command under test, in that directory.
pub fn hemiola(directory: &Path) -> Command {
    let mut command = isolated(HEMIOLA);
    command.current_dir(directory);
    command
}

/// A shell in which `hemiola` is the command under test.
pub fn shell(directory: &Path, script: &str) -> Output {
    let mut path =
        Path::new(HEMIOLA).parent().expect("a binary is in a directory").as_os_str().to_owned();
    path.push(":");
    path.push(programs_of_the_tester());
    let mut command = isolated("sh");
    command.current_dir(directory).args(["-c", script]).env("PATH", path).stdin(Stdio::null());
    command.output().expect("the shell runs")
}

/// What a stream said.
pub fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("hemiola writes UTF-8")
}

/// Runs every line twice, which must make no difference, and compares all that came of it with the
/// snapshot of that name. `UPDATE=1` writes the snapshot.
pub fn session(name: &str, files: &[(&str, &str)], lines: &[&str]) {
    let directory = directory(name, files);
    let mut seen = String::new();
    for line in lines {
        let (first, second) = (shell(&directory, line), shell(&directory, line));
        assert_eq!(first, second, "{line}: two runs differ");
        let code = first.status.code().expect("hemiola is not killed");
        let _ = writeln!(seen, "$ {line}\n{}", text(first.stdout).trim_end());
        if !first.stderr.is_empty() {
            let _ = writeln!(seen, "--- stderr\n{}", text(first.stderr).trim_end());
        }
        let _ = writeln!(seen, "--- exit {code}\n");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/snapshots/{name}.txt"));
    compare(&path, &seen);
}

/// Compares a text with a file; `UPDATE=1` writes the file.
pub fn compare(path: &Path, seen: &str) {
    if std::env::var_os("UPDATE").as_deref() == Some(OsStr::new("1")) {
        return fs::write(path, seen).expect("the file can be written");
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if let Some(at) = (0..)
        .zip(seen.lines())
        .find_map(|(at, line)| (expected.lines().nth(at) != Some(line)).then_some(at))
    {
        let expected = expected.lines().nth(at).unwrap_or("the end of the file");
        let line = seen.lines().nth(at).unwrap_or_default();
        panic!(
            "{}:{}: expected\n  {expected}\nbut saw\n  {line}\nhelp: see the difference: UPDATE=1 cargo test -p hemiola",
            path.display(),
            at + 1,
        );
    }
    assert_eq!(expected.lines().count(), seen.lines().count(), "{}: stale", path.display());
}

/// A directory elsewhere, with a short path, that is removed in the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// A new one.
    pub fn new(name: &str) -> Self {
        take(name);
        let path = std::env::temp_dir().join(format!("hemiola-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("the directory can be made");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The programs in that folder of tests.
pub fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = fs::read_dir(folder).expect("the programs are there");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut programs: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "js")).collect();
    programs.sort();
    assert!(!programs.is_empty(), "there are programs");
    programs
}

/// Runs every program of that folder of tests live and simulated, with another seed, too, and compares what it
/// prints with the file beside it: what Node printed.
pub fn in_both_worlds(folder: &str) {
    for program in programs(folder) {
        let expected = fs::read_to_string(program.with_extension("out")).unwrap_or_default();
        let name = program.to_str().expect("the path is text");
        for words in [&["run"][..], &["simulate"], &["simulate", "--seed", "1"]] {
            let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
            let mut command = hemiola(directory);
            let output = command.args(words).arg(name).stdin(Stdio::null()).output();
            let output = output.expect("hemiola can be run");
            assert_eq!(text(output.stderr), "", "{words:?} {name}");
            assert_eq!(text(output.stdout), expected, "{words:?} {name}");
        }
    }
}

/// A copy of an example with its packages from npm, kept from run to run; nothing, if they cannot be had.
pub fn install(example: &Path, name: &str) -> Option<PathBuf> {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name(name);
    fs::create_dir_all(&place).expect("a directory can be made");
    let list = fs::read_to_string(example.join("package.json")).expect("the example has a list");
    let has_all = fs::read_to_string(place.join("installed")).is_ok_and(|before| before == list);
    for entry in fs::read_dir(example).expect("the example is there").flatten() {
        if entry.path().is_file() {
            fs::copy(entry.path(), place.join(entry.file_name())).expect("a file can be copied");
        }
    }
    if has_all {
        return Some(place);
    }
    let npm = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(&place)
        .stdin(Stdio::null())
        .output();
    match npm {
        Ok(output) if output.status.success() => {
            fs::write(place.join("installed"), list).expect("it can be written");
            Some(place)
        }
        Ok(output) => {
            let errors = String::from_utf8_lossy(&output.stderr);
            skip(name, &format!("the packages cannot be installed: {errors}"));
            None
        }
        Err(error) => {
            skip(name, &format!("npm does not run: {error}"));
            None
        }
    }
}
