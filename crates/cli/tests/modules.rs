//! Modules, and errors that look like Node's: every case in `modules/` is a tree of files, the
//! commands that are run in it, and all that they print.
//!
//! A case has lines `run: ARGUMENTS` and `link: NAME -> TARGET`, then files, each after a line
//! `-- NAME --`; the last is what is expected, in which `/ROOT` stands for the directory. `UPDATE=1`
//! rewrites it. `scripts/compare-modules-with-node` holds the cases to Node; one with a line
//! `differs: WHY` is our own.

use crate::common::{Scratch, compare, directory, hemiola, shell};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

const EXPECTED: &str = "-- expected --\n";

#[test]
fn modules_are_those_of_node() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules");
    let mut cases: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the cases are there")
        .map(|entry| entry.expect("the folder can be listed").path())
        .collect();
    cases.sort();
    assert!(cases.len() >= 25, "{} cases", cases.len());
    for path in cases {
        run(&path);
    }
}

fn run(path: &Path) {
    let text = fs::read_to_string(path).expect("a case is text");
    let name = path.file_stem().and_then(|name| name.to_str()).expect("a case has a name");
    let (given, _) = text.split_once(EXPECTED).unwrap_or((&text, ""));
    // Where the path is short wherever the tests are: what is long is shown on several lines.
    let scratch = Scratch::new(&format!("modules-{name}"));
    let root = &scratch.0;
    let mut parts = given.split("\n-- ");
    let head = parts.next().unwrap_or_default();
    for part in parts {
        let (file, content) =
            part.split_once(" --\n").unwrap_or((part.trim_end_matches(" --"), ""));
        let file = root.join(file);
        fs::create_dir_all(file.parent().expect("it is in the directory")).expect("a directory");
        let end = if content.is_empty() || content.ends_with('\n') { "" } else { "\n" };
        fs::write(file, format!("{content}{end}")).expect("a file");
    }
    for link in head.lines().filter_map(|line| line.strip_prefix("link: ")) {
        let (name, target) = link.split_once(" -> ").expect("a link leads somewhere");
        std::os::unix::fs::symlink(target, root.join(name)).expect("a link");
    }
    let real = root.canonicalize().expect("it is there").display().to_string();
    let mut seen = format!("{given}{EXPECTED}");
    for arguments in head.lines().filter_map(|line| line.strip_prefix("run: ")) {
        let output = shell(root, &format!("hemiola run {arguments}"));
        let _ = write!(seen, "$ {arguments}\n{}", shown(&output, &real));
    }
    compare(path, &seen);
}

/// All that came of a run.
fn shown(output: &Output, root: &str) -> String {
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).replace(root, "/ROOT");
        text.split_inclusive('\n').map(without_place_in_library).collect::<String>()
    };
    let mut shown = text(&output.stdout);
    if !output.stderr.is_empty() {
        let _ = write!(shown, "--- stderr\n{}", text(&output.stderr));
    }
    let code = output.status.code().map_or("none".into(), |code| code.to_string());
    let _ = writeln!(shown, "--- exit {code}");
    shown
}

/// Lines of the library's own files are other ones whenever something above them changes.
fn without_place_in_library(line: &str) -> String {
    let parts = line.strip_suffix(")\n").map(|frame| frame.rsplitn(3, ':').collect::<Vec<_>>());
    match parts.as_deref() {
        Some([column, row, before])
            if before.contains("(node:")
                && [column, row].iter().all(|number| number.parse::<u32>().is_ok()) =>
        {
            format!("{before})\n")
        }
        _ => line.to_owned(),
    }
}

/// Runs a file with that content.
fn of_bytes(name: &str, content: &[u8]) -> Output {
    let root = directory(&format!("modules-bytes-{name}"), &[]);
    fs::write(root.join(name), content).expect("a file");
    hemiola(&root).args(["run", name]).output().expect("the command can be started")
}

#[test]
fn what_is_no_text_is_a_syntax_error() {
    for name in ["garbage.js", "garbage.cjs", "garbage.mjs", "garbage.ts", "garbage.json"] {
        let output = of_bytes(name, b"\x7fELF\x02\x01\x00\xff\xfe\xc0garbage\n\x80");
        assert_eq!(output.status.code(), Some(1), "{name}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains("SyntaxError: ") && error.contains(name), "{name}: {error}");
    }
    let invalid = of_bytes("invalid.js", b"console.log('\xff'.codePointAt(0).toString(16));");
    assert_eq!(invalid.stdout, b"fffd\n", "bytes that are no text are replaced, as in Node");
}

#[test]
fn a_very_long_line_is_not_shown() {
    let long = format!("/*{}*/ throw new Error('at the end');", "x".repeat(1 << 20));
    let output = of_bytes("long.js", long.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.len() < 1_000 && error.contains("Error: at the end"), "{error}");
    assert!(error.contains("long.js:1:1048588"), "{error}");
}

#[test]
fn a_chain_of_imports_may_be_long() {
    let root = directory("modules-chain", &[]);
    let last = 300;
    for at in 0..last {
        let text = format!("import {{ n }} from './m{}.mjs'; export {{ n }};", at + 1);
        fs::write(root.join(format!("m{at}.mjs")), text).expect("a file");
    }
    fs::write(root.join(format!("m{last}.mjs")), "export const n = 7;").expect("a file");
    fs::write(root.join("main.mjs"), "import { n } from './m0.mjs'; console.log(n);")
        .expect("a file");
    let output = hemiola(&root).args(["run", "main.mjs"]).output().expect("it starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "7\n", "{output:?}");
}

#[test]
fn without_the_transform_programs_do_the_same() {
    let program = "async function f() { await 1; return 'ok'; } console.log(await f(), String(f));";
    let run = |flags: &[&str]| {
        let root = directory("modules-transform", &[]);
        let mut command = hemiola(&root);
        command.arg("run").args(flags).args(["--input-type=module", "-e", program]);
        String::from_utf8_lossy(&command.output().expect("it starts").stdout).into_owned()
    };
    assert_eq!(run(&[]), "ok async function f() { await 1; return 'ok'; }\n");
    assert_eq!(run(&["--no-context"]), run(&[]));
}

/// A file that could not be opened because of others may be there: nobody takes it for missing.
#[test]
fn modules_say_when_too_many_files_are_open() {
    let program = "
        const fs = require('fs');
        const files = [];
        try { for (;;) files.push(fs.openSync('/dev/null')); } catch (error) { console.log(error.code); }
        const tell = ({ code, syscall, path }) => console.log(code, syscall, require('path').basename(path));
        for (const name of ['./one.cjs', './two.json', './inner/three.js']) {
          try { require(name); } catch (error) { tell(error); }
        }
        import('./four.mjs').catch(tell).then(() => {
          for (const file of files) fs.closeSync(file);
          console.log(require('./one.cjs').one, require('./two.json').two, require('./inner/three.js').three);
        });";
    let files = [
        ("main.cjs", program),
        ("one.cjs", "exports.one = 1;"),
        ("two.json", "{\"two\": 2}"),
        ("four.mjs", ""),
    ];
    let directory = directory("modules-too-many", &files);
    let inner = directory.join("inner");
    fs::create_dir(&inner).expect("a directory can be made");
    fs::write(inner.join("package.json"), "{\"type\": \"module\"}").expect("a file can be made");
    fs::write(inner.join("three.js"), "export const three = 3;").expect("a file can be made");
    let output = shell(&directory, "ulimit -n 40; exec hemiola run main.cjs");
    let shown = String::from_utf8_lossy(&output.stdout);
    let expected = "EMFILE\nEMFILE open one.cjs\nEMFILE open two.json\nEMFILE open package.json\n\
                    EMFILE open four.mjs\n1 2 3\n";
    assert_eq!(shown, expected, "{}", String::from_utf8_lossy(&output.stderr));
}
