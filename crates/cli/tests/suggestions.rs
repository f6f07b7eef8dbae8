//! What is said to who is lost: flags that are misspelt, a closed network, a narrow terminal.

use crate::common::{directory, has, hemiola, shell, text};
use std::ffi::OsStr;
use std::path::Path;

pub(crate) fn told(folder: &Path, words: &[impl AsRef<OsStr>]) -> String {
    let output = hemiola(folder).args(words).output().expect("hemiola can be run");
    text(output.stdout) + &text(output.stderr)
}

/// The names in a list of the help: commands, or flags with their dashes.
fn listed(help: &str, title: &str, is_flag: bool) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != title).skip(1);
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with(' '));
    let words = |line: &str| -> Option<String> {
        let line = line.strip_prefix("  ")?.trim_start_matches("    ");
        let line = if is_flag { line.get(line.find("--")?..)? } else { line };
        let is_name =
            |letter: char| letter.is_ascii_lowercase() || letter == '-' || letter.is_ascii_digit();
        let name: String = line.chars().take_while(|&letter| is_name(letter)).collect();
        let is_first = is_flag || !line.starts_with(' ');
        (is_first && name.len() > 2).then_some(name)
    };
    let indented = if is_flag { "      " } else { "  " };
    lines
        .filter(|line| line.starts_with(indented) || line.starts_with("  -"))
        .filter(|line| !is_flag || line.trim_start().starts_with('-'))
        .filter_map(words)
        .collect()
}

/// All commands, with those below them.
pub(crate) fn commands(folder: &Path) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for name in listed(&told(folder, &["--help"]), "Commands:", false) {
        let below = listed(&told(folder, &[name.as_str(), "--help"]), "Commands:", false);
        let below: Vec<_> = below.into_iter().filter(|name| name != "help").collect();
        match below.is_empty() {
            true => all.push(vec![name]),
            false => all.extend(below.into_iter().map(|below| vec![name.clone(), below])),
        }
    }
    all.retain(|words| words[0] != "help");
    all
}

#[test]
fn every_flag_of_every_command_is_suggested_when_a_letter_is_doubled() {
    let folder = directory("suggestions", &[]);
    let (mut flags, mut lost) = (0, Vec::new());
    for command in commands(&folder) {
        let words = |last: &str| -> Vec<String> {
            command.iter().cloned().chain([last.to_owned()]).collect()
        };
        let help = told(&folder, &words("--help"));
        for flag in listed(&help, "Options:", true) {
            flags += 1;
            let words = words(&format!("{flag}{}", &flag[flag.len() - 1..]));
            let said = told(&folder, &words);
            if !said.contains(&format!("'{flag}'")) && !said.contains(&format!("`{flag}`")) {
                lost.push(format!("{}: {}", words.join(" "), said.lines().next().unwrap_or("")));
            }
        }
    }
    assert!(flags > 200, "there are {flags} flags");
    let said = told(&folder, &["run", "--untill", "5s", "a.js"]);
    assert!(said.contains("did you mean `--until` of `hemiola simulate`?"), "{said}");
    assert!(lost.is_empty(), "{}", lost.join("\n"));
    let said = told(&folder, &["--verson"]);
    assert!(said.contains("did you mean `hemiola --version`?"), "{said}");
    let said = told(&folder, &["--verion"]);
    assert!(said.contains("did you mean `hemiola --version`?"), "{said}");
    let said = told(&folder, &["cron", "next", "--zoone", "UTC", "* * * * *"]);
    assert_eq!(said, "error: there is no flag `--zoone`\nhelp: did you mean `--zone`?\n");
    let said = told(&folder, &["simulate", "--seed", "abc", "a.js"]);
    assert_eq!(
        said,
        "error: `--seed` must be a whole number, not `abc`\nhelp: write digits alone: --seed 7\n"
    );
}

#[test]
fn a_program_that_finds_nobody_in_a_simulation_is_told_that_it_is_closed() {
    let folder = directory("closed", &[]);
    let refused = "require('net').connect(80, '10.0.0.1')";
    let unknown = "fetch('http://example.com/')";
    for code in [refused, unknown] {
        let said = told(&folder, &["simulate", "-e", code]);
        assert!(said.contains("the network of a simulation is closed"), "{said}");
        assert!(said.contains("code: 'E"), "the error is as it was: {said}");
    }
    let seeds = &["simulate", "--seeds", "1..1"][..];
    for (search, code) in [
        (&["explore"][..], refused),
        (&["explore"], unknown),
        (&["races"], refused),
        (&["races"], unknown),
        (seeds, refused),
    ] {
        let said = told(&folder, &[search, &["-e", code]].concat());
        assert!(said.contains("the network of a simulation is closed"), "{search:?}: {said}");
    }
    // Who handles it knows.
    let handled =
        "require('net').connect(80, '10.0.0.1').on('error', (e) => console.error(e.code))";
    assert_eq!(told(&folder, &["simulate", "-e", handled]), "ECONNREFUSED\n");
}

#[test]
fn help_is_as_wide_as_the_terminal() {
    if !has("script", "--version", "help_is_as_wide") {
        return;
    }
    let folder = directory("narrow", &[]);
    for (columns, words) in [(40, "run --help"), (60, "simulate --help"), (40, "--help")] {
        let line = format!("stty rows 40 cols {columns}; hemiola {words}");
        let shown = text(shell(&folder, &format!("script -q -e -c '{line}' /dev/null")).stdout);
        assert!(shown.contains("Options:"), "{shown}");
        let escape = |line: &str| {
            let mut parts = line.split('\u{1b}');
            let first = parts.next().unwrap_or_default().to_owned();
            parts.fold(first, |text, part| {
                text + part.split_once('m').map_or(part, |(_, rest)| rest)
            })
        };
        let lines = shown.lines().filter(|line| !line.contains("Usage:"));
        let wide = lines.map(|line| escape(line.trim_end())).filter(|line| {
            // What cannot be broken is as long as it is.
            let longest = line.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
            line.chars().count() > columns && longest + 12 < columns
        });
        let wide: Vec<String> = wide.collect();
        assert!(wide.is_empty(), "{columns}: {}", wide.join("\n"));
    }
}

#[test]
fn what_is_no_recording_is_told_with_what_to_do() {
    let files = [("my app.js", "1"), ("notes.txt", "none"), ("empty", "")];
    let folder = directory("no-recording", &files);
    // As compressed as recordings are, and cut off.
    std::fs::write(folder.join("cut"), [0x28, 0xb5, 0x2f, 0xfd, 0x24]).expect("it can be written");
    for words in [&["replay"][..], &["debug", "--tty"], &["lineage"], &["trace", "show"]] {
        let of = |file: &str| told(&folder, &[words, &[file]].concat());
        if words[0] != "debug" {
            assert_eq!(
                of("./my app.js"),
                "error: ./my app.js is no recording\nhelp: record the program first: hemiola run --record './my app.js'\n"
            );
        }
        for file in ["./notes.txt", "./empty", "/dev/null"] {
            let told = of(file);
            let expected = format!(
                "error: {file} is no recording\nhelp: see what there is: hemiola runs list\n"
            );
            assert_eq!(told, expected, "{words:?}");
        }
        assert!(
            of("./cut").starts_with("error: cannot read ./cut: it ends too early\nhelp: "),
            "{words:?}: {}",
            of("./cut")
        );
    }
}

/// Tokens that cannot stand where they do are named in TypeScript, too.
#[test]
fn syntax_errors_of_typescript_name_their_token() {
    for (code, message) in [
        ("type A = {;", "Unexpected token ';'"),
        ("let x: = 3", "Unexpected token '='"),
        ("const a: number = ", "Unexpected end of input"),
        (
            "let a = 1 as 'x' 'y'",
            "Expected a semicolon or an implicit semicolon after a statement, but found none",
        ),
        ("x = [1, : 2]; let a: b", "Unexpected token ':'"),
        ("enum E { A, B", "Expected `}` but found the end of input"),
    ] {
        let folder = directory("typescript-tokens", &[("a.ts", code)]);
        let said = told(&folder, &["run", "a.ts"]);
        assert!(said.contains(&format!("SyntaxError: {message}\n")), "{code}: {said}");
        assert!(said.contains(&format!("a.ts:1\n{code}\n")), "{code}: {said}");
    }
}

#[test]
fn what_is_not_there_is_said() {
    let folder = directory("lacks", &[]);
    let said = told(&folder, &["run", "-e", "WebAssembly.compile"]);
    assert!(
        said.contains("ReferenceError: WebAssembly is not defined: Hemiola has none"),
        "{said}"
    );
    let said = told(&folder, &["run", "-p", "typeof WebAssembly"]);
    assert_eq!(said, "undefined\n");
}
