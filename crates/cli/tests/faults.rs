//! What goes wrong with files: a full disk, too many open files, files of others, files that are not what
//! they are taken for. The expected output is what Node prints under the same conditions.

use crate::common::{HEMIOLA, Scratch, isolated, skip};
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A user that owns nothing.
const NOBODY: u32 = 65534;

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults").join(name).with_extension("js")
}

/// Holds a program to what Node prints; the shell's words come before the command.
fn expect(name: &str, world: &str, directory: &Path, shell: &str) {
    let program = program(name);
    let expected = fs::read_to_string(program.with_extension("out")).expect("it is there");
    let output = isolated("sh")
        .args(["-c", &format!("umask 022; {shell} exec \"$@\""), "sh", HEMIOLA, world])
        .arg(program)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .expect("hemiola can be run");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{world} {name}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{world} {name}");
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().expect("id can be run");
    output.stdout == b"0\n"
}

#[test]
fn files_that_are_something_else() {
    for world in ["run", "simulate"] {
        let scratch = Scratch::new(&format!("faults-{world}"));
        expect("paths", world, &scratch.0, "");
    }
}

#[test]
fn too_many_open_files() {
    let scratch = Scratch::new("faults-many");
    expect("many", "run", &scratch.0, "ulimit -n 40;");
}

#[test]
fn a_full_disk() {
    let scratch = Scratch::new("faults-full");
    let mounted = is_root()
        && Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=256k", "none"])
            .arg(&scratch.0)
            .status()
            .is_ok_and(|status| status.success());
    if !mounted {
        return skip("faults", "only root can mount a small disk");
    }
    let result = std::panic::catch_unwind(|| expect("full", "run", &scratch.0, ""));
    let unmounted = Command::new("umount").arg(&scratch.0).status();
    assert!(unmounted.is_ok_and(|status| status.success()), "it can be unmounted");
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn a_pipe_that_nobody_writes_to_holds_nobody_up() {
    let scratch = Scratch::new("faults-pipe");
    let made = Command::new("mkfifo").arg(scratch.0.join("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe can be made");
    fs::write(scratch.0.join("file"), "read").expect("a file can be written");
    let read = "const fs = require('fs'); fs.readFile('pipe', () => {}); \
        fs.readFile('file', 'utf8', (error, text) => { console.log(text); process.exit(); });";
    // Whether the program waits, or goes round without waiting.
    for rest in ["", "const spin = () => setImmediate(spin); spin();"] {
        let output = isolated(HEMIOLA)
            .args(["run", "--timeout", "60s", "-e", &format!("{read} {rest}")])
            .current_dir(&scratch.0)
            .stdin(Stdio::null())
            .output()
            .expect("hemiola can be run");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{rest}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "read\n", "{rest}");
    }
}

#[test]
fn files_of_somebody_else() {
    let scratch = Scratch::new("faults-denied");
    let at = |name: &str| scratch.0.join(name);
    let allow = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    fs::write(at("open"), "for all").expect("a file can be written");
    fs::write(at("secret"), "for one").expect("a file can be written");
    fs::create_dir(at("shut")).expect("a directory can be made");
    fs::write(at("shut/file"), "inside").expect("a file can be written");
    // Nobody has to be able to read the program, too, which may be in a directory of somebody's own.
    let elsewhere = Scratch::new("faults-denied-program");
    let copy = elsewhere.0.join("hemiola");
    // A copy would be busy while the child of another test, which has just been forked, still has it open for writing.
    fs::hard_link(HEMIOLA, &copy)
        .or_else(|_| fs::copy(HEMIOLA, &copy).map(drop))
        .expect("it can be had there");
    fs::copy(program("denied"), elsewhere.0.join("denied.js")).expect("it can be copied");
    for (path, mode) in [(at("open"), 0o644), (at("secret"), 0o600), (at("shut"), 0o700)] {
        allow(&path, mode);
    }
    allow(&scratch.0, 0o755);
    allow(&elsewhere.0, 0o755);
    let run = || {
        use std::os::unix::process::CommandExt;
        Command::new(&copy)
            .arg("run")
            .arg(elsewhere.0.join("denied.js"))
            .current_dir(&scratch.0)
            .stdin(Stdio::null())
            .uid(NOBODY)
            .gid(NOBODY)
            .output()
    };
    if !is_root() || chown(at("open"), Some(0), Some(0)).is_err() {
        return skip("faults", "only root can become somebody else");
    }
    let output = run().expect("hemiola can be run");
    let expected =
        fs::read_to_string(program("denied").with_extension("out")).expect("it is there");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}
