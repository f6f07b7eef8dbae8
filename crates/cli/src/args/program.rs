//! A program in JavaScript, and what it is given.

use super::permissions::PermissionFlags;
use super::values::{duration, one_of};
use crate::report::Failure;
use clap::{Args, FromArgMatches, ValueEnum};
use hemiola_machine::{Delay, Named};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How much memory a program may use if nobody says, in MiB.
pub(crate) const MEMORY_LIMIT: u32 = 4096;

/// The strategies that run a program as some event loop would.
const STRATEGIES: [Named; 7] = [
    Named::All,
    Named::Micro,
    Named::Edge,
    Named::Node,
    Named::NodePhases,
    Named::Machine,
    Named::Priority,
];

/// A program in JavaScript, and what it is given.
#[derive(Debug, Args)]
pub(crate) struct JavaScript {
    /// Run this code instead of a file
    #[arg(short, long, value_name = "CODE", allow_hyphen_values = true)]
    pub(crate) eval: Option<String>,
    /// Run this code instead of a file, and print its value; by default standard input holds it
    #[arg(short, long, value_name = "CODE", allow_hyphen_values = true, conflicts_with = "eval")]
    pub(crate) print: Option<String>,
    /// Run what standard input holds: nothing else was named
    #[arg(long, hide = true)]
    pub(crate) stdin: bool,
    /// Type of a program without a file: module or commonjs
    ///
    /// By default it is detected from the program's syntax.
    #[arg(long, value_name = "TYPE", hide_possible_values = true)]
    pub(crate) input_type: Option<InputType>,
    /// Do not tell the runtime of awaits
    #[arg(long, hide = true)]
    pub(crate) no_context: bool,
    /// Put in what tells of reads and writes, as `explore` does
    #[arg(long, hide = true)]
    pub(crate) instrument: bool,
    /// How much memory the program may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = MEMORY_LIMIT)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub(crate) memory_limit: u32,
    /// What may run next: all, micro, edge, node, node-phases, machine or priority
    #[arg(long, value_name = "NAME", default_value_t = Named::NodePhases)]
    #[arg(value_parser = one_of::<Named>(STRATEGIES.map(Named::name)), hide_possible_values = true)]
    pub(crate) strategy: Named,
    /// Stop after that much real time: 500ms, 90s, 5m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Delay>,
    /// Interrupt callbacks that run for longer than that many milliseconds
    ///
    /// Such a callback ends with an error that it cannot catch. What it awaits does not count. In virtual
    /// time computing takes no time; there 40,000 steps of the engine, which are calls and jumps, count as
    /// a millisecond.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_action: Option<u32>,
    /// Meaning of a timer's third argument: hemiola or node
    ///
    /// With `hemiola`, a non-empty string as the third argument of `setTimeout` or `setInterval` names
    /// a logical clock, in the program's own modules. With `node` it is only passed to the callback.
    #[arg(long, value_name = "MEANING", default_value = "hemiola", hide_possible_values = true)]
    pub(crate) timers: Timers,
    /// Write all events of the run to a file, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Run the program twice with the same inputs, and compare
    ///
    /// The second run prints nothing. A difference is a bug in hemiola, reported with exit status 101.
    /// With `run` the second is a replay of the first; child processes are not started again.
    #[arg(long)]
    pub(crate) paranoid: bool,
    #[command(flatten)]
    pub(crate) library: LibraryFlags,
    #[command(flatten)]
    pub(crate) permissions: PermissionFlags,
    /// Program and its arguments; `-` reads the program from standard input
    #[arg(value_name = "FILE [ARGS]", trailing_var_arg = true, allow_hyphen_values = true)]
    #[arg(required_unless_present_any = ["eval", "print", "stdin"])]
    pub(crate) words: Vec<OsString>,
}

impl JavaScript {
    /// The code that the words have.
    pub(crate) fn code(&self) -> Option<&String> {
        self.eval.as_ref().or(self.print.as_ref()).filter(|_| !self.stdin)
    }

    /// Whether standard input has the program.
    pub(crate) fn is_input(&self) -> bool {
        let is_named = || self.words.first().is_some_and(|file| file == "-");
        self.stdin || self.code().is_none() && is_named()
    }

    /// A program without a flag of ours, as clap would read its words.
    pub(super) fn of(words: Vec<OsString>) -> Self {
        Self {
            eval: None,
            print: None,
            stdin: false,
            input_type: None,
            no_context: false,
            instrument: false,
            memory_limit: MEMORY_LIMIT,
            strategy: Named::NodePhases,
            timeout: None,
            max_action: None,
            timers: Timers::Hemiola,
            trace: None,
            paranoid: false,
            library: LibraryFlags::default(),
            permissions: PermissionFlags::default(),
            words,
        }
    }
}

/// Node's flags about warnings, rejections and tests, with Node's names.
#[derive(Debug, Default, Args)]
pub(crate) struct LibraryFlags {
    /// What to do with unhandled rejections: throw, strict, warn, none, warn-with-error-code
    #[arg(long, value_name = "MODE", hide_possible_values = true)]
    #[arg(value_parser = ["throw", "strict", "warn", "none", "warn-with-error-code"])]
    unhandled_rejections: Option<String>,
    /// Below stacks, show the chain of links or causes, with places: link, cause, both, off
    #[arg(long, value_name = "CHAINS", hide_possible_values = true)]
    #[arg(value_parser = ["link", "cause", "both", "off"])]
    stacks: Option<String>,
    /// Show where warnings were created
    #[arg(long)]
    trace_warnings: bool,
    /// Show where deprecated features were used
    #[arg(long)]
    trace_deprecation: bool,
    /// Throw an error where a deprecated feature is used
    #[arg(long)]
    throw_deprecation: bool,
    /// Do not warn about deprecated features
    #[arg(long)]
    no_deprecation: bool,
    /// Print no warnings
    #[arg(long)]
    no_warnings: bool,
    /// Run only tests marked `only`
    #[arg(long)]
    test_only: bool,
}

/// How a program without a file is understood.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum InputType {
    Module,
    Commonjs,
}

impl From<InputType> for hemiola_js::InputType {
    fn from(given: InputType) -> Self {
        match given {
            InputType::Module => Self::Module,
            InputType::Commonjs => Self::CommonJs,
        }
    }
}

/// What a third argument of the global timers means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Timers {
    Hemiola,
    Node,
}

/// A program in that file, with nothing else said about it than its strategy.
pub(crate) fn javascript(file: &Path, strategy: Named) -> Result<JavaScript, Failure> {
    javascript_words(vec!["--strategy".into(), strategy.name().into(), file.into()])
}

/// A program with its flags and arguments.
pub(crate) fn javascript_words(words: Vec<OsString>) -> Result<JavaScript, Failure> {
    let command = JavaScript::augment_args(clap::Command::new("check").no_binary_name(true));
    Ok(JavaScript::from_arg_matches(&command.try_get_matches_from(words)?)?)
}
