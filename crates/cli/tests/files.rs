//! Files: one suite for both worlds (rule GATE-4), whose expected output is what Node prints; and what
//! only one of the worlds promises.
#![expect(clippy::disallowed_methods, reason = "the test looks at what is on the disk")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
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

fn hemiola(directory: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hemiola"))
        .args(words)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .expect("hemiola can be run")
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let entries = fs::read_dir(folder).expect("the programs are there");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "js")).collect();
    paths.sort();
    paths
}

#[test]
fn programs_do_the_same_in_both_worlds() {
    for program in programs() {
        let expected = fs::read_to_string(program.with_extension("out")).unwrap_or_default();
        for command in ["run", "simulate"] {
            let name = program.file_stem().expect("a program has a name").to_string_lossy();
            let scratch = Scratch::new(&format!("{command}-{name}"));
            let output =
                hemiola(&scratch.0, &[command, program.to_str().expect("the path is text")]);
            let shown = String::from_utf8_lossy(&output.stdout);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(errors, "", "{command} {name}");
            assert_eq!(shown, expected, "{command} {name}");
        }
    }
}

#[test]
fn a_simulation_leaves_the_disk_alone() {
    // Rule GATE-3.
    let scratch = Scratch::new("untouched");
    fs::write(scratch.0.join("old"), "before").expect("a file can be written");
    let program = "const fs = require('fs'); fs.writeFileSync('old', 'after'); fs.writeFileSync('new', '1');
        fs.renameSync('old', 'moved'); console.log(fs.readFileSync('moved', 'utf8'), fs.readdirSync('.'));";
    let output = hemiola(&scratch.0, &["simulate", "-e", program]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "after [ 'moved', 'new' ]\n");
    assert_eq!(fs::read_to_string(scratch.0.join("old")).expect("it is there"), "before");
    assert_eq!(fs::read_dir(&scratch.0).expect("it is there").count(), 1);
}

#[test]
fn a_simulation_sees_the_disk_and_loads_what_it_wrote() {
    let scratch = Scratch::new("sees");
    fs::write(scratch.0.join("there.txt"), "on disk").expect("a file can be written");
    let program = "const fs = require('fs'); fs.writeFileSync('./made.js', 'module.exports = 42');
        console.log(fs.readFileSync('there.txt', 'utf8'), require('./made.js'));";
    let output = hemiola(&scratch.0, &["simulate", "-e", program]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "on disk 42\n");
}

#[test]
fn the_seed_decides_which_answer_comes_first() {
    let scratch = Scratch::new("seeds");
    let program = "const fs = require('fs'); let order = ''; for (const name of 'abcd') \
        fs.writeFile(name, name, () => { order += name; if (order.length === 4) console.log(order); });";
    let run = |seed: u32| {
        let output = hemiola(&scratch.0, &["simulate", "--seed", &seed.to_string(), "-e", program]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let orders: Vec<String> = (0..8).map(run).collect();
    assert_eq!(orders, (0..8).map(run).collect::<Vec<_>>(), "a seed decides everything");
    assert!(
        orders.iter().any(|order| order != &orders[0]),
        "other seeds, other orders: {orders:?}"
    );
}

#[test]
fn standard_input_is_read_at_once() {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_hemiola"))
        .args(["run", "-e", "console.log(require('fs').readFileSync(0, 'utf8').length)"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("hemiola can be run");
    let mut input = child.stdin.take().expect("its input is ours");
    input.write_all(&[b'x'; 100_000]).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "100000\n");
}

#[test]
fn what_is_written_to_a_descriptor_keeps_its_place() {
    let scratch = Scratch::new("places");
    let program = "const fs = require('fs'); console.log('a'); fs.writeSync(1, 'b\\n'); \
        process.stdout.write('c\\n'); fs.write(1, 'd\\n', () => console.log('f')); console.log('e');";
    for command in ["run", "simulate"] {
        let output = hemiola(&scratch.0, &[command, "-e", program]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "a\nb\nc\nd\ne\nf\n", "{command}");
    }
}
