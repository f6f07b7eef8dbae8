//! What can be asked on the command line: a file for each command, and what they share by its subject.

mod check;
mod completions;
mod coverage;
mod crashes;
mod cron;
mod debug;
mod env_file;
mod explore;
mod fleet;
mod format;
mod given;
mod lasync;
mod lineage;
mod machine;
mod misspelt;
mod node;
mod permissions;
mod profile;
mod program;
mod races;
mod repl;
mod replay;
mod run;
mod runs;
mod schedules;
mod search;
mod simulate;
mod tasks;
mod test;
mod trace;
mod values;
mod verify;
mod view;

pub(crate) use check::CheckArgs;
pub(crate) use completions::{CompletionsArgs, ManArgs};
pub(crate) use coverage::{CoverageKind, CoverageReporter, CoverageWishes, Metric, Threshold};
pub(crate) use crashes::{Crashes, Depth};
pub(crate) use cron::{CronArgs, CronCommand, CronFlags, MOST_DUES};
pub(crate) use debug::{DebugArgs, DebugFlags, DebugScheduleArgs};
pub(crate) use explore::ExploreArgs;
pub(crate) use fleet::{FleetArgs, FleetCommand, FleetRunArgs, FleetSimulateArgs, Seeds};
pub(crate) use format::Format;
pub(crate) use given::Given;
pub(crate) use lasync::{LasyncArgs, LasyncFlags};
pub(crate) use lineage::{LineageArgs, LineageFormat, Tree};
pub(crate) use machine::{LFlags, MachineArgs};
pub(crate) use node::{CPU_PROF, words};
pub(crate) use permissions::{FLAG as INHERITED_FLAG, PermissionFlags};
pub(crate) use profile::ProfileFlags;
pub(crate) use program::{JavaScript, MEMORY_LIMIT, Timers, javascript, javascript_words};
pub(crate) use races::RacesArgs;
pub(crate) use repl::ReplArgs;
pub(crate) use replay::{Chains, FollowArgs, ReplayArgs};
pub(crate) use run::{Record, RunArgs};
pub(crate) use runs::{RunsArgs, RunsCommand, age};
pub(crate) use schedules::{Reduction, SLOW, ScheduleFlags, ScheduleSearch, SearchLimits};
pub(crate) use search::Search;
pub(crate) use simulate::SimulateArgs;
pub(crate) use tasks::{TasksArgs, TasksCommand};
pub(crate) use test::{
    Reporter, ReporterKind, Shard, TestArgs, TestFileArgs, exploring, following,
};
pub(crate) use trace::{
    ExportForm, TraceArgs, TraceCommand, TraceDiffArgs, TraceExportArgs, TraceFilter, TraceShowArgs,
};
pub(crate) use values::{Mishaps, TestPath};
pub(crate) use verify::VerifyArgs;
pub(crate) use view::{ViewArgs, ViewFlags, ViewScheduleArgs};

use crate::report::Failure;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use node::{NodeFlags, Split};
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::path::Path;

#[derive(Debug, Parser)]
#[command(
    name = "hemiola",
    version,
    about = "Run JavaScript with Node's library; record, replay, simulate and explore it",
    arg_required_else_help = true,
    subcommand_required = true,
    max_term_width = 100,
    after_long_help = EXIT_STATUS
)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Colour messages and help: auto, always or never
    ///
    /// `auto` follows the terminal and the variables NO_COLOR and CLICOLOR_FORCE.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 100)]
    #[arg(hide_possible_values = true)]
    color: Color,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a JavaScript program
    #[command(long_about = run::ABOUT, after_long_help = run::EXAMPLES)]
    Run(RunArgs),
    /// Read lines of JavaScript and run each, at a prompt
    #[command(long_about = repl::ABOUT, after_long_help = repl::EXAMPLES)]
    Repl(ReplArgs),
    /// Run a JavaScript program in virtual time, without waiting
    #[command(long_about = simulate::ABOUT, after_long_help = simulate::EXAMPLES)]
    Simulate(SimulateArgs),
    /// Run several programs on several hosts
    Fleet(FleetArgs),
    /// Run the tests of a project
    #[command(long_about = test::ABOUT, after_long_help = test::EXAMPLES)]
    Test(TestArgs),
    /// Run one test file for `test`
    #[command(name = "test-file", hide = true)]
    TestFile(TestFileArgs),
    /// Repeat a recorded run exactly
    #[command(long_about = replay::ABOUT, after_long_help = replay::EXAMPLES)]
    Replay(ReplayArgs),
    /// Step through a run, forward and back
    #[command(long_about = debug::ABOUT, after_long_help = debug::EXAMPLES)]
    Debug(DebugArgs),
    /// Step through a run of a program under one schedule
    #[command(name = "debug-schedule", hide = true)]
    #[command(override_usage = "hemiola debug --schedule SCHEDULE [OPTIONS] FILE [ARGS]")]
    DebugSchedule(DebugScheduleArgs),
    /// List, show, remove and pack recordings
    Runs(RunsArgs),
    /// Open the timeline of a run in the browser
    #[command(long_about = view::ABOUT, after_long_help = view::EXAMPLES)]
    View(ViewArgs),
    /// Open the timeline of a program under one schedule
    #[command(name = "view-schedule", hide = true)]
    #[command(override_usage = "hemiola view --schedule SCHEDULE [OPTIONS] FILE [ARGS]")]
    ViewSchedule(ViewScheduleArgs),
    /// Show links, causes and costs of the callbacks of a run
    #[command(long_about = lineage::ABOUT, after_long_help = lineage::EXAMPLES)]
    Lineage(LineageArgs),
    /// Show, compare and export what happened in a run
    #[command(long_about = trace::ABOUT, after_long_help = trace::EXAMPLES)]
    Trace(TraceArgs),
    /// List everything that a program in L can show
    #[command(long_about = machine::ABOUT, after_long_help = machine::EXAMPLES)]
    Machine(MachineArgs),
    /// List everything that a program in λasync can show
    #[command(long_about = lasync::ABOUT, after_long_help = lasync::EXAMPLES)]
    Lasync(LasyncArgs),
    /// Run a JavaScript program in every order that the event loop allows
    #[command(long_about = explore::ABOUT, after_long_help = explore::EXAMPLES)]
    Explore(ExploreArgs),
    /// Find accesses of a JavaScript program that can come in either order
    #[command(long_about = races::ABOUT, after_long_help = races::EXAMPLES)]
    Races(RacesArgs),
    /// Run a JavaScript program under one schedule
    #[command(name = "replay-schedule", hide = true)]
    #[command(override_usage = "hemiola replay --schedule SCHEDULE [OPTIONS] FILE [ARGS]")]
    Follow(FollowArgs),
    /// Check every execution of a program against a property
    #[command(long_about = check::ABOUT, after_long_help = check::EXAMPLES)]
    Check(CheckArgs),
    /// Check the trace of a scheduler against its theory
    #[command(long_about = verify::ABOUT, after_long_help = verify::EXAMPLES)]
    Verify(VerifyArgs),
    /// Show when a cron expression is due
    #[command(long_about = cron::ABOUT, after_long_help = cron::EXAMPLES)]
    Cron(CronArgs),
    /// Look at the tasks of a scheduler: list, trigger, pause, retry
    #[command(long_about = tasks::ABOUT, after_long_help = tasks::EXAMPLES)]
    Tasks(TasksArgs),
    /// Print a script that lets a shell complete commands and flags
    #[command(long_about = completions::ABOUT, after_long_help = completions::EXAMPLES)]
    Completions(CompletionsArgs),
    /// Write manual pages
    #[command(after_long_help = completions::MAN_EXAMPLES)]
    Man(ManArgs),
    /// Say what is here, where recordings are, and what is missing
    Doctor,
}

impl Command {
    /// Limits the memory of a program as V8 would that of its heap.
    fn limit_memory(&mut self, flags: &NodeFlags) {
        let limit = flags.memory_limit();
        let program = match self {
            Self::Run(args) => &mut args.program,
            Self::Simulate(args) => &mut args.program,
            Self::Explore(args) => &mut args.program,
            Self::Races(args) => &mut args.program,
            Self::Follow(args) => &mut args.program,
            Self::DebugSchedule(args) => &mut args.follow.program,
            Self::ViewSchedule(args) => &mut args.follow.program,
            Self::Repl(_)
            | Self::Replay(_)
            | Self::Debug(_)
            | Self::Runs(_)
            | Self::View(_)
            | Self::Lineage(_)
            | Self::Trace(_)
            | Self::Machine(_)
            | Self::Lasync(_)
            | Self::Check(_)
            | Self::Verify(_)
            | Self::Cron(_)
            | Self::Tasks(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::Doctor
            | Self::Fleet(_)
            | Self::Test(_)
            | Self::TestFile(_) => return,
        };
        if let Some(limit) = limit {
            program.memory_limit = limit;
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

const EXIT_STATUS: &str = "\
Exit status:
    0  success; the property holds
    2  the command line or the input is wrong
   70  a bug in hemiola
  100  the property is violated
  102  nothing found, but the search stopped early";

/// Reads the command line.
pub(crate) fn parse(mut words: Vec<OsString>) -> Result<(Command, Given), Failure> {
    if names_program(&words) {
        words.insert(1, "run".into());
    }
    for name in ["replay", "debug", "view"] {
        if follows_schedule(&words, name) {
            words[1] = format!("{name}-schedule").into();
        }
    }
    let Split { words, flags, .. } = node::split(words)?;
    if let Some(mut run) = plain_run(&words) {
        run.limit_memory(&flags);
        return Ok((run, Given::only(flags)));
    }
    if let Some((command, described, matches)) = read_alone(&words) {
        let given = Given::of(&described, &matches, flags);
        return Ok(limited(command, given));
    }
    let mut command = cli();
    let matches = command
        .try_get_matches_from_mut(&words)
        .map_err(|error| misspelt::instead(&command, &words, error))?;
    let (name, below) = matches.subcommand().expect("clap demands a command");
    let asked = command.find_subcommand(name).expect("clap found the command by its name");
    misspelt::refuse(&command, asked, below)?;
    let given = Given::of(asked, below, flags);
    Ok(limited(Cli::from_arg_matches(&matches)?.command, given))
}

/// A command whose memory is limited as Node's flags say, unless our own does.
fn limited(mut command: Command, given: Given) -> (Command, Given) {
    if !given.has("memory-limit") {
        command.limit_memory(&given.node);
    }
    (command, given)
}

/// All that can be asked.
fn cli() -> clap::Command {
    // `help` is a command, and no command of commands.
    Cli::command()
        .mut_subcommands(|command| with_flags_anywhere(command.disable_help_subcommand(true)))
}

/// What runs a program many times takes flags of its own also after the file; the program's come after `--`.
fn with_flags_anywhere(command: clap::Command) -> clap::Command {
    match command.get_name() {
        "explore" | "races" | "replay-schedule" | "debug-schedule" | "view-schedule" => command
            .mut_arg("words", |words| {
                words.trailing_var_arg(false).allow_hyphen_values(false).num_args(0..)
            }),
        _ => command,
    }
}

/// What people see of it: without the commands that only we call.
pub(crate) fn shown() -> clap::Command {
    let all = cli();
    let shown = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let arguments = all.get_arguments().cloned();
    clap::Command::new("hemiola")
        .version(env!("CARGO_PKG_VERSION"))
        .about(all.get_about().cloned().unwrap_or_default())
        .after_long_help(EXIT_STATUS)
        .args(arguments)
        .subcommands(shown)
}

/// Whether somebody sits at a terminal, who can be asked for lines.
fn is_at_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Whether the first word is no command but a program, or a flag of `run`: programs that start others call
/// `process.execPath` that way, as Node's.
fn names_program(words: &[OsString]) -> bool {
    const FLAGS: [&str; 4] = ["--help", "-h", "--version", "-V"];
    let Some(first) = words.get(1) else { return false };
    let Some(text) = first.to_str() else { return true };
    if Command::has_subcommand(text) || FLAGS.contains(&text) || text.starts_with("--color") {
        return false;
    }
    // What can be no file is a command that was misspelt.
    text.starts_with('-')
        || text.contains(['.', '/'])
        || Path::new(text).exists()
        || ["js", "mjs", "cjs", "ts"].iter().any(|end| Path::new(text).with_extension(end).exists())
}

/// Whether a command of that name is not about a recording, but about a program under a schedule: that
/// takes other flags.
fn follows_schedule(words: &[OsString], name: &str) -> bool {
    let is_asked = words.get(1).is_some_and(|word| word == name);
    let mut flags = words.iter().skip(2).map(|word| word.as_encoded_bytes());
    is_asked && flags.any(|word| word == b"--schedule" || word.starts_with(b"--schedule="))
}

/// `run FILE [ARGS]` without a flag of ours. It is what is asked most often, and to describe what else could be asked
/// would take longer than to read it.
fn plain_run(words: &[OsString]) -> Option<Command> {
    let [_, command, rest @ ..] = words else { return None };
    let is_plain =
        command == "run" && !is_flag(rest.first()?) && rest.iter().all(|word| word != "--");
    is_plain.then(|| Command::Run(RunArgs::of(rest.to_vec())))
}

/// One of the commands that are asked most often, and what it was told, without describing all others. What is not as it
/// should be is left to who can say what is wrong.
fn read_alone(words: &[OsString]) -> Option<(Command, clap::Command, ArgMatches)> {
    let [_, name, rest @ ..] = words else { return None };
    match name.to_str()? {
        "run" => read_as("run", rest, Command::Run),
        "simulate" => read_as("simulate", rest, Command::Simulate),
        "explore" => read_as("explore", rest, Command::Explore),
        "races" => read_as("races", rest, Command::Races),
        "replay-schedule" => read_as("replay-schedule", rest, Command::Follow),
        "test" => read_as("test", rest, Command::Test),
        "test-file" => read_as("test-file", rest, Command::TestFile),
        _ => None,
    }
}

fn read_as<A: Args>(
    name: &'static str,
    words: &[OsString],
    make: fn(A) -> Command,
) -> Option<(Command, clap::Command, ArgMatches)> {
    let bare = clap::Command::new(name).no_binary_name(true);
    let mut described = with_flags_anywhere(A::augment_args(bare));
    let matches = described.try_get_matches_from_mut(words).ok()?;
    // A flag of all commands, or of none, was taken for the program.
    let is_mistaken =
        described.get_positionals().filter(|arg| arg.is_allow_hyphen_values_set()).any(|arg| {
            let first = matches.get_raw(arg.get_id().as_str()).and_then(|mut words| words.next());
            first.is_some_and(is_flag)
        });
    if is_mistaken {
        return None;
    }
    let command = make(A::from_arg_matches(&matches).ok()?);
    Some((command, described, matches))
}

fn is_flag(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

/// The arguments of a recorded run: the words that came after `hemiola`.
pub(crate) fn recorded_run(words: &[String]) -> Result<(RunArgs, Given), Failure> {
    let name = OsString::from("hemiola");
    let words = std::iter::once(name).chain(words.iter().map(OsString::from));
    match parse(words.collect())? {
        (Command::Run(args), given) => Ok((args, given)),
        _ => Err(Failure::new("the recording is not of a `run`").help("see `hemiola runs list`")),
    }
}

/// A program that a simulated program starts: the words after `node`, or after our own name.
pub(crate) fn started(
    words: &[String],
    is_node: bool,
    permissions: Option<&str>,
    env: &[(String, String)],
) -> Result<(JavaScript, Given), Failure> {
    let is_command = !is_node && words.first().is_some_and(|name| Command::has_subcommand(name));
    let words = match words {
        [name, rest @ ..] if is_command && name == "run" => rest,
        [name, ..] if is_command => {
            let message = format!("a simulated program cannot start `hemiola {name}`");
            return Err(Failure::new(message).help("it can start `hemiola run`"));
        }
        words => words,
    };
    let inherited = permissions.map(|text| OsString::from(format!("--{INHERITED_FLAG}={text}")));
    let all = ["hemiola", "run"].map(OsString::from).into_iter();
    let all = all.chain(inherited).chain(node::word_of(env));
    let (Command::Run(RunArgs { program, .. }), given) =
        parse(all.chain(words.iter().map(OsString::from)).collect())?
    else {
        unreachable!("`run` is what was asked for")
    };
    if program.is_input() {
        let message = "a simulated program cannot start one that is written to standard input";
        return Err(Failure::new(message).help("name a file, or give it with -e"));
    }
    if program.trace.is_some() || program.paranoid {
        let message = "what a simulated program starts has no `--trace` and no `--paranoid`";
        return Err(Failure::new(message).help("give them to `simulate`"));
    }
    Ok((program, given))
}

/// Where colours are wanted. It is known before anything can go wrong, so that errors have it too.
pub(crate) fn color(words: &[OsString]) -> anstream::ColorChoice {
    let mut words =
        words.iter().map(|word| word.as_encoded_bytes()).take_while(|&word| word != b"--");
    let mut color = anstream::ColorChoice::Auto;
    while let Some(word) = words.next() {
        let value = if word == b"--color" { words.next() } else { word.strip_prefix(b"--color=") };
        match value {
            Some(b"always") => color = anstream::ColorChoice::Always,
            Some(b"never") => color = anstream::ColorChoice::Never,
            _ => {}
        }
    }
    color
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        cli().debug_assert();
    }

    /// What all of clap reads of the words, and what is given.
    fn whole(words: &[OsString]) -> (Command, Given) {
        let mut command = cli();
        let matches = command.try_get_matches_from_mut(words).expect("clap takes them");
        let (name, below) = matches.subcommand().expect("clap demands a command");
        let asked = command.find_subcommand(name).expect("clap found it");
        let given = Given::of(asked, below, NodeFlags::default());
        (Cli::from_arg_matches(&matches).expect("clap took them").command, given)
    }

    fn words(text: &str) -> Vec<OsString> {
        ["hemiola"].into_iter().chain(text.split(' ')).map(OsString::from).collect()
    }

    #[test]
    fn a_run_without_flags_is_read_as_clap_reads_it() {
        for text in ["a.js", "a.js b c", "a.js -e x --record --color never -h", "a.js --x=1 -", ""]
        {
            let words = words(&format!("run {text}"));
            let Some(run) = plain_run(&words) else { panic!("{text} is plain") };
            let (whole, given) = whole(&words);
            assert_eq!(format!("{run:?}"), format!("{whole:?}"), "{text}");
            assert_eq!(format!("{given:?}"), format!("{:?}", Given::only(NodeFlags::default())));
        }
        for text in ["-e 0", "--record a.js", "- a", "a.js -- b", "-h"] {
            assert!(plain_run(&words(&format!("run {text}"))).is_none(), "{text}");
        }
    }

    #[test]
    fn a_command_is_read_alone_as_among_all_commands() {
        for text in [
            "run --record a.js --view",
            "run --record=off --memory-limit 4096 a.js",
            "run -e 0 a b",
            "run -p 1",
            "run --stdin",
            "run --permission --allow-read=/a,/b --allow-net --allow-env=A a.js -x",
            "run --strategy edge --timers node --timeout 5s a.js",
            "run --profile --no-warnings -- a.js -- b",
            "simulate --seed 7 --until 12s a.js -x --seed 8",
            "simulate --seeds 1..20 -e 0",
            "explore --jobs 2 a.js --reduction none -- --jobs 3",
            "explore -e 0 --max-schedules 20 --format json",
            "races a.js --jobs 2 b",
            "replay-schedule --schedule 0:1 a.js",
            "test",
            "test --explore a.test.js b.test.js --bail",
        ] {
            let words = words(text);
            let Some((command, described, matches)) = read_alone(&words) else { panic!("{text}") };
            let given = Given::of(&described, &matches, NodeFlags::default());
            assert_eq!(format!("{:?}", (command, given)), format!("{:?}", whole(&words)), "{text}");
        }
        for text in [
            "run -h",
            "run --help",
            "run --color never a.js",
            "run -e 0 --color never",
            "run --recrod a.js",
            "run --timeout x a.js",
            "simulate --help",
            "simulate --sede 7 a.js",
            "explore --color never a.js",
            "explore a.js --jobs x",
            "races -h",
            "test --color=never",
            "cron next",
        ] {
            assert!(read_alone(&words(text)).is_none(), "{text}");
        }
    }
}
