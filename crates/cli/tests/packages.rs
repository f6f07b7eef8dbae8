//! Real packages from npm, unmodified: small programs that use them print what they print under Node,
//! in real and in virtual time.
//!
//! The first line of a program names its packages with their versions; `// needs: NAME` names a command
//! without which it cannot be run, `// worlds: live` says that it is not for simulation. What is expected
//! stands beside the programs, and `scripts/compare-packages-with-node` holds it to Node.

use crate::common;
use crate::common::{skip, text};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Program {
    name: String,
    source: String,
    expected: String,
}

impl Program {
    /// What the lines that begin with `// key: ` say.
    fn says<'a>(&'a self, key: &str) -> impl Iterator<Item = &'a str> {
        let key = format!("// {key}: ");
        self.source
            .lines()
            .filter_map(move |line| line.strip_prefix(&key))
            .flat_map(str::split_whitespace)
    }

    fn worlds(&self) -> &'static [&'static str] {
        if self.says("worlds").eq(["live"]) { &["run"] } else { &["run", "simulate"] }
    }
}

#[test]
fn programs_with_packages_behave_as_under_node() {
    let programs = programs();
    let Some(directory) = install(&programs) else { return };
    let mut wrong = Vec::new();
    for program in &programs {
        if let Some(command) = program.says("needs").find(|command| !is_installed(command)) {
            skip("packages", &format!("{} needs {command}", program.name));
            continue;
        }
        fs::write(directory.join(&program.name), &program.source)
            .expect("a program can be written");
        for how in program.worlds() {
            let (seen, errors) = run(&directory, how, &program.name);
            if seen != program.expected {
                let (expected, name) = (&program.expected, &program.name);
                wrong.push(format!(
                    "--- {name}, {how}\nexpected:\n{expected}\nseen:\n{seen}\n{errors}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn programs() -> Vec<Program> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests/packages");
    let names = fs::read_dir(tests.join("programs")).expect("there are programs");
    let mut names: Vec<String> = names
        .map(|entry| {
            entry
                .expect("programs can be listed")
                .file_name()
                .into_string()
                .expect("a name is text")
        })
        .collect();
    names.sort();
    let read = |path: PathBuf| {
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let program = |name: String| Program {
        source: read(tests.join("programs").join(&name)),
        expected: read(tests.join("expected").join(format!("{name}.out"))),
        name,
    };
    names.into_iter().map(program).collect()
}

/// The directory in which the packages of all programs are, together, so that each has one version.
fn install(programs: &[Program]) -> Option<PathBuf> {
    let target =
        Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target directory");
    let directory = target.join("packages");
    fs::create_dir_all(&directory).expect("a directory can be made");
    let wanted: BTreeSet<&str> =
        programs.iter().flat_map(|program| program.says("packages")).collect();
    let list = wanted.iter().copied().collect::<Vec<_>>().join("\n");
    let installed = directory.join("installed");
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == list) {
        return Some(directory);
    }
    fs::write(directory.join("package.json"), r#"{ "private": true }"#).expect("it can be written");
    let npm = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"])
        .args(&wanted)
        .current_dir(&directory)
        .stdin(Stdio::null())
        .output();
    match npm {
        Ok(output) if output.status.success() => {
            fs::write(installed, list).expect("it can be written");
            Some(directory)
        }
        Ok(output) => {
            let errors = String::from_utf8_lossy(&output.stderr);
            skip("packages", &format!("the packages cannot be installed: {errors}"));
            None
        }
        Err(error) => {
            skip("packages", &format!("npm does not run: {error}"));
            None
        }
    }
}

fn is_installed(command: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths)
        .chain([PathBuf::from("/usr/sbin")])
        .any(|path| path.join(command).is_file())
}

/// What a program prints and its exit code, and what it says to standard error.
fn run(directory: &Path, how: &str, name: &str) -> (String, String) {
    let mut command = common::hemiola(directory);
    let output = command.args([how, "--timeout", "60s", name]).stdin(Stdio::null()).output();
    let output = output.expect("hemiola runs");
    let code = output.status.code().expect("hemiola is not killed");
    (format!("{}exit {code}\n", text(output.stdout)), text(output.stderr))
}
