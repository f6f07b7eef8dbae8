//! What can be asked of `hemiola test`.

use super::coverage::CoverageArgs;
use super::explore::ExploreArgs;
use super::format::Format;
use super::replay::FollowArgs;
use super::schedules::SearchLimits;
use super::values::{TestPath, duration, schedule, states, test_path};
use crate::report::{BadValue, Failure};
use clap::{Args, FromArgMatches, ValueEnum};
use hemiola_machine::{Delay, Schedule};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub(crate) struct TestArgs {
    /// How results are reported: spec, dot, tap, junit, github or json; NAME=FILE writes to a file
    ///
    /// May be given more than once. The default is `spec`, and `github` beside it where GITHUB_ACTIONS is
    /// set.
    #[arg(long, value_name = "NAME", value_parser = reporter)]
    pub(crate) reporter: Vec<Reporter>,
    /// Run tests whose name, after those of the suites around it, matches a regular expression
    #[arg(long, short = 't', value_name = "REGEXP")]
    pub(crate) grep: Option<String>,
    /// Run only tests marked `only`
    ///
    /// Where a file marks tests so, its others do not run in any case; this leaves out other files, too.
    #[arg(long)]
    pub(crate) only: bool,
    /// Stop after the first failure
    #[arg(long, short = 'b')]
    pub(crate) bail: bool,
    /// Run only the tests that failed last time
    #[arg(long)]
    pub(crate) rerun_failed: bool,
    /// Run each test that often; one that fails only sometimes is flaky
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) repeat: u32,
    /// Run a test that fails up to that many times more
    #[arg(long, value_name = "N")]
    pub(crate) retries: Option<u32>,
    /// Run the files of one part of several: 2/3 is the second of three
    ///
    /// With --explore, each part has all tests and its share of their schedules; `hemiola explore merge` joins the
    /// results, and what --resume=FILE has saved.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
    /// Write snapshots anew that do not match, and remove those that no test asks for
    #[arg(long, short = 'u')]
    pub(crate) update_snapshots: bool,
    /// Run the tests again when a file changes
    #[arg(long, short = 'w')]
    pub(crate) watch: bool,
    /// How long a test may take: 500ms, 90s, 5m
    ///
    /// By default 5 seconds, mocha's 2 seconds where the project uses mocha, or what the project's
    /// configuration says. 0ms is no limit.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Delay>,
    /// How many files run at the same time
    #[arg(long, short = 'j', value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: Option<u32>,
    #[command(flatten)]
    pub(crate) exploring: ExploringFlags,
    /// Format of the result: text or json
    ///
    /// `json` is the reporter of that name.
    #[arg(long, value_name = "FORM", hide_possible_values = true, conflicts_with = "reporter")]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) coverage: CoverageArgs,
    /// Files, directories, patterns with `*`, or parts of paths
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<String>,
}

/// What is wanted of tests that are explored.
#[derive(Clone, Debug, Args)]
pub(crate) struct ExploringFlags {
    /// Run every test by itself under many schedules, in a world of its own
    ///
    /// Answers of files and connections may come in any order, and time may pass before any of them. A test
    /// that fails in some schedules and passes in others is flaky; the schedule is made as small as possible
    /// and told in words.
    #[arg(long)]
    pub(crate) explore: bool,
    /// With --explore, run at most N schedules of each test
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = states, allow_negative_numbers = true)]
    #[arg(requires = "explore")]
    pub(crate) schedules: u32,
    /// With --explore, take at most this long for all tests: 60s, 5m
    ///
    /// The time is shared among the tests; what one does not need is left to the others.
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "explore")]
    pub(crate) time: Option<Delay>,
    /// With --explore, answers that take longer are slow
    ///
    /// A failure that needs an answer to take longer than that, while timers run, is listed after those that
    /// only need another order.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "100ms", requires = "explore")]
    pub(crate) slow: Delay,
    /// With --explore, only tests that reach files changed since a commit, by default the last one
    ///
    /// Files that git does not know count as changed. A test reaches the files that its own file loads.
    #[arg(long, value_name = "COMMIT", num_args = 0..=1, require_equals = true, default_missing_value = "HEAD")]
    #[arg(requires = "explore")]
    pub(crate) changed: Option<String>,
    /// With --explore, continue an exploration of the same tests, or several that were joined
    ///
    /// A longer exploration saves its progress beside the recordings, in `explore`, or in the file named here. The
    /// progress is removed when the exploration is over, unless the file was named.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, requires = "explore")]
    pub(crate) resume: Option<Option<PathBuf>>,
    /// Run only the test with this number in its file, as a failure names it
    #[arg(long, value_name = "PATH", value_parser = test_path, requires = "schedule", hide = true)]
    pub(crate) test_case: Option<TestPath>,
    /// Run one test of a file under this schedule, as a failure names it
    #[arg(long, value_name = "SCHEDULE", value_parser = schedule, conflicts_with = "explore")]
    pub(crate) schedule: Option<Schedule>,
}

/// One test file, in a process of its own.
#[derive(Clone, Debug, Args)]
pub(crate) struct TestFileArgs {
    /// What is wanted of it
    #[arg(long)]
    pub(crate) settings: String,
    /// The file
    pub(crate) file: PathBuf,
}

/// What `hemiola test` is asked for whoever explores tests by way of `hemiola explore`.
pub(crate) fn exploring(args: &ExploreArgs) -> Result<TestArgs, Failure> {
    let ExploreArgs { search, format, program, .. } = args;
    let SearchLimits { time, jobs, slow, .. } = &search.limits;
    let format = match format {
        Format::Text => "text",
        Format::Json => "json",
    };
    let mut words = vec![
        "--explore".to_owned(),
        format!("--schedules={}", search.max_schedules),
        format!("--slow={}ms", slow.as_millis()),
        format!("--format={format}"),
    ];
    words.extend(time.map(|time| format!("--time={}ms", time.as_millis())));
    words.extend(jobs.map(|jobs| format!("--jobs={jobs}")));
    let mut words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    words.extend(search.resume.as_ref().map(|file| {
        let mut word = OsString::from("--resume");
        if let Some(file) = file {
            word.push("=");
            word.push(file);
        }
        word
    }));
    if search.fail_fast {
        words.push("--bail".into());
    }
    given(words, &program.words)
}

/// The same for one of its tests under a schedule.
pub(crate) fn following(args: &FollowArgs, case: &TestPath) -> Result<TestArgs, Failure> {
    let words = [format!("--schedule={}", args.schedule), format!("--test-case={case}")];
    given(words.map(OsString::from).to_vec(), &args.program.words)
}

/// What `hemiola test` is asked for by flags, and files after them.
fn given(flags: Vec<OsString>, files: &[OsString]) -> Result<TestArgs, Failure> {
    let words = flags.into_iter().chain(["--".into()]);
    let command = TestArgs::augment_args(clap::Command::new("test").no_binary_name(true));
    let matches = command.try_get_matches_from(words.chain(files.iter().cloned()))?;
    Ok(TestArgs::from_arg_matches(&matches)?)
}

/// How results are written, and where to if not to standard output.
#[derive(Clone, Debug)]
pub(crate) struct Reporter {
    pub(crate) kind: ReporterKind,
    pub(crate) file: Option<PathBuf>,
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReporterKind {
    /// A line for each test, as a tree.
    Spec,
    /// A character for each test.
    Dot,
    /// The Test Anything Protocol, version 13.
    Tap,
    /// XML as JUnit writes it.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
    /// One object.
    Json,
}

fn reporter(text: &str) -> Result<Reporter, BadValue> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) => (name, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let kind = ReporterKind::from_str(name, false).map_err(|_| BadValue {
        message: format!("does not know the reporter `{}`", name.escape_debug()),
        help: "write spec, dot, tap, junit, github or json, such as --reporter junit=report.xml"
            .into(),
    })?;
    Ok(Reporter { kind, file })
}

/// One part of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// Which one, from 1.
    pub(crate) part: usize,
    /// Of how many.
    pub(crate) of: usize,
}

fn shard(text: &str) -> Result<Shard, BadValue> {
    let parts =
        text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
        _ => Err(BadValue {
            message: format!("is not a part of several: `{}`", text.escape_debug()),
            help: "write which part of how many, such as --shard 2/3".into(),
        }),
    }
}

pub(super) const ABOUT: &str = "\
Run the tests of a project

Finds test files by their names (`*.test.*`, `*_test.*`, `*-test.*`, `*.spec.*`, and those in `test` and
`__tests__`) and runs each in a process of its own, several at a time. Files written for node:test, mocha,
jest, vitest and bun run without these runners: their globals and their imports are there.

With --explore each test runs under many schedules, and one that passes only in some of them is found.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola test
  hemiola test test/parser --grep 'empty input' --timeout 30s
  hemiola test --reporter spec --reporter junit=report.xml --shard 1/4
  hemiola test --explore --time 5m
  hemiola test --coverage-reporter text --coverage-reporter lcov --coverage-threshold 80

Exit status:
    0  all tests passed or were skipped
    1  a test failed, or less is covered than --coverage-threshold wants
    2  the command line is wrong, or there is no test
   70  a bug in hemiola
  100  with --repeat or --explore: a test failed only sometimes, and no other failed";
