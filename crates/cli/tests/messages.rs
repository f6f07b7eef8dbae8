//! Common mistakes are told as Node tells them: the message, the line, the mark, the place.
//!
//! `messages/programs.txt` has the programs, `messages/node.txt` what Node 20 printed of them;
//! `scripts/compare-messages-with-node --update` writes it.

use crate::common::{HEMIOLA, directory, isolated};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

const PROGRAMS: &str = include_str!("messages/programs.txt");
const NODE: &str = include_str!("messages/node.txt");

/// Sections of a file with their headings: `=== program.cjs 1`.
fn sections(text: &str) -> Vec<(&str, &str)> {
    let parts = text.strip_prefix("=== ").unwrap_or(text).split("\n=== ");
    let section = |part| str::split_once(part, '\n').unwrap_or((part, ""));
    parts.map(section).map(|(name, text)| (name, text.strip_suffix('\n').unwrap_or(text))).collect()
}

/// What is compared: all before the first frame, and where the first frame of the program is.
fn told(output: &str, directory: &Path) -> String {
    let directory = format!("{}/", directory.display());
    let text = output.replace(&format!("file://{directory}"), "").replace(&directory, "");
    let mut parts = text.split("\n    at ");
    let head = parts.next().unwrap_or_default().lines().map(str::trim_end);
    let is_shown = |line: &&str| !line.is_empty() && !line.starts_with("Hemiola v");
    let place = parts.find_map(|frame| {
        let frame = frame.lines().next()?;
        let at = frame.find("program.")?;
        Some(frame[at..].trim_end_matches(')').to_owned())
    });
    let mut told: String = head.filter(is_shown).map(|line| format!("{line}\n")).collect();
    told += &format!("at {}", place.unwrap_or_else(|| "nowhere".to_owned()));
    told
}

#[test]
fn mistakes_are_told_as_node_tells_them() {
    let programs = sections(PROGRAMS);
    let expected = sections(NODE);
    assert!(programs.len() >= 100, "{}", programs.len());
    assert_eq!(programs.len(), expected.len());
    let all = Mutex::new(programs.into_iter().zip(expected));
    let wrong = Mutex::new(Vec::new());
    let work = |number: usize| {
        let directory = directory_of(number);
        loop {
            let Some(((name, source), (_, node))) = all.lock().expect("no one panics").next()
            else {
                return;
            };
            let file = directory.join(name.split(' ').next().unwrap_or_default());
            fs::write(&file, source).expect("a program can be written");
            let output =
                isolated(HEMIOLA).arg("run").arg(&file).output().expect("it can be started");
            let found = told(&String::from_utf8_lossy(&output.stderr), &directory);
            if found != node {
                let text = format!("{name}:\n{source}\n--- Node:\n{node}\n--- Hemiola:\n{found}\n");
                wrong.lock().expect("no one panics").push(text);
            }
        }
    };
    let directories = [directory("messages-0", &[]), directory("messages-1", &[])];
    fn directory_of(number: usize) -> std::path::PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("messages-{number}"))
    }
    thread::scope(|scope| {
        for number in 0..directories.len() {
            scope.spawn(move || work(number));
        }
    });
    let wrong = wrong.into_inner().expect("no one panics");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// What a program catches has the message that is printed when it does not.
#[test]
fn a_mistake_that_is_caught_has_the_same_message() {
    let files: Vec<(String, &str)> = sections(PROGRAMS)
        .into_iter()
        .enumerate()
        .filter(|(_, (name, _))| name.starts_with("program.cjs"))
        .map(|(index, (_, source))| (format!("{index}.cjs"), source))
        .collect();
    let harness = "for (const file of process.argv.slice(2)) {
  try { require(file); console.log(`${file}\\tnothing`); } catch (e) { console.log(`${file}\\t${e instanceof Error ? `${e.name}: ${e.message.split('\\n')[0]}` : 'nothing'}`); }
}
process.on('uncaughtException', () => {});";
    let directory = directory("messages-caught", &[("harness.cjs", harness)]);
    for (name, source) in &files {
        fs::write(directory.join(name), source).expect("a program can be written");
    }
    let names = files.iter().map(|(name, _)| format!("./{name}"));
    let output = isolated(HEMIOLA)
        .arg("run")
        .arg("harness.cjs")
        .args(names)
        .current_dir(&directory)
        .output();
    let output = output.expect("it can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let expected = sections(NODE);
    let mut compared = 0;
    for line in text.lines() {
        let Some((file, found)) = line.split_once('\t') else { continue };
        let index: usize =
            file.trim_matches(['.', '/']).trim_end_matches(".cjs").parse().unwrap_or(usize::MAX);
        let Some((_, node)) = expected.get(index) else { continue };
        if found == "nothing" {
            continue; // It fails later.
        }
        compared += 1;
        assert!(node.lines().any(|line| line == found), "{file}: {found}\n{node}");
    }
    assert!(compared >= 100, "{compared}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// The engine notes no arguments for natives that have data of their own, such as this setter.
#[test]
fn a_native_with_data_of_its_own_may_fail() {
    let source =
        "const { set } = Object.getOwnPropertyDescriptor(Iterator.prototype, 'constructor');
        for (const given of [[undefined, ''], [null], [Iterator.prototype, 1, 2]]) {
          try { set.call(...given); } catch (error) { console.log(error instanceof TypeError); }
        }";
    let output = isolated(HEMIOLA).args(["run", "-e", source]).output().expect("it can be started");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "true\ntrue\ntrue\n", "{output:?}");
}
