//! The flags that a user gave, to be told again.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use std::ffi::{OsStr, OsString};

/// The flags that the user gave, as they were written.
#[derive(Debug)]
pub(crate) struct Given(Vec<Flag>);

/// One of them. A flag that may be repeated has several values.
#[derive(Debug)]
struct Flag {
    name: String,
    values: Vec<OsString>,
    is_default: bool,
    /// Whether it never has a value.
    is_switch: bool,
    /// Whether it stands for everything without a value.
    may_be_bare: bool,
}

impl Given {
    /// None.
    pub(super) fn none() -> Self {
        Self(Vec::new())
    }

    pub(super) fn of(command: &clap::Command, matches: &ArgMatches) -> Self {
        let flags = command.get_arguments().filter_map(|arg| {
            let id = arg.get_id().as_str();
            let name = arg.get_long()?.to_owned();
            let user = matches.value_source(id) == Some(ValueSource::CommandLine);
            let values: Vec<OsString> = matches.get_raw(id)?.map(OsStr::to_owned).collect();
            let is_default = values == arg.get_default_values();
            let is_switch = !arg.get_action().takes_values();
            let may_be_bare = arg.get_num_args().is_some_and(|range| range.min_values() == 0);
            user.then_some(Flag { name, values, is_default, is_switch, may_be_bare })
        });
        Self(flags.collect())
    }

    /// Whether the user gave the flag with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|flag| flag.name == name)
    }

    /// The first of the given flags that is one of `A`'s.
    pub(crate) fn first_of<A: Args>(&self) -> Option<&str> {
        let command = A::augment_args(clap::Command::new("flags"));
        let is_one = |name: &str| command.get_arguments().any(|arg| arg.get_long() == Some(name));
        self.0.iter().map(|flag| flag.name.as_str()).find(|name| is_one(name))
    }

    /// Each flag with its value as one word, without those named.
    pub(crate) fn whole_words(&self, without: &[&str]) -> Vec<String> {
        let flags = self.0.iter().filter(|flag| !without.contains(&&*flag.name));
        let words = flags.flat_map(|flag| {
            flag.values.iter().map(|value| match value.to_string_lossy() {
                // A flag without a value has one all the same: that it was given.
                value if flag.is_switch || value == "*" && flag.may_be_bare => {
                    format!("--{}", flag.name)
                }
                value => format!("--{}={value}", flag.name),
            })
        });
        words.collect()
    }

    /// The words of all flags that differ from the defaults, without those named.
    pub(crate) fn words(&self, without: &[&str]) -> impl Iterator<Item = OsString> {
        let flags =
            self.0.iter().filter(|flag| !flag.is_default && !without.contains(&&*flag.name));
        flags.flat_map(|flag| {
            flag.values.iter().flat_map(|value| {
                let name = format!("--{}", flag.name);
                if value.as_encoded_bytes().starts_with(b"-") {
                    let mut word = OsString::from(name + "=");
                    word.push(value);
                    vec![word]
                } else {
                    vec![name.into(), value.clone()]
                }
            })
        })
    }
}
