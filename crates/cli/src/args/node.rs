//! Node's flags among the words of a command line, and those that come from the environment.
//!
//! `hemiola_js::flags` has the table of them. What we have ourselves under the same name is left to clap.

use super::env_file;
use super::permissions::inheriting;
use super::{Command, RunArgs, cli, is_flag, names_program};
use crate::report::{Failure, note};
use clap::{Args, Subcommand};
use hemiola_js::flags::{self, Effect, Found, Wrong};
use hemiola_live::{is_input_piped, is_started_by_us};
use std::ffi::OsString;

/// The commands that run JavaScript, and whether their flags may also come after the program.
const COMMANDS: [(&str, bool); 7] = [
    ("run", false),
    (PROMPT, false),
    ("simulate", false),
    ("explore", true),
    ("races", true),
    ("replay-schedule", true),
    ("debug-schedule", true),
];
/// The flag that has what the environment says; it is not for who writes a command line.
const OF_ENVIRONMENT: &str = "--node-options=";
/// The flag that runs nothing.
const CHECK: &str = "--check";
/// The flag that runs test files.
const TESTS: &str = "--test";
/// The flag that ends a program once its tests are over.
const FORCE_EXIT: &str = "--test-force-exit";
/// The flag that says where the time of a run goes.
pub(crate) const CPU_PROF: &str = "--cpu-prof";
/// The command that reads lines: no program is named there.
const PROMPT: &str = "repl";
/// The flags for a prompt.
const INTERACTIVE: [&str; 2] = ["-i", "--interactive"];
/// What stands where a program is not asked for.
const NO_PROGRAM: &str = "--eval=";

/// The flags of Node that were given.
#[derive(Debug, Default)]
pub(crate) struct NodeFlags {
    /// As they were written.
    pub(crate) written: Vec<String>,
    /// As the library knows them.
    pub(crate) normal: Vec<String>,
    /// Those that the environment has, as the library knows them.
    pub(crate) inherited: Vec<String>,
    /// Those that mean nothing here, and why.
    ignored: Vec<(String, &'static str)>,
}

impl NodeFlags {
    /// The value of a flag.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        flags::value(&self.normal, name).or_else(|| flags::value(&self.inherited, name))
    }

    /// How much memory a program may use, in MiB, if they limit what V8 has for its heap.
    pub(crate) fn memory_limit(&self) -> Option<u32> {
        let limit = self.value("--max-old-space-size")?.parse().ok();
        limit.filter(|&limit| limit > 0)
    }

    /// What there is to say of flags that mean nothing, in one line. Whoever started us has said it of the same.
    pub(crate) fn note(&self, is_silent: bool) -> String {
        if self.ignored.is_empty() || is_silent || is_started_by_us() {
            return String::new();
        }
        let told = self.ignored.iter().map(|(flag, why)| format!("{flag} ({why})"));
        note(&format!("without effect: {}", told.collect::<Vec<_>>().join(", ")))
    }

    fn add(&mut self, found: Found, words: &[OsString]) {
        self.written.extend(words[..found.words].iter().map(|word| word.to_string_lossy().into()));
        self.ignore(&found);
        self.normal.push(found.normal);
    }

    fn ignore(&mut self, found: &Found) {
        if found.effect == Effect::Nothing
            && !self.ignored.iter().any(|(flag, _)| *flag == found.given)
        {
            self.ignored.push((found.given.clone(), found.about));
        }
    }

    /// Adds what the environment says; gives the flags of ours that it means.
    fn inherit(&mut self, text: &str) -> Result<Vec<OsString>, Failure> {
        let help = "see docs/flags.md for what may stand in NODE_OPTIONS";
        let Some(words) = flags::words(text) else {
            let message = "NODE_OPTIONS has a quotation mark that is not closed";
            return Err(Failure::new(message).help("close it"));
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut rest = &words[..];
        let mut ours = Vec::new();
        while let Some(word) = rest.first() {
            let taken = match flags::read(rest).map_err(wrong)? {
                // Node passes over such a word.
                None if !word.starts_with('-') => 1,
                Some(found) if found.in_environment => {
                    match found.effect {
                        Effect::Refused => return Err(refused(&found)),
                        Effect::Means(names) => ours.extend(meant(&found, names)),
                        Effect::Works | Effect::Already | Effect::Nothing => {
                            self.ignore(&found);
                            self.inherited.push(found.normal);
                        }
                    }
                    found.words
                }
                None | Some(_) => {
                    let message = format!("`{word}` is not allowed in NODE_OPTIONS");
                    return Err(Failure::new(message).help(help));
                }
            };
            rest = &rest[taken..];
        }
        Ok(ours)
    }
}

/// A command line without the flags of Node.
pub(super) struct Split {
    pub(super) words: Vec<OsString>,
    pub(super) flags: NodeFlags,
    /// Whether it says what to run.
    names_program: bool,
}

/// Takes the flags of Node out of the words of a command.
pub(super) fn split(words: Vec<OsString>) -> Result<Split, Failure> {
    let command = words.get(1).and_then(|name| COMMANDS.iter().find(|(known, _)| name == known));
    let mut flags = NodeFlags::default();
    let Some(&(name, anywhere)) = command else {
        return Ok(Split { words, flags, names_program: true });
    };
    let is_plain = words.get(2).is_some_and(|word| !word.as_encoded_bytes().starts_with(b"-"));
    if is_plain && !anywhere {
        return Ok(Split { words, flags, names_program: true });
    }
    let own = Own::of(name);
    let mut names_program = false;
    let mut code = Code::default();
    let mut kept = words[..2].to_vec();
    let mut rest = &words[2..];
    while let Some(word) = rest.first() {
        let text = word.to_str().unwrap_or_default();
        if text == "--" {
            names_program |= rest.len() > 1;
            break;
        }
        if text == "-" || !text.starts_with('-') {
            names_program = true;
            if !anywhere {
                break;
            }
            kept.push(word.clone());
            rest = &rest[1..];
            continue;
        }
        if let Some(text) = text.strip_prefix(OF_ENVIRONMENT) {
            kept.extend(flags.inherit(text)?);
            rest = &rest[1..];
            continue;
        }
        names_program |= ["-e", "--eval", "-pe", "--stdin", "-h", "--help"].contains(&text);
        if let Some(count) = code.take(rest) {
            flags.written.extend(rest[..count].iter().map(|word| word.to_string_lossy().into()));
            rest = &rest[count..];
            continue;
        }
        if let Some(count) = own.count(text) {
            kept.extend(rest.iter().take(count).cloned());
            rest = &rest[count.min(rest.len())..];
            continue;
        }
        let both: Vec<&str> =
            rest.iter().take(2).map(|word| word.to_str().unwrap_or("-")).collect();
        let Some(found) = flags::read(&both).map_err(wrong)? else { break };
        if found.normal == "--version" {
            let words = [words[0].clone(), "run".into(), "-p".into(), "process.version".into()];
            return Ok(Split {
                words: words.into(),
                flags: NodeFlags::default(),
                names_program: true,
            });
        }
        let count = found.words;
        match found.effect {
            Effect::Refused => return Err(refused(&found)),
            Effect::Means(names) => kept.extend(meant(&found, names)),
            Effect::Works | Effect::Already | Effect::Nothing => flags.add(found, rest),
        }
        rest = &rest[count..];
    }
    if name != "run" && name != "simulate" && flags::is_on(&flags.normal, CPU_PROF) {
        let message = format!("`{CPU_PROF}` does not go with `{name}`");
        return Err(Failure::new(message).help("look at one run: hemiola run --cpu-prof FILE"));
    }
    let names_file = names_program && rest.first().is_none_or(|word| word != "-");
    kept.extend(code.words(names_file));
    names_program |= code.is_asked();
    if code.text.is_some() && flags.normal.iter().any(|flag| flag == CHECK) {
        let message = "either `--check` or `--eval` can be used, not both";
        return Err(
            Failure::new(message).help("standard input can be checked: hemiola --check < FILE")
        );
    }
    if flags::is_on(&flags.normal, FORCE_EXIT) && flags::is_on(&flags.normal, "--watch") {
        let message = format!("either `--watch` or `{FORCE_EXIT}` can be used, not both");
        return Err(Failure::new(message).help("who watches waits for changes"));
    }
    // What follows are test files, and the program is the library's.
    if flags.normal.iter().any(|flag| flag == TESTS) {
        names_program = true;
        kept.push(NO_PROGRAM.into());
    }
    kept.extend(rest.iter().cloned());
    Ok(Split { words: kept, flags, names_program })
}

/// Code among the words, and whether its value is printed. The last one of several counts, as in Node.
#[derive(Default)]
struct Code {
    text: Option<OsString>,
    is_printed: bool,
}

impl Code {
    /// Takes a flag that is about code; gives how many words that took.
    fn take(&mut self, rest: &[OsString]) -> Option<usize> {
        let word = rest.first()?.to_str()?;
        if let Some((name @ ("--eval" | "--print"), text)) = word.split_once('=') {
            self.is_printed |= name == "--print";
            self.text = Some(text.into());
            return Some(1);
        }
        let text = match word {
            "-e" | "--eval" | "-pe" => Some(rest.get(1)?),
            "-p" | "--print" => rest.get(1).filter(|text| !is_flag(text)),
            _ => return None,
        };
        self.is_printed |= word.starts_with("-p") || word == "--print";
        self.text = text.cloned().or(self.text.take());
        Some(if text.is_some() { 2 } else { 1 })
    }

    fn is_asked(&self) -> bool {
        self.text.is_some() || self.is_printed
    }

    /// The same for clap. Without code that of standard input is printed, if no file is named.
    fn words(&self, names_file: bool) -> Vec<OsString> {
        let mut word = OsString::from(if self.is_printed { "--print=" } else { "--eval=" });
        match &self.text {
            Some(text) => word.push(text),
            None if self.is_printed && !names_file => return vec!["--stdin".into(), word],
            None => return Vec::new(),
        }
        vec![word]
    }
}

/// The flags of a command that are ours.
struct Own(clap::Command);

impl Own {
    fn of(name: &str) -> Self {
        match name {
            // To describe all other commands would take longer.
            "run" => Self(RunArgs::augment_args(clap::Command::new("run"))),
            name => Self(cli().find_subcommand(name).expect("it is a command").clone()),
        }
    }

    /// How many words a flag takes if it is one of these.
    fn count(&self, text: &str) -> Option<usize> {
        let (name, has_value) = match text.split_once('=') {
            Some((name, _)) => (name, true),
            None => (text, false),
        };
        if matches!(text, "-h" | "--help") || name == "--color" {
            return Some(if name == "--color" && !has_value { 2 } else { 1 });
        }
        let arg = self.0.get_arguments().find(|arg| match name.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => arg.get_short().is_some_and(|short| name == format!("-{short}")),
        })?;
        let wants = arg.get_action().takes_values() && !arg.is_require_equals_set();
        Some(if wants && !has_value { 2 } else { 1 })
    }
}

/// The flags of ours that one of Node stands for.
fn meant(found: &Found, names: &[&str]) -> Vec<OsString> {
    match found.normal.split_once('=') {
        Some((_, value)) => names.iter().map(|name| format!("{name}={value}").into()).collect(),
        None => names.iter().map(OsString::from).collect(),
    }
}

fn refused(found: &Found) -> Failure {
    Failure::new(format!("`{}` is not supported: {}", found.given, found.about))
        .help("leave it out; docs/flags.md has all flags of Node and what they do here")
}

fn wrong(wrong: Wrong) -> Failure {
    match wrong {
        Wrong::NeedsValue(flag) => Failure::new(format!("`{flag}` requires a value"))
            .help(format!("write it behind the flag: {}=VALUE", flag.trim_end_matches('='))),
        Wrong::NotOneOf(flag, known) => Failure::new(format!("`{flag}` has an unknown value"))
            .fact(format!("it knows: {}", known.join(", ")))
            .help("choose one of these"),
    }
}

/// The words of the command line, what whoever started us may do, if that is not everything, what the environment says
/// about a program, and that standard input holds it if no other is named.
pub(crate) fn words() -> Result<Vec<OsString>, Failure> {
    let mut words = inheriting(std::env::args_os().collect())?;
    if words.len() == 1 && super::is_at_terminal() {
        words.push(PROMPT.into());
    } else if let Some(at) = interactive(&words) {
        words.remove(at);
        words.insert(1, PROMPT.into());
    }
    let Some(at) = place(&words) else { return Ok(words) };
    let set = |name: &str| std::env::var(name).ok();
    if let Some(text) = of_environment(set, || in_files(&words, at)) {
        words.insert(at, format!("{OF_ENVIRONMENT}{text}").into());
    }
    let is_named = words.get(at).is_some_and(|word| !word.as_encoded_bytes().starts_with(b"-"));
    if is_named || words.get(1).is_some_and(|word| word == PROMPT) || !is_input_piped() {
        return Ok(words);
    }
    let mut whole = words.clone();
    if at == 1 {
        whole.insert(1, "run".into());
    }
    if !split(whole)?.names_program {
        words.push("--stdin".into());
    }
    Ok(words)
}

/// Where the flag for a prompt is, if nothing but flags of Node stands before it.
fn interactive(words: &[OsString]) -> Option<usize> {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        if INTERACTIVE.iter().any(|name| word == name) {
            return Some(at);
        }
        let both: Vec<&str> =
            words[at..].iter().take(2).map(|word| word.to_str().unwrap_or("-")).collect();
        at += flags::read(&both).ok()??.words;
    }
    None
}

/// The word that says what the variables of a process say about the program that it runs, if they say anything.
pub(super) fn word_of(env: &[(String, String)]) -> Option<OsString> {
    let last = |name: &str| env.iter().rev().find(|(known, _)| known == name);
    let text = of_environment(|name| last(name).map(|(_, value)| value.clone()), || None)?;
    Some(format!("{OF_ENVIRONMENT}{text}").into())
}

/// Where the flags of a program begin; none if the words are about something else.
fn place(words: &[OsString]) -> Option<usize> {
    match words.get(1).and_then(|word| word.to_str()) {
        None if words.len() == 1 => is_input_piped().then_some(1),
        Some(name) if Command::has_subcommand(name) => {
            let is_schedule =
                ["replay", "debug"].contains(&name) && super::follows_schedule(words, name);
            (is_schedule || COMMANDS.iter().any(|(known, _)| *known == name)).then_some(2)
        }
        _ => names_program(words).then_some(1),
    }
}

/// What files that the command line names say about `NODE_OPTIONS`.
fn in_files(words: &[OsString], at: usize) -> Option<String> {
    const FILES: &[u8] = b"--env-file";
    if !words[at..].iter().any(|word| word.as_encoded_bytes().starts_with(FILES)) {
        return None;
    }
    let mut words = words.to_vec();
    if at == 1 {
        words.insert(1, "run".into());
    }
    // What is wrong with the words is said by whoever follows them.
    env_file::node_options(&split(words).ok()?.flags.normal)
}

/// What the environment says, in the form of `NODE_OPTIONS`; of files only where it says nothing itself.
fn of_environment(
    variable: impl Fn(&str) -> Option<String>,
    in_files: impl FnOnce() -> Option<String>,
) -> Option<String> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let mut words = flags::switched(set);
    if let Some(file) = set("NODE_REDIRECT_WARNINGS") {
        let file = file.replace('\\', "\\\\").replace('"', "\\\"");
        words.push(format!("--redirect-warnings=\"{file}\""));
    }
    words.extend(set("NODE_OPTIONS").or_else(in_files));
    (!words.is_empty()).then(|| words.join(" "))
}
