//! The suites of outside behaviour in the open world: by default, programs do there what they do in the
//! other worlds (rule GATE-4).
#![expect(clippy::disallowed_methods, reason = "the test reads programs")]

use crate::common::{options, with_stack};
use hemiola_gate::Disk;
use hemiola_js::{Ending, Entry};
use hemiola_live::SystemTree;
use hemiola_machine::{First, Silent, Stream};
use hemiola_world::Secure;
use hemiola_world::{Faults, Open, Overlay};
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What programs print that do something which the open world does not have, or has otherwise.
const EXCEPTIONS: &[(&str, &str)] =
    &[("datagrams/workers", "there are no workers"), ("sockets/workers", "there are no workers")];

fn programs(suite: &str) -> Vec<PathBuf> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests").join(suite);
    let suite = suite.canonicalize().expect("the suite is there");
    let entries = fs::read_dir(suite).expect("the suite can be listed");
    let mut programs: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    programs.retain(|path| {
        path.with_extension("out").exists()
            && path.extension().is_some_and(|end| end == "js" || end == "mjs")
    });
    programs.sort();
    programs
}

fn run(program: &Path) -> String {
    let output = RefCell::new(String::new());
    let write = |_: Stream, bytes: &[u8]| {
        output.borrow_mut().push_str(&String::from_utf8_lossy(bytes));
        Ok(())
    };
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let path = program.to_str().expect("the path is text");
    let mut options = options(Entry::File(path.into()));
    options.argv.push(path.into());
    // Nothing is in there, and nothing ever gets there.
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("open-suites");
    fs::create_dir_all(&directory).expect("a directory can be made");
    options.cwd = directory.to_str().expect("the path is text").into();
    options.disk = Arc::clone(&files) as Arc<dyn Disk>;
    let mut world = Open::new(0, files, Faults::NONE, write).member(options.member.clone());
    let mut world = Secure::new(&mut world);
    let ran = hemiola_js::run(options, Ending::Freed, &mut world, &mut First, &mut Silent);
    ran.expect("an engine starts");
    output.take()
}

fn check(suite: &'static str) {
    with_stack(move || {
        let mut wrong = Vec::new();
        for program in programs(suite) {
            let name = format!("{suite}/{}", program.file_stem().expect("a name").display());
            let exception = EXCEPTIONS.iter().find(|(one, _)| *one == name).map(|&(_, why)| why);
            let expected = fs::read_to_string(program.with_extension("out")).expect("it is text");
            let shown = run(&program);
            if shown != expected && exception.is_none() {
                wrong.push(name.clone());
            }
            assert!(shown != expected || exception.is_none(), "{name} is no exception any more");
        }
        assert_eq!(wrong, Vec::<String>::new());
    });
}

#[test]
fn files() {
    check("files");
}

#[test]
fn sockets() {
    check("sockets");
}

#[test]
fn datagrams() {
    check("datagrams");
}

#[test]
fn names() {
    check("names");
}

#[test]
fn tls() {
    check("tls");
}

#[test]
fn http() {
    check("http");
}

#[test]
fn web() {
    check("web");
}

#[test]
fn watch() {
    check("watch");
}

#[test]
fn zlib() {
    check("zlib");
}
