//! What the library's JavaScript takes from `binding` is there, and what is there is taken.
#![expect(clippy::disallowed_methods, reason = "the tests read the sources")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The text of every file below a folder that has this extension.
fn texts(folder: &Path, extension: &str) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("a folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                let text = fs::read_to_string(&path).expect("a source can be read");
                found.insert(path, without_comments(&text));
            }
        }
    }
    found
}

/// Comments stand on lines of their own, or after a space at the end of one.
fn without_comments(text: &str) -> String {
    let code = |line: &str| {
        let code = if line.trim_start().starts_with("//") { "" } else { line };
        code.split(" // ").next().unwrap_or_default().to_owned() + "\n"
    };
    text.lines().map(code).collect()
}

fn is_of_name(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_' || char == '$'
}

fn name_at(text: &str) -> &str {
    text.split(|char| !is_of_name(char)).next().unwrap_or_default()
}

/// The strings in this quote that are names and nothing else, each with the code before it.
fn strings(text: &str, quote: char) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices(quote).filter_map(move |(at, _)| {
        let name = name_at(&text[at + 1..]);
        let is_whole = text[at + 1 + name.len()..].starts_with(quote);
        (is_whole && !name.is_empty()).then(|| (&text[..at], name))
    })
}

fn own_sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// What the Rust sources put on `binding`, or make when it is asked for.
#[derive(Default)]
struct Natives {
    /// With the files that have them.
    names: BTreeMap<String, Vec<PathBuf>>,
    /// What can be asked for by `install`.
    parts: BTreeSet<String>,
}

impl Natives {
    fn read() -> Self {
        let mut natives = Self::default();
        let engine = own_sources().join("../../engine/src");
        for (path, text) in texts(&own_sources(), "rs").into_iter().chain(texts(&engine, "rs")) {
            if path.ends_with("tests.rs") {
                continue;
            }
            // A function ends with the first brace at the beginning of a line.
            for item in text.split("\n}\n") {
                let Some((_, function)) = item.split_once("fn ") else { continue };
                let Some((head, body)) = function.split_once(" {\n") else { continue };
                natives.read_function(&path, head, body);
            }
        }
        natives
    }

    fn read_function(&mut self, path: &Path, head: &str, body: &str) {
        let mut add = |name: &str| {
            self.names.entry(name.to_owned()).or_default().push(path.to_owned());
        };
        if head.ends_with("-> Option<Result<Function<'js>>>") {
            let is_rust = |before: &str| !before.ends_with('c');
            strings(body, '"')
                .filter(|(before, _)| is_rust(before))
                .for_each(|(_, name)| add(name));
        } else if head.starts_with("install_more") {
            self.parts.extend(strings(body, '"').map(|(_, name)| name.to_owned()));
        } else if head.contains("binding: &Object<'js>") {
            // `binding.set("name"`, the closure `function("name"`, or an entry of a table.
            let is_key = |before: &str| {
                let before = before.trim_end();
                let is_entry = || before.strip_suffix('(').is_some_and(|it| it.ends_with(' '));
                before.ends_with("binding.set(") || before.ends_with(" function(") || is_entry()
            };
            strings(body, '"').filter(|(before, _)| is_key(before)).for_each(|(_, name)| add(name));
        }
    }
}

/// What the library's JavaScript does with `binding`.
#[derive(Default)]
struct Uses {
    /// What it takes, with the files that do.
    taken: BTreeMap<String, BTreeSet<PathBuf>>,
    /// What it puts there itself.
    given: BTreeSet<String>,
    /// What it asks for by `install`.
    parts: BTreeSet<String>,
    /// Where it gives all of it away.
    handed: Vec<(PathBuf, String)>,
}

impl Uses {
    fn read() -> Self {
        let mut uses = Self::default();
        for (path, text) in texts(&own_sources(), "js") {
            uses.read_file(&path, &text);
        }
        uses
    }

    fn read_file(&mut self, path: &Path, text: &str) {
        for (at, word) in text.match_indices("binding") {
            let (before, after) = (&text[..at], &text[at + word.len()..]);
            let is_inside =
                before.ends_with(|char| is_of_name(char) || char == '.' || char == '\'');
            if is_inside || after.starts_with(is_of_name) {
                continue;
            }
            if let Some(after) = after.strip_prefix("?.").or_else(|| after.strip_prefix('.')) {
                let name = name_at(after);
                let after = &after[name.len()..];
                if name == "install"
                    && let Some((_, part)) = strings(after, '\'').next()
                {
                    self.parts.insert(part.to_owned());
                }
                if after.starts_with(" = ") {
                    self.given.insert(name.to_owned());
                } else {
                    self.take(path, name);
                }
            } else if let Some(pattern) = before.strip_suffix("} = ") {
                let pattern = pattern.rsplit('{').next().unwrap_or_default();
                pattern.split(',').for_each(|one| self.take(path, name_at(one.trim())));
            } else if before.ends_with("lazy(") {
                self.given.extend(strings(after, '\'').next().map(|(_, name)| name.to_owned()));
            } else if after.starts_with('[') {
                // By a name that is computed: it may be any that the file has as a string.
                self.given.extend(strings(text, '\'').map(|(_, name)| name.to_owned()));
            } else if after.starts_with([',', ')', ']', '}', ';']) {
                let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
                self.handed.push((path.to_owned(), line.to_owned()));
            }
        }
    }

    fn take(&mut self, path: &Path, name: &str) {
        if !name.is_empty() {
            self.taken.entry(name.to_owned()).or_default().insert(path.to_owned());
        }
    }
}

/// A name that nobody gives is undefined, which a test may never come across.
#[test]
fn all_that_the_library_takes_from_binding_is_there() {
    let (natives, uses) = (Natives::read(), Uses::read());
    assert!(uses.taken.len() > 200, "the test finds what the library takes: {:?}", uses.taken);
    let is_there = |name: &String| natives.names.contains_key(name) || uses.given.contains(name);
    let missing: Vec<_> = uses.taken.iter().filter(|(name, _)| !is_there(name)).collect();
    assert!(missing.is_empty(), "nobody gives {missing:#?}");
    assert_eq!(uses.parts, natives.parts, "what `install` is asked for, and what it knows");
}

#[test]
fn all_natives_are_taken_and_have_a_name_of_their_own() {
    let (natives, uses) = (Natives::read(), Uses::read());
    assert!(natives.names.len() > 200, "the test finds the natives: {:?}", natives.names);
    let is_idle = |name: &String| !uses.taken.contains_key(name);
    let idle: Vec<_> = natives.names.iter().filter(|(name, _)| is_idle(name)).collect();
    assert!(idle.is_empty(), "nobody takes {idle:#?}");
    // The first would hide the others.
    let shared: Vec<_> = natives.names.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(shared.is_empty(), "more than one native goes by {shared:#?}");
}

/// Whoever gets the object has all natives: it is an argument of natives and of the files' bodies only.
#[test]
fn nobody_is_handed_binding() {
    let is_known = |line: &str| {
        let is_install =
            line.starts_with("binding.install('") || line.starts_with("binding.install?.('");
        is_install && line.ends_with("', ") || line == "body(exports, requireLibrary, module, "
    };
    let handed = Uses::read().handed;
    assert!(handed.len() > 10, "the test finds where it is: {handed:?}");
    let unknown: Vec<_> = handed.iter().filter(|(_, line)| !is_known(line)).collect();
    assert!(unknown.is_empty(), "it is handed out in {unknown:#?}");
}
