//! What can be asked on the command line.

mod debug;
mod given;
mod help;
mod lineage;
mod scheduler;
mod trace;
mod values;
mod view;

use debug::{DEBUG_ABOUT, DEBUG_EXAMPLES};
pub(crate) use debug::{DebugArgs, DebugFlags, DebugScheduleArgs};
pub(crate) use given::Given;
pub(crate) use scheduler::{
    CrashFlags, CrashPoint, Crashes, CronArgs, CronCommand, CronFlags, Loss, MOST_DUES, VerifyArgs,
};
pub(crate) use trace::{
    ExportForm, TraceArgs, TraceCommand, TraceDiffArgs, TraceExportArgs, TraceFilter, TraceShowArgs,
};

use crate::report::Failure;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use help::*;
use hemiola_calculus::l::Mode;
use hemiola_calculus::{l, lasync};
use hemiola_machine::{Delay, Named, Schedule};
use hemiola_world::Faults;
use lineage::{LINEAGE_ABOUT, LINEAGE_EXAMPLES};
pub(crate) use lineage::{LineageArgs, LineageFormat, ProfileFlags, Tree};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
pub(crate) use values::TestPath;
use values::{
    External, Values, bound, duration, faults, one_of, schedule, states, test_path, traces,
};
pub(crate) use view::ViewArgs;
use view::{VIEW_ABOUT, VIEW_EXAMPLES};

#[derive(Debug, Parser)]
#[command(
    name = "hemiola",
    version,
    about = "Run programs in which time and order are part of the meaning",
    arg_required_else_help = true,
    subcommand_required = true,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_long_help = EXIT_CODES
)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Colour messages and help: auto, always or never
    ///
    /// `auto` asks the terminal, and the variables NO_COLOR and CLICOLOR_FORCE.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 100)]
    #[arg(hide_possible_values = true)]
    color: Color,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a JavaScript program
    #[command(long_about = RUN_ABOUT, after_long_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Run a JavaScript program in virtual time, without waiting
    #[command(long_about = SIMULATE_ABOUT, after_long_help = SIMULATE_EXAMPLES)]
    Simulate(SimulateArgs),
    /// Run a recorded run again, exactly
    #[command(long_about = REPLAY_ABOUT, after_long_help = REPLAY_EXAMPLES)]
    Replay(ReplayArgs),
    /// Step through a run, forward and back
    #[command(long_about = DEBUG_ABOUT, after_long_help = DEBUG_EXAMPLES)]
    Debug(DebugArgs),
    /// Step through a run of a program under one schedule
    #[command(name = "debug-schedule", hide = true)]
    #[command(override_usage = "hemiola debug --schedule SCHEDULE [OPTIONS] FILE [ARGS]")]
    DebugSchedule(DebugScheduleArgs),
    /// List, show, remove and pack recordings
    Runs(RunsArgs),
    /// Open the timeline of a run in the browser
    #[command(long_about = VIEW_ABOUT, after_long_help = VIEW_EXAMPLES)]
    View(ViewArgs),
    /// Show who attached and who caused what in a run, and what it cost
    #[command(long_about = LINEAGE_ABOUT, after_long_help = LINEAGE_EXAMPLES)]
    Lineage(LineageArgs),
    /// Show, compare and export what happened in a run
    #[command(long_about = trace::TRACE_ABOUT, after_long_help = trace::TRACE_EXAMPLES)]
    Trace(TraceArgs),
    /// List everything that a program in L can show
    #[command(long_about = MACHINE_ABOUT, after_long_help = MACHINE_EXAMPLES)]
    Machine(MachineArgs),
    /// List everything that a program in λasync can show
    #[command(long_about = LASYNC_ABOUT, after_long_help = LASYNC_EXAMPLES)]
    Lasync(LasyncArgs),
    /// Run a JavaScript program in every order that the event loop allows
    #[command(long_about = EXPLORE_ABOUT, after_long_help = EXPLORE_EXAMPLES)]
    Explore(ExploreArgs),
    /// Find accesses of a JavaScript program that come in either order
    #[command(long_about = RACES_ABOUT, after_long_help = RACES_EXAMPLES)]
    Races(RacesArgs),
    /// Run a JavaScript program under one schedule
    #[command(name = "replay-schedule", hide = true)]
    #[command(override_usage = "hemiola replay --schedule SCHEDULE [OPTIONS] FILE [ARGS]")]
    Follow(FollowArgs),
    /// Hold every execution of a program to a property
    #[command(long_about = CHECK_ABOUT, after_long_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Hold a trace of a scheduler to its theory
    #[command(long_about = VERIFY_ABOUT, after_long_help = VERIFY_EXAMPLES)]
    Verify(VerifyArgs),
    /// Say when a cron expression is due
    #[command(long_about = CRON_ABOUT, after_long_help = CRON_EXAMPLES)]
    Cron(CronArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// When the run is kept, to be replayed: always, on-failure or off
    ///
    /// What the outside decides is noted while the program runs. With `on-failure` it stays in memory,
    /// up to 2 MiB of it, and is written when the program fails; a longer run is not kept.
    /// Without the flag the variable HEMIOLA_RECORD decides, and without that `on-failure`.
    #[arg(long, value_name = "WHEN", default_missing_value = "always")]
    #[arg(num_args = 0..=1, require_equals = true, hide_possible_values = true)]
    pub(crate) record: Option<Record>,
    #[command(flatten)]
    pub(crate) profile: ProfileFlags,
    /// Hold what the program's scheduler does to its theory, while it runs
    ///
    /// A violation is told when it happens, and the exit code is 100 then, whatever the program's is.
    #[arg(long)]
    pub(crate) verify: bool,
    #[command(flatten)]
    pub(crate) program: JavaScript,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// Stop after that much virtual time: 500ms, 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) until: Option<Delay>,
    /// Seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Let calls for files or connections fail now and then: fs, net, or both
    #[arg(long, value_name = "WHAT", value_parser = faults, default_value = "", hide_default_value = true)]
    pub(crate) faults: Faults,
    /// Change the files on the disk, too, as the program changes them
    #[arg(long, conflicts_with = "paranoid")]
    pub(crate) write_through: bool,
    #[command(flatten)]
    pub(crate) profile: ProfileFlags,
    /// Hold what the program's scheduler does to its theory, while it runs
    ///
    /// A violation is told when it happens, and the exit code is 100 then, whatever the program's is.
    #[arg(long)]
    pub(crate) verify: bool,
    #[command(flatten)]
    pub(crate) program: JavaScript,
}

#[derive(Debug, Args)]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    pub(crate) search: ScheduleSearch,
    #[command(flatten)]
    pub(crate) crashes: CrashFlags,
    #[command(flatten)]
    pub(crate) schedules: ScheduleFlags,
    /// Form of the result: text or json
    ///
    /// `json` is one object on one line, with a version.
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) program: JavaScript,
}

#[derive(Debug, Args)]
pub(crate) struct RacesArgs {
    /// Leave out accesses in files with such a path; may be given more than once
    ///
    /// `*` stands for any characters but a slash, `**` for any: `--skip '**/node_modules/**'`.
    #[arg(long, value_name = "GLOB")]
    pub(crate) skip: Vec<String>,
    #[command(flatten)]
    pub(crate) limits: SearchLimits,
    /// Run at most so many schedules
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = states, allow_negative_numbers = true)]
    pub(crate) max_schedules: u32,
    #[command(flatten)]
    pub(crate) schedules: ScheduleFlags,
    /// Form of the result: text or json
    ///
    /// `json` is one object on one line, with a version.
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) program: JavaScript,
}

/// What bounds a search of schedules.
#[derive(Debug, Args)]
pub(crate) struct SearchLimits {
    /// Try only schedules with up to so many deviations from the default order
    #[arg(long, value_name = "K")]
    pub(crate) deviations: Option<u32>,
    /// Search for so long at most: 500ms, 60s, 5m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Delay>,
    /// Run so many schedules at a time; by default as many as there are processors
    ///
    /// What is found does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

/// How far the schedules of a program are searched.
#[derive(Debug, Args)]
pub(crate) struct ScheduleSearch {
    #[command(flatten)]
    pub(crate) limits: SearchLimits,
    /// Run at most so many schedules
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = states, allow_negative_numbers = true)]
    pub(crate) max_schedules: u32,
    /// Stop at the first failure
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Go on with a search of the same program and flags that was broken off
    ///
    /// A search that takes longer notes what it has done where recordings are kept, in `explore`, or in
    /// the file that is given here, and forgets it when it is complete.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) resume: Option<Option<PathBuf>>,
    /// Which schedules are taken for the same: none, order or accesses
    ///
    /// With `order` those in which the same callbacks run in the same order; with `accesses` also those
    /// in which callbacks change places that read and write nothing in common, as far as that can be
    /// known. With `none` every schedule is run.
    #[arg(long, value_name = "HOW", default_value = "order", hide_possible_values = true)]
    pub(crate) reduction: Reduction,
}

/// Which schedules are taken for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reduction {
    None,
    Order,
    Accesses,
}

#[derive(Debug, Args)]
pub(crate) struct FollowArgs {
    /// The schedule: where the run leaves the default order
    #[arg(long, value_name = "SCHEDULE", value_parser = schedule)]
    pub(crate) schedule: Schedule,
    #[command(flatten)]
    pub(crate) schedules: ScheduleFlags,
    #[command(flatten)]
    pub(crate) program: JavaScript,
}

/// What decides the runs of a program beside their schedules.
#[derive(Clone, Debug, Args)]
pub(crate) struct ScheduleFlags {
    /// Seed of random numbers, and of the schedules that are drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// What may go wrong: fs, net, or both with a comma
    ///
    /// Operations may fail as they can outside; whether they do is part of the schedule.
    #[arg(long, value_name = "WHAT", value_parser = faults, default_value = "", hide_default_value = true)]
    pub(crate) faults: Faults,
    /// Cut a run after so many callbacks with their tails
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) max_steps: u64,
    /// A run that ends while somebody waits for a promise has failed, too
    #[arg(long)]
    pub(crate) deadlocks: bool,
    /// Run one test of `node:test` only: its number among those around it, after theirs, as in 2.1
    #[arg(long, value_name = "PATH", value_parser = test_path)]
    pub(crate) test_case: Option<TestPath>,
}

/// When a run is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Record {
    /// Whatever becomes of it.
    Always,
    /// If the program fails.
    OnFailure,
    /// Never.
    Off,
}

/// What stands below stacks.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Chains {
    /// Who linked what ran.
    Link,
    /// Who caused it.
    Cause,
    /// Both.
    Both,
    /// Nothing.
    Off,
}

impl Chains {
    /// The flag of the library that asks for it.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Self::Link => "--stacks=link",
            Self::Cause => "--stacks=cause",
            Self::Both => "--stacks=both",
            Self::Off => "--stacks=off",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The recording: `latest`, the beginning of its id, or its path
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(crate) run: String,
    /// Write everything that happens to a file, as lines of JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Below stacks, show who linked or caused what ran, and where: link, cause, both, off
    #[arg(long, value_name = "CHAINS", hide_possible_values = true)]
    pub(crate) stacks: Option<Chains>,
    /// Run a program, not a recording, under the schedule that `explore` printed
    ///
    /// `hemiola replay --schedule SCHEDULE FILE [ARGS]`, with the flags that `explore` was given.
    #[arg(long, value_name = "SCHEDULE")]
    schedule: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RunsArgs {
    #[command(subcommand)]
    pub(crate) what: RunsCommand,
}

/// What can be done with recordings.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List the recordings, newest first
    List {
        /// How it is written: text or json
        #[arg(long, default_value = "text", hide_possible_values = true)]
        format: Format,
    },
    /// Say what a recording is of
    Show {
        /// The recording: `latest`, the beginning of its id, or its path
        #[arg(value_name = "RUN", default_value = "latest")]
        run: String,
        /// How it is written: text or json
        #[arg(long, default_value = "text", hide_possible_values = true)]
        format: Format,
    },
    /// Remove all but the newest recordings
    Prune {
        /// How many are kept
        #[arg(long, value_name = "N", default_value_t = 20)]
        keep: usize,
    },
    /// Write a recording as one file, which `replay` takes anywhere
    Pack {
        /// The recording: `latest`, the beginning of its id, or its path
        #[arg(value_name = "RUN", default_value = "latest")]
        run: String,
        /// The file; by default the id with `.hemiola`
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// The strategies that run a program as some event loop would.
const STRATEGIES: [Named; 5] =
    [Named::All, Named::Micro, Named::Edge, Named::NodePhases, Named::Priority];

/// A program in JavaScript, and what it is given.
#[derive(Debug, Args)]
pub(crate) struct JavaScript {
    /// Run this text instead of a file
    #[arg(short, long, value_name = "CODE", allow_hyphen_values = true)]
    pub(crate) eval: Option<String>,
    /// Run this text instead of a file, and print its value
    #[arg(short, long, value_name = "CODE", allow_hyphen_values = true, conflicts_with = "eval")]
    pub(crate) print: Option<String>,
    /// How a program without a file is understood: module or commonjs
    ///
    /// Without it the program's syntax tells.
    #[arg(long, value_name = "TYPE", hide_possible_values = true)]
    pub(crate) input_type: Option<InputType>,
    /// Do not tell the runtime of awaits
    #[arg(long, hide = true)]
    pub(crate) no_context: bool,
    /// Put in what tells of reads and writes, as `explore` does
    #[arg(long, hide = true)]
    pub(crate) instrument: bool,
    /// How much memory the program may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub(crate) memory_limit: u32,
    /// What may run next: all, micro, edge, node-phases or priority
    #[arg(long, value_name = "NAME", default_value_t = Named::NodePhases)]
    #[arg(value_parser = one_of::<Named>(STRATEGIES.map(Named::name)), hide_possible_values = true)]
    pub(crate) strategy: Named,
    /// Stop after that much real time: 500ms, 90s, 5m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Delay>,
    /// What the global timers take for a label: hemiola or node
    ///
    /// With `hemiola` a third argument of `setTimeout` and `setInterval` that is a text names a
    /// logical clock, in the program's own modules. With `node` it is an argument of the callback
    /// and nothing else.
    #[arg(long, value_name = "MEANING", default_value = "hemiola", hide_possible_values = true)]
    pub(crate) timers: Timers,
    /// Write everything that happens to a file, as lines of JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Run the program twice with the same inputs, and compare
    ///
    /// The second run shows nothing. A difference is a bug in hemiola, told with exit code 101. With
    /// `run` the second is a replay of the first; programs outside are not started again.
    #[arg(long)]
    pub(crate) paranoid: bool,
    #[command(flatten)]
    pub(crate) library: LibraryFlags,
    #[command(flatten)]
    pub(crate) permissions: PermissionFlags,
    /// Program and its arguments; `-` reads the program from standard input
    #[arg(value_name = "FILE [ARGS]", trailing_var_arg = true, allow_hyphen_values = true)]
    #[arg(required_unless_present_any = ["eval", "print"])]
    pub(crate) words: Vec<OsString>,
}

/// What a program may do outside.
#[derive(Debug, Args)]
pub(crate) struct PermissionFlags {
    /// Deny the program everything outside that no other flag allows
    #[arg(long)]
    pub(crate) permission: bool,
    /// Files and directories that may be read, with commas between them, or `*`
    #[arg(long, value_name = "PATHS", value_delimiter = ',', requires = "permission")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// Files and directories that may be written, with commas between them, or `*`
    #[arg(long, value_name = "PATHS", value_delimiter = ',', requires = "permission")]
    pub(crate) allow_write: Vec<PathBuf>,
    /// Hosts that may be spoken with, also `host:port`, with commas between them; else all
    #[arg(long, value_name = "HOSTS", value_delimiter = ',', requires = "permission")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "*")]
    pub(crate) allow_net: Option<Vec<String>>,
    /// Programs that may be started, with commas between them; else all
    #[arg(long, value_name = "FILES", value_delimiter = ',', requires = "permission")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "*")]
    pub(crate) allow_run: Option<Vec<String>>,
    /// Variables of the environment that may be read, with commas between them; else all
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "permission")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "*")]
    pub(crate) allow_env: Option<Vec<String>>,
    /// Let the program start workers
    #[arg(long, requires = "permission")]
    pub(crate) allow_worker: bool,
}

/// Node's flags about warnings, rejections and tests, with Node's names.
#[derive(Debug, Args)]
pub(crate) struct LibraryFlags {
    /// What becomes of rejections without a handler: throw, strict, warn, none, warn-with-error-code
    #[arg(long, value_name = "MODE", hide_possible_values = true)]
    #[arg(value_parser = ["throw", "strict", "warn", "none", "warn-with-error-code"])]
    unhandled_rejections: Option<String>,
    /// Below stacks, show who linked or caused what ran, and where: link, cause, both, off
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
    /// Do not warn of deprecated features
    #[arg(long)]
    no_deprecation: bool,
    /// Print no warnings
    #[arg(long)]
    no_warnings: bool,
    /// How node:test reports: tap, spec
    #[arg(long, value_name = "NAME", hide_possible_values = true)]
    #[arg(value_parser = ["tap", "spec"])]
    test_reporter: Option<String>,
    /// Run only the tests that say `only`
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

#[derive(Debug, Args)]
pub(crate) struct MachineArgs {
    /// Program in L, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) flags: LFlags,
    #[command(flatten)]
    pub(crate) search: Search,
    #[command(flatten)]
    pub(crate) once: Once,
}

#[derive(Debug, Args)]
pub(crate) struct LasyncArgs {
    /// Program in λasync, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) flags: LasyncFlags,
    #[command(flatten)]
    pub(crate) search: Search,
    #[command(flatten)]
    pub(crate) once: Once,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Program in L (.l), in λasync (.la) or in JavaScript (.js)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Property to hold every execution to
    #[arg(long, value_name = "SPEC", allow_hyphen_values = true)]
    pub(crate) spec: String,
    #[command(flatten, next_help_heading = "Options of L")]
    pub(crate) l: LFlags,
    #[command(flatten, next_help_heading = "Options of λasync")]
    pub(crate) lasync: LasyncFlags,
    #[command(flatten, next_help_heading = "Options of JavaScript")]
    pub(crate) schedules: ScheduleSearch,
    #[command(flatten, next_help_heading = "Options of JavaScript")]
    pub(crate) flags: ScheduleFlags,
    #[command(flatten, next_help_heading = "Options of the search")]
    pub(crate) search: Search,
}

/// What only programs in L have.
#[derive(Debug, Args)]
pub(crate) struct LFlags {
    /// How the rules are read: dynamic, lexical or literal
    ///
    /// In `dynamic` mode a callee sees its caller's names, in `lexical` mode those where it was
    /// defined, as in JavaScript. `literal` follows the printed rules to the letter.
    #[arg(long, value_name = "MODE", default_value = Mode::default().name())]
    #[arg(value_parser = one_of::<Mode>(Mode::ALL.map(Mode::name)), hide_possible_values = true)]
    mode: Mode,
    /// What `any` and the answers of operations are drawn from
    ///
    /// Different names and whole numbers, separated by commas. Every value is tried.
    #[arg(long, value_name = "V,...", default_value_t = Values(l::Bounds::default().values))]
    #[arg(allow_hyphen_values = true)]
    values: Values,
    /// Observations in one run, at most
    ///
    /// A run that would need more is listed as cut. So it is with all bounds of a run; each is a
    /// whole number from 1 to 10000.
    #[arg(long, value_name = "N", default_value_t = l::Bounds::default().observations)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    max_obs: u32,
    /// Calls in one run, at most
    #[arg(long, value_name = "N", default_value_t = l::Bounds::default().calls)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    max_calls: u32,
    /// Callbacks taken from a queue in one run, at most
    #[arg(long, value_name = "N", default_value_t = l::Bounds::default().dispatches)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    max_dispatch: u32,
    /// Let an event come from outside, up to N times; may be repeated
    ///
    /// Its listeners are called as if the program had triggered it, at any time.
    #[arg(long, value_name = "EVENT=N")]
    external: Vec<External>,
}

/// What only programs in λasync have.
#[derive(Debug, Args)]
pub(crate) struct LasyncFlags {
    /// What may run next: all, micro, edge, node, node-literal or node-phases
    ///
    /// `all` runs everything that is ready, by priority; `micro` runs microtasks alone if there are
    /// any; `edge` is `micro` with zero timeouts among the microtasks and no immediates; `node` runs
    /// one callback, any that no microtask precedes; `node-literal` runs one promise with all its
    /// callbacks; `node-phases` follows the phases of Node's loop.
    #[arg(long, value_name = "NAME", default_value_t = Named::NodePhases)]
    #[arg(value_parser = one_of::<Named>(lasync::STRATEGIES.map(Named::name)), hide_possible_values = true)]
    pub(crate) strategy: Named,
    /// Turns of the loop in one run, at most
    ///
    /// A run that would need more is listed as cut. So it is with all bounds of a run; each is a
    /// whole number from 1 to 10000.
    #[arg(long, value_name = "N", default_value_t = lasync::Bounds::default().ticks as u32)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    max_ticks: u32,
    /// Callbacks in one run, at most
    #[arg(long, value_name = "N", default_value_t = lasync::Bounds::default().callbacks)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    max_callbacks: u32,
    /// Logged texts in one run, at most
    #[arg(long, value_name = "N", default_value_t = lasync::Bounds::default().logs)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    max_logs: u32,
}

/// What every search has.
#[derive(Debug, Args)]
pub(crate) struct Search {
    /// How long a callback sits in a queue before it starves
    ///
    /// Counted in calls and callbacks that run meanwhile, in a row, up to where a bound cuts the run.
    #[arg(long, value_name = "N", default_value_t = l::Bounds::default().starve_window)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    pub(crate) starve_window: u32,
    /// Configurations to look at, at most
    ///
    /// A search that would need more stops there; the exit code is then 102. From 1 to 100000000.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = states, allow_negative_numbers = true)]
    pub(crate) max_states: u32,
    /// Observation sequences to list, at most
    ///
    /// When there are more, the shortest are listed and the exit code is 102. From 1 to 1000000.
    /// `check` lists none and is not limited by it.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = traces, allow_negative_numbers = true)]
    pub(crate) max_traces: u32,
    /// Form of the result: text or json
    ///
    /// `json` is one object on one line, with a version.
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
}

/// How to look at a single run.
#[derive(Debug, Args)]
pub(crate) struct Once {
    /// Run only this schedule, and show its whole trace
    ///
    /// A schedule says where a run leaves the default order: `2:1,5:3` takes alternative 1 at choice
    /// 2 and alternative 3 at choice 5, all counted from zero. `default` leaves it nowhere.
    #[arg(long, value_name = "SCHEDULE", value_parser = schedule)]
    pub(crate) schedule: Option<Schedule>,
}

/// What a third argument of the global timers means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Timers {
    Hemiola,
    Node,
}

/// Who reads the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

impl LFlags {
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// The bounds, unless an event is named twice.
    pub(crate) fn bounds(&self, starve_window: u32) -> Result<l::Bounds, Failure> {
        let mut external: Vec<(String, u32)> = Vec::new();
        for External { event, times } in &self.external {
            if external.iter().any(|(known, _)| known == event) {
                return Err(Failure::new(format!("`--external` names the event `{event}` twice"))
                    .help(format!(
                        "give it once, with the number of times: --external {event}=2"
                    )));
            }
            external.push((event.clone(), *times));
        }
        Ok(l::Bounds {
            observations: self.max_obs,
            calls: self.max_calls,
            dispatches: self.max_dispatch,
            values: self.values.0.clone(),
            external,
            starve_window,
        })
    }
}

impl LasyncFlags {
    pub(crate) fn bounds(&self, starve_window: u32) -> lasync::Bounds {
        lasync::Bounds {
            ticks: u64::from(self.max_ticks),
            callbacks: self.max_callbacks,
            logs: self.max_logs,
            starve_window,
        }
    }
}

/// Reads the command line.
pub(crate) fn parse(mut words: Vec<OsString>) -> Result<(Command, Given), Failure> {
    if names_program(&words) {
        words.insert(1, "run".into());
    }
    for name in ["replay", "debug"] {
        if follows_schedule(&words, name) {
            words[1] = format!("{name}-schedule").into();
        }
    }
    if let Some(run) = plain_run(&words) {
        return Ok((run, Given::none()));
    }
    let mut command = cli();
    let matches = command.try_get_matches_from_mut(words)?;
    let (name, below) = matches.subcommand().expect("clap demands a command");
    let asked = command.find_subcommand(name).expect("clap found the command by its name");
    let given = Given::of(asked, below);
    Ok((Cli::from_arg_matches(&matches)?.command, given))
}

/// All that can be asked. What runs a program many times takes flags of its own also after the file; the
/// program's come after `--`.
fn cli() -> clap::Command {
    let anywhere =
        |words: clap::Arg| words.trailing_var_arg(false).allow_hyphen_values(false).num_args(0..);
    let all = ["explore", "races", "replay-schedule", "debug-schedule"];
    all.iter().fold(Cli::command(), |command, name| {
        command.mut_subcommand(name, |command| command.mut_arg("words", anywhere))
    })
}

/// Whether the first word is no command but a program, or a flag of `run`: programs that start others call
/// `process.execPath` that way, as Node's.
fn names_program(words: &[OsString]) -> bool {
    const COMMANDS: &[&str] = &[
        "run", "simulate", "replay", "runs", "machine", "lasync", "check", "explore", "races",
        "verify", "cron", "view", "lineage", "trace", "debug",
    ];
    const FLAGS: [&str; 4] = ["--help", "-h", "--version", "-V"];
    let Some(first) = words.get(1) else { return false };
    let Some(text) = first.to_str() else { return true };
    if COMMANDS.contains(&text) || FLAGS.contains(&text) || text.starts_with("--color") {
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

/// `run FILE [ARGS]` without a flag of ours. It is what is asked most often, and to describe all other
/// commands would take longer than to read it.
fn plain_run(words: &[OsString]) -> Option<Command> {
    let [_, command, rest @ ..] = words else { return None };
    let file = rest.first()?;
    if command != "run" || file.as_encoded_bytes().starts_with(b"-") {
        return None;
    }
    let command = RunArgs::augment_args(clap::Command::new("run").no_binary_name(true));
    let matches = command.try_get_matches_from(rest).ok()?;
    RunArgs::from_arg_matches(&matches).ok().map(Command::Run)
}

/// A program in that file, with nothing else said about it than its strategy.
pub(crate) fn javascript(file: &Path, strategy: Named) -> Result<JavaScript, Failure> {
    let command = JavaScript::augment_args(clap::Command::new("check").no_binary_name(true));
    let words = ["--strategy".into(), OsString::from(strategy.name()), file.into()];
    Ok(JavaScript::from_arg_matches(&command.try_get_matches_from(words)?)?)
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

    #[test]
    fn the_window_of_both_languages_has_one_default() {
        assert_eq!(l::Bounds::default().starve_window, lasync::Bounds::default().starve_window);
    }
}
