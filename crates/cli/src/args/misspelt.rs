//! Flags that no command has, where anything may stand: the nearest one is suggested.

use crate::report::Failure;
use clap::error::{ContextKind, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use std::ffi::OsString;

/// Refuses a flag that was taken for a file or an expression.
pub(super) fn refuse(all: &Command, asked: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    if let Some((name, below)) = matches.subcommand() {
        let asked = asked.find_subcommand(name).expect("clap found the command by its name");
        return refuse(all, asked, below);
    }
    let is_given = |id: &str| {
        matches.try_contains_id(id).is_ok()
            && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    // What comes after a text is for the program that it is.
    if ["eval", "print", "stdin"].into_iter().any(is_given) {
        return Ok(());
    }
    for arg in asked.get_positionals().filter(|arg| arg.is_allow_hyphen_values_set()) {
        let first = matches.get_raw(arg.get_id().as_str()).and_then(|mut values| values.next());
        let Some(flag) = first.and_then(|word| word.to_str()) else { continue };
        if flag.starts_with("--")
            && let Some(near) = near(all, asked, flag)
        {
            return Err(Failure::new(format!("there is no flag `{flag}`"))
                .help(format!("did you mean {near}? A file of that name is ./{flag}")));
        }
    }
    Ok(())
}

/// Says that of a flag that was taken for the one word that a command wants, so that the word itself was one too many.
pub(super) fn instead(all: &Command, words: &[OsString], error: clap::Error) -> Failure {
    let surplus = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    if error.kind() == ErrorKind::UnknownArgument
        && surplus.is_some_and(|word| !word.starts_with('-'))
    {
        let mut asked = all;
        for word in words.iter().skip(1).filter_map(|word| word.to_str()) {
            if let Some(below) = asked.find_subcommand(word) {
                asked = below;
            } else if word.starts_with("--")
                && nearest(asked, word).is_none_or(|(wrong, _)| wrong > 0)
                && let Some(near) = near(all, asked, word)
            {
                return Failure::new(format!("there is no flag `{word}`"))
                    .help(format!("did you mean {near}?"));
            }
        }
    }
    error.into()
}

/// What a flag is written like, as it is to be written.
fn near(all: &Command, asked: &Command, flag: &str) -> Option<String> {
    let version = distance(flag.trim_start_matches('-'), "version");
    let own = nearest(asked, flag).filter(|(wrong, _)| *wrong <= version);
    let own = own.map(|(_, near)| format!("`--{near}`"));
    // The one flag that stands without a command.
    let alone = || (version <= 2).then(|| "`hemiola --version`".into());
    own.or_else(|| if version <= 1 { alone() } else { None })
        .or_else(|| of_others(all, flag))
        .or_else(alone)
}

/// The flag of another command that is written like that one but for a letter.
fn of_others(all: &Command, flag: &str) -> Option<String> {
    let others = all.get_subcommands().filter(|command| !command.is_hide_set());
    let near = others.filter_map(|command| nearest(command, flag).map(|near| (near, command)));
    let ((distance, near), command) = near.min_by_key(|((distance, _), _)| *distance)?;
    (distance <= 1).then(|| format!("`--{near}` of `hemiola {}`", command.get_name()))
}

/// The flag of a command that is written most like that one, and how many letters are wrong.
fn nearest<'c>(command: &'c Command, flag: &str) -> Option<(usize, &'c str)> {
    let written = flag.trim_start_matches('-').split('=').next()?;
    let longs = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let longs = longs.filter_map(|arg| arg.get_long()).chain(["color", "help"]);
    let near = longs.map(|long| (distance(written, long), long)).min()?;
    // A third of it may be wrong.
    (near.0 * 3 <= written.chars().count().max(3)).then_some(near)
}

/// How many letters are to be added, taken out or exchanged to make one word of the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (to, &wanted) in other.iter().enumerate() {
            let exchanged = diagonal + usize::from(letter != wanted);
            diagonal = row[to + 1];
            row[to + 1] = exchanged.min(diagonal + 1).min(row[to] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_letters() {
        let pairs = [("until", "until", 0), ("untill", "until", 1), ("utnil", "until", 2)];
        for (one, other, letters) in pairs {
            assert_eq!(distance(one, other), letters, "{one} {other}");
        }
        assert_eq!(distance("", "seed"), 4);
    }
}
