//! What a command means in a simulated world (rule FLEET-7): a program of ours, or one that stands in for another.

use crate::Overlay;
use crate::net::errno;
use hemiola_gate::{Disk, Fault};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The commands of a computer.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    /// What programs know as `process.execPath`.
    pub runtime: String,
    /// Programs that stand in for commands, by their names.
    pub stand_ins: BTreeMap<String, PathBuf>,
}

/// A program of ours, as it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Called {
    /// Flags, the file and what comes after it.
    pub(crate) words: Vec<String>,
    /// Whether the words begin as those of Node do, and not with a command of ours.
    pub(crate) is_node: bool,
    /// Variables that the command line sets.
    pub(crate) env: Vec<(String, String)>,
}

/// Shells whose simplest commands are understood.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ash", "zsh"];
/// Names of our own runtime, wherever it is.
const NODE: &str = "node";
const OURS: &str = "hemiola";

impl Commands {
    /// What a file with those words would be, the first of which is its name.
    pub(crate) fn meaning(
        &self,
        file: &str,
        args: &[String],
        (cwd, path): (&Path, &str),
        files: &Overlay,
    ) -> Result<Called, Fault> {
        let name = file.rsplit('/').next().unwrap_or(file);
        let rest = args.get(1..).unwrap_or_default().to_vec();
        let called = |words, is_node| Ok(Called { words, is_node, env: Vec::new() });
        if let Some(stand_in) = self.stand_ins.get(file).or_else(|| self.stand_ins.get(name)) {
            let mut words = vec![stand_in.display().to_string()];
            words.extend(rest);
            return called(words, true);
        }
        if SHELLS.contains(&name) && rest.len() == 2 && rest[0] == "-c" {
            let (env, words) = simple(&rest[1])?;
            let Some(file) = words.first() else {
                return Err(more_than_simple(&rest[1], "names no program"));
            };
            let mut called = self.meaning(file, &words, (cwd, path), files)?;
            called.env.splice(0..0, env);
            return Ok(called);
        }
        if file == self.runtime || name == OURS {
            return called(rest, false);
        }
        if name == NODE {
            return called(rest, true);
        }
        if let Some(mut words) = script(file, (cwd, path), files) {
            words.extend(rest);
            return called(words, true);
        }
        if file.contains('/') && files.kind(&cwd.join(file).as_path().into()).is_err() {
            return Err(Fault::system(errno::NOENT, "spawn"));
        }
        Err(unknown(name))
    }
}

/// The words with which a file is run that says itself that it is a program of Node.
fn script(file: &str, (cwd, path): (&Path, &str), files: &Overlay) -> Option<Vec<String>> {
    let found = if file.contains('/') {
        cwd.join(file)
    } else {
        let mut places = path.split(':').filter(|place| !place.is_empty());
        let there = |place: &str| cwd.join(place).join(file);
        let place = places.find(|place| files.kind(&there(place).as_path().into()).is_ok())?;
        there(place)
    };
    let text = files.read(&found.as_path().into()).ok()?;
    let line = text.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace();
    let mut interpreter = words.next()?;
    while interpreter.ends_with("/env") || interpreter == "-S" {
        interpreter = words.next()?;
    }
    let name = interpreter.rsplit('/').next()?;
    let is_ours = name == NODE || name == OURS;
    let flags = words.map(str::to_owned);
    is_ours.then(|| flags.chain([found.display().to_string()]).collect())
}

/// The words of a command line that has nothing but words and quotes, and variables that it sets before them.
type Simple = (Vec<(String, String)>, Vec<String>);

/// Reads such a command line.
fn simple(line: &str) -> Result<Simple, Fault> {
    const MEANS_MORE: &str = "|&;<>()$`*?[]{}~!#\n";
    let (mut env, mut words) = (Vec::new(), Vec::new());
    let mut letters = line.trim().chars().peekable();
    while letters.peek().is_some() {
        while letters.next_if(|letter| letter.is_ascii_whitespace() && *letter != '\n').is_some() {}
        let mut word = String::new();
        // How much of the word was there before its first quote.
        let mut plain = None;
        while let Some(letter) = letters.next_if(|&letter| letter != ' ' && letter != '\t') {
            match letter {
                '\'' => {
                    plain.get_or_insert(word.len());
                    loop {
                        match letters.next() {
                            Some('\'') => break,
                            Some(letter) => word.push(letter),
                            None => {
                                return Err(more_than_simple(
                                    line,
                                    "has a quote that is not closed",
                                ));
                            }
                        }
                    }
                }
                '"' => {
                    plain.get_or_insert(word.len());
                    loop {
                        match letters.next() {
                            Some('"') => break,
                            Some('\\') => match letters.next() {
                                Some(letter @ ('"' | '\\' | '$' | '`')) => word.push(letter),
                                Some('\n') => {}
                                Some(letter) => word.extend(['\\', letter]),
                                None => {
                                    return Err(more_than_simple(
                                        line,
                                        "has a quote that is not closed",
                                    ));
                                }
                            },
                            Some(letter @ ('$' | '`')) => {
                                return Err(more_than_simple(line, &format!("has a `{letter}`")));
                            }
                            Some(letter) => word.push(letter),
                            None => {
                                return Err(more_than_simple(
                                    line,
                                    "has a quote that is not closed",
                                ));
                            }
                        }
                    }
                }
                '\\' => {
                    plain.get_or_insert(word.len());
                    word.extend(letters.next().filter(|&letter| letter != '\n'));
                }
                letter if MEANS_MORE.contains(letter) => {
                    return Err(more_than_simple(
                        line,
                        &format!("has a `{letter}`").escape_debug().to_string(),
                    ));
                }
                letter => word.push(letter),
            }
        }
        let assigned = word.split_once('=').filter(|(name, _)| {
            words.is_empty()
                && plain.is_none_or(|plain| name.len() < plain)
                && name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
                && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        });
        match assigned {
            Some((name, value)) => env.push((name.to_owned(), value.to_owned())),
            None => words.push(word),
        }
    }
    Ok((env, words))
}

/// What who starts a command hears that is not there.
fn unknown(name: &str) -> Fault {
    let message = format!(
        "`{name}` is not there in a simulated world: name a program that stands in for it, with `commands` in the \
         file of a fleet or `--stand-in {name}=FILE`"
    );
    Fault { errno: errno::NOENT, ..Fault::new("ENOENT", message) }
}

/// What who gives a shell more than a simple command hears.
fn more_than_simple(line: &str, why: &str) -> Fault {
    let message = format!(
        "a simulated world has no shell: only words and quotes are understood, as in `node script.js 'an argument'`, \
         but `{line}` {why}"
    );
    Fault { errno: errno::NOENT, ..Fault::new("ENOENT", message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Simple, String> {
        simple(line).map_err(|fault| fault.message.into())
    }

    #[test]
    fn a_simple_command_line_is_words_and_quotes() {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        assert_eq!(read(" node  a.js\tb "), Ok((Vec::new(), words(&["node", "a.js", "b"]))));
        assert_eq!(
            read(r#"node 'a b' "c \" $ d"x \e '' "#.replace(" $ ", " \\$ ").as_str()),
            Ok((Vec::new(), words(&["node", "a b", "c \" $ dx", "e", ""])))
        );
        let env = vec![("A".to_owned(), "1 2".to_owned()), ("_b".to_owned(), String::new())];
        assert_eq!(read("A='1 2' _b= node C=3"), Ok((env, words(&["node", "C=3"]))));
        assert_eq!(read("'A'=1"), Ok((Vec::new(), words(&["A=1"]))));
    }

    #[test]
    fn anything_more_is_refused_by_name() {
        for line in [
            "a | b", "a > b", "a; b", "a && b", "a $B", "a \"$B\"", "a `b`", "a *", "a\nb", "(a)",
            "a #b",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
        for line in ["a 'b", "a \"b", "a \"b\\"] {
            let refused = read(line).expect_err(line);
            assert!(refused.ends_with("has a quote that is not closed"), "{refused}");
        }
    }
}
