//! Recordings that somebody, or a disk, has changed are refused (rules GATE-2, GATE-5).

use hemiola_live::runs::{Manifest, Run, RunError};
use hemiola_world::recording::{self, Entry, Sums};
use std::fs;
use std::path::{Path, PathBuf};

/// One line for each kind of input.
const LINES: &[&str] = &[
    r#"{"now":[12,7,0]}"#,
    r#"{"wall":1700000000000000}"#,
    r#"{"random":18446744073709551615}"#,
    r#"{"module":{"utf8":"/app/main.js"},"read":{"utf8":"console.log(1)"}}"#,
    r#"{"module":{"utf8":"/app/package.json"},"read":{"errno":2}}"#,
    r#"{"module":{"utf8":"/app/main.js"},"kind":"file"}"#,
    r#"{"module":{"utf8":"/app/main.js"},"real":{"utf8":"/app/main.js"}}"#,
    r#"{"asked":1,"operation":"fs.readFile","about":"data.txt","digest":77}"#,
    r#"{"performed":true,"operation":"system.facts","about":"","digest":78,"answer":{"record":[["pid",{"bits":4607182418800017408}],["list",[null,true,"text",{"undefined":true}]]]}}"#,
    r#"{"received":1,"quiet":3,"stamp":4000,"answer":{"hex":"ff00"}}"#,
    r#"{"received":2,"quiet":0,"stamp":4001,"fault":{"code":"ENOENT","errno":2,"syscall":"open","path":{"utf8":"x"}}}"#,
    r#"{"refused":"out","errno":28}"#,
    r#"{"over":true}"#,
];

fn entries() -> Vec<Entry> {
    LINES.iter().flat_map(|line| recording::read(line).expect("it is an input")).collect()
}

/// Writes a recording of those inputs; the manifest is that of the right ones.
fn keep(name: &str, inputs: &[Entry]) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&directory).expect("the directory can be made");
    let mut sums = Sums::default();
    recording::write(&mut Vec::new(), &entries(), &mut sums).expect("memory takes any text");
    let manifest = Manifest {
        id: name.into(),
        runtime: env!("CARGO_PKG_VERSION").into(),
        words: vec!["run".into(), "main.js".into()],
        strategy: "node-phases".into(),
        code: Some(0),
        inputs: Some(sums.count),
        digest: Some(sums.lines.hex()),
        program: Some(sums.modules.hex()),
        ..Manifest::default()
    };
    fs::write(directory.join("manifest.json"), manifest.to_json().to_string()).expect("it is kept");
    let mut text = Vec::new();
    recording::write(&mut text, inputs, &mut Sums::default()).expect("memory takes any text");
    let packed = zstd::encode_all(text.as_slice(), 1).expect("it can be packed");
    fs::write(directory.join("inputs.jsonl.zst"), packed).expect("it is kept");
    directory
}

fn read(directory: &Path) -> Result<Vec<Entry>, RunError> {
    Run::open(directory.to_owned()).and_then(|run| run.inputs())
}

#[test]
fn a_whole_recording_is_read() {
    let directory = keep("whole", &entries());
    assert_eq!(read(&directory).expect("it is whole"), entries());
    let packed = directory.join("one.hemiola");
    let run = Run::open(directory).expect("it is whole");
    run.pack(fs::File::create(&packed).expect("it can be made")).expect("it can be packed");
    assert_eq!(read(&packed).expect("it is whole"), entries());
    cut_everywhere(&packed, || read(&packed));
}

#[test]
fn a_recording_that_was_cut_is_refused_wherever_that_was() {
    let directory = keep("cut", &entries());
    cut_everywhere(&directory.join("inputs.jsonl.zst"), || read(&directory));
    cut_everywhere(&directory.join("manifest.json"), || read(&directory));
}

fn cut_everywhere(file: &Path, read: impl Fn() -> Result<Vec<Entry>, RunError>) {
    let whole = fs::read(file).expect("it is there");
    for length in 0..whole.len() {
        fs::write(file, &whole[..length]).expect("it can be written");
        let error = read().expect_err("it is not whole").to_string();
        // Of a packed one, the first bytes say that it is one.
        let is_refused = error.starts_with("cannot read ") || error.ends_with("is no recording");
        assert!(is_refused, "after {length} bytes: {error}");
    }
    fs::write(file, whole).expect("it can be written");
    assert!(read().is_ok());
}

#[test]
fn every_kind_of_input_may_not_be_edited() {
    for (at, line) in LINES.iter().enumerate() {
        let digit = line.rfind(|letter: char| letter.is_ascii_digit());
        let letter = line.rfind(|letter: char| letter.is_ascii_lowercase());
        for place in [digit, letter].into_iter().flatten() {
            let mut edited = (*line).to_owned();
            let next = if &edited[place..=place] == "1" { "2" } else { "1" };
            edited.replace_range(place..=place, next);
            // What is no input any more could not even be written.
            let Ok(changed) = recording::read(&edited) else { continue };
            let others = |(other, line): (usize, &&str)| match other == at {
                true => changed.clone(),
                false => recording::read(line).expect("it is an input"),
            };
            let inputs: Vec<Entry> = LINES.iter().enumerate().flat_map(others).collect();
            let error = read(&keep("edited", &inputs)).expect_err("it was edited");
            assert!(error.to_string().contains("of the manifest"), "{edited}: {error}");
        }
        let without = LINES.iter().enumerate().filter(|(other, _)| *other != at);
        let without: Vec<Entry> =
            without.flat_map(|(_, line)| recording::read(line).expect("it is an input")).collect();
        let error = read(&keep("edited", &without)).expect_err("one is missing");
        assert!(error.to_string().contains("inputs and should hold 15"), "{line}: {error}");
    }
    let mut swapped = entries();
    swapped.swap(3, 4);
    assert!(read(&keep("edited", &swapped)).is_err(), "the order counts");
}

#[test]
fn no_letter_of_a_manifest_may_be_edited() {
    let directory = keep("manifest", &entries());
    let file = directory.join("manifest.json");
    let whole = fs::read(&file).expect("it is there");
    for at in 0..whole.len() {
        for with in [b'7', b'x', b' '] {
            let mut edited = whole.clone();
            edited[at] = with;
            if edited != whole {
                fs::write(&file, edited).expect("it can be written");
                assert!(read(&directory).is_err(), "byte {at} became {:?}", char::from(with));
            }
        }
    }
}
