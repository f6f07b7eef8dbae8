//! The flags that a user gave, to be told again.

use super::node::NodeFlags;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use std::ffi::{OsStr, OsString};

/// The flags that the user gave, as they were written.
#[derive(Debug)]
pub(crate) struct Given {
    flags: Vec<Flag>,
    /// Those of Node that we do not have ourselves.
    pub(crate) node: NodeFlags,
}

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
    /// Flags of Node, and none of our own.
    pub(super) fn only(node: NodeFlags) -> Self {
        Self { flags: Vec::new(), node }
    }

    pub(super) fn of(command: &clap::Command, matches: &ArgMatches, node: NodeFlags) -> Self {
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
        Self { flags: flags.collect(), node }
    }

    /// What there is to say about the flags.
    pub(crate) fn note(&self) -> String {
        let is_silent = self.has("no-warnings")
            || self.node.inherited.iter().any(|flag| flag == "--no-warnings")
            || std::env::var_os("NODE_NO_WARNINGS").is_some_and(|value| value == "1");
        self.node.note(is_silent)
    }

    /// Whether the user gave the flag with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag.name == name)
    }

    /// The first of the given flags that is none of these.
    pub(crate) fn other_than(&self, names: &[&str]) -> Option<&str> {
        self.flags.iter().map(|flag| flag.name.as_str()).find(|name| !names.contains(name))
    }

    /// The first of the given flags that is one of `A`'s.
    pub(crate) fn first_of<A: Args>(&self) -> Option<&str> {
        let command = A::augment_args(clap::Command::new("flags"));
        let is_one = |name: &str| command.get_arguments().any(|arg| arg.get_long() == Some(name));
        self.flags.iter().map(|flag| flag.name.as_str()).find(|name| is_one(name))
    }

    /// Each flag with its value as one word, without those named.
    pub(crate) fn whole_words(&self, without: &[&str]) -> Vec<String> {
        let mut words = self.own_words(without);
        words.extend(self.node.normal.iter().cloned());
        words
    }

    /// The same, with flags of Node as they were written.
    pub(crate) fn written_words(&self, without: &[&str]) -> Vec<String> {
        let mut words = self.own_words(without);
        words.extend(self.node.written.iter().cloned());
        words
    }

    fn own_words(&self, without: &[&str]) -> Vec<String> {
        let flags = self.flags.iter().filter(|flag| !without.contains(&&*flag.name));
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
            self.flags.iter().filter(|flag| !flag.is_default && !without.contains(&&*flag.name));
        let node = self.node.normal.iter().map(OsString::from);
        let own = flags.flat_map(|flag| {
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
        });
        own.chain(node)
    }
}
